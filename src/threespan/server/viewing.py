"""What a viewer is told about a table: built from observations only, so that nothing hidden can slip in."""

import msgspec

from threespan.core.game import Position
from threespan.core.rulebook import Language
from threespan.core.rules import CHANCE, WATCHER
from threespan.server.course import Course
from threespan.server.protocol import Clock, Result, ScoreLine, Situation, Update, encode_message


def situation(seen: Position, viewer: int, language: Language) -> Situation:
    """How things stand in an observation of a viewer."""
    acting = [seat for seat in seen.acting() if seat != CHANCE]
    legal: list[str] = []
    prompt = ""
    if viewer in acting:
        legal = [seen.game.action_text(seen.state, action) for action in seen.legal(viewer)]
        prompt = seen.game.prompt(seen.state, viewer, language)
    view = msgspec.Raw(encode_message(seen.game.view(seen.state, viewer)))
    return Situation(view, acting, seen.outcome()[0], legal, prompt)


def update_for(course: Course, viewer: int, language: Language, have: int, now: int) -> Update:
    """Everything that a viewer who has so many notices needs to be up to date."""
    match = course.match
    assert match is not None
    stream = course.streams[viewer]
    is_seat = viewer != WATCHER
    return Update(
        seat=viewer,
        have=len(stream.notices),
        notices=stream.notices[have:],
        now=situation(match.position.observe(viewer), viewer, language),
        clocks=clocks(course, now),
        may_undo=is_seat and bool(course.undoable_acts(viewer)),
        may_offer=is_seat and bool(course.offerable_acts(viewer)),
        offer=course.offer,
        result=None if course.acting_since else result(course, language),
    )


def clocks(course: Course, now: int) -> list[Clock]:
    """How long each seat has left."""
    if not course.charter.clock:
        return []
    deadlines = [(seat, course.deadline(seat)) for seat in course.acting()]
    return [Clock(seat, max(0, deadline - now)) for seat, deadline in deadlines if deadline is not None]


def result(course: Course, language: Language) -> Result:
    """The end, explained; everything is open now."""
    match = course.match
    assert match is not None
    position = match.position
    return Result(
        ranks=position.outcome()[1],
        sheets=[[ScoreLine(rule.name, points) for rule, points in position.score_sheet(s)] for s in course.seats],
        verdicts=[course.game.verdict(position.state, seat, language) for seat in course.seats],
        secret=course.charter.secret,
        salt=course.charter.salt,
    )
