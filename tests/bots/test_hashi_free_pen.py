"""Hashi's bots with the free pen: they play by the rules, and mend what a person has left them."""

import pytest

from asking import play, texts
from hashi.drawing import EMPTY, HARBOUR, drawn
from hashi.test_free_pen import REDS
from threespan.bots.bot import Budget
from threespan.bots.hashi.levels import SKILLS
from threespan.bots.hashi.player import HashiPlayer
from threespan.core.chance import MatchSeed
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.games.hashi.game import GAME

QUICK = Budget(simulations=20)


def play_match(level: str, pen: str, players: int = 2) -> Match:
    """A match of bots; their seeds depend on the round alone, so that both pens ask the same questions."""
    options = read_options(GAME.options, {"players": players, "pen": pen})
    match = Match.new(GAME, options, MatchSeed.of("pens"))
    bots = [HashiPlayer(SKILLS[level]) for _ in range(players)]
    while acting := match.position.acting():
        seat, seed = acting[0], int(match.position.state.round_number)
        match.play(seat, bots[seat].decide(match.position.observe(seat), seat, QUICK, seed).action)
        assert not match.position.state.verdicts.any()
    return match


@pytest.mark.parametrize("level", SKILLS)
def test_bots_make_no_mistakes(level: str) -> None:
    match = play_match(level, "free")
    assert not match.position.state.struck.any()


def test_the_free_pen_changes_nothing_for_those_who_play_by_the_rules() -> None:
    strict, free = (play_match("medium", pen).position for pen in ("strict", "free"))
    assert strict.outcome() == free.outcome()
    assert strict.state.number.tolist() == free.state.number.tolist()
    assert strict.state.bridges.tolist() == free.state.bridges.tolist()


def rest_of_turn(position: Position) -> list[str]:
    """What a bot does until the round is over for its seat."""
    bot, done = HashiPlayer(SKILLS["medium"]), []
    while position.acting() == [0]:
        action = bot.decide(position.observe(0), 0, None, 0).action
        done.append(GAME.action_text(position.state, action))
        position.play(0, action)
    return done


def test_a_bot_that_takes_over_erases_mistakes() -> None:
    position = play(drawn(HARBOUR, card="5/1", pen="free"), "write 21 5")
    assert "erase 21" in texts(position)
    assert rest_of_turn(position)[0] == "erase 21"
    assert GAME.faults(position.state, 0, "en") == []


def test_a_bot_that_takes_over_completes_what_was_begun() -> None:
    position = play(drawn(REDS, card="2/2", pen="free"), "skip", "bridge 52-54")
    bridge, done = rest_of_turn(position)
    assert bridge.startswith("bridge ")
    assert done == "done"
    assert GAME.faults(position.state, 0, "en") == []


@pytest.mark.parametrize("turn", [["skip", "bridge 40-41"], ["skip", "bridge 40-41", "erase 40-41"]])
def test_a_bot_that_can_add_nothing_is_done(turn: list[str]) -> None:
    position = play(drawn(REDS, card="2/1", pen="free"), *turn)
    assert rest_of_turn(position)[-1] == "done"


def test_a_bot_leaves_what_cannot_be_completed_by_the_rules() -> None:
    """With a wrong number that its bridges depend on, and no room for the third one."""
    position = play(drawn(EMPTY, card="1/3", pen="free"), "write 40 1", "bridge 30-40")
    assert rest_of_turn(position)[-1] == "done"
