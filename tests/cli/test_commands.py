"""The commands, their JSON documents, and their errors: one line and exit code 2."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from threespan.core.record import load_record, replay, write_record
from threespan.core.registry import codes

GOLDEN = Path(__file__).parents[1] / "golden"
SOLO = GOLDEN / "hashi" / "solo-a.jsonl"
TWO = GOLDEN / "hashi" / "two-a.jsonl"


@pytest.fixture
def midgame(tmp_path: Path) -> Path:
    """A match of two players in the middle of a round."""
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
    assert "The new card: " in answer.out
    assert "Ada writes a 3 on the island in row 4, column 1. (write 30 3)" in answer.out
    assert "Ada: " in answer.out.splitlines()[-1]


@pytest.fixture
def given_up(tmp_path: Path) -> Path:
    """A match of two players in which the first has resigned in the middle of a round."""
    match = replay(load_record(TWO)).replayed_to(19)
    match.resign(0)
    file = tmp_path / "resigned.jsonl"
    file.write_text(write_record(match), "utf-8")
    return file


def test_a_match_that_was_resigned_is_checked_and_shown(run: Run, given_up: Path) -> None:
    assert run("record", "check", given_up).code == 0
    shown = run("record", "show", given_up).out.splitlines()[-2:]
    assert shown[0].endswith("(2., resigned)")
    assert shown[1].endswith("(1.)")
    answer = json.loads(run("legal", given_up, "--json", "--why", "skip").out)
    assert (answer["to_act"], answer["legal"], answer["why"]["rule"]) == ([], [], "NOT_NOW")
    given_up.write_text(given_up.read_text("utf-8").replace('"resigned":[0]', '"resigned":[1]'), "utf-8")
    answer = run("record", "check", given_up)
    assert answer.code == 2
    assert len(answer.err.strip().splitlines()) == 1
    assert "ranks [2,1] are wrong" in answer.err.replace(", ", ",")


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
        (("play", "hashi", "--players", 7), "option players: 7 is not allowed; choose a number from 1 to 4"),
        (("play", "hashi", "-o", "colour=red"), "there is no option 'colour'"),
        (("play", "hashi", "-o", "side"), "'side' is not of the form name=value"),
        (("play", "hashi", "-o", "side=C"), "there is no hashi file 'C' among the boards; choose one of A, B"),
        (("play", "hashi", "-o", "side=A,B"), "All players use the same side"),
        (("play", "hashi", "--solo", "--players", 2), "--solo is for one player"),
        (("play", "hashi", "--players", 2, "--bot", "random", "--bot", "random"), "2 bots leave no seat for a person"),
        (
            ("play", "hashi", "--bot", "deepblue"),
            "there is no bot 'deepblue'; choose one of random, beginner, easy, medium, hard, expert",
        ),
        (("play", "hashi", "--language", "fr"), "the language 'fr' is not supported"),
        (("play", "hashi", "--material", "/nowhere/at/all"), "there is no folder"),
        (("arena", "hashi", "random", "deepblue"), "there is no bot 'deepblue'"),
        (("arena", "hashi", "random", f"expert@{'9' * 5000}"), "is not a budget; write for example @50ms"),
        (("arena", "hashi", "random", "random", "-o", "players=3"), "2 bots for 3 players"),
        (("arena", "hashi", *["random"] * 5), "option players: 5 is not allowed; choose a number from 1 to 4"),
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
def test_a_missing_game_package_is_reported(run: Run, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setenv("THREESPAN_GAMES", package)
    answer = run("rules", package.rpartition(".")[2])
    assert answer.code == 2
    assert f"THREESPAN_GAMES names '{package}', but there is no such package" in answer.err
    assert run("rules", "hashi").code == 0  # the other games still work


def test_broken_records_never_end_in_a_traceback(run: Run, tmp_path: Path) -> None:
    text = TWO.read_bytes()
    file = tmp_path / "broken.jsonl"
    for cut in range(0, len(text), 97):
        file.write_bytes(text[:cut] + bytes([text[cut] ^ 21]) + text[cut + 1 :])
        answer = run("record", "check", file)
        assert answer.code in (0, 2)
        file.write_bytes(text[:cut])
        assert run("record", "check", file).code == 2


NASTY_NAMES = ["no\nsuch", "\x1b[31mred", "\udcff", "x" * 300]


@pytest.mark.parametrize("name", NASTY_NAMES)
@pytest.mark.parametrize("command", [("record", "check"), ("record", "show"), ("legal",)])
def test_the_name_of_a_file_is_cited_in_one_line(run: Run, tmp_path: Path, command: tuple[str], name: str) -> None:
    answer = run(*command, tmp_path / name)
    assert answer.code == 2
    complaint = answer.err.strip().removeprefix("\x1b[?25l").strip()
    assert complaint.startswith("threespan: ")
    assert complaint.isprintable()


def test_failures_are_json_whatever_a_file_is_called(run: Run, tmp_path: Path) -> None:
    for name in NASTY_NAMES:
        answer = run("record", "check", "--json", tmp_path / name)
        assert answer.code == 2
        assert json.loads(answer.out)["failures"][0]["file"] == str(tmp_path / name)


def test_the_names_of_players_do_nothing_to_a_terminal(run: Run, tmp_path: Path) -> None:
    lines = SOLO.read_text("utf-8").splitlines()[:4]
    file = tmp_path / "names.jsonl"
    for name in ("\x1b[2Jgone", "two\nlines", "long" * 10_000):
        lines[0] = json.dumps(json.loads(lines[0]) | {"seats": [name]})
        file.write_text("\n".join(lines) + "\n", "utf-8")
        shown = run("record", "show", file)
        assert shown.code == 0
        assert "\x1b[2J" not in shown.out
        assert "two\nlines" not in shown.out
        assert len(shown.out) < 10_000


def test_every_command_is_documented(run: Run) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    commands = ["play", "arena GAME", "bench", "legal FILE", "rules GAME", "record check", "record show"]
    for command in commands:
        assert f"threespan {command}" in readme
    listed = run("--help").out
    assert all(command.split()[0] in listed for command in commands)
    assert "hashi" in codes()
