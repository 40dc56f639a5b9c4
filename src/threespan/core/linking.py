"""Link the kernels that servers need into a library: `python -m threespan.core.linking FILE [CODE]`.

The compiler needs more memory than 500 matches, so it runs in its own process and writes a file that servers load (see
linked.py). Servers on a machine without a linker compile the kernels themselves.
"""

import ctypes
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from threespan.core.compiling import explained
from threespan.core.errors import UserError
from threespan.core.kernel import ENTRIES, IS_UNCOMPILED, LIBRARY, cache_folder
from threespan.core.layout import Layout, State, States
from threespan.core.linked import DATA_OFFSET, parameter_kinds, returned_kind, symbol
from threespan.core.registry import codes, find_game

_RESULTS = {int: types.int64, bool: types.boolean, type(None): types.void}
_LINKERS = ("ld", "ld.lld", "ld.gold", "ld.mold")
_STUBS = """
define void @numba_gil_ensure(ptr %state) { ret void }
define void @numba_gil_release(ptr %state) { ret void }
define void @NRT_MemInfo_call_dtor(ptr %info) { ret void }
"""  # Callers of the library hold the GIL, and its kernels never allocate.


def library_file(code: str = "") -> Path | None:
    """The path for the library of one game or all games with the current sources; None if it cannot be made here."""
    if LIBRARY or IS_UNCOMPILED or not sys.platform.startswith("linux") or _linker() is None:
        return None
    fingerprint = hashlib.sha256(repr(_processor()).encode()).hexdigest()[:12]
    return cache_folder(Path(__file__).parent) / f"rules-{fingerprint}{code and '-'}{code}.so"


def link_in_subprocess(file: Path) -> bool:
    """Link in a subprocess, whose memory is freed when it ends; returns whether it succeeded."""
    # Without -P, a module in the current folder could shadow one of ours.
    return subprocess.run([sys.executable, "-P", "-m", __spec__.name, str(file)]).returncode == 0


def _linker() -> str | None:
    return next((found for name in _LINKERS if (found := shutil.which(name))), None)


def _processor() -> tuple[str, str, str]:
    """The target triple, the name and the features of the processor that Numba compiles for."""
    triple, name, features = cpu_target.target_context.codegen().magic_tuple()
    return triple, name, features


def link(file: Path, chosen: list[str]) -> None:
    """Compile all entries for the chosen games and link them into a file."""
    games = [find_game(code) for code in chosen]
    linker = _linker()
    assert linker is not None
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        objects = [Path(folder) / "stubs.o"]
        objects[0].write_bytes(_machine_code(llvm.parse_assembly(_STUBS)))
        for game in games:
            package = type(game).__module__.rpartition(".")[0]
            for entry in ENTRIES:
                if entry.__module__.startswith((f"{__package__}.", f"{package}.")):
                    objects.append(Path(folder) / f"{len(objects)}.o")
                    try:
                        objects[-1].write_bytes(_entry_object(entry, game.layout))
                        _link_objects(linker, [objects[0], objects[-1]])
                    except (OSError, UserError) as error:
                        failure_marker(file).touch()
                        raise UserError(f"{entry.__module__}.{entry.__name__} cannot be linked: {error}") from None
        _link_objects(linker, objects).replace(file)


def failure_marker(file: Path) -> Path:
    """The file that marks a library as impossible to make from these sources, so that nobody tries again."""
    return file.with_suffix(".failed")


def _link_objects(linker: str, objects: list[Path]) -> Path:
    """Link object files into a library; raises OSError if it cannot be loaded."""
    library = objects[-1].with_suffix(".so")
    subprocess.run([linker, "-shared", "--strip-all", "-z", "noexecstack", "-o", library, *objects], check=True)
    ctypes.PyDLL(str(library))
    return library


def _entry_object(entry: Callable[..., Any], layout: Layout) -> bytes:
    """The object code of an entry for one game's states."""
    function: Callable[..., Any] = entry.py_func  # type: ignore[attr-defined]
    kinds, result = parameter_kinds(function), _RESULTS[returned_kind(function)]
    compile_ = numba.cfunc(result(*[types.int64] * len(kinds)), error_model="numpy")
    try:
        compiled = compile_(_with_arguments(entry, [_reader(kind, layout) for kind in kinds]))
    except Exception as error:
        raise explained(error, function) from None
    module = compiled._library._final_module
    for part in module.functions:
        if not part.is_declaration and part.name != compiled.native_name:
            part.linkage = "internal"  # else it could clash with another function of the same name
    module.get_function(compiled.native_name).name = symbol(entry, layout.record)
    _drop_error_paths(module)
    return _machine_code(module)


def _drop_error_paths(module: Any) -> None:
    """Remove the code for exceptions of called kernels: entries never raise, which LLVM can prove."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_ipsccp_pass()
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(_target_machine(), llvm.create_pipeline_tuning_options()))


def _with_arguments(entry: Callable[..., Any], read: list[Callable[[int], Any]]) -> Callable[..., Any]:
    """A wrapper of an entry whose parameters are all numbers: for anything but a number, the address of an object."""
    if len(read) == 1:
        (read_a,) = read
        return lambda a: entry(read_a(a))
    if len(read) == 2:
        read_a, read_b = read
        return lambda a, b: entry(read_a(a), read_b(b))
    read_a, read_b, read_c = read
    return lambda a, b, c: entry(read_a(a), read_b(b), read_c(c))


def _reader(kind: Any, layout: Layout) -> Callable[[int], Any]:
    """A function that converts a number passed to the library into the actual parameter."""
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
    """A function that returns a pointer to the data of the array object at an address."""
    pointer = types.CPointer(element)

    @intrinsic  # type: ignore[untyped-decorator]
    def find_data(_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            place = builder.add(args[0], ir.Constant(ir.IntType(64), DATA_OFFSET))
            return builder.load(builder.inttoptr(place, context.get_value_type(pointer).as_pointer()))

        return pointer(types.int64), generate

    return find_data  # type: ignore[no-any-return]


def _target_machine() -> Any:
    triple, name, features = _processor()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(name, features, opt=3, reloc="pic", codemodel="default")


def _machine_code(module: Any) -> bytes:
    code: bytes = _target_machine().emit_object(module)
    return code


if __name__ == "__main__":
    try:
        link(Path(sys.argv[1]), sys.argv[2:] or codes())
    except UserError as error:
        raise SystemExit(str(error)) from None
