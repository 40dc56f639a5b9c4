"""One drawn position a clause where it bites, and the nearest one where it does not."""

import pytest

from elfer.drawing import EMPTY, REST, ask, chance_acts, drawn, play, rack, texts
from threespan.core.game import IllegalAction
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.elfer.game import GAME
from threespan.games.elfer.rules import Rule
from threespan.games.elfer.state import Phase

pytestmark = pytest.mark.kernels

# The red 11 lies, and right of it a joker.
START = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
red     .   .   ?   .   .   .   ?   .   .   .   11  12  13  .   .   .   ?   .   .   .
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""

# The red 11 and 12 lie; nothing lies at any bonus bridge.
TWELVE = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
                │                   │           :       ◆                   │       :
red     .   .   ?   .   .   .   ?   .   .   .   11  12  ?   .   .   .   ?   .   .   .
        :                   ◆                   :               ◆                   :
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
                │                   ◆           :       │                   │       :
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""

# Both ends of the red row; yellow 18 lies, with a bridge to red 18; blue 15 lies, with a bonus bridge to red 15.
WIDE = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   18  .   .
                │                   │           :       ◆                   │       :
red     1   .   ?   .   .   .   ?   .   .   .   11  .   ?   .   .   .   ?   .   .   20
        :                   ◆                   :               │                   :
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   15  .   ?   .   .   .
                │                   ◆           :       │                   │       :
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""

# The red 1 lies, so a triangle fits beside it but not beside the 20.
SYMBOLS = """
          1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .  .
red    .  1   .   ?   .   .   .   ?   .   .   .   11  .   ?   .   .   .   ?   .   .   .  .
blue   .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .  .
green  .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .  .
"""


def test_not_now() -> None:
    position = drawn(START, "red10 red14 green1", "red9 green2")
    assert ask(position, "lay red10") is Rule.LEGAL
    assert ask(position, "lay red9", seat=1) is Rule.NOT_NOW  # not its turn
    assert ask(position, "lay red9", seat=3) is Rule.NOT_NOW  # no such seat
    assert ask(position, "keep") is ask(position, "skip") is Rule.NOT_NOW
    assert ask(position, "draw red9") is ask(position, "start 1") is Rule.NOT_NOW  # only chance does that
    assert ask(position, "draw green5", seat=CHANCE) is Rule.NOT_NOW
    play(position, "lay red10")
    assert ask(position, "pass") is Rule.NOT_NOW  # after a tile one stops
    play(position, "stop")
    assert position.acting() == [1]
    handing = play(drawn(START, "red10 red9 green1", "red2"), "lay red10", "lay red9", "stop")
    assert handing.state.phase == Phase.HAND
    for action in ("lay green1", "stop", "draw", "pass", "skip"):
        assert ask(handing, action) is Rule.NOT_NOW
    over = play(drawn(START, "red10", "red9"), "lay red10")
    assert over.is_over
    assert ask(over, "stop", seat=0) is ask(over, "draw red9", seat=CHANCE) is Rule.NOT_NOW


def test_start_eleven() -> None:
    numbers = [n for n in range(1, 21) if n not in (3, 7, 11, 13, 17)]
    greens, yellows = (" ".join(f"{colour}{n}" for n in numbers) for colour in ("green", "yellow"))
    own, other = f"red11 blue11 red10 square blue1 {greens}", f"green11 {yellows} blue2 blue4 blue5 blue6"
    position = drawn(EMPTY, own, other, phase=Phase.OPEN, symbols=True)
    assert texts(position) == ["lay red11", "lay blue11"]
    for action in ("lay red10", "lay square 1", "stop", "draw", "pass", "hand red10"):
        assert ask(position, action) is Rule.START_ELEVEN
    assert ask(position, "lay green11") is Rule.OWN_FIELD  # an 11, but of another rack
    assert ask(position, "keep") is Rule.NOT_NOW
    play(position, "lay red11")
    assert texts(position) == ["lay red10", "lay blue11", "stop"]
    assert position.state.laid_count == 1


