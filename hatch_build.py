"""Builds the page and, into wheels, the libraries of the kernels before the package is built."""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_ROOT = Path(__file__).parent
_SCRIPT = _ROOT / "web" / "build.py"
_KERNELS = _ROOT / "src" / "threespan" / "kernels"
# For each machine: the libraries in its wheel, and the tag. They need nothing but memcpy and its like.
_WHEELS = {
    ("linux", "x86_64"): (["linux-x86_64-v2", "linux-x86_64-v3"], "manylinux_2_17_x86_64"),
    ("linux", "aarch64"): (["linux-aarch64-generic"], "manylinux_2_17_aarch64"),
}
_MACHINE_VARIABLE = "THREESPAN_WHEEL_MACHINE"  # builds the wheel of another machine
_PAGE_VARIABLE = "THREESPAN_PAGE"  # "none" leaves the page to the caller


class PackageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs `web/build.py` and `threespan.core.linking`."""

    def dependencies(self) -> list[str]:
        """Node from a package, where the page is not built yet and the machine has none; for wheels the compiler."""
        script = _load_script()
        node = [script.NODE_PACKAGE] if _builds_page() and not (script.is_built() or script.has_node()) else []
        # An editable install links on first use. Frontends name what they want on the command line of this process.
        is_editable = any("editable" in argument for argument in sys.argv)
        if self.target_name != "wheel" or is_editable or _wheel() is None:
            return node
        project = self.metadata.core
        return [*node, *project.dependencies, *project.optional_dependencies["build"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page; an editable install needs it as well."""
        if _builds_page():
            _load_script().build()
        shutil.rmtree(_KERNELS, ignore_errors=True)
        wheel = _wheel()
        if self.target_name == "wheel" and version != "editable" and wheel is not None:
            targets, tag = wheel
            command = [sys.executable, "-m", "threespan.core.linking", str(_KERNELS), *targets]
            path = os.pathsep.join([str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
            subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, check=True, stdout=sys.stderr)
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{tag}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Leave no libraries in the source tree, where they would go stale."""
        shutil.rmtree(_KERNELS, ignore_errors=True)


def _builds_page() -> bool:
    return os.environ.get(_PAGE_VARIABLE) != "none"


def _wheel() -> tuple[list[str], str] | None:
    """The libraries and the tag of the wheel; None where kernels are linked after the installation."""
    machine = os.environ.get(_MACHINE_VARIABLE) or platform.machine().lower()
    return _WHEELS.get((platform.system().lower(), machine)) if shutil.which("ld") else None


def _load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("threespan_page_build", _SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
