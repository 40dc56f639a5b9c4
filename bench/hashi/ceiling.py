"""What hidden cards cost in Hashi solo: `python bench/hashi/ceiling.py --deals 60 --side A --known 0 1 2 4 8 16`.

A player is told the card of the round and the next `known` ones. It looks for the best play with these by beam search,
rates what follows by the network, plays the first turn of it and is told one card more. With 16 it knows all cards, and
the exact solver plays for it. The start number is the one that the network rates best. Beside it the levels, which are
told nothing, and the exact solver, which knows all cards even before the start number.
"""

import argparse
import json
import random
import sys
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
from solo import known_optima, play  # type: ignore[import-not-found]  # beside this script

from threespan.bots.deciding import MAX_STEPS
from threespan.bots.hashi.learnt import find_net, load_weights
from threespan.bots.hashi.levels import SKILLS
from threespan.bots.hashi.net import Values
from threespan.bots.hashi.player import HashiPlayer, Skill
from threespan.bots.hashi.simulate import end_board_round
from threespan.bots.hashi.turns import new_desk, play_turn, rate_turns, turn_actions
from threespan.bots.hashi.value import solo_pay
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.games.hashi.game import GAME, HashiOptions
from threespan.games.hashi.rules import turn_up
from threespan.games.hashi.state import MAX_CARD_BRIDGES, ROUNDS, Phase
from threespan.review.hashi.solver import cards_of, solve

_WITHIN_95 = 1.96  # standard errors
_BOARDS = 48  # boards kept from card to card
_TURNS_EACH = 12  # turns of each that are tried
SEAT = 0


class Told:
    """Plays by the network and by the next cards, which it is told."""

    def __init__(self, side: str, known: int) -> None:
        """A player that is told so many cards beyond the one of the round."""
        state = GAME.start(HashiOptions(side=side)).state
        weights, _ = load_weights()
        self._known, self._values = known, Values(weights, find_net(state), solo_pay())
        self._turns, self._desks = new_desk()
        self._board = GAME.layout.batch(1)[0]

    def choose(self, state: Any, cards: list[int]) -> tuple[int, ...]:
        """The steps of the first turn of the best play that was found; `cards` are all that are still to come."""
        beam: list[tuple[float, Any, Any]] = [(0.0, state.tobytes(), None)]  # points so far, board, first turn
        for card in (None, *cards[: self._known]):
            found = [step for paid, board, first in beam for step in self._go_on(paid, board, first, card)]
            found.sort(key=lambda step: -step[0])
            beam = self._distinct_boards(found)
        actions = np.zeros(MAX_STEPS, np.int16)
        return tuple(actions[: turn_actions(state, SEAT, beam[0][2], actions)].tolist())

    def _go_on(
        self, paid: float, board: bytes, first: Any, card: int | None
    ) -> list[tuple[float, float, bytes, Any, Any]]:
        """The best-rated turns on a board with a card: their worth, and what is needed to play them."""
        state = self._read(board, card)
        turns = self._turns[: rate_turns(state, SEAT, self._values, self._turns, self._desks[0])]
        best = turns[np.argsort(-turns.value, kind="stable")[:_TURNS_EACH]].copy()
        turned_up = state.tobytes()
        return [(paid + turn.value, paid, turned_up, turn, turn if first is None else first) for turn in best]

    def _read(self, board: bytes, card: int | None) -> Any:
        """A board as it was kept, with the next card turned up."""
        self._board = np.frombuffer(bytearray(board), GAME.layout.dtype).view(np.recarray)[0]
        if card is not None:
            turn_up(self._board, card)
        return self._board

    def _distinct_boards(self, found: list[Any]) -> list[tuple[float, Any, Any]]:
        """The best boards that turns lead to, each once, with the points got on the way."""
        kept: dict[bytes, tuple[float, Any, Any]] = {}
        for _, paid, turned_up, turn, first in found:
            state = self._read(turned_up, None)
            play_turn(state, SEAT, turn)
            paid += end_board_round(state, SEAT, self._values.pay)
            state.phase = Phase.CARD
            kept.setdefault(state.tobytes(), (paid, state.tobytes(), first))
            if len(kept) == _BOARDS:
                break
        return list(kept.values())


def score_told(side: str, deal: str, known: int) -> int:
    """What a player scores that is told so many cards."""
    match = Match.new(GAME, HashiOptions(side=side), MatchSeed.of(deal))
    cards = [kind_of(card) for card in cards_of(match)]
    start = HashiPlayer(Skill(knows_boards=True)).decide(match.position.observe(SEAT), SEAT, None, 0)
    match.play(SEAT, start.action)
    if known == ROUNDS - 1:
        return solve(match.position, cards_of(match)).score
    player = Told(side, known)
    while match.position.acting():
        seen = match.position.observe(SEAT)
        for action in player.choose(seen.state, cards[int(seen.state.round_number) :]):
            match.play(SEAT, action)
    return int(match.position.outcome()[0][0])


def kind_of(card: str) -> int:
    """The kind of a card such as "5/3"."""
    number, bridges = map(int, card.split("/"))
    return (number - 1) * MAX_CARD_BRIDGES + bridges - 1


def main() -> None:
    """Play and solve; a table to read, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--side", default="A")
    parser.add_argument("--known", type=int, nargs="+", default=[0, 1, 2, 4, 8, 16])
    parser.add_argument("--levels", nargs="*", default=["expert"], choices=list(SKILLS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--optima", type=Path, help="file of bench/hashi/solo.py with what the solver found")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    deals = [f"hashi solo {arguments.seed} {index}" for index in range(arguments.deals)]
    rows: dict[str, list[int]] = {}
    for known in arguments.known:
        rows[f"told {known}"] = [score_told(arguments.side, deal, known) for deal in deals]
        tell(f"told {known}", rows, arguments.json)
    for level in arguments.levels:
        rows[level] = [score_of(arguments.side, deal, level) for deal in deals]
        tell(level, rows, arguments.json)
    optima = known_optima(arguments.optima, arguments.side)
    rows["solver"] = [optima.get(deal) or best_of(arguments.side, deal) for deal in deals]
    tell("solver", rows, arguments.json)
    if arguments.json:
        print(json.dumps({"side": arguments.side, "seed": arguments.seed, "scores": rows}))


def score_of(side: str, deal: str, level: str) -> int:
    """What a level scores."""
    match = Match.new(GAME, HashiOptions(side=side), MatchSeed.of(deal))
    score: int = play(match, level, random.Random(deal)).score
    return score


def best_of(side: str, deal: str) -> int:
    """What the solver scores."""
    match = Match.new(GAME, HashiOptions(side=side), MatchSeed.of(deal))
    return solve(match.position, cards_of(match)).score


def tell(name: str, rows: dict[str, list[int]], is_aside: bool) -> None:
    """One line of the table."""
    scores = rows[name]
    spread = _WITHIN_95 * stdev(scores) / sqrt(len(scores))
    line = f"{name:9} {fmean(scores):6.2f} ± {spread:.2f}"
    print(line, file=sys.stderr if is_aside else sys.stdout, flush=True)


if __name__ == "__main__":
    main()
