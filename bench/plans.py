"""What the benchmark scripts measure for each game: `bench/GAME/plan.toml`."""

from pathlib import Path
from typing import Any

import msgspec

from threespan.core.errors import UserError
from threespan.core.registry import codes

Settings = dict[str, Any]  # options of a match, including the number of players

_FOLDER = Path(__file__).parent


class Choices(msgspec.Struct, forbid_unknown_fields=True):
    """How turns are judged: which bot plays the matches, which plays out turns, and the budgets in simulations."""

    host: str
    judge: str
    simulations: list[int]


class Compared(msgspec.Struct, forbid_unknown_fields=True):
    """An option with two values to compare by scores on the same deals."""

    option: str
    first: str
    second: str


class Environment(msgspec.Struct, forbid_unknown_fields=True):
    """The match for measuring environments, and similar games of other libraries."""

    players: int
    nearest: list[str]


class Plan(msgspec.Struct, forbid_unknown_fields=True):
    """The plan of a game."""

    ladder: list[Settings]
    balance: list[Settings]
    budget: Settings
    environments: dict[str, Environment]
    choices: Choices | None = None
    compared: Compared | None = None
    is_loaded: bool = False  # whether load tests use this game


def read_plans() -> dict[str, Plan]:
    """The plans of all games that have one, by code; raises UserError."""
    return {code: _read_plan(file) for code in codes() if (file := _FOLDER / code / "plan.toml").is_file()}


def _read_plan(file: Path) -> Plan:
    try:
        return msgspec.toml.decode(file.read_bytes(), type=Plan)
    except msgspec.DecodeError as error:
        raise UserError(f"{file}: {error}") from error


def loaded_game() -> str:
    """The code of the game that load tests use."""
    return next(code for code, plan in read_plans().items() if plan.is_loaded)
