"""Gymnasium environments: any game against bots, solo games, and many matches at once.

Importing this module registers them for every game: `threespan/Code-v0` against bots and, for games with a solo mode,
`threespan/CodeSolo-v0` and the deal of the day, `threespan/CodeDaily-v0` (with the game's code capitalised).
"""

from datetime import UTC, date, datetime
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from threespan.bots.levels import find_bot
from threespan.core.arguments import seat_number, whole_number
from threespan.core.array_arguments import whole_numbers
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Game
from threespan.core.registry import codes, find_game
from threespan.core.rules import OVER
from threespan.research.boxes import observation_space
from threespan.research.episode import Episode
from threespan.research.rendering import RENDER_MODES, check_render_mode, render
from threespan.research.spaces import Reward, Setting
from threespan.research.vector import WAIT, VectorGame

Observation = dict[str, Any]


class AgainstBots(gymnasium.Env[Observation, np.int64]):
    """A match in which the agent plays one seat and a bot plays all others."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 # as Gymnasium types it

    def __init__(
        self,
        code: str,
        bot: str = "easy",
        seat: int = 0,
        render_mode: str | None = None,
        reward: Reward = "score",
        **options: Any,
    ) -> None:
        """Prepare matches of the game `code` against a bot (see `threespan.bots.levels`)."""
        self.setting = Setting(code, options, reward)
        self.episode = Episode(self.setting)
        self.seat = seat_number(seat, self.setting.players)
        self.bot = find_bot(bot).name
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = observation_space(self.setting)
        self.action_space = spaces.Discrete(self.setting.seat_actions)

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the next match; with a seed, the first match of that seed."""
        super().reset(seed=seed, options=options)
        self.episode.begin(self._match_seed())
        self._let_bots_act()
        return self._observation(), {}

    def _match_seed(self) -> MatchSeed:
        return MatchSeed.of(str(self.np_random.integers(2**63)))

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and everything until the agent acts again; an illegal action ends the match."""
        chosen = whole_number("action", action)
        refusal = self.episode.refusal(self.seat, chosen)
        if refusal is not None:
            return self._observation(), self.setting.forfeit, True, False, {"illegal": refusal}
        self.episode.play(self.seat, chosen)
        self._let_bots_act()
        is_over = self.episode.is_over
        reward = self.episode.rewards()[self.seat] if is_over else 0.0
        return self._observation(), reward, is_over, False, {}

    def _let_bots_act(self) -> None:
        while not self.episode.is_over and self.seat not in self.episode.acting:
            seat = self.episode.seat
            seen = self.episode.position().observe(seat)
            self.episode.play(seat, find_bot(self.bot).choose(seen, seat, int(self.np_random.integers(2**63))))

    def _observation(self) -> Observation:
        return {"observation": self.episode.observe(self.seat), "action_mask": self.action_masks()}

    def action_masks(self) -> Any:
        """A mask: 1 for the legal actions, 0 for all others."""
        return self.episode.mask(self.seat)

    def render(self) -> Any:
        """What the agent sees."""
        return render(self.episode, self.seat, self.render_mode)

    def record(self) -> str:
        """The record of the match so far, as `threespan record check` reads it."""
        return self.episode.record()


class SoloEnv(AgainstBots):
    """A solo match."""

    def __init__(self, code: str, render_mode: str | None = None, **options: Any) -> None:
        """Prepare matches of the game `code` with its options."""
        super().__init__(code, "random", 0, render_mode, players=1, **options)


class DailyEnv(SoloEnv):
    """A solo match with the same seed for everybody on one day."""

    def __init__(self, code: str, day: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        """Prepare the deal of a day such as 2026-02-28; by default today's in UTC."""
        super().__init__(code, render_mode, **options)
        self.day = date.fromisoformat(day) if day else datetime.now(UTC).date()

    def _match_seed(self) -> MatchSeed:
        return MatchSeed.of(f"{self.setting.game.code} daily {self.day.isoformat()}")


