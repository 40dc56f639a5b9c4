"""One match of an environment: seats act, chance follows the match seed, and a record is available at any time."""

from typing import Any

import numpy as np

from threespan.core import calls
from threespan.core.arguments import seat_number, whole_number
from threespan.core.chance import MatchSeed
from threespan.core.game import IllegalAction, Position
from threespan.core.kernel import kernel, lowest_bit
from threespan.core.match import Match
from threespan.core.record import write_record
from threespan.core.rules import CHANCE, LEGAL, MAX_SEATS, OVER
from threespan.research.spaces import Setting
from threespan.research.tensor import TENSOR_TYPE, memory_of, write_tensor
from threespan.research.vector import mask_all, new_scratch, observe_all

_SEED_LIMIT = 2**63


class Episode:
    """Plays one match after the other."""

    def __init__(self, setting: Setting) -> None:
        """Prepare for matches; `begin` starts one."""
        self.setting = setting
        self.states = setting.new_states(1)  # an array of one state, which is fast to pass to kernels
        self._start, self._work = setting.new_states(1), setting.new_states(1)
        self._link_memory()
        self._scratch = new_scratch()
        self._viewer = np.zeros(1, np.int8)
        self._seeds = np.random.default_rng()
        self.events: list[tuple[int, int]] = []  # seat and action, including those of chance
        self._acting = 0
        self._draws = 0

    def _link_memory(self) -> None:
        """Create views of the states as plain numbers; a copy of an episode needs views of its own states."""
        self._memory, self._work_memory = memory_of(self.states), memory_of(self._work)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.endswith("memory")}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self._link_memory()

    def seed(self, seed: int) -> None:
        """Seed all following matches."""
        self._seeds = np.random.default_rng(whole_number("seed", seed, minimum=0))

    def begin(self, seed: MatchSeed | None = None) -> None:
        """Start the next match, or the one with a given match seed."""
        self.match_seed = seed or MatchSeed.of(str(self._seeds.integers(_SEED_LIMIT)))
        self.states[:] = self._start
        self.events, self._draws = [], 0
        self._let_chance_act()

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self._acting == 0

    @property
    def acting(self) -> list[int]:
        """The seats that may act now."""
        return [seat for seat in range(self.setting.players) if self._acting >> seat & 1]

    @property
    def seat(self) -> int:
        """The lowest seat that may act, or OVER."""
        return lowest_bit(self._acting) if self._acting else OVER

    def refusal(self, seat: int, action: int) -> str | None:
        """The name of the clause that forbids an action, or None."""
        seat, action = whole_number("seat", seat), whole_number("action", action)
        rule = self.setting.game.rule_enum
        if not self._is_possible(seat, action):
            return rule["NOT_NOW"].name
        found = calls.check_action(self.states, seat, action)
        return None if found == LEGAL else rule(found).name

    def _is_possible(self, seat: int, action: int) -> bool:
        """Whether the seat may act now, and the action exists."""
        acts = 0 <= seat < self.setting.players and self._acting >> seat & 1
        return bool(acts) and 0 <= action < self.setting.seat_actions

    def play(self, seat: int, action: int) -> None:
        """Play an action and the actions of chance that follow; raises IllegalAction."""
        self._try(seat, action)
        self._let_chance_act()

    def play_together(self, actions: dict[int, int]) -> None:
        """Play the actions of several seats that act simultaneously, and the actions of chance that follow.

        Raises IllegalAction for the first that is illegal.
        """
        for seat, action in actions.items():
            self._try(seat, action)
        self._let_chance_act()

    def _try(self, seat: int, action: int) -> None:
        seat, action = whole_number("seat", seat), whole_number("action", action)
        if not self._is_possible(seat, action) or calls.try_action(self.states, seat, action) != LEGAL:
            raise self.illegal_action(seat, action)
        self.events.append((seat, action))

    def illegal_action(self, seat: int, action: int) -> IllegalAction:
        """The error for an illegal action."""
        game = self.setting.game
        rule = game.rule_enum[self.refusal(seat, action) or "LEGAL"]
        known = 0 <= action < self.setting.seat_actions
        text = game.action_text(self.state, action) if known else str(action)
        return IllegalAction(self.setting.rule_book, rule, text)

    def _let_chance_act(self) -> None:
        """Let chance act until a seat may act or the match is over."""
        states = self.states
        while (acting := calls.who_acts(states)) == 1 << CHANCE:
            ticket = self.match_seed.ticket(self._draws, calls.count_tickets(states))
            action = int(calls.draw_ticket(states, ticket))
            calls.apply_action(states, CHANCE, action)
            self.events.append((CHANCE, action))
            self._draws += 1
        self._acting = acting

    @property
    def state(self) -> Any:
        """The state, not a copy."""
        return self.states[0]

    def mask(self, seat: int, spare: int = 0) -> Any:
        """A mask: 1 for the legal actions of a seat, 0 for the others and for `spare` additional actions."""
        actions = self.setting.seat_actions + whole_number("spare", spare, minimum=0)
        masks = np.zeros((1, actions), np.int8)
        if self._acting >> seat_number(seat, self.setting.players) & 1:
            self._viewer[0] = seat
            mask_all(self.states, self._viewer, self._scratch, masks)
        return masks[0]

    def observe(self, seat: int) -> Any:
        """The tensor of what a seat may know."""
        plan = self.setting.plan
        tensors = np.empty((1, plan.size), TENSOR_TYPE)
        self._viewer[0] = seat_number(seat, self.setting.players)
        observe_all(self.states, self._work, self._work_memory, plan.runs, self._viewer, tensors)
        return tensors[0]

    def full_tensor(self) -> Any:
        """The tensor of the whole state, including everything hidden, from the view of seat 0."""
        plan = self.setting.plan
        tensors = np.empty((1, plan.size), TENSOR_TYPE)
        write_full_tensor(self._memory, plan.runs, tensors)
        return tensors[0]

    def position(self) -> Position:
        """A copy of the match's position."""
        setting = self.setting
        return Position(setting.game, setting.options, setting.material, self.state)

    def rewards(self) -> list[float]:
        """The reward of each seat after the match."""
        return outcome_rewards(self.setting, self.states)

    def record(self) -> str:
        """The record of the match so far, as `threespan record check` reads it."""
        setting = self.setting
        names = [f"player_{seat}" for seat in range(setting.players)]
        match = Match(setting.game.start(setting.options), self.match_seed, names)
        for seat, action in self.events:
            match.append(seat, action)
        return write_record(match)


@kernel
def write_full_tensor(memories: Any, runs: Any, tensors: Any) -> None:
    """Write the tensor of a whole state from the view of seat 0."""
    write_tensor(memories[0], runs, 0, tensors, 0)


def outcome_rewards(setting: Setting, states: Any) -> list[float]:
    """The rewards of a finished match, given as an array of one state."""
    table = np.zeros((2, MAX_SEATS), np.int32)
    calls.write_outcome(states, table)
    scores, ranks = table[:, : setting.players]
    rewards: list[float] = setting.rewards(scores, ranks).tolist()
    return rewards
