"""The folder of a tournament: a journal with a line for every match played so far, and the records."""

import os
import sys
import time
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from threespan import __version__
from threespan.arena.play import PlayedMatch, Result
from threespan.arena.tournament import Tournament, material_digest
from threespan.core.errors import UserError

T = TypeVar("T")

JOURNAL = "arena.journal"
VERSION = 1
_SECONDS_BETWEEN_SYNCS = 1.0


class JournalError(UserError):
    """The folder of a tournament cannot be used."""


class Header(msgspec.Struct, frozen=True):
    """The first line: the tournament that the results belong to. Only the number of matches may change later."""

    arena: int
    game: str
    options: dict[str, Any]
    bots: list[str]
    seed: int
    material: str
    threespan: str
    code: str

    @classmethod
    def of(cls, tournament: Tournament) -> "Header":
        """The header of a tournament."""
        return cls(
            VERSION,
            tournament.game,
            tournament.options,
            list(tournament.bots),
            tournament.seed,
            material_digest(tournament.material),
            __version__,
            tournament.code,
        )


class Line(msgspec.Struct, frozen=True):
    """A match that was played; its record was written before this line."""

    seconds: float  # of play since the start of the tournament
    record_bytes: int
    result: Result


class Journal:
    """The folder of a tournament. A match is stored completely or not at all, however the program ends."""

    def __init__(self, folder: Path, tournament: Tournament, resume: bool) -> None:
        """Open a folder; raises JournalError if it contains another tournament, or this one without `resume`."""
        self.folder = folder
        self.done: dict[int, Result] = {}
        self.seconds = 0.0
        self._synced = time.monotonic()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(folder / JOURNAL, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise JournalError(f"{folder}: {error.strerror}") from None
        try:
            self._lock()
            self._open(tournament, resume)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.fsync(self._file)
        os.close(self._file)

    def add(self, played: PlayedMatch, seconds: float) -> None:
        """Store a match: first its record, then its line."""
        record = played.record.encode()
        file = self.record_file(played.result.index)
        part = file.with_suffix(".part")
        try:
            part.write_bytes(record)
            part.replace(file)
            self._write(Line(round(seconds, 3), len(record), played.result))
        except OSError as error:
            raise JournalError(
                f"{self.folder}: {error.strerror}; finished matches are kept, and --resume continues"
            ) from None
        self.done[played.result.index] = played.result

    def record_file(self, index: int) -> Path:
        """The file of a match's record."""
        return self.folder / f"match-{index:06}.jsonl"

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise JournalError(f"{self.folder}: another process is using this folder") from None

    def _open(self, tournament: Tournament, resume: bool) -> None:
        path = self.folder / JOURNAL
        lines = path.read_bytes().split(b"\n")
        incomplete = lines.pop()  # after a crash while writing; normally empty
        if incomplete:
            os.truncate(path, path.stat().st_size - len(incomplete))
        header = Header.of(tournament)
        if not lines:
            self._write(header)
            return
        if not resume:
            raise JournalError(
                f"{self.folder} already contains a tournament; add --resume to continue it, or choose another folder"
            )
        self._compare(self._decode(lines[0], 1, Header), header)
        for number, text in enumerate(lines[1:], 2):
            self._count(self._decode(text, number, Line), tournament)

    def _count(self, line: Line, tournament: Tournament) -> None:
        """Count a match as done if its record exists as well."""
        result = line.result
        if tournament.fixture(result.index).number >= tournament.games:
            raise JournalError(
                f"{self.folder} contains more than {tournament.games} matches per table; choose a higher --games"
            )
        self.seconds = max(self.seconds, line.seconds)
        record = self.record_file(result.index)
        if record.is_file() and record.stat().st_size == line.record_bytes:
            self.done[result.index] = result

    def _compare(self, then: Header, now: Header) -> None:
        for field in msgspec.structs.fields(Header):
            old, new = getattr(then, field.name), getattr(now, field.name)
            if old != new:
                what = (
                    "a different version of the code"
                    if field.name == "code"
                    else f"{field.name} {_text(old)}, not {_text(new)}"
                )
                raise JournalError(f"{self.folder} was played with {what}; choose another folder")

    def _decode(self, text: bytes, number: int, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(text, type=kind)
        except msgspec.MsgspecError as error:
            raise JournalError(f"{self.folder / JOURNAL}, line {number}: {error}") from None

    def _write(self, line: msgspec.Struct) -> None:
        """Append a line with a single call, so that an interrupt cannot leave half of it."""
        data = msgspec.json.encode(line) + b"\n"
        if os.write(self._file, data) != len(data):
            raise OSError(0, "the disk is full")
        if time.monotonic() - self._synced > _SECONDS_BETWEEN_SYNCS:
            os.fsync(self._file)
            self._synced = time.monotonic()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
