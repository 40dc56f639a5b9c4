"""What others do in a round stays hidden until it ends, and imagination covers all of it evenly."""

from collections import Counter

import pytest

from asking import play
from hashi.drawing import drawn
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.games.hashi.game import GAME
from threespan.games.hashi.state import SeatStep

SMALL = """
    0     1     2     3     4     5
0       R( )         (3)   [1]
                            │
1  [1]              B[2]═══[3] R( )
    │
2       B( )                    (1)

3  [1]                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


def turns(position: Position, seat: int) -> dict[bytes, bool]:
    """Every state a seat can reach within this round by plain play, and whether its turn is then over."""
    found: dict[bytes, bool] = {}
    open_ = [position.copy()]
    while open_:
        here = open_.pop()
        key = here.state.tobytes()
        if key in found:
            continue
        found[key] = here.state.step[seat] == SeatStep.DONE
        for action in here.legal(seat):
            there = here.copy()
            there.play(seat, action)
            open_.append(there)
    return found


def chi_square(counts: Counter[bytes], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((count - expected) ** 2 / expected for count in counts.values()) + (kinds - len(counts)) * expected


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("card", ["1/1", "2/2", "4/3"])
def test_every_way_a_seat_can_have_played_is_imagined_equally_often(card: str, done: bool) -> None:
    position = drawn(SMALL, card=card, players=2)
    ways = {key for key, is_done in turns(position, 0).items() if is_done == done}
    if done:
        play(position, "skip", "skip", seat=0)
    seen = position.observe(1)
    samples = 60 * len(ways)
    counts = Counter(seen.imagine(1, seed).state.tobytes() for seed in range(samples))
    assert set(counts) == ways
    freedom = len(ways) - 1
    assert chi_square(counts, len(ways)) < freedom + 5 * (2 * freedom) ** 0.5 + 10


def test_start_numbers_are_imagined_equally_often() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 2}))
    play(position, "write 03 3", seat=0)
    seen = position.observe(1)
    assert seen.state.start[0] == -1
    counts = Counter(seen.imagine(1, seed).state.tobytes() for seed in range(22 * 100))
    assert len(counts) == 22
    assert chi_square(counts, 22) < 21 + 5 * 42**0.5 + 10


def test_what_others_do_is_seen_when_the_round_ends() -> None:
    position = drawn(SMALL, card="2/1", players=2)
    before = position.observe(1).state.tobytes()
    play(position, "write 45 2", seat=0)
    assert position.observe(1).state.tobytes() == before
    play(position, "bridge 25-45", seat=0)
    hidden = position.observe(1)
    assert hidden.acting() == [1]  # that a seat has finished may be seen
    assert hidden.state.number[0].tolist() == drawn(SMALL, players=2).state.number[0].tolist()
    play(position, "skip", "skip", seat=1)
    assert position.observe(1).state.tobytes() == position.state.tobytes()


def test_a_watcher_sees_nobodys_unfinished_round() -> None:
    position = drawn(SMALL, card="2/1", players=2)
    before = position.observe(-1).state.tobytes()
    play(position, "write 45 2", seat=0)
    play(position, "write 14 2" if position.state.number[1].any() else "write 45 2", seat=1)
    assert position.observe(-1).state.tobytes() == before


def test_the_order_of_bridges_leaves_no_trace() -> None:
    one, other = (drawn(SMALL.replace("(1)", "(5)"), card="2/2", players=2) for _ in range(2))
    play(one, "skip", "bridge 15-25", "bridge 25-45")
    play(other, "skip", "bridge 25-45", "bridge 15-25")
    assert one.state.tobytes() == other.state.tobytes()
