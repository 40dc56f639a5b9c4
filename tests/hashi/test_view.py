"""What a page draws of Hashi says what the state says, in the words of the notation."""

from collections import Counter

import numba
import pytest

from asking import play, texts
from hashi.drawing import drawn
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.core.rules import CHANCE, WATCHER
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.game import GAME
from threespan.games.hashi.scoring import CONNECTED, connected_islands
from threespan.games.hashi.state import Bonus, Phase, SeatStep
from threespan.games.hashi.view import Board, Scene, View
from threespan.testing.matches import some_positions, variants

pytestmark = pytest.mark.kernels

POSITIONS = 5 if numba.config.DISABLE_JIT else 60

# Five finished islands; those in the upper right are joined. 30 wants a bridge more.
BOARD = """
    0     1     2     3     4     5
0       R( )         [1]   ( )
                      │
1  ( )              B[3]═══[2]  R( )

2       B( )                     ( )

3  (2)                    B( )
    │
4 R[1]   ( )   ( )              ( )

5        ( )   [1]────────R( )
"""


def seen(position: Position, seat: int) -> View:
    return GAME.view(position.observe(seat).state, seat)


def scene(position: Position) -> Scene:
    return GAME.scene(position.state, position.material)


def places(position: Position, islands: list[int]) -> list[str]:
    return [scene(position).islands[island].place for island in islands]


def bridges(position: Position, board: Board) -> dict[str, int]:
    """The bridges on a board, by the place of their line."""
    return {line.place: count for line, count in zip(scene(position).lines, board.bridges, strict=True) if count}


@pytest.mark.parametrize("side", ["A", "B"])
def test_islands_and_lines_have_the_names_of_the_notation(side: str) -> None:
    position = GAME.start(read_options(GAME.options, {"side": side}))
    state, drawing = position.state, scene(position)
    for index, island in enumerate(drawing.islands):
        assert GAME.action_text(state, GAME.parse_action(state, f"write {island.place} 3")) == f"write {island.place} 3"
        assert island.place == f"{island.row}{island.column}" == f"{state.place[index]:02}"
        assert island.row < drawing.rows
        assert island.column < drawing.columns
    assert Counter(island.flag for island in drawing.islands) == {None: 11, "red": 4, "blue": 3}
    for index, line in enumerate(drawing.lines):
        assert GAME.parse_action(state, f"bridge {line.place}") == state.line_action[index]
        assert line.place == "-".join(places(position, line.islands))
        assert all(index in drawing.lines[other].crosses for other in line.crosses)
    assert sum(len(line.crosses) for line in drawing.lines) == 2 * {"A": 4, "B": 8}[side]


def test_the_races_are_those_of_the_score_sheet() -> None:
    races = scene(GAME.start(read_options(GAME.options, {}))).races
    assert [(race.full, race.late, race.islands, race.solo_limit) for race in races] == [
        (9, 5, 4, 12),
        (7, 3, 3, 7),
        (8, 4, 6, 12),
    ]
    assert [Rule[race.rule] for race in races] == [Rule.RED_FLAGS, Rule.BLUE_FLAGS, Rule.SIX_CONNECTED]


def test_the_strip_crosses_off_the_cards_that_were_turned_up() -> None:
    position = play(GAME.start(read_options(GAME.options, {"players": 1})), "write 03 3")
    assert seen(position, 0).card is None
    for card in ("5/3", "1/1"):
        play(position, f"card {card}", seat=CHANCE)
        play(position, "skip", "skip")
    view = seen(position, 0)
    crossed_off = Counter(card.text for card in scene(position).cards) - Counter(view.pile)
    assert crossed_off == Counter(["5/3", "1/1"])
    assert (view.round, view.card) == (2, next(card for card in scene(position).cards if card.text == "1/1"))


def test_a_board_as_it_is_drawn() -> None:
    position = drawn(BOARD, card="4/2")
    view = seen(position, 0)
    board = view.boards[0]
    numbers = {place: n for place, n in zip(places(position, list(range(18))), board.numbers, strict=True) if n}
    assert numbers == {"03": 1, "13": 3, "14": 2, "30": 2, "40": 1, "52": 1}
    assert bridges(position, board) == {"03-13": 1, "13-14": 2, "30-40": 1, "52-54": 1}
    assert places(position, board.finished) == ["03", "13", "14", "40", "52"]
    assert (view.phase, view.round, board.step, board.bridges_left) == ("round", 5, "write", 2)
    assert board.progress == [1, 1, 3]  # red 40, blue 13; 03, 13 and 14 are joined


