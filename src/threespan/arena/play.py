"""Play and time one match between bots; it is determined by the tournament and the match's index."""

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

# Every bot decides at these points of a practice match, to compile the kernels of early and late play.
_PRACTICE_DECISIONS = (0, 5, 25, 125)
_PRACTICE_BUDGET = Budget(seconds=0.1, simulations=64)


class Result(msgspec.Struct, frozen=True):
    """The result of a match; every tuple is by seat."""

    index: int
    deal: int
    bots: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    decisions: tuple[int, ...]
    thinking: tuple[float, ...]  # seconds for all decisions
    slowest: tuple[float, ...]  # seconds for one decision
    starter: int | None  # the seat that decided first; None if all seats start simultaneously

    @property
    def length(self) -> int:
        """The number of decisions of all seats."""
        return sum(self.decisions)


class PlayedMatch(NamedTuple):
    """A result with the record of the match."""

    result: Result
    record: str


class _Clock:
    """Counts and times the decisions of each seat."""

    def __init__(self, seats: int) -> None:
        """Start at zero."""
        self.decisions, self.thinking, self.slowest = [0] * seats, [0.0] * seats, [0.0] * seats

    def add(self, seat: int, seconds: float) -> None:
        """Add a decision."""
        self.decisions[seat] += 1
        self.thinking[seat] += seconds
        self.slowest[seat] = max(self.slowest[seat], seconds)


def play_match(tournament: Tournament, index: int) -> PlayedMatch:
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
        seed = _decision_seed(tournament.seed, number, seated[seat], sum(clock.decisions))
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
    return PlayedMatch(result, write_record(match))


def warm_up(tournament: Tournament) -> None:
    """Play a practice match in which every bot decides, so that compilation does not count as thinking time.

    Raises UserError if the code has changed since the tournament started, since results would not be comparable.
    """
    if code_digest(tournament.game) != tournament.code:
        raise UserError(f"the version of threespan on {node()} is not the one that the tournament was started with")
    match = _begin(tournament, MatchSeed.of("practice"), ["practice"] * tournament.players)
    random_bot = find_bot("random")
    bots = [find_bot(name) for name in dict.fromkeys(tournament.bots)]
    decisions = 0
    while acting := match.position.acting():
        seat = acting[0]
        seen = match.position.observe(seat)
        if decisions in _PRACTICE_DECISIONS:
            for bot in bots:
                bot.decide(seen, seat, _PRACTICE_BUDGET, decisions)
        match.play(seat, random_bot.choose(seen, seat, decisions))
        decisions += 1
    write_record(match)


def _begin(tournament: Tournament, seed: MatchSeed, names: list[str]) -> Match:
    """Start a match with the tournament's own material, whatever files this machine has."""
    game, options = find_game(tournament.game), tournament.read_options()
    start = game.setup(options, tournament.material)
    match = Match(Position(game, options, tournament.material, start), seed, names)
    match.let_chance_act()
    return match


def _decision_seed(seed: int, number: int, bot: int, decision: int) -> int:
    """The seed for one decision of a bot; two bots with the same name get different seeds."""
    return int.from_bytes(hashlib.sha256(f"{seed} {number} {bot} {decision}".encode()).digest()[:8], "big")
