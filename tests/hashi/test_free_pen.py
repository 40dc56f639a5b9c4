"""The free pen: one drawn position a case, in which it bites, and the nearest one in which it does not."""

from typing import Any

import pytest

from asking import ask, play, texts
from hashi.drawing import EMPTY, HARBOUR, drawn
from threespan.core.game import Position
from threespan.core.kernel import bits_of
from threespan.core.rules import CHANCE, WATCHER
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.game import GAME, HashiOptions
from threespan.games.hashi.state import JUDGED, Phase, SeatStep

pytestmark = pytest.mark.kernels

# Six bridges at 14, which has no number.
STAR = """
    0     1     2     3     4     5
0       R( )        (4)═══( )
                            ║
1  ( )              B(5)═══( )═R(5)

2       B( )                    (6)

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""
# Three of the red flags are finished, 54 has a 2 and one bridge; 52 has a 3 and one bridge.
REDS = """
    0     1     2     3     4     5
0      R[1]─────────(4)   ( )

1  ( )              B( )  (3)─R[1]

2       B( )                    ( )

3  ( )                    B( )

4 R[1]──(2)   ( )               ( )

5        ( )   (3)───────R(2)
"""


def free(drawing: str, card: str = "5/3", **values: Any) -> Position:
    return drawn(drawing, card=card, pen="free", **values)


def faults(position: Position, seat: int = 0) -> list[tuple[str, str]]:
    """The mark and the clause of each mistake."""
    return [(fault.places[0], fault.rule.name) for fault in GAME.faults(position.state, seat, "en")]


def struck(position: Position, seat: int = 0) -> dict[str, str]:
    """The clause for each island that is struck out."""
    view = GAME.view(position.observe(WATCHER).state, WATCHER)
    return {f"{position.state.place[one.island]:02}": one.rule for one in view.boards[seat].struck}


def finished(position: Position, seat: int = 0) -> set[str]:
    """The islands that count as finished."""
    mask = int(position.state.finished[seat])
    return {f"{place:02}" for island, place in enumerate(position.state.place) if mask >> island & 1}


def next_round(position: Position, card: str) -> Position:
    """Turn up a card, whether or not it is in the pile."""
    position.state.pile[(int(card[0]) - 1) * 3 + int(card[2]) - 1] += 1
    return play(position, f"card {card}", seat=CHANCE)


# Drawing


def test_steps_of_a_round() -> None:
    position = free(HARBOUR, card="5/1")
    assert ask(position, "bridge 03-04") is Rule.NOT_NOW  # first the number
    assert ask(position, "write 10 4") is Rule.NOT_NOW  # the card shows a 5
    assert ask(position, "done") is Rule.LEGAL
    play(position, "skip")
    assert ask(position, "skip") is Rule.NOT_NOW
    assert ask(position, "write 10 5") is Rule.NOT_NOW
    play(position, "bridge 03-04")
    assert position.acting() == [0]  # Done has to be said, also at the card's count
    play(position, "done")
    assert position.state.phase == Phase.CARD
    assert ask(position, "done") is Rule.NOT_NOW


def test_done_at_once_skips_both() -> None:
    position = play(free(HARBOUR), "done")
    assert position.state.phase == Phase.CARD
    assert faults(position) == []


def test_what_belongs_to_the_free_pen_is_not_for_the_strict_one() -> None:
    position = drawn(HARBOUR)
    for text in ("done", "erase 03", "erase 03-04", "erase 03-54"):
        assert ask(position, text) is Rule.NOT_NOW


def test_start_numbers_are_refused_as_ever() -> None:
    position = GAME.start(HashiOptions(pen="free"))
    for text in ("write 01 3", "write 03 5", "skip", "done"):
        assert ask(position, text) is Rule.START_NUMBER
    assert ask(position, "erase 03") is Rule.NOT_NOW
    assert ask(position, "write 03 3") is Rule.LEGAL


def test_what_the_board_itself_forbids() -> None:
    position = free(STAR, card="2/3")
    assert ask(position, "write 03 2") is Rule.ISLAND_TAKEN
    play(position, "skip")
    assert ask(position, "bridge 01-04") is Rule.NO_SUCH_LINE
    assert ask(position, "bridge 03-04") is Rule.LINE_FULL
    assert ask(position, "bridge 14-34") is Rule.LEGAL


def test_the_seventh_bridge_of_a_round_is_refused() -> None:
    position = play(free(EMPTY), "skip")
    play(position, *(f"bridge {line}" for line in ("01-03", "03-04", "04-14", "03-13", "13-14", "14-15")))
    assert ask(position, "bridge 30-40") is Rule.ALL_OR_NOTHING
    assert ask(position, "bridge 01-40") is Rule.NO_SUCH_LINE  # the first clause of the book is named
    assert texts(position)[0] == "done"


# Judging


def test_a_lawful_turn_has_no_fault() -> None:
    position = play(free(HARBOUR, card="2/1"), "write 04 2", "bridge 04-14", "done")
    assert faults(position) == []
    assert "04" in finished(position)


@pytest.mark.parametrize(
    ("drawing", "card", "turn", "fault"),
    [
        (HARBOUR, "5/1", ["write 21 5"], ("21", "FLAG_NEEDS_BRIDGE")),
        (STAR, "5/1", ["write 14 5"], ("14", "NUMBER_TOO_SMALL")),
        (HARBOUR, "5/1", ["skip", "bridge 30-40"], ("30-40", "NEEDS_NUMBER")),
        (HARBOUR, "5/2", ["write 30 5", "bridge 30-34", "bridge 21-41"], ("21-41", "NEEDS_NUMBER")),  # and CROSSING
        (REDS, "3/2", ["write 21 3", "bridge 10-13", "bridge 01-21"], ("10-13", "NEEDS_NUMBER")),
        (HARBOUR, "4/2", ["write 10 4", "bridge 10-13", "bridge 01-21"], ("01-21", "NEEDS_NUMBER")),
        (REDS, "2/1", ["skip", "bridge 40-41"], ("40-41", "ISLAND_FULL")),
        (STAR, "2/1", ["write 34 2", "bridge 14-34"], ("14-34", "OVER_SIX")),
        (HARBOUR, "2/1", ["skip", "bridge 03-04", "bridge 03-13"], ("03-13", "ISLAND_FULL")),  # and one too many
        (REDS, "2/1", ["skip", "bridge 52-54", "bridge 51-52"], ("51-52", "ALL_OR_NOTHING")),
    ],
)
def test_each_clause_that_a_mark_can_break(drawing: str, card: str, turn: list[str], fault: tuple[str, str]) -> None:
    position = play(free(drawing, card=card), *turn)
    assert fault in faults(position)


def test_crossing_is_a_mistake_of_the_later_bridge() -> None:
    position = play(free(HARBOUR, card="4/2"), "write 10 4", "bridge 10-13", "bridge 10-30", "done")
    assert faults(position) == []
    next_round(position, "5/1")
    play(position, "write 21 5")
    assert faults(position) == [("21", "FLAG_NEEDS_BRIDGE")]
    play(position, "bridge 01-21")
    assert faults(position)[-1] == ("01-21", "CROSSING")
    assert GAME.faults(position.state, 0, "en")[-1].places == ["01-21", "01", "21"]


def test_wrong_marks_count_for_later_ones() -> None:
    """A wrong number lets bridges begin at it, a wrong bridge fills an island."""
    position = play(free(EMPTY, card="1/2"), "write 40 1", "bridge 30-40", "bridge 40-41")
    assert faults(position) == [("40", "FLAG_NEEDS_BRIDGE"), ("40-41", "ISLAND_FULL")]


def test_an_island_with_its_number_reached_is_full_and_not_over_six() -> None:
    """OVER_SIX is for islands without a number: erasing compares all clauses, so it matters which are broken."""
    position = play(free(STAR, card="6/1"), "write 14 6", "bridge 14-34")
    assert faults(position) == [("14-34", "ISLAND_FULL")]
    assert [JUDGED[bit] for bit in bits_of(int(position.state.verdicts[0].max()))] == [Rule.ISLAND_FULL]


def test_of_too_many_the_last_drawn_are_wrong() -> None:
    one = play(free(REDS, card="2/1"), "skip", "bridge 52-54", "bridge 51-52")
    other = play(free(REDS, card="2/1"), "skip", "bridge 51-52", "bridge 52-54")
    assert faults(one) == [("51-52", "ALL_OR_NOTHING")]
    assert faults(other) == [("52-54", "ALL_OR_NOTHING")]


def test_of_too_few_all_are_wrong_once_done() -> None:
    position = play(free(REDS, card="2/3"), "skip", "bridge 52-54", "bridge 51-52")
    assert faults(position) == []
    play(position, "done")
    assert faults(position) == [("52-54", "ALL_OR_NOTHING"), ("51-52", "ALL_OR_NOTHING")]


def test_wrong_bridges_count_towards_the_cards_number() -> None:
    position = play(free(REDS, card="2/2"), "skip", "bridge 52-54", "bridge 40-41", "done")
    assert faults(position) == [("40-41", "ISLAND_FULL")]


# Erasing


def test_only_mistakes_can_be_erased() -> None:
    position = play(free(HARBOUR, card="5/1"), "write 30 5", "bridge 30-40")
    for text in ("erase 30", "erase 30-40", "erase 03-04", "erase 45", "erase 01-54"):
        assert ask(position, text) is Rule.MISTAKE_FIXABLE
    play(position, "bridge 21-25")
    assert ask(position, "erase 21-25") is Rule.LEGAL
    assert texts(position)[-1] == "erase 21-25"


def test_an_erased_number_leaves_the_island_free_but_not_in_this_round() -> None:
    position = play(free(HARBOUR, card="5/1"), "write 21 5", "erase 21")
    assert position.state.number[0].tolist().count(5) == 0
    assert ask(position, "write 21 5") is Rule.MISTAKE_FIXABLE
    assert ask(position, "write 03 5") is Rule.ISLAND_TAKEN
    assert ask(position, "write 30 5") is Rule.MISTAKE_FIXABLE
    assert ask(position, "bridge 03-04") is Rule.LEGAL  # bridges may follow
    next_round(play(position, "done"), "4/1")
    assert ask(position, "write 21 4") is Rule.LEGAL


def test_after_erasing_a_bridge_no_more_are_drawn_in_the_round() -> None:
    position = play(free(HARBOUR, card="5/1"), "skip", "bridge 30-40", "erase 30-40")
    assert ask(position, "bridge 03-04") is Rule.MISTAKE_FIXABLE
    assert ask(position, "bridge 30-41") is Rule.NO_SUCH_LINE
    assert ask(position, "write 30 5") is Rule.NOT_NOW  # the number was skipped
    next_round(play(position, "done"), "4/1")
    assert ask(play(position, "write 30 4"), "bridge 30-40") is Rule.LEGAL


def test_erasing_what_was_drawn_in_the_last_round_leaves_this_round_free() -> None:
    position = play(free(HARBOUR, card="5/1"), "skip", "bridge 30-40", "done")
    play(next_round(position, "4/1"), "erase 30-40", "write 30 4")
    assert ask(position, "bridge 30-40") is Rule.LEGAL


def test_of_two_bridges_on_a_line_the_wrong_one_drawn_last_is_erased() -> None:
    position = play(free(REDS, card="5/1"), "skip", "bridge 41-51", "bridge 41-51")  # full, and one too many
    assert faults(position) == [("41-51", "ISLAND_FULL")]
    play(position, "erase 41-51")
    assert faults(position) == []
    both = play(free(EMPTY, card="5/2"), "skip", "bridge 41-51", "bridge 41-51", "bridge 41-42")
    assert [fault.action_text for fault in GAME.faults(both.state, 0, "en")] == ["", "", "erase 41-42"]
    play(both, "erase 41-42")
    assert [fault.action_text for fault in GAME.faults(both.state, 0, "en")] == ["", "erase 41-51"]


def test_what_a_later_mark_depends_on_cannot_be_erased() -> None:
    position = play(free(EMPTY, card="3/2"), "write 40 3", "bridge 30-40", "bridge 40-41")
    assert faults(position) == [("40", "FLAG_NEEDS_BRIDGE")]
    assert ask(position, "erase 40") is Rule.MISTAKE_FIXABLE  # without it the bridges would begin at no number


def test_also_what_a_later_mark_would_be_better_without() -> None:
    position = play(free(HARBOUR, card="5/2"), "skip", "bridge 30-34", "bridge 14-34", "done")
    play(next_round(position, "5/1"), "write 41 5", "bridge 21-41")  # crosses the wrong bridge
    assert faults(position)[-1] == ("21-41", "CROSSING")
    assert ask(position, "erase 30-34") is Rule.MISTAKE_FIXABLE
    play(position, "erase 21-41")
    assert ask(position, "erase 30-34") is Rule.LEGAL


def test_all_clauses_are_compared_not_only_the_first() -> None:
    """30-34 makes 21-41 cross something; that it needs a number comes first in the book, but both are wrong with it."""
    position = play(free(EMPTY, card="5/2"), "skip", "bridge 30-34", "bridge 21-41")
    assert faults(position) == [("30-34", "NEEDS_NUMBER"), ("21-41", "NEEDS_NUMBER")]
    play(position, "done")
    play(next_round(position, "5/1"), "write 52 5", "bridge 34-54")
    assert ask(position, "erase 30-34") is Rule.LEGAL  # both go, and 34-54 is wrong as before


def test_a_later_clause_that_only_one_mark_causes_keeps_it() -> None:
    position = play(free(EMPTY, card="5/1"), "skip", "bridge 30-34", "done")
    play(next_round(position, "5/1"), "skip", "bridge 21-41")
    assert faults(position)[-1] == ("21-41", "NEEDS_NUMBER")
    assert ask(position, "erase 30-34") is Rule.MISTAKE_FIXABLE  # without it, 21-41 would no longer cross anything


def test_too_few_that_would_remain_go_too() -> None:
    position = play(free(REDS, card="2/2"), "skip", "bridge 52-54", "bridge 40-41", "erase 40-41")
    assert faults(position) == []
    assert position.state.bridges[0].sum() == 4  # as before the round


def test_what_goes_along_is_not_asked_about_dependence() -> None:
    """21-41 crosses 30-34; but they go together."""
    position = play(free(HARBOUR, card="5/2"), "skip", "bridge 30-34", "bridge 21-41")
    assert faults(position) == [("30-34", "NEEDS_NUMBER"), ("21-41", "NEEDS_NUMBER")]
    play(position, "erase 30-34")
    assert faults(position) == []


def test_nothing_else_may_depend_on_what_goes_along() -> None:
    position = play(free(REDS, card="2/2"), "skip", "bridge 52-54", "bridge 40-41", "done")
    play(next_round(position, "5/1"), "write 45 5", "bridge 25-45")
    assert ask(position, "erase 40-41") is Rule.LEGAL
    play(position, "bridge 34-54")  # 54 is full by the lawful bridge of the last round
    assert faults(position)[-1] == ("34-54", "ISLAND_FULL")
    assert ask(position, "erase 40-41") is Rule.MISTAKE_FIXABLE


def test_a_remaining_surplus_stays_wrong() -> None:
    position = play(free(REDS, card="2/1"), "skip", "bridge 52-54", "bridge 51-52", "bridge 41-42")
    play(position, "erase 51-52")
    assert faults(position) == [("41-42", "ALL_OR_NOTHING")]
    assert position.state.bridges[0].sum() == 6


def test_a_bridge_before_a_surplus_is_kept_by_it() -> None:
    position = play(free(REDS, card="2/1"), "skip", "bridge 40-41", "bridge 52-54")
    assert ask(position, "erase 40-41") is Rule.MISTAKE_FIXABLE  # without it, 52-54 would not be one too many
    assert ask(play(position, "erase 52-54"), "erase 40-41") is Rule.LEGAL


def test_a_mistake_can_be_erased_until_done_of_the_following_round() -> None:
    position = play(free(HARBOUR, card="5/1"), "write 21 5", "done")
    assert ask(position, "erase 21") is Rule.NOT_NOW  # no card is on the table
    next_round(position, "4/1")
    assert ask(position, "erase 21") is Rule.LEGAL
    play(position, "skip")
    assert ask(position, "erase 21") is Rule.LEGAL
    play(position, "done")
    next_round(position, "3/1")
    assert ask(position, "erase 21") is Rule.MISTAKE_STANDS
    assert ask(position, "erase 03") is Rule.MISTAKE_FIXABLE  # that is no mistake


# What stands


def test_islands_are_struck_out_at_the_end_of_the_following_round() -> None:
    position = play(free(HARBOUR, card="5/1", players=2), "write 21 5", "done")
    play(position, "done", seat=1)
    assert struck(position) == {}
    play(next_round(position, "4/1"), "done")
    assert struck(position) == {}  # the other has not finished the round
    play(position, "done", seat=1)
    assert struck(position) == {"21": "FLAG_NEEDS_BRIDGE"}
    assert faults(position) == []


def test_a_bridge_strikes_out_both_its_islands() -> None:
    position = play(free(REDS, card="2/1"), "skip", "bridge 52-54", "bridge 51-52", "done")
    play(next_round(position, "4/1"), "done")
    assert struck(position) == {"51": "ALL_OR_NOTHING", "52": "ALL_OR_NOTHING"}
    next_round(position, "4/1")
    assert ask(position, "erase 51-52") is Rule.MISTAKE_STANDS
    assert ask(position, "erase 52-54") is Rule.MISTAKE_FIXABLE  # that one was lawful


def test_a_wrong_bridge_buys_no_lawful_one() -> None:
    position = play(free(REDS, card="2/2"), "skip", "bridge 52-54", "bridge 40-41", "done")
    play(next_round(position, "4/1"), "done")
    assert struck(position) == dict.fromkeys(("40", "41", "52", "54"), "ISLAND_FULL")


def test_too_few_bridges_strike_out_all_their_islands() -> None:
    position = play(free(REDS, card="2/3"), "skip", "bridge 52-54", "bridge 51-52", "done")
    play(next_round(position, "4/1"), "done")
    assert struck(position) == dict.fromkeys(("51", "52", "54"), "ALL_OR_NOTHING")


def test_an_island_that_is_struck_out_still_takes_numbers_and_bridges() -> None:
    position = play(free(REDS, card="2/1"), "skip", "bridge 51-52", "bridge 51-52", "done")
    play(next_round(position, "4/1"), "done")
    assert struck(position).keys() == {"51", "52"}
    play(next_round(position, "3/1"), "write 51 3", "bridge 41-51", "done")
    assert faults(position) == []  # judged as on any island
    assert "51" not in finished(position)
    play(next_round(position, "3/1"), "skip", "bridge 41-51", "done")
    assert faults(position) == [("41-51", "ISLAND_FULL")]


def test_no_island_of_a_round_with_an_open_fault_counts_as_finished() -> None:
    position = play(free(REDS, card="2/1"), "skip", "bridge 52-54")
    assert "54" in finished(position)
    play(position, "bridge 30-34")
    assert "54" not in finished(position)
    assert GAME.view(position.state, 0).boards[0].finished.count(17) == 1  # but it looks finished
    play(position, "erase 30-34")
    assert "54" in finished(position)


def test_no_race_is_won_by_a_mistake() -> None:
    position = play(free(REDS, card="2/1"), "skip", "bridge 52-54", "bridge 30-34", "done")
    assert position.state.won_in[0, 0] == 0
    play(next_round(position, "4/1"), "done")
    assert struck(position).keys() == {"30", "34"}
    assert position.state.won_in[0, 0] == 6  # 54 is lawful: it counts once the mistake is settled


def test_a_race_that_needs_a_lawful_bridge_which_a_wrong_one_bought_is_not_won() -> None:
    position = play(free(REDS, card="2/2"), "skip", "bridge 52-54", "bridge 30-34", "done")
    play(next_round(position, "4/1"), "done")
    assert position.state.won_in[0, 0] == 0


def test_an_island_with_a_wrong_number_does_not_count_as_finished() -> None:
    drawing = REDS.replace("R(2)", "R( )").replace("(3)───────R", "( )       R")
    position = play(free(drawing, card="1/1"), "write 54 1", "bridge 34-54", "done")
    assert faults(position) == [("54", "FLAG_NEEDS_BRIDGE")]
    assert "54" not in finished(position)
    assert position.state.won_in[0, 0] == 0


def test_races_that_are_won_stay_won_but_the_island_is_lost() -> None:
    position = play(free(REDS, card="2/1"), "skip", "bridge 52-54", "done")
    assert position.state.won_in[0, 0] == 5
    play(next_round(position, "4/1"), "skip", "bridge 34-54", "done")
    play(next_round(position, "4/1"), "done")
    assert struck(position).keys() == {"34", "54"}
    assert position.state.won_in[0, 0] == 5
    assert "54" not in finished(position)


def test_an_island_that_is_struck_out_breaks_a_connection() -> None:
    drawing = """
    0     1     2     3     4     5
