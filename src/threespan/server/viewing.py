"""What a viewer is told about a table: built from observations only, so that nothing hidden can slip in."""

from typing import NamedTuple

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
        legal = seen.game.action_texts(seen.state, seen.legal(viewer))
        prompt = seen.game.prompt(seen.state, viewer, language)
    view = msgspec.Raw(encode_message(seen.game.view(seen.state, viewer)))
    return Situation(view, acting, seen.outcome()[0], legal, prompt)


class Look(NamedTuple):
    """A table with the eyes of one viewer; two looks with the same sign have nothing new to tell."""

    viewer: int
    have: int  # notices
    seen: Position
    sign: int


def look_at(course: Course, viewer: int) -> Look:
    """What a viewer may know just now."""
    match = course.match
    assert match is not None
    seen = match.position.observe(viewer)
    sign = hash((seen.state.tobytes(), course.offer))
    return Look(viewer, len(course.streams[viewer].notices), seen, sign)


def update_for(course: Course, look: Look, language: Language, have: int, now: int) -> Update:
    """Everything that a viewer who has so many notices needs to be up to date."""
    may_undo, may_offer = (False, False) if look.viewer == WATCHER else course.may_take_back(look.viewer)
    return Update(
        seat=look.viewer,
        have=look.have,
        notices=course.streams[look.viewer].notices[have:],
        now=situation(look.seen, look.viewer, language),
        clocks=clocks(course, now),
        may_undo=may_undo,
        may_offer=may_offer,
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
