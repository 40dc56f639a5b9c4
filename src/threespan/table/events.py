"""What is stored of a table: its charter and its events."""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from threespan.core.game import Material

MAX_NAME = 24
SHARE_HEX = 64  # 32 bytes
Name = Annotated[str, Meta(max_length=MAX_NAME)]
Share = Annotated[str, Meta(pattern=f"^[0-9a-f]{{{SHARE_HEX}}}$")]

SeatKind = Literal["here", "link", "open", "bot"]


class SeatSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who a seat is for: somebody at the device that opened the table, somebody with a link, anybody, or a bot."""

    kind: SeatKind
    level: str = ""  # of the bot, for kind "bot"
    name: Name = ""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays this seat from the start."""
        return self.kind == "bot"


class Charter(msgspec.Struct, frozen=True):
    """What was chosen when the table was opened. It never changes."""

    game: str
    options: dict[str, int | bool | str]
    material: Material
    seats: tuple[SeatSetup, ...]
    is_public: bool
    clock: int  # seconds for a move, 0 for no limit
    secret: str  # in hexadecimal; published only when the match is over
    salt: str
    rematch_of: str = ""
    rules_version: int = 1


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """Somebody has taken seats and contributed random bytes (their share) to the match seed."""

    seats: tuple[int, ...]
    name: str
    share: str


class Acted(msgspec.Struct, frozen=True, tag="acted"):
    """A seat or chance played an action."""

    seat: int
    action_text: str


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """A seat has undone its last actions: those at these indices in `TableState.played`."""

    seat: int
    indices: tuple[int, ...]


class UndoRequested(msgspec.Struct, frozen=True, tag="undo_requested"):
    """A seat asks the others to let it undo its last turn."""

    seat: int


class UndoAnswered(msgspec.Struct, frozen=True, tag="undo_answered"):
    """A seat answers such a request."""

    seat: int
    accepts: bool


class Replaced(msgspec.Struct, frozen=True, tag="replaced"):
    """A bot plays for a person from now on; with an empty level, the person plays again."""

    seat: int
    level: str = ""


class TimedOut(msgspec.Struct, frozen=True, tag="timed_out"):
    """A clock has run out: a bot finishes the turn."""

    seat: int


class Resigned(msgspec.Struct, frozen=True, tag="resigned"):
    """A person has resigned: the match is over, or a bot plays on and the seat ranks last."""

    seat: int


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The players have stopped the match: it has no result."""


class Rematched(msgspec.Struct, frozen=True, tag="rematched"):
    """The same people play again at another table."""

    table: str


TableEvent = (
    Joined | Acted | Undone | UndoRequested | UndoAnswered | Replaced | TimedOut | Resigned | Ended | Rematched
)  # fmt: skip


class EventRow(NamedTuple):
    """A stored event."""

    sequence: int
    at: int  # milliseconds since 1970
    request: str | None  # key of the message that caused it; only the first of its events has it
    body: bytes


def request_key(seats: Sequence[int], message_id: str) -> str:
    """The key by which a repeated message is recognised, so that it is carried out only once."""
    return f"{','.join(map(str, seats))}:{message_id}"


encode = msgspec.json.Encoder().encode
decode_event = msgspec.json.Decoder(TableEvent).decode
decode_charter = msgspec.json.Decoder(Charter).decode
