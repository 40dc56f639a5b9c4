"""Faults planted in the referee and in the free pen: the comparison with the oracle finds each of them."""

import inspect
import sys
from types import ModuleType
from typing import NamedTuple

import pytest

from hashi.free_matches import Duel, any_lawful_turn
from threespan.core.kernel import IS_UNCOMPILED
from threespan.games.hashi import pen, referee

FIRST, MAX_MATCHES = 5, 100  # the first of these matches has many mistakes, most of them erased

pytestmark = [
    pytest.mark.kernels,
    pytest.mark.skipif(not IS_UNCOMPILED, reason="faults can be planted in kernels that are not compiled"),
]


class Mutant(NamedTuple):
    """A planted fault: what is replaced in the source of which module."""

    module: ModuleType
    old: str
    new: str


MUTANTS = {
    "a seventh bridge is drawn": Mutant(pen, ">= MAX_ROUND_BRIDGES", "> MAX_ROUND_BRIDGES"),
    "anything can be erased": Mutant(pen, "return False\n        remaining &=", "pass\n        remaining &="),
    "some clauses are not compared": Mutant(
        pen,
        "verdict(state, seat, other, removed) != state.verdicts[seat, other]",
        "verdict(state, seat, other, removed) % 8 != state.verdicts[seat, other] % 8",
    ),
    "too few remain": Mutant(pen, "count_bits(bridges) - 1 < card_of", "count_bits(bridges) < card_of"),
    "of two bridges the first is erased": Mutant(pen, "at = MARKS - 1 - index", "at = index"),
    "erased bridges are drawn again": Mutant(pen, "if state.erased[seat] & THIS_BRIDGES != 0 else", "if False else"),
    "erased numbers are written again": Mutant(pen, "if is_redrawing else Rule.LEGAL", "if False else Rule.LEGAL"),
    "it is never too late": Mutant(pen, "Rule.MISTAKE_STANDS if is_too_late", "Rule.LEGAL if is_too_late"),
    "a wrong bridge buys lawful ones": Mutant(pen, "lawful < card_of(state, first)", "lawful < 0"),
    "nothing is erased after the last round": Mutant(pen, "            erase_for(state, seat)", "            pass"),
    "mistakes are struck out a round too early": Mutant(
        pen,
        "        strike_out(state, seat, 0)",
        "        strike_out(state, seat, 0), strike_out(state, seat, THIS_ROUND)",
    ),
    "a later reason replaces an earlier one": Mutant(pen, "if state.struck[seat, island] == 0:", "if True:"),
    "erased marks come back": Mutant(pen, "if on_board >> at & 1 == 0 or is_last:", "if mark == 0 or is_last:"),
    "a full island takes one more": Mutant(referee, "elif degree >= number:", "elif degree > number:"),
    "a number is judged too mildly": Mutant(
        referee, "number[seat, island] < degree", "number[seat, island] < degree - 1"
    ),
    "flags need no bridge": Mutant(referee, "and degree == 0", "and degree < 0"),
    "both islands need a number": Mutant(referee, "if unnumbered == 2:", "if unnumbered >= 1:"),
    "the earlier bridge crosses the later one": Mutant(
        referee, "if bridges_without(state, seat, other, absent) > 0", "if state.bridges[seat, other] > 0"
    ),
    "one more bridge than the card shows": Mutant(referee, "(before) >= card_of", "(before) > card_of"),
    "too few are wrong before Done": Mutant(
        referee, "at >= THIS_ROUND and state.step[seat] != SeatStep.DONE", "at < 0"
    ),
    "too few are never wrong": Mutant(referee, "return 0 < count < card_of(state, at)", "return False"),
    "only the wrong bridge keeps islands open": Mutant(
        referee, "bridges_of(at) if is_bridge(mark) else 1 << at", "1 << at"
    ),
    "a wrong number keeps no island open": Mutant(
        referee, "bridges_of(at) if is_bridge(mark) else 1 << at", "bridges_of(at) if is_bridge(mark) else 0"
    ),
    "what is struck out can be finished": Mutant(
        referee, "barred = struck_out(state, seat)\n    for", "barred = 0\n    for"
    ),
    "wrong marks do not count": Mutant(
        referee,
        "(ALL_MARKS << at & ALL_MARKS | without)",
        "(ALL_MARKS << at & ALL_MARKS | without | sum((state.verdicts[seat, i] != 0) << i for i in range(MARKS)))",
    ),
}


@pytest.fixture
def _planted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game with a fault: its module is made anew, and whoever uses it gets the new functions."""
    mutant: Mutant = request.param
    source = inspect.getsource(mutant.module)
    assert mutant.old in source, "the source has changed: plant the fault elsewhere"
    space = {"__name__": mutant.module.__name__, "__file__": mutant.module.__file__}
    exec(compile(source.replace(mutant.old, mutant.new), str(mutant.module.__file__), "exec"), space)
    package = mutant.module.__name__.rpartition(".")[0]
    users = [module for name, module in sys.modules.items() if name.startswith(f"{package}.")]
    for name, original in list(vars(mutant.module).items()):
        if inspect.isfunction(original) and original.__module__ == mutant.module.__name__:
            for user in users:
                if vars(user).get(name) is original:
                    monkeypatch.setattr(user, name, space[name])


@pytest.mark.parametrize("_planted", MUTANTS.values(), ids=MUTANTS, indirect=True)
@pytest.mark.usefixtures("_planted")
def test_a_planted_fault_is_found() -> None:
    for seed in range(FIRST, FIRST + MAX_MATCHES):
        try:
            Duel(seed, any_lawful_turn, thoroughness=0.05).run()
        except (AssertionError, IndexError):
            return
    pytest.fail(f"{MAX_MATCHES} matches did not show it")
