"""One match as environments play it: seats act, chance follows the match's seed, and the record can be had any time."""

from typing import Any

import numpy as np

from threespan.core import calls
from threespan.core.chance import MatchSeed
from threespan.core.game import IllegalAction, Position
from threespan.core.kernel import kernel
from threespan.core.match import Match
from threespan.core.record import write_record
from threespan.core.rules import CHANCE, LEGAL, MAX_SEATS, OVER
from threespan.research.spaces import Setting
from threespan.research.tensor import TENSOR_TYPE, memory_of, write_tensor
from threespan.research.vector import mask_all, new_scratch, observe_all

_MOST_SEEDS = 2**63


class Episode:
    """A match from its first to its last action, again and again."""

    def __init__(self, setting: Setting) -> None:
        """Prepare; `begin` begins."""
        self.setting = setting
        self.states = setting.new_states(1)  # an array of one, as kernels like it
        self._start, self._work = setting.new_states(1), setting.new_states(1)
        self._link_memory()
        self._scratch = new_scratch()
        self._viewer = np.zeros(1, np.int8)
        self._seeds = np.random.default_rng()
        self.events: list[tuple[int, int]] = []  # who did what, chance included
        self._acting = 0
        self._draws = 0

    def _link_memory(self) -> None:
        """Look at the states as plain numbers; copies of an episode look at their own."""
        self._memory, self._work_memory = memory_of(self.states), memory_of(self._work)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.endswith("memory")}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self._link_memory()

    def seed(self, seed: int) -> None:
        """Let all matches from now on follow from a seed."""
        self._seeds = np.random.default_rng(seed)

    def begin(self, seed: MatchSeed | None = None) -> None:
        """Begin the next match, or the one of a match seed."""
        self.match_seed = seed or MatchSeed.of(str(self._seeds.integers(_MOST_SEEDS)))
        self.states[:] = self._start
        self.events, self._draws = [], 0
        self._settle()

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
        """The seat with the lowest number that may act, or OVER."""
        return (self._acting & -self._acting).bit_length() - 1 if self._acting else OVER

    def refusal(self, seat: int, action: int) -> str | None:
        """The clause that forbids an action, if one does."""
        rule = self.setting.game.rule
        if not 0 <= action < self.setting.seat_actions or not self._acting >> seat & 1:
            return rule["NOT_NOW"].name
        found = calls.check_action(self.states, seat, action)
        return None if found == LEGAL else rule(found).name

    def play(self, seat: int, action: int) -> None:
        """Carry out a legal action, and what chance does after it."""
        self._carry_out(seat, action)
        self._settle()

    def play_together(self, actions: dict[int, int]) -> None:
        """Carry out legal actions of several seats that act at the same time, and what chance does after them."""
        for seat, action in actions.items():
            self._carry_out(seat, action)
        self._settle()

    def refuse(self, seat: int, action: int) -> IllegalAction:
        """The error that says why an action is illegal."""
        game = self.setting.game
        rule = game.rule[self.refusal(seat, action) or "LEGAL"]
        known = 0 <= action < self.setting.seat_actions
        return IllegalAction(game, rule, game.action_text(self.state, action) if known else str(action))

    def _carry_out(self, seat: int, action: int) -> None:
        calls.carry_out(self.states, seat, action)
        self.events.append((seat, action))

    def _settle(self) -> None:
        """Let chance act until a seat does or the match is over."""
        states = self.states
        while (acting := calls.who_acts(states)) == 1 << CHANCE:
            ticket = self.match_seed.ticket(self._draws, calls.count_tickets(states))
            self._carry_out(CHANCE, int(calls.draw_ticket(states, ticket)))
            self._draws += 1
        self._acting = acting

    @property
    def state(self) -> Any:
        """The state itself."""
        return self.states[0]

    def mask(self, seat: int, spare: int = 0) -> Any:
        """1 for the legal actions of a seat, 0 for all others, and for so many spare actions at the end."""
        actions = self.setting.seat_actions
        masks = np.zeros((1, actions + spare), np.int8)
        if self._acting >> seat & 1:
            self._viewer[0] = seat
            mask_all(self.states, self._viewer, self._scratch, masks)
        return masks[0]

    def observe(self, seat: int) -> Any:
        """The tensor of what a seat may know."""
        plan = self.setting.plan
        tensors = np.empty((1, plan.size), TENSOR_TYPE)
        self._viewer[0] = seat
        observe_all(self.states, self._work, self._work_memory, plan.runs, self._viewer, tensors)
        return tensors[0]

    def everything(self) -> Any:
        """The tensor of the whole state, what is hidden included, as seat 0 looks at it."""
        plan = self.setting.plan
        tensors = np.empty((1, plan.size), TENSOR_TYPE)
        write_everything(self._memory, plan.runs, tensors)
        return tensors[0]

    def position(self) -> Position:
        """A copy of the match's position."""
        setting = self.setting
        return Position(setting.game, setting.options, setting.material, self.state)

    def rewards(self) -> list[float]:
        """What the finished match brings each seat."""
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
def write_everything(memories: Any, runs: Any, tensors: Any) -> None:
    """The tensor of a whole state, in an array of one, as seat 0 looks at it."""
    write_tensor(memories[0], runs, 0, tensors, 0)


def outcome_rewards(setting: Setting, states: Any) -> list[float]:
    """What a finished match, in an array of one state, brings each seat."""
    table = np.zeros((2, MAX_SEATS), np.int32)
    calls.work_out(states, table)
    scores, ranks = table[:, : setting.players]
    rewards: list[float] = setting.rewards(scores, ranks).tolist()
    return rewards