class VectorMatches(VectorEnv[Observation, Any, Any]):
    """Many matches at once in kernels: the agent plays one seat, the others play at random.

    A match that has ended restarts with the next step, whose action for it is ignored (`AutoresetMode.NEXT_STEP`).
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        code: str,
        seat: int = 0,
        bot: str = "random",
        reward: Reward = "score",
        threads: int | None = None,
        **options: Any,
    ) -> None:
        """Prepare `num_envs` matches of the game `code`."""
        if bot != "random":
            raise UserError(f"in a vector environment the others play at random, not as '{bot}'")
        self.num_envs = num_envs
        self.matches = VectorGame(
            code, num_envs, auto_reset=False, checks=False, reward=reward, threads=threads, **options
        )
        self.seat = seat_number(seat, self.matches.setting.players)
        self._seats = np.full(num_envs, self.seat, np.int8)
        self._is_over = np.zeros(num_envs, np.bool_)
        self.single_observation_space = observation_space(self.matches.setting)
        self.single_action_space = spaces.Discrete(self.matches.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Restart all matches."""
        if isinstance(seed, list):
            raise UserError("one seed is for all matches; pass a number, not a list")
        super().reset(seed=seed, options=options)
        self.matches.reset(int(self.np_random.integers(2**63)))
        self._is_over[:] = False
        self._let_others_act(np.zeros(self.num_envs, np.float32))
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Play one action in every match and everything until the agent acts again; an illegal one ends its match."""
        actions = whole_numbers("actions", actions, self.num_envs, np.int64)
        restarts = self._is_over.copy()
        is_illegal = ~self._is_legal(actions) & ~restarts
        rewards = np.where(is_illegal, self.matches.setting.forfeit, 0).astype(np.float32)
        rewards += self.matches.step(np.where(restarts | is_illegal, WAIT, actions)).rewards[:, self.seat]
        self.matches.reset(lanes=restarts)
        self._let_others_act(rewards, is_illegal)
        self._is_over = (self.matches.seats == OVER) | is_illegal
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, self._is_over.copy(), truncations, {}

    def _is_legal(self, actions: Any) -> Any:
        """Whether each action was legal in the last observation."""
        is_action = (actions >= 0) & (actions < self.matches.action_count)
        return is_action & (self._masks[np.arange(self.num_envs), np.where(is_action, actions, 0)] != 0)

    def _let_others_act(self, rewards: Any, is_stopped: Any = False) -> None:
        while True:
            waits = (self.matches.seats == OVER) | (self.matches.seats == self.seat) | is_stopped
            if waits.all():
                return
            rewards += self.matches.step(np.where(waits, WAIT, self.matches.sample())).rewards[:, self.seat]

    def _observations(self) -> Observation:
        self._masks = self.matches.masks()
        self._masks[self._is_over] = 0
        return {"observation": self.matches.observations(self._seats), "action_mask": self._masks.copy()}

    def close_extras(self, **kwargs: Any) -> None:
        """Do nothing: there is nothing to close."""


def solo_matches(num_envs: int, code: str, **options: Any) -> VectorMatches:
    """Many solo matches."""
    return VectorMatches(num_envs, code, players=1, **options)


def _register(name: str, entry: str, vector: str | None = None, **options: object) -> None:
    gymnasium.register(
        f"threespan/{name}-v0",
        entry_point=f"{__name__}:{entry}",
        vector_entry_point=f"{__name__}:{vector}" if vector else None,
        kwargs=options,
    )


def register_game(game: Game) -> None:
    """Register the environments of a game; matches against bots have two players if the game allows it."""
    name, players = "".join(word.capitalize() for word in game.code.split("_")), game.seat_counts
    _register(name, "AgainstBots", "VectorMatches", code=game.code, players=2 if 2 in players else players[0])
    if players[0] == 1:
        _register(f"{name}Solo", "SoloEnv", "solo_matches", code=game.code)
        _register(f"{name}Daily", "DailyEnv", code=game.code)


for _code in codes():
    register_game(find_game(_code))
