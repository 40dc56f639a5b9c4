"""Reading, writing and verifying records of matches: JSON Lines files, described in `docs/record.md`.

Records outlive the program that wrote them. The header has two versions: that of the format, which says how to read the
lines, and that of the game's rules, which says which options existed.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError, printable, shortened
from threespan.core.game import Game, IllegalAction, Material, NotationError, Position
from threespan.core.match import Match
from threespan.core.options import (
    Options,
    option_values,
    read_recorded_options,
    refuse_later_options,
)
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE

FORMAT = 2  # the version that is written; earlier ones can be read
_FIRST_RULES = 1  # the version of the rules for records in the first format


class RecordError(UserError):
    """A record cannot be read or is not correct; `line` counts from 1, 0 means the file as a whole."""

    def __init__(self, line: int, reason: str) -> None:
        """Report a problem in a line of a record."""
        reason = printable(reason, _MAX_REASON_LENGTH)
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line, self.reason = line, reason


_MAX_REASON_LENGTH = 400


class Header(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The first line: the game, its rules and options, the material and the players."""

    threespan: int
    game: str
    rules: int  # the version of the game's rules
    options: dict[str, Any]  # exactly those of this version of the rules
    material: Material
    seats: list[str]
    commitment: str
    shares: list[str] = []


class _FirstHeader(Header, forbid_unknown_fields=True, kw_only=True):
    """The first line in the first format, which had no version of the rules."""

    rules: int = _FIRST_RULES


class EventLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line for every action, including those of chance; `do` is its text form."""

    seat: int | Literal["chance"]
    do: str


class OutcomeLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The line after the last event of a finished match."""

    scores: list[int]
    ranks: list[int]
    resigned: list[int] = []  # the seats that resigned, in that order


class SeedLine(msgspec.Struct, forbid_unknown_fields=True):
    """The last line, once nothing needs to stay secret: it reveals what the commitment was made from."""

    secret: str
    salt: str


class Record(msgspec.Struct):
    """A record that is well formed but not verified yet."""

    header: Header
    events: list[EventLine]
    outcome: OutcomeLine | None = None
    seed: SeedLine | None = None


