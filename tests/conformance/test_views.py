"""What a page sees: plain values, the same whatever is hidden, also of what a seat only tries out."""

import msgspec
import numba
import pytest

from conformance.helpers import some_positions, variants
from threespan.core.game import Game, Position
from threespan.core.rules import WATCHER

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
POSITIONS = 5 if UNCOMPILED else 30
TRIALS = 2 if UNCOMPILED else 10


def seen_by(position: Position, seat: int) -> bytes:
    """The view of a seat, in the form in which it travels."""
    return as_json(position.game.view(position.observe(seat).state, seat))


def as_json(struct: msgspec.Struct) -> bytes:
    """JSON from which the same struct can be read: it holds plain values of the types that it declares."""
    text = msgspec.json.encode(struct)
    assert msgspec.json.decode(text, type=type(struct)) == struct
    return text


def test_the_scene_never_changes(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        positions = some_positions(game, options, seed, POSITIONS)
        states = [position.observe(WATCHER).state for position in positions] + [
            position.state for position in positions
        ]
        assert len({as_json(game.scene(state, positions[0].material)) for state in states}) == 1


def test_a_view_does_not_depend_on_what_is_hidden(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, POSITIONS):
            for seat in (WATCHER, *position.seats):
                dealt = position.observe(seat).imagine(seat, seed)
                assert seen_by(dealt, seat) == seen_by(position, seat), position.text()


def test_looking_changes_nothing(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, POSITIONS):
            before = position.state.tobytes()
            game.scene(position.state, position.material)
            game.view(position.state, 0)
            assert position.state.tobytes() == before


def test_what_a_seat_tries_out_can_be_seen(game: Game) -> None:
    """A page shows an action before it is final: carried out in the seat's observation, with its spots lit up."""
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, 30 + seed, POSITIONS):
            for seat in set(position.seats) & set(position.acting()):
                seen = position.observe(seat)
                legal = seen.legal(seat)
                for action in legal[:: max(1, len(legal) // TRIALS)]:
                    assert all(isinstance(spot, str) for spot in game.show(seen.state, seat, action))
                    trial = seen.copy()
                    trial.play(seat, action)
                    assert game.layout.out_of_bounds(trial.state) == []
                    as_json(game.view(trial.state, seat))


def test_a_view_shows_every_change_that_its_viewer_may_know(game: Game) -> None:
    """Two observations that differ in the public part of play never look alike."""
    for seed, options in enumerate(variants(game)):
        positions = some_positions(game, options, 60 + seed, POSITIONS)
        views = {seen_by(position, WATCHER): position.observe(WATCHER).text() for position in positions}
        assert len(views) == len({position.observe(WATCHER).text() for position in positions})
