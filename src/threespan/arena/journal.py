"""What a tournament has played so far, kept in a folder: a journal with a line for every match, and the records."""

import os
import sys
import time
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from threespan import __version__
from threespan.arena.play import Played, Result
from threespan.arena.tournament import Tournament, material_digest
from threespan.core.errors import UserError

T = TypeVar("T")

JOURNAL = "arena.journal"
VERSION = 1
_SECONDS_BETWEEN_SYNCS = 1.0


class JournalError(UserError):
    """The folder of a tournament cannot be used."""


class Heading(msgspec.Struct, frozen=True):
    """The first line: what the results belong to. How many matches are played may change, nothing else."""

    arena: int
    game: str
    options: dict[str, Any]
    bots: list[str]
    seed: int
    material: str
    threespan: str
    code: str

    @classmethod
    def of(cls, tournament: Tournament) -> "Heading":
        """The heading of a tournament."""
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
    """A match that has been played; its record was written before this line."""

    seconds: float  # since the tournament began, pauses left out
    record_bytes: int
    result: Result


class Journal:
    """The folder of a tournament. A match is in it wholly or not at all, whatever ends the program."""

    def __init__(self, folder: Path, tournament: Tournament, resume: bool) -> None:
        """Open a folder; raises JournalError if it holds another tournament, or this one and `resume` is not set."""
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

    def add(self, played: Played, seconds: float) -> None:
        """Keep a match: first its record, then its line."""
        record = played.record.encode()
        file = self.record_file(played.result.index)
        part = file.with_suffix(".part")
        try:
            part.write_bytes(record)
            part.replace(file)
            self._write(Line(round(seconds, 3), len(record), played.result))
        except OSError as error:
            raise JournalError(f"{self.folder}: {error.strerror}; what is done is kept, --resume goes on") from None
        self.done[played.result.index] = played.result

    def record_file(self, index: int) -> Path:
        """Where the record of a match lies."""
        return self.folder / f"match-{index:06}.jsonl"

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise JournalError(f"{self.folder}: another tournament is being played into this folder") from None

    def _open(self, tournament: Tournament, resume: bool) -> None:
        path = self.folder / JOURNAL
        lines = path.read_bytes().split(b"\n")
        torn = lines.pop()  # of a crash in the middle of writing; empty if there was none
        if torn:
            os.truncate(path, path.stat().st_size - len(torn))
        heading = Heading.of(tournament)
        if not lines:
            self._write(heading)
            return
        if not resume:
            raise JournalError(
                f"{self.folder} holds a tournament; add --resume to go on with it, or take another folder"
            )
        self._compare(self._decode(lines[0], 1, Heading), heading)
        for number, text in enumerate(lines[1:], 2):
            self._take(self._decode(text, number, Line), tournament)

    def _take(self, line: Line, tournament: Tournament) -> None:
        """Count a match as done if its record is there, too."""
        result = line.result
        if tournament.fixture(result.index).number >= tournament.games:
            raise JournalError(
                f"{self.folder} holds more than {tournament.games} matches a table; ask for as many --games or more"
            )
        self.seconds = max(self.seconds, line.seconds)
        record = self.record_file(result.index)
        if record.is_file() and record.stat().st_size == line.record_bytes:
            self.done[result.index] = result

    def _compare(self, then: Heading, now: Heading) -> None:
        for field in msgspec.structs.fields(Heading):
            old, new = getattr(then, field.name), getattr(now, field.name)
            if old != new:
                what = "other program code" if field.name == "code" else f"{field.name} {_text(old)}, not {_text(new)}"
                raise JournalError(f"{self.folder} was played with {what}; take another folder")

    def _decode(self, text: bytes, number: int, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(text, type=kind)
        except msgspec.MsgspecError as error:
            raise JournalError(f"{self.folder / JOURNAL}, line {number}: {error}") from None

    def _write(self, line: msgspec.Struct) -> None:
        """Append a line in one call, so that an interrupt comes before or after it."""
        data = msgspec.json.encode(line) + b"\n"
        if os.write(self._file, data) != len(data):
            raise OSError(0, "the disk is full")
        if time.monotonic() - self._synced > _SECONDS_BETWEEN_SYNCS:
            os.fsync(self._file)
            self._synced = time.monotonic()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
