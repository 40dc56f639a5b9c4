"""Create a working skeleton of a game: a copy of the folder `template`, which is Nim, under another name."""

import keyword
import re
from importlib.util import find_spec
from pathlib import Path

from threespan.core.errors import UserError
from threespan.core.registry import codes

TEMPLATE = Path(__file__).parent / "template"
_MODEL = "nim"
_NOT_COPIED = {"__pycache__", ".pytest_cache"}
_MAX_CODE_LENGTH = 24


class BadCode(UserError):
    """A game cannot have this code."""


def write_game(code: str, folder: Path) -> Path:
    """Write a game into the new folder `folder/code` and return that; raises UserError."""
    _refuse_bad_code(code)
    target = folder / code
    if target.exists():
        raise UserError(f"{target} already exists; choose another code or another folder")
    if find_spec(code) is not None:
        raise BadCode(f"there is already a Python module '{code}', which would hide the game; choose another code")
    for file in template_files():
        copy = target / file
        try:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(render((TEMPLATE / file).read_text("utf-8"), file, code), "utf-8")
        except OSError as error:
            raise UserError(f"{copy} cannot be written: {error.strerror}") from None
    return target


def template_files() -> list[Path]:
    """The files of the template, as relative paths."""
    files = (file.relative_to(TEMPLATE) for file in TEMPLATE.rglob("*") if file.is_file())
    return sorted(file for file in files if not _NOT_COPIED & set(file.parts))


def render(text: str, file: Path, code: str) -> str:
    """A file of the template with the name replaced: by a class name in sources, by a title elsewhere."""
    name = code.title().replace("_", "") if file.suffix == ".py" else code.replace("_", " ").capitalize()
    text = re.sub(rf"\b{_MODEL}(?![a-z])", code, text)  # but not the German "nimm"
    return re.sub(rf"\b{_MODEL.capitalize()}(?![a-z])", name, text)


def _refuse_bad_code(code: str) -> None:
    if not re.fullmatch(rf"[a-z][a-z0-9_]{{0,{_MAX_CODE_LENGTH - 1}}}", code) or keyword.iskeyword(code):
        raise BadCode(
            f"'{code}' cannot be the code of a game: use lower-case letters, digits and underscores, starting with a "
            f"letter, {_MAX_CODE_LENGTH} characters at most, and no Python keyword"
        )
    if code in codes():
        raise BadCode(f"there is already a game '{code}'; choose another code")
