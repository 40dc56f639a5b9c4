"""Racks and bag stay hidden, handed tiles stay known as far as they are certain, and imagination is uniform."""

from collections import Counter
from itertools import combinations
from typing import Any

import numba
import pytest

from elfer.drawing import EMPTY, REST, drawn, play, rack
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.core.rules import CHANCE, WATCHER
from threespan.games.elfer.game import GAME
from threespan.games.elfer.state import Phase

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)

START = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
red     .   .   ?   .   .   .   ?   .   .   .   11  12  13  .   .   .   ?   .   .   .
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""

# Only green 15 to 20 (with one joker) and the yellow and red 17 are not laid.
LATE = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  ?   18  19  20
red     1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  ?   18  19  20
blue    1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
green   1   2   3   4   5   6   7   8   9   10  11  12  13  14  .   .   ?   .   .   .
"""


def handing(*racks: str) -> Position:
    """Seat 0 has laid red 10 and red 9 and may hand on a tile."""
    return play(drawn(START, "red10 red9 " + racks[0], *racks[1:]), "lay red10", "lay red9", "stop")


def test_a_seat_sees_its_rack_the_sizes_and_the_board() -> None:
    position = drawn(START, "red10 green1", "red9 red8 blue2")
    seen = position.observe(0)
    assert rack(seen, 0) == ["red10", "green1"]
    assert rack(seen, 1) == []
    assert seen.state.rack_size.tolist() == [2, 3, 0, 0]
    assert seen.state.bag_size == 80 - 3 - 5
    assert seen.state.bag.sum() == 80 - 3 - 2  # all tiles that the seat does not see
    assert rack(position.observe(WATCHER), 0) == []


def test_racks_that_differ_look_the_same_from_outside() -> None:
    one, two = drawn(START, "red10 green1", "red9 red8"), drawn(START, "red10 green1", "joker3 joker3")
    assert one.observe(0).state.tobytes() == two.observe(0).state.tobytes()
    assert one.observe(1).state.tobytes() != two.observe(1).state.tobytes()


def test_a_tile_drawn_because_nothing_fits_stays_hidden() -> None:
    before = play(drawn(START, "red9 green1", "red14"), "draw")
    views = {play(before.copy(), f"draw {tile}").observe(1).state.tobytes() for tile in ("green2", "blue11", "joker3")}
    assert len(views) == 1
    assert not GAME.sees(before.state, CHANCE, GAME.parse_action(before.state, "draw green2"), 1)
    assert GAME.sees(before.state, CHANCE, GAME.parse_action(before.state, "draw green2"), 0)


def test_a_bonus_tile_is_drawn_openly() -> None:
    position = play(drawn(START.replace("13", "? "), "joker13 green1", "red14"), "lay joker13 red")
    action = GAME.parse_action(position.state, "draw green2")
    assert all(GAME.sees(position.state, CHANCE, action, viewer) for viewer in (WATCHER, 0, 1))
    position.play(CHANCE, action)
    assert position.observe(1).state.bonus_tile == position.state.bonus_tile != -1


def test_a_handed_tile_is_known_until_it_is_laid() -> None:
    position = handing("green1 red14 blue5", "red8 green2", "blue1 blue2")
    action = GAME.parse_action(position.state, "hand red14")
    assert [GAME.sees(position.state, 0, action, viewer) for viewer in (WATCHER, 0, 1, 2)] == [False, True, True, False]
    play(position, "hand red14")
    assert rack(position.observe(0), 1) == ["red14"]
    assert rack(position.observe(2), 1) == []
    assert all("red14" in rack(position.observe(0).imagine(0, seed), 1) for seed in range(20))
    play(position, "lay red8")
    assert rack(position.observe(0), 1) == ["red14"]
    play(position, "lay red14")
    assert rack(position.observe(0), 1) == []


def test_the_receiver_knows_what_the_giver_knows() -> None:
    position = play(handing("green1 red14 blue5", "red8 green2", "blue1 blue2"), "hand red14")
    assert position.observe(1).state.handed[0].any()
    assert not position.observe(2).state.handed[0].any()
    assert not position.observe(WATCHER).state.handed[0].any()


def test_a_joker_like_the_handed_one_may_be_the_handed_one() -> None:
    position = play(handing("green1 joker13", "joker13 joker13 red8 green2", "blue1"), "hand joker13")
    assert rack(position.observe(0), 1) == ["joker13"]
    play(position, "lay joker13 yellow")
    assert rack(position, 1).count("joker13") == 2
    assert rack(position.observe(0), 1) == []


def test_a_tile_that_goes_on_makes_all_handed_ones_uncertain() -> None:
    position = play(handing("green1 green2 blue5", "red8 joker7 red1 red2 blue6", "blue1 blue2"), "hand green1")
    views = []
    for tile in ("green1", "red1"):
        branch = play(position.copy(), "lay red8", "lay joker7 red", "stop", f"hand {tile}")
        assert rack(branch.observe(0), 1) == []
        views.append(branch.observe(0).state.tobytes())
        assert rack(branch.observe(1), 2) == [tile]
    assert views[0] == views[1]


def test_with_two_players_the_giver_sees_what_comes_back() -> None:
    position = play(handing("green1 green2 blue5", "red8 joker7 red1 red2"), "hand green1")
    other = play(position.copy(), "lay red8", "lay joker7 red", "stop", "hand red1")
    assert rack(other.observe(0), 1) == ["green1"]
    assert rack(other.observe(1), 0) == ["red1"]
    back = play(position.copy(), "lay red8", "lay joker7 red", "stop", "hand green1")
    assert rack(back.observe(0), 1) == []


def test_a_new_round_forgets_what_was_handed() -> None:
    position = drawn(START, "red10 red9 green1", "red8", rounds=2)
    play(position, "lay red10", "lay red9", "stop", "hand green1")
    assert position.state.round_number == 2
    assert not position.state.handed.any()


def test_racks_are_shown_when_the_match_is_over() -> None:
    position = play(drawn(START, "red10", "red9 joker3"), "lay red10")
    assert rack(position.observe(0), 1) == ["red9", "joker3"]


def chi_square(counts: Counter[tuple[str, ...]], expected: dict[tuple[str, ...], float]) -> float:
    total = sum(counts.values())
    return sum((counts[key] - total * share) ** 2 / (total * share) for key, share in expected.items())


@pytest.mark.skipif(UNCOMPILED, reason="thousands of deals")
def test_imagined_racks_are_uniform_over_single_tiles() -> None:
    """Seven unseen tiles, three of them alike: all 35 choices of three tiles for the rack are equally likely."""
    position = drawn(LATE, "green15", "green16 joker17 green18", bag=REST)
    unseen = ["green16", "joker17", "joker17", "joker17", "green18", "green19", "green20"]
    seen = position.observe(0)
    assert seen.state.bag.sum() == len(unseen)
    expected: dict[tuple[str, ...], float] = {}
    hands = list(combinations(unseen, 3))
    for hand in hands:
        expected[tuple(sorted(hand))] = expected.get(tuple(sorted(hand)), 0) + 1 / len(hands)
    counts = Counter(tuple(sorted(rack(seen.imagine(0, seed), 1))) for seed in range(6000))
    assert set(counts) == set(expected)
    freedom = len(expected) - 1
    assert chi_square(counts, expected) < freedom + 4 * (2 * freedom) ** 0.5  # four standard deviations


@pytest.mark.skipif(UNCOMPILED, reason="thousands of deals")
def test_imagination_keeps_known_tiles_and_is_uniform_in_the_rest() -> None:
    position = drawn(LATE, "green15", "green16 joker17 green18", bag=REST)
    position.state.handed[0] = position.state.rack[1] * [kind == kind_of("green18") for kind in range(72)]
    seen = position.observe(0)
    assert rack(seen, 1) == ["green18"]
    unseen = ["green16", "joker17", "joker17", "joker17", "green19", "green20"]
    hands = [tuple(sorted(("green18", *pair))) for pair in combinations(unseen, 2)]
    expected = {hand: hands.count(hand) / len(hands) for hand in hands}
    counts = Counter(tuple(sorted(rack(seen.imagine(0, seed), 1))) for seed in range(4000))
    assert set(counts) == set(expected)
    freedom = len(expected) - 1
    assert chi_square(counts, expected) < freedom + 4 * (2 * freedom) ** 0.5


def kind_of(tile: str) -> int:
    state = GAME.start(read_options(GAME.options, {})).state
    return GAME.parse_action(state, f"hand {tile}") - GAME.parse_action(state, "hand yellow1")


def dealt(given: dict[int, list[str]], players: int = 3, **options: Any) -> Position:
    """The moment after dealing, seat 0 first; only the given 11s are on racks."""
    tiles = [f"{c}{n}" for c in ("yellow", "red", "blue", "green") for n in range(1, 21) if n not in (3, 7, 11, 13, 17)]
    tiles += ["joker3"] * 4
    for tile in {tile for hand in given.values() for tile in hand}.intersection(tiles):
        tiles.remove(tile)
    position = GAME.start(read_options(GAME.options, {"players": players, "starts": 0} | options))
    size = 15 if players == 4 else 20
    for seat in range(players):
        hand = given.get(seat, [])
        hand = hand + [tiles.pop() for _ in range(size - len(hand))]
        for tile in hand:
            play(position, f"draw {tile}")
    return position


def elevens_on(position: Position, seat: int) -> list[str]:
    return [tile for tile in rack(position, seat) if tile.endswith("11")]


def test_whoever_opens_is_imagined_with_an_eleven_and_nobody_before_with_one() -> None:
    position = dealt({1: ["red11"], 2: ["blue11"]})
    assert (position.state.phase, position.state.turn) == (Phase.OPEN, 1)
    found = set()
    for seed in range(5 if UNCOMPILED else 300):
        imagined = position.observe(2).imagine(2, seed)
        assert not elevens_on(imagined, 0)
        assert elevens_on(imagined, 1)
        found.add(tuple(elevens_on(imagined, 1)))
        own = position.observe(1).imagine(1, seed)
        assert not elevens_on(own, 0)
    assert UNCOMPILED or len(found) == 7  # every choice of the three unseen 11s but none


def test_nobody_is_imagined_with_an_eleven_while_all_search_for_one() -> None:
    position = dealt({}, players=4)
    assert position.state.phase == Phase.SEARCH
    for seed in range(5 if UNCOMPILED else 100):
        for seat in (WATCHER, 0, 3):
            imagined = position.observe(seat).imagine(seat, seed)
            assert not any(elevens_on(imagined, other) for other in range(4))
    play(position, "draw joker7", "draw green11")
    openers: Counter[str] = Counter()
    for seed in range(5 if UNCOMPILED else 400):
        imagined = position.observe(0).imagine(0, seed)
        assert imagined.observe(0).state.tobytes() == position.observe(0).state.tobytes()
        assert not any(elevens_on(imagined, other) for other in (2, 3))
        (eleven,) = elevens_on(imagined, 1)
        openers[eleven] += 1
        assert not any(elevens_on(position.observe(1).imagine(1, seed), other) for other in (0, 2, 3))
    assert UNCOMPILED or min(openers.values()) > 60


def test_imagination_during_the_deal() -> None:
    position = play(drawn(EMPTY, "red11", "", phase=Phase.DEAL), "draw red12")
    imagined = position.observe(1).imagine(1, 3)
    assert len(rack(imagined, 0)) == 2
    assert imagined.state.bag.sum() == imagined.state.bag_size == 78
