"""Resigning, ending and restarting: who may, the consequences, and what everybody is sent."""

import random
from itertools import permutations
from typing import Any

import msgspec
import pytest

from table.tables import Table
from table.test_state import everything_sent
from threespan.bots.names import AUTOPILOT
from threespan.core.chance import MatchSeed
from threespan.core.record import read_record, verify, write_record
from threespan.core.registry import codes, find_game
from threespan.core.rules import WATCHER
from threespan.core.words import LANGUAGES
from threespan.table import plans
from threespan.table.bot_query import query_for
from threespan.table.events import Ended, Rematched, Replaced, Resigned, TimedOut
from threespan.table.history import replay_of
from threespan.table.messages.client import AnswerUndo, End, Hint, RequestUndo, Resign, StandIn, Undo
from threespan.table.messages.shared import encode_message
from threespan.table.refusals import Refusal
from threespan.table.state import TableState
from threespan.table.viewing import Reader, seats_fingerprint, snapshot, table_info, update_for

END = End(id="e")


def refusal(plan: Any, *arguments: Any) -> str:
    with pytest.raises(Refusal) as refused:
        plan(*arguments)
    for language in LANGUAGES:
        assert refused.value.text(language)
    return refused.value.code


def update_of(state: TableState, viewer: int = WATCHER) -> Any:
    return update_for(state, snapshot(state, viewer), Reader(viewer), 0, 0)


def playing(game: str, *seats: str, moves: int = 3, **values: Any) -> Table:
    """A table in the middle of a match."""
    table, pick = Table(game, *seats, **values).join_all(), random.Random(4)
    while moves and set(table.state.acting()) - set(table.state.bots_to_move()):
        seat = next(seat for seat in table.state.acting() if table.state.bot_for(seat) is None)
        table.play(seat, pick.choice(table.legal(seat)))
        moves -= 1
    return table


@pytest.mark.parametrize("game", codes())
def test_of_two_players_the_other_wins_at_once(game: str) -> None:
    for loser in (0, 1):
        table = playing(game, "link", "link")
        table.resign(loser)
        state = table.state
        assert (state.status, state.acting(), state.bots_to_move(), state.wake_at()) == ("over", [], [], None)
        for viewer in state.streams:
            update = update_of(state, viewer)
            assert update.result.ranks[loser] == 2
            assert update.result.ranks[1 - loser] == 1
            said = "You have resigned." if viewer == loser else f"Seat {loser} has resigned."
            assert update.result.verdicts[loser] == said
            assert (update.now.acting, update.now.legal) == ([], [])
            assert not update.may_undo
            assert not update.may_request_undo
            sheets = [sum(line.points for line in sheet) for sheet in update.result.sheets]
            assert sheets == update.now.scores
        record = write_record(state.finished_match())
        assert f'"resigned":[{loser}]' in record
        assert verify(read_record(record)).outcome()[1] == update_of(state).result.ranks
        assert everything_sent(table.reloaded()) == everything_sent(state)
        encode_message(replay_of(state.finished_match(), 0, 50, Reader(text_mode=True), state.names))


@pytest.mark.parametrize("game", [code for code in codes() if 4 in find_game(code).seat_counts])
def test_of_more_players_a_bot_plays_on_and_the_seat_ranks_last(game: str) -> None:
    table, pick = playing(game, "link", "link", "link", "link"), random.Random(1)
    table.resign(2)
    state = table.state
    assert (state.status, state.bot_for(2), state.people()) == ("playing", AUTOPILOT, [0, 1, 3])
    assert table_info(state, "id", 0, set()).seats[2].level == AUTOPILOT
    table.resign(0)
    while state.acting():
        assert not [seat for seat in (0, 2) if update_of(state, seat).now.legal]
        table.play_any(pick)
    result = update_of(state).result
    assert (result.ranks[2], result.ranks[0]) == (4, 3)
    assert sorted((result.ranks[1], result.ranks[3])) in ([1, 2], [1, 1])
    assert result.is_own == [False, True, False, True]
    assert verify(read_record(write_record(state.finished_match()))).resigned == [2, 0]


