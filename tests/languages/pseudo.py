"""A made-up language, made from the English files: every text stands in brackets, to be seen."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

CODE, NAME = "xx", "Pseudo"
OPEN, CLOSE = "⟦", "⟧"


def add_language(root: Path) -> list[Path]:
    """Put a file of the made-up language beside every English one; the new files."""
    written = []
    for file in sorted(root.rglob("en.toml")) + sorted(root.rglob("en.json")):
        if "node_modules" in file.parts:
            continue
        read = tomllib.loads if file.suffix == ".toml" else json.loads
        table = _bracketed(read(file.read_text("utf-8")))
        if isinstance(table.get("language"), dict):
            table["language"] = {"name": NAME, "plural": "n != 1"}
        fresh = file.with_name(f"{CODE}{file.suffix}")
        fresh.write_text(_toml(table) if file.suffix == ".toml" else json.dumps(table, ensure_ascii=False), "utf-8")
        written.append(fresh)
    return written


def _bracketed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bracketed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_bracketed(part) for part in value]
    return f"{OPEN}{value}{CLOSE}"


def _toml(table: dict[str, Any], prefix: str = "") -> str:
    """Tables of texts, which is all that files of words hold; JSON's quotes are TOML's."""
    lines = [
        f"{_key(key)} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items() if not _is_table(value)
    ]
    for key, value in table.items():
        if _is_table(value):
            name = f"{prefix}{_key(key)}"
            lines += ["", f"[{name}]", _toml(value, f"{name}.")]
    return "\n".join(lines)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)
