"""Every training command, with a tiny budget: what it writes is what the bots then play by."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TRAINING = ROOT / "training"
PACKAGE = ROOT / "src" / "threespan"
# The command, the file in the package that it makes, and a bot that reads that file with how many decisions show it.
COMMANDS = [
    ("training.hashi.weights", "bots/hashi/weights.npz", "hashi medium 1"),
    ("training.hashi.nets", "bots/hashi/nets.npz", "hashi expert 1"),
    ("training.stege.weights", "bots/stege/weights.py", "stege hard 1"),
    ("training.elfer.weights", "bots/elfer/weights.py", "elfer medium 12"),
]
TINY = ("--scale", "0.001")
DECISIONS = """
import sys
from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.registry import find_game

game, bot = find_game(sys.argv[1]), find_bot(sys.argv[2])
match = Match.new(game, game.options(), MatchSeed.of("trained"))
for _ in range(int(sys.argv[3])):
    [seat, *_] = match.position.acting()
    decision = bot.decide(match.position.observe(seat), seat, Budget(simulations=1), 1)
    print(decision)
    match.play(seat, decision.action)
"""


def train(module: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def decisions(package: Path, bot: str) -> str:
    """What a bot of a package decides at first; uncompiled, which is quicker than compiling it."""
    environment = os.environ | {"PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", DECISIONS, *bot.split()]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package, for values that are worth nothing."""
    package = tmp_path / "threespan"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "page"))
    return package


@pytest.mark.parametrize(("module", "file", "bot"), COMMANDS, ids=[module for module, *_ in COMMANDS])
def test_bots_play_by_what_was_trained(module: str, file: str, bot: str, copied: Path) -> None:
    before = decisions(copied, bot)
    (copied / file).unlink()
    work = ("--work", copied.parent / "work") if module.endswith("nets") else ()
    done = train(module, *TINY, "--seed", 3, "--out", copied / file, *work)
    assert done.returncode == 0, done.stderr
    assert decisions(copied, bot) != before
    assert f"python -m {module} --scale 0.001 --seed 3" in made_by(copied / file)


def made_by(file: Path) -> str:
    """What a learnt file says of how it was made."""
    if file.suffix == ".py":
        return file.read_text("utf-8")
    with np.load(file) as learnt:
        return str(learnt["made_by"])


def test_every_learnt_file_has_a_command() -> None:
    learnt = {str(file.relative_to(PACKAGE)) for file in (PACKAGE / "bots").rglob("*.npz")}
    learnt |= {str(file.relative_to(PACKAGE)) for file in (PACKAGE / "bots").rglob("weights.py")}
    assert learnt == {file for _, file, *_ in COMMANDS}


def test_every_command_is_in_the_documentation() -> None:
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    for module, file, *_ in COMMANDS:
        assert f"| `python -m {module}` | `{file}` |" in page


@pytest.mark.parametrize("scale", ["0", "2", "much"])
def test_a_scale_that_makes_no_sense(scale: str) -> None:
    done = train("training.elfer.weights", "--scale", scale)
    assert done.returncode == 2
    assert "--scale" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("file", sorted(TRAINING.rglob("*.py")), ids=lambda file: str(file.relative_to(TRAINING)))
def test_training_imports_its_game_and_nothing_odd(file: Path) -> None:
    own = file.parent.name
    shared = ("numpy.", "threespan.core.", "threespan.bots.planning.", "training.common.")
    allowed = (*shared, f"threespan.bots.{own}.", f"threespan.games.{own}.", f"training.{own}.")
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [f"{node.module}.{name.name}" for name in node.names]
        for name in names:
            is_standard = name.partition(".")[0] in sys.stdlib_module_names
            assert is_standard or f"{name}.".startswith(allowed), f"{file.name} imports {name}"
