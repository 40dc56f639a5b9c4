"""What both kinds of PettingZoo environments share: agents, spaces, seeds, rendering."""

from typing import Any, Literal

from gymnasium import spaces

from threespan.core.game import IllegalAction
from threespan.core.rules import OVER
from threespan.research.boxes import observation_space, tensor_space
from threespan.research.episode import Episode
from threespan.research.rendering import RENDER_MODES, check_render_mode, render
from threespan.research.spaces import Reward, Setting

Illegal = Literal["forfeit", "raise"]


def metadata_of(code: str) -> dict[str, Any]:
    """The metadata of an environment."""
    return {"name": f"{code}_v0", "render_modes": RENDER_MODES, "render_fps": 2, "is_parallelizable": False}


class MatchAgents:
    """A match with the seats as agents `player_0`, `player_1`, and so on."""

    def __init__(
        self,
        code: str,
        spare_actions: int,
        render_mode: str | None,
        reward: Reward,
        illegal: Illegal,
        options: dict[str, Any],
    ) -> None:
        """Prepare a match; `spare_actions` come after those of the game."""
        self.setting = Setting(code, options, reward)
        self.episode = Episode(self.setting)
        self.spare_actions, self.illegal = spare_actions, illegal
        self.render_mode = check_render_mode(render_mode)
        self.names = [f"player_{seat}" for seat in range(self.setting.players)]
        self.seat_of = {name: seat for seat, name in enumerate(self.names)}
        actions = self.setting.seat_actions + spare_actions
        self.state_space = tensor_space(self.setting)
        self.observation_spaces = {name: observation_space(self.setting, spare_actions) for name in self.names}
        self.action_spaces = {name: spaces.Discrete(actions) for name in self.names}

    def begin(self, seed: int | None) -> None:
        """Start the next match; with a seed, the first match of that seed."""
        if seed is not None:
            self.episode.seed(seed)
        self.episode.begin()

    def observe(self, name: str) -> dict[str, Any]:
        """What an agent may know, and the mask of its legal actions."""
        seat = self.seat_of[name]
        return {"observation": self.episode.observe(seat), "action_mask": self.episode.mask(seat, self.spare_actions)}

    def refusal(self, seat: int, action: int) -> str | None:
        """The clause that forbids an action, or None; raises IllegalAction if the environment is set to `raise`."""
        refusal = self.episode.refusal(seat, action)
        if refusal is not None and self.illegal == "raise":
            error: IllegalAction = self.episode.illegal_action(seat, action)
            raise error
        return refusal

    def rewards(self) -> dict[str, float]:
        """The reward of each agent after the match."""
        return dict(zip(self.names, self.episode.rewards(), strict=True))

    def forfeits(self, offenders: dict[int, str]) -> dict[str, float]:
        """The rewards of a match that illegal actions have ended."""
        return {name: self.setting.forfeit if seat in offenders else 0.0 for name, seat in self.seat_of.items()}

    def render(self) -> Any:
        """Render what the acting seat sees (after the match, seat 0)."""
        seat = self.episode.seat
        return render(self.episode, 0 if seat == OVER else seat, self.render_mode)


class AgentsMixin:
    """The methods that both kinds of environments share."""

    match: MatchAgents

    def observation_space(self, agent: str) -> spaces.Dict:
        """The tensor of an observation and the mask of the legal actions."""
        return self.match.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The actions of seats; in parallel environments followed by that of waiting."""
        return self.match.action_spaces[agent]

    def state(self) -> Any:
        """The tensor of the whole state, including everything hidden, from the view of `player_0`."""
        return self.match.episode.full_tensor()

    def render(self) -> Any:
        """Render what the acting seat sees."""
        return self.match.render()

    def record(self) -> str:
        """The record of the match so far, as `threespan record check` reads it."""
        return self.match.episode.record()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
