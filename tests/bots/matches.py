"""Matches for the tests of bots."""

import random
from collections.abc import Callable, Iterator

from threespan.bots.bot import Decision
from threespan.core.chance import MatchSeed
from threespan.core.game import Game, Position
from threespan.core.match import Match
from threespan.core.options import Options

Player = Callable[[Position, int, int], Decision]


def decisions(game: Game, options: Options, players: list[Player], seed: int) -> Iterator[tuple[Match, int, Decision]]:
    """Play a match; yields the match, the seat and its decision before each action of a seat."""
    chooser = random.Random(seed)
    match = Match(game.start(options), MatchSeed.of(f"bots {seed}"), ["x"] * options.players)
    match.let_chance_act()
    while seats := match.position.acting():
        seat = seats[0]
        decision = players[seat](match.position.observe(seat), seat, chooser.getrandbits(60))
        yield match, seat, decision
        match.play(seat, decision.action)


def winners(game: Game, options: Options, players: list[Player], seed: int) -> list[int]:
    """The seats that win a match."""
    for match, _seat, _decision in decisions(game, options, players, seed):
        position = match.position
    _scores, ranks = position.outcome()
    return [seat for seat, rank in enumerate(ranks) if rank == 1]


def positions_to_decide(game: Game, options: Options, seed: int, every: int) -> Iterator[tuple[Position, int]]:
    """Positions of a random match with a choice, and the seat that has it."""
    chooser = random.Random(seed)

    def anything(seen: Position, seat: int, _seed: int) -> Decision:
        return Decision(chooser.choice(seen.legal(seat)))

    for index, (match, seat, _decision) in enumerate(decisions(game, options, [anything] * options.players, seed)):
        if index % every == 0 and len(match.position.legal(seat)) > 1:
            yield match.position.copy(), seat
