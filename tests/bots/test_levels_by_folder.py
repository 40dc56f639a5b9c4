"""Levels and advice are found by folder; errors name the game, the file and what to do."""

from pathlib import Path

import pytest

from bots.external_games import register, run_with_game
from threespan.bots import cast, levels
from threespan.bots.evaluation import AdviceError, has_advice
from threespan.bots.levels import LevelsError, levels_of
from threespan.bots.names import LEVELS
from threespan.bots.search_levels import Level
from threespan.core.kernel import cache_folder
from threespan.core.registry import built_in_codes
from threespan.core.words import WordsError

# Five stones in the last heap: taking all of them wins. The advice only considers the first action.
DECIDE = """
from threespan.bots.levels import find_bot
from threespan.core.registry import find_game

game = find_game("pebbles")
position = game.start(game.options(players=2))
position.state.filled = 3
position.state.heap = (0, 0, 5)
for level in ("beginner", "medium"):
    print(game.action_text(position.state, find_bot(level).choose(position.observe(0), 0, 1)))
"""
ADVICE = """
from threespan.core.kernel import kernel

@kernel
def shortlist(state, seat, workspace, count):
    return 1
"""
OWN_LEVELS = """
from threespan.bots.bot import Decision

class Last:
    def decide(self, seen, seat, budget, seed):
        return Decision(seen.legal(seat)[-2])

LEVELS = dict.fromkeys(("beginner", "easy", "medium", "hard", "expert"), Last())
"""


@pytest.mark.parametrize(
    ("files", "decided"),
    [
        ({}, "take 5 from 3"),
        ({"bots/advice.py": ADVICE}, "take 1 from 3"),
        ({"bots/advice.py": ADVICE, "bots/levels.py": OWN_LEVELS}, "take 4 from 3"),
    ],
    ids=["plain search", "guided by advice", "own levels"],
)
def test_an_external_game_can_have_bots(tmp_path: Path, files: dict[str, str], decided: str) -> None:
    assert run_with_game(tmp_path, "pebbles", files, DECIDE).splitlines() == [decided, decided]


@pytest.mark.parametrize("code", built_in_codes())
def test_every_game_of_ours_has_tuned_levels(code: str) -> None:
    assert list(levels_of(code)) == list(LEVELS)
    assert not any(isinstance(player, Level) for player in levels_of(code).values())


def test_a_game_without_anything_is_played_by_plain_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, tmp_path, "bare", {})
    assert not has_advice("bare")
    for player in levels_of("bare").values():
        assert isinstance(player, Level)
        assert not player.style.guided


@pytest.mark.parametrize(
    ("code", "levels", "reason"),
    [
        ("loose", "TABLE = {}", "the bots of 'loose' have no levels; define LEVELS with a player for each of beginner"),
        (
            "four",
            "LEVELS = dict.fromkeys(('beginner', 'easy', 'medium', 'expert'))",
            "have no level 'hard'; add a player",
        ),
        (
            "six",
            "LEVELS = dict.fromkeys(('beginner', 'easy', 'medium', 'hard', 'expert', 'genius'))",
            "have an unknown level 'genius'",
        ),
    ],
)
def test_mismatching_levels_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, levels: str, reason: str
) -> None:
    register(monkeypatch, tmp_path, code, {"bots/levels.py": levels})
    with pytest.raises(LevelsError, match=reason) as raised:
        levels_of(code)
    assert str(tmp_path / code / "bots" / "levels.py") in str(raised.value)
    assert f"'{code}'" in str(raised.value)


def test_a_misspelt_advice_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    misspelt = ADVICE.replace("shortlist", "short_list")
    register(monkeypatch, tmp_path, "typo", {"bots/advice.py": misspelt})
    with pytest.raises(
        AdviceError, match="'short_list' is not advice for the bots of 'typo'; advice is one of shortlist"
    ) as raised:
        has_advice("typo")
    assert str(tmp_path / "typo" / "bots" / "advice.py") in str(raised.value)


def test_kernels_for_bots_are_recompiled_when_the_rules_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, tmp_path, "ruled", {"bots/advice.py": ADVICE, "rules.py": "STONES = 3"})
    folder = tmp_path / "ruled" / "bots"
    before = cache_folder.__wrapped__(folder)
    (tmp_path / "ruled" / "rules.py").write_text("STONES = 4", "utf-8")
    assert cache_folder.__wrapped__(folder) != before


def test_a_new_level_without_a_budget_or_a_name_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    register(monkeypatch, tmp_path, "barren", {})
    monkeypatch.setattr(levels, "LEVELS", (*LEVELS, "master"))
    monkeypatch.setattr(cast, "bot_names", lambda: ["random", *LEVELS, "master"])
    with pytest.raises(LevelsError, match=r"search_levels\.py: the BUDGETS have no level 'master'; add its budget"):
        levels_of("barren")
    with pytest.raises(WordsError, match=r"bots/words/de\.toml: the text 'level\.master' is missing"):
        cast.level_name("master", "de")
