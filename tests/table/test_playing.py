"""Playing by people, bots and clocks; and drafts."""

import msgspec
import pytest

from table.tables import Table
from threespan.bots.names import AUTOPILOT
from threespan.core.game import IllegalAction, NotationError
from threespan.core.rules import CHANCE
from threespan.core.turns import ActionRefused
from threespan.table import plans
from threespan.table.bot_query import query_for, turn_texts
from threespan.table.drafts import draft, draft_path
from threespan.table.events import Acted, Replaced, TimedOut
from threespan.table.messages.client import Hint, StandIn
from threespan.table.refusals import Refusal


def code_of(refused: pytest.ExceptionInfo[Refusal]) -> str:
    return refused.value.code


@pytest.fixture
def stege() -> Table:
    """Two people, the first to move; nothing is hidden and chance does not act."""
    return Table("stege", "link", "link", options={"starts": 0}).join_all()


@pytest.fixture
def hashi() -> Table:
    """Two people in the first round; both act simultaneously and do not see each other's actions."""
    table = Table("hashi", "link", "link").join_all()
    for seat in (0, 1):
        table.play(seat, table.legal(seat)[0])
    return table


def test_an_action_is_played_and_everybody_is_notified(stege: Table) -> None:
    step = stege.legal(0)[0]
    played = plans.play(stege.state, (0,), stege.message(0, step))
    assert played.events() == [Acted(0, step)]
    assert stege.state.played == []  # nothing has happened yet
    stege.happen(played)
    assert [entry.action_text for entry in stege.state.streams[1].entries] == [step]
    assert stege.state.acting() == [1]


def test_chance_acts_at_once_after_the_last_step(hashi: Table) -> None:
    hashi.play(0, "skip", "skip")
    events = plans.play(hashi.state, (1,), hashi.message(1, "skip", "skip")).events()
    assert [event.seat for event in events if isinstance(event, Acted)] == [1, 1, CHANCE]


def test_nobody_plays_for_others_too_early_too_late_or_on_old_news(stege: Table) -> None:
    waiting = Table("stege", "link", "link")
    with pytest.raises(Refusal) as refused:
        plans.play(waiting.state, (0,), waiting.message(0, "x"))
    assert code_of(refused) == "not_begun"
    with pytest.raises(Refusal) as refused:
        plans.play(stege.state, (1,), stege.message(0, "x"))
    assert code_of(refused) == "not_your_seat"
    old = stege.message(0, stege.legal(0)[0])
    stege.play(0, stege.legal(0)[0])
    with pytest.raises(Refusal) as refused:
        plans.play(stege.state, (0,), old)
    assert code_of(refused) == "stale"
    while stege.state.acting():
        seat = stege.state.acting()[0]
        stege.play(seat, stege.legal(seat)[-1])
    with pytest.raises(Refusal) as refused:
        plans.play(stege.state, (0,), stege.message(0, "x"))
    assert code_of(refused) == "is_over"


def test_a_refused_action_is_reported_with_its_clause(hashi: Table) -> None:
    write = next(text for text in hashi.legal(0) if text.startswith("write"))
    with pytest.raises(ActionRefused) as refused:
        plans.play(hashi.state, (0,), hashi.message(0, write, write))
    assert refused.value.index == 1
    assert isinstance(refused.value.reason, IllegalAction)
    with pytest.raises(ActionRefused) as refused:
        plans.play(hashi.state, (0,), hashi.message(0, "dance"))
    assert isinstance(refused.value.reason, NotationError)
    assert refused.value.reason.text("en") != refused.value.reason.text("de")


def test_actions_beyond_the_end_of_the_turn_are_refused(hashi: Table, stege: Table) -> None:
    hashi.play(1, "skip", "skip")
    with pytest.raises(ActionRefused) as refused:
        plans.play(hashi.state, (0,), hashi.message(0, "skip", "skip", "skip"))
    assert (refused.value.index, getattr(refused.value.reason, "code", "")) == (2, "too_far")
    step = stege.legal(0)[0]
    with pytest.raises(ActionRefused) as refused:
        plans.play(stege.state, (0,), stege.message(0, step, step))
    assert (refused.value.index, getattr(refused.value.reason, "code", "")) == (1, "not_now")


# Drafts


def test_a_draft_shows_what_would_be_and_changes_nothing(hashi: Table) -> None:
    before = hashi.state.running_match().position.text()
    write = next(text for text in hashi.legal(0) if text.startswith("write"))
    seen = draft(hashi.state, 0, [write])
    assert seen.text() != hashi.state.running_match().position.observe(0).text()
    assert hashi.state.running_match().position.text() == before
    with pytest.raises(ActionRefused) as refused:
        draft(hashi.state, 0, [write, write])
    assert refused.value.index == 1
    hashi.play(1, "skip", "skip")
    with pytest.raises(ActionRefused) as refused:
        draft(hashi.state, 0, ["skip", "skip", "skip"])
    assert refused.value.index == 2


def test_the_path_of_a_legal_action_can_be_requested(stege: Table) -> None:
    table = Table("elfer", "here", "here").join_all()
    seat = table.state.acting()[0]
    assert isinstance(draft_path(table.state, seat, [], table.legal(seat)[0]), list)
    with pytest.raises(NotationError):
        draft_path(stege.state, 0, [], "dance")
    step = stege.legal(0)[0]
    with pytest.raises(IllegalAction):
        draft_path(stege.state, 1, [], step)


# Bots


@pytest.fixture
def with_bot() -> Table:
    return Table("stege", "link", "easy", options={"starts": 1}).join_all()