def write_record(match: Match, reveal: bool | None = None) -> str:
    """The record of a match; `reveal` says whether to include the seed (default: if the match is over)."""
    is_over = match.is_over
    header = Header(
        threespan=FORMAT,
        game=match.game.code,
        rules=match.game.version,
        options=option_values(match.position.options),
        material=match.position.material,
        seats=match.names,
        commitment=match.seed.commitment,
        shares=[share.hex() for share in match.seed.shares],
    )
    lines: list[msgspec.Struct] = [header]
    lines += [EventLine("chance" if e.seat == CHANCE else e.seat, e.action_text) for e in match.events]
    if is_over:
        lines.append(OutcomeLine(*match.outcome(), resigned=match.resigned))
    if is_over if reveal is None else reveal:
        lines.append(SeedLine(match.seed.secret.hex(), match.seed.salt.hex()))
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def load_record(file: Path) -> Record:
    """Read a record from a file; raises RecordError."""
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_FILE_SIZE + 1)  # a device may never end
    except OSError as error:
        raise RecordError(0, error.strerror or str(error)) from None
    if len(content) > _MAX_FILE_SIZE:
        raise RecordError(0, f"this is not a record: it is larger than {_MAX_FILE_SIZE >> 20} MiB")
    try:
        return read_record(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise RecordError(0, "not a text file") from None


_MAX_FILE_SIZE = 64 << 20  # a hundred times the longest possible match


def read_record(text: str) -> Record:
    """Read a record from its text; raises RecordError."""
    lines = text.split("\n")
    if lines[-1]:
        raise RecordError(len(lines), "the record is cut off in the middle of this line")
    if lines == [""]:
        raise RecordError(0, "the record is empty")
    del lines[-1]
    return _READERS[_format_of(lines[0])](lines)


def _format_of(line: str) -> int:
    version = _decode(line, 1, dict[str, msgspec.Raw]).get("threespan")
    if version is None:
        raise RecordError(1, "this is not a record: its first line has no key 'threespan'")
    try:
        number = msgspec.json.decode(version, type=int)
    except msgspec.ValidationError:
        raise RecordError(1, "'threespan', the version of the format, must be a whole number") from None
    if number not in _READERS:
        raise RecordError(1, f"version {number} of the format is unknown; known versions are 1 to {FORMAT}")
    return number


def _read_first_format(lines: list[str]) -> Record:
    header: _FirstHeader = _decode(lines[0], 1, _FirstHeader)
    if header.rules != _FIRST_RULES:
        raise RecordError(1, "version 1 of the format cannot name a version of the rules")
    return _read_lines(header, lines)


def _read_second_format(lines: list[str]) -> Record:
    header: Header = _decode(lines[0], 1, Header)
    return _read_lines(header, lines)


_READERS: dict[int, Callable[[list[str]], Record]] = {1: _read_first_format, FORMAT: _read_second_format}


def _read_lines(header: Header, lines: list[str]) -> Record:
    record = Record(header, [])
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
    """The match of a record at its start, and an iterator that plays one event at a time and yields its line number.

    The iterator raises RecordError if an event breaks a rule or differs from what the seed determines.
    """
    game, match = _first_position(record)
    return match, _replay(game, match, record)


def replay(record: Record) -> Match:
    """The match of a record after its last event; raises RecordError."""
    match, events = open_record(record)
    for _ in events:
        pass
    return match


def verify(record: Record, unfinished: bool = False) -> Match:
    """Replay a record and check its end: that the match is over, the outcome, and the seed. Raises RecordError."""
    match = replay(record)
    end = len(record.events) + 2
    is_over = match.is_over
    if record.outcome is not None:
        if not is_over:
            raise RecordError(end, "there is an outcome, but the match is not over")
        scores, ranks = match.outcome()
        if record.outcome.scores != scores:
            raise RecordError(end, f"scores {record.outcome.scores} are wrong: the match gives {scores}")
        if record.outcome.ranks != ranks:
            raise RecordError(end, f"ranks {record.outcome.ranks} are wrong: the match gives {ranks}")
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
        options = _options_of(game, header)
        state = game.setup(options, header.material)
        game.check_material(options, header.material)
    except RecordError:
        raise
    except UserError as error:
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
            raise RecordError(line, "the seed does not match the commitment in line 1")
    return game, Match(Position(game, options, header.material, state), seed, header.seats)


def _options_of(game: Game, header: Header) -> Options:
    if not _FIRST_RULES <= header.rules <= game.version:
        known = f"known versions are 1 to {game.version}"
        raise RecordError(1, f"version {header.rules} of the rules of {game.code} is unknown; {known}")
    if header.threespan > 1:  # the first format allowed them, since it did not name a version of the rules
        refuse_later_options(game.options, header.options, header.rules)
    return read_recorded_options(game.options, header.options, header.rules, game.version)


def _replay(game: Game, match: Match, record: Record) -> Iterator[int]:
    for number, event in enumerate(record.events, 2):
        if event.seat != "chance" and event.seat not in match.position.seats:
            raise RecordError(number, f"there is no seat {event.seat}")
        seat = CHANCE if event.seat == "chance" else event.seat
        try:
            action = game.parse_action(match.position.state, event.do)
            action_text = game.action_text(match.position.state, action)
            if event.do != action_text:
                raise RecordError(number, f"'{shortened(event.do)}' must be written '{action_text}'")
            if seat == CHANCE and record.seed is not None and match.position.acting() == [CHANCE]:
                expected = match.chance_action()
                if action != expected and action in match.position.legal(CHANCE):
                    expected_text = game.action_text(match.position.state, expected)
                    raise RecordError(number, f"chance did '{event.do}', but the seed gives '{expected_text}'")
            match.append(seat, action)
        except (NotationError, IllegalAction) as error:
            raise RecordError(number, str(error)) from None
        yield number
    if record.outcome is not None and record.outcome.resigned:
        _resign(match, record.outcome.resigned, len(record.events) + 2)


def _resign(match: Match, seats: list[int], line: int) -> None:
    """Apply resignations; raises RecordError for those that are impossible."""
    for seat in seats:
        if seat not in match.position.seats:
            raise RecordError(line, f"there is no seat {seat}, so it cannot have resigned")
        if seat in match.resigned:
            raise RecordError(line, f"seat {seat} cannot have resigned twice")
        if match.is_decided:
            raise RecordError(line, f"seat {seat} cannot have resigned: the match was over")
        match.resigned.append(seat)
    if match.is_decided and match.position.is_over:
        raise RecordError(line, f"seat {seats[-1]} cannot have resigned last: that would have ended the match earlier")
    if match.is_decided and match.position.acting() == [CHANCE]:
        raise RecordError(line, f"seat {seats[-1]} cannot have resigned here: chance acts first")


def _line_kind(line: str, number: int) -> type[EventLine | OutcomeLine | SeedLine]:
    keys = _decode(line, number, dict[str, msgspec.Raw])
    if "do" in keys or "seat" in keys:
        return EventLine
    return OutcomeLine if "scores" in keys else SeedLine


def _decode(line: str, number: int, kind: Any) -> Any:
    def refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> None:
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise RecordError(number, f"the key '{shortened(key)}' occurs twice")
            keys.add(key)

    try:
        json.loads(line, object_pairs_hook=refuse_duplicate_keys)  # msgspec would use the last
        return msgspec.json.decode(line.encode(), type=kind)
    except RecursionError:
        raise RecordError(number, "values are nested too deeply") from None
    except (json.JSONDecodeError, UnicodeEncodeError, msgspec.MsgspecError) as error:
        raise RecordError(number, str(error)) from None
    except RecordError:
        raise
    except ValueError:
        raise RecordError(number, "a number has too many digits") from None


def _from_hex(text: str, line: int, what: str) -> bytes:
    if not _HEX.fullmatch(text):  # bytes.fromhex would allow spaces and capitals, too
        raise RecordError(line, f"the {what} is not in hexadecimal")
    return bytes.fromhex(text)


_HEX = re.compile("([0-9a-f]{2})*")
