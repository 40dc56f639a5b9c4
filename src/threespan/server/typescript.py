"""The types of the page, made from the structs of the server: `python -m threespan.server.typescript`.

Structs of a game's `view.py` get the name of the game in front: `HashiScene`, `ElferView`. In what the server reads
(structs that forbid unknown fields) a field with a default may be left out; what it sends is always complete.
"""

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec
from msgspec import inspect as shapes

from threespan import games
from threespan.server import events, lobby, protocol

FILE = Path(__file__).parents[3] / "web" / "src" / "lib" / "protocol.ts"

_HEAD = "// Made by `python -m threespan.server.typescript` from the structs of the server; do not edit.\n"
_UNIONS = {"ClientMessage": protocol.ClientMessage, "ServerMessage": protocol.ServerMessage}
_PLAIN: dict[type[shapes.Type], str] = {
    shapes.AnyType: "unknown",
    shapes.BoolType: "boolean",
    shapes.FloatType: "number",
    shapes.IntType: "number",
    shapes.NoneType: "null",
    shapes.RawType: "unknown",
    shapes.StrType: "string",
}


def typescript() -> str:
    """The whole file."""
    names = dict(_named_structs())
    parts = [_HEAD, f"export const VERSION = {protocol.VERSION}\n"]
    parts += [_interface(struct, names) for struct in names]
    for name, union in _UNIONS.items():
        parts.append(f"export type {name} =\n" + "\n".join(f"  | {names[member]}" for member in get_args(union)) + "\n")
    return "\n".join(parts)


def _named_structs() -> Iterator[tuple[type[msgspec.Struct], str]]:
    yield events.SeatPlan, events.SeatPlan.__name__
    for module in (protocol, lobby):
        for struct in _structs_of(module):
            yield struct, struct.__name__
    for game in pkgutil.iter_modules(games.__path__):
        for struct in _structs_of(importlib.import_module(f"{games.__name__}.{game.name}.view")):
            yield struct, game.name.capitalize() + struct.__name__


def _structs_of(module: ModuleType) -> Iterable[type[msgspec.Struct]]:
    """The structs that a module itself defines, in its order."""
    return (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == module.__name__
    )


def _interface(struct: type[msgspec.Struct], names: dict[type[msgspec.Struct], str]) -> str:
    shape = shapes.type_info(struct)
    assert isinstance(shape, shapes.StructType)
    lines = [f"/** {inspect.getdoc(struct)} */", f"export interface {names[struct]} {{"]
    if shape.tag_field is not None:
        lines.append(f"  {shape.tag_field}: {_literal(shape.tag)}")
    for field in shape.fields:
        may_miss = "?" if shape.forbid_unknown_fields and not field.required else ""
        lines.append(f"  {field.encode_name}{may_miss}: {_type(field.type, names)}")
    return "\n".join([*lines, "}", ""])


def _type(shape: shapes.Type, names: dict[type[msgspec.Struct], str]) -> str:
    match shape:
        case shapes.StructType():
            return names[shape.cls]
        case shapes.LiteralType():
            return " | ".join(_literal(value) for value in shape.values)
        case shapes.UnionType():
            return " | ".join(_type(member, names) for member in shape.types)
        case shapes.ListType() | shapes.VarTupleType():
            item = _type(shape.item_type, names)
            return f"({item})[]" if " | " in item else f"{item}[]"
        case shapes.TupleType():
            return f"[{', '.join(_type(item, names) for item in shape.item_types)}]"
        case shapes.DictType():
            return f"Record<string, {_type(shape.value_type, names)}>"
        case shapes.Metadata():
            return _type(shape.type, names)
    return _PLAIN[type(shape)]


def _literal(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def main() -> None:
    """Write the file, or print it where there are no sources of the page."""
    if FILE.parent.is_dir():
        FILE.write_text(typescript(), "utf-8")
    else:
        sys.stdout.write(typescript())


if __name__ == "__main__":
    main()
