"""Hashi solo with known cards as a constraint model for OR-Tools CP-SAT.

The rules are written in `games/hashi/rules.py`; this is the same game in another form, for a solver that thinks about
all rounds at once. It leans on this: numbers and bridges stay. So whether an island has too many bridges needs to be
asked at the end only, and the order of the bridges within a turn does not matter. Whatever the model finds is played
by the rules before anybody sees it (`solver.py`).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ortools.sat.python import cp_model

from threespan.core.layout import State
from threespan.games.hashi.rules import FIRST_START, LAST_START
from threespan.games.hashi.scoring import CONNECTED, FULL_PAY, LATE_PAY, POINTS_PER_ISLAND, SOLO_LIMIT
from threespan.games.hashi.state import ISLANDS, MAX_NUMBER, MAX_ON_LINE, Bonus, Flag, Phase, SeatStep

SEAT = 0  # the solo player's

Literal = cp_model.IntVar
Sum = cp_model.LinearExpr | int


class Turn(NamedTuple):
    """What a turn to come offers: a number (0 once that is decided) and so many bridges, all or none."""

    round_number: int
    number: int
    bridges: int
    has_begun: bool = False  # one of the card's bridges is drawn, so the others must follow


class Plan(NamedTuple):
    """What to do: start number (island, number) where one is due, and by round the island to write on and the lines."""

    start: tuple[int, int] | None
    writes: dict[int, int]
    bridges: dict[int, list[int]]


class NumberOption(NamedTuple):
    """A number that an island may have, from which moment on, and the literal that says so."""

    since: int
    number: int
    literal: Literal


def turns_to_come(state: State, cards: Sequence[str]) -> list[Turn]:
    """What is left of the round that is being played, then a turn for each card."""
    turns = []
    if state.phase == Phase.ROUND:
        number = int(state.card_number) if state.step[SEAT] == SeatStep.WRITE else 0
        left = int(state.bridges_left[SEAT])
        turns.append(Turn(int(state.round_number), number, left, has_begun=left < state.card_bridges))
    for round_number, card in enumerate(cards, int(state.round_number) + 1):
        card_number, card_bridges = map(int, card.split("/"))
        turns.append(Turn(round_number, card_number, card_bridges))
    return turns


class HashiModel:
    """All ways to play the turns to come, and their score.

    Moments are counted from 0, now; the moment `turn + 1` is the end of that turn.
    """

    def __init__(self, state: State, cards: Sequence[str]) -> None:
        """State the rules as constraints."""
        self.state = state
        self.turns = turns_to_come(state, cards)
        self.end = len(self.turns)
        self.cp = cp_model.CpModel()
        self.yes, self.no = self.cp.new_constant(1), self.cp.new_constant(0)
        self.flags = [Flag(flag) for flag in state.flag]
        self.ends = [(int(state.line_from[line]), int(state.line_to[line])) for line in range(state.lines)]
        self.touching = [[line for line, ends in enumerate(self.ends) if i in ends] for i in range(ISLANDS)]
        self.copies = [(line, copy) for line in range(state.lines) for copy in range(MAX_ON_LINE)]
        self._write_numbers()
        self._draw_bridges()
        self._finish_islands()
        self._count()
        islands = POINTS_PER_ISLAND * sum(self.finished)
        self.cp.maximize(cp_model.LinearExpr.sum([islands, *(self._pay(bonus) for bonus in Bonus)]))

    def plan(self, solver: cp_model.CpSolver) -> Plan:
        """What the solver has found."""
        rounds = [turn.round_number for turn in self.turns]
        starts = [start for start, literal in self.starts.items() if solver.boolean_value(literal)]
        bridges = defaultdict(list)
        for (turn, line, _), literal in self.drawn.items():
            if solver.boolean_value(literal):
                bridges[rounds[turn]].append(line)
        writes = {rounds[turn]: island for (turn, island), it in self.writes.items() if solver.boolean_value(it)}
        return Plan(starts[0] if starts else None, writes, bridges)

    # Numbers

    def _write_numbers(self) -> None:
        """START_NUMBER; at most one number a turn; ISLAND_TAKEN."""
        self.starts: dict[tuple[int, int], Literal] = {}
        self.writes: dict[tuple[int, int], Literal] = {}
        self.uses: list[Literal] = []  # whether a turn's number is written
        free = [island for island in range(ISLANDS) if self.state.number[SEAT, island] == 0]
        if self.state.phase == Phase.START:
            for island in free:
                for number in range(FIRST_START, LAST_START + 1):
                    if self.flags[island] == Flag.NO:
                        self.starts[island, number] = self._literal(f"start {island} {number}")
            self.cp.add_exactly_one(self.starts.values())
        for turn, offer in enumerate(self.turns):
            uses = self._literal(f"uses {turn}") if offer.number else self.no
            here = {(turn, island): self._literal(f"write {turn} {island}") for island in free if offer.number}
            self.cp.add_exactly_one(~uses, *here.values())
            self.uses.append(uses)
            self.writes |= here
        self.numbers = [self._number_options(island) for island in range(ISLANDS)]
        for options in self.numbers:
            self.cp.add_at_most_one(option.literal for option in options)

    def _number_options(self, island: int) -> list[NumberOption]:
        given = int(self.state.number[SEAT, island])
        if given:
            return [NumberOption(0, given, self.yes)]
        starts = [NumberOption(0, number, it) for (where, number), it in self.starts.items() if where == island]
        written = [(turn, it) for (turn, where), it in self.writes.items() if where == island]
        return starts + [NumberOption(turn + 1, self.turns[turn].number, it) for turn, it in written]

    # Bridges

    def _draw_bridges(self) -> None:
        """ALL_OR_NOTHING, LINE_FULL, NEEDS_NUMBER, CROSSING and FLAG_NEEDS_BRIDGE."""
        # built[moment, line, copy]: the line has more than `copy` bridges; drawn[turn, line, copy]: since this turn.
        self.built = {(0, *it): self.yes if self.state.bridges[SEAT, it[0]] > it[1] else self.no for it in self.copies}
        self.drawn: dict[tuple[int, int, int], Literal] = {}
        self.builds: list[Literal] = []  # whether a turn's bridges are drawn
        for turn, offer in enumerate(self.turns):
            for line, copy in self.copies:
                self._draw(turn, line, copy)
            builds = self.yes if offer.has_begun else self._literal(f"builds {turn}")
            self.cp.add(sum(self.drawn[turn, line, copy] for line, copy in self.copies) == offer.bridges * builds)
            self.builds.append(builds)
        for line, (first, second) in enumerate(self.ends):
            for moment in range(1, self.end + 1):
                options = self.numbers[first] + self.numbers[second]
                numbered = [option.literal for option in options if option.since <= moment]
                self.cp.add_bool_or(~self.built[moment, line, 0], *numbered)
            for other in range(line):
                if int(self.state.crossing[line]) >> other & 1:
                    self.cp.add_bool_or(~self.built[self.end, line, 0], ~self.built[self.end, other, 0])
        for (turn, island), write in self.writes.items():
            if self.flags[island] != Flag.NO:  # the number comes before the bridges of its turn
                self.cp.add_bool_or(~write, *(self.built[turn, line, 0] for line in self.touching[island]))

    def _draw(self, turn: int, line: int, copy: int) -> None:
        """What is drawn was not there before and stays; the second bridge of a line comes after the first."""
        before = self.built[turn, line, copy]
        after = self.built[turn + 1, line, copy] = self._literal(f"built {turn} {line} {copy}")
        drawn = self.drawn[turn, line, copy] = self._literal(f"drawn {turn} {line} {copy}")
        self.cp.add_implication(before, after)
        self.cp.add_implication(drawn, after)
        self.cp.add_implication(drawn, ~before)
        self.cp.add_bool_or(before, drawn, ~after)
        if copy:
            self.cp.add_implication(after, self.built[turn + 1, line, copy - 1])

    # Finished islands

    def _finish_islands(self) -> None:
        """NUMBER_TOO_SMALL, ISLAND_FULL, OVER_SIX; an island with as many bridges as its number is finished."""
        self.finished: list[Literal] = []
        self.missing: list[Literal] = []  # the number less the bridges; unnumbered islands have 0 as their number
        for island, options in enumerate(self.numbers):
            ends_here = [(line, copy) for line, copy in self.copies if line in self.touching[island]]
            bridges = sum(self.built[self.end, line, copy] for line, copy in ends_here)
            self.cp.add(bridges <= MAX_NUMBER - sum((MAX_NUMBER - it.number) * it.literal for it in options))
            missing = self.cp.new_int_var(-MAX_NUMBER, MAX_NUMBER, f"missing {island}")
            self.cp.add(missing == sum(it.number * it.literal for it in options) - bridges)
            finished = self._literal(f"finished {island}")
            self.cp.add_bool_or(~finished, *(option.literal for option in options))
            self.cp.add(missing == 0).only_enforce_if(finished)
            self.finished.append(finished)
            self.missing.append(missing)

    def _count(self) -> None:
        """What follows from the rest but lets the solver see waste and parity at a glance: half the time on average.

        Every bridge has two ends, and no island is finished without a number.
        """
        bridges = int(self.state.bridges[SEAT].sum())
        bridges_drawn = sum(offer.bridges * it for offer, it in zip(self.turns, self.builds, strict=True))
        numbers = int(self.state.number[SEAT].sum()) + sum(number * it for (_, number), it in self.starts.items())
        numbers_used = sum(offer.number * it for offer, it in zip(self.turns, self.uses, strict=True))
        self.cp.add(2 * (bridges + bridges_drawn) == numbers + numbers_used - sum(self.missing))
        written = int((self.state.number[SEAT] > 0).sum()) + sum(self.starts.values())
        self.cp.add(sum(self.finished) <= written + sum(self.uses))

    def _finished_by(self, moment: int, island: int) -> Literal:
        """A literal that is true only if an island is finished at a moment: finished, and nothing added since."""
        early = self._literal(f"finished {island} by {moment}")
        self.cp.add_implication(early, self.finished[island])
        for option in self.numbers[island]:
            if option.since > moment:
                self.cp.add_implication(early, ~option.literal)
        for (turn, line, _), drawn in self.drawn.items():
            if turn >= moment and line in self.touching[island]:
                self.cp.add_implication(early, ~drawn)
        return early

    # Races

    def _pay(self, bonus: Bonus) -> Sum:
        """RED_FLAGS, BLUE_FLAGS, SIX_CONNECTED: in full up to a card, then less."""
        full_pay, late_pay = FULL_PAY[bonus], LATE_PAY[bonus]
        won_in = int(self.state.won_in[SEAT, bonus])
        if won_in:
            return full_pay if won_in <= SOLO_LIMIT[bonus] else late_pay
        deadline = sum(turn.round_number <= SOLO_LIMIT[bonus] for turn in self.turns)
        won = self._literal(f"{bonus.name} won")
        in_full = self._literal(f"{bonus.name} in full") if deadline else self.no
        self.cp.add_implication(in_full, won)
        if bonus == Bonus.SIX_CONNECTED:
            self._connect_six(won, in_full, deadline)
        else:
            flag = Flag.RED if bonus == Bonus.RED_FLAGS else Flag.BLUE
            for island in range(ISLANDS):
                if self.flags[island] == flag:
                    self.cp.add_implication(won, self.finished[island])
                    self.cp.add_implication(in_full, self._finished_by(deadline, island))
        return late_pay * won + (full_pay - late_pay) * in_full

    def _connect_six(self, won: Literal, in_full: Literal, deadline: int) -> None:
        """A tree of exactly six finished islands; every larger group contains one.

        What is finished by the deadline gets no bridges later, so only the islands need to be in time.
        """
        member = [self._literal(f"member {island}") for island in range(ISLANDS)]
        root = [self._literal(f"root {island}") for island in range(ISLANDS)]
        # From its middle, no tree of six is more than three deep.
        depth = [self.cp.new_int_var(0, CONNECTED // 2, f"depth {island}") for island in range(ISLANDS)]
        parents: list[list[Literal]] = [[] for _ in range(ISLANDS)]
        for line, (first, second) in enumerate(self.ends):
            for parent, child in ((first, second), (second, first)):
                branch = self._literal(f"branch {parent} {child}")
                self.cp.add_implication(branch, member[parent])
                self.cp.add_implication(branch, self.built[self.end, line, 0])
                self.cp.add(depth[child] == depth[parent] + 1).only_enforce_if(branch)
                parents[child].append(branch)
        self.cp.add(sum(member) == CONNECTED * won)
        self.cp.add(sum(root) == won)
        for island in range(ISLANDS):
            self.cp.add(sum(parents[island]) + root[island] == member[island])
            self.cp.add_implication(member[island], self.finished[island])
            self.cp.add_bool_or(~member[island], ~in_full, self._finished_by(deadline, island))

    def _literal(self, name: str) -> Literal:
        return self.cp.new_bool_var(name)
