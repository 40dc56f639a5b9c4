"""Random matches and their positions."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from threespan.core.chance import MatchSeed
from threespan.core.game import Game, Position
from threespan.core.kernel import IS_UNCOMPILED, kernel
from threespan.core.match import Match
from threespan.core.options import Options, OptionSpec, Value, read_options
from threespan.core.rules import CHANCE, LEGAL, check

_MAX_NUMBERS = 4  # tried of a range
_MAX_EVENTS = 150 if IS_UNCOMPILED else 10**9  # uncompiled, a whole match takes too long


def variants(game: Game) -> list[Options]:
    """Every number of players with default options, then every value of every other option once."""
    specs = game.option_specs()
    defaults: dict[str, Value] = {spec.name: spec.default for spec in specs}
    defaults["players"] = max(game.seat_counts[0], 2)
    settings = [defaults | {"players": players} for players in game.seat_counts]
    for spec in specs:
        if spec.name != "players":
            others = defaults | {
                name: values[0] for name, values in spec.only_with.items() if defaults[name] not in values
            }
            settings += [others | {spec.name: value} for value in _some_values(spec, others)]
    distinct = [setting for index, setting in enumerate(settings) if setting not in settings[:index]]
    return [read_options(game.options, setting) for setting in distinct]


def _some_values(spec: OptionSpec, others: dict[str, Value]) -> list[Value]:
    """All words of an option, and its numbers; of a long range only some."""
    words, numbers = list(spec.values), list(range(spec.low, spec.maximum(others) + 1)) if spec.kind == "range" else []
    if len(numbers) > _MAX_NUMBERS:
        numbers = sorted({numbers[0], numbers[1], numbers[len(numbers) // 2], numbers[-1]})
    return [*numbers, *words]


def random_match(game: Game, options: Options, seed: int, stop_after: int = 10**9) -> Iterator[Match]:
    """Play a random match; yields the same object before every action and at the end."""
    chooser = random.Random(seed)
    match = Match(game.start(options), MatchSeed.of(f"conformance {seed}"), ["x"] * options.players)
    while not match.position.is_over and len(match.events) < stop_after:
        yield match
        seat = chooser.choice(match.position.acting())
        match.append(seat, match.chance_action() if seat == CHANCE else chooser.choice(match.position.legal(seat)))
    yield match


def some_positions(game: Game, options: Options, seed: int, count: int) -> list[Position]:
    """Positions of a random match, spread evenly from its start to its end."""
    positions = [match.position.copy() for match in random_match(game, options, seed, _MAX_EVENTS)]
    return positions[:: max(1, len(positions) // count)]


def positions_by_variant(
    game: Game, first_seed: int, count: int, max_variants: int | None = None
) -> Iterator[tuple[int, Position]]:
    """Positions of a random match of every variant, each with the seed of its match."""
    for seed, options in enumerate(variants(game)[:max_variants], first_seed):
        for position in some_positions(game, options, seed, count):
            yield seed, position


@kernel
def all_checks(state: Any, seat: int, answers: Any) -> None:
    """Write the result of `check` for every action."""
    for action in range(len(answers)):
        answers[action] = check(state, seat, action)


def legal_by_check(position: Position, seat: int) -> list[int]:
    """The legal actions by definition: those that `check` allows."""
    answers = np.full(position.game.action_count, -1, np.int64)
    all_checks(position.state, seat, answers)
    return [int(action) for action in np.flatnonzero(answers == LEGAL)]


def different_fields(one: Position, two: Position) -> list[str]:
    """The fields in which two positions differ."""
    return [name for name in one.game.layout.fields if not np.array_equal(one.state[name], two.state[name])]


def is_same(one: Position, two: Position) -> bool:
    """Whether two positions are identical byte by byte."""
    return bool(one.state.tobytes() == two.state.tobytes())
