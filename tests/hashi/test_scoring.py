"""Races, finished islands, shared wins, solo limits and ranks."""

from collections.abc import Callable
from enum import IntEnum
from itertools import product

import pytest

from asking import play
from hashi.drawing import drawn
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.game import GAME, RANKS_UP_TO
from threespan.games.hashi.scoring import connected_islands
from threespan.games.hashi.state import Bonus, Flag, Phase

pytestmark = pytest.mark.kernels

POSSIBLE_TOP_SCORES = {54, 56, 58, 60}


def ended(players: int = 1, **fields: object) -> Position:
    position = GAME.start(read_options(GAME.options, {"players": players}))
    position.state.phase = Phase.OVER
    for name, value in fields.items():
        getattr(position.state, name)[: len(value)] = value  # type: ignore[arg-type]
    return position


def test_six_connected() -> None:
    # 03-13, 13-14, 14-15, 15-25: five islands in a chain, and 34 below 14 as the sixth.
    six = drawn("""
    0     1     2     3     4     5
0       R( )         [1]   ( )
                      │
1  ( )              B[2]───[3]──R[2]
                            │     │
2       B( )                │    [1]
                            │
3  ( )                    B[1]

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
""")
    assert bool(connected_islands(six.state, 0, six.state.finished[0]))
    # The middle of the chain wants one bridge more: unfinished, it cuts the others apart.
    cut = drawn("""
    0     1     2     3     4     5
0       R( )         [1]   ( )
                      │
1  ( )              B[2]───(4)──R[2]
                            │     │
2       B( )                │    [1]
                            │
3  ( )                    B[1]

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
""")
    assert not bool(connected_islands(cut.state, 0, cut.state.finished[0]))


def test_six_finished_islands_in_two_groups_do_not_count() -> None:
    pairs = drawn("""
    0     1     2     3     4     5
0       R( )         [2]═══[2]

1  ( )              B( )  [2]══R[2]

2       B( )                    ( )

3  ( )                    B( )

4 R( )   [1]───[1]              ( )

5        ( )   ( )        R( )
""")
    assert not bool(connected_islands(pairs.state, 0, pairs.state.finished[0]))


def test_a_race_is_won_at_the_end_of_the_round_in_which_it_is_complete() -> None:
    position = drawn(
        """
    0     1     2     3     4     5
0       R( )         [1]   ( )
                      │
1  ( )              B[2]───[3]──R[2]
                            │     │
2       B( )                │    [1]
                            │
3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
""",
        card="1/1",
    )
    assert not position.state.won_in.any()
    play(position, "write 34 1")
    assert not position.state.won_in.any()
    play(position, "skip")
    assert position.state.won_in[0].tolist() == [0, 0, 5]


@pytest.mark.parametrize(
    ("bonus", "full", "late"), [(Bonus.RED_FLAGS, 9, 5), (Bonus.BLUE_FLAGS, 7, 3), (Bonus.SIX_CONNECTED, 8, 4)]
)
def test_the_first_round_pays_everybody_in_it_in_full(bonus: Bonus, full: int, late: int) -> None:
    position = ended(players=4)
    position.state.won_in[:, bonus] = [9, 4, 4, 0]
    points = [dict(position.score_sheet(seat)).get(Rule[bonus.name], 0) for seat in range(4)]
    assert points == [late, full, full, 0]


@pytest.mark.parametrize(
    ("bonus", "limit", "full", "late"),
    [(Bonus.RED_FLAGS, 12, 9, 5), (Bonus.BLUE_FLAGS, 7, 7, 3), (Bonus.SIX_CONNECTED, 12, 8, 4)],
)
def test_alone_a_race_pays_in_full_up_to_a_card(bonus: Bonus, limit: int, full: int, late: int) -> None:
    position = ended()
    for won_in, expected in ((limit, full), (limit + 1, late)):
        position.state.won_in[0, bonus] = won_in
        assert dict(position.score_sheet(0)) == {Rule[bonus.name]: expected}


def test_finished_islands_count_at_the_end() -> None:
    position = ended(finished=[0b111])
    assert dict(position.score_sheet(0)) == {Rule.FINISHED_ISLAND: 6}
    position.state.phase = Phase.CARD
    assert dict(position.score_sheet(0)) == {}


def test_shared_win(shows: Callable[[IntEnum], None]) -> None:
    position = ended(players=3, finished=[0b11, 0b111, 0b111])
    assert position.outcome() == ([4, 6, 6], [3, 1, 1])
    shows(Rule.SHARED_WIN)


def solo_totals() -> set[int]:
    """Every total that solo scoring can give, over everything it depends on.

    That is: how many islands of each flag are finished, and whether each race was complete in time, late or never.
    A race for a flag is complete at the end exactly if all its islands are finished.
    """
    position = ended()
    state = position.state
    islands = {flag: [i for i in range(18) if state.flag[i] == flag] for flag in Flag}
    totals = set()
    for plain, red, blue in product(range(12), range(5), range(4)):
        finished = islands[Flag.NO][:plain] + islands[Flag.RED][:red] + islands[Flag.BLUE][:blue]
        state.finished[0] = sum(1 << island for island in finished)
        red_rounds = (12, 13) if red == 4 else (0,)
        blue_rounds = (7, 8) if blue == 3 else (0,)
        six_rounds = (0, 12, 13) if len(finished) >= 6 else (0,)
        for rounds in product(red_rounds, blue_rounds, six_rounds):
            state.won_in[0] = rounds
            totals.add(position.outcome()[0][0])
    return totals


def test_some_solo_totals_cannot_occur() -> None:
    totals = solo_totals()
    assert totals.isdisjoint({53, 55, 57, 59})
    assert max(totals) == 60
    assert {score for score in totals if score > 52} == POSSIBLE_TOP_SCORES


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_rank_has_its_scores(language: str) -> None:
    position = ended()
    verdicts: dict[str, list[int]] = {}
    reachable = solo_totals()
    for plain in range(19):
        for rounds in product((0, 12, 13), (0, 7, 8), (0, 12, 13)):
            position.state.finished[0] = (1 << plain) - 1
            position.state.won_in[0] = rounds
            score = position.outcome()[0][0]
            if score in reachable:
                verdict = GAME.verdict(position.state, 0, language)
                verdicts.setdefault(verdict, []).append(score)
    spans = sorted((min(scores), max(scores)) for scores in verdicts.values())
    assert len(spans) == 12
    assert [top for _, top in spans] == [*RANKS_UP_TO, 60]
    assert [low for low, _ in spans[1:]] == [41, 43, 45, 47, 49, 51, 52, 54, 56, 58, 60]


def test_only_solo_players_get_a_rank() -> None:
    assert GAME.verdict(ended(players=2).state, 0, "en") == ""
