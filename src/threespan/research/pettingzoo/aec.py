"""Environments with turns (AEC): one agent acts at a time.

Seats that act simultaneously act here in the order of their seats; each plays its whole round, and its observation does
not show what the others have done in it.
"""

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from threespan.core.arguments import whole_number
from threespan.research.pettingzoo.agents import AgentsMixin, Illegal, MatchAgents, metadata_of
from threespan.research.spaces import Reward


class AecMatch(AgentsMixin, AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A match in which one agent acts at a time."""

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
        self.match = MatchAgents(code, 0, render_mode, reward, illegal, options)
        self.render_mode = render_mode
        self.possible_agents = list(self.match.names)
        self.state_space = self.match.state_space
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start the next match."""
        self.match.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.match.episode.seat]

    def step(self, action: int | None) -> None:
        """Play the action of the selected agent; an illegal action ends the match."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "only agents whose match is over step with None"
        seat, episode = self.match.seat_of[agent], self.match.episode
        self._cumulative_rewards[agent] = 0.0
        chosen = whole_number("action", action)
        refusal = self.match.refusal(seat, chosen)
        if refusal is not None:
            self.infos[agent]["illegal"] = refusal
            self._end(self.match.forfeits({seat: refusal}))
            return
        episode.play(seat, chosen)
        if episode.is_over:
            self._end(self.match.rewards())
        else:
            self.agent_selection = self.agents[episode.seat]

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know, and the mask of its legal actions."""
        return self.match.observe(agent)


def checked_env(code: str, **options: Any) -> OrderEnforcingWrapper[str, dict[str, Any], int]:
    """An environment with turns that checks the bounds of actions and the order of calls."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(AecMatch(code, **options)))
