"""What both kinds of PettingZoo environment share: agents, spaces, seeds, pictures."""

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
    """What PettingZoo wants to know of an environment."""
    return {"name": f"{code}_v0", "render_modes": RENDER_MODES, "render_fps": 2, "is_parallelizable": False}


class Seats:
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
        """Begin the next match; with a seed, the first one of that seed."""
        if seed is not None:
            self.episode.seed(seed)
        self.episode.begin()

    def observe(self, name: str) -> dict[str, Any]:
        """What an agent may know and do."""
        seat = self.seat_of[name]
        return {"observation": self.episode.observe(seat), "action_mask": self.episode.mask(seat, self.spare_actions)}

    def refusal(self, seat: int, action: int) -> str | None:
        """The clause that forbids an action, if one does; raises IllegalAction if the environment is to do so."""
        refusal = self.episode.refusal(seat, action)
        if refusal is not None and self.illegal == "raise":
            error: IllegalAction = self.episode.refuse(seat, action)
            raise error
        return refusal

    def rewards(self) -> dict[str, float]:
        """What the finished match brings each agent."""
        return dict(zip(self.names, self.episode.rewards(), strict=True))

    def forfeits(self, offenders: dict[int, str]) -> dict[str, float]:
        """What a match brings that illegal actions have ended."""
        return {name: self.setting.forfeit if seat in offenders else 0.0 for name, seat in self.seat_of.items()}

    def render(self) -> Any:
        """What the seat that acts sees (after the match, seat 0)."""
        seat = self.episode.seat
        return render(self.episode, 0 if seat == OVER else seat, self.render_mode)


class MatchEnv:
    """What is the same whether agents act in turns or together; `table` is theirs."""

    table: Seats

    def observation_space(self, agent: str) -> spaces.Dict:
        """The tensor of an observation and the mask of the legal actions."""
        return self.table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The actions of seats and, where all act together, after them the one of waiting."""
        return self.table.action_spaces[agent]

    def state(self) -> Any:
        """The tensor of everything, what is hidden included, as `player_0` looks at it."""
        return self.table.episode.everything()

    def render(self) -> Any:
        """What the seat that acts sees."""
        return self.table.render()

    def record(self) -> str:
        """The record of the match so far, as `threespan record check` reads it."""
        return self.table.episode.record()

    def close(self) -> None:
        """Nothing is open."""
