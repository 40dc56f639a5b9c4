"""Matches on a Ray cluster. The test needs the extra `cluster`; all that Ray writes goes to a folder of its own."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from arena.conftest import Outcome
from cli.conftest import Run, run
from threespan.arena import cluster
from threespan.core.kernel import cache_home

__all__ = ["run"]

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
TESTS = Path(__file__).parents[1]
# Ray warns about much; in a process of its own it does not disturb the other tests.
DEADLY = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from arena.conftest import outcomes
from arena.odd import Deadly
from threespan.arena.cluster import play_on_cluster
from threespan.arena.tournament import Tournament
deadly = Deadly(**asdict(Tournament.of("hashi", {}, ["random"], 3, 12)), marker=Path(sys.argv[1]))
print(json.dumps(outcomes(play_on_cluster(deadly, deadly.indices(), "local", 2))))
"""


@pytest.fixture
def home() -> Iterator[dict[str, str]]:
    """An environment in which Ray has a home of its own; its path is short because sockets go there."""
    folder = tempfile.mkdtemp(prefix="ts-", dir="/tmp")
    paths = dict.fromkeys(("HOME", "TMPDIR", "RAY_TMPDIR"), folder)
    path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(TESTS), str(TESTS / "games")])
    kernels = {"THREESPAN_CACHE": str(cache_home())}  # compiled kernels stay where they always are
    yield os.environ | paths | kernels | {"RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": path}
    shutil.rmtree(folder)


@needs_ray
def test_a_cluster_plays_the_same_matches(home: dict[str, str], run: Run) -> None:
    command = ("arena", "hashi", "random", "random", "--games", "20", "--seed", "3", "--workers", "2", "--json")
    here = json.loads(run(*command).out)
    program = [sys.executable, "-c", "from threespan.cli import main; main()", *command, "--cluster", "local"]
    done = subprocess.run(program, capture_output=True, text=True, check=True, env=home)
    there = json.loads(done.stdout)
    assert there["bots"] == here["bots"]
    assert there["length"] == here["length"]
    assert not list(Path(home["HOME"]).iterdir()), "something is left behind"


@needs_ray
def test_a_cluster_replaces_a_worker_that_dies(
    home: dict[str, str], solo_outcomes: list[Outcome], tmp_path: Path
) -> None:
    program = [sys.executable, "-c", DEADLY, str(tmp_path / "died")]
    done = subprocess.run(program, capture_output=True, text=True, check=True, env=home)
    assert json.loads(done.stdout) == json.loads(json.dumps(solo_outcomes))
    assert (tmp_path / "died").exists()


@needs_ray
@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:1", "no Ray cluster answers at 127.0.0.1:1: Connection refused"),
        ("nonsense", "'nonsense' is not the address of a Ray cluster; write local, auto or HOST:PORT"),
    ],
)
def test_a_cluster_that_is_not_there(home: dict[str, str], address: str, reason: str) -> None:
    arguments = ("arena", "hashi", "random", "--games", "2", "--cluster", address)
    program = [sys.executable, "-c", "from threespan.cli import main; main()", *arguments]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=home)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, f"threespan: {reason}")


def test_without_ray_the_command_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_ray(_: str) -> None:
        raise ImportError

    monkeypatch.setattr(cluster, "import_module", no_ray)
    answer = run("arena", "hashi", "random", "--games", 2, "--cluster", "local")
    assert answer.code == 2
    assert "pip install 'threespan[cluster]'" in answer.err