@pytest.mark.parametrize("order", list(permutations(range(3), 2)))
def test_the_last_one_who_has_not_resigned_wins_at_once(order: tuple[int, int]) -> None:
    table = playing("elfer", "link", "link", "link")
    for seat in order:
        assert table.state.status == "playing"
        table.resign(seat)
    assert table.state.status == "over"
    ranks = update_of(table.state).result.ranks
    assert [ranks[seat] for seat in order] == [3, 2]


def test_resigning_a_solo_match_does_not_count() -> None:
    table = playing("hashi", "here")
    table.resign(0)
    result = update_of(table.state).result
    assert (result.verdicts, result.is_own) == (["Seat 0 has resigned. This match does not count."], [False])
    assert update_of(table.state, 0).result.verdicts == ["You have resigned. This match does not count."]
    assert '"resigned":[0]' in write_record(table.state.finished_match())


def test_nobody_resigns_too_early_too_late_twice_or_for_others() -> None:
    waiting = Table("stege", "link", "link")
    wish = Resign(id="r", seat=0)
    assert refusal(plans.resign, waiting.state, (0,), wish) == "not_begun"
    table = playing("stege", "link", "link", "link")
    assert refusal(plans.resign, table.state, (1, 2), wish) == "not_your_seat"
    assert plans.resign(table.state, (0,), wish) == [Resigned(0)]
    table.resign(0)
    assert refusal(plans.resign, table.state, (0,), wish) == "has_resigned"
    table.resign(1)
    assert refusal(plans.resign, table.state, (0,), wish) == "is_over"


def test_a_resigned_seat_cannot_be_played_undone_or_handed_to_a_bot() -> None:
    table = Table("stege", "link", "link", "link", options={"starts": 0}, clock=9).join_all()
    table.play(0, table.legal(0)[0])
    table.ask(plans.request_undo, RequestUndo(id="o", seat=0))
    table.resign(0)
    state = table.state
    assert state.undo_request is None
    assert state.undo_rights(0) == (False, False)
    assert refusal(plans.answer_undo, state, (1,), AnswerUndo(id="a", seat=1, accepts=True)) == "no_request_to_answer"
    resigned: list[tuple[Any, Any]] = [
        (plans.play, table.message(0, "skip")),
        (plans.undo, Undo(id="u", seat=0)),
        (plans.request_undo, RequestUndo(id="o", seat=0)),
    ]
    for plan, message in resigned:
        assert refusal(plan, state, (0,), message) == "has_resigned"
    assert refusal(plans.hint, state, (0,), Hint(id="h", seat=0), True) == "has_resigned"
    for level in ("", "hard"):
        stand_in = StandIn(id="s", seat=0, level=level)
        assert refusal(plans.stand_in, state, (0,), stand_in, None, 0) == "has_resigned"


def test_the_clock_stops_for_who_has_resigned() -> None:
    table = Table("stege", "link", "link", "link", options={"starts": 0}, clock=9).join_all()
    assert table.state.deadline(0) is not None
    table.resign(0)
    assert table.state.deadline(0) is None
    assert table.state.bots_to_move() == [0]
    assert plans.time_out(table.state, 10**9) == []
    assert not update_of(table.state, 1).clocks


def test_a_bot_that_thinks_for_a_match_that_has_just_ended_changes_nothing() -> None:
    for last in ([Resigned(0)], [Ended()]):
        table = Table("stege", "here", "easy", options={"starts": 1}).join_all()
        query = query_for(table.state, 1, "easy")
        table.happen(list(last))
        assert plans.bot_answer(table.state, query, ["skip"]) == []


