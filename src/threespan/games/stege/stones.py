"""Stones: where they are, where they can walk, and how far they have to go."""

from threespan.core.kernel import entry, kernel
from threespan.core.layout import State
from threespan.games.stege.fields import beside, flip, has, walk_ends
from threespan.games.stege.sets import Fields, is_empty, load, single
from threespan.games.stege.state import BOTTOM_RIGHT, CORNERS, HOME, ISLAND, NONE, PIPS, STONES, TOP_RIGHT, WIDTH


@entry
def target(state: State, seat: int) -> int:
    """OWN_ISLAND: the corner diagonally opposite."""
    return (state.corner[seat] + CORNERS // 2) % CORNERS  # type: ignore[no-any-return]


@entry
def is_on_island(state: State, field: int) -> bool:
    """Whether a field belongs to any island."""
    for corner in range(CORNERS):
        if has(state.island[corner], field):
            return True
    return False


@kernel
def origin_of(state: State, seat: int, spot: int) -> Fields:
    """Where a stone's walk begins: its field, or anywhere on its start island."""
    return load(state.island[state.corner[seat]]) if spot == ISLAND else single(spot)


@kernel
def steps_to(planks: Fields, origin: Fields, goal: Fields, pips: int) -> int:
    """The largest number of steps, up to `pips`, of a walk to `goal` that may go back and forth; else NONE."""
    steps = NONE
    here = origin
    for step in range(1, pips + 1):
        near = beside(here)
        if not is_empty(near & goal):
            steps = step
        here = near & planks
    return steps


@kernel
def stone_ends(state: State, seat: int, spot: int) -> tuple[Fields, bool]:
    """The fields on which a stone that stands on `spot` may end its walk, and whether it may come home."""
    ends, before = walk_ends(load(state.planks), origin_of(state, seat, spot), state.die)
    others = load(state.occupied)
    if spot != ISLAND:
        others = others & ~single(spot)
    comes_home = not is_empty(before & load(state.shore[target(state, seat)]))
    return ends & ~others, comes_home


@entry
def can_move(state: State, seat: int) -> bool:
    """Whether any stone has a full move."""
    for stone in range(STONES):
        spot = state.stone[seat, stone]
        if spot != HOME:
            ends, comes_home = stone_ends(state, seat, spot)
            if comes_home or not is_empty(ends):
                return True
    return False


@kernel
def is_at_the_door(state: State, seat: int) -> bool:
    """NOT_AT_THE_DOOR: whether six steps or fewer bring a stone home, as the jetties lie, or it stands beside it."""
    planks = load(state.planks)
    near = load(state.shore[target(state, seat)]) & planks
    if is_empty(near):
        return False
    if not state.door_is_beside:
        for _ in range(PIPS - 1):
            near = near | beside(near) & planks
    for stone in range(STONES):
        spot = state.stone[seat, stone]
        if spot != HOME and spot != ISLAND and not is_empty(single(spot) & near):
            return True
    return False


@kernel
def distance(state: State, seat: int, spot: int) -> int:
    """The steps from a spot onto the target island over open water, as if there were a jetty everywhere."""
    if spot == HOME:
        return 0
    far = state.board_size - state.island_size  # the first row or column of an island at the far side
    if spot == ISLAND:
        return 2 * (far - state.island_size + 1)  # type: ignore[no-any-return]
    row, column = spot // WIDTH, spot % WIDTH
    corner = target(state, seat)
    is_at_bottom, is_at_right = corner >= BOTTOM_RIGHT, corner in (TOP_RIGHT, BOTTOM_RIGHT)
    rows = far - row if is_at_bottom else row - state.island_size + 1
    columns = far - column if is_at_right else column - state.island_size + 1
    return max(rows, 0) + max(columns, 0)  # type: ignore[no-any-return]


@kernel
def move_stone(state: State, seat: int, stone: int, end: int) -> None:
    """Put a stone on the end of its walk."""
    spot = state.stone[seat, stone]
    if spot != ISLAND:
        flip(state.occupied, spot)
    if end != HOME:
        flip(state.occupied, end)
    state.stone[seat, stone] = end


@entry
def stones_home(state: State, seat: int) -> int:
    """How many stones of a seat are home."""
    count = 0
    for stone in range(STONES):
        count += state.stone[seat, stone] == HOME
    return count


@kernel
def distance_left(state: State, seat: int) -> int:
    """The distances of all stones of a seat together."""
    total = 0
    for stone in range(STONES):
        total += distance(state, seat, state.stone[seat, stone])
    return total
