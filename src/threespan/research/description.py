"""What environments need to know about a game besides its rules: its `DESCRIPTION`.

For a built-in game it is in `research/games/GAME.py`; for a game outside this package, in `PACKAGE/research.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from threespan.core.errors import UserError
from threespan.core.game import Game
from threespan.core.options import Options, Value
from threespan.core.registry import find_game, find_game_module, game_module_name
from threespan.research.canvas import Canvas
from threespan.research.tensor import TensorField, options_note


class NoEnvironment(UserError):
    """A game has no environment, or an invalid DESCRIPTION."""


class ActionRange(NamedTuple):
    """Actions of one kind: from the end of the previous range to `end` - 1."""

    kind: str
    end: int
    number: str = ""  # the meaning of an action's number within the range
    only_with: Mapping[str, Value] = {}  # it only exists if these options have these values


@dataclass(frozen=True)
class Description:
    """A game's actions, observation tensor and bounds."""

    ranges: tuple[ActionRange, ...]  # of the actions of seats; those of chance follow
    tensor_fields: tuple[TensorField, ...]
    score_bounds: Callable[[Any], tuple[float, float]]  # lowest and highest score, from the state before the match
    max_chance_actions: Callable[[int], int]  # upper limit for a match, by the number of players
    max_seat_actions: Callable[[Any], int]  # the same for actions of seats, from the state before the match
    draw: Callable[[Any, Any, int], Canvas] | None = None  # draws a scene and a view for a seat

    def seat_actions(self, options: Options) -> int:
        """The number of actions of seats with some options; they are numbered from 0, those of chance follow."""
        return [one.end for one in self.ranges if has_values(options, one.only_with)][-1]

    def tensor_fields_with(self, options: Options) -> tuple[TensorField, ...]:
        """The parts of an observation tensor with some options."""
        return tuple(part for part in self.tensor_fields if has_values(options, part.only_with))

    def action_table(self) -> str:
        """The actions of seats as a Markdown table."""
        lines = ["| actions | kind | number within the range |", "|---|---|---|"]
        first = 0
        for kind, end, number, only_with in self.ranges:
            actions = f"{first}..{end - 1}" if end > first + 1 else str(first)
            lines.append(f"| {actions} | {kind}{options_note(only_with)} | {number} |".replace("|  |", "| |"))
            first = end
        return "\n".join(lines)


def has_values(options: Options, values: Mapping[str, Value]) -> bool:
    """Whether options have certain values."""
    return all(getattr(options, name) == value for name, value in values.items())


@cache
def find_description(code: str) -> Description:
    """The description of a game; raises NoEnvironment."""
    game, module = find_game(code), find_game_module(code, "research.games")
    if module is None:
        file = game_module_name(code, "research.games").replace(".", "/") + ".py"
        raise NoEnvironment(f"'{code}' has no environments yet; write {file} with its DESCRIPTION (docs/research.md)")
    found = getattr(module, "DESCRIPTION", None)
    if not isinstance(found, Description):
        raise NoEnvironment(f"{module.__file__}: there is no DESCRIPTION of '{code}'; add one (docs/research.md)")
    _check(found, game, f"{module.__file__}: the DESCRIPTION of '{code}'")
    return found


def _check(description: Description, game: Game, where: str) -> None:
    """Check that a description matches its game; raises NoEnvironment."""
    fields = game.layout.fields
    for part in description.tensor_fields:
        if part.field not in fields:
            raise NoEnvironment(
                f"{where} has a tensor field '{part.field}', but the state's fields are {', '.join(fields)}"
            )
    ends = [0, *(one.end for one in description.ranges)]
    if ends != sorted(set(ends)) or not 0 < ends[-1] <= game.action_count:
        raise NoEnvironment(
            f"{where} has ranges that end at {ends[1:]}; they must be increasing, up to {game.action_count} at most"
        )
