"""Messages from clients to a table."""

from typing import Annotated

import msgspec
from msgspec import Meta

from threespan.core.words import DEFAULT_LANGUAGE
from threespan.table.events import Name, Share
from threespan.table.messages.shared import LanguageCode, Phrase, Seat, Viewer

MAX_ACTIONS = 24  # in one message; the longest turn has fewer
MAX_ID_LENGTH = 40

MessageId = Annotated[str, Meta(max_length=MAX_ID_LENGTH, pattern="^[!-~]+$")]
ActionText = Annotated[str, Meta(max_length=64)]
ActionTexts = Annotated[list[ActionText], Meta(max_length=MAX_ACTIONS)]
NoticesSeen = Annotated[int, Meta(ge=0)]  # how many notices of the viewer's stream the client has


class Hello(msgspec.Struct, tag="hello", forbid_unknown_fields=True, kw_only=True):
    """The first message. The key gives access to its seats; the client already has `notices_seen` notices of `seat`."""

    version: int
    key: Annotated[str, Meta(max_length=64)] = ""
    language: LanguageCode = DEFAULT_LANGUAGE
    seat: Viewer | None = None
    notices_seen: NoticesSeen = 0
    text_mode: bool = False  # describe everything in words as well


class Join(msgspec.Struct, tag="join", forbid_unknown_fields=True, kw_only=True):
    """Take the key's seats, with a name and random bytes for the match seed."""

    id: MessageId
    name: Name = ""
    share: Share


class SwitchView(msgspec.Struct, tag="switch_view", forbid_unknown_fields=True, kw_only=True):
    """See the table from another of the client's seats, in another language, or in text mode; null changes nothing."""

    seat: Viewer
    language: LanguageCode | None = None
    notices_seen: NoticesSeen = 0
    text_mode: bool | None = None


class Draft(msgspec.Struct, tag="draft", forbid_unknown_fields=True, kw_only=True):
    """Ask what the table would look like, and what would be legal next, after actions that are not played yet."""

    id: MessageId
    seat: Seat
    action_texts: ActionTexts


class PlayMessage(msgspec.Struct, tag="play", forbid_unknown_fields=True, kw_only=True):
    """Play all these actions or none; the player had seen `notices_seen` notices when choosing them."""

    id: MessageId
    seat: Seat
    notices_seen: int
    action_texts: Annotated[list[ActionText], Meta(min_length=1, max_length=MAX_ACTIONS)]


class PathRequest(msgspec.Struct, tag="path", forbid_unknown_fields=True, kw_only=True):
    """Ask for the path that an action would take after the drafted `action_texts`."""

    id: MessageId
    seat: Seat
    action_texts: ActionTexts
    action_text: ActionText


class Check(msgspec.Struct, tag="check", forbid_unknown_fields=True, kw_only=True):
    """Ask the referee for mistakes on one's own board, after the actions of a draft."""

    id: MessageId
    seat: Seat
    action_texts: ActionTexts = []


class Doubt(msgspec.Struct, tag="doubt", forbid_unknown_fields=True, kw_only=True):
    """Ask the referee whether there is a mistake on another seat's board, as it was at the end of the last round."""

    id: MessageId
    seat: Seat  # that asks
    board: Seat


class Undo(msgspec.Struct, tag="undo", forbid_unknown_fields=True, kw_only=True):
    """Undo what the seat has played since something new was revealed."""

    id: MessageId
    seat: Seat


class RequestUndo(msgspec.Struct, tag="request_undo", forbid_unknown_fields=True, kw_only=True):
    """Ask the others to let the seat undo its last turn."""

    id: MessageId
    seat: Seat


class AnswerUndo(msgspec.Struct, tag="answer_undo", forbid_unknown_fields=True, kw_only=True):
    """Answer such a request."""

    id: MessageId
    seat: Seat
    accepts: bool


class StandIn(msgspec.Struct, tag="stand_in", forbid_unknown_fields=True, kw_only=True):
    """Let a bot play for one's own seat or an absent person's; with an empty level, the person plays again."""

    id: MessageId
    seat: Seat
    level: Annotated[str, Meta(max_length=16)] = ""


class Hint(msgspec.Struct, tag="hint", forbid_unknown_fields=True, kw_only=True):
    """Ask what a strong bot would play on one's own seat."""

    id: MessageId
    seat: Seat


class Past(msgspec.Struct, tag="past", forbid_unknown_fields=True, kw_only=True):
    """Ask what the viewed seat saw after its first `notice_count` notices."""

    id: MessageId
    notice_count: Annotated[int, Meta(ge=0)]


class Resign(msgspec.Struct, tag="resign", forbid_unknown_fields=True, kw_only=True):
    """Resign for one's own seat."""

    id: MessageId
    seat: Seat


class End(msgspec.Struct, tag="end", forbid_unknown_fields=True, kw_only=True):
    """Stop a match that no other people are playing; it has no result."""

    id: MessageId


class Rematch(msgspec.Struct, tag="rematch", forbid_unknown_fields=True, kw_only=True):
    """Play again with the same people; a match that is still running is ended first, if `end` would be allowed."""

    id: MessageId


class Say(msgspec.Struct, tag="say", forbid_unknown_fields=True, kw_only=True):
    """Say one of the chat phrases."""

    seat: Seat
    phrase: Phrase


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Keep the connection alive; answered by a pong."""


ClientMessage = (
    Hello
    | Join
    | SwitchView
    | Draft
    | PlayMessage
    | PathRequest
    | Check
    | Doubt
    | Undo
    | RequestUndo
    | AnswerUndo
    | StandIn
    | Hint
    | Past
    | Resign
    | End
    | Rematch
    | Say
    | Ping
)


decode_message = msgspec.json.Decoder(ClientMessage).decode
