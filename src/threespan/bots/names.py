"""The names of the bots, available without loading the bots themselves."""

LEVELS = ("beginner", "easy", "medium", "hard", "expert")  # weakest first
AUTOPILOT = "easy"  # plays on after a resignation, and finishes a turn whose clock has run out


def bot_names() -> list[str]:
    """The names of all bots, weakest first."""
    return ["random", *LEVELS]