0       R( )        [1]   ( )
                      │
1  [1]──────────────B[4]──[3]──R(3)
                            │   ║
2       B( )                │  [2]

3  ( )                   B[1]

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""
    lawful = free(drawing.replace("B[4]──", "B[4]══").replace("[3]──R", "[4]──R"), card="2/1")
    play(lawful, "done")
    assert lawful.state.won_in[0, 2] == 5
    wrong = free(drawing.replace("B[4]──", "B[4]══").replace("[3]──R", "[4]──R"), card="2/1")
    wrong.state.won_in[0, :] = 0
    play(wrong, "skip", "bridge 04-14", "done")
    assert wrong.state.won_in[0, 2] == 0
    play(next_round(wrong, "4/1"), "done")
    assert "14" in struck(wrong)
    assert wrong.state.won_in[0, 2] == 0


# The last round


def last(drawing: str, card: str, **values: Any) -> Position:
    """The last round."""
    position = free(drawing, card=card, **values)
    position.state.round_number = 17
    return position


def test_after_the_last_round_the_referee_erases_what_can_be_erased() -> None:
    position = play(last(REDS, "2/1"), "skip", "bridge 52-54", "bridge 30-34", "done")
    assert position.is_over
    assert struck(position) == {}
    assert position.state.bridges[0].sum() == 5
    assert position.outcome()[0] == [5 + 2 * 4]  # the red flags, late when alone, and four islands


