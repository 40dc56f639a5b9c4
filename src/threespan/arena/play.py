"""One match between bots, timed and written down; the tournament and its index decide everything in it."""

import hashlib
from platform import node
from time import perf_counter
from typing import NamedTuple

import msgspec

from threespan.arena.tournament import Tournament, code_digest
from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.record import write_record
from threespan.core.registry import find_game

# Every bot is asked at these decisions of a practice match, to reach the kernels of early and late play.
_PRACTICE_DECISIONS = (0, 5, 25, 125)
_PRACTICE_BUDGET = Budget(seconds=0.1, simulations=64)


class Result(msgspec.Struct, frozen=True):
    """How a match ended; every tuple goes by seat."""

    index: int
    deal: int
    bots: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    decisions: tuple[int, ...]
    thinking: tuple[float, ...]  # seconds for all decisions
    slowest: tuple[float, ...]  # seconds for one decision
    starter: int | None  # the seat that decided first; None where all seats begin at once

    @property
    def length(self) -> int:
        """The decisions of all seats."""
        return sum(self.decisions)


class Played(NamedTuple):
    """A result with the record that proves it."""

    result: Result
    record: str


class _Clock:
    """How often and how long the seats have thought."""

    def __init__(self, seats: int) -> None:
        """Nobody has thought yet."""
        self.decisions, self.thinking, self.slowest = [0] * seats, [0.0] * seats, [0.0] * seats

    def add(self, seat: int, seconds: float) -> None:
        """Add one decision."""
        self.decisions[seat] += 1
        self.thinking[seat] += seconds
        self.slowest[seat] = max(self.slowest[seat], seconds)


def play_match(tournament: Tournament, index: int) -> Played:
    """Play one match of a tournament."""
    number, deal, seated = tournament.fixture(index)
    bots = [find_bot(tournament.bots[bot]) for bot in seated]
    match = _begin(
        tournament, MatchSeed.of(f"arena {tournament.seed} {deal}"), [tournament.names[bot] for bot in seated]
    )
    clock = _Clock(len(seated))
    acting = match.position.acting()
    starter = acting[0] if len(acting) == 1 else None
    while acting:
        seat = acting[0]
        seen = match.position.observe(seat)
        seed = _thought(tournament.seed, number, seated[seat], sum(clock.decisions))
        start = perf_counter()
        action = bots[seat].choose(seen, seat, seed)
        clock.add(seat, perf_counter() - start)
        match.play(seat, action)
        acting = match.position.acting()
    scores, ranks = match.position.outcome()
    result = Result(
        index=index,
        deal=deal,
        bots=seated,
        scores=tuple(scores),
        ranks=tuple(ranks),
        decisions=tuple(clock.decisions),
        thinking=tuple(round(seconds, 6) for seconds in clock.thinking),
        slowest=tuple(round(seconds, 6) for seconds in clock.slowest),
        starter=starter,
    )
    return Played(result, write_record(match))


def practise(tournament: Tournament) -> None:
    """Get ready: play at random and ask every bot now and then, so that compiling is not taken for thinking.

    Raises UserError if this is not the program that the tournament began with, for then results would not compare.
    """
    if code_digest(tournament.game) != tournament.code:
        raise UserError(f"threespan is another version on {node()} now than where and when the tournament began")
    match = _begin(tournament, MatchSeed.of("practice"), ["practice"] * tournament.players)
    chance = find_bot("random")
    asked = [find_bot(name) for name in dict.fromkeys(tournament.bots)]
    decisions = 0
    while acting := match.position.acting():
        seat = acting[0]
        seen = match.position.observe(seat)
        if decisions in _PRACTICE_DECISIONS:
            for bot in asked:
                bot.decide(seen, seat, _PRACTICE_BUDGET, decisions)
        match.play(seat, chance.choose(seen, seat, decisions))
        decisions += 1
    write_record(match)


def _begin(tournament: Tournament, seed: MatchSeed, names: list[str]) -> Match:
    """A match with the tournament's own material, whatever lies in the folders of this machine."""
    game, options = find_game(tournament.game), tournament.read_options()
    start = game.setup(options, tournament.material)
    match = Match(Position(game, options, tournament.material, start), seed, names)
    match.let_chance_act()
    return match


def _thought(seed: int, number: int, bot: int, decision: int) -> int:
    """The seed of a bot's own randomness for one decision; two bots of the same name do not think alike."""
    return int.from_bytes(hashlib.sha256(f"{seed} {number} {bot} {decision}".encode()).digest()[:8], "big")
