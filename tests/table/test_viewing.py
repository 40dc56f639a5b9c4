"""Messages to viewers: in their language, in text mode if they want, with buttons for actions without a place."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from table.tables import Table
from threespan.core.game import Game, Role
from threespan.core.layout import State
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.words import Language
from threespan.games.elfer.rules import DEALT
from threespan.games.hashi.clauses import Rule
from threespan.table import plans
from threespan.table.drafts import draft
from threespan.table.events import Replaced
from threespan.table.history import last_event_seen, replay_of
from threespan.table.match_setup import _set_up
from threespan.table.messages.client import Draft, Undo
from threespan.table.messages.server import Preview, Update
from threespan.table.messages.shared import encode_message
from threespan.table.refusals import Refusal
from threespan.table.state import TableState
from threespan.table.viewing import (
    Reader,
    clocks,
    past_for,
    preview_for,
    seats_fingerprint,
    snapshot,
    table_info,
    update_for,
    welcome_for,
)


@pytest.fixture(autouse=True)
def _words(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hashi with fixed texts, since its own may change."""

    def role(_: Game, text: str) -> Role:
        return {"skip": Role.BUTTON, "pass": Role.FINISHER}.get(text, Role.PLACE)

    def sentence(_: Game, state: State, text: str, language: Language) -> str:
        assert state is not None
        return f"{language}: {text}!"

    def describe(_: Game, state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
        return [f"{language} {seat} {','.join(names)} round {int(state.round_number)}"]

    kind = type(find_game("hashi"))

    def report(_: Game, state: State, text: str, seat: int, names: Sequence[str], language: Language) -> str:
        assert state is not None
        return f"{language}: {'chance' if seat == CHANCE else names[seat] or 'you'} did {text}."

    for name, value in (("role", role), ("sentence", sentence), ("describe", describe), ("report", report)):
        monkeypatch.setattr(kind, name, value)
    _set_up.cache_clear()
    yield
    _set_up.cache_clear()


def previewed(table: Table, action_texts: list[str], reader: Reader) -> Preview:
    seen = draft(table.state, reader.viewer, action_texts)
    return preview_for(table.state, Draft(id="id", seat=reader.viewer, action_texts=action_texts), seen, reader)


def update_to(state: TableState, reader: Reader, notices_seen: int = 0) -> Update:
    return update_for(state, snapshot(state, reader.viewer), reader, notices_seen, 0)


@pytest.fixture
def hashi() -> Table:
    table = Table("hashi", "link", "link").join_all()
    for seat in (0, 1):
        table.play(seat, table.legal(seat)[0])
    return table


def test_actions_without_a_place_are_buttons(hashi: Table) -> None:
    now = update_to(hashi.state, Reader(0, "de")).now
    assert [(button.action_text, button.label, button.is_finisher) for button in now.buttons] == [
        ("skip", "de: skip!", False)
    ]
    assert update_to(hashi.state, Reader(WATCHER)).now.buttons == []


def test_everything_is_described_in_text_mode(hashi: Table) -> None:
    plain = update_to(hashi.state, Reader(0)).now
    assert (plain.labels, plain.lines) == ([], [])
    now = update_to(hashi.state, Reader(0, "de", text_mode=True)).now
    assert now.labels == [f"de: {text}!" for text in now.legal]
    assert now.lines == ["de 0 Seat 0,Seat 1 round 1"]
    watched = update_to(hashi.state, Reader(WATCHER, text_mode=True)).now
    assert (watched.labels, watched.lines) == ([], ["en -1 Seat 0,Seat 1 round 1"])


def test_notices_say_what_happened_in_the_viewers_language(hashi: Table) -> None:
    hashi.play(0, "skip")
    notices = update_to(hashi.state, Reader(0, "de")).notices
    who = {0: "you", 1: "Seat 1", CHANCE: "chance"}
    assert [notice.sentence for notice in notices] == [
        f"de: {who[notice.seat]} did {notice.action_text}." for notice in notices
    ]
    assert {notice.seat for notice in notices} == set(who)
    hashi.ask(plans.undo, Undo(id="u", seat=0))
    (back,) = update_to(hashi.state, Reader(0), len(notices)).notices
    assert (back.action_text, back.sentence, back.undone) == ("", "You take back a step.", 1)
    assert (
        update_to(hashi.state, Reader(0, "de"), len(notices)).notices[0].sentence == "Du nimmst einen Schritt zurück."
    )


def test_those_who_share_a_device_are_called_by_name() -> None:
    table = Table("hashi", "here", "here").join_all()
    for seat in (0, 1):
        table.play(seat, table.legal(seat)[0])
    sentences = {notice.seat: notice.sentence for notice in update_to(table.state, Reader(0)).notices}
    assert sentences[0].startswith("en: Seat 0 did")
    assert sentences[1].startswith("en: Seat 1 did")


def test_tiles_that_are_dealt_and_tiles_drawn_for_want_of_an_11_are_told_apart() -> None:
    for seed in map(str, range(1000)):
        table = Table("elfer", "link", "link", seed=seed).join_all()
        groups = Counter(notice.group for notice in update_to(table.state, Reader(0)).notices)
        assert groups["deal"] == DEALT[2]
        if groups["search"]:
            break
    assert groups["search"], "somebody has an 11 in every match"
    assert set(groups) <= {"", "deal", "search"}
    assert all(f"many.{group}" in table.state.game.words for group in groups if group)


def test_a_preview_is_described_in_the_same_way(hashi: Table) -> None:
    preview = previewed(hashi, ["skip"], Reader(0, "en", text_mode=True))
    assert not preview.is_complete
    assert preview.now.lines == ["en 0 Seat 0,Seat 1 round 1"]
    assert preview.now.labels == [f"en: {text}!" for text in preview.now.legal]
    done = previewed(hashi, ["skip", "skip"], Reader(0))
    assert (done.is_complete, done.now.legal, done.now.buttons) == (True, [], [])


def test_a_welcome_has_an_update_once_the_match_has_begun() -> None:
    table = Table("hashi", "link", "link")
    for is_playing in (False, True):
        info = table_info(table.state, "abc", 5, {1}, bots_are_loading=True)
        welcome = welcome_for(table.state, info, Reader(1), (1,), 0, 0)
        assert (welcome.update is not None) == is_playing
        assert welcome.own_seats == [1]
        assert bytes(welcome.scene) == table.state.match_setup.scene
        table.join_all()
    assert [seat.is_connected for seat in info.seats] == [False, True]
    assert [seat.has_joined for seat in info.seats] == [True, True]
    assert info.bots_are_loading


def test_snapshots_differ_if_something_visible_has_changed(hashi: Table) -> None:
    before = [snapshot(hashi.state, viewer).fingerprint for viewer in (0, 1)]
    hashi.play(0, "skip")
    after = [snapshot(hashi.state, viewer).fingerprint for viewer in (0, 1)]
    assert (after[0] != before[0], after[1] == before[1]) == (True, True)
    seats = seats_fingerprint(hashi.state)
    hashi.happen([Replaced(1, "easy")])
    assert seats_fingerprint(hashi.state) != seats


def test_clocks_run_for_people_who_act() -> None:
    table = Table("stege", "link", "link", clock=10, options={"starts": 0}).join_all()
    (clock,) = clocks(table.state, table.now + 4_000)
    assert (clock.seat, clock.ms_left) == (0, 6_000)
    assert clocks(table.state, table.now + 99_000)[0].ms_left == 0
    assert clocks(Table("stege", "link", "link").join_all().state, 0) == []


def test_who_may_see_which_view() -> None:
    table = Table("stege", "link", "link", options={"starts": 0}).join_all()
    plans.check_may_view(table.state, (), WATCHER)
    plans.check_may_view(table.state, (1,), 1)
    for viewer in (0, 3):
        with pytest.raises(Refusal) as refused:
            plans.check_may_view(table.state, (1,), viewer)
        assert refused.value.code == "not_your_seat"
    while table.state.acting():
        table.play_any(random.Random(1))
    plans.check_may_view(table.state, (), 0)  # nothing is hidden any more
    with pytest.raises(Refusal):
        plans.check_may_view(table.state, (), 3)  # there is no such seat
    plans.check_owns((0, 2), 2)
    with pytest.raises(Refusal):
        plans.check_owns((0, 2), 1)


# The past


def test_past_views_are_what_was_seen_then() -> None:
    table = Table("hashi", "link", "link").join_all()
    with pytest.raises(Refusal) as refused:
        last_event_seen(Table("hashi", "link").state, WATCHER, 0)
    assert refused.value.code == "not_begun"
    seen = []
    pick = random.Random(4)
    for _ in range(12):
        table.play_any(pick)
        notices_seen = len(table.state.streams[1].entries)
        seen.append((notices_seen, bytes(update_to(table.state, Reader(1)).now.view)))
    for notices_seen, view in dict(seen).items():
        rows = table.rows[: last_event_seen(table.state, 1, notices_seen) + 1]
        past = past_for(
            TableState.from_rows(table.state.charter, rows), "id", notices_seen, Reader(1, "de", text_mode=True)
        )
        assert bytes(past.view) == view
        assert past.lines[0].startswith("de 1 Seat 0,Seat 1")
    with pytest.raises(Refusal) as refused:
        last_event_seen(table.state, 1, notices_seen + 1)
    assert refused.value.code == "no_such_past"


def test_a_replay_describes_every_frame_in_text_mode() -> None:
    table = Table("hashi", "link", "link").join_all()
    pick = random.Random(4)
    while table.state.acting():
        table.play_any(pick)
    match = table.state.finished_match()
    names = table.state.names_in("de")
    whole = replay_of(match, 0, 1000, Reader(WATCHER, "de", text_mode=True), names)
    assert (whole.total, len(whole.frames)) == (len(match.events), len(match.events) + 1)
    who = dict(enumerate(names)) | {CHANCE: "chance"}
    assert [frame.sentence for frame in whole.frames[1:]] == [
        f"de: {who[e.seat]} did {e.action_text}." for e in match.events
    ]
    own = replay_of(match, 0, 1000, Reader(WATCHER, "de"), names, addressed_seat=1)
    assert {frame.sentence.split()[1] for frame in own.frames if frame.seat == 1} == {"you"}
    assert all(frame.lines[0].startswith("de -1 Seat 0") for frame in whole.frames)
    part = replay_of(match, 5, 2, Reader(1), names)
    assert [(frame.action_text, frame.lines) for frame in part.frames] == [
        (match.events[n].action_text, []) for n in (4, 5)
    ]
    assert whole.frames[-1].scores == match.position.outcome()[0]
    assert replay_of(
        match, 1, 1, Reader(3, text_mode=True), names
    ).frames  # a seat that does not exist sees what everybody may see


def test_the_end_is_explained() -> None:
    table = Table("hashi", "link", "link").join_all()
    while table.state.acting():
        table.play_any(random.Random(9))
    end = update_to(table.state, Reader(0)).result
    assert end is not None
    assert end.ranks == table.state.finished_match().position.outcome()[1]
    position = table.state.finished_match().position
    sheets = [[(line.rule, line.points) for line in sheet] for sheet in end.sheets]
    assert sheets == [[(rule.name, points) for rule, points in position.score_sheet(seat)] for seat in range(2)]
    book = table.state.game.rule_book
    assert all(line.text == book[Rule[line.rule]].title.in_("en") for sheet in end.sheets for line in sheet)
    assert (end.secret, end.salt) == (table.state.charter.secret, table.state.charter.salt)
    assert encode_message(end)
