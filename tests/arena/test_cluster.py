"""Matches on a Ray cluster; Ray only writes to a temporary folder."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.conftest import Outcome
from cli.conftest import Run, run
from threespan.arena import cluster
from threespan.core.errors import UserError
from threespan.core.libraries import cache_home

__all__ = ["run"]

TESTS = Path(__file__).parents[1]
# Ray emits many warnings; in a subprocess they do not disturb other tests.
DEADLY = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from arena.conftest import outcomes
from arena.faulty import Deadly
from threespan.arena.cluster import play_on_cluster
from threespan.arena.tournament import Tournament
deadly = Deadly(**asdict(Tournament.of("hashi", {}, ["random"], 3, 12)), marker=Path(sys.argv[1]))
print(json.dumps(outcomes(play_on_cluster(deadly, deadly.indices(), "local", 2))))
"""


@pytest.fixture
def home() -> Iterator[dict[str, str]]:
    """An environment with a separate home for Ray; the path is short, for Unix sockets."""
    folder = tempfile.mkdtemp(prefix="ts-", dir="/tmp")
    paths = dict.fromkeys(("HOME", "TMPDIR", "RAY_TMPDIR"), folder)
    path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(TESTS), str(TESTS / "games")])
    kernels = {"THREESPAN_CACHE": str(cache_home())}  # use the usual cache of kernels
    yield os.environ | paths | kernels | {"RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": path}
    shutil.rmtree(folder)


def test_a_cluster_plays_the_same_matches(home: dict[str, str], run: Run) -> None:
    command = ("arena", "hashi", "random", "random", "--games", "20", "--seed", "3", "--workers", "2", "--json")
    here = json.loads(run(*command).out)
    program = [sys.executable, "-c", "from threespan.cli import main; main()", *command, "--cluster", "local"]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=home)
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    assert there["bots"] == here["bots"]
    assert there["length"] == here["length"]
    assert not list(Path(home["HOME"]).iterdir()), "something is left behind"


def test_a_cluster_replaces_a_worker_that_dies(
    home: dict[str, str], solo_outcomes: list[Outcome], tmp_path: Path
) -> None:
    program = [sys.executable, "-c", DEADLY, str(tmp_path / "died")]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=home)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(solo_outcomes))
    assert (tmp_path / "died").exists()


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


class LateRay:
    """A Ray that does not come up in time at first."""

    def __init__(self, failures: int) -> None:
        self.failures, self.starts = failures, 0

    def init(self, *_: object, **__: object) -> None:
        self.starts += 1
        if self.starts <= self.failures:
            raise Exception("The current node timed out during startup. This could happen")

    def shutdown(self) -> None:
        pass


def test_a_cluster_that_starts_late_is_started_again() -> None:
    late, never = LateRay(2), LateRay(9)
    cluster._connect(late, "local", "/tmp/x", 2, attempts=3)
    assert late.starts == 3
    with pytest.raises(UserError, match="no Ray cluster at local: The current node timed out during startup"):
        cluster._connect(never, "local", "/tmp/x", 2, attempts=3)
    assert never.starts == 3


def test_without_ray_the_command_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_ray(_: str) -> None:
        raise ImportError

    monkeypatch.setattr(cluster, "import_module", no_ray)
    answer = run("arena", "hashi", "random", "--games", 2, "--cluster", "local")
    assert answer.code == 2
    assert "pip install 'threespan[cluster]'" in answer.err
