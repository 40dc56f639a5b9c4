"""The levels of Stege. The limits of time are only reached on slow machines; `threespan arena` measures the ladder."""

from threespan.bots.bot import Budget
from threespan.bots.players import Levels
from threespan.bots.stege.player import Skill, StegePlayer

SKILLS = {
    "beginner": Skill(overlooked=0.95),
    "easy": Skill(overlooked=0.84),
    "medium": Skill(overlooked=0.62),
    "hard": Skill(),
    "expert": Skill(candidates=8, horizon=2, budget=Budget(seconds=1.9, simulations=600)),
}

LEVELS: Levels = {level: StegePlayer(skill) for level, skill in SKILLS.items()}
