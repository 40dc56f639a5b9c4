"""The messages for a viewer of a table: built from observations only, so that nothing hidden can leak."""

from typing import NamedTuple

import msgspec

from threespan.bots.names import AUTOPILOT
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.words import DEFAULT_LANGUAGE, Language
from threespan.table.messages.client import Draft
from threespan.table.messages.server import (
    Clock,
    Notice,
    PastView,
    Preview,
    Result,
    ScoreLine,
    Situation,
    Update,
    Welcome,
)
from threespan.table.messages.shared import VERSION, SeatInfo, TableInfo, encode_message
from threespan.table.refusals import WORDS
from threespan.table.state import TableState


class Reader(NamedTuple):
    """Whom a message is for: the viewer, the language, and whether to describe everything in words as well."""

    viewer: int = WATCHER
    language: Language = DEFAULT_LANGUAGE
    text_mode: bool = False


class Snapshot(NamedTuple):
    """A table as one viewer sees it; snapshots with the same fingerprint look the same to that viewer."""

    viewer: int
    notice_count: int  # of the viewer's stream so far
    seen: Position
    fingerprint: int


def snapshot(state: TableState, viewer: int) -> Snapshot:
    """What a viewer may know now; the match must have started."""
    match = state.match
    assert match is not None
    # After a resignation everything is revealed, as after any other end of a match.
    seen = match.position.copy() if match.is_decided else match.position.observe(viewer)
    fingerprint = hash((seen.state.tobytes(), state.undo_request, state.status, *state.resigned))
    return Snapshot(viewer, len(state.streams[viewer].entries), seen, fingerprint)


def situation(state: TableState, seen: Position, reader: Reader) -> Situation:
    """The current situation in a viewer's observation."""
    viewer, language, text_mode = reader
    acting = [seat for seat in seen.acting() if seat != CHANCE] if state.acting_since else []
    legal: list[str] = []
    prompt = ""
    if viewer in acting and viewer not in state.resigned:
        legal = seen.game.action_texts(seen.state, seen.legal(viewer))
        prompt = seen.game.prompt(seen.state, viewer, language)
    return Situation(
        view=msgspec.Raw(encode_message(seen.game.view(seen.state, viewer))),
        acting=acting,
        scores=seen.game.current_scores(seen),
        legal=legal,
        prompt=prompt,
        buttons=state.match_setup.buttons(legal, language),
        labels=[state.match_setup.sentence(text, language) for text in legal] if text_mode else [],
        lines=description(state, seen, reader),
    )


def description(state: TableState, seen: Position, reader: Reader) -> list[str]:
    """An observation in plain words, for readers in text mode."""
    if not reader.text_mode:
        return []
    return seen.game.describe(seen.state, reader.viewer, state.names_in(reader.language), reader.language)


def notices_for(state: TableState, reader: Reader, first: int) -> list[Notice]:
    """The notices of a viewer, from index `first` on."""
    entries = state.streams[reader.viewer].entries[first:]
    if not entries:
        return []
    language, names, addressed = reader.language, state.names_in(reader.language), state.addressed_seat(reader.viewer)
    notices = []
    for seat, action_text, undone, path, group in entries:
        if undone:
            name = "" if seat == addressed else names[seat]
            sentence = WORDS.report("undid", language, name, count=undone)
        else:
            sentence = state.match_setup.report(action_text, seat, addressed, language).format(*names)
        notices.append(Notice(seat, action_text, sentence, undone, path, group))
    return notices


def update_for(state: TableState, shot: Snapshot, reader: Reader, notices_seen: int, now: int) -> Update:
    """Everything that is new to a viewer who has seen `notices_seen` notices; `now` is the time in ms."""
    viewer = shot.viewer
    may_undo, may_request_undo = (False, False) if viewer == WATCHER else state.undo_rights(viewer)
    may_check = viewer != WATCHER and bool(state.acting_since) and state.game.has_referee(state.options)
    return Update(
        seat=viewer,
        notice_count=shot.notice_count,
        notices=notices_for(state, reader, notices_seen),
        now=situation(state, shot.seen, reader),
        clocks=clocks(state, now),
        may_undo=may_undo,
        may_request_undo=may_request_undo,
        undo_request=state.undo_request,
        may_check=may_check,
        may_doubt=may_check and state.game.may_doubt(shot.seen.state, viewer),
        result=None if state.acting_since or state.is_ended else result(state, reader),
    )


