"""The bots of a game: every level decides and has a name."""

from threespan.bots.bot import Budget
from threespan.bots.cast import character
from threespan.bots.levels import find_bot, levels_of
from threespan.bots.names import bot_names
from threespan.core.kernel import IS_UNCOMPILED
from threespan.core.words import LANGUAGES
from threespan.testing.matches import some_positions, variants
from threespan.testing.subject import Checks, Subject

POSITIONS = 1 if IS_UNCOMPILED else 3  # per number of players
VARIANTS = 1 if IS_UNCOMPILED else None
SMALL_BUDGET = Budget(simulations=2 if IS_UNCOMPILED else 8)
CHECKS = Checks()


@CHECKS.add
def every_level_decides(subject: Subject) -> None:
    """Every level chooses legal actions, whether by the game's own levels, by guided or by plain search."""
    game = subject.game
    levels_of(game.code)
    for seed, options in enumerate(variants(game)[: VARIANTS or len(game.seat_counts)], 300):
        decisions = [p for p in some_positions(game, options, seed, 50) if set(p.seats) & set(p.acting())]
        for position in decisions[:: max(1, len(decisions) // POSITIONS)][:POSITIONS]:
            seat = position.acting()[0]
            seen = position.observe(seat)
            for level in bot_names():
                decision = find_bot(level).decide(seen.copy(), seat, SMALL_BUDGET, seed)
                assert decision.action in seen.legal(seat), f"the level '{level}' chose an illegal action"


@CHECKS.add
def every_level_has_a_name(subject: Subject) -> None:
    """Every level has a character or at least the name of the level."""
    for level in bot_names():
        for language in LANGUAGES:
            assert character(subject.game.code, level, language).name.strip()
