"""What a page draws of Elfer says what the state says, in the words of the notation."""

from collections import Counter

import numba
import pytest

from elfer.drawing import drawn, play, rack
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.core.rules import WATCHER
from threespan.games.elfer.game import GAME
from threespan.games.elfer.state import FULL_BAG
from threespan.games.elfer.tiles import rack_value
from threespan.games.elfer.view import Scene, View
from threespan.testing.matches import some_positions, variants

pytestmark = pytest.mark.kernels

POSITIONS = 5 if numba.config.DISABLE_JIT else 40

START = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
red     .   .   ?   .   .   .   ?   .   .   .   11  12  13* .   .   .   ?   .   .   .
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""
WITH_SYMBOLS = """
yellow  .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .   .
red     .  1   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   20  x*
blue    .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .   .
green   .  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .   .
"""


def seen(position: Position, seat: int) -> View:
    return GAME.view(position.observe(seat).state, seat)


def scene(position: Position) -> Scene:
    return GAME.scene(position.state, position.material)


@pytest.mark.parametrize(("symbols", "fields", "tiles"), [(False, 80, 68), (True, 88, 72)])
def test_fields_and_tiles_have_the_names_of_the_notation(symbols: bool, fields: int, tiles: int) -> None:
    position = GAME.start(read_options(GAME.options, {"symbols": symbols}))
    drawing = scene(position)
    assert len({(field.row, field.column) for field in drawing.fields}) == len(drawing.fields) == fields
    assert len(drawing.tiles) == tiles
    kinds = {tile.text: tile for tile in drawing.tiles}
    for action, field in enumerate(drawing.fields):
        assert GAME.parse_action(position.state, f"lay {field.text}") == action
        tile, row = kinds[field.tile], drawing.rows[field.row]
        assert field.text.split()[0] == tile.text
        if tile.kind == "symbol":
            assert (tile.text, field.column) in [(row.symbol, 0), (row.symbol, 21)]
        else:
            assert tile.number == field.column
            assert tile.colour in (None, row.colour)
    for tile in drawing.tiles:
        GAME.parse_action(position.state, f"hand {tile.text}")
    full = FULL_BAG[int(symbols)]
    assert sum(tile.value * int(count) for tile, count in zip(drawing.tiles, full, strict=False)) == 840 + 88 * symbols
    assert Counter(tile.kind for tile in drawing.tiles) == {"colour": 64, "joker": 4} | (
        {"symbol": 4} if symbols else {}
    )


def test_bridges_join_the_rows() -> None:
    bridges = scene(GAME.start(read_options(GAME.options, {}))).bridges
    assert [(bridge.row, bridge.column) for bridge in bridges] == [
        *((0, number) for number in (3, 8, 13, 18)),
        *((1, number) for number in (6, 15)),
        *((2, number) for number in (3, 8, 13, 18)),
    ]
    assert [(bridge.row, bridge.column) for bridge in bridges if bridge.has_bonus] == [(0, 13), (1, 6), (1, 15), (2, 8)]


def test_a_board_as_it_is_drawn() -> None:
    position = drawn(START, "red10 green1", "red9 red8 blue2")
    view = seen(position, 0)
    assert view.laid == ["red11", "red12", "joker13 red"]
    assert view.fresh == ["joker13 red"]
    assert set(view.inviting) == {"yellow11", "blue11", "green11", "red10", "red14", "joker13 yellow"}
    assert (view.phase, view.turn, view.starter, view.round) == ("lay", 0, 0, 1)
    assert (view.laid_count, view.drawn, view.bonus_tile, view.bag_size) == (1, 0, None, 80 - 3 - 5)


def test_a_bonus_is_to_be_had_until_a_tile_lies_at_its_bridge() -> None:
    position = drawn(START, "red10 green1", "red9 red8 blue2")
    bridges = scene(position).bridges
    left = [(bridges[index].row, bridges[index].column) for index in seen(position, 0).bonuses]
    assert left == [(1, 6), (1, 15), (2, 8)]


def test_a_rack_is_shown_to_its_seat_alone() -> None:
    position = drawn(START, "joker7 red10 star joker7 green1", "red9 red8", symbols=True)
    own, other = seen(position, 0).racks
    assert (own.size, own.tiles) == (5, ["red10", "green1", "joker7", "joker7", "star"])
    assert (other.size, other.tiles) == (2, [])
    assert [(rack.size, rack.tiles) for rack in seen(position, WATCHER).racks] == [(5, []), (2, [])]


def test_a_tile_that_was_handed_on_is_known_to_its_giver() -> None:
    position = drawn(START, "red14 green1 blue5", "red8 green2", "blue1 blue2")
    play(position, "lay red14", "stop", "hand green1")
    assert [seen(position, viewer).racks[1].tiles for viewer in (WATCHER, 0, 1, 2)] == [
        [],
        ["green1"],
        ["red8", "green1", "green2"],
        [],
    ]


def test_a_bonus_tile_is_shown_to_everybody() -> None:
    position = drawn(START.replace("13*", "?  "), "joker13 green1", "red14 red9")
    play(position, "lay joker13 red", "draw joker3")
    assert [(view.phase, view.bonus_tile) for view in (seen(position, 1), seen(position, WATCHER))] == [
        ("bonus", "joker3"),
        ("bonus", "joker3"),
    ]


def test_symbol_fields_are_shown_only_if_they_are_in_play() -> None:
    position = drawn(WITH_SYMBOLS, "red19 red2", "blue2 triangle", symbols=True)
    view = seen(position, 0)
    assert view.fresh == ["triangle 20"]
    assert "triangle 1" in view.inviting
    plain = drawn(WITH_SYMBOLS.replace("x*", ". "), "red19 red2", "blue2", laid=0)
    assert not [field for field in seen(plain, 0).inviting if " " in field and "joker" not in field]


def test_after_the_match_all_racks_lie_open() -> None:
    position = play(drawn(START, "red14", "red8 green2", laid=1), "lay red14")
    view = seen(position, WATCHER)
    assert view.phase == "over"
    assert [(rack.size, rack.tiles, rack.minus) for rack in view.racks] == [(0, [], 0), (2, ["red8", "green2"], 10)]


def test_nobody_has_the_turn_before_the_start() -> None:
    position = GAME.start(read_options(GAME.options, {"starts": "random"}))
    assert (seen(position, 0).turn, seen(position, 0).starter) == (None, None)
    play(position, "start 1")
    assert (seen(position, 0).turn, seen(position, 0).starter) == (1, 1)


def test_own_racks_and_the_board_are_complete() -> None:
    for seed, options in enumerate(variants(GAME)):
        for position in some_positions(GAME, options, seed, POSITIONS):
            values = {tile.text: tile.value for tile in scene(position).tiles}
            fields = [field.text for field in scene(position).fields]
            for seat in position.seats:
                view = seen(position, seat)
                assert view.racks[seat].tiles == rack(position, seat)
                assert sum(values[tile] for tile in view.racks[seat].tiles) == rack_value(position.state, seat)
                assert view.laid == [field for field, lies in zip(fields, position.state.board, strict=False) if lies]
                assert set(view.fresh) <= set(view.laid)
                assert set(view.inviting) <= set(fields) - set(view.laid)
