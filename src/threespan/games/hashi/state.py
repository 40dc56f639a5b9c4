"""The state of Hashi, and the numbers that actions have.

Islands are numbered 0..17 in reading order, lines in the order of their islands. A state carries its board,
so it can be played, copied and sent around by itself.
"""

from enum import IntEnum

from threespan.core.layout import Field, Kind, Layout
from threespan.core.memory import int8, int16, int64
from threespan.core.rules import MAX_SEATS
from threespan.games.hashi.clauses import Rule

ISLANDS = 18
MAX_LINES = 36  # 18 islands with four neighbours each would have 4 * 18 / 2
GRID = 10  # rows and columns are single digits
CARDS = 18
ROUNDS = 17
MAX_NUMBER = 6
MAX_CARD_BRIDGES = 3
MAX_ON_LINE = 2
MAX_DEGREE = 4 * MAX_ON_LINE  # what an island's lines hold; only the free pen draws more than six
MAX_ROUND_BRIDGES = 6  # that the free pen may draw in a round
START_NUMBERS = (3, 4)
NONE = -1

# The dense space of actions.
PAIRS = ISLANDS * (ISLANDS - 1) // 2
CARD_KINDS = MAX_NUMBER * MAX_CARD_BRIDGES
WRITE = 0  # + island * 6 + number - 1
BRIDGE = WRITE + ISLANDS * MAX_NUMBER  # + index of the pair of islands
SKIP = BRIDGE + PAIRS
DONE = SKIP + 1  # this and erasing are for the free pen
ERASE_NUMBER = DONE + 1  # + island
ERASE_BRIDGE = ERASE_NUMBER + ISLANDS  # + index of the pair of islands
CARD = ERASE_BRIDGE + PAIRS  # + kind of card; actions of chance
ACTIONS = CARD + CARD_KINDS

# What the free pen has drawn in the last two rounds: the number of the earlier one and its bridges in the order drawn,
# then the same of the later one. A mark is 1 + island for a number, 1 + ISLANDS + line for a bridge, 0 for none.
ROUND_MARKS = 1 + MAX_ROUND_BRIDGES
MARKS = 2 * ROUND_MARKS
THIS_ROUND = ROUND_MARKS  # place of this round's number among them
MAX_MARK = ISLANDS + MAX_LINES

# The clauses that a mark can be drawn against, in the order of the rule book; a verdict is a mask of them.
JUDGED = (
    Rule.FLAG_NEEDS_BRIDGE,
    Rule.NUMBER_TOO_SMALL,
    Rule.NEEDS_NUMBER,
    Rule.CROSSING,
    Rule.ISLAND_FULL,
    Rule.OVER_SIX,
    Rule.ALL_OR_NOTHING,
)


class Pen(IntEnum):
    """What happens to a mark that is not allowed."""

    STRICT = 0  # it is refused
    FREE = 1  # it is drawn, and judged


class Phase(IntEnum):
    """What the match is waiting for."""

    START = 0  # everybody writes a start number
    CARD = 1  # chance turns up a card
    ROUND = 2  # everybody writes and builds
    OVER = 3


class SeatStep(IntEnum):
    """What a seat does next in its phase."""

    START = 0
    WRITE = 1
    BRIDGE = 2
    DONE = 3


class Flag(IntEnum):
    """The flag of an island."""

    NO = 0
    RED = 1
    BLUE = 2


class Bonus(IntEnum):
    """The three races, in the order of the score sheet."""

    RED_FLAGS = 0
    BLUE_FLAGS = 1
    SIX_CONNECTED = 2


BONUSES = len(Bonus)

_SEAT = (MAX_SEATS,)
_MASK = 2**62

