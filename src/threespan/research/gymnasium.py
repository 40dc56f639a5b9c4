"""Gymnasium environments: Hashi alone, the deal of the day, any game against bots, and many matches at once.

Importing this module registers them: `gymnasium.make("threespan/HashiSolo-v0", side="B")`,
`gymnasium.make("threespan/Stege-v0", bot="easy")`, `gymnasium.make_vec("threespan/Elfer-v0", num_envs=64)`.
"""

from datetime import UTC, date, datetime
from typing import Any, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from threespan.bots.levels import find_bot
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.rules import OVER
from threespan.research.boxes import observation_space
from threespan.research.episode import Episode
from threespan.research.rendering import RENDER_MODES, check_render_mode, render
from threespan.research.spaces import Reward, Setting
from threespan.research.vector import WAIT, VectorGame

Observation = dict[str, Any]


def seat_in(setting: Setting, seat: int) -> int:
    """A seat that the match has."""
    if not 0 <= seat < setting.players:
        raise UserError(f"there is no seat {seat}; seats go from 0 to {setting.players - 1}")
    return seat


class AgainstBots(gymnasium.Env[Observation, np.int64]):
    """A match in which one seat is the agent and a bot plays all others."""

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
        """Prepare matches of the game `code` against a bot (`threespan.bots.levels` names them)."""
        self.setting = Setting(code, options, reward)
        self.episode = Episode(self.setting)
        self.seat = seat_in(self.setting, seat)
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
        """Begin the next match; with a seed, the first one of that seed."""
        super().reset(seed=seed, options=options)
        self.episode.begin(self._match_seed())
        self._let_bots_act()
        return self._observation(), {}

    def _match_seed(self) -> MatchSeed:
        return MatchSeed.of(str(self.np_random.integers(2**63)))

    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out an action and whatever happens until the agent acts again; an illegal one ends the match."""
        chosen = int(action)
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
        """1 for the legal actions, 0 for all others."""
        return self.episode.mask(self.seat)

    def render(self) -> Any:
        """What the agent sees."""
        return render(self.episode, self.seat, self.render_mode)

    def record(self) -> str:
        """The record of the match so far, as `threespan record check` reads it."""
        return self.episode.record()


class SoloEnv(AgainstBots):
    """Hashi alone."""

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        """Prepare matches on a side (`side="B"`)."""
        super().__init__("hashi", "random", 0, render_mode, players=1, **options)


class DailyEnv(SoloEnv):
    """Hashi alone, with the same cards for everybody on one day."""

    def __init__(self, day: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        """Prepare the deal of a day, written as 2026-02-28; by default today's, as the clock in Greenwich tells it."""
        super().__init__(render_mode, **options)
        self.day = date.fromisoformat(day) if day else datetime.now(UTC).date()

    def _match_seed(self) -> MatchSeed:
        return MatchSeed.of(f"hashi daily {self.day.isoformat()}")


class VectorMatches(VectorEnv[Observation, Any, Any]):
    """Many matches at once in kernels: one seat is the agent, the others play at random.

    A match that has ended begins anew with the next step, whose action for it is ignored (`AutoresetMode.NEXT_STEP`).
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        code: str = "hashi",
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
        self.seat = seat_in(self.matches.setting, seat)
        self._seats = np.full(num_envs, self.seat, np.int8)
        self._is_over = np.zeros(num_envs, np.bool_)
        self.single_observation_space = observation_space(self.matches.setting)
        self.single_action_space = spaces.Discrete(self.matches.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all matches anew."""
        if isinstance(seed, list):
            raise UserError("all matches have one seed; give a number, not a list")
        super().reset(seed=seed, options=options)
        self.matches.reset(int(self.np_random.integers(2**63)))
        self._is_over[:] = False
        self._let_others_act(np.zeros(self.num_envs, np.float32))
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """One action in every match, and whatever happens until the agent acts again; an illegal one ends it."""
        actions = np.asarray(actions, np.int64)
        renewed = self._is_over.copy()
        is_illegal = (self._masks[np.arange(self.num_envs), actions] == 0) & ~renewed
        rewards = np.where(is_illegal, self.matches.setting.forfeit, 0).astype(np.float32)
        rewards += self.matches.step(np.where(renewed | is_illegal, WAIT, actions)).rewards[:, self.seat]
        self.matches.reset(lanes=renewed)
        self._let_others_act(rewards, is_illegal)
        self._is_over = (self.matches.seats == OVER) | is_illegal
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, self._is_over.copy(), truncations, {}

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
        """Nothing is open."""


def _register(name: str, entry: str, vector: str | None = None, **options: object) -> None:
    gymnasium.register(
        f"threespan/{name}",
        entry_point=f"{__name__}:{entry}",
        vector_entry_point=f"{__name__}:{vector}" if vector else None,
        kwargs=options,
    )


_register("HashiSolo-v0", "SoloEnv", "VectorMatches")
_register("HashiDaily-v0", "DailyEnv")
_register("Hashi-v0", "AgainstBots", "VectorMatches", code="hashi", players=2)
_register("Stege-v0", "AgainstBots", "VectorMatches", code="stege", players=2)
_register("Elfer-v0", "AgainstBots", "VectorMatches", code="elfer", players=2)
