"""Random play ends, is reproducible and stays within bounds, and `legal` agrees with `check`."""

import numpy as np
import pytest

from threespan.core.game import IllegalAction, Position
from threespan.core.kernel import IS_UNCOMPILED
from threespan.core.playout import playouts
from threespan.core.record import read_record, verify, write_record
from threespan.core.rules import CHANCE, LEGAL, MAX_LEGAL, MAX_SEATS, WATCHER
from threespan.testing.matches import is_same, legal_by_check, positions_by_variant, random_match, variants
from threespan.testing.subject import Checks, Subject

POSITIONS = 6 if IS_UNCOMPILED else 60
CHECKS = Checks()


@CHECKS.add_for_kernels
def random_play_ends(subject: Subject) -> None:
    """Random matches end, somebody is ranked first, and seats that are not used have no rank."""
    game = subject.game
    for options in variants(game)[: 1 if IS_UNCOMPILED else None]:
        states = game.layout.batch(2)
        states[:] = game.start(options).state
        result = playouts(states, 1 if IS_UNCOMPILED else 200, seed=1)
        assert result.actions > 0
        assert (result.ranks[:, :, : options.players].min(axis=2) == 1).all()
        assert (result.ranks[:, :, options.players :] == 0).all()


@CHECKS.add_for_kernels
def playouts_depend_on_the_seed_alone(subject: Subject) -> None:
    """The same seed gives the same playouts on any number of threads."""
    game = subject.game
    states = game.layout.batch(3)
    states[:] = game.start(variants(game)[0]).state
    one, two = (playouts(states, 2 if IS_UNCOMPILED else 50, seed=7, threads=threads) for threads in (1, 2))
    assert one.actions == two.actions
    assert np.array_equal(one.scores, two.scores)
    if not IS_UNCOMPILED:
        assert not np.array_equal(one.scores, playouts(states, 50, seed=8).scores)


@CHECKS.add_for_kernels
def same_seed_and_same_actions_are_the_same_match(subject: Subject) -> None:
    """Playing a match twice gives the same record, and the record is valid."""
    game = subject.game
    for options in variants(game)[: 2 if IS_UNCOMPILED else None]:
        texts = set()
        for _ in range(2):
            *_, match = random_match(game, options, seed=3)
            texts.add(write_record(match))
        assert len(texts) == 1
        verify(read_record(texts.pop()))


@CHECKS.add_for_kernels
def legal_actions_are_those_that_check_allows(subject: Subject) -> None:
    """`legal` lists, ascending, the actions that `check` allows; acting seats have some, others none."""
    for _, position in positions_by_variant(subject.game, 0, POSITIONS):
        acting = position.acting()
        for seat in range(MAX_SEATS + 1):
            expected = legal_by_check(position, seat)
            assert len(expected) <= MAX_LEGAL, f"{len(expected)} legal actions at once; there is room for {MAX_LEGAL}"
            if seat in position.seats or seat == CHANCE:
                assert position.legal(seat) == expected, f"`legal` and `check` disagree at {position.text()}"
            assert bool(expected) == (seat in acting), f"`acting` and `check` disagree at {position.text()}"


@CHECKS.add_for_kernels
def a_refused_action_changes_nothing_and_names_its_clause(subject: Subject) -> None:
    """Every refusal is a clause of the kind `refusal`, and does not change the state."""
    for _, position in positions_by_variant(subject.game, 0, POSITIONS // 3):
        before = position.copy()
        for seat in (*position.seats, CHANCE, WATCHER, MAX_SEATS + 1):
            _try_refused_actions(position, seat)
        assert is_same(position, before)


def _try_refused_actions(position: Position, seat: int) -> None:
    """For every clause that forbids an action of a seat, try one such action."""
    game, tried = position.game, set()
    refusals = set(game.rule_book.of_kind("refusal"))
    for action in (-1, *range(game.action_count), game.action_count):
        rule = position.check(seat, action)
        if rule == LEGAL or rule in tried:
            continue
        tried.add(rule)
        assert rule in refusals, f"`check` returns {rule.name}, which is not a refusal in rules.toml"
        if 0 <= action < game.action_count:
            with pytest.raises(IllegalAction) as refused:
                position.play(seat, action)
            assert refused.value.rule == rule


@CHECKS.add_for_kernels
def states_stay_within_their_bounds(subject: Subject) -> None:
    """States and observations stay within the bounds of the game's layout."""
    layout = subject.game.layout
    for _, position in positions_by_variant(subject.game, 50, POSITIONS):
        assert layout.out_of_bounds(position.state) == []
        for seat in (WATCHER, *position.seats):
            assert layout.out_of_bounds(position.observe(seat).state) == []


@CHECKS.add_for_kernels
def tickets_are_shared_out_by_weight(subject: Subject) -> None:
    """Every ticket gives a legal action of chance, and every action has as many tickets as its weight."""
    kernels = subject.game.kernels
    for _, position in positions_by_variant(subject.game, 80, POSITIONS):
        if position.acting() == [CHANCE]:
            total = int(kernels.tickets(position.state))
            drawn = [int(kernels.draw(position.state, ticket)) for ticket in range(total)]
            assert sorted(set(drawn)) == position.legal(CHANCE), f"`draw` and `legal` disagree at {position.text()}"
            shares = {action: drawn.count(action) for action in drawn}
            weights = {action: int(kernels.weight(position.state, action)) for action in shares}
            assert weights == shares, f"`weight` does not count the tickets at {position.text()}"


@CHECKS.add_for_kernels
def scores_are_the_sum_of_the_score_sheet(subject: Subject) -> None:
    """The lines of the score sheet add up to the score, and somebody is ranked first."""
    for seed, options in enumerate(variants(subject.game), 90):
        *_, match = random_match(subject.game, options, seed)
        scores, ranks = match.position.outcome()
        for seat in match.position.seats:
            assert scores[seat] == sum(points for _, points in match.position.score_sheet(seat))
        assert 1 in ranks
        assert all(1 <= rank <= options.players for rank in ranks)
