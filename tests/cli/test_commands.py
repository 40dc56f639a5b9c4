"""The commands, their JSON documents, and what they say to bad input: one line, exit code 2."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from conformance.helpers import GOLDEN
from threespan.core.registry import codes

SOLO = GOLDEN / "hashi" / "solo-a.jsonl"
TWO = GOLDEN / "hashi" / "two-a.jsonl"


@pytest.fixture
def midgame(tmp_path: Path) -> Path:
    """A match of two in the middle of a round."""
    file = tmp_path / "midgame.jsonl"
    file.write_text("\n".join(TWO.read_text("utf-8").splitlines()[:20]) + "\n", "utf-8")
    return file


def test_legal(run: Run, midgame: Path) -> None:
    answer = json.loads(run("legal", midgame, "--json").out)
    assert answer["game"] == "hashi"
    assert answer["seat"] == answer["to_act"][0]
    assert answer["legal"]
    assert run("legal", midgame).out.split("\n")[:-1] == answer["legal"]


def test_legal_why(run: Run, midgame: Path) -> None:
    answer = json.loads(run("legal", midgame, "--json", "--why", "card 5/3").out)
    assert answer["why"]["rule"] == "NOT_NOW"
    assert answer["why"]["en"] != answer["why"]["de"]
    possible = answer["legal"][0]
    assert json.loads(run("legal", midgame, "--json", "--why", possible).out)["why"]["rule"] == "LEGAL"
    assert "passt jetzt nicht" in run("legal", midgame, "--why", "card 5/3", "--language", "de").out


def test_legal_of_a_match_that_is_over(run: Run) -> None:
    assert json.loads(run("legal", SOLO, "--json").out) == {"game": "hashi", "to_act": [], "seat": 0, "legal": []}


def test_record_check(run: Run, midgame: Path) -> None:
    answer = run("record", "check", SOLO, TWO, midgame, "--json")
    assert answer.code == 2
    found = json.loads(answer.out)
    assert (found["files"], found["ok"]) == (3, 2)
    assert found["failures"] == [
        {"file": str(midgame), "line": 20, "reason": "the record ends here, before the match is over"}
    ]
    assert run("record", "check", SOLO, TWO).code == 0
    assert run("record", "check", midgame, "--unfinished").code == 0


def test_record_show(run: Run) -> None:
    answer = run("record", "show", SOLO)
    assert answer.code == 0
    assert "chance: card" in answer.out
    assert "Ada: " in answer.out.splitlines()[-1]


def test_arena(run: Run, tmp_path: Path) -> None:
    command = ("arena", "hashi", "random", "random", "--games", 12, "--seed", 3, "--json", "--workers", 1)
    first = json.loads(run(*command, "--record", tmp_path / "one").out)
    assert [bot["name"] for bot in first["bots"]] == ["random 1", "random 2"]
    assert sum(bot["wins"] for bot in first["bots"]) == pytest.approx(12)
    assert first["games"] == 12
    second = json.loads(run(*command, "--record", tmp_path / "two").out)
    assert first["bots"] == second["bots"]
    files = sorted((tmp_path / "one").glob("*.jsonl"))
    assert len(files) == 12
    assert [f.read_text() for f in files] == [f.read_text() for f in sorted((tmp_path / "two").glob("*.jsonl"))]
    assert run("record", "check", *files).code == 0


def test_arena_gives_both_seatings_the_same_cards(run: Run, tmp_path: Path) -> None:
    run("arena", "hashi", "random", "random", "--games", 2, "--record", tmp_path, "--json")
    cards = []
    for file in sorted(tmp_path.glob("*.jsonl")):
        events = [json.loads(line) for line in file.read_text().splitlines()[1:-2]]
        cards.append([event["do"] for event in events if event["seat"] == "chance"])
    assert cards[0] == cards[1]


def test_arena_does_not_depend_on_the_number_of_workers(run: Run) -> None:
    command = ("arena", "hashi", "random", "--games", 45, "--seed", 3, "--json")
    answers = [json.loads(run(*command, "--workers", workers).out)["bots"] for workers in (1, 2)]
    assert answers[0] == answers[1]


def test_rules(run: Run) -> None:
    assert "`ALL_OR_NOTHING`" in run("rules", "hashi").out
    assert "Alle oder keine" in run("rules", "hashi", "--language", "de").out


def test_version_and_help(run: Run) -> None:
    assert run("--version").out.strip()
    assert run("--help").code == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("play", "chess"), "there is no game 'chess'"),
        (("play", "hashi", "--players", 7), "option players: Expected `int` <= 4"),
        (("play", "hashi", "-o", "colour=red"), "there is no option 'colour'"),
        (("play", "hashi", "-o", "side"), "'side' is not of the form name=value"),
        (("play", "hashi", "-o", "side=C"), "there is no hashi file 'C' among the boards; there are A, B"),
        (("play", "hashi", "-o", "side=A,B"), "SAME_SIDE"),
        (("play", "hashi", "--solo", "--players", 2), "--solo is for one player"),
        (("play", "hashi", "--players", 2, "--bot", "random", "--bot", "random"), "2 bots leave no seat for a person"),
        (
            ("play", "hashi", "--bot", "deepblue"),
            "there is no bot 'deepblue'; there are random, beginner, easy, medium, hard, expert",
        ),
        (("play", "hashi", "--language", "fr"), "the language 'fr' is not known"),
        (("play", "hashi", "--material", "/nowhere/at/all"), "there is no folder"),
        (("arena", "hashi", "random", "deepblue"), "there is no bot 'deepblue'"),
        (("arena", "hashi", "random", "random", "-o", "players=3"), "2 bots for 3 players"),
        (("arena", "hashi", *["random"] * 5), "option players: Expected `int` <= 4"),
        (("arena", "hashi", "random", "--record", "/dev/null/x"), "/dev/null/x: Not a directory"),
        (("legal", "/nowhere.jsonl"), "/nowhere.jsonl: No such file or directory"),
        (("legal", SOLO, "--seat", 3), "there is no seat 3"),
        (("legal", SOLO, "--why", "fly"), "'fly' is not an action"),
        (("record", "check", "/nowhere.jsonl"), "/nowhere.jsonl: No such file or directory"),
        (("record", "show", "/nowhere.jsonl"), "/nowhere.jsonl: No such file or directory"),
        (("rules", "chess"), "there is no game 'chess'"),
        (("bench", "chess"), "there is no game 'chess'"),
        (("dance",), "No such command 'dance'"),
        (("arena", "hashi", "random", "--games", 0), "--games"),
    ],
)
def test_bad_input_gets_one_clear_line(run: Run, arguments: tuple[object, ...], reason: str) -> None:
    answer = run(*arguments)
    assert answer.code == 2
    assert reason in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("package", ["nonsense", "non.sense"])
def test_a_game_package_that_is_not_there_is_named(run: Run, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setenv("THREESPAN_GAMES", package)
    answer = run("rules", package.rpartition(".")[2])
    assert answer.code == 2
    assert f"THREESPAN_GAMES names '{package}', but there is no such package" in answer.err
    assert run("rules", "hashi").code == 0  # the other games are there all the same


def test_broken_records_never_end_in_a_traceback(run: Run, tmp_path: Path) -> None:
    text = TWO.read_bytes()
    file = tmp_path / "broken.jsonl"
    for cut in range(0, len(text), 97):
        file.write_bytes(text[:cut] + bytes([text[cut] ^ 21]) + text[cut + 1 :])
        answer = run("record", "check", file)
        assert answer.code in (0, 2)
        file.write_bytes(text[:cut])
        assert run("record", "check", file).code == 2


def test_every_command_is_documented(run: Run) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    commands = ["play", "arena GAME", "bench", "legal FILE", "rules GAME", "record check", "record show"]
    for command in commands:
        assert f"threespan {command}" in readme
    listed = run("--help").out
    assert all(command.split()[0] in listed for command in commands)
    assert "hashi" in codes()
