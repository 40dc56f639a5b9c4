"""What a page draws of Hashi.

Islands, lines and races are known by their index in the scene. `place` is their text in the notation, so
`write 21 5` is the island with the place `21`, and `bridge 21-25` the line with the place `21-25`.
"""

from functools import lru_cache
from typing import Annotated, Any

import msgspec

from threespan.core.game import Material
from threespan.core.kernel import bits_of, count_bits, entry, kernel
from threespan.core.layout import State, States
from threespan.core.memory import array_of, array_type, int64
from threespan.core.rules import MAX_SEATS
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.notation import card_text
from threespan.games.hashi.referee import looks_finished
from threespan.games.hashi.scoring import (
    CONNECTED,
    FULL_PAY,
    LATE_PAY,
    POINTS_PER_ISLAND,
    SOLO_LIMIT,
    finished_group,
    pay,
    score,
)
from threespan.games.hashi.state import (
    BONUSES,
    CARD_KINDS,
    GRID,
    ISLANDS,
    LAYOUT,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    MAX_ON_LINE,
    NONE,
    ROUNDS,
    THIS_ROUND,
    Bonus,
    Flag,
    Pen,
    Phase,
    SeatStep,
)


class Island(msgspec.Struct, frozen=True):
    """An island."""

    place: str  # "21": row 2, column 1
    row: int  # from 0, from the top
    column: int  # from 0, from the left
    flag: str | None  # "red" or "blue"


class Line(msgspec.Struct, frozen=True):
    """A dotted line."""

    place: str  # "21-25"
    islands: list[int]  # the two that it joins
    crosses: list[int]  # lines


class Card(msgspec.Struct, frozen=True):
    """A card."""

    text: str  # "5/3"
    number: int
    bridges: int


class Race(msgspec.Struct, frozen=True):
    """One of the three races."""

    rule: str  # the clause: "RED_FLAGS", "BLUE_FLAGS" or "SIX_CONNECTED"
    full: int  # what it pays the first
    late: int  # what it pays the others
    solo_limit: int  # until which round it pays a solo player in full
    islands: int  # how many finished islands it asks for


class Scene(msgspec.Struct, frozen=True):
    """What never changes in a match."""

    players: int
    pen: str  # "strict" or "free"
    rows: int
    columns: int
    islands: list[Island]
    lines: list[Line]
    cards: list[Card]  # the whole deck, sorted
    rounds: int
    races: list[Race]
    points_per_island: int  # for each finished one, after the last round


class Start(msgspec.Struct, frozen=True):
    """A start number before the boards are passed on."""

    island: int
    number: int


class StruckIsland(msgspec.Struct, frozen=True):
    """An island that is struck out for a mistake."""

    island: int
    rule: str  # the clause that the mistake broke


class Board(msgspec.Struct, frozen=True):
    """The board of a seat.

    With the free pen it shows what everybody sees: mistakes only where islands are struck out for them.
    """

    step: str  # "start", "write", "bridge" or "done"
    start: Start | None  # what this seat has written for its left neighbour, if the viewer may know
    numbers: list[int]  # on each island, 0 for none
    bridges: list[int]  # on each line
    finished: list[int]  # islands; with the free pen all that look finished
    closed: list[int]  # lines that take no further bridge; with the free pen only those with two
    written: int | None  # the island written on in this round
    drawn: list[int]  # the lines built on in this round, twice for two bridges; with the free pen in the order drawn
    bridges_left: int  # bridges of the card still to draw in this round
    won_in: list[int]  # round in which each race was complete, 0 for not yet
    pays: list[int]  # what each race has paid, or pays if it is complete at the end of this round
    progress: list[int]  # of the islands that each race asks for, how many there are
    struck: list[StruckIsland]


class View(msgspec.Struct, frozen=True):
    """What changes."""

    phase: str  # "start", "card", "round" or "over"
    round: int  # 0 before the first card
    card: Card | None  # the last one that was turned up
    pile: list[str]  # cards that were not, sorted; what else is in the deck is crossed off
    boards: list[Board]  # by seat


