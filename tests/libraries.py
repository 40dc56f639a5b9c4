"""The libraries of linked kernels that several tests need."""

import os
import subprocess
import sys
from pathlib import Path

from threespan.core.libraries import cache_of_libraries

_GAMES = Path(__file__).parent / "games"


def link_libraries() -> str:
    """The folder of the libraries for these sources and the games of the tests, linked if they are missing."""
    command = [sys.executable, "-m", "threespan.core.linking"]
    subprocess.run(command, env=os.environ | {"PYTHONPATH": str(_GAMES)}, check=True)
    return str(cache_of_libraries())
