"""Kernels as LLVM code for no machine in particular. It runs in processes whose environment linking.py has prepared.

Numba infers the types and writes LLVM code for each function; here it is kept from linking, optimising and loading that
code for this process, which nobody runs here and which takes most of its time. Instead the code of all functions is put
together once, and machine_code.py optimises it for each target.
"""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import types
from numba.core import event
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]

from threespan.core.compiling import explained
from threespan.core.errors import UserError
from threespan.core.kernel import ENTRIES
from threespan.core.layout import Layout, State, States
from threespan.core.libraries import PARTS
from threespan.core.linked import parameter_kinds, returned_kind, symbol
from threespan.core.machine_code import write_whole
from threespan.core.registry import find_game, find_game_module
from threespan.core.targets import LLVM_CODE, SYMBOLS

_NICE = 10
_RESULTS = {int: types.int64, bool: types.boolean, type(None): types.void}


def _take_code_from_numba() -> None:
    """Let Numba stop after it has written the code of a function; call it before anything is compiled."""
    CPUCodeLibrary._optimize_functions = lambda _library, _module: None
    CPUCodeLibrary.finalize = _leave_as_it_is
    JITCodeLibrary.get_pointer_to_function = lambda _library, _name: 1  # never called in this process
    JITCPUCodegen.set_env = lambda _codegen, _name, _environment: None
    _FunctionCompiler._customize_flags = _without_wrappers
    event.broadcast = lambda _event: None  # it counts how long every call of LLVM takes


def _leave_as_it_is(library: Any) -> None:
    library._finalized = True


def _without_wrappers(_compiler: Any, flags: Any) -> Any:
    """Only entries are called from outside, through wrappers of their own."""
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    return flags


def translate(code: str, folder: Path) -> Iterator[str]:
    """Write the LLVM code of a game's entries, and beside it the list of their symbols; yields each finished part.

    What the rules and the bots have in common is compiled once.
    """
    gc.disable()  # the process ends soon, and Numba makes many objects
    _take_code_from_numba()
    for part in PARTS:
        _write_part(code, part, folder / f"{part}-{code}{LLVM_CODE}")
        yield part
        os.nice(_NICE)  # people wait for the rules of all games before they wait for any bots


def _write_part(code: str, part: str, file: Path) -> None:
    fields = find_game(code).layout.fields
    entries = {symbol(entry, fields): _compile(entry, find_game(code).layout) for entry in _entries_of(code, part)}
    module = llvm.parse_assembly("")
    for library in _all_linked([entry._library for entry in entries.values()]):
        module.link_in(_linkable(library))
    for name, entry in entries.items():
        function = module.get_function(entry.native_name)
        function.name, function.linkage = name, "external"  # a weak one would be an import in WebAssembly
    write_whole(file.with_suffix(SYMBOLS), "\n".join(entries).encode())
    write_whole(file, str(module).encode())  # last: if it is there, so are its symbols


def _all_linked(libraries: list[Any]) -> list[Any]:
    """Some libraries and all that they call, directly or not, each once."""
    found: dict[Any, None] = {}
    waiting = libraries[::-1]
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            waiting += library._linking_libraries[::-1]
    return list(found)


def _linkable(library: Any) -> Any:
    """A copy of the code of a library; what several libraries define is merged."""
    module = library._final_module.clone()
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = "weak_odr"
    return module


def _entries_of(code: str, part: str) -> list[Callable[..., Any]]:
    """The entries of a game's rules or of its bots."""
    package = type(find_game(code)).__module__.rpartition(".")[0]
    bots = find_game_module(code, "bots", "decide")
    if part == "bots":
        return [entry for entry in ENTRIES if bots is not None and entry.__module__ == bots.__name__]
    core = import_module("threespan.core.random_play").__package__  # an entry that games themselves do not need
    return [
        entry
        for entry in ENTRIES
        if entry.__module__.startswith((f"{core}.", f"{package}."))
        and (bots is None or entry.__module__ != bots.__name__)
    ]


def _compile(entry: Callable[..., Any], layout: Layout) -> Any:
    """An entry for one game's states, as a function that takes addresses and numbers."""
    function: Callable[..., Any] = entry.py_func  # type: ignore[attr-defined]
    kinds, result = parameter_kinds(function), _RESULTS[returned_kind(function)]
    signature = result(*(_native_type(kind, layout) for kind in kinds))
    wrapper = _with_arguments(entry, [_reader(kind) for kind in kinds])
    try:
        return numba.cfunc(signature, error_model="numpy")(wrapper)
    except Exception as error:
        raise explained(error, function) from None


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
        for finished in translate(sys.argv[1], Path(sys.argv[2])):
            print(finished, flush=True)
    except UserError as error:
        raise SystemExit(str(error)) from None
