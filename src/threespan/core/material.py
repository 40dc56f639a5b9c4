"""Boards and decks: data files from the package and from the user's own folder."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from threespan.core.errors import UserError

T = TypeVar("T")

MATERIAL_VARIABLE = "THREESPAN_MATERIAL"


class MaterialError(UserError):
    """A data file is missing or invalid; the message names the file, the line and the reason."""


class DataFile:
    """A TOML file that can tell on which line a value is."""

    def __init__(self, name: str, text: str) -> None:
        """Parse the text of the file `name`."""
        self.name = name
        self.lines = text.splitlines()
        try:
            self.values: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise MaterialError(f"{name}: {error}") from None

    @classmethod
    def of_values(cls, name: str, values: Any) -> "DataFile":
        """Values stored in a record instead of a file; anything but a table counts as empty."""
        file = cls(name, "")
        file.values = values if isinstance(values, dict) else {}
        return file

    def refuse(self, reason: str, value: str | None = None, occurrence: int = 1) -> NoReturn:
        """Raise MaterialError for the line of the `occurrence`-th `value`."""
        for number, line in enumerate(self.lines, 1):
            if value is not None:
                occurrence -= line.split("#")[0].count(value)
                if occurrence <= 0:
                    raise MaterialError(f"{self.name}, line {number}: {reason}")
        raise MaterialError(f"{self.name}: {reason}")

    def only(self, *known: str) -> None:
        """Refuse unknown keys."""
        for key in self.values:
            if key not in known:
                self.refuse(f"'{key}' is not a known key; known keys are {', '.join(known)}", key)

    def texts(self, key: str) -> list[str]:
        """A value that must be a list of texts."""
        value = self.values.get(key)
        if value is None:
            self.refuse(f"'{key}' is missing")
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self.refuse(f"'{key}' must be a list of texts", key)
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        """A value that must be a whole number within bounds."""
        value = self.values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.refuse(f"'{key}' must be a whole number from {low} to {high}", key)
        return value


def user_folder() -> Path | None:
    """The user's own folder of boards and decks, if the environment names one."""
    folder = os.environ.get(MATERIAL_VARIABLE)
    return Path(folder) if folder else None


def builtin_material(builtin: Path, kind: str) -> dict[str, Path]:
    """The built-in data files of a game and kind, by name."""
    return {file.stem: file for file in sorted((builtin / kind).glob("*.toml"))}


def find_material(builtin: Path, game: str, kind: str) -> dict[str, Path]:
    """All data files of a kind ("boards", "decks") by name, first the built-in ones, then the user's own."""
    files = builtin_material(builtin, kind)
    if folder := user_folder():
        if not folder.is_dir():
            raise MaterialError(f"{MATERIAL_VARIABLE}: there is no folder {folder}")
        for file in sorted((folder / game / kind).glob("*.toml")):
            if file.stem in files:
                raise MaterialError(f"{file}: the name '{file.stem}' is taken by a built-in file")
            files[file.stem] = file
    return files


def load_material(builtin: Path, game: str, kind: str, name: str, parse: Callable[[DataFile], T]) -> T:
    """Read and parse a data file; raises MaterialError."""
    files = find_material(builtin, game, kind)
    if name not in files:
        raise MaterialError(f"there is no {game} file '{name}' among the {kind}; choose one of {', '.join(files)}")
    file = files[name]
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MaterialError(f"{file}: {error}") from None
    return parse(DataFile(str(file), text))
