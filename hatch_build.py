"""Builds the page before the package is built, so that wheels and source archives carry it."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SCRIPT = Path(__file__).parent / "web" / "build.py"


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs `web/build.py`."""

    def dependencies(self) -> list[str]:
        """Node from a package, where the page is not built yet and the machine has none."""
        script = _load_script()
        return [] if script.is_built() or script.has_node() else [script.NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the page; an editable install needs it as well."""
        _load_script().build()


def _load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("threespan_page_build", _SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
