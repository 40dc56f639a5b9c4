"""Link the kernels that servers need into a library: `python -m threespan.core.linking FILE`.

A compiler takes up more memory than 500 matches. So it works in a process of its own, which leaves a file behind that
servers load (see linked.py). Where there is no linker, they compile for themselves.
"""

import ctypes
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import numba
from llvmlite import binding as llvm
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from threespan.core.kernel import ENTRIES, IS_PLAIN, LIBRARY, cache_folder
from threespan.core.layout import Layout, State, States
from threespan.core.linked import DATA_OFFSET, parameter_kinds, symbol
from threespan.core.registry import codes, find_game

_LINKERS = ("ld", "ld.lld", "ld.gold", "ld.mold")
_STAND_INS = """
define void @numba_gil_ensure(ptr %state) { ret void }
define void @numba_gil_release(ptr %state) { ret void }
define void @NRT_MemInfo_call_dtor(ptr %info) { ret void }
"""  # Whoever calls the library holds the GIL, and nothing in it allocates.


def library_file() -> Path | None:
    """Where the library of all games' kernels belongs, as their sources are now; None where none can be made."""
    if LIBRARY or IS_PLAIN or not sys.platform.startswith("linux") or _linker() is None:
        return None
    sign = hashlib.sha256(repr(_processor()).encode()).hexdigest()[:12]
    return cache_folder(Path(__file__).parent) / f"rules-{sign}.so"


def link_elsewhere(file: Path) -> bool:
    """Link in a process of its own, which takes its memory with it; whether that has succeeded."""
    # Without -P, a module in the current folder could be taken for one of ours.
    return subprocess.run([sys.executable, "-P", "-m", __spec__.name, str(file)]).returncode == 0


def _linker() -> str | None:
    return next((found for name in _LINKERS if (found := shutil.which(name))), None)


def _processor() -> tuple[str, str, str]:
    """The kind of system, the name and the features of the processor that Numba compiles for."""
    kind, name, features = cpu_target.target_context.codegen().magic_tuple()
    return kind, name, features


def link(file: Path) -> None:
    """Compile all entries for all games and link them into a file."""
    games = [find_game(code) for code in codes()]
    linker = _linker()
    assert linker is not None
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        objects = [Path(folder) / "stand_ins.o"]
        objects[0].write_bytes(_machine_code(llvm.parse_assembly(_STAND_INS)))
        for game in games:
            package = type(game).__module__.rpartition(".")[0]
            for entry in ENTRIES:
                if entry.__module__.startswith((f"{__package__}.", f"{package}.")):
                    objects.append(Path(folder) / f"{len(objects)}.o")
                    objects[-1].write_bytes(_entry_object(entry, game.layout))
                    try:
                        _join(linker, [objects[0], objects[-1]])
                    except OSError as error:
                        failure_note(file).touch()
                        raise SystemExit(f"{entry.__module__}.{entry.__name__} cannot be linked: {error}") from None
        _join(linker, objects).replace(file)


def failure_note(file: Path) -> Path:
    """What stands for a library that cannot be made from these sources, so that nobody tries again."""
    return file.with_suffix(".failed")


def _join(linker: str, objects: list[Path]) -> Path:
    """A library of some objects; raises OSError if anything is missing in it."""
    library = objects[-1].with_suffix(".so")
    subprocess.run([linker, "-shared", "--strip-all", "-z", "noexecstack", "-o", library, *objects], check=True)
    ctypes.PyDLL(str(library))
    return library


def _entry_object(entry: Callable[..., Any], layout: Layout) -> bytes:
    """The machine code of an entry for one game's states."""
    kinds = parameter_kinds(entry.py_func)  # type: ignore[attr-defined]
    returned = get_type_hints(entry.py_func)["return"]  # type: ignore[attr-defined]
    result = {int: types.int64, bool: types.boolean, type(None): types.void}[returned]
    compile_ = numba.cfunc(result(*[types.int64] * len(kinds)), error_model="numpy")
    compiled = compile_(_with_arguments(entry, [_reader(kind, layout) for kind in kinds]))
    module = compiled._library._final_module
    for function in module.functions:
        if not function.is_declaration and function.name != compiled.native_name:
            function.linkage = "internal"  # or the linker might take it for another of the same name
    module.get_function(compiled.native_name).name = symbol(entry, layout.record)
    return _machine_code(module)


def _with_arguments(entry: Callable[..., Any], read: list[Callable[[int], Any]]) -> Callable[..., Any]:
    """An entry that takes numbers: the addresses of objects, where it does not want a number."""
    if len(read) == 1:
        (read_a,) = read
        return lambda a: entry(read_a(a))
    if len(read) == 2:
        read_a, read_b = read
        return lambda a, b: entry(read_a(a), read_b(b))
    read_a, read_b, read_c = read
    return lambda a, b, c: entry(read_a(a), read_b(b), read_c(c))


def _reader(kind: Any, layout: Layout) -> Callable[[int], Any]:
    """What makes a parameter of the number that a library is handed for it."""
    if kind is int:
        return numba.njit(lambda number: number)  # type: ignore[no-any-return]
    is_state = kind is State or kind is States
    dtype = layout.dtype if is_state else kind.base
    shape = (1,) if is_state else kind.shape
    find_data = _data_finder(numba.from_dtype(dtype))
    if kind is State:
        return numba.njit(lambda address: numba.carray(find_data(address), shape)[0])  # type: ignore[no-any-return]
    return numba.njit(lambda address: numba.carray(find_data(address), shape))  # type: ignore[no-any-return]


def _data_finder(element: Any) -> Callable[[int], Any]:
    """What finds the data of an array in the NumPy object at an address."""
    pointer = types.CPointer(element)

    @intrinsic  # type: ignore[untyped-decorator]
    def find_data(_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            place = builder.add(args[0], ir.Constant(ir.IntType(64), DATA_OFFSET))
            return builder.load(builder.inttoptr(place, context.get_value_type(pointer).as_pointer()))

        return pointer(types.int64), generate

    return find_data  # type: ignore[no-any-return]


def _machine_code(module: Any) -> bytes:
    kind, name, features = _processor()
    target = llvm.Target.from_triple(kind)
    machine = target.create_target_machine(name, features, opt=3, reloc="pic", codemodel="default")
    code: bytes = machine.emit_object(module)
    return code


if __name__ == "__main__":
    link(Path(sys.argv[1]))
