"""One drawn position a clause where it bites, and the nearest one where it does not."""

from collections.abc import Callable
from enum import IntEnum

import pytest

from asking import ask, play, texts
from hashi.drawing import EMPTY, HARBOUR, drawn
from threespan.core.game import IllegalAction
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.core.words import LocalizedError
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.game import GAME
from threespan.games.hashi.state import CARD_KINDS, Phase, SeatStep

pytestmark = pytest.mark.kernels


def test_not_now() -> None:
    position = drawn(HARBOUR, card="5/3")
    assert ask(position, "write 10 5") is Rule.LEGAL
    assert ask(position, "write 10 4") is Rule.NOT_NOW  # the card shows a 5
    assert ask(position, "bridge 03-04") is Rule.NOT_NOW  # the number comes first
    assert ask(position, "card 5/3") is Rule.NOT_NOW  # only chance turns cards
    play(position, "write 10 5")
    assert ask(position, "write 14 5") is Rule.NOT_NOW
    assert ask(position, "bridge 03-04") is Rule.LEGAL
    play(position, "skip")
    assert position.state.phase == Phase.CARD
    assert ask(position, "skip") is Rule.NOT_NOW


def test_not_now_for_seats_that_do_not_play() -> None:
    position = drawn(EMPTY, players=2)
    assert ask(position, "skip", seat=1) is Rule.LEGAL
    assert ask(position, "skip", seat=2) is Rule.NOT_NOW


def test_same_side(shows: Callable[[IntEnum], None]) -> None:
    with pytest.raises(LocalizedError, match="All players use the same side") as refused:
        read_options(GAME.options, {"players": 2, "side": "A,B"})
    assert refused.value.text("de").startswith("Alle spielen auf derselben Seite")
    assert read_options(GAME.options, {"players": 2, "side": "B"}).side == "B"
    shows(Rule.SAME_SIDE)


def test_start_number() -> None:
    position = GAME.start(read_options(GAME.options, {}))
    assert ask(position, "write 03 3") is Rule.LEGAL
    assert ask(position, "write 03 4") is Rule.LEGAL
    assert ask(position, "write 03 5") is Rule.START_NUMBER
    assert ask(position, "write 01 3") is Rule.START_NUMBER  # a red flag
    assert ask(position, "write 21 4") is Rule.START_NUMBER  # a blue flag
    assert ask(position, "skip") is Rule.START_NUMBER
    assert ask(position, "bridge 01-03") is Rule.NOT_NOW
    assert len(position.legal(0)) == 2 * 11


def test_start_numbers_go_to_the_left_neighbour() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 3}))
    for seat, action in ((2, "write 03 3"), (0, "write 10 4"), (1, "write 14 3")):
        play(position, action, seat=seat)
    numbers = position.state.number
    places = position.state.place.tolist()
    assert numbers[1, places.index(10)] == 4
    assert numbers[2, places.index(14)] == 3
    assert numbers[0, places.index(3)] == 3
    assert numbers.sum() == 10


def test_a_solo_player_keeps_the_start_number() -> None:
    position = play(GAME.start(read_options(GAME.options, {})), "write 10 4")
    assert position.state.number[0, position.state.place.tolist().index(10)] == 4


def test_hidden_card() -> None:
    position = drawn(EMPTY)
    state = position.state
    state.phase, state.round_number = Phase.CARD, 16
    state.pile[:] = 0
    state.pile[GAME.parse_action(state, "card 1/1") - GAME.parse_action(state, "card 1/1")] = 1
    state.pile[CARD_KINDS - 1] = 1
    assert ask(position, "card 1/1", CHANCE) is Rule.LEGAL
    assert ask(position, "card 2/1", CHANCE) is Rule.HIDDEN_CARD  # not in the pile
    play(position, "card 1/1", seat=CHANCE)
    play(position, "skip", "skip")
    assert position.is_over
    assert ask(position, "card 6/3", CHANCE) is Rule.HIDDEN_CARD  # the eighteenth


def test_skip(shows: Callable[[IntEnum], None]) -> None:
    both = play(drawn(HARBOUR), "skip", "skip")
    assert both.state.phase == Phase.CARD
    number_only = play(drawn(HARBOUR), "write 10 5", "skip")
    assert number_only.state.phase == Phase.CARD
    bridges_only = play(drawn(HARBOUR, card="5/1"), "skip", "bridge 03-04")
    assert bridges_only.state.phase == Phase.CARD
    shows(Rule.SKIP)


def test_skip_is_explicit_even_when_nothing_else_is_possible() -> None:
    position = drawn(EMPTY, step=SeatStep.BRIDGE)
    assert texts(position) == ["skip"]
    assert position.acting() == [0]


def test_island_taken() -> None:
    position = drawn(HARBOUR)
    assert ask(position, "write 03 5") is Rule.ISLAND_TAKEN
    assert ask(position, "write 04 5") is Rule.LEGAL


def test_flag_needs_bridge() -> None:
    position = drawn(HARBOUR)
    assert ask(position, "write 01 5") is Rule.FLAG_NEEDS_BRIDGE
    assert ask(position, "write 34 5") is Rule.FLAG_NEEDS_BRIDGE
    assert ask(position, "write 13 5") is Rule.LEGAL  # a bridge leads there