def test_the_first_seat_with_an_eleven_opens() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 3, "starts": 1}))
    numbers = [n for n in range(1, 21) if n not in (3, 7, 11, 13, 17)]
    tiles = [f"{colour}{n}" for colour in ("yellow", "red", "blue", "green") for n in numbers]
    dealt = [tiles[:20], [*tiles[20:39], "blue11"], ["red11", *tiles[39:58]]]  # to the seats 1, 2, 0
    for hand in dealt:
        for tile in hand:
            play(position, f"draw {tile}")
    assert [rack(position, seat) for seat in (1, 2, 0)] == [sorted(hand, key=order) for hand in dealt]
    assert position.acting() == [2]
    assert texts(position) == ["lay blue11"]


def order(tile: str) -> tuple[int, int]:
    """The order of coloured tiles on a rack."""
    colour = tile.rstrip("0123456789")
    return ["yellow", "red", "blue", "green"].index(colour), int(tile.removeprefix(colour))


def test_if_nobody_has_an_eleven_all_draw_until_one_comes() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 2, "starts": 1}))
    numbers = [n for n in range(1, 21) if n not in (3, 7, 11, 13, 17)]
    tiles = [f"{colour}{n}" for colour in ("yellow", "red", "blue", "green") for n in numbers]
    for tile in tiles[:40]:
        play(position, f"draw {tile}")
    assert position.state.phase == Phase.SEARCH
    play(position, f"draw {tiles[40]}")
    assert (position.state.turn, position.state.rack_size.tolist()) == (0, [20, 21, 0, 0])
    play(position, "draw joker3", f"draw {tiles[41]}", "draw yellow11")
    assert position.acting() == [0]
    assert position.state.rack_size.tolist() == [22, 22, 0, 0]  # the drawn tiles stay on the racks
    assert texts(position) == ["lay yellow11"]


def test_must_lay() -> None:
    position = drawn(START, "red10 green1", "red9")
    for action in ("stop", "draw", "pass"):
        assert ask(position, action) is Rule.MUST_LAY
    assert texts(position) == ["lay red10"]
    stuck = drawn(START, "red9 green1", "red10")
    assert texts(stuck) == ["draw"]


def test_limit_three() -> None:
    position = drawn(START, "red10 red14 yellow11 blue11 green1", "red9")
    play(position, "lay yellow11", "lay blue11")
    assert ask(position, "lay red10") is Rule.LEGAL
    play(position, "lay red10")
    assert ask(position, "lay red14") is Rule.LIMIT_THREE
    assert ask(position, "lay red9") is Rule.LIMIT_THREE  # before OWN_FIELD
    assert texts(position) == ["stop"]
    play(position, "stop")
    assert position.acting() == [1]


def test_own_field() -> None:
    position = drawn(START, "red10 joker13 joker3", "red14")
    assert ask(position, "lay red10") is Rule.LEGAL
    assert ask(position, "lay red14") is Rule.OWN_FIELD  # on another rack
    assert ask(position, "lay red12") is Rule.OWN_FIELD  # lies already
    assert ask(position, "lay joker13 red") is Rule.OWN_FIELD  # the field is taken
    assert ask(position, "lay joker13 yellow") is Rule.LEGAL  # across the bridge
    assert ask(position, "lay joker7 red") is Rule.OWN_FIELD
    assert ask(position, "lay star 1") is Rule.OWN_FIELD  # no symbols in this match


def test_must_touch_in_a_row() -> None:
    position = drawn(START, "red10 red9 red14 red15", "blue1")
    assert ask(position, "lay red10") is ask(position, "lay red14") is Rule.LEGAL
    assert ask(position, "lay red9") is ask(position, "lay red15") is Rule.MUST_TOUCH
    play(position, "lay red10")
    assert ask(position, "lay red9") is Rule.LEGAL


def test_must_touch_in_connection_areas_and_across_bridges() -> None:
    tiles = "green1 yellow20 blue11 red18 blue18 red15 yellow1 green10 red2 blue14 yellow2"
    position = drawn(WIDE, tiles, "red9")
    for action in ("lay green1", "lay yellow1", "lay yellow20", "lay blue11", "lay red2"):
        assert ask(position, action) is Rule.LEGAL
    assert ask(position, "lay red18") is ask(position, "lay red15") is Rule.LEGAL  # bridges to yellow 18 and blue 15
    assert ask(position, "lay blue14") is Rule.LEGAL
    assert ask(position, "lay blue18") is Rule.MUST_TOUCH  # the bridge at 18 joins yellow and red only
    assert ask(position, "lay yellow2") is Rule.MUST_TOUCH  # the area joins the 1s, not the 2s
    assert ask(position, "lay green10") is Rule.MUST_TOUCH


