"""Gymnasium spaces, also for PettingZoo environments."""

import numpy as np
from gymnasium import spaces

from threespan.research.spaces import Setting
from threespan.research.tensor import TENSOR_TYPE


def tensor_space(setting: Setting) -> spaces.Box:
    """The space of observation tensors."""
    return spaces.Box(*setting.plan.bounds(), dtype=TENSOR_TYPE)


def observation_space(setting: Setting, spare_actions: int = 0) -> spaces.Dict:
    """The space of observation tensors with masks of legal actions; `spare_actions` follow those of the game."""
    mask = spaces.Box(0, 1, (setting.seat_actions + spare_actions,), np.int8)
    return spaces.Dict({"observation": tensor_space(setting), "action_mask": mask})
