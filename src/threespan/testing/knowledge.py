"""Hidden information: observations leak nothing, and imagined positions fit them and are random."""

from collections import defaultdict
from typing import Any

import numpy as np

from threespan.core.chance import MatchSeed
from threespan.core.game import Game, Hidden, Position
from threespan.core.kernel import IS_UNCOMPILED
from threespan.core.match import Match
from threespan.core.options import Options
from threespan.core.rules import CHANCE, WATCHER
from threespan.testing.matches import (
    different_fields,
    is_same,
    legal_by_check,
    positions_by_variant,
    some_positions,
    variants,
)
from threespan.testing.subject import Checks, Subject

POSITIONS = 5 if IS_UNCOMPILED else 40
DEALS = 1 if IS_UNCOMPILED else 3
SEEDS = 300  # for one observation; the imagined positions must not all be the same
VARIANTS = 2 if IS_UNCOMPILED else None  # for slow checks
SAMPLES = 80 if IS_UNCOMPILED else 400  # deals to compare with imagined ones
MAX_ERRORS = 6.0  # standard errors between two means; equal distributions are never that far apart
_TINY = 1e-9  # avoids division by zero if both samples are constant but different
CHECKS = Checks()


@CHECKS.add_for_kernels
def hiding_twice_hides_no_more(subject: Subject) -> None:
    """An observation of an observation is the same."""
    for _, position in positions_by_variant(subject.game, 0, POSITIONS):
        for viewer in (WATCHER, *position.seats):
            seen = position.observe(viewer)
            assert is_same(seen.observe(viewer), seen)


@CHECKS.add_for_kernels
def something_is_hidden_where_the_game_says_so(subject: Subject) -> None:
    """`Game.hidden` is true: either something is hidden from each viewer at some point, or nothing ever is."""
    lacking: dict[int, set[str]] = defaultdict(set)
    viewers: set[int] = set()
    for _, position in positions_by_variant(subject.game, 0, 4 * POSITIONS):
        if len(position.seats) > 1:
            for viewer in (WATCHER, *position.seats):
                viewers.add(viewer)
                lacking[viewer].update(different_fields(position, position.observe(viewer)))
    for viewer in viewers:
        name = "a watcher" if viewer == WATCHER else f"seat {viewer}"
        if subject.game.hidden is Hidden.NOTHING:
            assert not lacking[viewer], f"`hide` keeps {lacking[viewer]} from {name}, but Game.hidden is NOTHING"
        else:
            assert lacking[viewer], (
                f"`hide` never keeps anything from {name}; if that is right, hidden = Hidden.NOTHING"
            )


@CHECKS.add_for_kernels
def a_seat_sees_what_it_may_do(subject: Subject) -> None:
    """A seat has the same legal actions in its observation."""
    for _, position in positions_by_variant(subject.game, 0, POSITIONS):
        for seat in position.seats:
            seen = position.observe(seat)
            assert seen.acting() == position.acting()
            assert seen.legal(seat) == position.legal(seat)


@CHECKS.add_for_kernels
def an_observation_does_not_depend_on_what_is_hidden(subject: Subject) -> None:
    """Imagined positions give the same observation as the one that they were imagined from."""
    for seed, position in positions_by_variant(subject.game, 0, POSITIONS):
        for viewer in (WATCHER, *position.seats):
            seen = position.observe(viewer)
            for deal in range(DEALS):
                again = seen.imagine(viewer, 1000 * seed + deal).observe(viewer)
                changed = different_fields(seen, again)
                assert not changed, f"`imagine` changes what viewer {viewer} knows: {changed} at {position.text()}"
                assert is_same(again, seen)


@CHECKS.add_for_kernels
def imagined_positions_can_be_played(subject: Subject) -> None:
    """Imagined positions are within bounds, and `legal` and `check` agree in them."""
    for seed, position in positions_by_variant(subject.game, 20, max(2, POSITIONS // 2), VARIANTS):
        for seat in position.seats:
            imagined = position.observe(seat).imagine(seat, seed)
            assert subject.game.layout.out_of_bounds(imagined.state) == []
            assert imagined.acting() == position.acting()
            for other in position.seats:
                assert imagined.legal(other) == legal_by_check(imagined, other)


@CHECKS.add_for_kernels
def imagination_depends_on_its_seed_alone(subject: Subject) -> None:
    """The same seed gives the same imagined position."""
    for position in some_positions(subject.game, variants(subject.game)[-1], 5, POSITIONS):
        seen = position.observe(0)
        assert is_same(seen.imagine(0, 9), seen.imagine(0, 9))


@CHECKS.add_for_kernels
def imagination_is_random(subject: Subject) -> None:
    """Different seeds give different imagined positions, if more than one is possible."""
    for _, position in positions_by_variant(subject.game, 40, POSITIONS, VARIANTS):
        for viewer in (WATCHER, *position.seats):
            seen = position.observe(viewer)
            first = seen.imagine(viewer, 0)
            if is_same(first, position):
                continue  # perhaps there is no other possibility
            others = (seen.imagine(viewer, seed) for seed in range(1, SEEDS))
            assert not all(is_same(first, other) for other in others), (
                f"`imagine` is not random: {SEEDS} seeds give viewer {viewer} the same, and it is not the truth, "
                f"at {position.text()}"
            )


@CHECKS.add_for_kernels
def imagined_deals_are_as_likely_as_real_ones(subject: Subject) -> None:
    """Before anybody has acted, imagined deals have the same averages as real ones, for every viewer."""
    for options in variants(subject.game)[: VARIANTS or 4]:
        dealt = [_dealt(subject.game, options, number) for number in range(SAMPLES)]
        for viewer in (WATCHER, *dealt[0].seats):
            imagined = [deal.observe(viewer).imagine(viewer, seed) for seed, deal in enumerate(dealt)]
            for name in subject.game.layout.fields:
                far = _standard_errors(
                    *(np.array([p.state[name] for p in group], np.float64) for group in (dealt, imagined))
                )
                assert far < MAX_ERRORS, (
                    f"`imagine` deals '{name}' unlike chance does: for viewer {viewer} the averages are "
                    f"{far:.1f} standard errors apart"
                )


def _dealt(game: Game, options: Options, number: int) -> Position:
    """The position at the first decision of a match."""
    match = Match(game.start(options), MatchSeed.of(f"deal {number}"), [])
    while match.position.acting() == [CHANCE]:
        match.position.play(CHANCE, match.chance_action())
        match.draws += 1
    return match.position


def _standard_errors(dealt: Any, imagined: Any) -> float:
    """The largest difference between the averages of paired arrays, in standard errors.

    Sums of squares are compared as well, since hands may be right on average, but too similar or too different.
    """
    squares = (dealt**2 - imagined**2).reshape(len(dealt), -1).sum(axis=1)
    return max(_errors_apart(dealt - imagined), _errors_apart(squares))


def _errors_apart(difference: Any) -> float:
    error = np.sqrt(difference.var(axis=0) / len(difference))
    return float(np.max(np.abs(difference.mean(axis=0)) / np.maximum(error, _TINY)))
