"""The clauses of Hashi."""

from enum import IntEnum


class Rule(IntEnum):
    """The clauses, in the order of the rule book."""

    LEGAL = 0
    NOT_NOW = 1
    SAME_SIDE = 2
    START_NUMBER = 3
    HIDDEN_CARD = 4
    SKIP = 5
    ISLAND_TAKEN = 6
    FLAG_NEEDS_BRIDGE = 7
    NUMBER_TOO_SMALL = 8
    NO_SUCH_LINE = 9
    NEEDS_NUMBER = 10
    LINE_FULL = 11
    CROSSING = 12
    ISLAND_FULL = 13
    OVER_SIX = 14
    ALL_OR_NOTHING = 15
    RED_FLAGS = 16
    BLUE_FLAGS = 17
    SIX_CONNECTED = 18
    FINISHED_ISLAND = 19
    SHARED_WIN = 20
    MISTAKE_FIXABLE = 21
    MISTAKE_STANDS = 22
