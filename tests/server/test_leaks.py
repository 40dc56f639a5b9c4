"""Nothing that a viewer may not know leaves the server.

At many moments of many random matches the hidden part is dealt anew, and every message that the viewer could get is
made twice: with the true position and with the imagined one. The bytes must be the same.
"""

import os
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from threespan.core.chance import MatchSeed
from threespan.core.options import read_options
from threespan.core.registry import codes, find_game
from threespan.core.rules import CHANCE, WATCHER
from threespan.server.course import Course, StepRefused
from threespan.server.drafts import draft_on
from threespan.server.events import Charter, Joined, SeatPlan, TableEvent
from threespan.server.protocol import encode_message
from threespan.server.store import EventRow
from threespan.server.viewing import look_at, situation, update_for

MATCHES = int(os.environ.get("THREESPAN_LEAK_MATCHES", "150"))  # of all games together
MOMENTS = 12  # looked at closely in each match
GAMES = [code for code in codes() if code != "nim"]


def new_course(game_code: str, pick: random.Random) -> Course:
    """A table with people on all seats, about to begin, with random options."""
    game = find_game(game_code)
    values: dict[str, Any] = {"players": pick.choice([2, 2, 3, 4])}
    if game_code == "elfer":
        values |= {"symbols": pick.random() < 0.5}
    options = read_options(game.options, values)
    seed = MatchSeed.of(str(pick.random()))
    charter = Charter(
        game=game_code,
        options=msgspec.to_builtins(options),
        material=game.material(options),
        seats=tuple(SeatPlan("link") for _ in range(options.players)),
        is_public=False,
        clock=0,
        secret=seed.secret.hex(),
        salt=seed.salt.hex(),
    )
    course = Course(charter)
    for seat in course.seats:
        joined = Joined((seat,), f"Seat {seat}", f"{pick.getrandbits(256):064x}")
        add(course, joined, *course.begin_events(joined))
    return course


def add(course: Course, *events: TableEvent) -> None:
    for event in events:
        course.add_row(EventRow(course.sequence + 1, course.sequence + 1, None, b""), event)


def act(course: Course, seat: int, text: str) -> None:
    add(course, *course.play(seat, [text]).events())


def messages_to(course: Course, viewer: int, pick: random.Random) -> Iterator[bytes]:
    """Everything that a viewer could be sent just now: the update, previews of drafts, refusals."""
    stream = course.streams[viewer].notices
    for language in ("en", "de"):
        for have in (0, len(stream) // 2, len(stream)):
            yield encode_message(update_for(course, look_at(course, viewer), language, have, 0))
    if viewer == WATCHER or course.match is None:
        return
    position = course.match.position
    for _ in range(3):
        steps: list[str] = []
        for _ in range(pick.randrange(1, 5)):
            action = pick.randrange(course.game.actions)
            if pick.random() < 0.8:
                seen = position.observe(viewer)
                try:
                    seen = draft_on(seen, viewer, steps)
                except StepRefused:
                    break
                legal = seen.legal(viewer) if viewer in seen.acting() else []
                action = pick.choice(legal) if legal else action
            steps.append(course.game.action_text(position.state, action))
        try:
            drafted = draft_on(position.observe(viewer), viewer, steps)
            yield encode_message(situation(drafted, viewer, "en"))
        except StepRefused as refused:
            yield f"{refused.step} {refused.reason}".encode()


def check_moment(course: Course, viewer: int, seed: int) -> None:
    match = course.match
    assert match is not None
    truth = match.position
    imagined = truth.observe(viewer).imagine(viewer, seed)
    plain = list(messages_to(course, viewer, random.Random(seed)))
    try:
        match.position = imagined
        assert list(messages_to(course, viewer, random.Random(seed))) == plain
    finally:
        match.position = truth


@pytest.mark.parametrize("number", range(MATCHES))
def test_dealing_the_hidden_part_anew_changes_no_byte(number: int) -> None:
    pick = random.Random(number)
    course = new_course(GAMES[number % len(GAMES)], pick)
    moments = 0
    while course.acting() and moments < MOMENTS:
        if pick.random() < 0.1:
            moments += 1
            for viewer in course.streams:
                check_moment(course, viewer, pick.getrandbits(32))
        match = course.match
        assert match is not None
        seat = pick.choice(course.acting())
        act(course, seat, course.game.action_text(match.position.state, pick.choice(match.position.legal(seat))))


def texts_seen(course: Course, viewer: int) -> list[tuple[int, str, int]]:
    return [(notice.seat, notice.do, notice.back) for notice in course.streams[viewer].notices]


@pytest.mark.parametrize("turn", [["skip", "skip"], ["write", "skip"]])
def test_what_others_do_in_a_round_of_hashi_shows_in_nothing_until_it_ends(turn: list[str]) -> None:
    """Not in the number of notices either: whoever finishes is seen to have finished, and no more."""
    course = new_course("hashi", random.Random(5))
    for seat in course.seats:
        match = course.match
        assert match is not None
        act(course, seat, course.game.action_text(match.position.state, match.position.legal(seat)[0]))
    match = course.match
    assert match is not None
    before = [encode_message(update_for(course, look_at(course, 1), "en", 0, 0)), texts_seen(course, 1)]
    for step in turn:
        if step == "write":
            step = next(
                text
                for action in match.position.legal(0)
                if (text := course.game.action_text(match.position.state, action)).startswith("write")
            )
        is_last = step == "skip" and turn[-1] == step and 0 not in course.play(0, [step]).steps[-1].acting
        act(course, 0, step)
        if not is_last:
            assert [encode_message(update_for(course, look_at(course, 1), "en", 0, 0)), texts_seen(course, 1)] == before
    assert texts_seen(course, 1) == before[1]
    assert 0 not in course.acting()


def test_notices_tell_a_viewer_only_what_it_saw_or_what_is_open_by_now() -> None:
    for number in range(30):
        pick = random.Random(number)
        course = new_course("elfer", pick)
        while course.acting():
            match = course.match
            assert match is not None
            seat = pick.choice(course.acting())
            act(course, seat, course.game.action_text(match.position.state, pick.choice(match.position.legal(seat))))
        for viewer in course.streams:
            drawn = [text for seat, text, _ in texts_seen(course, viewer) if seat == CHANCE and text.startswith("draw")]
            hidden = [a for a in course.acts if a.seat == CHANCE and not a.was_seen_by(viewer)]
            assert hidden
            assert len(drawn) + len(hidden) == len([a for a in course.acts if a.seat == CHANCE]) - 1  # one `start`
            handed = [a for a in course.acts if a.notice.do.startswith("hand")]
            for given in handed:
                knows = viewer in (given.seat, (given.seat + 1) % len(course.seats))
                assert given.was_seen_by(viewer) == knows


def test_seeds_and_keys_are_in_no_message_before_the_end() -> None:
    course = new_course("hashi", random.Random(1))
    secrets = (course.charter.secret, course.charter.salt)
    for viewer in course.streams:
        body = encode_message(update_for(course, look_at(course, viewer), "en", 0, 0)).decode()
        assert not [secret for secret in secrets if secret in body]
