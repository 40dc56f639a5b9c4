"""What the bots of Elfer have learnt, as kernels take it in."""

from itertools import product
from typing import Any

from threespan.bots.elfer.features import Feature, Moment
from threespan.bots.elfer.weights import WEIGHTS
from threespan.core.memory import float64, new_record, record_type
from threespan.core.rules import MAX_SEATS

# What somebody overlooks who thinks of the own rack only.
ABOUT_OTHERS = (
    Feature.UNSEEN_FIT,
    Feature.UNSEEN_JOKERS_FIT,
    Feature.NOTHING_UNSEEN_FITS,
    Feature.ONE_UNSEEN_FITS,
    Feature.UNSEEN_NEXT,
    Feature.UNSEEN_FIT_LATE,
    Feature.GIFT_FITS,
    Feature.GIFT_STEPS,
    Feature.GIFT_GUARDS,
)

_SHAPE = (MAX_SEATS + 1, len(Moment), len(Feature))
LEARNT_DTYPE = record_type(("weights", float64, _SHAPE), ("selfish_weights", float64, _SHAPE))


def new_learnt(weights: Any = WEIGHTS) -> Any:
    """An array of one record with the weights of the policy, all of them and those about the own rack only."""
    learnt = new_record(LEARNT_DTYPE)
    learnt[0].weights = learnt[0].selfish_weights = weights
    selfish = learnt[0].selfish_weights
    for players, moment, feature in product(range(MAX_SEATS + 1), Moment, ABOUT_OTHERS):
        selfish[players, moment, feature] = 0.0
    return learnt
