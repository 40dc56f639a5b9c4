"""The wheel in an empty environment, on a machine without a compiler, Numba or NumPy: everything can be played."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from libraries import GAMES, PLAY, without_games
from server.running import Server
from threespan.core.libraries import GAMES_VARIABLE, uncompiled_notice
from web.browsing import DESKTOP, GENEROUS, Guest, open_browser, open_table
from web.hands import Mouse
from web.playing import PLAYERS, QUICK

ROOT = Path(__file__).parents[2]
TRIAL = ROOT / "tools" / "trial.py"
NOT_NEEDED = ("numba", "llvmlite", "numpy")  # to play and to serve


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive, far from the source tree; kept object files are used."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, env=without_games(), check=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that contains nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--constraint", str(ROOT / "constraints.txt"), str(wheel)], check=True)
    return folder / "bin"


@pytest.fixture(scope="module")
def bare(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment variables of somebody new: an empty home, and no commands but those that were installed."""
    return {"PATH": str(installed), "HOME": str(tmp_path_factory.mktemp("home")), "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def guest(installed: Path, bare: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """Somebody at the page of a server that runs in that environment."""
    python = str(installed / "python")
    server = Server(tmp_path_factory.mktemp("server"), python=python, env=bare, **GENEROUS).start()
    with open_browser() as browser:
        guest = Guest(browser, server.base, hurries=True, **DESKTOP)
        yield guest
        guest.close()
    server.stop()


def test_its_tag_says_that_it_contains_libraries(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-manylinux_2_17_x86_64.whl")
    names = zipfile.ZipFile(wheel).namelist()
    libraries = [name for name in names if name.startswith("threespan/kernels/") and name.endswith(".so")]
    assert sorted(library.rpartition("/")[2] for library in libraries) == [
        "bots-kernels-linux-x86_64-v2.so",
        "bots-kernels-linux-x86_64-v3.so",
        "kernels-linux-x86_64-v2.so",
        "kernels-linux-x86_64-v3.so",
    ]


def test_it_brings_neither_the_compiler_nor_numpy(installed: Path) -> None:
    code = f"from importlib.util import find_spec; print([name for name in {NOT_NEEDED} if find_spec(name)])"
    done = subprocess.run([str(installed / "python"), "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_game_is_played_against_experts_in_the_terminal_and_at_tables(
    installed: Path, bare: dict[str, str], tmp_path: Path
) -> None:
    command = [str(installed / "python"), "-I", str(TRIAL), str(tmp_path / "trial")]
    done = subprocess.run(command, cwd=tmp_path, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "played hashi, stege, elfer in the terminal and at a table; all records are right" in done.stderr


@pytest.mark.parametrize("game", list(PLAYERS))
def test_every_game_is_played_against_experts_on_the_page(guest: Guest, game: str) -> None:
    open_table(guest, game, "expert", options=QUICK[game])
    PLAYERS[game](guest, Mouse(guest)).play_to_the_end()
    assert guest.sees("result").get_by_text("Rank 1").count() >= 1
    assert not guest.troubles


def test_games_from_elsewhere_run_uncompiled_and_play_the_same(installed: Path, bare: dict[str, str]) -> None:
    variables = {"PYTHONPATH": str(GAMES), GAMES_VARIABLE: "nim,pairs"}

    def play(python: str, environment: dict[str, str]) -> list[str]:
        command = [python, "-c", PLAY]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()

    *uncompiled, loaded = play(str(installed / "python"), bare | variables)
    assert loaded == "[]"
    *compiled, _ = play(sys.executable, os.environ | variables)
    assert uncompiled == compiled
    assert [line.split()[0] for line in compiled] == ["elfer", "hashi", "nim", "pairs", "stege"]


def test_it_is_said_once_that_a_game_runs_uncompiled(installed: Path, bare: dict[str, str]) -> None:
    variables = {"PYTHONPATH": str(GAMES), GAMES_VARIABLE: "nim"}
    command = [str(installed / "threespan"), "play", "nim", "--players", "2", "--bot", "expert", "--language", "en"]
    typed = "take 1 from 1\n\n"
    done = subprocess.run(command, env=bare | variables, input=typed, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == f"threespan: {uncompiled_notice('nim')}"


def test_nothing_was_compiled_or_linked(bare: dict[str, str]) -> None:
    """Runs last: by now everything has been played."""
    assert not (Path(bare["HOME"]) / ".cache" / "threespan").exists()
