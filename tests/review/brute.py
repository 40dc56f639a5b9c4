"""The best play found by trying everything, and positions that are small enough for it."""

import random
from collections import Counter
from typing import NamedTuple

from threespan.core.game import Position
from threespan.core.rules import CHANCE
from threespan.games.hashi.board import write
from threespan.games.hashi.game import GAME, HashiOptions
from threespan.games.hashi.notation import card_text
from threespan.games.hashi.state import CARD, CARD_KINDS, ISLANDS, ROUNDS, SKIP, Flag

SIZE = 3000  # positions that brute force may visit


class Tail(NamedTuple):
    """A position, the cards to come, and the end of the best play."""

    position: Position
    cards: list[str]
    best: Position


def score_of(position: Position) -> int:
    return position.outcome()[0][0]


def best_end(position: Position, cards: list[str]) -> Position | None:
    """The end of the best of all plays; None if there are too many to try."""
    first = int(position.state.round_number)
    seen: set[bytes] = set()
    best = None
    todo = [position.copy()]
    while todo:
        here = todo.pop()
        acting = here.acting()
        if not acting:
            best = here if best is None or score_of(here) > score_of(best) else best
        elif acting == [CHANCE]:
            turn_up(here, cards[here.state.round_number - first])
            todo.append(here)
        else:
            for action in here.legal(0):
                after = here.copy()
                GAME.kernels.apply(after.state, 0, action)
                if (key := after.state.tobytes()) not in seen:
                    seen.add(key)
                    todo.append(after)
        if len(seen) > SIZE:
            return None
    return best


def turn_up(position: Position, card: str) -> None:
    position.play(CHANCE, GAME.parse_action(position.state, f"card {card}"))


def deal(chooser: random.Random) -> list[str]:
    """The seventeen cards of a match."""
    return chooser.sample(GAME.material(HashiOptions())["cards"], ROUNDS)


def play_eagerly(chooser: random.Random, position: Position, cards: list[str]) -> None:
    """Play one step: the next of the cards, or anything that skips nothing possible."""
    if position.acting() == [CHANCE]:
        turn_up(position, cards.pop(0))
    else:
        actions = position.legal(0)
        position.play(0, chooser.choice([action for action in actions if action != SKIP] or actions))


def eager_play(chooser: random.Random, side: str, rounds: int) -> Position:
    """A position in which a card is due, after some rounds at random in which nothing possible was skipped."""
    position = GAME.start(HashiOptions(side=side))
    cards = deal(chooser)
    while position.acting() != [CHANCE] or position.state.round_number < rounds:
        play_eagerly(chooser, position, cards)
    return position


def remaining_cards(chooser: random.Random, position: Position) -> list[str]:
    """Cards to come, from the pile of a position."""
    pile = [card_text(kind) for kind in range(CARD_KINDS) for _ in range(position.state.pile[kind])]
    return chooser.sample(pile, ROUNDS - int(position.state.round_number))


def random_tail(seed: int) -> Tail | None:
    """A crowded board with cards to come, often just before a race's limit; islands are finished until it is small."""
    chooser = random.Random(seed)
    position = eager_play(chooser, "AB"[seed % 2], chooser.randint(5, 14))
    state = position.state
    state.round_number = chooser.choice((5, 6, 6, 6, 6, 7, 10, 11, 11, 12, 14, 16))
    cards = deal(chooser)[: ROUNDS - int(state.round_number)]
    state.pile[:] = 0
    for card, count in Counter(cards).items():
        state.pile[GAME.parse_action(state, f"card {card}") - CARD] = count
    # Races come close to their end: of each colour all but one of the islands with a bridge are finished.
    for flag in (Flag.RED, Flag.BLUE):
        flagged = [island for island in range(ISLANDS) if state.flag[island] == flag]
        last = chooser.choice([island for island in flagged if not state.number[0, island]] or flagged)
        for island in flagged:
            if island != last:
                state.number[0, island] = state.degree[0, island]
    GAME.refresh(state)
    free = [island for island in range(ISLANDS) if not state.number[0, island] and state.degree[0, island]]
    chooser.shuffle(free)
    while len(free) > 1 + 6 // len(cards) or not (best := best_end(position, cards)):
        if not free:
            return None
        island = free.pop()
        write(state, 0, island, int(state.degree[0, island]))
    return Tail(position, cards, best)
