"""The engine against an independent referee, over whole random matches, under all readings of the booklet."""

import random
from itertools import product
from typing import Any

import numba
import pytest

from asking import ask, texts
from stege.oracle import Referee
from threespan.core.game import Position
from threespan.core.options import option_values, read_options
from threespan.core.rules import CHANCE
from threespan.games.stege.game import GAME
from threespan.games.stege.rules import Rule
from threespan.games.stege.state import STONES

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
READINGS = list(product(("reach", "beside"), ("two", "three"), (True, False)))
MAX_TURNS = 30 if UNCOMPILED else 120


def compare(chooser: random.Random, settings: dict[str, Any], likes: dict[str, float]) -> Referee:
    """Play a match and compare everything; `likes` are words and how often they are chosen where they can be."""
    options = read_options(GAME.options, {"board": "small"} | settings)
    position, referee = GAME.start(options), Referee(11, 2, **option_values(options))
    while not position.is_over and referee.turns < MAX_TURNS:
        [seat] = position.acting()
        legal = texts(position, seat)
        assert set(legal) == referee.legal(), position.text()
        assert seat in (CHANCE, referee.turn)
        check_refusals(position, referee, seat, legal)
        liked = [word for word, often in likes.items() if word in legal and chooser.random() < often]
        action = liked[0] if liked else chooser.choice(legal)
        position.play(seat, GAME.parse_action(position.state, action))
        referee.play(action)
    assert position.is_over == (referee.step == "over")
    assert position.outcome()[0] == referee.scores()
    return referee


def check_refusals(position: Position, referee: Referee, seat: int, legal: list[str]) -> None:
    """Rolling again and passing are refused by the clauses that the rules name."""
    if seat == CHANCE:
        return
    passing, rolling = ask(position, "pass", seat), ask(position, "roll again", seat)
    if "pass" not in legal:
        expected = {"lay": "EXACT_FIT", "place": "MOVE_JETTY", "jetty": "NOT_NOW", "stone": "MUST_MOVE"}
        assert passing is Rule[expected[referee.step]]
        assert referee.step != "stone" or referee.options["must_move"]
    if "roll again" in legal:
        assert rolling is Rule.LEGAL
    elif referee.step == "lay":
        assert rolling is Rule.NOT_NOW
    else:
        rolls_are_over = referee.die in (1, 6) or referee.rolls == referee.most_rolls
        can_move = referee.step == "stone" and any(text.startswith("move") for text in legal)
        assert rolling is (Rule.THREE_ROLLS if rolls_are_over or can_move else Rule.NOT_AT_THE_DOOR)


@pytest.mark.parametrize(("door", "extra_rolls", "must_move"), READINGS)
def test_the_engine_and_the_referee_agree(door: str, extra_rolls: str, must_move: bool) -> None:
    for players in (2,) if UNCOMPILED else (2, 3, 4):
        chooser = random.Random(f"{door} {extra_rolls} {must_move} {players}")
        settings: dict[str, Any] = {"players": players, "jetties_each": 20 // players, "head_start": players == 3}
        settings |= {"door": door, "extra_rolls": extra_rolls, "must_move": must_move}
        compare(chooser, settings, {"roll again": 0.8})


def test_rounds_of_passes_stop_the_match_as_the_referee_says() -> None:
    """Whoever passes whenever that is possible soon stops the match; lost turns and moved jetties interrupt."""
    stopped = 0
    for seed in range(2 if UNCOMPILED else 12):
        chooser = random.Random(seed)
        settings = {"players": 2, "jetties_each": 10, "must_move": False, "starts": seed % 2}
        referee = compare(chooser, settings, {"pass": 0.9, "keep": 0.7})
        stopped += referee.step == "over" and max(referee.scores()) < STONES
        if referee.step == "over":
            assert referee.passes in (0, 6)
    assert stopped