def test_an_eleven_may_always_be_laid() -> None:
    without = WIDE.replace("11  .", ".   .")
    assert texts(drawn(without, "green11 green10", "red9")) == ["lay green11"]


def test_a_row_ends_at_its_twenty() -> None:
    position = drawn(WIDE, "blue1 blue2 yellow19", REST, bag="joker3")
    assert ask(position, "lay blue2") is Rule.MUST_TOUCH  # red 20 is the field before blue 1, but no neighbour
    assert ask(position, "lay yellow19") is Rule.LEGAL


def test_stop() -> None:
    stuck = drawn(START, "red9 green1", "red10")
    assert ask(stuck, "stop") is Rule.STOP
    position = drawn(START, "red10 red9 green1", "red14")
    assert ask(position, "stop") is Rule.MUST_LAY
    play(position, "lay red10")
    assert texts(position) == ["lay red9", "stop"]
    play(position, "stop")
    assert position.acting() == [1]


def test_bonus_draw() -> None:
    position = play(drawn(START, "yellow11 joker13 red10 red9", "red14"), "lay joker13 yellow")
    assert position.acting() == [0]  # red 13 lies already: no bonus
    position = drawn(WIDE, "red12 red10 joker13 red9", "red14")
    play(position, "lay red12", "lay joker13 red")
    assert chance_acts(position)
    play(position, "draw green16")
    assert texts(position) == ["lay green16"]  # although it touches nothing
    for action in ("lay red10", "stop", "draw", "pass", "hand red10"):
        assert ask(position, action) is Rule.BONUS_DRAW
    assert ask(position, "lay red12") is Rule.OWN_FIELD
    assert ask(position, "skip") is Rule.NOT_NOW
    play(position, "lay green16")
    assert position.state.laid_count == 2  # the bonus tile does not count
    assert texts(position) == ["lay red10", "stop"]


def test_a_bonus_joker_goes_on_any_field_of_its_number() -> None:
    position = play(drawn(TWELVE, "joker13 red14 green2", "red16"), "lay joker13 red", "draw joker7")
    assert texts(position) == [f"lay joker7 {colour}" for colour in ("yellow", "red", "blue", "green")]
    play(position, "lay joker7 green")
    assert texts(position) == ["lay red14", "stop"]


def test_a_bonus_tile_can_bring_the_next_bonus() -> None:
    position = play(drawn(TWELVE, "joker13 green2", "red16"), "lay joker13 red")
    for tile in ("red15", "blue6", "green8"):  # each the first at another bonus bridge
        play(position, f"draw {tile}", f"lay {tile}")
        assert chance_acts(position)
    play(position, "draw blue8", "lay blue8")  # the other end of the bridge at green 8
    assert position.state.laid_count == 1
    assert texts(position) == ["stop"]


def test_no_bonus_from_an_empty_bag_or_with_the_last_tile() -> None:
    position = play(drawn(WIDE, "red12 joker13 red9", REST, bag=""), "lay red12", "lay joker13 red")
    assert position.acting() == [0]
    last = play(drawn(WIDE, "red12 joker13", "red9"), "lay red12", "lay joker13 red")
    assert last.is_over
    assert last.outcome() == ([0, -9], [1, 2])


def test_hand_on() -> None:
    position = drawn(START, "red10 red9 red14 green1", "red16 red15")
    assert ask(position, "hand green1") is Rule.HAND_ON
    play(position, "lay red10", "lay red14")
    assert ask(position, "hand green1") is Rule.HAND_ON
    play(position, "stop")
    assert position.acting() == [1]  # 10 and 14 are no neighbours

    position = play(drawn(START, "red10 red9 red14 green1", "red16 red15"), "lay red10", "lay red9")
    assert ask(position, "hand green1") is Rule.HAND_ON  # only at the end of the turn
    play(position, "stop")
    assert texts(position) == ["hand red14", "hand green1", "keep"]
    assert ask(position, "hand red16") is Rule.HAND_ON  # not on this rack
    kept = play(position.copy(), "keep")
    assert rack(kept, 0) == ["red14", "green1"]
    play(position, "hand green1")
    assert position.acting() == [1]
    assert rack(position, 0) == ["red14"]
    assert rack(position, 1) == ["red15", "red16", "green1"]


