"""The names of the bots and which games they have learnt: what can be known without loading them."""

LEVELS = ("beginner", "easy", "medium", "hard", "expert")  # weakest first
GAMES = ("elfer", "hashi", "stege")  # with levels of their own; all others are played by plain search


def bot_names() -> list[str]:
    """The names of all bots, weakest first."""
    return ["random", *LEVELS]
