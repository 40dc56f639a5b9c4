"""The environments in turns (AEC): one agent acts at a time.

Where several seats act at once, as in Hashi, they are asked in the order of their seats; each plays its whole round,
and its observation does not show what the others have done in it.
"""

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from threespan.research.pettingzoo.seats import Illegal, MatchEnv, Seats, metadata_of
from threespan.research.spaces import Reward


class SeatByTurn(MatchEnv, AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A match, one decision after the other."""

    def __init__(
        self,
        code: str,
        render_mode: str | None = None,
        reward: Reward = "score",
        illegal: Illegal = "forfeit",
        **options: Any,
    ) -> None:
        """Prepare matches of the game `code` with its options."""
        super().__init__()
        self.metadata = metadata_of(code)
        self.table = Seats(code, 0, render_mode, reward, illegal, options)
        self.render_mode = render_mode
        self.possible_agents = list(self.table.names)
        self.state_space = self.table.state_space
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin the next match."""
        self.table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.table.episode.seat]

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent that is selected; an illegal one ends the match."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "only agents whose match is over step with None"
        seat, episode = self.table.seat_of[agent], self.table.episode
        self._cumulative_rewards[agent] = 0.0
        refusal = self.table.refusal(seat, int(action))
        if refusal is not None:
            self.infos[agent]["illegal"] = refusal
            self._end(self.table.forfeits({seat: refusal}))
            return
        episode.play(seat, int(action))
        if episode.is_over:
            self._end(self.table.rewards())
        else:
            self.agent_selection = self.agents[episode.seat]

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know and do."""
        return self.table.observe(agent)


def wrapped(env: SeatByTurn) -> OrderEnforcingWrapper[str, dict[str, Any], int]:
    """An environment that complains about actions out of bounds and calls out of order."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))
