"""The levels of Elfer. The limits of time are only reached on slow machines; `threespan arena` measures the ladder."""

from threespan.bots.bot import Budget
from threespan.bots.elfer.player import ElferPlayer, Skill
from threespan.bots.players import Levels

SKILLS = {
    "beginner": Skill(attention=0.4, considers_others=False),
    "easy": Skill(attention=0.75, considers_others=False),
    "medium": Skill(),
    "hard": Skill(candidates=6, budget=Budget(0.9, 200)),
    "expert": Skill(infers_from_play=True, candidates=32, budget=Budget(1.9, 5000)),
}

LEVELS: Levels = {level: ElferPlayer(skill) for level, skill in SKILLS.items()}