def test_last_drawn_first() -> None:
    """52-54 would be lawful without the first bridge, which can be erased only once 52-54 is: then both are gone."""
    position = play(last(REDS, "2/1"), "skip", "bridge 30-34", "bridge 52-54", "done")
    assert struck(position) == {}
    assert position.state.bridges[0].sum() == 4


def test_what_cannot_be_erased_after_the_last_round_is_struck_out() -> None:
    position = play(last(EMPTY, "3/2"), "write 40 3", "bridge 30-40", "bridge 40-41", "done")
    assert struck(position) == {"40": "FLAG_NEEDS_BRIDGE"}


def test_mistakes_of_round_sixteen_stand_after_the_last_done() -> None:
    position = free(HARBOUR, card="5/1")
    position.state.round_number = 16
    play(position, "write 21 5", "done")
    play(next_round(position, "4/1"), "done")
    assert position.is_over
    assert struck(position) == {"21": "FLAG_NEEDS_BRIDGE"}


# What others know


def test_others_see_marks_when_the_round_ends_and_no_verdicts() -> None:
    position = free(REDS, card="2/1", players=2)
    before = position.observe(1).state.tobytes()
    play(position, "skip", "bridge 52-54", "bridge 30-34")
    assert position.observe(1).state.tobytes() == before
    play(position, "done")
    play(position, "done", seat=1)
    seen = position.observe(1)
    assert seen.state.verdicts[0].max() == 0
    assert "54" in finished(seen)  # as it looks
    assert "54" not in finished(position)
    assert faults(seen) == []
    assert position.observe(0).state.tobytes() != seen.state.tobytes()


