"""The state of Pairs, and the numbers of its actions."""

from enum import IntEnum

from threespan.core.layout import Field, Layout
from threespan.core.memory import int8
from threespan.core.rules import MAX_SEATS

VALUES = 6
COPIES = 4  # of each value
CARDS = VALUES * COPIES
MAX_DEALT = 5  # to each seat
MAX_KEPT = 6  # cards that a seat may hold when its turn ends

# The dense space of actions.
PAIR = 0  # + value - 1
DROP = PAIR + VALUES  # + value - 1
KEEP = DROP + VALUES
CARD = KEEP + 1  # + value - 1; chance draws a card for the seat whose turn it is
ACTIONS = CARD + VALUES


class Phase(IntEnum):
    """What happens next."""

    DEAL = 0
    DRAW = 1
    PLAY = 2
    OVER = 3


LAYOUT = Layout(
    Field("players", int8, (), 2, MAX_SEATS, "number of players"),
    Field("dealt", int8, (), 1, MAX_DEALT, "cards that are dealt to each seat"),
    Field("phase", int8, (), 0, max(Phase), "0 deal, 1 draw, 2 play, 3 over"),
    Field("turn", int8, (), 0, MAX_SEATS - 1, "the seat that draws or plays"),
    Field("deck_size", int8, (), 0, CARDS, "cards in the deck"),
    Field("deck", int8, (VALUES,), 0, COPIES, "cards of each value in the deck; nobody knows them"),
    Field("hand_size", int8, (MAX_SEATS,), 0, CARDS, "cards in each hand"),
    Field("hand", int8, (MAX_SEATS, VALUES), 0, COPIES, "cards of each value in each hand; its seat knows them"),
    Field("pairs", int8, (MAX_SEATS, VALUES), 0, COPIES // 2, "pairs of each value that a seat has laid"),
    Field("dropped", int8, (VALUES,), 0, COPIES, "cards of each value that were dropped"),
)
