"""The levels of Elfer. The limits of time are only reached on slow machines; `threespan arena` measures the ladder."""

from threespan.bots.bot import Budget
from threespan.bots.search import Style
from threespan.bots.search_levels import Level, Levels

STYLE = Style()

ELFER_LEVELS: Levels = {
    "beginner": Level(overlooked=0.7),
    "easy": Level(overlooked=0.0),
    "medium": Level(Budget(0.3, 500), STYLE),
    "hard": Level(Budget(1.0, 3000), STYLE),
    "expert": Level(Budget(2.0, 20000), STYLE),
}
