"""Looking ahead: what boards are worth if the next cards, each as likely as it is, are played well.

A look one card ahead takes the mean, over all cards that may come next, of the best rating that a turn with this card
leads to. A look two cards ahead tries the best-rated turns with each card, each by a look one card ahead; and so on.
"""

from math import inf
from typing import Any

from threespan.bots.halving import MAX_CANDIDATES
from threespan.bots.hashi.net import Values
from threespan.bots.hashi.simulate import end_board_round
from threespan.bots.hashi.turns import TURN_DTYPE, play_turn, rate_turns
from threespan.bots.planning import best_turn
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.core.memory import constant, float64, int64, record_type
from threespan.games.hashi.rules import turn_up
from threespan.games.hashi.state import CARD_KINDS, NONE, ROUNDS

_FIRST_ROUNDS = constant((1, 1, 12))  # from which round on looks one, two... cards ahead do not take too long
MAX_CARDS = len(_FIRST_ROUNDS)
MAX_TURNS = 3  # turns tried with a card
MARGIN = 0.7  # by how many points what is looked at farther may seem worse than the best

# How far the work on one card ahead is: the card, its turns worth trying, which is next, what the last one paid and the
# best was worth; the sum over the cards so far, and how many they are.
LEVEL_DTYPE = record_type(
    ("kind", int64),
    ("count", int64),
    ("next", int64),
    ("paid", float64),
    ("best", float64),
    ("total", float64),
    ("cards", int64),
    ("turns", TURN_DTYPE, (MAX_TURNS,)),
)

# A comparison of turns by looks ahead: many of them one card, the best of these two and, late in a match, three.
COMPARISON_DTYPE = record_type(
    ("count", int64),  # candidates
    ("cards", int64),  # how far the looks go by now
    ("farthest", int64),  # how far they may go
    ("next", int64),  # place among the worthy of the candidate to be looked at next
    ("stop", int64),  # how many of them there are
    ("worthy", int64, (MAX_CANDIDATES,)),  # to be looked at so far
    ("order", int64, (MAX_CANDIDATES,)),
    ("seen", int64, (MAX_CANDIDATES,)),  # how far each one has been looked at
    ("visits", int64, (MAX_CANDIDATES,)),
    ("values", float64, (MAX_CANDIDATES,)),  # by the farthest look at each one
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
    highest = -inf
    level.count = level.next = 0
    level.best = -inf
    while level.count < min(count, MAX_TURNS):
        at = best_turn(turns, count)
        highest = max(highest, turns[at].value)
        if turns[at].value < highest - MARGIN:
            break
        level.turns[level.count] = turns[at]
        level.count += 1
        turns[at].value = -inf


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


@kernel
def begin_comparison(comparison: Any, candidates: Any, count: int, round_number: int) -> None:
    """Start to compare so many candidates: nothing has been looked at."""
    comparison.count = count
    comparison.cards = comparison.next = comparison.stop = 0
    comparison.farthest = 0
    for cards in range(MAX_CARDS):
        if _FIRST_ROUNDS[cards] <= round_number:
            comparison.farthest += 1
    for index in range(count):
        comparison.values[index] = candidates[index].value
        comparison.seen[index] = comparison.visits[index] = 0


@kernel
def needs_look(comparison: Any, looks: Any, simulations: int, elapsed: float) -> bool:
    """Whether a candidate is to be looked at: until all is seen or the budget is spent.

    `looks` are how many candidates are looked at one, two... cards ahead. A card with its turns rated is a simulation.
    """
    while comparison.next == comparison.stop:
        if comparison.cards == comparison.farthest:
            return False
        choose_worthy(comparison, looks[comparison.cards])
        comparison.cards += 1
    visits = 0
    for index in range(comparison.count):
        visits += comparison.visits[index]
    return elapsed < 1 and visits < simulations


@kernel
def choose_worthy(comparison: Any, most: int) -> None:
    """List the candidates that are worth a look one card farther; a single one needs none."""
    rank_by_looks(comparison)
    comparison.next = comparison.stop = 0
    lowest = comparison.values[comparison.order[0]] - MARGIN
    for place in range(min(most, comparison.count)):
        index = comparison.order[place]
        if comparison.cards == 0 or comparison.values[index] > lowest:
            comparison.worthy[comparison.stop] = index
            comparison.stop += 1
    if comparison.stop == 1:
        comparison.stop = 0


@kernel
def rank_by_looks(comparison: Any) -> None:
    """Write all candidates into `order`, best first: those looked at farther, then those worth more."""
    for index in range(comparison.count):
        place = index
        while place > 0 and _is_better(comparison, index, comparison.order[place - 1]):
            comparison.order[place] = comparison.order[place - 1]
            place -= 1
        comparison.order[place] = index


@kernel
def _is_better(comparison: Any, index: int, other: int) -> bool:
    if comparison.seen[index] != comparison.seen[other]:
        return comparison.seen[index] > comparison.seen[other]  # type: ignore[no-any-return]
    return comparison.values[index] > comparison.values[other]  # type: ignore[no-any-return]


@kernel
def look_at_next(
    start: State,
    seat: int,
    candidates: Any,
    comparison: Any,
    values: Values,
    works: Any,
    levels: Any,
    turns: Any,
    desk: Any,
) -> None:
    """Look ahead from the next candidate that is worth it."""
    index = comparison.worthy[comparison.next]
    comparison.next += 1
    works[0] = start
    play_turn(works[0], seat, candidates[index])
    paid = end_board_round(works[0], seat, values.pay)
    value, ratings = look_ahead(works, seat, values, comparison.cards, levels, turns, desk)
    comparison.values[index] = paid + value
    comparison.seen[index] = comparison.cards
    comparison.visits[index] += ratings
