"""Environments in which all agents step at the same time (Parallel).

All seats that may act do so at once; the others have a single legal action: to wait.
"""

from typing import Any

from pettingzoo import ParallelEnv

from threespan.core.arguments import ArgumentError, whole_number
from threespan.research.pettingzoo.agents import AgentsMixin, Illegal, MatchAgents, metadata_of
from threespan.research.spaces import Reward

_SPARE_ACTIONS = 1  # waiting


class ParallelMatch(AgentsMixin, ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A match in which all agents that may act do so at the same time."""

    def __init__(
        self,
        code: str,
        render_mode: str | None = None,
        reward: Reward = "score",
        illegal: Illegal = "forfeit",
        **options: Any,
    ) -> None:
        """Prepare matches of the game `code` with its options."""
        self.metadata = metadata_of(code)
        self.match = MatchAgents(code, _SPARE_ACTIONS, render_mode, reward, illegal, options)
        self.render_mode = render_mode
        self.possible_agents = list(self.match.names)
        self.state_space = self.match.state_space
        self.wait = self.match.setting.seat_actions  # the action of a seat that cannot act
        self.agents: list[str] = []

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Start the next match."""
        self.match.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observe_all(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Play the actions of all agents; an illegal action ends the match."""
        episode = self.match.episode
        agents = self.agents
        if set(actions) != set(agents):
            needed, given = (", ".join(names) or "nobody" for names in (agents, actions))
            raise ArgumentError(f"actions: one is needed for each of {needed}, not for {given}")
        chosen = {self.match.seat_of[agent]: whole_number(agent, action) for agent, action in actions.items()}
        acting = episode.acting
        offenders = {seat: refusal for seat in chosen if (refusal := self._refusal(seat, chosen[seat], acting))}
        rewards = dict.fromkeys(agents, 0.0)
        if offenders:
            rewards = self.match.forfeits(offenders)
        else:
            episode.play_together({seat: chosen[seat] for seat in acting})
            if episode.is_over:
                rewards = self.match.rewards()
        is_over = episode.is_over or bool(offenders)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        for seat, refusal in offenders.items():
            infos[self.match.names[seat]]["illegal"] = refusal
        observations = self._observe_all()
        self.agents = [] if is_over else agents
        return observations, rewards, dict.fromkeys(agents, is_over), dict.fromkeys(agents, False), infos

    def _refusal(self, seat: int, action: int, acting: list[int]) -> str | None:
        if seat not in acting and action == self.wait:
            return None
        return self.match.refusal(seat, action)

    def _observe_all(self) -> dict[str, dict[str, Any]]:
        acting = self.match.episode.acting
        observations = {agent: self.match.observe(agent) for agent in self.agents}
        for agent, observation in observations.items():
            observation["action_mask"][self.wait] = self.match.seat_of[agent] not in acting
        return observations