def test_neighbours_must_be_of_one_row_and_of_this_turn() -> None:
    areas = play(drawn(START, "yellow11 blue11 green1", "red16"), "lay yellow11", "lay blue11", "stop")
    assert areas.acting() == [1]  # next to each other, but in different rows
    earlier = play(drawn(START, "red10 green1", "red16"), "lay red10", "stop")
    assert earlier.acting() == [1]  # red 11 was there before
    ends = WIDE.replace("red     1 ", "red     . ").replace("blue    . ", "blue    1 ")
    edge = play(drawn(ends, "yellow20 red1 green2", "red16"), "lay yellow20", "lay red1", "stop")
    assert edge.acting() == [1]  # yellow 20 comes before red 1 in reading order only


def test_jokers_bonus_tiles_and_free_tiles_count_as_neighbours() -> None:
    joker = drawn(TWELVE.replace("12 ", ".  "), "red12 joker13 red9", "red16")
    play(joker, "lay red12", "lay joker13 red", "draw green5", "lay green5", "stop")
    assert joker.state.phase == Phase.HAND
    luck = play(drawn(TWELVE, "joker13 green2", "red1"), "lay joker13 red", "draw red15", "lay red15", "draw red16")
    play(luck, "lay red16", "stop")  # 15 and 16 came from the bag
    assert luck.state.phase == Phase.HAND
    free = drawn(SYMBOLS, "red10 triangle red9 green2", "red16", symbols=True)
    play(free, "lay red10", "lay triangle 1", "lay red9", "stop")
    assert free.state.phase == Phase.HAND


def test_draw_three() -> None:
    position = drawn(START, "red9 green1", "red10")
    assert ask(position, "pass") is Rule.DRAW_THREE
    play(position, "draw", "draw green2", "draw", "draw blue2")
    assert texts(position) == ["draw"]
    assert ask(position, "pass") is Rule.DRAW_THREE
    play(position, "draw", "draw blue5")
    assert ask(position, "draw") is Rule.DRAW_THREE
    assert texts(position) == ["pass"]
    play(position, "pass")
    assert position.acting() == [1]
    assert position.state.drawn == 0


def test_the_first_drawn_tile_that_fits_must_be_laid() -> None:
    position = play(drawn(START, "red9 green1 blue10", "red10"), "draw", "draw green2", "draw", "draw blue11")
    assert texts(position) == ["lay blue11"]
    assert ask(position, "draw") is ask(position, "pass") is Rule.MUST_LAY
    play(position, "lay blue11")
    assert ask(position, "draw") is Rule.DRAW_THREE  # no drawing after that
    assert texts(position) == ["lay blue10", "stop"]


def test_a_drawn_joker_leaves_the_choice_of_field() -> None:
    board = START.replace("green   .   .   ?   .   .   .", "green   .   .   ?   .   .   6")
    board = board.replace("blue    .   .   ?   .   .   .   ?   .", "blue    .   .   ?   .   .   .   ?   8")
    position = play(drawn(board, "red2 green1", "red10"), "draw", "draw joker7")
    assert texts(position) == ["lay joker7 blue", "lay joker7 green"]


def test_empty_bag() -> None:
    position = drawn(START, "red9 green1", REST, bag="")
    assert ask(position, "draw") is Rule.EMPTY_BAG
    assert texts(position) == ["pass"]
    play(position, "pass")
    assert position.acting() == [1]
    runs_out = play(drawn(START, "red9 green1", REST, bag="green2"), "draw", "draw green2")
    assert ask(runs_out, "draw") is Rule.EMPTY_BAG
    assert texts(runs_out) == ["pass"]


def test_only_what_is_in_the_bag_can_be_drawn() -> None:
    position = play(drawn(START, "red9 green1", "red10"), "draw")
    assert ask(position, "draw red10", seat=CHANCE) is Rule.EMPTY_BAG
    assert ask(position, "draw star", seat=CHANCE) is Rule.EMPTY_BAG
    assert ask(position, "draw red8", seat=CHANCE) is Rule.LEGAL
    assert ask(position, "start 0", seat=CHANCE) is Rule.NOT_NOW