def test_a_bot_is_asked_with_what_it_may_know_and_its_answer_is_played(with_bot: Table) -> None:
    state = with_bot.state
    assert (state.bots_to_move(), state.bot_for(1), state.wake_at()) == ([1], "easy", state.last_at)
    query = query_for(state, 1, "easy")
    seen = query.position()
    assert seen.text() == state.running_match().position.observe(1).text()
    assert query_for(state, 1, "easy") == query
    assert query_for(state, 0, "easy").seed != query.seed
    action_texts = turn_texts([seen.legal(1)[0]] * 3, seen, 1)  # its turn ends after one
    assert len(action_texts) == 1
    with_bot.happen(plans.bot_answer(state, query, action_texts))
    assert [entry.action_text for entry in state.streams[0].entries] == action_texts
    assert plans.bot_answer(state, query, action_texts) == []  # it has already moved


def test_a_bot_whose_table_has_changed_has_to_think_again() -> None:
    table = Table("stege", "link", "link", options={"starts": 0}).join_all()
    table.play(0, table.legal(0)[0])
    table.happen([Replaced(1, "easy")])
    query = query_for(table.state, 1, "easy")
    step = table.legal(1)[0]
    changed = msgspec.structs.replace(query, observation=bytes(len(query.observation)))
    assert plans.bot_answer(table.state, changed, [step]) == []
    table.happen([Replaced(1)])  # the person plays again
    assert plans.bot_answer(table.state, query, [step]) == []
    table.happen([Replaced(1, "easy")])
    assert plans.bot_answer(table.state, query, [step])


def test_an_illegal_line_of_a_bot_raises(with_bot: Table) -> None:
    seen = query_for(with_bot.state, 1, "easy").position()
    illegal = next(a for a in range(seen.game.action_count) if a not in seen.legal(1))
    with pytest.raises(ActionRefused):
        turn_texts([illegal], seen, 1)


def test_hints_are_for_those_who_play_without_other_people(stege: Table) -> None:
    alone = Table("stege", "here", "easy", options={"starts": 0}).join_all()
    query = plans.hint(alone.state, (0,), Hint(id="h", seat=0), has_bots=True)
    assert (query.seat, query.level) == (0, "hard")
    for table, seats, seat, has_bots, code in (
        (stege, (0,), 0, True, "no_hint"),
        (stege, (0, 1), 1, True, "not_now"),
        (stege, (1,), 0, True, "not_your_seat"),
        (alone, (0,), 0, False, "no_bots"),
        (Table("stege", "here", "here"), (0, 1), 0, True, "not_begun"),
    ):
        with pytest.raises(Refusal) as refused:
            plans.hint(table.state, seats, Hint(id="h", seat=seat), has_bots)
        assert code_of(refused) == code
    shared = plans.hint(stege.state, (0, 1), Hint(id="h", seat=0), has_bots=True)  # both use one device
    assert shared.seat == 0


def test_a_bot_stands_in_for_those_who_want_it_or_are_away(stege: Table) -> None:
    wish = StandIn(id="s", seat=1, level="easy")
    assert plans.stand_in(stege.state, (1,), wish, None, 30_000) == [Replaced(1, "easy")]
    assert plans.stand_in(stege.state, (1,), StandIn(id="s", seat=1), None, 30_000) == [Replaced(1, "")]
    assert plans.stand_in(stege.state, (0,), wish, 30_000, 30_000) == [Replaced(1, "easy")]
    unbegun, with_bot = Table("stege", "link", "hard"), Table("stege", "link", "hard").join_all()
    for table, seats, message, away, code in (
        (stege, (0,), wish, 29_999, "is_present"),
        (stege, (0,), wish, None, "is_present"),
        (stege, (0,), StandIn(id="s", seat=1), 99_999, "not_your_seat"),
        (stege, (), wish, 99_999, "not_your_seat"),
        (stege, (0,), StandIn(id="s", seat=1, level="wizard"), 99_999, "unknown_bot"),
        (stege, (0,), StandIn(id="s", seat=3, level="easy"), 99_999, "no_such_seat"),
        (unbegun, (0,), wish, 99_999, "not_begun"),
        (with_bot, (0,), wish, 99_999, "is_a_bot"),
    ):
        with pytest.raises(Refusal) as refused:
            plans.stand_in(table.state, seats, message, away, 30_000)
        assert code_of(refused) == code
    stege.happen([Replaced(0, "medium")])
    assert (stege.state.people(), stege.state.bots_to_move()) == ([1], [0])


# Clocks


def test_a_clock_that_has_run_out_lets_a_bot_finish_this_turn_only() -> None:
    table = Table("stege", "link", "link", clock=10, options={"starts": 0}).join_all()
    begin = table.state.last_at
    assert table.state.wake_at() == table.state.deadline(0) == begin + 10_000
    assert plans.time_out(table.state, begin + 9_999) == []
    table.now = begin + 10_000
    assert plans.time_out(table.state, table.now) == [TimedOut(0)]
    table.happen(plans.time_out(table.state, table.now))
    assert table.state.bot_for(0) == AUTOPILOT
    assert plans.time_out(table.state, table.now) == []
    query = query_for(table.state, 0, AUTOPILOT)
    table.happen(plans.bot_answer(table.state, query, table.legal(0)[:1]))
    assert table.state.bot_for(0) is None
    assert table.state.deadline(1) == begin + 20_000
    assert plans.time_out(Table("stege", "link", "link").join_all().state, 10**15) == []
