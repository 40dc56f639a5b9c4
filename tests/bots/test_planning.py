"""Turns that are chosen as a whole and played action by action."""

from threespan.bots.bot import Alternative, Decision
from threespan.bots.deciding import CHOICES_DTYPE, decision_of
from threespan.bots.planning import PlannedTurns
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.memory import new_record
from threespan.core.options import read_options
from threespan.core.registry import find_game


def test_the_first_turn_is_chosen_and_each_first_step_is_listed_once() -> None:
    choices = new_record(CHOICES_DTYPE)[0]
    choices.count = 3
    for place, (line, value, visits) in enumerate((((7, 8), 0.6, 9), ((7, 9), 0.5, 3), ((5,), 0.4, 1))):
        choices.values[place], choices.visits[place], choices.lengths[place] = value, visits, len(line)
        for step, action in enumerate(line):
            choices.lines[place, step] = action
    decision = decision_of(choices)
    assert (decision.action, decision.line, decision.value, decision.simulations) == (7, (7, 8), 0.6, 13)
    assert decision.alternatives == (Alternative(7, 9, 0.6), Alternative(5, 1, 0.4))


def test_a_planned_turn_continues_after_its_first_action_only_once() -> None:
    game = find_game("hashi")
    match = Match.new(game, read_options(game.options, {}), MatchSeed.of("plans"))
    match.play(0, match.position.legal(0)[0])
    write, skip = match.position.legal(0)[0], match.position.legal(0)[-1]
    plans = PlannedTurns()
    plans.keep(match.position, 0, Decision(write, (write, skip), 50.0))
    assert plans.take(match.position) is None  # the first action has not been played here
    elsewhere = match.position.copy()
    elsewhere.play(0, skip)
    assert plans.take(elsewhere) is None
    after = match.position.copy()
    after.play(0, write)
    assert plans.take(after) == Decision(skip, (skip,), 50.0)
    assert plans.take(after) is None
