"""The environments in which all agents step at the same time (Parallel).

All seats that may act do so at once, as people do in a round of Hashi; the others have one legal action, to wait.
"""

from typing import Any

from pettingzoo import ParallelEnv

from threespan.research.pettingzoo.seats import Illegal, MatchEnv, Seats, metadata_of
from threespan.research.spaces import Reward

_WAITING = 1  # one action more than the game has


class SeatsTogether(MatchEnv, ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A match, one decision of every seat that may act after the other."""

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
        self.table = Seats(code, _WAITING, render_mode, reward, illegal, options)
        self.render_mode = render_mode
        self.possible_agents = list(self.table.names)
        self.state_space = self.table.state_space
        self.wait = self.table.setting.seat_actions  # the action of a seat that cannot act
        self.agents: list[str] = []

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin the next match."""
        self.table.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observe_all(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Carry out the actions of all agents; an illegal one ends the match."""
        episode = self.table.episode
        agents = self.agents
        chosen = {self.table.seat_of[agent]: int(action) for agent, action in actions.items()}
        acting = episode.acting
        offenders = {seat: refusal for seat in chosen if (refusal := self._refusal(seat, chosen[seat], acting))}
        rewards = dict.fromkeys(agents, 0.0)
        if offenders:
            rewards = self.table.forfeits(offenders)
        else:
            episode.play_together({seat: chosen[seat] for seat in acting})
            if episode.is_over:
                rewards = self.table.rewards()
        is_over = episode.is_over or bool(offenders)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        for seat, refusal in offenders.items():
            infos[self.table.names[seat]]["illegal"] = refusal
        observations = self._observe_all()
        self.agents = [] if is_over else agents
        return observations, rewards, dict.fromkeys(agents, is_over), dict.fromkeys(agents, False), infos

    def _refusal(self, seat: int, action: int, acting: list[int]) -> str | None:
        if seat not in acting and action == self.wait:
            return None
        return self.table.refusal(seat, action)

    def _observe_all(self) -> dict[str, dict[str, Any]]:
        acting = self.table.episode.acting
        observations = {agent: self.table.observe(agent) for agent in self.agents}
        for agent, observation in observations.items():
            observation["action_mask"][self.wait] = self.table.seat_of[agent] not in acting
        return observations
