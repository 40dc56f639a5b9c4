"""Saving unfinished matches."""

import os
from dataclasses import dataclass
from pathlib import Path

from threespan.core.errors import UserError
from threespan.core.match import Match
from threespan.core.options import Options
from threespan.core.record import RecordError, load_record, replay, write_record


def state_home() -> Path:
    """The folder of unfinished matches and records."""
    if own := os.environ.get("THREESPAN_STATE"):
        return Path(own)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "threespan"


@dataclass
class Save:
    """A saved match: its record, the drafted actions of the current turn, and who has resigned."""

    file: Path

    @property
    def _draft_file(self) -> Path:
        return self.file.with_suffix(".draft")

    @property
    def _resigned_file(self) -> Path:
        return self.file.with_suffix(".resigned")

    def write(self, match: Match, draft: list[str]) -> None:
        """Save a match; a crash leaves the previous version intact."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        texts = {
            self.file: write_record(match, reveal=True),
            self._draft_file: "\n".join(draft),
            self._resigned_file: " ".join(map(str, match.resigned)),
        }
        for file, text in texts.items():
            new_file = file.with_name(file.name + ".new")
            new_file.write_text(text, "utf-8")
            new_file.replace(file)

    def read(self, options: Options) -> tuple[Match, list[str]]:
        """The saved match and its draft; raises UserError if it cannot be resumed."""
        try:
            match = replay(load_record(self.file))
        except RecordError as error:
            raise UserError(f"{self.file}: {error} (--new starts a new match)") from None
        if match.position.options != options:
            raise UserError(f"{self.file} contains a match with other options; --new starts a new match")
        for word in _read(self._resigned_file).split():
            if not word.isdecimal() or int(word) not in match.position.seats or int(word) in match.resigned:
                raise UserError(
                    f"{self._resigned_file}: '{word}' is not a seat that can resign (--new starts a new match)"
                )
            match.resign(int(word))
        return match, _read(self._draft_file).splitlines()

    def remove(self) -> None:
        """Delete the saved match."""
        for file in (self.file, self._draft_file, self._resigned_file):
            file.unlink(missing_ok=True)


def _read(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""
