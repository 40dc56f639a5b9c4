"""The messages between a table and those around it, version 1. `docs/protocol.md` tells how they go together.

TypeScript types are generated from these structs (`python -m threespan.server.typescript`).
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from threespan.core.rulebook import Language
from threespan.server.events import Name, SeatKind, SeatPlan, Share

VERSION = 1
MAX_STEPS = 24  # in one message; the longest turn has fewer
MAX_ID = 40

Seat = Annotated[int, Meta(ge=0, le=3)]
Viewer = Annotated[int, Meta(ge=-1, le=3)]  # a seat, or -1: somebody who watches
MessageId = Annotated[str, Meta(max_length=MAX_ID, pattern="^[!-~]+$")]
ActionText = Annotated[str, Meta(max_length=64)]
Steps = Annotated[list[ActionText], Meta(max_length=MAX_STEPS)]
Status = Literal["gathering", "playing", "over", "archived"]
Phrase = Literal["hello", "good_luck", "nice_move", "thanks", "oops", "thinking", "hurry", "good_game", "again"]


# Lobby: bodies of HTTP requests and answers


class NewTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table to open. Options that are left out keep their defaults."""

    game: Annotated[str, Meta(max_length=32)]
    seats: Annotated[list[SeatPlan], Meta(min_length=1, max_length=4)]
    options: dict[Annotated[str, Meta(max_length=32)], int | bool | Annotated[str, Meta(max_length=64)]] = {}
    is_public: bool = False
    clock: Annotated[int, Meta(ge=0, le=7 * 24 * 3600)] = 0


class SeatKey(msgspec.Struct):
    """A secret and the seats it opens. Whoever has it may play there: it belongs into a link or a QR code."""

    seats: list[Seat]
    key: str


class OpenedTable(msgspec.Struct):
    """A new table with all its secrets; they are told once and stored as hashes only."""

    id: str
    commitment: str
    keys: list[SeatKey]


class SeatInfo(msgspec.Struct):
    """A seat as everybody may see it."""

    kind: SeatKind
    name: str
    level: str  # of the bot that plays here, now or always
    is_here: bool  # has joined
    is_connected: bool


class TableInfo(msgspec.Struct):
    """A table as everybody may see it."""

    id: str
    game: str
    options: dict[str, int | bool | str]
    status: Status
    is_public: bool
    clock: int
    seats: list[SeatInfo]
    commitment: str
    shares: list[str]
    created_at: int
    rematch_of: str
    rematch: str  # the table where the same people go on
    bots_load: bool = False  # bots are loaded or compiled first; until then they may be slow to move


class Lobby(msgspec.Struct):
    """A page of public tables, newest first; `after` asks for the next one."""

    tables: list[TableInfo]
    after: str | None


class ReplayStep(msgspec.Struct):
    """An action of a finished match and what was seen after it."""

    seat: int  # 4 is chance
    do: str
    view: msgspec.Raw
    scores: list[int]
    way: list[str] = []  # the spots that the action went through, where a game has such


class Replay(msgspec.Struct):
    """A part of a finished match; the step before the first action is number 0, with an empty `do`."""

    total: int
    first: int
    scene: msgspec.Raw
    steps: list[ReplayStep]


class Problem(msgspec.Struct):
    """Why a request was refused, in plain words."""

    code: str
    text: str


# From the client


class Hello(msgspec.Struct, tag="hello", forbid_unknown_fields=True, kw_only=True):
    """The first message. With a key one may act for its seats; `have` notices of `seat` are known already."""

    version: int
    key: Annotated[str, Meta(max_length=64)] = ""
    language: Language = "en"
    seat: Viewer | None = None
    have: Annotated[int, Meta(ge=0)] = 0


class Join(msgspec.Struct, tag="join", forbid_unknown_fields=True, kw_only=True):
    """Sit down on the key's seats, with a name and random bytes for the match's chance."""

    id: MessageId
    name: Name = ""
    share: Share


class Look(msgspec.Struct, tag="look", forbid_unknown_fields=True, kw_only=True):
    """See the table as another of the own seats, or in another language."""

    seat: Viewer
    language: Language | None = None
    have: Annotated[int, Meta(ge=0)] = 0


class Draft(msgspec.Struct, tag="draft", forbid_unknown_fields=True, kw_only=True):
    """Steps that are not yet played: what would the table look like, and what could follow?"""

    id: MessageId
    seat: Seat
    steps: Steps


class PlayMessage(msgspec.Struct, tag="play", forbid_unknown_fields=True, kw_only=True):
    """Play all these steps or none; `have` notices were known when they were chosen."""

    id: MessageId
    seat: Seat
    have: int
    steps: Annotated[list[ActionText], Meta(min_length=1, max_length=MAX_STEPS)]


class Show(msgspec.Struct, tag="show", forbid_unknown_fields=True, kw_only=True):
    """Ask which way an action takes, after the steps of a draft."""

    id: MessageId
    seat: Seat
    steps: Steps
    action: ActionText


class Undo(msgspec.Struct, tag="undo", forbid_unknown_fields=True, kw_only=True):
    """Take back what the seat has played since something new was revealed."""

    id: MessageId
    seat: Seat


class Offer(msgspec.Struct, tag="offer", forbid_unknown_fields=True, kw_only=True):
    """Ask the others to let the seat take back its last turn."""

    id: MessageId
    seat: Seat


