"""The record of a match as a file: JSON Lines, described in `docs/record.md`. Reader, writer and verifier."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Game, IllegalAction, Material, NotationError, Position
from threespan.core.match import Match
from threespan.core.material import MaterialError
from threespan.core.options import OptionError, read_options
from threespan.core.registry import UnknownGame, find_game
from threespan.core.rules import CHANCE

VERSION = 1


class RecordError(UserError):
    """A record cannot be read or does not hold; `line` counts from 1, 0 means the file as a whole."""

    def __init__(self, line: int, reason: str) -> None:
        """Complain about a line of a record."""
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line, self.reason = line, reason


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line: what is played, with what, by whom."""

    threespan: int
    game: str
    options: dict[str, Any]
    material: Material
    seats: list[str]
    commitment: str
    shares: list[str] = []


class EventLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line for every action, chance's included."""

    seat: int | Literal["chance"]
    do: str


class OutcomeLine(msgspec.Struct, forbid_unknown_fields=True):
    """The line after the last event of a finished match."""

    scores: list[int]
    ranks: list[int]


class SeedLine(msgspec.Struct, forbid_unknown_fields=True):
    """The last line, once nothing needs to stay secret: it opens the commitment."""

    secret: str
    salt: str


class Record(msgspec.Struct):
    """A record as read: well formed, not yet verified."""

    header: Header
    events: list[EventLine]
    outcome: OutcomeLine | None = None
    seed: SeedLine | None = None


def write_record(match: Match, reveal: bool | None = None) -> str:
    """The record of a match; `reveal` tells whether the seed goes into it (default: once the match is over)."""
    is_over = match.position.is_over
    header = Header(
        threespan=VERSION,
        game=match.game.code,
        options=msgspec.to_builtins(match.position.options),
        material=match.position.material,
        seats=match.names,
        commitment=match.seed.commitment,
        shares=[share.hex() for share in match.seed.shares],
    )
    lines: list[msgspec.Struct] = [header]
    lines += [EventLine("chance" if e.seat == CHANCE else e.seat, e.text) for e in match.events]
    if is_over:
        lines.append(OutcomeLine(*match.position.outcome()))
    if is_over if reveal is None else reveal:
        lines.append(SeedLine(match.seed.secret.hex(), match.seed.salt.hex()))
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def load_record(file: Path) -> Record:
    """Read a record from a file; raises RecordError."""
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError:
        raise RecordError(0, "not a text file") from None
    except OSError as error:
        raise RecordError(0, error.strerror or str(error)) from None
    return read_record(text)


def read_record(text: str) -> Record:
    """Read a record from its text; raises RecordError."""
    lines = text.split("\n")
    if lines[-1]:
        raise RecordError(len(lines), "the record is cut off in the middle of this line")
    if lines == [""]:
        raise RecordError(0, "the record is empty")
    del lines[-1]
    record = Record(_decode(lines[0], 1, Header), [])
    if record.header.threespan != VERSION:
        raise RecordError(1, f"version {record.header.threespan} of the format is not known here")
    for number, line in enumerate(lines[1:], 2):
        if record.seed is not None:
            raise RecordError(number, "nothing may follow the seed")
        kind = _line_kind(line, number)
        value = _decode(line, number, kind)
        if isinstance(value, SeedLine):
            record.seed = value
        elif record.outcome is not None:
            raise RecordError(number, "only the seed may follow the outcome")
        elif isinstance(value, OutcomeLine):
            record.outcome = value
        else:
            record.events.append(value)
    return record


def open_record(record: Record) -> tuple[Match, Iterator[int]]:
    """The match of a record at its start, and a replay that yields the line of each event once it is played.

    Raises RecordError where the record breaks a rule or its seed would have chance do something else.
    """
    game, match = _first_position(record)
    return match, _replay(game, match, record)


def replay(record: Record) -> Match:
    """The match of a record after its last event; raises RecordError."""
    match, steps = open_record(record)
    for _ in steps:
        pass
    return match


def verify(record: Record, unfinished: bool = False) -> Match:
    """Replay a record and check its end too: over, outcome right, seed opened. Raises RecordError."""
    match = replay(record)
    end = len(record.events) + 2
    is_over = match.position.is_over
    if record.outcome is not None:
        if not is_over:
            raise RecordError(end, "there is an outcome, but the match is not over")
        scores, ranks = match.position.outcome()
        if record.outcome.scores != scores:
            raise RecordError(end, f"scores {record.outcome.scores} are not possible: the play gives {scores}")
        if record.outcome.ranks != ranks:
            raise RecordError(end, f"ranks {record.outcome.ranks} are not possible: the play gives {ranks}")
    if unfinished:
        return match
    if not is_over:
        raise RecordError(end - 1, "the record ends here, before the match is over")
    if record.outcome is None:
        raise RecordError(end, "the outcome is missing")
    if record.seed is None:
        raise RecordError(end + 1, "the seed is missing, so chance cannot be verified")
    return match


def _first_position(record: Record) -> tuple[Game, Match]:
    header = record.header
    try:
        game = find_game(header.game)
        options = read_options(game.options, header.options)
        state = game.setup(options, header.material)
    except (UnknownGame, OptionError, MaterialError) as error:
        raise RecordError(1, str(error)) from None
    if len(header.seats) != options.players:
        raise RecordError(1, f"{len(header.seats)} names for {options.players} players")
    shares = tuple(_from_hex(share, 1, "share") for share in header.shares)
    line = len(record.events) + 2 + (record.outcome is not None)
    if record.seed is None:
        seed = MatchSeed(b"", b"", shares)
    else:
        secret, salt = (
            _from_hex(record.seed.secret, line, "secret"),
            _from_hex(record.seed.salt, line, "salt"),
        )
        seed = MatchSeed(secret, salt, shares)
        if seed.commitment != header.commitment:
            raise RecordError(line, "the seed does not fit the commitment in line 1")
    return game, Match(Position(game, options, header.material, state), seed, header.seats)


def _replay(game: Game, match: Match, record: Record) -> Iterator[int]:
    for number, event in enumerate(record.events, 2):
        seat = CHANCE if event.seat == "chance" else event.seat
        if seat != CHANCE and seat not in match.position.seats:
            raise RecordError(number, f"there is no seat {seat}")
        try:
            action = game.parse_action(match.position.state, event.do)
            if seat == CHANCE and record.seed is not None and match.position.acting() == [CHANCE]:
                expected = match.chance_action()
                if action != expected and action in match.position.legal(CHANCE):
                    text = game.action_text(match.position.state, expected)
                    raise RecordError(number, f"chance did '{event.do}', but the seed says '{text}'")
            match.append(seat, action)
        except (NotationError, IllegalAction) as error:
            raise RecordError(number, str(error)) from None
        yield number


def _line_kind(line: str, number: int) -> type[EventLine | OutcomeLine | SeedLine]:
    keys = _decode(line, number, dict[str, msgspec.Raw])
    if "do" in keys or "seat" in keys:
        return EventLine
    return OutcomeLine if "scores" in keys else SeedLine


def _decode(line: str, number: int, kind: Any) -> Any:
    try:
        return msgspec.json.decode(line.encode(), type=kind)
    except msgspec.MsgspecError as error:
        raise RecordError(number, str(error)) from None


def _from_hex(text: str, line: int, what: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise RecordError(line, f"the {what} is not in hexadecimal") from None