def test_that_something_was_erased_is_seen_when_the_round_ends() -> None:
    position = play(free(REDS, card="2/1", players=2), "skip", "bridge 52-54", "bridge 30-34", "done")
    play(position, "done", seat=1)
    next_round(position, "4/1")
    before = position.observe(1).state.tobytes()
    play(position, "erase 30-34", "write 45 4")
    assert position.observe(1).state.tobytes() == before
    play(position, "done")
    assert position.observe(1).state.bridges[0].sum() == 6
    play(position, "done", seat=1)
    assert position.observe(1).state.bridges[0].sum() == 5


def test_the_referee_answers_doubts_about_the_board_as_it_was() -> None:
    position = play(free(REDS, card="2/1", players=2), "skip", "bridge 52-54", "bridge 30-34", "done")
    play(position, "done", seat=1)
    next_round(position, "4/1")
    assert GAME.may_doubt(position.observe(1).state, 1)
    assert GAME.has_fault(position.observe(1).state, 0)
    assert not GAME.has_fault(position.observe(0).state, 1)
    play(position, "erase 30-34", "done")
    assert GAME.has_fault(position.observe(1).state, 0)  # nobody can learn from a doubt what others do in the round
    play(position, "skip", seat=1)
    assert not GAME.may_doubt(position.observe(1).state, 1)
    play(position, "done", seat=1)
    assert not GAME.has_fault(next_round(position, "3/1").observe(1).state, 0)