def test_ending_is_for_those_who_play_without_other_people() -> None:
    assert refusal(plans.end, Table("hashi", "here").state, (0,), END) == "not_begun"
    people = playing("stege", "link", "link", "link")
    assert refusal(plans.end, people.state, (0,), END) == "others_play"
    assert refusal(plans.end, people.state, (), END) == "not_your_seat"
    assert plans.end(people.state, (0, 1, 2), END) == [Ended()]
    people.happen([Replaced(1, "easy"), Resigned(2)])
    assert plans.end(people.state, (0,), END) == [Ended()]
    people.happen([Ended()])
    assert refusal(plans.end, people.state, (0,), END) == "is_over"


def test_a_match_that_was_ended_has_no_result_and_an_unfinished_record() -> None:
    table = playing("elfer", "here", "easy", moves=1)
    before = seats_fingerprint(table.state), snapshot(table.state, 0).fingerprint
    table.ask(plans.end, END, seats=(0,))
    state = table.state
    assert (state.status, state.bots_to_move(), state.wake_at()) == ("over", [], None)
    info, update = table_info(state, "id", 0, set()), update_of(state, 0)
    assert (info.is_ended, info.acting) == (True, [])
    assert (update.result, update.now.acting, update.now.legal) == (None, [], [])
    assert seats_fingerprint(state) != before[0]
    assert snapshot(state, 0).fingerprint != before[1]
    record = write_record(state.finished_match())
    assert state.charter.secret not in record
    assert not verify(read_record(record), unfinished=True).is_over
    assert everything_sent(table.reloaded()) == everything_sent(state)


def test_a_restart_ends_the_match_and_keeps_the_people() -> None:
    table = playing("hashi", "here", "easy", moves=1)
    charter = plans.rematch_charter(table.state, "old", (0,), MatchSeed.of("2"))
    assert (charter.seats[1].level, charter.rematch_of) == ("easy", "old")
    assert plans.rematch(table.state, (0,), "new") == [Ended(), Rematched("new")]
    table.happen(plans.rematch(table.state, (0,), "new"))
    assert (table.state.is_ended, table.state.rematch) == (True, "new")
    assert plans.rematch(table.state, (0,), "third") == []
    people = playing("hashi", "link", "link")
    assert refusal(plans.rematch, people.state, (0,), "new") == "others_play"
    assert refusal(plans.rematch_charter, people.state, "old", (0,), MatchSeed.of("2")) == "others_play"


def test_everybody_is_notified_of_a_resignation_while_others_play_on() -> None:
    table = playing("hashi", "link", "link", "link")
    before = {viewer: snapshot(table.state, viewer).fingerprint for viewer in table.state.streams}
    seats = seats_fingerprint(table.state)
    table.resign(1)
    assert all(snapshot(table.state, viewer).fingerprint != before[viewer] for viewer in before)
    assert seats_fingerprint(table.state) != seats
    assert table_info(table.state, "id", 0, set()).resigned == [1]


def test_everybody_can_see_whose_turn_it_is() -> None:
    table = Table("stege", "link", "link", options={"starts": 1})
    assert table_info(table.state, "id", 0, set()).acting == []
    table.join_all()
    assert table_info(table.state, "id", 0, set()).acting == [1]


def test_a_score_is_a_persons_own_if_no_bot_has_played_for_it() -> None:
    table = playing("stege", "link", "link", "easy")
    table.happen([TimedOut(0), Replaced(1, "easy"), Replaced(1)])
    assert table.state.assisted == {0, 1}
    table.resign(0)
    table.resign(1)
    assert update_of(table.state).result.is_own == [False, False, False]
    other = playing("stege", "link", "link")
    other.resign(1)
    assert update_of(other.state).result.is_own == [True, False]


def test_resigning_with_the_same_message_twice_is_one_resignation() -> None:
    table = playing("stege", "link", "link", "link")
    table.resign(1)
    assert "1:r1" in table.state.requests
    assert msgspec.json.decode(table.rows[-1].body) == {"type": "resigned", "seat": 1}
