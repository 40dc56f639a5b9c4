"""Asking the referee: about the own board at any time, about others' between two rounds, without a trace."""

import pytest

from table.tables import Table
from threespan.core.rules import WATCHER
from threespan.core.turns import ActionRefused
from threespan.table.messages.client import Check, Doubt
from threespan.table.messages.server import Checked, Doubted
from threespan.table.messages.shared import encode_message
from threespan.table.referee import Doubts, check_board
from threespan.table.refusals import Refusal
from threespan.table.viewing import Reader, snapshot, update_for

FLAG, ISLAND = "01", "03"  # an island with a flag, to which no bridge leads, and one without


def free_table(*seats: str) -> Table:
    """The first round of a match with the free pen."""
    table = Table("hashi", *(seats or ("link", "link")), options={"pen": "free"}).join_all()
    for seat in table.state.seats:
        table.play(seat, f"write {ISLAND} 4")
    return table


def write_on(table: Table, place: str) -> str:
    """The action that writes the number of the card on an island."""
    return next(text for text in table.legal(0) if text.startswith(f"write {place}"))


def check(table: Table, *steps: str, seat: int = 0, language: str = "en") -> Checked:
    message = Check(id="c", seat=seat, action_texts=list(steps))
    return check_board(table.state, (seat,), message, language)


def doubt(table: Table, doubts: Doubts, board: int = 0, seat: int = 1, message_id: str = "d") -> Doubted:
    return doubts.ask(table.state, (seat,), Doubt(id=message_id, seat=seat, board=board), "en")


def second_round(place: str) -> Table:
    """The second round of a match in which seat 0 has written on an island in the first."""
    table = free_table()
    table.play(0, write_on(table, place), "done")
    table.play(1, "done")
    return table


def everything_told(table: Table) -> list[bytes]:
    viewers = (WATCHER, *table.state.seats)
    shots = [(viewer, snapshot(table.state, viewer)) for viewer in viewers]
    return [encode_message(update_for(table.state, shot, Reader(viewer), 0, 0)) for viewer, shot in shots]


def test_a_board_can_be_checked_with_what_is_only_drafted() -> None:
    table = free_table()
    wrong = write_on(table, FLAG)
    assert check(table).faults == []
    assert check(table).text == "The referee finds no mistake on your board."
    (fault,) = check(table, wrong).faults
    assert (fault.rule, fault.places, fault.action_text) == ("FLAG_NEEDS_BRIDGE", [FLAG], f"erase {FLAG}")
    assert fault.text.endswith("on the island in row 1, column 2: Flags need a bridge.")
    assert check(table, wrong, f"erase {FLAG}").faults == []
    assert check(table, wrong, language="de").text == "Der Schiedsrichter findet auf deiner Tafel 1 Fehler."


def test_a_board_can_be_checked_when_it_is_not_ones_turn() -> None:
    table = free_table()
    table.play(0, write_on(table, FLAG), "done")
    (fault,) = check(table).faults
    assert fault.action_text == ""  # nothing can be erased now


def test_only_the_own_board_can_be_checked() -> None:
    table = free_table()
    with pytest.raises(Refusal, match="not yours"):
        check_board(table.state, (1,), Check(id="c", seat=0), "en")


def test_a_draft_that_cannot_be_is_refused() -> None:
    with pytest.raises(ActionRefused):
        check(free_table(), "bridge 01-03")


@pytest.mark.parametrize(("place", "is_wrong"), [(FLAG, True), ("10", False)])
def test_the_referee_says_whether_something_is_wrong(place: str, is_wrong: bool) -> None:
    table = second_round(place)
    answer = doubt(table, Doubts())
    assert answer.is_wrong == is_wrong
    assert answer.text == f"{'Yes, there is a' if is_wrong else 'No, there is no'} mistake on the board of Seat 0."


def test_a_doubt_leaves_no_trace() -> None:
    table = second_round(FLAG)
    before, stored = everything_told(table), len(table.rows)
    doubt(table, Doubts())
    check(table)
    assert everything_told(table) == before
    assert len(table.rows) == stored


def test_a_board_is_doubted_once_in_a_round() -> None:
    table, doubts = second_round(FLAG), Doubts()
    doubt(table, doubts)
    assert doubt(table, doubts).is_wrong  # the same message, sent again
    with pytest.raises(Refusal, match="already doubted"):
        doubt(table, doubts, message_id="another")
    for seat in (0, 1):
        table.play(seat, "done")
    assert not doubt(table, doubts, message_id="another").is_wrong  # a new round; the island is struck out by now


def test_each_player_may_doubt_each_other_board() -> None:
    table, doubts = free_table("link", "link", "link"), Doubts()
    for seat in table.state.seats:
        table.play(seat, "done")
    for seat in table.state.seats:
        for board in set(table.state.seats) - {seat}:
            assert not doubt(table, doubts, board, seat, f"{seat} {board}").is_wrong


def test_an_answer_does_not_tell_what_others_do_in_the_round() -> None:
    table = second_round(FLAG)
    table.play(0, f"erase {FLAG}", "done")
    assert doubt(table, Doubts()).is_wrong  # as the board was when the last round ended


def test_when_a_board_cannot_be_doubted() -> None:
    with pytest.raises(Refusal, match="between two rounds"):
        doubt(free_table(), Doubts())  # no round has ended yet
    table = second_round(FLAG)
    with pytest.raises(Refusal, match="your own board"):
        doubt(table, Doubts(), board=1)
    with pytest.raises(Refusal, match="no such board"):
        doubt(table, Doubts(), board=3)
    with pytest.raises(Refusal, match="not yours"):
        Doubts().ask(table.state, (0,), Doubt(id="d", seat=1, board=0), "en")
    table.play(1, "skip")
    with pytest.raises(Refusal, match="between two rounds"):
        doubt(table, Doubts())


def test_with_the_strict_pen_there_is_no_referee() -> None:
    table = Table("hashi", "link", "link").join_all()
    with pytest.raises(Refusal, match="no referee"):
        check(table)
    with pytest.raises(Refusal, match="no referee"):
        doubt(table, Doubts())


def test_before_the_match_there_is_nothing_to_ask_about() -> None:
    with pytest.raises(Refusal, match="not begun"):
        check(Table("hashi", "link", "link", options={"pen": "free"}))


def test_the_result_tells_what_mistakes_have_cost() -> None:
    table = free_table("here")
    table.play(0, write_on(table, FLAG), "done")
    while table.state.acting():
        table.play(0, "done")
    result = update_for(table.state, snapshot(table.state, 0), Reader(0), 0, 0).result
    assert result is not None
    costs = [line for line in result.sheets[0] if line.lost is not None]
    assert [(line.rule, line.points, line.lost) for line in costs] == [("FLAG_NEEDS_BRIDGE", 0, 0)]
    assert costs[0].text == "Flags need a bridge: 1 island struck out"
