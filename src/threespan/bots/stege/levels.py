"""The levels of Stege. The limits of time are only reached on slow machines; `threespan arena` measures the ladder."""

from threespan.bots.bot import Budget
from threespan.bots.search import Style
from threespan.bots.search_levels import Level, Levels

STYLE = Style(exploration=0.2, widening=1.5)

STEGE_LEVELS: Levels = {
    "beginner": Level(overlooked=0.7),
    "easy": Level(overlooked=0.3),
    "medium": Level(Budget(0.3, 100), STYLE),
    "hard": Level(Budget(1.0, 1500), STYLE),
    "expert": Level(Budget(2.0, 20000), STYLE),
}