def welcome_for(
    state: TableState, table: TableInfo, reader: Reader, seats: tuple[int, ...], notices_seen: int, now: int
) -> Welcome:
    """Everything that somebody who connects to a table needs to know."""
    update = None
    if state.match is not None:
        update = update_for(state, snapshot(state, reader.viewer), reader, notices_seen, now)
    return Welcome(
        version=VERSION, table=table, own_seats=list(seats), scene=msgspec.Raw(state.match_setup.scene), update=update
    )


def preview_for(state: TableState, message: Draft, seen: Position, reader: Reader) -> Preview:
    """The table after the actions of a draft."""
    now = situation(state, seen, reader)
    is_complete = reader.viewer not in now.acting
    if is_complete and message.action_texts:
        now.prompt = state.game.ready_prompt(message.action_texts[-1], reader.language)
    return Preview(message.id, now, is_complete)


def past_for(state: TableState, message_id: str, notice_count: int, reader: Reader) -> PastView:
    """What a viewer saw after its first notices; `state` is the table as it was then."""
    match = state.match
    assert match is not None
    seen = match.position.observe(reader.viewer)
    view = msgspec.Raw(encode_message(state.game.view(seen.state, reader.viewer)))
    return PastView(message_id, notice_count, view, description(state, seen, reader))


def clocks(state: TableState, now: int) -> list[Clock]:
    """How much time each seat has left."""
    if not state.charter.clock:
        return []
    deadlines = [(seat, state.deadline(seat)) for seat in state.acting()]
    return [Clock(seat, max(0, deadline - now)) for seat, deadline in deadlines if deadline is not None]


def result(state: TableState, reader: Reader) -> Result:
    """The result of the match, explained; nothing is hidden any more."""
    match, language = state.finished_match(), reader.language
    return Result(
        ranks=match.outcome()[1],
        sheets=[score_sheet(match.position, seat, language) for seat in state.seats],
        verdicts=[verdict(state, match, seat, reader) for seat in state.seats],
        is_own=[not state.charter.seats[seat].is_bot and seat not in state.assisted for seat in state.seats],
        secret=state.charter.secret,
        salt=state.charter.salt,
    )


def verdict(state: TableState, match: Match, seat: int, reader: Reader) -> str:
    """A remark on a seat's result: that it has resigned, or what the game says if it was played to the end."""
    language = reader.language
    if seat in match.resigned:
        name = "" if seat == state.addressed_seat(reader.viewer) else state.names_in(language)[seat]
        sentence = WORDS.report("resigned", language, name)
        return sentence if len(state.seats) > 1 else f"{sentence} {WORDS.text('verdict.not_counted', language)}"
    return "" if match.is_decided else state.game.verdict(match.position.state, seat, language)


def score_sheet(position: Position, seat: int, language: Language) -> list[ScoreLine]:
    """A seat's points and the cost of its mistakes, clause by clause."""
    game, state = position.game, position.state
    lines = position.score_sheet(seat)
    costs = game.costs(state, seat, language)
    return [
        *(ScoreLine(rule.name, game.score_text(state, seat, rule, language), points) for rule, points in lines),
        *(ScoreLine(cost.rule.name, cost.text, 0, cost.points) for cost in costs),
    ]


def table_info(
    state: TableState, table: str, created_at: int, connected: set[int], bots_are_loading: bool = False
) -> TableInfo:
    """A table as everybody may see it."""
    charter = state.charter
    return TableInfo(
        id=table,
        game=charter.game,
        options=charter.options,
        status=state.status,
        is_public=charter.is_public,
        clock=charter.clock,
        seats=[
            SeatInfo(
                setup.kind,
                state.names[seat],
                setup.level or (AUTOPILOT if seat in state.resigned else state.stand_ins.get(seat, "")),
                seat in state.joined,
                seat in connected,
            )
            for seat, setup in enumerate(charter.seats)
        ],
        commitment=state.commitment,
        shares=state.ordered_shares(),
        created_at=created_at,
        rematch_of=charter.rematch_of,
        rematch=state.rematch,
        acting=public_acting(state),
        resigned=list(state.resigned),
        is_ended=state.is_ended,
        bots_are_loading=bots_are_loading,
    )


def public_acting(state: TableState) -> list[int]:
    """Whose turn it is, as far as everybody may know."""
    if state.match is None or not state.acting_since:
        return []
    return [seat for seat in state.match.position.observe(WATCHER).acting() if seat != CHANCE]


def seats_fingerprint(state: TableState) -> tuple[object, ...]:
    """Changes whenever something about the seats changes that viewers should hear about."""
    gone = (*state.stand_ins.items(), *state.resigned)
    return state.status, *state.names, len(state.joined), *gone, state.rematch
