"""The same events always give the same table."""

import random

import pytest

from table.tables import Table
from threespan.core.options import option_values
from threespan.core.registry import codes
from threespan.table import plans
from threespan.table.events import Joined, decode_event, request_key
from threespan.table.match_setup import match_setup
from threespan.table.messages.client import Undo
from threespan.table.refusals import Refusal
from threespan.table.state import TableState
from threespan.table.viewing import Reader, snapshot, table_info, update_for


def everything_sent(state: TableState) -> list[object]:
    """Everything that anybody could be sent."""
    updates = [update_for(state, snapshot(state, viewer), Reader(viewer), 0, 0) for viewer in state.streams]
    return [updates, table_info(state, "id", 0, set()), state.requests, state.wake_at(), state.status]


@pytest.mark.parametrize("code", codes())
def test_a_table_from_the_store_is_the_table_in_memory(code: str) -> None:
    pick = random.Random(3)
    table = Table(code, "here", "link", clock=20).join_all()
    assert table.state.start_sequence == max(
        row.sequence for row in table.rows if isinstance(decode_event(row.body), Joined)
    )
    moves = 0
    while table.state.acting() and moves < 60:
        table.now += 1
        moves += 1
        seat = table.play_any(pick)
        if moves % 7 == 0 and table.state.undo_rights(seat).may_undo:
            table.ask(plans.undo, Undo(id=f"u{moves}", seat=seat))
        if moves % 10 == 0:
            assert everything_sent(table.reloaded()) == everything_sent(table.state)
    assert everything_sent(table.reloaded()) == everything_sent(table.state)


def test_events_come_in_order_each_once() -> None:
    table = Table("stege", "link", "link").join_all()
    with pytest.raises(AssertionError, match="in order"):
        table.state.apply_row(table.rows[-1])


def test_requests_are_known_by_who_sent_them() -> None:
    assert request_key((0, 2), "m1") == "0,2:m1"
    table = Table("stege", "link", "link", options={"starts": 0}).join_all()
    table.play(0, table.legal(0)[0])
    assert "0:play" in table.state.requests
    assert table.rows[-1].request == "0:play"


def test_tables_with_the_same_options_share_their_setup() -> None:
    one, two = Table("hashi", "here", "link"), Table("hashi", "link", "here", seed="2")
    assert one.state.match_setup is two.state.match_setup
    assert one.state.match_setup is match_setup(one.state.charter)
    assert one.state.match_setup is not Table("hashi", "here").state.match_setup
    assert option_values(one.state.options) == one.state.charter.options


def test_nothing_is_finished_before_it_is_over() -> None:
    table = Table("stege", "link", "link").join_all()
    with pytest.raises(Refusal) as refused:
        table.state.finished_match()
    assert refused.value.code == "not_over"
