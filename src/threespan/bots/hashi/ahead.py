"""Looking ahead: what boards are worth if the next cards, each as likely as it is, are played well.

A look one card ahead takes the mean, over all cards that may come next, of the best rating that a turn with this card
leads to. A look two cards ahead tries the best-rated turns with each card, each by a look one card ahead; and so on.
"""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import numpy as np

from threespan.bots.bot import Budget
from threespan.bots.hashi.net import Values
from threespan.bots.hashi.simulate import end_board_round
from threespan.bots.hashi.turns import TURN_DTYPE, new_desk, play_turn, rate_turns
from threespan.bots.planning import best_turn
from threespan.core.game import Position
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.games.hashi.rules import turn_up
from threespan.games.hashi.state import CARD_KINDS, NONE, ROUNDS

FIRST_ROUNDS = (1, 1, 12)  # from which round on looks one, two... cards ahead do not take too long
MAX_CARDS = len(FIRST_ROUNDS)
MAX_TURNS = 3  # turns tried with a card
MARGIN = 0.7  # by how many points what is looked at farther may seem worse than the best

# How far the work on one card ahead is: the card, its turns worth trying, which is next, what the last one paid and the
# best was worth; the sum over the cards so far, and how many they are.
LEVEL_DTYPE = np.dtype(
    (
        np.record,
        [
            ("kind", np.int64),
            ("count", np.int64),
            ("next", np.int64),
            ("paid", np.float64),
            ("best", np.float64),
            ("total", np.float64),
            ("cards", np.int64),
            ("turns", TURN_DTYPE, (MAX_TURNS,)),
        ],
    )
)


@kernel
def begin_level(level: Any) -> None:
    """No card has been looked at."""
    level.kind = NONE
    level.count = level.next = level.cards = 0
    level.total = 0.0


@kernel
def next_card(state: State, level: Any) -> bool:
    """Go to the next kind of card that may come, if there is one."""
    level.kind += 1
    while level.kind < CARD_KINDS and state.pile[level.kind] == 0:
        level.kind += 1
    return level.kind < CARD_KINDS  # type: ignore[no-any-return]


@kernel
def keep_best_turns(turns: Any, count: int, level: Any) -> None:
    """Note the turns that are worth trying."""
    highest = -np.inf
    level.count = level.next = 0
    level.best = -np.inf
    while level.count < min(count, MAX_TURNS):
        at = best_turn(turns, count)
        highest = max(highest, turns[at].value)
        if turns[at].value < highest - MARGIN:
            break
        level.turns[level.count] = turns[at]
        level.count += 1
        turns[at].value = -np.inf


@called_kernel
def look_ahead(
    works: Any, seat: int, values: Values, cards: int, levels: Any, turns: Any, desk: Any
) -> tuple[float, int]:
    """What the board between two rounds in works[0] is worth by a look so many cards ahead; how many ratings it took.

    Level n keeps its board in works[2 * n], and in works[2 * n + 1] the same with a card turned up.
    """
    depth = ratings = 0
    begin_level(levels[0])
    while True:
        level, board, turned = levels[depth], works[2 * depth], works[2 * depth + 1]
        if level.next < level.count:
            works[2 * depth + 2] = works[2 * depth + 1]
            after = works[2 * depth + 2]
            play_turn(after, seat, level.turns[level.next])
            level.paid = end_board_round(after, seat, values.pay)
            level.next += 1
            depth += 1
            begin_level(levels[depth])
            continue
        if level.count > 0:
            level.total += level.best * board.pile[level.kind]
            level.count = level.next = 0
        if next_card(board, level):
            works[2 * depth + 1] = works[2 * depth]
            turn_up(turned, level.kind)
            level.cards += board.pile[level.kind]
            count = rate_turns(turned, seat, values, turns, desk)
            ratings += 1
            if depth == cards - 1 or turned.round_number == ROUNDS:
                level.total += turns[best_turn(turns, count)].value * board.pile[level.kind]
            else:
                keep_best_turns(turns, count, level)
            continue
        value = level.total / level.cards
        if depth == 0:
            return value, ratings
        depth -= 1
        levels[depth].best = max(levels[depth].best, levels[depth].paid + value)


class Ahead:
    """Compares turns by looks ahead: many of them one card, the best of these two and, late in a match, three."""

    def __init__(self, seen: Position, seat: int, candidates: Any, values: Values, looks: tuple[int, ...]) -> None:
        """A comparison of turns that begin in an observation; so many are looked at one, two... cards ahead."""
        self._seen, self._seat, self._candidates, self._values = seen, seat, candidates, values
        self._looks = looks[: sum(first <= seen.state.round_number for first in FIRST_ROUNDS)]
        self._means = candidates.value.copy()
        self._cards = np.zeros(len(candidates), np.int64)  # how far each one has been looked at
        self.visits = np.zeros(len(candidates), np.int64)

    def means(self) -> Any:
        """What each candidate is worth by the farthest look at it."""
        return self._means

    def best(self) -> list[int]:
        """All candidates, best first: those looked at farther, then those worth more."""
        return sorted(range(len(self._means)), key=lambda index: (-self._cards[index], -self._means[index], index))

    def run(self, budget: Budget) -> None:
        """Look until all is seen or the budget is spent, in which a card with its turns rated is a simulation."""
        begin = monotonic()
        for cards, most in enumerate(self._looks, start=1):
            best = self.best()
            worth = [index for index in best[:most] if cards == 1 or self._means[index] > self._means[best[0]] - MARGIN]
            for first in range(0, len(worth) if len(worth) > 1 else 0, budget.threads):
                if self._is_over(budget, begin):
                    return
                self._look_at(worth[first : first + budget.threads], cards)

    def _is_over(self, budget: Budget, begin: float) -> bool:
        if budget.seconds is not None and monotonic() - begin >= budget.seconds:
            return True
        return budget.simulations is not None and int(self.visits.sum()) >= budget.simulations

    def _look_at(self, some: list[int], cards: int) -> None:
        """Look so many cards ahead from some candidates, each on a thread of its own."""
        if len(some) == 1:
            self._look(some[0], cards)
            return
        with ThreadPoolExecutor(len(some)) as pool:
            list(pool.map(self._look, some, [cards] * len(some)))

    def _look(self, index: int, cards: int) -> None:
        works = self._seen.game.layout.batch(2 * MAX_CARDS + 1)
        works[0] = self._seen.state
        play_turn(works[0], self._seat, self._candidates[index])
        paid = end_board_round(works[0], self._seat, self._values.pay)
        turns, desks = new_desk()
        levels = np.zeros(MAX_CARDS, LEVEL_DTYPE).view(np.recarray)
        value, ratings = look_ahead(works, self._seat, self._values, cards, levels, turns, desks[0])
        self._means[index], self._cards[index] = paid + value, cards
        self.visits[index] += ratings
