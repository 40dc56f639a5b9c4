"""What is stored of a table: its charter, and the events that happen at it."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from threespan.core.game import Material

MAX_NAME = 24
SHARE_HEX = 64  # 32 bytes
Name = Annotated[str, Meta(max_length=MAX_NAME)]
Share = Annotated[str, Meta(pattern=f"^[0-9a-f]{{{SHARE_HEX}}}$")]

SeatKind = Literal["here", "link", "open", "bot"]


class SeatPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits on a seat: somebody at the device that opened the table, somebody with a link, anybody, or a bot."""

    kind: SeatKind
    level: str = ""  # of a bot
    name: Name = ""

    @property
    def is_bot(self) -> bool:
        """Whether nobody has to come for this seat."""
        return self.kind == "bot"


class Charter(msgspec.Struct, frozen=True):
    """What was agreed when a table was opened. It never changes."""

    game: str
    options: dict[str, int | bool | str]
    material: Material
    seats: tuple[SeatPlan, ...]
    is_public: bool
    clock: int  # seconds for a move, 0 for as long as you like
    secret: str  # in hexadecimal; it leaves the server only when the match is over
    salt: str
    rematch_of: str = ""


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """Somebody has taken seats and thrown in random bytes."""

    seats: tuple[int, ...]
    name: str
    share: str


class Acted(msgspec.Struct, frozen=True, tag="acted"):
    """A seat or chance did something."""

    seat: int
    do: str


class TookBack(msgspec.Struct, frozen=True, tag="took_back"):
    """A seat took its last actions back: those at these places among the actions that stand."""

    seat: int
    acts: tuple[int, ...]


class Offered(msgspec.Struct, frozen=True, tag="offered"):
    """A seat asks to take back its last turn."""

    seat: int


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """A seat answers such an offer."""

    seat: int
    accepts: bool


class Replaced(msgspec.Struct, frozen=True, tag="replaced"):
    """A bot plays for a person from now on or, without a level, the person is back."""

    seat: int
    level: str = ""


class TimedOut(msgspec.Struct, frozen=True, tag="timed_out"):
    """A clock has run out: a bot finishes this turn."""

    seat: int


class Rematched(msgspec.Struct, frozen=True, tag="rematched"):
    """The same people go on at another table."""

    table: str


TableEvent = Joined | Acted | TookBack | Offered | Answered | Replaced | TimedOut | Rematched

encode = msgspec.json.Encoder().encode
decode_event = msgspec.json.Decoder(TableEvent).decode
decode_charter = msgspec.json.Decoder(Charter).decode
