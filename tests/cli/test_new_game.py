"""`threespan new-game`: the new game passes the suite and runs in a terminal, on the page and in PettingZoo."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from cli.conftest import Run
from server.clients import Client
from server.running import Server
from threespan.new_game import TEMPLATE, template_files

NIM = Path(__file__).parents[1] / "games" / "nim"
CODE = "sticks_2"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new folder with an unchanged game."""
    folder = tmp_path_factory.mktemp("home")
    done = python(folder, "-m", "threespan", "new-game", CODE)
    assert done.returncode == 0, done.stderr
    assert f"THREESPAN_GAMES={CODE}" in done.stdout
    return folder


def environment(folder: Path) -> dict[str, str]:
    """The environment of the game's README; uncompiled, to save time."""
    own = {"PYTHONPATH": str(folder), "THREESPAN_GAMES": CODE, "NUMBA_DISABLE_JIT": "1", "LANG": "en_GB.UTF-8"}
    return os.environ | own | {"THREESPAN_STATE": str(folder / "state"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def python(folder: Path, *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *arguments]
    own = environment(folder)
    if not (folder / CODE).exists():
        own["THREESPAN_GAMES"] = ""
    return subprocess.run(command, cwd=folder, env=own, input=typed, capture_output=True, text=True, check=False)


def test_the_new_game_has_every_file(home: Path) -> None:
    files = {str(file.relative_to(home / CODE)) for file in (home / CODE).rglob("*") if "__pycache__" not in file.parts}
    assert files >= {
        *("README.md", "state.py", "rules.py", "rules.toml", "words/en.toml", "words/de.toml", "view.py", "speech.py"),
        *("position.py", "game.py", "research.py", "bots/advice.py", "tests/test_conformance.py", "tests/golden"),
    }
    texts = [file.read_text("utf-8") for file in (home / CODE).rglob("*") if file.suffix in (".py", ".toml", ".md")]
    assert not [text for text in texts if "Nim " in text or "nim." in text]
    assert 'name = "Sticks 2"' in (home / CODE / "words" / "en.toml").read_text("utf-8")


def test_it_passes_the_conformance_suite(home: Path) -> None:
    done = python(home, "-m", "threespan.testing", CODE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_passes_its_own_tests(home: Path) -> None:
    done = python(home, "-m", "pytest", "-q", CODE, "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout


def test_it_plays_in_the_terminal(home: Path) -> None:
    typed = "\n\n".join(["take 9 from 1", *["take 1 from 1", "take 1 from 2", "take 1 from 3"] * 20])
    done = python(home, "-m", "threespan", "play", CODE, "--bot", "random", "--seed", "2", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "TOO_MANY: The heap has fewer stones." in done.stdout
    assert "total, rank 1" in done.stdout


def test_it_plays_in_pettingzoo_as_its_readme_says(home: Path) -> None:
    readme = (home / CODE / "README.md").read_text("utf-8")
    program = readme.partition('python -c "\n')[2].partition('\n    "')[0]
    done = python(home, "-c", "\n".join(line.removeprefix("    ") for line in program.splitlines()))
    assert done.returncode == 0, done.stderr
    rewards = [float(line.split()[-1]) for line in done.stdout.splitlines()]
    assert sorted(rewards)[-2:] == [0.0, 1.0]


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Server]:
    running = Server(home, env=environment(home)).start()
    yield running
    running.stop()


def test_the_server_offers_it(server: Server) -> None:
    games = {game["code"]: game for game in httpx.get(f"{server.base}/api/games?language=de", timeout=30).json()}
    assert games[CODE]["name"] == "Sticks 2"
    assert (games[CODE]["min_players"], games[CODE]["max_players"]) == (2, 4)
    assert [option["title"] for option in games[CODE]["options"]] == ["Größter Haufen"]


def test_a_whole_match_is_played_at_a_table_in_words(server: Server) -> None:
    table = server.open(CODE, "here", "link")
    said = asyncio.run(asyncio.wait_for(play_in_words(server, table), 120))
    assert said["labels"][0].startswith("Take 1 stone")
    assert said["lines"][0].startswith("Heap 1: ")


async def play_in_words(server: Server, table: dict[str, Any]) -> dict[str, Any]:
    """Two people play in text mode; returns the first update of one of them."""
    clients = [Client(server.base, table["id"], key["key"], text_mode=True) for key in table["keys"]]
    async with clients[0] as one, clients[1] as two:
        await one.join("One")
        await two.join("Two")
        first = await one.until(lambda update: update["now"]["legal"])
        ends = await asyncio.gather(*(client.play_to_the_end(lambda legal: legal[-1]) for client in (one, two)))
        assert ends[0]["result"] == ends[1]["result"]
        situation: dict[str, Any] = first["now"]
        return situation


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("Sticks", "'Sticks' cannot be the code of a game"),
        ("3sticks", "'3sticks' cannot be the code of a game"),
        ("my-game", "'my-game' cannot be the code of a game"),
        ("class", "'class' cannot be the code of a game"),
        ("../up", "'../up' cannot be the code of a game"),
        ("x" * 25, "cannot be the code of a game"),
        ("json", "there is already a Python module 'json'"),
        ("threespan", "there is already a Python module 'threespan'"),
        ("hashi", "there is already a game 'hashi'"),
        ("nim", "there is already a game 'nim'"),
        ("taken", "taken already exists"),
    ],
)
def test_a_bad_code_is_refused_in_one_line(run: Run, tmp_path: Path, code: str, reason: str) -> None:
    (tmp_path / "taken").mkdir()
    answer = run("new-game", code, tmp_path)
    assert answer.code == 2
    assert reason in answer.err
    assert answer.err.count("\n") == 1
    assert list(tmp_path.rglob("*.py")) == []


def test_a_folder_that_cannot_be_written(run: Run) -> None:
    answer = run("new-game", "sticks", "/proc/nowhere")
    assert answer.code == 2
    assert answer.err.count("\n") == 1


def test_the_game_that_all_tests_use_is_the_skeleton() -> None:
    again = "write it again: rm -r tests/games/nim && threespan new-game nim tests/games"
    files = [file.relative_to(NIM) for file in NIM.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert sorted(files) == template_files(), again
    for file in files:
        assert (NIM / file).read_text("utf-8") == (TEMPLATE / file).read_text("utf-8"), again
