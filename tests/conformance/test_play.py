"""Random play: it ends, it repeats, it stays within bounds, and the legal actions are those that check allows."""

import numba
import numpy as np
import pytest

from conformance.helpers import lawful, random_match, some_positions, variants
from threespan.core.game import Game, IllegalAction
from threespan.core.playout import playouts
from threespan.core.record import read_record, verify, write_record
from threespan.core.rules import CHANCE, LEGAL, MAX_SEATS

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
POSITIONS = 6 if UNCOMPILED else 60


def test_random_play_ends(game: Game) -> None:
    for options in variants(game)[: 1 if UNCOMPILED else None]:
        states = game.layout.batch(2)
        states[:] = game.start(options).state
        result = playouts(states, 1 if UNCOMPILED else 200, seed=1)
        assert result.actions > 0
        assert (result.ranks[:, :, : options.players].min(axis=2) == 1).all()
        assert (result.ranks[:, :, options.players :] == 0).all()


def test_playouts_depend_on_the_seed_alone(game: Game) -> None:
    states = game.layout.batch(3)
    states[:] = game.start(variants(game)[0]).state
    one, two = (playouts(states, 2 if UNCOMPILED else 50, seed=7, threads=threads) for threads in (1, 2))
    assert one.actions == two.actions
    assert np.array_equal(one.scores, two.scores)
    if not UNCOMPILED:
        assert not np.array_equal(one.scores, playouts(states, 50, seed=8).scores)


def test_same_seed_and_same_actions_are_the_same_match(game: Game) -> None:
    for options in variants(game)[: 2 if UNCOMPILED else None]:
        texts = set()
        for _ in range(2):
            *_, match = random_match(game, options, seed=3)
            texts.add(write_record(match))
        assert len(texts) == 1
        verify(read_record(texts.pop()))


def test_legal_actions_are_those_that_check_allows(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, POSITIONS):
            acting = position.acting()
            for seat in range(MAX_SEATS + 1):
                expected = lawful(position, seat)
                if seat in position.seats or seat == CHANCE:
                    assert position.legal(seat) == expected, position.text()
                assert bool(expected) == (seat in acting), position.text()


def test_a_refused_action_changes_nothing_and_names_its_clause(game: Game) -> None:
    refusals = set(game.book.of_kind("refusal"))
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, seed, POSITIONS // 3):
            before = position.state.tobytes()
            for seat in (*position.seats, CHANCE, -1, MAX_SEATS + 1):
                tried = set()
                for action in (-1, *range(0, game.actions), game.actions):
                    rule = position.check(seat, action)
                    if rule == LEGAL or rule in tried:
                        continue
                    tried.add(rule)
                    assert rule in refusals
                    if 0 <= action < game.actions:
                        with pytest.raises(IllegalAction) as refused:
                            position.play(seat, action)
                        assert refused.value.rule == rule
                        assert refused.value.reason("en") != refused.value.reason("de")
            assert position.state.tobytes() == before


def test_states_stay_within_their_bounds(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, 50 + seed, POSITIONS):
            assert game.layout.out_of_bounds(position.state) == []
            for seat in (-1, *position.seats):
                assert game.layout.out_of_bounds(position.observe(seat).state) == []


def test_tickets_are_shared_out_by_weight(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        for position in some_positions(game, options, 80 + seed, POSITIONS):
            if position.acting() == [CHANCE]:
                total = int(game.rules.tickets(position.state))
                drawn = [int(game.rules.draw(position.state, ticket)) for ticket in range(total)]
                assert sorted(set(drawn)) == position.legal(CHANCE)
                for action in set(drawn):
                    assert game.rules.weight(position.state, action) == drawn.count(action)


def test_scores_are_the_sum_of_the_score_sheet(game: Game) -> None:
    for seed, options in enumerate(variants(game)):
        *_, match = random_match(game, options, 90 + seed)
        scores, ranks = match.position.outcome()
        for seat in match.position.seats:
            assert scores[seat] == sum(points for _, points in match.position.score_sheet(seat))
        best = [seat for seat in match.position.seats if ranks[seat] == 1]
        assert best
        assert all(1 <= rank <= options.players for rank in ranks)