def test_rack_empty() -> None:
    by_laying = play(drawn(START, "red10", "red9 joker13 yellow1"), "lay red10")
    assert by_laying.is_over
    assert by_laying.outcome() == ([0, -23], [1, 2])
    assert dict(by_laying.score_sheet(1)) == {Rule.RACK_EMPTY: -23}
    by_handing = drawn(START, "red10 red9 green1", "blue20")
    play(by_handing, "lay red10", "lay red9", "stop", "hand green1")
    assert by_handing.is_over
    assert by_handing.outcome() == ([0, -21], [1, 2])


def test_symbol_place() -> None:
    position = drawn(SYMBOLS, "triangle square red2", "red9", symbols=True)
    assert ask(position, "lay triangle 1") is Rule.LEGAL
    assert ask(position, "lay triangle 20") is Rule.SYMBOL_PLACE
    assert ask(position, "lay square 1") is Rule.SYMBOL_PLACE  # the yellow 1 does not lie
    assert ask(position, "lay star 1") is Rule.OWN_FIELD
    play(position, "lay triangle 1")
    assert position.state.laid_count == 1  # it counts towards the three


def test_a_symbol_makes_nothing_adjoin() -> None:
    board = SYMBOLS.replace("red    .  1", "red    x  .").replace("blue   .  .", "blue   x  .")
    position = drawn(board, "red1 blue1 red10", "red9", symbols=True)
    assert texts(position) == ["lay red10"]


def test_free_tile() -> None:
    position = drawn(SYMBOLS, "triangle triangle square green5 joker7 red12", "red9", symbols=True)
    play(position, "lay red12", "lay triangle 1")
    assert position.state.phase == Phase.FREE
    jokers = [f"lay joker7 {colour}" for colour in ("yellow", "red", "blue", "green")]
    assert sorted(texts(position)) == sorted([*jokers, "lay green5", "skip"])
    assert ask(position, "stop") is ask(position, "pass") is Rule.FREE_TILE
    assert ask(position, "lay triangle 20") is Rule.SYMBOL_PLACE
    assert ask(position, "lay blue9") is ask(position, "lay red12") is Rule.OWN_FIELD
    assert ask(position, "draw") is Rule.DRAW_THREE
    assert ask(position, "hand green5") is Rule.HAND_ON
    play(position, "lay green5")
    assert position.state.laid_count == 2  # beyond the limit
    play(position, "stop")
    assert position.acting() == [1]


def test_a_symbol_is_no_free_tile_and_the_free_tile_can_be_skipped() -> None:
    board = """
              1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
    yellow .  1   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .  .
    red    x  1   .   ?   .   .   .   ?   .   .   .   11  .   ?   .   .   .   ?   .   .   20 .
    blue   .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .  .
    green  .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .  .
    """
    position = drawn(board, "triangle square green5", "red9", symbols=True)
    play(position, "lay square 1")
    assert ask(position, "lay triangle 20") is Rule.FREE_TILE
    play(position, "skip")
    assert texts(position) == ["lay triangle 20", "stop"]
    with pytest.raises(IllegalAction, match="OWN_FIELD"):
        play(position, "lay square 1")


def test_a_free_tile_can_bring_a_bonus_and_a_bonus_symbol_a_free_tile() -> None:
    position = drawn(SYMBOLS, "triangle blue6 green8 green2", "red9", symbols=True)
    play(position, "lay triangle 1", "lay blue6", "draw star")
    assert texts(position) == ["lay star 1", "lay star 20"]  # no blue 1 or 20 is needed
    play(position, "lay star 20")
    assert texts(position) == ["lay green2", "lay green8", "skip"]
    play(position, "lay green8", "draw yellow2", "lay yellow2")
    assert position.state.laid_count == 1
    assert rack(position, 0) == ["green2"]


def test_the_last_symbol_ends_the_round_without_a_free_tile() -> None:
    position = play(drawn(SYMBOLS, "triangle", "square red9", symbols=True), "lay triangle 1")
    assert position.is_over
    assert position.outcome() == ([0, -20], [1, 2])  # a symbol costs 11


def test_symbols_are_no_neighbours_but_may_be_handed_on() -> None:
    position = drawn(SYMBOLS, "yellow1 triangle green2", "red9", symbols=True)
    play(position, "lay yellow1", "lay triangle 1", "skip", "stop")
    assert position.acting() == [1]
    position = play(drawn(SYMBOLS, "red10 red9 star green2", "red8", symbols=True), "lay red10", "lay red9", "stop")
    assert "hand star" in texts(position)
