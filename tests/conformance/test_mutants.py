"""The conformance suite finds faults planted in a game with hidden information, for the right reason."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

FAILED, REFUSED = 1, 2  # exit codes: a check failed, or the package is not a game
PAIRS = Path(__file__).parents[1] / "games" / "pairs"


class Mutant(NamedTuple):
    """A planted fault: the replacements, the check that fails and its message."""

    check: str
    reason: str
    changes: list[tuple[str, str, str]]


ONLY_FOR_ITS_SEAT = "return seat != CHANCE or viewer == state.turn"
ANY_CARD = "below(rng, unseen)"
MUTANTS = {
    "everybody is told which cards are drawn": Mutant(
        "nobody_is_told_what_hide_keeps_from_them",
        "`sees` tells",
        [("game.py", ONLY_FOR_ITS_SEAT, "return True")],
    ),
    "everybody is told of low cards": Mutant(
        "nobody_is_told_what_hide_keeps_from_them",
        "`sees` tells",
        [("game.py", ONLY_FOR_ITS_SEAT, f"{ONLY_FOR_ITS_SEAT} or action < CARD + 2")],
    ),
    "everybody is told of the last card of the deck": Mutant(
        "nobody_is_told_what_chance_could_not_have_drawn_otherwise",
        "`sees` tells",
        [("game.py", ONLY_FOR_ITS_SEAT, f"{ONLY_FOR_ITS_SEAT} or state.deck_size == 1")],
    ),
    "being told depends on a hidden hand": Mutant(
        "being_told_depends_on_nothing_hidden",
        "depends on what is hidden from it",
        [("game.py", ONLY_FOR_ITS_SEAT, f"{ONLY_FOR_ITS_SEAT} if seat == CHANCE else bool(state.hand[seat, 0])")],
    ),
    "a sentence tells of a hidden hand": Mutant(
        "being_told_depends_on_nothing_hidden",
        "depends on what is hidden from it",
        [
            (
                "game.py",
                "speech.sentence(action_text, language)",
                "speech.sentence(action_text, language) + str(state.hand[0])",
            ),
        ],
    ),
    "what was drawn is revealed too early": Mutant(
        "twin_matches_tell_and_show_the_same",
        "`reveals` makes it known",
        [("game.py", "return bool(state.phase == Phase.OVER)", "return bool(state.phase >= Phase.DRAW)")],
    ),
    "the game remembers a secret and describes it": Mutant(
        "twin_matches_tell_and_show_the_same",
        "by what it is shown",
        [
            ("game.py", "    def sees(self", "    drawn = 0\n\n    def sees(self"),
            ("game.py", ONLY_FOR_ITS_SEAT, f"Pairs.drawn = action\n        {ONLY_FOR_ITS_SEAT}"),
            ("game.py", "names, language)\n\n    def prompt", "names, language) + [str(self.drawn)]\n\n    def prompt"),
        ],
    ),
    "hide hides nothing": Mutant(
        "something_is_hidden_where_the_game_says_so",
        "`hide` never keeps anything",
        [
            ("knowledge.py", "if other != seat:\n                state.hand[other, value] = 0", "pass"),
            ("knowledge.py", "        state.deck[value] = 0\n", ""),
        ],
    ),
    "the game does not say that it has secrets": Mutant(
        "something_is_hidden_where_the_game_says_so",
        "but Game.hidden is NOTHING",
        [("game.py", "hidden = Hidden.HANDS", "hidden = Hidden.NOTHING")],
    ),
    "hide forgets the card that was drawn last": Mutant(
        "what_is_not_told_is_not_shown",
        "`hide` forgets something",
        [
            (
                "state.py",
                "LAYOUT = Layout(",
                'LAYOUT = Layout(\n    Field("recent", int8, (), 0, VALUES, "drawn last"),',
            ),
            ("rules.py", "    state.deck[value] -= 1\n", "    state.deck[value] -= 1\n    state.recent = value\n"),
        ],
    ),
    "hide hides the hands of others, but not from a watcher": Mutant(
        "something_is_hidden_where_the_game_says_so",
        "`hide` never keeps anything from a watcher",
        [("knowledge.py", "OVER:\n        return\n    for", "OVER or seat < 0:\n        return\n    for")],
    ),
    "imagine deals the same always": Mutant(
        "imagination_is_random", "`imagine` is not random", [("knowledge.py", ANY_CARD, "0")]
    ),
    "imagine ignores the seed": Mutant(
        "imagination_is_random",
        "`imagine` is not random",
        [("knowledge.py", "    unseen = state.deck_size\n", "    unseen = state.deck_size\n    rng.word = 7\n")],
    ),
    "imagine prefers low cards": Mutant(
        "imagined_deals_are_as_likely_as_real_ones",
        "`imagine` deals 'deck' unlike chance does",
        [("knowledge.py", ANY_CARD, f"min({ANY_CARD}, {ANY_CARD})")],
    ),
    "imagine prefers low cards, but not for watchers": Mutant(
        "imagined_deals_are_as_likely_as_real_ones",
        "unlike chance does: for viewer 0",
        [("knowledge.py", ANY_CARD, f"({ANY_CARD} if seat < 0 else min({ANY_CARD}, {ANY_CARD}))")],
    ),
    "imagine gives a hand the same card again and again": Mutant(
        "imagined_deals_are_as_likely_as_real_ones",
        "unlike chance does: for viewer -1",
        [
            (
                "knowledge.py",
                f"value = draw(state, {ANY_CARD}) - CARD",
                f"value = value if _ and state.deck[value] else draw(state, {ANY_CARD}) - CARD",
            )
        ],
    ),
    "imagine changes what a seat knows": Mutant(
        "an_observation_does_not_depend_on_what_is_hidden",
        "`imagine` changes what viewer",
        [("knowledge.py", "unseen -= 1", "unseen -= 1\n                state.turn = other")],
    ),
    "legal leaves something out": Mutant(
        "legal_actions_are_those_that_check_allows",
        "`legal` and `check` disagree",
        [("rules.py", "action) == Rule.LEGAL:", "action) == Rule.LEGAL and action != KEEP:")],
    ),
    "weights do not fit tickets": Mutant(
        "tickets_are_shared_out_by_weight",
        "`weight` does not count the tickets",
        [("rules.py", "return state.deck[action - CARD]", "return 1")],
    ),
    "texts are read as other actions": Mutant(
        "every_action_has_a_text_of_its_own",
        "is read as another action",
        [("game.py", "int(found[2]) - 1", "int(found[2]) % VALUES")],
    ),
    "the view does not show the deck": Mutant(
        "a_view_shows_every_change_that_its_viewer_may_know",
        "assert",
        [("view.py", "turn, values.deck_size,", "turn, 0,"), ("view.py", "Seat(int(values.hand_size[seat])", "Seat(0")],
    ),
    "a title is missing": Mutant(
        "a_table_can_be_offered_in_every_language",
        "lacks option.dealt.title",
        [("words/en.toml", "option.dealt", "option.other"), ("words/de.toml", "option.dealt", "option.other")],
    ),
    "a text is missing": Mutant(
        "every_moment_can_be_shown",
        "en.toml: the text 'prompt.",
        [("words/en.toml", "[prompt]", "[prompts]"), ("words/de.toml", "[prompt]", "[prompts]")],
    ),
    "a text is missing in one language": Mutant(
        "every_moment_can_be_shown",
        "de.toml: the text 'describe.over' is missing",
        [("words/de.toml", 'over = "Die Partie ist vorbei."\n', "")],
    ),
    "two choices sound the same": Mutant(
        "every_action_can_be_said",
        "two actions have the same sentence in de",
        [("words/de.toml", 'drop = "Eine {value} abwerfen"', 'drop = "Ein Paar {value}er legen"')],
    ),
    "the advice reads a field that there is not": Mutant(
        "every_level_decides", "'handd'", [("bots/advice.py", "state.hand[seat", "state.handd[seat")]
    ),
    "the advice has a name that nobody asks for": Mutant(
        "every_level_decides", "'ratte' is not advice for the bots of 'pairs'", [("bots/advice.py", "rate(", "ratte(")]
    ),
    "matches are longer than environments are told": Mutant(
        "matches_stay_within_the_limits_of_the_description",
        "but max_seat_actions is 5",
        [("research.py", "CARDS + CARDS // 2", "5")],
    ),
    "scores are lower than environments are told": Mutant(
        "matches_stay_within_the_limits_of_the_description",
        "are outside the bounds 0 to",
        [("research.py", "-float(CARDS)", "0")],
    ),
    "a range of actions is forgotten": Mutant(
        "actions_of_seats_come_before_those_of_chance",
        "the ranges end at 12",
        [("research.py", '        ActionRange("`keep`", CARD),\n', "")],
    ),
    "no golden records": Mutant(
        "golden_records_replay",
        "python -m threespan.testing pairs --write-golden DIR",
        [],
    ),
}


def plant(mutant: Mutant, folder: Path) -> None:
    """A copy of the game with a planted fault."""
    shutil.copytree(PAIRS, folder / "pairs", ignore=shutil.ignore_patterns("__pycache__", "golden"))
    for name, old, new in mutant.changes:
        file = folder / "pairs" / name
        text = file.read_text("utf-8")
        assert old in text, f"{name} has changed: plant the fault elsewhere"
        file.write_text(text.replace(old, new), "utf-8")


def run_suite(folder: Path, check: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    own = {"PYTHONPATH": str(folder), "THREESPAN_GAMES": "pairs", "THREESPAN_CACHE": str(folder / "cache")}
    own["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they are not needed and slow to load
    command = [sys.executable, "-m", "threespan.testing", "pairs", "-k", check]
    return subprocess.run(
        command, cwd=folder, env=os.environ | own | environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_a_planted_fault_is_found(tmp_path: Path, mutant: Mutant) -> None:
    plant(mutant, tmp_path)
    done = run_suite(tmp_path, mutant.check, NUMBA_DISABLE_JIT="1")
    assert done.returncode in (FAILED, REFUSED), done.stdout + done.stderr
    assert mutant.reason in done.stdout + done.stderr, done.stdout


def test_a_kernel_that_servers_cannot_call_is_found(tmp_path: Path) -> None:
    fault = ("rules.py", "@entry\ndef can_pair", "@kernel\ndef can_pair")
    plant(Mutant("", "", [fault]), tmp_path)
    done = run_suite(tmp_path, "a_server_can_play_it")
    assert done.returncode == FAILED, done.stdout + done.stderr
    assert "can_pair is called from Python, but it is not linked; make it an @entry" in done.stdout


def test_the_game_without_faults_passes_from_an_empty_folder(tmp_path: Path) -> None:
    shutil.copytree(PAIRS, tmp_path / "elsewhere" / "pairs", ignore=shutil.ignore_patterns("__pycache__"))
    done = run_suite(tmp_path, "", PYTHONPATH=str(tmp_path / "elsewhere"), NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout
