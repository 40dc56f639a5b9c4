"""Bodies of HTTP requests and responses."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from threespan.core.options import Value
from threespan.table.events import SeatSetup
from threespan.table.messages.shared import Seat, TableInfo


class NewTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table to open. Options that are left out keep their defaults."""

    game: Annotated[str, Meta(max_length=32)]
    seats: Annotated[list[SeatSetup], Meta(min_length=1, max_length=4)]
    options: dict[Annotated[str, Meta(max_length=32)], int | bool | Annotated[str, Meta(max_length=64)]] = {}
    is_public: bool = False
    clock: Annotated[int, Meta(ge=0, le=7 * 24 * 3600)] = 0


class SeatKey(msgspec.Struct):
    """A secret that gives access to seats. It belongs in a link or a QR code: whoever has it may play there."""

    seats: list[Seat]
    key: str


class OpenedTable(msgspec.Struct):
    """A new table with all its keys; they are sent only here, and stored only as hashes."""

    id: str
    commitment: str
    keys: list[SeatKey]


class Lobby(msgspec.Struct):
    """A page of public tables, newest first; pass `after` to get the next page."""

    tables: list[TableInfo]
    after: str | None


class ReplayFrame(msgspec.Struct):
    """An action of a finished match and the position after it."""

    seat: int  # 4 is chance
    action_text: str
    view: msgspec.Raw
    scores: list[int]
    sentence: str  # the action in plain words
    lines: list[str]  # the position in plain words; only in text mode
    path: list[str] = []  # the places that the action passed through, in games that have paths
    round: int = 0  # or turn, in games that count them


class Replay(msgspec.Struct):
    """A part of a finished match; frame 0 is the position before the first action, with an empty `action_text`."""

    total: int
    first: int
    scene: msgspec.Raw
    frames: list[ReplayFrame]


class Problem(msgspec.Struct):
    """Why a request was refused, in plain words."""

    code: str
    text: str


class ClauseInfo(msgspec.Struct):
    """A clause of the rules."""

    name: str
    kind: str
    title: str
    text: str
    refused: str  # what to tell a player who breaks it


class SectionInfo(msgspec.Struct):
    """A chapter of the rules."""

    title: str
    text: str
    clauses: list[ClauseInfo]


class RulesInfo(msgspec.Struct):
    """The rules of a game in one language."""

    title: str
    text: str
    sections: list[SectionInfo]


class BotInfo(msgspec.Struct):
    """A bot of a game: its level and its character."""

    level: str
    level_name: str
    name: str
    line: str  # one sentence about the character


class OptionValue(msgspec.Struct):
    """A value of an option and its title."""

    value: Value
    title: str
    effect: str = ""  # what it means in one sentence, if the option is a house rule


class OptionInfo(msgspec.Struct):
    """An option: a `range` takes the numbers from `low` to `high` and any of `values`, a `choice` one of `values`.

    It is shown only while the options in `only_with` have one of the values listed there; `max_with` limits a number
    depending on the value of another option.
    """

    name: str
    title: str
    kind: Literal["range", "choice"]
    default: Value
    values: list[OptionValue]
    low: int
    high: int
    only_with: dict[str, list[Value]]
    max_with: dict[str, list[tuple[Value, int]]]
    is_seat: bool  # its numbers are seats
    is_house_rule: bool  # its values have an `effect`


class GameInfo(msgspec.Struct):
    """A game, with everything needed to present it and to open a table."""

    code: str
    name: str
    pitch: str
    minutes: int
    min_players: int
    max_players: int
    hidden: Literal["nothing", "moves", "hands"]  # what players may not know of each other
    options: list[OptionInfo]
    many: dict[str, str]  # texts that sum up {count} notices in a row, by their `group`
    bots: list[BotInfo]  # from weak to strong


class QrText(msgspec.Struct):
    """The text to encode as a QR code."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class NetworkInfo(msgspec.Struct):
    """How others in the local network reach this server; only sent to the machine that it runs on."""

    address: str  # the start of links for others; empty if nobody else can reach the server
    may_open: bool  # whether the server can be opened to the local network
    has_network: bool  # whether the machine is in a local network


class Health(msgspec.Struct):
    """The health of a worker."""

    ok: bool
    worker: str
