"""Scenes and views: plain values that do not depend on anything hidden, also for drafted actions."""

import msgspec

from threespan.core.game import Position
from threespan.core.kernel import IS_UNCOMPILED
from threespan.core.rules import WATCHER
from threespan.testing.matches import is_same, positions_by_variant, some_positions, variants
from threespan.testing.subject import Checks, Subject

POSITIONS = 5 if IS_UNCOMPILED else 30
TRIALS = 2 if IS_UNCOMPILED else 10
CHECKS = Checks()


def seen_by(position: Position, seat: int) -> bytes:
    """The view of a seat, as JSON."""
    return as_json(position.game.view(position.observe(seat).state, seat))


def as_json(struct: msgspec.Struct) -> bytes:
    """The JSON of a struct; checks that decoding it gives the same struct."""
    text = msgspec.json.encode(struct)
    assert msgspec.json.decode(text, type=type(struct)) == struct
    return text


@CHECKS.add_for_kernels
def the_scene_never_changes(subject: Subject) -> None:
    """The scene is the same in every position of a match and for everybody."""
    game = subject.game
    for seed, options in enumerate(variants(game)):
        positions = some_positions(game, options, seed, POSITIONS)
        states = [p.observe(WATCHER).state for p in positions] + [p.state for p in positions]
        assert len({as_json(game.scene(state, positions[0].material)) for state in states}) == 1


@CHECKS.add_for_kernels
def a_view_does_not_depend_on_what_is_hidden(subject: Subject) -> None:
    """Another hidden part does not change any view."""
    for seed, position in positions_by_variant(subject.game, 0, POSITIONS):
        for seat in (WATCHER, *position.seats):
            dealt = position.observe(seat).imagine(seat, seed)
            assert seen_by(dealt, seat) == seen_by(position, seat), f"`view` gives secrets away at {position.text()}"


@CHECKS.add_for_kernels
def looking_changes_nothing(subject: Subject) -> None:
    """`scene` and `view` do not change the state."""
    for _, position in positions_by_variant(subject.game, 0, POSITIONS):
        before = position.copy()
        subject.game.scene(position.state, position.material)
        subject.game.view(position.state, 0)
        assert is_same(position, before)


@CHECKS.add_for_kernels
def what_a_seat_tries_out_can_be_seen(subject: Subject) -> None:
    """A drafted action can be played in the seat's observation and shown, with its path."""
    game = subject.game
    for _, position in positions_by_variant(game, 30, POSITIONS):
        for seat in set(position.seats) & set(position.acting()):
            seen = position.observe(seat)
            legal = seen.legal(seat)
            for action in legal[:: max(1, len(legal) // TRIALS)]:
                assert all(isinstance(place, str) for place in game.path(seen.state, seat, action))
                trial = seen.copy()
                trial.play(seat, action)
                assert game.layout.out_of_bounds(trial.state) == []
                as_json(game.view(trial.state, seat))


@CHECKS.add_for_kernels
def a_view_shows_every_change_that_its_viewer_may_know(subject: Subject) -> None:
    """Two observations with different public parts have different views."""
    game = subject.game
    for seed, options in enumerate(variants(game), 60):
        positions = some_positions(game, options, seed, POSITIONS)
        views = {seen_by(position, WATCHER): position.observe(WATCHER).text() for position in positions}
        assert len(views) == len({position.observe(WATCHER).text() for position in positions})
