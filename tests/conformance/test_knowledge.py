"""What a seat may know: observations leak nothing, and imagination fits them."""

import numba
import pytest

from conformance.helpers import lawful, some_positions, variants
from threespan.core.game import Game
from threespan.core.rules import WATCHER

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
POSITIONS = 5 if UNCOMPILED else 40


def test_hiding_twice_hides_no_more(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, POSITIONS):
            for seat in (WATCHER, *position.seats):
                seen = position.observe(seat)
                assert seen.observe(seat).state.tobytes() == seen.state.tobytes()


def test_a_seat_sees_what_it_may_do(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, POSITIONS):
            for seat in position.seats:
                seen = position.observe(seat)
                assert seen.acting() == position.acting()
                assert seen.legal(seat) == position.legal(seat)


def test_an_observation_does_not_depend_on_what_is_hidden(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, POSITIONS):
            for seat in (WATCHER, *position.seats):
                seen = position.observe(seat)
                for deal in range(1 if UNCOMPILED else 3):
                    dealt = seen.imagine(seat, 1000 * seed + deal)
                    assert dealt.observe(seat).state.tobytes() == seen.state.tobytes(), position.text()


def test_imagined_positions_can_be_played(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, 20 + seed, POSITIONS // 2):
            seats = position.seats
            for seat in seats:
                imagined = position.observe(seat).imagine(seat, seed)
                assert game.layout.out_of_bounds(imagined.state) == []
                assert imagined.acting() == position.acting()
                for other in seats:
                    assert imagined.legal(other) == lawful(imagined, other)


def test_imagination_depends_on_its_seed_alone(game: Game) -> None:
    for position in some_positions(game, variants(game)[-1], 5, POSITIONS):
        seen = position.observe(0)
        assert seen.imagine(0, 9).state.tobytes() == seen.imagine(0, 9).state.tobytes()
