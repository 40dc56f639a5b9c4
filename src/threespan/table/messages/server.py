"""Messages from a table to its clients."""

from collections.abc import Sequence

import msgspec

from threespan.table.messages.shared import Phrase, TableInfo


class Notice(msgspec.Struct):
    """Something that happened, as far as the viewer may know it: an action, or that the last `undone` were undone.

    `sentence` describes it in the viewer's language. Several notices in a row with the same `group` can be summed up
    by the text of that name in the game's `many`.
    """

    seat: int  # 4 is chance
    action_text: str
    sentence: str
    undone: int = 0
    path: Sequence[str] = []  # the places that the action passed through, in games that have paths
    group: str = ""


class ScoreLine(msgspec.Struct):
    """The points that a clause gives a seat, or that mistakes against it have cost."""

    rule: str
    text: str  # what the points are for, in the viewer's language
    points: int
    lost: int | None = None  # for a line about mistakes: the points that they have cost


class FaultInfo(msgspec.Struct):
    """A mark on one's own board that breaks a clause."""

    rule: str
    text: str  # which mark it is and what is wrong with it, in the viewer's language
    places: list[str]  # to highlight: the mark itself, then what it affects
    action_text: str  # of the action that removes it now; empty if there is none


class Button(msgspec.Struct):
    """A legal action that has no place on the board."""

    action_text: str
    label: str
    is_finisher: bool  # it only ends what the player is doing
    is_done: bool  # it ends the turn and plays the draft
    is_answer: bool = False  # it always needs Done, even as the only choice: its speed must give nothing away


class Situation(msgspec.Struct):
    """The current situation as one viewer sees it."""

    view: msgspec.Raw
    acting: list[int]
    scores: list[int]
    legal: list[str]  # legal actions of the viewed seat, as texts
    prompt: str  # what that seat has to do now, in the viewer's language
    buttons: list[Button]  # the legal actions that have no place on the board
    labels: list[str]  # the legal actions in plain words, in the same order; only in text mode
    lines: list[str]  # the position in plain words; only in text mode


class Clock(msgspec.Struct):
    """How much time a seat has left for its move."""

    seat: int
    ms_left: int


class Result(msgspec.Struct):
    """The end of a match, explained line by line."""

    ranks: list[int]
    sheets: list[list[ScoreLine]]
    verdicts: list[str]
    is_own: list[bool]  # whether the seat's person played every turn without a bot
    secret: str
    salt: str


class Welcome(msgspec.Struct, tag="welcome", kw_only=True):
    """The answer to hello: everything about the table."""

    version: int
    table: TableInfo
    own_seats: list[int]
    scene: msgspec.Raw
    update: "Update | None"  # null before the match starts


class Update(msgspec.Struct, tag="update", kw_only=True):
    """Something has changed. `notices` are the new ones, `notice_count` is the total including them."""

    seat: int  # whose view this is; -1 for a spectator
    notice_count: int
    notices: list[Notice]
    now: Situation
    clocks: list[Clock]
    may_undo: bool
    may_request_undo: bool
    undo_request: int | None  # the seat that asks to undo its last turn
    may_check: bool  # whether a referee can check the viewed seat's board
    may_doubt: bool  # whether that seat may doubt the boards of others now
    result: Result | None


class Seats(msgspec.Struct, tag="seats"):
    """Somebody has connected, left, or been replaced by a bot."""

    table: TableInfo


class Preview(msgspec.Struct, tag="preview"):
    """The table after the actions of a draft. If `is_complete`, the turn is complete and can only be played."""

    id: str
    now: Situation
    is_complete: bool


class PathAnswer(msgspec.Struct, tag="path"):
    """The places that an action passes through, in order."""

    id: str
    path: list[str]


class Checked(msgspec.Struct, tag="checked"):
    """The mistakes that the referee finds on one's own board."""

    id: str
    seat: int
    faults: list[FaultInfo]
    text: str  # the same in one sentence


class Doubted(msgspec.Struct, tag="doubted"):
    """Whether there is a mistake on the board that was doubted; nobody else learns of it."""

    id: str
    board: int
    is_wrong: bool
    text: str


class PastView(msgspec.Struct, tag="past"):
    """What the viewed seat saw after its first `notice_count` notices."""

    id: str
    notice_count: int
    view: msgspec.Raw
    lines: list[str]  # the position in plain words; only in text mode


class Done(msgspec.Struct, tag="done"):
    """A message was carried out and stored."""

    id: str


class Refused(msgspec.Struct, tag="refused"):
    """A request was not carried out, and why, in the viewer's language."""

    id: str
    code: str  # the name of a clause, or one of the server's own codes
    text: str
    index: int | None = None  # of the action that was refused, if there were several


class Hinted(msgspec.Struct, tag="hinted"):
    """What a strong bot would play."""

    id: str
    action_texts: list[str]
    sentences: list[str]  # the actions in plain words


class Said(msgspec.Struct, tag="said"):
    """Somebody says a chat phrase, here in the viewer's language."""

    seat: int
    phrase: Phrase
    text: str


class Rematching(msgspec.Struct, tag="rematching"):
    """The same people play again at another table, with the same keys."""

    table: str


class Pong(msgspec.Struct, tag="pong"):
    """The answer to a ping."""


class Failed(msgspec.Struct, tag="failed"):
    """A message could not be understood, or something went wrong; the connection may be closed after it."""

    code: str
    text: str


class Bye(msgspec.Struct, tag="bye"):
    """The server closes the connection; reconnect after a moment, unless `code` says that this cannot help."""

    code: str
    text: str


ServerMessage = (
    Welcome | Update | Seats | Preview | PathAnswer | Checked | Doubted | PastView | Done | Refused | Hinted | Said
    | Rematching | Pong | Failed | Bye
)  # fmt: skip