TWO_TO_FOUR = """
    0     1     2     3     4     5
0       R( )         (3)═══( )

1  ( )              B( )  ( ) R( )

2       B( )                    ( )

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


def test_number_too_small() -> None:
    assert ask(drawn(TWO_TO_FOUR, card="1/1"), "write 04 1") is Rule.NUMBER_TOO_SMALL
    assert ask(drawn(TWO_TO_FOUR, card="2/1"), "write 04 2") is Rule.LEGAL


def test_no_such_line() -> None:
    position = drawn(HARBOUR, step=SeatStep.BRIDGE, card="5/1")
    assert ask(position, "bridge 03-14") is Rule.NO_SUCH_LINE  # not in one row or column
    assert ask(position, "bridge 01-04") is Rule.NO_SUCH_LINE  # 03 lies between
    assert ask(position, "bridge 01-03") is Rule.LEGAL


def test_needs_number() -> None:
    position = drawn(HARBOUR, card="5/1")
    play(position, "write 41 5")
    assert ask(position, "bridge 51-52") is Rule.NEEDS_NUMBER
    assert ask(position, "bridge 41-51") is Rule.LEGAL  # the number just written counts


def test_line_full() -> None:
    position = drawn(TWO_TO_FOUR, step=SeatStep.BRIDGE, card="5/1")
    assert ask(position, "bridge 03-04") is Rule.LINE_FULL
    assert ask(drawn(HARBOUR, step=SeatStep.BRIDGE, card="5/1"), "bridge 03-04") is Rule.LEGAL


# 10-13 runs over column 1, where 01-21 would cross it.
CROSSED = """
    0     1     2     3     4     5
0       R(4)         ( )   ( )

1  (4)──────────────B( )   ( ) R( )

2       B( )                    ( )

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


def test_crossing() -> None:
    position = drawn(CROSSED, step=SeatStep.BRIDGE, card="5/1")
    assert ask(position, "bridge 01-21") is Rule.CROSSING
    assert ask(position, "bridge 01-03") is Rule.LEGAL
    uncrossed = drawn(CROSSED.replace("─", " "), step=SeatStep.BRIDGE, card="5/1")
    assert ask(uncrossed, "bridge 01-21") is Rule.LEGAL


FINISHED = """
    0     1     2     3     4     5
0       R( )         [2]───( )
                      │
1  ( )              B( )  ( ) R( )

2       B( )                    ( )

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


def test_island_full() -> None:
    position = drawn(FINISHED, step=SeatStep.BRIDGE, card="5/1")
    assert ask(position, "bridge 03-04") is Rule.ISLAND_FULL
    assert ask(drawn(HARBOUR, step=SeatStep.BRIDGE, card="5/1"), "bridge 03-04") is Rule.LEGAL


# 14 has no number and six bridges: from 04, 13 and 15, all of them numbered with room to spare.
SIX_AT_14 = """
    0     1     2     3     4     5
0       R( )         ( )   (6)
                            ║
1  ( )              B(6)═══( )══R(6)

2       B( )                    ( )

3  ( )                    B(6)

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


def test_over_six() -> None:
    position = drawn(SIX_AT_14, step=SeatStep.BRIDGE, card="5/1")
    assert ask(position, "bridge 14-34") is Rule.OVER_SIX
    five = drawn(SIX_AT_14.replace("══R", "──R"), step=SeatStep.BRIDGE, card="5/1")
    assert ask(five, "bridge 14-34") is Rule.LEGAL


# Only the 1 at 25 is open, and only towards 15 and 45: it takes one bridge, never two.
ONE_LEFT = """
    0     1     2     3     4     5
0       R( )         ( )   ( )

1  ( )              B( )  ( ) R( )

2       B( )                    (1)

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


def test_all_or_nothing() -> None:
    assert ask(drawn(ONE_LEFT, step=SeatStep.BRIDGE, card="5/2"), "bridge 15-25") is Rule.ALL_OR_NOTHING
    assert ask(drawn(ONE_LEFT, step=SeatStep.BRIDGE, card="5/1"), "bridge 15-25") is Rule.LEGAL
    two = drawn(ONE_LEFT.replace("(1)", "(2)"), step=SeatStep.BRIDGE, card="5/2")
    assert ask(two, "bridge 15-25") is Rule.LEGAL


# One bridge between the two 1s would use up both; one from each of them outwards leaves room for the other.
NEIGHBOURS = ONE_LEFT.replace("4 R( )   ( )   ( )              ( )", "4 R( )   ( )   ( )              (1)")


def test_all_or_nothing_refuses_the_bridge_that_leaves_no_room_for_the_rest() -> None:
    position = drawn(NEIGHBOURS, step=SeatStep.BRIDGE, card="5/2")
    assert ask(position, "bridge 25-45") is Rule.ALL_OR_NOTHING
    assert texts(position) == ["bridge 15-25", "bridge 21-25", "bridge 42-45", "skip"]
    play(position, "bridge 15-25", "bridge 42-45")
    assert position.state.phase == Phase.CARD


def test_bridges_once_begun_cannot_be_skipped() -> None:
    position = drawn(HARBOUR.replace("(3)", "(6)"), step=SeatStep.BRIDGE, card="5/2")
    assert ask(position, "skip") is Rule.LEGAL
    play(position, "bridge 03-04")
    assert ask(position, "skip") is Rule.ALL_OR_NOTHING
    with pytest.raises(IllegalAction, match="ALL_OR_NOTHING"):
        play(position, "skip")


def test_a_refusal_speaks_the_players_language() -> None:
    position = drawn(HARBOUR)
    with pytest.raises(IllegalAction) as refused:
        play(position, "write 03 5")
    assert "schon ihre Zahl" in refused.value.text("de")
    assert "already has its number" in refused.value.text("en")
