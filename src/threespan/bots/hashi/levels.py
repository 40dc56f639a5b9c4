"""The levels of Hashi. The limits of time are only reached on slow machines; `threespan arena` measures the ladder."""

from threespan.bots.bot import Budget
from threespan.bots.hashi.player import HashiPlayer, Skill
from threespan.bots.players import Levels

SKILLS = {
    "beginner": Skill(attention=0.05, minds_races=False),
    "easy": Skill(attention=0.25),
    "medium": Skill(),
    "hard": Skill(candidates=4, budget=Budget(seconds=0.9, simulations=40)),
    "expert": Skill(knows_boards=True, candidates=8, looks=(12, 4, 4), budget=Budget(seconds=1.4, simulations=10_000)),
}

LEVELS: Levels = {level: HashiPlayer(skill) for level, skill in SKILLS.items()}
