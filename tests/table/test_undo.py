"""Undo: by oneself until something is revealed, after that if the others agree."""

import pytest

from table.tables import Table
from threespan.core.turns import ActionRefused
from threespan.table import plans
from threespan.table.drafts import draft
from threespan.table.events import Replaced, UndoAnswered, Undone, UndoRequested
from threespan.table.messages.client import AnswerUndo, RequestUndo, Undo
from threespan.table.refusals import Refusal


def undo(seat: int) -> Undo:
    return Undo(id="u", seat=seat)


def offer(seat: int) -> RequestUndo:
    return RequestUndo(id="o", seat=seat)


def answer(seat: int, accepts: bool = True) -> AnswerUndo:
    return AnswerUndo(id="a", seat=seat, accepts=accepts)


@pytest.fixture
def three() -> Table:
    """Three people; the first one has moved, and all have seen it."""
    table = Table("stege", "link", "link", "link", options={"starts": 0}).join_all()
    table.play(0, table.legal(0)[0])
    return table


def refusal(plan: object, *arguments: object) -> str:
    with pytest.raises(Refusal) as refused:
        plan(*arguments)  # type: ignore[operator]
    return refused.value.code


def test_unseen_actions_can_be_undone_by_oneself() -> None:
    table = Table("hashi", "link", "link").join_all()
    before = table.state.running_match().position.text()
    assert refusal(plans.undo, table.state, (0,), undo(0)) == "nothing_to_undo"
    table.play(0, table.legal(0)[0])
    assert refusal(plans.undo, table.state, (1,), undo(0)) == "not_your_seat"
    assert plans.undo(table.state, (0,), undo(0)) == [Undone(0, (0,))]
    table.ask(plans.undo, undo(0))
    assert table.state.running_match().position.text() == before
    assert table.state.acting() == [0, 1]
    assert table.state.streams[0].entries[-1].undone == 1
    assert not table.state.streams[1].entries
    for seat in (0, 1):
        table.play(seat, table.legal(seat)[1])
    assert refusal(plans.undo, table.state, (0,), undo(0)) == "nothing_to_undo"  # a card was turned


def test_a_turn_that_others_have_seen_needs_their_consent(three: Table) -> None:
    assert refusal(plans.undo, three.state, (0,), undo(0)) == "nothing_to_undo"
    assert three.state.undo_rights(0) == (False, True)
    assert refusal(plans.request_undo, three.state, (1,), offer(0)) == "not_your_seat"
    assert refusal(plans.request_undo, three.state, (1,), offer(1)) == "no_undo_request"
    assert refusal(plans.answer_undo, three.state, (1,), answer(1)) == "no_request_to_answer"
    assert plans.request_undo(three.state, (0,), offer(0)) == [UndoRequested(0)]
    three.ask(plans.request_undo, offer(0))
    assert plans.request_undo(three.state, (0,), offer(0)) == []  # once is enough
    assert refusal(plans.answer_undo, three.state, (0,), answer(0)) == "no_request_to_answer"
    assert refusal(plans.answer_undo, three.state, (1,), answer(2)) == "not_your_seat"
    three.ask(plans.answer_undo, answer(1))
    assert three.state.undo_request == 0
    assert plans.answer_undo(three.state, (2,), answer(2)) == [UndoAnswered(2, True), Undone(0, (0,))]
    three.ask(plans.answer_undo, answer(2))
    assert three.state.acting() == [0]
    assert not three.state.played
    assert refusal(plans.answer_undo, three.state, (1,), answer(1)) == "no_request_to_answer"


def test_one_no_is_enough(three: Table) -> None:
    three.ask(plans.request_undo, offer(0))
    three.ask(plans.answer_undo, answer(1, accepts=False))
    assert (three.state.undo_request, three.state.acting()) == (None, [1])
    assert refusal(plans.answer_undo, three.state, (2,), answer(2)) == "no_request_to_answer"


def test_bots_do_not_answer_undo_requests(three: Table) -> None:
    three.happen([Replaced(2, "easy")])
    three.ask(plans.request_undo, offer(0))
    assert refusal(plans.answer_undo, three.state, (2,), answer(2)) == "no_request_to_answer"
    assert plans.answer_undo(three.state, (1,), answer(1))[-1] == Undone(0, (0,))
    alone = Table("stege", "link", "easy", options={"starts": 0}).join_all()
    alone.play(0, alone.legal(0)[0])
    assert refusal(plans.request_undo, alone.state, (0,), offer(0)) == "no_undo_request"


def test_an_undo_request_lapses_with_the_next_move(three: Table) -> None:
    three.ask(plans.request_undo, offer(0))
    three.play(1, three.legal(1)[0])
    assert three.state.undo_request is None
    assert refusal(plans.request_undo, three.state, (0,), offer(0)) == "no_undo_request"


def asked(last_has_eleven: bool = True) -> Table:
    """Three people at Elfer of whom two have left the opening; the last one, who is asked now, may have an 11."""
    for seed in range(100):
        options = {"starts": 0, "opening": "may"}
        table = Table("elfer", "link", "link", "link", seed=str(seed), options=options).join_all()
        table.play(0, "leave")
        table.play(1, "leave")
        if ("open" in table.legal(2)) == last_has_eleven:
            return table
    raise AssertionError("no such deal")


def test_the_last_to_leave_cannot_take_it_back() -> None:
    """It has turned out who has the first 11."""
    table = asked()
    assert table.state.undo_rights(1) == (False, True)  # nothing has turned out yet
    table.play(2, "leave")
    for seat in table.state.seats:
        assert table.state.undo_rights(seat) == (False, False)
        assert table.reloaded().undo_rights(seat) == (False, False)
    [opener] = table.state.acting()
    table.play(opener, table.legal(opener)[0])
    table.ask(plans.undo, undo(opener))
    assert table.state.acting() == [opener]
    assert [played.entry.action_text for played in table.state.played[-3:]] == ["leave", "leave", "leave"]


@pytest.mark.parametrize("last_has_eleven", [True, False])
@pytest.mark.parametrize("second", ["lay red11", "leave", "nonsense"])
def test_nothing_can_be_tried_out_after_the_last_has_left_it(last_has_eleven: bool, second: str) -> None:
    """Whoever opens in truth, a second step is refused alike, in a draft and in a play, and nothing has happened."""
    table = asked(last_has_eleven)
    with pytest.raises(ActionRefused) as drafted:
        draft(table.state, 2, ["leave", second])
    with pytest.raises(ActionRefused) as played:
        plans.play(table.state, (2,), table.message(2, "leave", second))
    for refused in (drafted.value, played.value):
        assert refused.index == 1
        assert isinstance(refused.reason, Refusal)
        assert refused.reason.code == "too_far"
    assert table.state.acting() == [2]
