"""Kernels as LLVM code for no machine in particular. It runs in processes whose environment linking.py has prepared.

Numba is kept from optimising: the code that it would optimise for this processor is taken from it before, and
machine_code.py optimises it for each target.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import types
from numba.core.codegen import CPUCodeLibrary

from threespan.core.compiling import explained
from threespan.core.errors import UserError
from threespan.core.kernel import ENTRIES
from threespan.core.layout import Layout, State, States
from threespan.core.linked import parameter_kinds, returned_kind, symbol
from threespan.core.machine_code import write_whole
from threespan.core.registry import find_game, find_game_module
from threespan.core.targets import SYMBOLS

_RESULTS = {int: types.int64, bool: types.boolean, type(None): types.void}


def _keep_unoptimized(library: Any) -> None:
    """Instead of optimising a library, keep a copy of its code, which is going to be translated for this processor."""
    library.unoptimized = library._final_module.clone()


def _unoptimized_for_linking(library: Any) -> Any:
    """The code of a library that others link in: not optimised, and merged with further copies of itself."""
    library._ensure_finalized()
    module = library.unoptimized.clone()
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = "linkonce_odr"
    return module


def _take_code_from_numba() -> None:
    CPUCodeLibrary._optimize_functions = lambda _library, _module: None
    CPUCodeLibrary._optimize_final_module = _keep_unoptimized
    CPUCodeLibrary._get_module_for_linking = _unoptimized_for_linking
    llvm.add_symbol("threespan_nth_bit", 1)  # never called in this process


def translate(code: str, part: str, file: Path) -> None:
    """Write the LLVM code of a game's entries in a part, and beside it the list of their symbols."""
    _take_code_from_numba()
    game = find_game(code)
    symbols: list[str] = []
    module = llvm.parse_assembly("")
    for entry in _entries_of(code, part):
        name = symbol(entry, game.layout.fields)
        module.link_in(_entry_module(entry, game.layout, name))
        symbols.append(name)
    write_whole(file.with_suffix(SYMBOLS), "\n".join(symbols).encode())
    write_whole(file, str(module).encode())  # last: if it is there, so are its symbols


def _entries_of(code: str, part: str) -> list[Callable[..., Any]]:
    """The entries of a game's rules or of its bots."""
    package = type(find_game(code)).__module__.rpartition(".")[0]
    bots = find_game_module(code, "bots", "decide")
    if part == "bots":
        return [entry for entry in ENTRIES if bots is not None and entry.__module__ == bots.__name__]
    core = import_module("threespan.core.calls").__package__
    return [
        entry
        for entry in ENTRIES
        if entry.__module__.startswith((f"{core}.", f"{package}."))
        and (bots is None or entry.__module__ != bots.__name__)
    ]


def _entry_module(entry: Callable[..., Any], layout: Layout, name: str) -> Any:
    """The code of an entry for one game's states, as a function that takes addresses and numbers."""
    function: Callable[..., Any] = entry.py_func  # type: ignore[attr-defined]
    kinds, result = parameter_kinds(function), _RESULTS[returned_kind(function)]
    signature = result(*(_native_type(kind, layout) for kind in kinds))
    try:
        compiled = numba.cfunc(signature, error_model="numpy")(
            _with_arguments(entry, [_reader(kind) for kind in kinds])
        )
    except Exception as error:
        raise explained(error, function) from None
    module = compiled._library.unoptimized.clone()
    for part in module.functions:
        if not part.is_declaration and part.name != compiled.native_name:
            part.linkage = "linkonce_odr"
    module.get_function(compiled.native_name).name = name
    return module


def _native_type(kind: Any, layout: Layout) -> Any:
    if kind is int:
        return types.int64
    dtype = layout.dtype if kind is State or kind is States else kind.base
    return types.CPointer(numba.from_dtype(dtype))


def _reader(kind: Any) -> Callable[[Any], Any]:
    """A function that converts a native parameter into that of the entry."""
    if kind is int:
        return numba.njit(lambda number: number)  # type: ignore[no-any-return]
    if kind is State:
        return numba.njit(lambda address: numba.carray(address, (1,))[0])  # type: ignore[no-any-return]
    shape = (1,) if kind is States else kind.shape
    return numba.njit(lambda address: numba.carray(address, shape))  # type: ignore[no-any-return]


def _with_arguments(entry: Callable[..., Any], read: list[Callable[[Any], Any]]) -> Callable[..., Any]:
    """A wrapper of an entry with native parameters."""
    if len(read) == 1:
        (read_a,) = read
        return lambda a: entry(read_a(a))
    if len(read) == 2:
        read_a, read_b = read
        return lambda a, b: entry(read_a(a), read_b(b))
    read_a, read_b, read_c = read
    return lambda a, b, c: entry(read_a(a), read_b(b), read_c(c))


if __name__ == "__main__":
    try:
        translate(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
    except UserError as error:
        raise SystemExit(str(error)) from None
