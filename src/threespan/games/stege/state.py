"""The state of Stege, and the numbers that actions have.

Fields are numbered 16 * row + column whatever the size of the board, so actions mean the same on all of them.
A jetty's place is its top or left field, plus 256 if it lies down. Jetties belong to nobody once they lie, so the
state keeps their places as sets: the same sea is the same state, however it came about.
"""

from enum import IntEnum

from threespan.core.layout import Field, Kind, Layout
from threespan.core.memory import int8, int16, int64
from threespan.core.rules import MAX_SEATS

WIDTH = 16  # the largest board
FIELDS = WIDTH * WIDTH
MIN_SIZE = 11
MAX_ISLAND = 3  # fields along the side of an island
CORNERS = 4  # clockwise
TOP_LEFT, TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT = range(CORNERS)
STONES = 4
JETTY = 3  # fields that a jetty covers
MAX_JETTIES = 20
PIPS = 6
ROLLS = {"two": 3, "three": 4}  # in a turn, with two or three extra rolls
MAX_ROLLS = 4
MAX_TURNS = 400  # moving turns of each player
PASSING_ROUNDS = 3  # rounds of nothing but passes after which the match is stopped
NONE = -1

# Where a stone stands, if not on a field.
ISLAND = -1  # its start island
HOME = FIELDS
UNEVEN_PLAYERS, ALONE = 3, 1  # with three players, the seat 1 has its diagonal for itself

# The dense space of actions.
PLACES = 2 * FIELDS
ENDS = FIELDS + 1
LAY = 0  # + place
TAKE = LAY + PLACES  # + place
MOVE = TAKE + PLACES  # + stone * 257 + end field, or 256 for home
KEEP = MOVE + STONES * ENDS
AGAIN = KEEP + 1
PASS = AGAIN + 1
START = PASS + 1  # + seat; the actions from here on are chance's
ROLL = START + MAX_SEATS  # + pips - 1
ACTIONS = ROLL + PIPS

# A set of fields is four words of four rows each; the highest bit of a word is its sign.
WORDS = 4
WORD_BITS = FIELDS // WORDS


class TurnStep(IntEnum):
    """What the match is waiting for."""

    START = 0  # chance picks the starting seat
    LAY = 1  # first phase: lay a jetty
    ROLL = 2  # chance rolls the die
    JETTY = 3  # after a 1 or a 6: take a jetty or keep all where they are
    PLACE = 4  # lay the jetty taken
    STONE = 5  # move a stone, or cope with having no move
    AGAIN = 6  # an extra roll was no 1 and no 6
    OVER = 7


_SEAT = (MAX_SEATS,)
_SET = (WORDS,)
_ISLANDS = (CORNERS, WORDS)
_LOW, _HIGH = -(2 ** (WORD_BITS - 1)), 2 ** (WORD_BITS - 1) - 1

LAYOUT = Layout(
    Field("players", int8, (), 2, MAX_SEATS, "number of players"),
    Field(
        "step",
        int8,
        (),
        0,
        TurnStep.OVER,
        "0 start, 1 lay, 2 a roll is due, 3 take a jetty, 4 lay it, 5 move a stone, 6 roll again, 7 over",
    ),
    Field("turn", int8, (), 0, MAX_SEATS - 1, "seat whose turn it is"),
    Field("turns", int16, (), 0, MAX_TURNS * MAX_SEATS, "moving turns that have ended"),
    Field("die", int8, (), 0, PIPS, "pips of the last roll of this turn"),
    Field("rolls", int8, (), 0, MAX_ROLLS, "rolls of this turn"),
    Field(
        "passes",
        int8,
        (),
        NONE,
        PASSING_ROUNDS * MAX_SEATS,
        "turns in a row passed although a stone could move, if that is allowed; -1 once this turn has moved a jetty",
    ),
    Field("taken", int16, (), NONE, PLACES - 1, "place of the jetty that was taken and must be laid, -1 for none"),
    Field("in_hand", int8, _SEAT, 0, MAX_JETTIES, "jetties that a seat has yet to lay"),
    Field("stone", int16, (MAX_SEATS, STONES), ISLAND, HOME, "field of each stone, -1 start island, 256 home"),
    Field("across", int64, _SET, _LOW, _HIGH, "left fields of the jetties that lie across"),
    Field("down", int64, _SET, _LOW, _HIGH, "top fields of the jetties that lie down"),
    Field("planks", int64, _SET, _LOW, _HIGH, "fields covered by jetties", Kind.DERIVED),
    Field("occupied", int64, _SET, _LOW, _HIGH, "fields with a stone", Kind.DERIVED),
    Field("board_size", int8, (), MIN_SIZE, WIDTH, "rows and columns of the board", Kind.MATERIAL),
    Field("island_size", int8, (), 1, MAX_ISLAND, "rows and columns of an island", Kind.MATERIAL),
    Field("jetties_each", int8, (), 1, MAX_JETTIES // 2, "jetties of each player", Kind.MATERIAL),
    Field("max_rolls", int8, (), min(ROLLS.values()), MAX_ROLLS, "rolls that a turn may have", Kind.MATERIAL),
    Field("may_pass", int8, (), 0, 1, "whether a player may pass although a stone can move", Kind.MATERIAL),
    Field("door_is_beside", int8, (), 0, 1, "whether only stones beside the target are at its door", Kind.MATERIAL),
    Field("corner", int8, _SEAT, NONE, CORNERS - 1, "start island of each seat, -1 for empty seats", Kind.MATERIAL),
    Field("water", int64, _SET, _LOW, _HIGH, "fields of the board that are no island", Kind.MATERIAL),
    Field("island", int64, _ISLANDS, _LOW, _HIGH, "fields of each island", Kind.MATERIAL),
    Field("shore", int64, _ISLANDS, _LOW, _HIGH, "water fields that touch each island", Kind.MATERIAL),
)
