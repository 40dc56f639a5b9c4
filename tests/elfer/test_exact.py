"""The engine against an independent referee, over whole random matches; and no deadlock, ever."""

import random
from typing import Any

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elfer.drawing import rack, texts
from elfer.oracle import ROWS, WATCHER, Referee, adjoining
from threespan.core.game import Position
from threespan.core.kernel import kernel, nth_bit
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.elfer.game import GAME
from threespan.games.elfer.state import (
    FIELDS,
    FULL_BAG,
    JOKER,
    KINDS,
    NEIGHBOURS,
    NUMBER_FIELDS,
    PART,
    SYMBOL,
    Phase,
    tile_for,
)
from threespan.games.elfer.tiles import can_lay

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
MATCHES = 2 if UNCOMPILED else 14
LOOKS = 0.05  # of all moments, at what everybody knows


@pytest.mark.parametrize("opening", ["must", "may"])
@pytest.mark.parametrize(("symbols", "bonus_symbol"), [(False, "free"), (True, "free"), (True, "adjoining")])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_engine_and_the_referee_agree(players: int, symbols: bool, bonus_symbol: str, opening: str) -> None:
    chooser = random.Random(f"{players} {symbols} {bonus_symbol} {opening}")
    met: set[str] = set()
    for match in range(MATCHES):
        starts = None if match % 2 else match % players
        rounds = 1 + match % 2
        values: dict[str, Any] = {"players": players, "symbols": symbols, "rounds": rounds}
        values |= {"starts": "random" if starts is None else starts, "opening": opening, "bonus_symbol": bonus_symbol}
        position = GAME.start(read_options(GAME.options, values))
        referee = Referee(players, symbols, rounds, starts, opening, bonus_symbol)
        while not position.is_over:
            legal = texts(position)
            assert set(legal) == referee.legal(), position.text()
            (actor,) = position.acting()
            assert actor in (CHANCE, referee.turn)
            if chooser.random() < LOOKS:
                check_knowledge(position, referee)
            met.add("shown" if any(referee.known[WATCHER]) else referee.step)
            action = chooser.choice(legal)
            position.play(actor, GAME.parse_action(position.state, action))
            referee.play(action)
            assert position.state.minus[:players].tolist() == referee.minus
        assert referee.step == "over"
        for seat in position.seats:
            assert sorted(rack(position, seat)) == sorted(referee.racks[seat].elements())
        assert position.outcome()[0] == [-minus for minus in referee.minus]
    assert ("ask" in met) == (opening == "may")
    assert UNCOMPILED or ("shown" in met) == (bonus_symbol == "adjoining")


def check_knowledge(position: Position, referee: Referee) -> None:
    """Every viewer knows what the referee says, and no more, while tiles are laid and handed on."""
    if position.state.phase < Phase.LAY:
        return
    for viewer, known in referee.known.items():
        seen = position.observe(viewer)
        for owner in set(position.seats) - {viewer}:
            tiles = sorted(known[owner].elements())
            assert sorted(rack(seen, owner)) == tiles, (viewer, owner, position.text())


def test_fields_adjoin_as_the_board_shows() -> None:
    state = GAME.start(read_options(GAME.options, {})).state
    for field in range(NUMBER_FIELDS):
        mask = [int(NEIGHBOURS[field, part]) for part in range(2)]
        near = {(ROWS[other // 20], other % 20 + 1) for other in range(80) if mask[other // PART] >> other % PART & 1}
        if state.bridge_to[field] != field:
            near.add((ROWS[state.bridge_to[field] // 20], state.bridge_to[field] % 20 + 1))
        assert near == adjoining((ROWS[field // 20], field % 20 + 1))


def some_position(laid: list[int], owners: list[int], players: int, symbols: bool) -> Position:
    """An empty bag: the fields `laid` have their tiles, the others are spread over the racks."""
    position = GAME.start(read_options(GAME.options, {"players": players, "symbols": symbols, "starts": 0}))
    state = position.state
    left = [int(count) for count in FULL_BAG[state.has_symbols]]
    for field in laid:
        state.board[field] = 1
        left[tile_for(field)] -= 1
    tiles = [kind for kind in range(KINDS) for _ in range(left[kind])]
    for index, kind in enumerate(tiles):
        state.rack[index % players if index < players else owners[index % len(owners)] % players, kind] += 1
    state.bag, state.bag_size, state.phase = 0, 0, Phase.LAY
    state.rack_size = state.rack.sum(axis=1)
    GAME.refresh(state)
    return position


@settings(max_examples=20 if UNCOMPILED else 300)
@given(st.data())
def test_with_an_empty_bag_somebody_can_always_lay(data: st.DataObject) -> None:
    """The proof is in the rule book; here is the search for a hole in it.

    Bonus and free tiles go anywhere, so any set of fields with at least one number may be laid.
    """
    players = data.draw(st.integers(2, 4))
    symbols = data.draw(st.booleans())
    most = (FIELDS if symbols else NUMBER_FIELDS) - players
    laid = data.draw(st.lists(st.integers(0, FIELDS - 1 if symbols else NUMBER_FIELDS - 1), max_size=most, unique=True))
    laid = [*laid, 10] if not any(field < NUMBER_FIELDS for field in laid) else laid
    owners = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=20))
    position = some_position(laid, owners, players, symbols)
    assert any(can_lay(position.state, seat) for seat in position.seats), position.text()


@pytest.mark.parametrize("symbols", [False, True])
def test_somebody_lays_in_every_round_of_turns_once_the_bag_is_empty(symbols: bool) -> None:
    """The last tiles, all but a handful laid, whoever holds what: passing goes on for less than a round of turns."""
    chooser = random.Random(5)
    fields = range(FIELDS if symbols else NUMBER_FIELDS)
    for _ in range(3 if UNCOMPILED else 60):
        laid = sorted({10, *chooser.sample(fields, chooser.randint(1, len(fields) - 8))})
        position = some_position(laid, [chooser.randrange(4) for _ in range(20)], 4, symbols)
        passes = 0
        while not position.is_over:
            action = chooser.choice(texts(position))
            passes = passes + 1 if action == "pass" else 0
            assert passes < 4, position.text()
            position.play(position.acting()[0], GAME.parse_action(position.state, action))


def test_every_unlaid_tile_has_an_empty_field() -> None:
    """So bonus and free tiles always have a place: there are as many tiles of a kind as fields for it."""
    for kind in range(KINDS):
        fields = sum(tile_for(field) == kind for field in range(FIELDS))
        assert fields == FULL_BAG[1, kind] == (4 if JOKER <= kind < SYMBOL else 2 if kind >= SYMBOL else 1)


@kernel
def call_nth_bit(mask: int, index: int) -> int:
    """The kernel that the processor's own instruction may stand behind."""
    return nth_bit(mask, index)


@given(st.sets(st.integers(0, 61), min_size=1))
def test_the_nth_bit(bits: set[int]) -> None:
    mask = sum(1 << bit for bit in bits)
    assert [call_nth_bit(mask, index) for index in range(len(bits))] == sorted(bits)