def test_erasing_is_doing_something_in_the_round() -> None:
    position = play(free(REDS, card="2/1", players=2), "skip", "bridge 30-34", "bridge 52-54", "done")
    play(position, "done", seat=1)
    play(next_round(position, "4/1"), "erase 52-54")
    assert position.state.step[0] == SeatStep.WRITE
    assert not GAME.may_doubt(position.observe(0).state, 0)
    assert GAME.may_doubt(position.observe(1).state, 1)


def test_nothing_can_be_doubted_before_a_round_has_ended() -> None:
    position = free(HARBOUR, players=2)
    position.state.round_number = 1
    assert not GAME.may_doubt(position.state, 0)


# What it has cost


def test_the_result_says_what_each_mistake_has_cost() -> None:
    position = free(REDS, card="2/1")
    position.state.round_number = 15
    play(position, "skip", "bridge 52-54", "bridge 30-34", "done")  # 54 is finished, the second one too many
    play(next_round(position, "1/1"), "write 30 1", "bridge 34-54", "done")
    play(next_round(position, "1/1"), "done")
    assert position.is_over
    assert struck(position) == {"30": "NEEDS_NUMBER", "34": "NEEDS_NUMBER", "54": "ISLAND_FULL"}
    costs = GAME.costs(position.state, 0, "en")
    # Without the first mistake the red flags would have been complete in round 15, without the second one in round 16.
    assert [(cost.rule, cost.points) for cost in costs] == [(Rule.NEEDS_NUMBER, 2), (Rule.ISLAND_FULL, 2 + 5)]
    assert costs[0].text == "Start from a number: 2 islands struck out"
    assert costs[1].text == "Finished islands are closed: 1 island struck out; missed: Red flags"
    assert [line[0] for line in position.score_sheet(0)] == [Rule.FINISHED_ISLAND]


def test_a_race_that_a_mistake_has_prevented_is_on_its_account() -> None:
    position = free(REDS, card="2/2")
    position.state.round_number = 16
    play(position, "skip", "bridge 52-54", "bridge 30-34", "done")  # a wrong bridge buys the one that finishes 54
    play(next_round(position, "1/1"), "done")
    assert struck(position).keys() == {"30", "34", "52", "54"}
    (cost,) = GAME.costs(position.state, 0, "de")
    assert (cost.rule, cost.points) == (Rule.NEEDS_NUMBER, 2 + 5)
    assert cost.text == "Von einer Zahl aus: 4 Inseln gestrichen; verpasst: Rote Fahnen"


def test_a_match_without_mistakes_costs_nothing() -> None:
    position = play(last(REDS, "2/1"), "skip", "bridge 52-54", "done")
    assert GAME.costs(position.state, 0, "en") == []
    assert position.outcome()[0] == [5 + 2 * 4]
