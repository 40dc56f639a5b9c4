"""Nothing that a viewer may not know leaves the server.

At many points of many random matches the hidden part is replaced, and every message that the viewer could get is made
twice: with the true position and with the imagined one. The bytes must be the same.
"""

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from table.tables import Table
from threespan.core.game import Hidden
from threespan.core.registry import codes, find_game
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.turns import ActionRefused
from threespan.core.words import LANGUAGES
from threespan.table.drafts import draft
from threespan.table.events import Acted, decode_event
from threespan.table.messages.client import Check, Doubt, Draft
from threespan.table.messages.shared import encode_message
from threespan.table.referee import Doubts, check_board
from threespan.table.refusals import Refusal
from threespan.table.state import TableState
from threespan.table.viewing import Reader, notices_for, preview_for, situation, snapshot, table_info, update_for
from threespan.testing.leaks import indistinguishable

MATCHES = int(os.environ.get("THREESPAN_LEAK_MATCHES", "150"))  # of all games together
MOMENTS = 12  # positions to examine in each match
RESIGNATIONS = 0.02  # share of all moves, while others can play on; after the end nothing is hidden
ALTERNATIVES = 3  # actions to compare with each action
LONG_ENOUGH = 100
GAMES = [code for code in codes() if code != "nim"]


def new_table(game: str, pick: random.Random, **wanted: Any) -> Table:
    """A table with people on all seats and random options, unless they are given, before the first action."""
    options: dict[str, Any] = {}
    if game == "elfer":
        options = {"symbols": pick.random() < 0.5, "opening": pick.choice(["must", "may"])}
        options["bonus_symbol"] = pick.choice(["free", "adjoining"]) if options["symbols"] else "free"
    if game == "hashi":
        options = {"pen": pick.choice(["strict", "free"])}
    seats = ["link"] * pick.choice([2, 2, 3, 4])
    table = Table(game, *seats, seed=str(pick.random()), options=options | wanted)
    for seat in table.state.seats:
        table.join(seat, name=f"Seat {seat}", share=f"{pick.getrandbits(256):064x}")
    return table


def update_to(state: TableState, reader: Reader, notices_seen: int = 0) -> bytes:
    return encode_message(update_for(state, snapshot(state, reader.viewer), reader, notices_seen, 0))


