"""Mistakes of the free pen in plain words: what the referee finds on a board, and what it has cost by the end."""

from typing import Annotated, Any

from threespan.core.game import Cost, Fault
from threespan.core.kernel import bits_of, entry, kernel, lowest_bit
from threespan.core.layout import State, States
from threespan.core.memory import array_of, array_type, int64
from threespan.core.rules import MAX_SEATS
from threespan.core.words import Language, load_words
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.material import FOLDER
from threespan.games.hashi.pen import can_erase, find_mistake
from threespan.games.hashi.referee import complete_islands, struck_out
from threespan.games.hashi.scoring import POINTS_PER_ISLAND, pay, race_islands
from threespan.games.hashi.speech import place_name, way_name
from threespan.games.hashi.state import BONUSES, ISLANDS, JUDGED, LAYOUT, MARKS, ROUNDS, Bonus, Phase

WORDS = load_words(FOLDER)

_CLAUSES = len(Rule)
_ISLANDS, _POINTS, _RACES = range(3)  # what is counted of a clause
_COSTS = array_type(int64, MAX_SEATS, _CLAUSES, 3)


# On a board


def faults(state: State, seat: int, language: Language) -> list[Fault]:
    """All mistakes on a seat's own board that are not yet struck out, in the order drawn."""
    values = LAYOUT.read(state)
    is_acting = values.phase == Phase.ROUND and values.waiting >> seat & 1
    found = []
    for at in range(MARKS):
        if broken := values.verdicts[seat].item(at):
            mark, rule = values.marks[seat].item(at), JUDGED[bits_of(broken)[0]]
            can_go = is_acting and find_mistake_of(state, seat, mark) == at and may_erase(state, seat, at)
            found.append(_fault(values, seat, mark, rule, bool(can_go), language))
    return found


@entry
def find_mistake_of(state: State, seat: int, mark: int) -> int:
    """The place of the mistake that erasing a mark would take back, or NONE."""
    return find_mistake(state, seat, mark)


@entry
def may_erase(state: State, seat: int, at: int) -> bool:
    """Whether nothing depends on the mistake at a place."""
    return can_erase(state, seat, at)


def _fault(values: Any, seat: int, mark: int, rule: Rule, can_go: bool, language: Language) -> Fault:
    clause = WORDS.text(f"clauses.{rule.name}.title", language)
    if mark <= ISLANDS:
        place = values.place.item(mark - 1)
        spot, ends = f"{place:02}", []
        number = values.number[seat].item(mark - 1)
        text = WORDS.text("fault.number", language, number=number, place=place_name(place, language), clause=clause)
    else:
        line = mark - ISLANDS - 1
        ends = [f"{values.place.item(islands.item(line)):02}" for islands in (values.line_from, values.line_to)]
        spot = "-".join(ends)
        text = WORDS.text("fault.bridge", language, way=way_name(spot, language), clause=clause)
    return Fault(rule, text, [spot, *ends], f"erase {spot}" if can_go else "")


# After the match


def costs(state: State, seat: int, language: Language) -> list[Cost]:
    """What the mistakes of a seat have cost it, clause by clause."""
    if state.phase != Phase.OVER:
        return []
    counts = array_of(_COSTS)
    count_costs(LAYOUT.array_of(state), counts)
    found = []
    for rule in JUDGED:
        islands, points, races = counts[seat, rule].tolist()
        if islands:
            values = {"clause": WORDS.text(f"clauses.{rule.name}.title", language), "count": islands}
            missed = [WORDS.text(f"clauses.{bonus.name}.title", language) for bonus in Bonus if races >> bonus & 1]
            key = "cost.races" if missed else "cost.islands"
            found.append(Cost(rule, WORDS.text(key, language, races=", ".join(missed), **values), points))
    return found


@kernel
def complete_without_mistakes(state: State, seat: int) -> int:
    """The islands that would have as many bridges as their number says without wrong ones, as a mask."""
    found = 0
    for island in range(ISLANDS):
        wrong = 0
        lines = state.touching[island]
        while lines != 0:
            wrong += state.wrong_bridges[seat, lowest_bit(lines)]
            lines &= lines - 1
        number = state.number[seat, island]
        found |= (number != 0 and number == state.degree[seat, island] - wrong) << island
    return found


@entry
def count_costs(states: States, costs: Annotated[Any, _COSTS]) -> None:
    """For every seat and clause: the islands struck out for it, the points lost with them, and the races missed.

    An island costs its points if it has as many bridges as its number says, or would have without wrong ones. A race is
    missed if it would be complete with such islands; it costs what it would have paid in the last round, on the account
    of the first of them.
    """
    state = states[0]
    for seat in range(state.players):
        complete = complete_islands(state, seat) | complete_without_mistakes(state, seat)
        for island in range(ISLANDS):
            clause = state.struck[seat, island]
            if clause != 0:
                costs[seat, clause, _ISLANDS] += 1
                costs[seat, clause, _POINTS] += POINTS_PER_ISLAND * (complete >> island & 1)
        for bonus in range(BONUSES):
            missed = race_islands(state, seat, bonus, complete) & struck_out(state, seat)
            if state.won_in[seat, bonus] == 0 and missed != 0:
                clause = state.struck[seat, lowest_bit(missed)]
                costs[seat, clause, _POINTS] += pay(state, bonus, ROUNDS)
                costs[seat, clause, _RACES] |= 1 << bonus
