"""Parts that messages in both directions share."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from threespan.core.words import LANGUAGES
from threespan.table.events import SeatKind

VERSION = 1  # of the protocol

Seat = Annotated[int, Meta(ge=0, le=3)]
Viewer = Annotated[int, Meta(ge=-1, le=3)]  # a seat, or -1 for a spectator
LANGUAGE_PATTERN = f"^({'|'.join(LANGUAGES)})(?!\n)$"  # `$` alone would allow a line break after it
LanguageCode = Annotated[str, Meta(pattern=LANGUAGE_PATTERN)]
Status = Literal["gathering", "playing", "over", "archived"]  # gathering: people still have to join
# The chat phrases; their texts are under `phrase` in words/*.toml.
Phrase = Literal["hello", "good_luck", "nice_move", "thanks", "oops", "thinking", "hurry", "good_game", "again"]


class SeatInfo(msgspec.Struct):
    """A seat as everybody may see it."""

    kind: SeatKind
    name: str
    level: str  # of the bot that plays here now, empty for a person
    has_joined: bool
    is_connected: bool


class TableInfo(msgspec.Struct):
    """A table as everybody may see it."""

    id: str
    game: str
    options: dict[str, int | bool | str]
    status: Status
    is_public: bool
    clock: int  # seconds for a move, 0 for no limit
    seats: list[SeatInfo]
    commitment: str  # to the server's part of the match seed
    shares: list[str]  # the players' parts of the match seed, in hexadecimal
    created_at: int  # milliseconds since 1970
    rematch_of: str  # the table where the same people played before
    rematch: str  # the table where the same people play again
    acting: list[int]  # whose turn it is
    resigned: list[int]  # the seats that have resigned, in that order
    is_ended: bool  # the players have stopped the match: it has no result
    bots_are_loading: bool = False  # bots are being loaded or compiled, and may be slow to move


encode_message = msgspec.json.Encoder().encode