class Answer(msgspec.Struct, tag="answer", forbid_unknown_fields=True, kw_only=True):
    """Answer such an offer."""

    id: MessageId
    seat: Seat
    accepts: bool


class StandIn(msgspec.Struct, tag="stand_in", forbid_unknown_fields=True, kw_only=True):
    """Let a bot play for an own seat or an absent person's; without a level the person is back."""

    id: MessageId
    seat: Seat
    level: Annotated[str, Meta(max_length=16)] = ""


class Hint(msgspec.Struct, tag="hint", forbid_unknown_fields=True, kw_only=True):
    """Ask what a strong bot would do on the own seat."""

    id: MessageId
    seat: Seat


class Past(msgspec.Struct, tag="past", forbid_unknown_fields=True, kw_only=True):
    """Ask what the seat on show saw after its first `at` notices."""

    id: MessageId
    at: Annotated[int, Meta(ge=0)]


class Rematch(msgspec.Struct, tag="rematch", forbid_unknown_fields=True, kw_only=True):
    """Play again with the same people."""

    id: MessageId


class Say(msgspec.Struct, tag="say", forbid_unknown_fields=True, kw_only=True):
    """Say one of the set phrases."""

    seat: Seat
    phrase: Phrase


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """Ask for a sign of life."""


ClientMessage = (
    Hello
    | Join
    | Look
    | Draft
    | PlayMessage
    | Show
    | Undo
    | Offer
    | Answer
    | StandIn
    | Hint
    | Past
    | Rematch
    | Say
    | Ping
)


# From the server


class Notice(msgspec.Struct):
    """Something that happened, as this viewer may know it: an action, or the taking back of the last `back` ones."""

    seat: int  # 4 is chance
    do: str
    back: int = 0
    way: list[str] = []  # the spots that the action went through, where a game has such


class ScoreLine(msgspec.Struct):
    """What a clause gives a seat."""

    rule: str
    points: int


class Situation(msgspec.Struct):
    """How things stand for one viewer."""

    view: msgspec.Raw
    acting: list[int]
    scores: list[int]
    legal: list[str]  # of the seat on show, in text form
    prompt: str  # what that seat has to do now, in the viewer's language


class Clock(msgspec.Struct):
    """How long a seat has left for its move."""

    seat: int
    ms_left: int


class Result(msgspec.Struct):
    """The end of a match, explained line by line."""

    ranks: list[int]
    sheets: list[list[ScoreLine]]
    verdicts: list[str]
    secret: str
    salt: str


class Welcome(msgspec.Struct, tag="welcome", kw_only=True):
    """The answer to hello: everything that is to be known."""

    version: int
    table: TableInfo
    own_seats: list[int]
    scene: msgspec.Raw
    update: "Update | None"  # none before the match begins


class Update(msgspec.Struct, tag="update", kw_only=True):
    """Something has changed. `have` counts all notices, `notices` are those that are new to this viewer."""

    seat: int  # whose eyes this is for; -1: somebody who watches
    have: int
    notices: list[Notice]
    now: Situation
    clocks: list[Clock]
    may_undo: bool
    may_offer: bool
    offer: int | None  # the seat that asks to take back its last turn
    result: Result | None


class Seats(msgspec.Struct, tag="seats"):
    """Somebody has come, gone, or been replaced."""

    table: TableInfo


class Preview(msgspec.Struct, tag="preview"):
    """The table after the steps of a draft. With `is_complete` nothing can be added before it is played."""

    id: str
    now: Situation
    is_complete: bool


class Shown(msgspec.Struct, tag="shown"):
    """The way that an action takes."""

    id: str
    spots: list[str]


class PastView(msgspec.Struct, tag="past"):
    """What was seen after so many notices."""

    id: str
    at: int
    view: msgspec.Raw


class Done(msgspec.Struct, tag="done"):
    """A message was carried out and stored."""

    id: str


class Refused(msgspec.Struct, tag="refused"):
    """A message was not carried out: the clause (or the server's own reason), in the viewer's language."""

    id: str
    code: str  # the name of a clause, or of one of the server's reasons
    text: str
    step: int | None = None  # which of the steps


class Hinted(msgspec.Struct, tag="hinted"):
    """What a strong bot would do."""

    id: str
    steps: list[str]


class Said(msgspec.Struct, tag="said"):
    """Somebody says a set phrase, here in the viewer's language."""

    seat: int
    phrase: Phrase
    text: str


class Rematching(msgspec.Struct, tag="rematching"):
    """The same people go on at another table, with the same keys."""

    table: str


class Pong(msgspec.Struct, tag="pong"):
    """A sign of life."""


class Failed(msgspec.Struct, tag="failed"):
    """A message could not be understood or something went wrong; the connection may end after it."""

    code: str
    text: str


class Bye(msgspec.Struct, tag="bye"):
    """The server ends the connection; connect again after a moment unless `code` says that it would not help."""

    code: str
    text: str


ServerMessage = (
    Welcome | Update | Seats | Preview | Shown | PastView | Done | Refused | Hinted | Said | Rematching | Pong
    | Failed | Bye
)  # fmt: skip

decode_message = msgspec.json.Decoder(ClientMessage).decode
encode_message = msgspec.json.Encoder().encode