def test_lines_that_are_not_closed_are_those_that_take_a_bridge_once_a_number_is_there() -> None:
    position = drawn(BOARD, card="4/1", step=SeatStep.BRIDGE)
    closed = {scene(position).lines[line].place for line in seen(position, 0).boards[0].closed}
    may_build = {text.removeprefix("bridge ") for text in texts(position) if text != "skip"}
    assert {"13-14", "01-03", "40-41", "42-52"} <= closed  # full, at a finished island
    assert may_build
    assert not may_build & closed


def test_what_a_seat_tries_out_is_marked() -> None:
    position = drawn(BOARD, card="4/2", players=2)
    trial = play(position.observe(0), "write 54 4", "bridge 34-54")
    board = GAME.view(trial.state, 0).boards[0]
    assert board.written is not None
    assert places(position, [board.written]) == ["54"]
    assert [scene(position).lines[line].place for line in board.drawn] == ["34-54"]
    assert (board.step, board.bridges_left) == ("bridge", 1)


def test_what_others_do_in_a_round_stays_hidden() -> None:
    position = drawn(BOARD, card="4/2", players=2)
    before = seen(position, 1).boards[0]
    play(position, "write 54 4")
    assert seen(position, 1).boards[0].numbers == before.numbers
    assert seen(position, 1).boards[0].written is None
    assert seen(position, 0).boards[0].numbers != before.numbers


def test_a_start_number_is_known_to_its_writer() -> None:
    position = play(GAME.start(read_options(GAME.options, {"players": 2})), "write 45 4")
    written = seen(position, 0).boards[0].start
    assert written is not None
    assert (places(position, [written.island]), written.number) == (["45"], 4)
    assert [seen(position, viewer).boards[0].start for viewer in (WATCHER, 1)] == [None, None]
    assert [board.step for board in seen(position, 1).boards] == ["done", "start"]


def test_who_tries_out_the_last_start_number_sees_no_number_but_that() -> None:
    position = play(GAME.start(read_options(GAME.options, {"players": 2})), "write 45 4")
    trial = play(position.observe(1), "write 03 3", seat=1)
    own, left = GAME.view(trial.state, 1).boards[1], GAME.view(trial.state, 1).boards[0]
    assert sum(own.numbers) == 0
    assert left.numbers[1] == 3


def test_a_race_pays_less_once_somebody_has_won_it_earlier() -> None:
    position = drawn(BOARD, players=2)
    position.state.won_in[1] = [3, 0, 5]
    first, second = seen(position, 0).boards
    assert (first.won_in, first.pays) == ([0, 0, 0], [5, 7, 8])
    assert (second.won_in, second.pays) == ([3, 0, 5], [9, 7, 8])
    position.state.phase = Phase.CARD  # round 5 is over: the next chance is in round 6
    assert seen(position, 0).boards[0].pays == [5, 7, 4]


@pytest.mark.parametrize(("round_number", "pays"), [(7, [9, 7, 8]), (8, [9, 3, 8]), (12, [9, 3, 8]), (13, [5, 3, 4])])
def test_a_solo_race_pays_less_after_its_last_card(round_number: int, pays: list[int]) -> None:
    position = drawn(BOARD)
    position.state.round_number = round_number
    assert seen(position, 0).boards[0].pays == pays


def test_a_race_is_complete_when_its_islands_are_counted_in_full() -> None:
    for seed, options in enumerate(variants(GAME)):
        for position in some_positions(GAME, options, seed, POSITIONS):
            for seat, board in enumerate(GAME.view(position.state, seat=0).boards):
                complete = board.progress[Bonus.SIX_CONNECTED] >= CONNECTED
                assert complete == bool(connected_islands(position.state, seat, position.state.finished[seat]))
                paid = [points for won_in, points in zip(board.won_in, board.pays, strict=True) if won_in]
                sheet = [points for rule, points in position.score_sheet(seat) if rule != Rule.FINISHED_ISLAND]
                assert paid == sheet


def test_finished_islands_count_for_the_standing_as_they_are_finished() -> None:
    position = drawn(BOARD, step=SeatStep.WRITE)
    scores = position.outcome()[0]
    finished = len(seen(position, 0).boards[0].finished)
    assert finished
    assert scores[0] == 0, "islands are scored after the last round"
    assert GAME.current_scores(position)[0] == 2 * finished