_read = LAYOUT.reader(
    "players",
    "pen",
    "phase",
    "round_number",
    "card_number",
    "card_bridges",
    "pile",
    "lines",
    "step",
    "start",
    "number",
    "bridges",
    "closed",
    "written",
    "drawn",
    "bridges_left",
    "won_in",
    "marks",
    "erased",
    "struck",
)
_FREE = int(Pen.FREE)  # a plain number is compared much faster
_PHASES = [phase.name.lower() for phase in Phase]
_STEPS = [step.name.lower() for step in SeatStep]
_FLAGS = {Flag.NO: None, Flag.RED: "red", Flag.BLUE: "blue"}
_CARDS = [
    Card(card_text(kind), kind // MAX_CARD_BRIDGES + 1, kind % MAX_CARD_BRIDGES + 1) for kind in range(CARD_KINDS)
]


def scene_of(state: State, material: Material) -> Scene:
    """The board and the deck."""
    places = state.place.tolist()
    cards = {card.text: card for card in _CARDS}
    return Scene(
        players=int(state.players),
        pen=Pen(state.pen).name.lower(),
        rows=max(place // GRID for place in places) + 1,
        columns=max(place % GRID for place in places) + 1,
        islands=[
            Island(f"{place:02}", place // GRID, place % GRID, _FLAGS[flag])
            for place, flag in zip(places, state.flag.tolist(), strict=True)
        ],
        lines=[_line(state, line) for line in range(state.lines)],
        cards=[cards[text] for text in sorted(material["cards"])],
        rounds=ROUNDS,
        races=[
            Race(bonus.name, FULL_PAY[bonus], LATE_PAY[bonus], SOLO_LIMIT[bonus], islands_asked_for(state, bonus))
            for bonus in Bonus
        ],
        points_per_island=POINTS_PER_ISLAND,
    )


def _line(state: State, line: int) -> Line:
    ends = [int(state.line_from[line]), int(state.line_to[line])]
    place = "-".join(f"{state.place[island]:02}" for island in ends)
    return Line(place, ends, _indices(int(state.crossing[line])))


def islands_asked_for(state: State, bonus: Bonus) -> int:
    """How many finished islands a race asks for."""
    if bonus is Bonus.SIX_CONNECTED:
        return CONNECTED
    return int(state.flagged[Flag.RED if bonus is Bonus.RED_FLAGS else Flag.BLUE]).bit_count()


def view_of(state: State) -> View:
    """The card, the pile and the boards."""
    values = _read(state)
    races = array_of(_RACES)
    finished = array_of(_BY_SEAT)
    count_races(LAYOUT.array_of(state), races, finished)
    pays, progress = races.tolist()
    masks = finished.tolist()
    kind = (values.card_number - 1) * MAX_CARD_BRIDGES + values.card_bridges - 1
    return View(
        phase=_PHASES[values.phase],
        round=values.round_number,
        card=_CARDS[kind] if values.card_number else None,
        pile=_pile(tuple(values.pile.tolist())),
        boards=[_board(values, seat, pays[seat], progress[seat], masks[seat]) for seat in range(values.players)],
    )


def _board(values: Any, seat: int, pays: list[int], progress: list[int], finished: int) -> Board:
    start = values.start.item(seat)
    written, drawn = _marks_of_round(values, seat)
    bridges = values.bridges[seat].tolist()[: values.lines]
    is_free = values.pen == _FREE
    return Board(
        step=_STEPS[values.step.item(seat)],
        start=None if start == NONE else Start(start // MAX_NUMBER, start % MAX_NUMBER + 1),
        numbers=values.number[seat].tolist(),
        bridges=bridges,
        finished=_indices(finished),
        closed=_full_lines(bridges) if is_free else _indices(values.closed.item(seat)),
        written=written,
        drawn=drawn,
        bridges_left=values.bridges_left.item(seat),
        won_in=values.won_in[seat].tolist(),
        pays=pays,
        progress=progress,
        struck=_struck_islands(values.struck[seat].tolist()) if is_free else [],
    )


def _full_lines(bridges: list[int]) -> list[int]:
    return [line for line, count in enumerate(bridges) if count == MAX_ON_LINE]


def _struck_islands(clauses: list[int]) -> list[StruckIsland]:
    return [StruckIsland(island, Rule(clause).name) for island, clause in enumerate(clauses) if clause]


def _marks_of_round(values: Any, seat: int) -> tuple[int | None, list[int]]:
    """The island written on in this round, and the lines built on."""
    if values.pen != _FREE:
        written, drawn = values.written.item(seat), values.drawn[seat].tolist()
        return None if written == NONE else written, [line for line in drawn if line != NONE]
    erased = values.erased.item(seat)
    marks = [0 if erased >> at & 1 else mark for at, mark in enumerate(values.marks[seat].tolist())]
    number, *bridges = marks[THIS_ROUND:]
    return number - 1 if number else None, [mark - ISLANDS - 1 for mark in bridges if mark]


@lru_cache(4096)
def _pile(counts: tuple[int, ...]) -> list[str]:
    """The cards of a pile, to be read only: it is the same for a whole round."""
    return [card.text for card, count in zip(_CARDS, counts, strict=True) for _ in range(count)]


@lru_cache(4096)
def _indices(mask: int) -> list[int]:
    """The bits of a mask, to be read only: masks are the same for many views on end."""
    return bits_of(mask)


_RACES = array_type(int64, 2, MAX_SEATS, BONUSES)
_BY_SEAT = array_type(int64, MAX_SEATS)


@kernel
def finished_for_all(state: State, seat: int) -> int:
    """The islands that look finished to everybody, as a mask."""
    return looks_finished(state, seat) if state.pen == Pen.FREE else state.finished[seat]


@entry
def count_races(states: States, races: Annotated[Any, _RACES], finished: Annotated[Any, _BY_SEAT]) -> None:
    """For every seat and race: what it has paid or pays now, and how many of its islands there are.

    Also the islands of every seat that look finished, as masks.
    """
    state, pays, progress = states[0], races[0], races[1]
    soonest = state.round_number + (state.phase == Phase.CARD)
    for seat in range(state.players):
        islands = finished[seat] = finished_for_all(state, seat)
        for bonus in range(BONUSES):
            won_in = state.won_in[seat, bonus]
            pays[seat, bonus] = pay(state, bonus, won_in if won_in != 0 else soonest)
        progress[seat, Bonus.RED_FLAGS] = count_bits(islands & state.flagged[Flag.RED])
        progress[seat, Bonus.BLUE_FLAGS] = count_bits(islands & state.flagged[Flag.BLUE])
        while islands != 0:
            group = finished_group(state, seat, islands)
            progress[seat, Bonus.SIX_CONNECTED] = max(progress[seat, Bonus.SIX_CONNECTED], count_bits(group))
            islands &= ~group


def scores_so_far(state: State, players: int) -> list[int]:
    """The points of each seat, with those for finished islands even before the last round."""
    scores = array_of(_BY_SEAT)
    count_scores(LAYOUT.array_of(state), scores)
    counted: list[int] = scores.tolist()
    return counted[:players]


@entry
def count_scores(states: States, scores: Annotated[Any, _BY_SEAT]) -> None:
    """Write the points of every seat so far."""
    state = states[0]
    for seat in range(state.players):
        scores[seat] = score(state, seat)
        if state.phase != Phase.OVER:
            scores[seat] += POINTS_PER_ISLAND * count_bits(finished_for_all(state, seat))
