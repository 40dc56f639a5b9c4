"""Data files that users can add to: boards and decks, read from the package and from the user's own folder."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from threespan.core.errors import UserError

T = TypeVar("T")

MATERIAL_VARIABLE = "THREESPAN_MATERIAL"


class MaterialError(UserError):
    """A data file is missing or wrong; the message has the file, the line and the reason."""


class DataFile:
    """A TOML file that can tell the line on which a value stands."""

    def __init__(self, name: str, text: str) -> None:
        """Read the file `name` from its text."""
        self.name = name
        self.lines = text.splitlines()
        try:
            self.values: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise MaterialError(f"{name}: {error}") from None

    def refuse(self, reason: str, value: str | None = None, occurrence: int = 1) -> NoReturn:
        """Raise MaterialError for the line where the `occurrence`-th `value` stands."""
        for number, line in enumerate(self.lines, 1):
            if value is not None:
                occurrence -= line.split("#")[0].count(value)
                if occurrence <= 0:
                    raise MaterialError(f"{self.name}, line {number}: {reason}")
        raise MaterialError(f"{self.name}: {reason}")

    def only(self, *known: str) -> None:
        """Refuse keys that mean nothing."""
        for key in self.values:
            if key not in known:
                self.refuse(f"'{key}' is not known here; known are {', '.join(known)}", key)

    def words(self, key: str) -> list[str]:
        """A list of texts."""
        value = self.values.get(key)
        if value is None:
            self.refuse(f"'{key}' is missing")
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self.refuse(f"'{key}' must be a list of texts", key)
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        value = self.values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.refuse(f"'{key}' must be a whole number from {low} to {high}", key)
        return value


def user_folder() -> Path | None:
    """The user's own folder of material, if there is one."""
    folder = os.environ.get(MATERIAL_VARIABLE)
    return Path(folder) if folder else None


def find_material(builtin: Path, game: str, kind: str) -> dict[str, Path]:
    """The data files of a kind ("boards", "decks") by name, the user's own after the built-in ones."""
    files = {file.stem: file for file in sorted((builtin / kind).glob("*.toml"))}
    if folder := user_folder():
        if not folder.is_dir():
            raise MaterialError(f"{MATERIAL_VARIABLE}: there is no folder {folder}")
        for file in sorted((folder / game / kind).glob("*.toml")):
            if file.stem in files:
                raise MaterialError(f"{file}: the name '{file.stem}' is taken by a built-in file")
            files[file.stem] = file
    return files


def load_material(builtin: Path, game: str, kind: str, name: str, parse: Callable[[DataFile], T]) -> T:
    """Read the data file of a name."""
    files = find_material(builtin, game, kind)
    if name not in files:
        raise MaterialError(f"there is no {game} file '{name}' among the {kind}; there are {', '.join(files)}")
    file = files[name]
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MaterialError(f"{file}: {error}") from None
    return parse(DataFile(str(file), text))
