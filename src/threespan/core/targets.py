"""The machines that kernels are linked for: how LLVM names them, and their own version of what kernels call."""

from typing import NamedTuple

from threespan.core.errors import UserError
from threespan.core.libraries import Target

LLVM_CODE = ".ll"
SYMBOLS = ".symbols"  # files that list the entries, beside those with their code


class Machine(NamedTuple):
    """A target as LLVM knows it."""

    triple: str
    processor: str
    features: str
    nth_bit: str  # the body of the function that finds the nth bit of a mask
    linkers: tuple[str, ...]  # any of these, the first that is installed
    link_options: tuple[str, ...]


_LOOP = """
entry:
  br label %check
check:
  %left = phi i64 [ %index, %entry ], [ %fewer, %drop ]
  %rest = phi i64 [ %mask, %entry ], [ %cleared, %drop ]
  %is_more = icmp sgt i64 %left, 0
  br i1 %is_more, label %drop, label %found
drop:
  %below = add i64 %rest, -1
  %cleared = and i64 %rest, %below
  %fewer = add i64 %left, -1
  br label %check
found:
  %lowest = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  ret i64 %lowest
"""
_PDEP = """
  %one = shl i64 1, %index
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %mask)
  %lowest = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  ret i64 %lowest
"""
_ELF = ("-shared", "--strip-all", "--build-id=none", "-z", "noexecstack")
_LLVM_LINKERS = ("ld.lld-19", "ld.lld")

X86_64_V2 = Target("linux-x86_64", "v2")
X86_64_V3 = Target("linux-x86_64", "v3")
AARCH64 = Target("linux-aarch64", "generic")
WASM32 = Target("wasm32", "simd128")

_X86_64_LINKERS = ("x86_64-linux-gnu-ld", *_LLVM_LINKERS)

MACHINES = {
    X86_64_V2: Machine("x86_64-unknown-linux-gnu", "x86-64-v2", "", _LOOP, _X86_64_LINKERS, _ELF),
    X86_64_V3: Machine("x86_64-unknown-linux-gnu", "x86-64-v3", "", _PDEP, _X86_64_LINKERS, _ELF),
    AARCH64: Machine("aarch64-unknown-linux-gnu", "generic", "", _LOOP, ("aarch64-linux-gnu-ld", *_LLVM_LINKERS), _ELF),
    # A side module of Emscripten, which older linkers cannot make.
    WASM32: Machine(
        "wasm32-unknown-emscripten",
        "generic",
        "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint,+simd128",
        _LOOP,
        ("wasm-ld-19", "wasm-ld"),
        ("-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--strip-all"),
    ),
}


class UnknownTarget(UserError):
    """There is no target with that name."""


def target_named(name: str) -> Target:
    """The target with a name such as `linux-x86_64-v3`; raises UnknownTarget."""
    found = next((target for target in MACHINES if "-".join(target) == name), None)
    if found is None:
        known = ", ".join("-".join(target) for target in MACHINES)
        raise UnknownTarget(f"there is no target '{name}'; choose one of {known}")
    return found


# Callers of a library hold the GIL or need none, and its kernels never allocate.
HELPERS = """
declare i64 @llvm.cttz.i64(i64, i1)
{pdep}
define linkonce_odr i64 @threespan_nth_bit(i64 %mask, i64 %index) alwaysinline {{ {nth_bit} }}
define linkonce_odr void @numba_gil_ensure(ptr %state) {{ ret void }}
define linkonce_odr void @numba_gil_release(ptr %state) {{ ret void }}
define linkonce_odr void @NRT_MemInfo_call_dtor(ptr %info) {{ ret void }}
"""


def helpers(machine: Machine) -> str:
    """The LLVM code of the functions that kernels call and that differ between machines."""
    pdep = "declare i64 @llvm.x86.bmi.pdep.64(i64, i64)" if machine.nth_bit is _PDEP else ""
    return HELPERS.format(nth_bit=machine.nth_bit, pdep=pdep)
