"""Pairs for environments: its actions and its observation tensor."""

from pairs.state import CARD, CARDS, COPIES, DROP, KEEP, VALUES
from threespan.research.description import ActionRange, Description
from threespan.research.tensor import Encoding, TensorField

DESCRIPTION = Description(
    ranges=(
        ActionRange("`pair`", DROP, "value - 1"),
        ActionRange("`drop`", KEEP, "value - 1"),
        ActionRange("`keep`", CARD),
    ),
    tensor_fields=(
        TensorField("phase", Encoding.HOT),
        TensorField("turn", Encoding.SEAT),
        TensorField("deck_size"),
        TensorField("dropped"),
        TensorField("hand_size", by_seat=True),
        TensorField("hand", by_seat=True),
        TensorField("pairs", by_seat=True),
    ),
    score_bounds=lambda _start: (-float(CARDS), float(COPIES // 2 * sum(range(1, VALUES + 1)))),
    max_chance_actions=lambda _players: CARDS,
    max_seat_actions=lambda _start: CARDS + CARDS // 2,
)
