"""PettingZoo environments: for every game a module `CODE_v0` with `env`, `raw_env` and `parallel_env`.

`env` runs in turns with PettingZoo's usual checks, `raw_env` without them, and in `parallel_env` all agents step
together. The modules are created from the registry, so that games outside this package have them as well.
"""

import sys
from functools import partial
from types import ModuleType

from threespan.core.registry import codes
from threespan.research.pettingzoo.aec import AecMatch, checked_env
from threespan.research.pettingzoo.parallel import ParallelMatch

_VERSION = "_v0"


def __getattr__(name: str) -> ModuleType:
    """The module of a game."""
    code = name.removesuffix(_VERSION)
    if code == name or code not in codes():
        raise AttributeError(f"module {__name__} has no {name}; it has {', '.join(_names())}")
    module = ModuleType(f"{__name__}.{name}", f"{code} for PettingZoo, with all options of the game.")
    module.env = partial(checked_env, code)  # type: ignore[attr-defined]
    module.raw_env = partial(AecMatch, code)  # type: ignore[attr-defined]
    module.parallel_env = partial(ParallelMatch, code)  # type: ignore[attr-defined]
    globals()[name] = sys.modules[module.__name__] = module  # so that it can be imported by its own name
    return module


def _names() -> list[str]:
    return [code + _VERSION for code in codes()]


for _name in _names():
    __getattr__(_name)
