"""The scripts about strength play, resume, and write results."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

Run = Callable[..., None]
Script = Callable[[str], ModuleType]


def written(folder: Path, name: str) -> tuple[dict[str, Any], str]:
    return json.loads((folder / f"{name}.json").read_text("utf-8")), (folder / f"{name}.md").read_text("utf-8")


def test_a_ladder_of_pairs(run: Run, tmp_path: Path) -> None:
    words = ["elfer", "-o", "players=3", "-o", "symbols=true", "--levels", "random", "beginner", "easy"]
    words += ["--games", "24", "--far", "12", "--workers", "1", "--folder", str(tmp_path)]
    run("ladder", *words)
    document, page = written(tmp_path, "ladder")
    [ladder] = document["ladders"]
    assert ladder["settings"] == {"players": 3, "symbols": True}
    assert [(pair["levels"], pair["matches"]) for pair in ladder["pairs"]] == [
        (["random", "beginner"], 24),
        (["random", "easy"], 12),
        (["beginner", "easy"], 24),
    ]
    assert all(pair["low"] <= pair["value"] <= pair["high"] for pair in ladder["pairs"])
    assert [times["level"] for times in ladder["times"]] == ["random", "beginner", "easy"]
    assert "### Elfer, 3 players, symbols" in page
    assert "| easy against beginner | 24 |" in page
    assert "Fewer than 24 matches: random and easy 12 (far apart)." in page
    run("ladder", *words, "--minutes", "0")
    assert written(tmp_path, "ladder") == (document, page)


def test_a_ladder_without_time_says_so(run: Run, tmp_path: Path) -> None:
    words = ["hashi", "-o", "players=2", "--levels", "random", "beginner", "--workers", "1", "--folder", str(tmp_path)]
    run("ladder", *words, "--games", "2")
    run("ladder", *words, "--games", "6", "--minutes", "0")
    document, page = written(tmp_path, "ladder")
    assert document["ladders"][0]["planned"] == {"random-beginner": 6}
    assert "Fewer than 6 matches: random and beginner 2 of 6 (time)." in page


def test_a_ladder_of_solo_scores(run: Run, tmp_path: Path) -> None:
    run("ladder", "hashi", "--levels", "random", "medium", "--games", "6", "--workers", "1", "--folder", str(tmp_path))
    document, page = written(tmp_path, "ladder")
    [ladder] = document["ladders"]
    low, high = (score["value"] for score in ladder["scores"])
    [pair] = ladder["pairs"]
    assert pair["stronger"]
    assert pair["value"] == pytest.approx(high - low, abs=1e-3)
    assert "| medium against random | 6 | +" in page


def test_every_entry_of_the_plans_can_be_played(script: Script) -> None:
    for name in ("ladder", "balance"):
        module = script(name)
        for game, settings in module.PLAN:
            assert script("contests").tournament_of(game, settings, ["random"] * 4, 0, 1).matches >= 1


def test_budgets_with_plots(run: Run, tmp_path: Path) -> None:
    run(
        *("budget", "hashi", "elfer", "--level", "random", "--opponent", "random", "--budgets", "1", "20"),
        *("--games", "8", "--workers", "1", "--folder", tmp_path, "--images", tmp_path),
    )
    document, page = written(tmp_path, "budget")
    solo, pairs = document["curves"]
    assert solo["measure"] == "mean score"
    assert pairs["measure"] == "wins against random"
    assert [row["budget_ms"] for row in pairs["rows"]] == [1, 20]
    assert [row["matches"] for row in solo["rows"]] == [8, 8]
    assert solo["gains"][0]["value"] == 0  # `random` does not play better with more time
    assert "| 20 ms | 8 |" in page
    for game in ("hashi", "elfer"):
        picture = ElementTree.fromstring((tmp_path / f"budget-{game}.svg").read_text("utf-8"))
        assert len(picture.findall("{*}circle")) == 2


def test_balance_by_seat_turn_and_side(run: Run, tmp_path: Path) -> None:
    words = ["--game", "hashi", "--game", "elfer", "--level", "random", "--games", "10", "--workers", "1"]
    run("balance", *words, "--folder", tmp_path)
    document, page = written(tmp_path, "balance")
    for field in document["fields"]:
        assert field["matches"] == 10
        for kind in ("seats", "turns"):
            if field[kind]:
                assert sum(share["value"] for share in field[kind]) == pytest.approx(1, abs=0.01)
        assert bool(field["turns"]) == (field["game"] == "elfer")  # in Hashi all start simultaneously
    assert [gap["players"] for gap in document["compared"]] == [1, 2, 3, 4]
    assert {(gap["game"], gap["option"]) for gap in document["compared"]} == {("hashi", "side")}
    assert "Wins by seat:" in page
    assert "A more than B" in page


@pytest.mark.parametrize(
    ("share", "words"),
    [
        ((0.52, 0.51, 0.53), ""),
        ((0.60, 0.54, 0.66), "above"),
        ((0.60, 0.52, 0.68), "probably above"),
        ((0.60, 0.45, 0.75), "perhaps above"),
    ],
)
def test_flags_of_unfair_seats(script: Script, share: tuple[float, float, float], words: str) -> None:
    assert script("balance").flag(script("contests").Estimate(*share, 100), 0.5) == words


def test_without_openspiel_it_says_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(SystemExit, match="OpenSpiel, which is not installed: pip install open_spiel"):
        run("openspiel_search")


def test_searches_are_measured_in_turns(script: Script) -> None:
    module = script("openspiel_search")
    asked: list[tuple[str, int]] = []

    def contestant(name: str) -> Any:
        def run(simulations: int, seed: int) -> int:
            asked.append((name, seed))
            return sum(range(9 * simulations))  # takes some time, so that there is a rate

        return module.Contestant(name, True, False, 10.0, run)

    rates = module.alternate([contestant("one"), contestant("two")], 2, 0.0)
    assert asked[-4:] == [("one", 1), ("two", 1), ("one", 2), ("two", 2)]
    assert [len(own) for own in rates] == [2, 2]
    row = module.figures(contestant("one"), [300.0, 100.0, 200.0])
    assert (row["slowest_round"], row["simulations_per_s"], row["fastest_round"]) == (100, 200, 300)
    assert row["decisions_per_s"] == 2000


def test_the_verdict_compared_with_openspiel(script: Script) -> None:
    module = script("openspiel_search")
    rival = {"name": "theirs", "ours": False, "simulations_per_s": 100, "decisions_per_s": 1000}
    plain = {"name": "plain", "ours": True, "simulations_per_s": 50, "decisions_per_s": 4000}
    guided = {"name": "guided", "ours": True, "simulations_per_s": 300}
    assert module.verdict([rival, guided]) == "Ahead of both in every row."
    assert module.verdict([rival, plain, guided]) == "Not ahead:\nplain: 50 simulations/s, theirs: 100."
    assert module.multiples(plain, rival) == "0.50 (decisions 4.0)"


def test_choices_are_compared_with_no_search(
    run: Run, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The judge chooses without search, so a player that chooses like the judge gains nothing.
    quick = script("plans").Choices("hard", "hard", [6, 12])
    monkeypatch.setitem(script("choices").PLANS, "stege", quick)
    run("choices", "stege", "--positions", "2", "--playouts", "2", "--folder", tmp_path, "--images", tmp_path)
    document, page = written(tmp_path, "choices-stege")
    assert [row["simulations"] for row in document["rows"]] == [6, 12]
    assert document["rows"][0]["value"] == 0  # six simulations are one turn: the best-rated one
    assert "2 positions, 2 matches per turn" in page
    assert (tmp_path / "choices-stege.svg").is_file()
