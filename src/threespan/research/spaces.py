"""A game with its options, as environments use it: actions, observations, rewards."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import numpy as np

from threespan.core.game import Game
from threespan.core.options import Options, read_options
from threespan.core.registry import find_game
from threespan.core.rulebook import RuleBook
from threespan.research.description import NoEnvironment, find_description
from threespan.research.tensor import TensorPlan

Reward = Literal["score", "win"]


class Setting:
    """A game with options and a kind of reward."""

    def __init__(self, game: Game | str, options: Options | Mapping[str, Any], reward: Reward = "score") -> None:
        """Read the options, and prepare the tensor layout and the start state."""
        self.game = find_game(game) if isinstance(game, str) else game
        self.description = find_description(self.game.code)
        if reward not in ("score", "win"):
            raise NoEnvironment(f"reward is 'score' or 'win', not '{reward}'")
        self.options = options if isinstance(options, Options) else read_options(self.game.options, options)
        self.game.check_options(self.options)
        self.reward = reward
        self.players = self.options.players
        self.seat_actions = self.description.seat_actions(self.options)
        self.tensor_fields = self.description.tensor_fields_with(self.options)
        self.plan = TensorPlan(self.game.layout, self.tensor_fields, self.players)
        self.material = self.game.material(self.options)
        self.start = self.game.setup(self.options, self.material)

    def __reduce__(self) -> Any:
        """Copy and pickle by the constructor's arguments."""
        return Setting, (self.game.code, self.options, self.reward)

    @property
    def rule_book(self) -> RuleBook:
        """The rule book with the texts for the options."""
        return self.game.rule_book.for_options(self.options)

    def new_states(self, count: int) -> Any:
        """An array of `count` start states."""
        states = self.game.layout.batch(count).view(np.ndarray)  # a hundred times faster to pass to kernels
        states[:] = np.frombuffer(self.start.tobytes(), self.game.layout.dtype)
        return states

    def rewards(self, scores: Any, ranks: Any) -> Any:
        """The rewards of finished matches from their scores and ranks, whose last axis is the seat."""
        if self.reward == "score":
            return scores.astype(np.float32)
        wins = ranks == 1
        return (wins / wins.sum(-1, keepdims=True)).astype(np.float32)

    @cached_property
    def reward_bounds(self) -> tuple[float, float]:
        """The lowest and the highest possible reward of a seat."""
        if self.reward == "win":
            return 0.0, 1.0
        return self.description.score_bounds(self.start)

    @property
    def forfeit(self) -> float:
        """The reward after an illegal action: one less than the lowest possible reward."""
        return self.reward_bounds[0] - 1
