"""LLVM code of kernels (object_code.py) as object files for a target."""

import os
import re
import sys
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

from threespan.core.errors import UserError
from threespan.core.targets import MACHINES, SYMBOLS, Machine, helpers, target_named

_ALLOWED = {"memcpy", "memmove", "memset", "strlen"}  # every C library has them; LLVM recognises loops that do the same
_PASSES = 2  # inlining first brings together what the second round can remove


def write_object(file: Path, machine: Machine, made: Path) -> None:
    """Make an object file from a file of LLVM code; raises UserError."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    symbols = file.with_suffix(SYMBOLS).read_text("utf-8").split()
    write_whole(made, _machine_code(file.read_text("utf-8"), machine, symbols))


def write_whole(file: Path, content: bytes) -> None:
    """Write a file that is either there as a whole or not at all."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(file)


def _machine_code(code: str, machine: Machine, symbols: list[str]) -> bytes:
    """Optimise LLVM code for a machine and translate it; raises UserError if it needs what a library has not got."""
    target = llvm.Target.from_triple(machine.triple).create_target_machine(
        machine.processor, machine.features, opt=3, reloc="pic", codemodel="default"
    )
    module = llvm.parse_assembly(_retargeted(code, machine, str(target.target_data)))
    module.link_in(llvm.parse_assembly(_retargeted(helpers(machine), machine, str(target.target_data))))
    for function in module.functions:
        if not function.is_declaration and function.name not in symbols:
            function.linkage = "internal"
    module.verify()
    for _ in range(_PASSES):
        _optimize(module, target)
    missing = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")} - _ALLOWED
    if missing:
        raise UserError(
            f"kernels of a library can neither raise nor allocate, but these call {', '.join(sorted(missing))}"
        )
    emitted: bytes = target.emit_object(module)
    return emitted


def _retargeted(code: str, machine: Machine, data_layout: str) -> str:
    """LLVM code with another target; `common` globals, which not all targets know, become internal."""
    code = re.sub(r'^target (triple|datalayout) = ".*"$', "", code, flags=re.MULTILINE)
    code = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", code)
    code = re.sub(r"= common (local_unnamed_addr |unnamed_addr )?global", r"= internal \1global", code)
    return f'target datalayout = "{data_layout}"\ntarget triple = "{machine.triple}"\n{code}'


def _optimize(module: Any, target: Any) -> None:
    """Optimise a module, then remove reference counts and the code for exceptions that nothing raises."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    passes = llvm.create_new_module_pass_manager()
    passes.add_refprune_pass()
    passes.add_ipsccp_pass()
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)


if __name__ == "__main__":
    try:
        write_object(Path(sys.argv[1]), MACHINES[target_named(sys.argv[2])], Path(sys.argv[3]))
    except UserError as error:
        raise SystemExit(str(error)) from None