LAYOUT = Layout(
    Field("players", int8, (), 1, MAX_SEATS, "number of players"),
    Field("phase", int8, (), 0, Phase.OVER, "0 start numbers, 1 a card is due, 2 round, 3 over"),
    Field("round_number", int8, (), 0, ROUNDS, "cards turned up so far"),
    Field("card_number", int8, (), 0, MAX_NUMBER, "number on the card of the round"),
    Field("card_bridges", int8, (), 0, MAX_CARD_BRIDGES, "bridges on the card of the round"),
    Field("pile", int8, (CARD_KINDS,), 0, CARDS, "cards not yet turned up, by kind (1/1, 1/2, 1/3, 2/1, ...)"),
    Field("step", int8, _SEAT, 0, SeatStep.DONE, "0 start number, 1 write, 2 bridges, 3 finished"),
    Field("bridges_left", int8, _SEAT, 0, MAX_CARD_BRIDGES, "bridges still to draw in this round"),
    Field("number", int8, (MAX_SEATS, ISLANDS), 0, MAX_NUMBER, "number on each island, 0 for none"),
    Field("bridges", int8, (MAX_SEATS, MAX_LINES), 0, MAX_ON_LINE, "bridges on each line"),
    Field("written", int8, _SEAT, NONE, ISLANDS - 1, "island written on in this round, -1 for none"),
    Field("drawn", int8, (MAX_SEATS, MAX_CARD_BRIDGES), NONE, MAX_LINES - 1, "lines built on in this round"),
    Field(
        "start",
        int16,
        _SEAT,
        NONE,
        BRIDGE - 1,
        "action that wrote the start number, until boards are passed",
    ),
    Field("won_in", int8, (MAX_SEATS, BONUSES), 0, ROUNDS, "round in which red, blue, six were complete"),
    Field("last_number", int8, (), 0, MAX_NUMBER, "free pen: number on the card of the round before"),
    Field("last_bridges", int8, (), 0, MAX_CARD_BRIDGES, "free pen: bridges on the card of the round before"),
    Field(
        "marks",
        int8,
        (MAX_SEATS, MARKS),
        0,
        MAX_MARK,
        "free pen: number and bridges of the round before, then of this one; 1 + island, 19 + line, 0 for none",
    ),
    Field("erased", int16, _SEAT, 0, 2**MARKS - 1, "free pen: mask of the marks erased in this round"),
    Field(
        "struck",
        int8,
        (MAX_SEATS, ISLANDS),
        0,
        Rule.ALL_OR_NOTHING,
        "free pen: clause for which an island is struck out, see `Rule`, 0 for none",
    ),
    Field("wrong_numbers", int64, _SEAT, 0, _MASK, "free pen: mask of islands whose wrong number stands"),
    Field(
        "wrong_bridges",
        int8,
        (MAX_SEATS, MAX_LINES),
        0,
        MAX_ON_LINE,
        "free pen: bridges on each line that are wrong and stand",
    ),
    Field("waiting", int8, (), 0, 2**MAX_SEATS - 1, "mask of seats that have not finished", Kind.DERIVED),
    Field("degree", int8, (MAX_SEATS, ISLANDS), 0, MAX_DEGREE, "bridges at each island", Kind.DERIVED),
    Field("numbered", int64, _SEAT, 0, _MASK, "mask of islands with a number", Kind.DERIVED),
    Field("reached", int64, _SEAT, 0, _MASK, "mask of islands with a bridge", Kind.DERIVED),
    Field("finished", int64, _SEAT, 0, _MASK, "mask of finished islands", Kind.DERIVED),
    Field("built", int64, _SEAT, 0, _MASK, "mask of lines with a bridge", Kind.DERIVED),
    Field("anchored", int64, _SEAT, 0, _MASK, "mask of lines that touch a number", Kind.DERIVED),
    Field("closed", int64, _SEAT, 0, _MASK, "mask of lines that take no further bridge", Kind.DERIVED),
    Field(
        "verdicts",
        int8,
        (MAX_SEATS, MARKS),
        0,
        2 ** len(JUDGED) - 1,
        "free pen: mask of the clauses that each mark breaks, see `JUDGED`; observed: the own ones",
        Kind.DERIVED,
    ),
    Field(
        "barred",
        int64,
        _SEAT,
        0,
        _MASK,
        "free pen: mask of islands that a mistake keeps from being finished",
        Kind.DERIVED,
    ),
    Field("pen", int8, (), 0, Pen.FREE, "0 strict, 1 free", Kind.MATERIAL),
    Field("place", int8, (ISLANDS,), 0, GRID * GRID - 1, "10 * row + column of each island", Kind.MATERIAL),
    Field("flag", int8, (ISLANDS,), 0, Flag.BLUE, "0 no flag, 1 red, 2 blue", Kind.MATERIAL),
    Field("lines", int8, (), 0, MAX_LINES, "number of dotted lines", Kind.MATERIAL),
    Field("line_from", int8, (MAX_LINES,), 0, ISLANDS - 1, "first island of each line", Kind.MATERIAL),
    Field("line_to", int8, (MAX_LINES,), 0, ISLANDS - 1, "second island of each line", Kind.MATERIAL),
    Field("line_action", int16, (MAX_LINES,), 0, ACTIONS, "action that builds on each line", Kind.MATERIAL),
    Field("line_of_pair", int8, (PAIRS,), NONE, MAX_LINES - 1, "line of each pair of islands", Kind.MATERIAL),
    Field("crossing", int64, (MAX_LINES,), 0, _MASK, "mask of lines that cross each line", Kind.MATERIAL),
    Field("touching", int64, (ISLANDS,), 0, _MASK, "mask of lines at each island", Kind.MATERIAL),
    Field("flagged", int64, (len(Flag),), 0, _MASK, "mask of islands by flag", Kind.MATERIAL),
)