def messages_to(state: TableState, viewer: int, pick: random.Random) -> Iterator[bytes]:
    """Everything that a viewer could be sent now: the update, previews of drafts, refusals."""
    entries = state.streams[viewer].entries
    for language in LANGUAGES:
        for text_mode in (False, True):
            for notices_seen in (0, len(entries) // 2, len(entries)):
                yield update_to(state, Reader(viewer, language, text_mode), notices_seen)
    yield encode_message(table_info(state, "id", 0, set()))
    if viewer == WATCHER or state.match is None:
        return
    position = state.match.position
    if state.game.has_referee(position.options):
        yield from answers_to(state, viewer)
    for _ in range(3):
        action_texts: list[str] = []
        for _ in range(pick.randrange(1, 5)):
            action = pick.randrange(state.game.action_count)
            if pick.random() < 0.8:
                try:
                    seen = draft(state, viewer, action_texts)
                except ActionRefused:
                    break
                legal = seen.legal(viewer) if viewer in seen.acting() else []
                action = pick.choice(legal) if legal else action
            action_texts.append(state.game.action_text(position.state, action))
        try:
            seen = draft(state, viewer, action_texts)
            message = Draft(id="id", seat=viewer, action_texts=action_texts)
            yield encode_message(preview_for(state, message, seen, Reader(viewer, text_mode=True)))
        except ActionRefused as refused:
            yield f"{refused.index} {refused.reason}".encode()


def answers_to(state: TableState, viewer: int) -> Iterator[bytes]:
    """What the referee tells a viewer who asks about every board."""
    yield encode_message(check_board(state, (viewer,), Check(id="id", seat=viewer), "en"))
    for board in state.seats:
        try:
            yield encode_message(Doubts().ask(state, (viewer,), Doubt(id="id", seat=viewer, board=board), "en"))
        except Refusal as refusal:
            yield refusal.code.encode()


def check_moment(state: TableState, viewer: int, seed: int) -> None:
    match = state.match
    assert match is not None
    truth = match.position
    imagined = truth.observe(viewer).imagine(viewer, seed)
    expected = list(messages_to(state, viewer, random.Random(seed)))
    try:
        match.position = imagined
        assert list(messages_to(state, viewer, random.Random(seed))) == expected
    finally:
        match.position = truth


@pytest.mark.parametrize("number", range(MATCHES))
def test_messages_do_not_depend_on_the_hidden_part(number: int) -> None:
    pick = random.Random(number)
    table = new_table(GAMES[number % len(GAMES)], pick)
    moments = 0
    while table.state.acting() and moments < MOMENTS:
        if pick.random() < 0.1:
            moments += 1
            for viewer in table.state.streams:
                check_moment(table.state, viewer, pick.getrandbits(32))
        if len(table.state.people()) > 2 and pick.random() < RESIGNATIONS:
            table.resign(pick.choice(table.state.people()))
        table.play_any(pick)


def distinguished_actions(table: Table, pick: random.Random, moments: int) -> list[str]:
    """Actions that a viewer could tell apart by its messages, although it must not know the difference."""
    found = []
    acted = [at for at, row in enumerate(table.rows) if isinstance(decode_event(row.body), Acted)]
    for at in pick.sample(acted, min(moments, len(acted))):
        before = TableState.from_rows(table.state.charter, table.rows[:at])
        assert before.match is not None
        position = before.match.position
        event = decode_event(table.rows[at].body)
        assert isinstance(event, Acted)
        action = before.game.parse_action(position.state, event.action_text)
        for viewer in before.streams:
            if viewer == event.seat:
                continue
            messages = after(table, at, event, viewer)
            for other in indistinguishable(position, event.seat, action, viewer)[:ALTERNATIVES]:
                text = before.game.action_text(position.state, other)
                if after(table, at, Acted(event.seat, text), viewer) != messages:
                    found.append(f"viewer {viewer}: {event.action_text} or {text}")
    return found


def after(table: Table, at: int, event: Acted, viewer: int) -> list[bytes]:
    """What a viewer is sent if a given event follows the first events of a table."""
    state = TableState.from_rows(table.state.charter, table.rows[:at])
    for row in state.rows_for([event], 0):
        state.apply_row(row)
    reader = Reader(viewer, text_mode=True)
    shown = situation(state, snapshot(state, viewer).seen, reader)
    return [*map(encode_message, notices_for(state, reader, 0)), encode_message(shown)]


def played_to_the_end(game: str, seed: int) -> tuple[Table, random.Random]:
    pick = random.Random(seed)
    table = new_table(game, pick)
    while table.state.acting() and len(table.rows) < LONG_ENOUGH:
        table.play_any(pick)
    return table, pick


@pytest.mark.parametrize("game", [code for code in GAMES if find_game(code).hidden is not Hidden.NOTHING])
def test_indistinguishable_actions_give_the_same_messages(game: str) -> None:
    for seed in range(3):
        assert distinguished_actions(*played_to_the_end(game, seed), MOMENTS) == []


@pytest.mark.parametrize("game", [code for code in GAMES if find_game(code).hidden is Hidden.HANDS])
def test_a_game_that_tells_everybody_everything_is_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opponents would learn of every card that is drawn."""
    monkeypatch.setattr(type(find_game(game)), "sees", lambda *_: True)
    assert distinguished_actions(*played_to_the_end(game, 0), MOMENTS)


def texts_seen(state: TableState, viewer: int) -> list[tuple[int, str, int]]:
    return [(entry.seat, entry.action_text, entry.undone) for entry in state.streams[viewer].entries]


@pytest.mark.parametrize("first", ["skip", "write"])
@pytest.mark.parametrize(("pen", "last"), [("strict", "skip"), ("free", "done")])
def test_a_round_of_hashi_stays_hidden_until_it_ends(pen: str, first: str, last: str) -> None:
    """Not even in the number of notices: others only see that a seat has finished."""
    table = new_table("hashi", random.Random(5), pen=pen)
    state = table.state
    for seat in state.seats:
        table.play(seat, table.legal(seat)[0])
    reader = Reader(1, text_mode=True)
    before = [update_to(state, reader), texts_seen(state, 1)]
    for step in (first, last):
        played = next(text for text in table.legal(0) if text.startswith(step))
        table.play(0, played)
        if 0 in state.acting():
            assert [update_to(state, reader), texts_seen(state, 1)] == before
    assert texts_seen(state, 1) == before[1]
    assert 0 not in state.acting()


def test_notices_tell_a_viewer_only_what_it_saw_or_what_is_open_by_now() -> None:
    for number in range(30):
        pick = random.Random(number)
        table = new_table("elfer", pick)
        state = table.state
        while state.acting():
            table.play_any(pick)
        for viewer in state.streams:
            drawn = [text for seat, text, _ in texts_seen(state, viewer) if seat == CHANCE and text.startswith("draw")]
            hidden = [a for a in state.played if a.seat == CHANCE and not a.was_seen_by(viewer)]
            assert hidden
            assert len(drawn) + len(hidden) == len([a for a in state.played if a.seat == CHANCE]) - 1  # one `start`
            handed = [a for a in state.played if a.entry.action_text.startswith("hand")]
            for given in handed:
                knows = viewer in (given.seat, (given.seat + 1) % len(state.seats))
                assert given.was_seen_by(viewer) == knows


def test_seeds_and_keys_are_in_no_message_before_the_end() -> None:
    state = new_table("hashi", random.Random(1)).state
    secrets = (state.charter.secret, state.charter.salt)
    for viewer in state.streams:
        body = update_to(state, Reader(viewer)).decode()
        assert not [secret for secret in secrets if secret in body]
