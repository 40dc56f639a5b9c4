"""What environments need to know of a game beyond its rules: its actions, its observations, its rewards."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from threespan.core.errors import UserError
from threespan.core.game import Game
from threespan.core.options import Options, read_options
from threespan.core.registry import find_game
from threespan.games.elfer import state as elfer
from threespan.games.hashi import rules as hashi_rules
from threespan.games.hashi import state as hashi
from threespan.games.stege import state as stege
from threespan.research.tensor import Piece, Spelling, TensorPlan

Reward = Literal["score", "win"]

_HOT, _SEAT, _BITS, _COUNTS = Spelling.HOT, Spelling.SEAT, Spelling.BITS, Spelling.COUNTS


class NoEnvironment(UserError):
    """There is no environment of a game."""


class Range(NamedTuple):
    """Actions of one kind: from the end of the range before up to but not including `end`."""

    kind: str
    end: int
    number: str  # what an action's number in the range says


@dataclass(frozen=True)
class Description:
    """A game's actions and observations as environments show them."""

    ranges: tuple[Range, ...]  # actions of seats; those of chance come after them
    pieces: tuple[Piece, ...]

    @property
    def seat_actions(self) -> int:
        """Actions of seats are the numbers below this one."""
        return self.ranges[-1].end

    def action_table(self) -> str:
        """The actions of seats as a Markdown table."""
        lines = ["| actions | kind | number within the range |", "|---|---|---|"]
        first = 0
        for kind, end, number in self.ranges:
            lines.append(
                f"| {first}..{end - 1} | {kind} | {number} |" if end > first + 1 else f"| {first} | {kind} | |"
            )
            first = end
        return "\n".join(lines)


DESCRIPTIONS = {
    "hashi": Description(
        (
            Range("`write`", hashi.BRIDGE, "6 * island + number - 1; islands in reading order"),
            Range("`bridge`", hashi.SKIP, "which pair of islands a < b: 0-1, 0-2, ..., 0-17, 1-2, ..."),
            Range("`skip`", hashi.CARD, ""),
        ),
        (
            Piece("phase", _HOT),
            Piece("round_number"),
            Piece("card_number", _HOT),
            Piece("card_bridges", _HOT),
            Piece("pile"),
            Piece("step", _HOT, by_seat=True),
            Piece("bridges_left", by_seat=True),
            Piece("number", by_seat=True),
            Piece("bridges", by_seat=True),
            Piece("degree", by_seat=True),
            Piece("finished", _BITS, by_seat=True, bits=hashi.ISLANDS),
            Piece("closed", _BITS, by_seat=True, bits=hashi.MAX_LINES),
            Piece("written", by_seat=True),
            Piece("drawn", by_seat=True),
            Piece("start", by_seat=True),
            Piece("won_in", by_seat=True),
        ),
    ),
    "stege": Description(
        (
            Range("`lay`", stege.TAKE, "16 * row + column of the top or left field; + 256 if the jetty lies down"),
            Range("`take`", stege.MOVE, "as for `lay`"),
            Range("`move`", stege.KEEP, "257 * stone + end, which is 16 * row + column, or 256 for home"),
            Range("`keep`", stege.AGAIN, ""),
            Range("`again`", stege.PASS, ""),
            Range("`pass`", stege.START, ""),
        ),
        (
            Piece("step", _HOT),
            Piece("turn", _SEAT),
            Piece("turns"),
            Piece("die", _HOT),
            Piece("rolls", _HOT),
            Piece("taken"),
            Piece("in_hand", by_seat=True),
            Piece("corner", _HOT, by_seat=True),
            Piece("stone", by_seat=True),
            Piece("stone", _COUNTS, by_seat=True),
            Piece("across", _BITS, bits=stege.WORD_BITS),
            Piece("down", _BITS, bits=stege.WORD_BITS),
            Piece("planks", _BITS, bits=stege.WORD_BITS),
        ),
    ),
    "elfer": Description(
        (
            Range("`lay`", elfer.HAND, "20 * row + number - 1; then the symbol fields, two a row"),
            Range("`hand`", elfer.STOP, "kind of tile: 16 a row without jokers, four jokers, four symbols"),
            Range("`stop`", elfer.KEEP, ""),
            Range("`keep`", elfer.DRAW, ""),
            Range("`draw`", elfer.PASS, ""),
            Range("`pass`", elfer.SKIP, ""),
            Range("`skip`", elfer.DRAWN, ""),
        ),
        (
            Piece("phase", _HOT),
            Piece("round_number"),
            Piece("starter", _SEAT),
            Piece("turn", _SEAT),
            Piece("laid_count", _HOT),
            Piece("drawn", _HOT),
            Piece("bonus_tile", _HOT),
            Piece("board"),
            Piece("fresh", _BITS, bits=elfer.PART),
            Piece("inviting", _BITS, bits=elfer.PART),
            Piece("bag_size"),
            Piece("bag"),
            Piece("rack_size", by_seat=True),
            Piece("rack", by_seat=True),
            Piece("handed", by_seat=True),
            Piece("minus", by_seat=True),
        ),
    ),
}


class Setting:
    """A game with its options, as environments play it."""

    def __init__(self, game: Game | str, options: Options | Mapping[str, Any], reward: Reward = "score") -> None:
        """Read the options, build the tensors' plan and the state that every match begins with."""
        self.game = find_game(game) if isinstance(game, str) else game
        if self.game.code not in DESCRIPTIONS:
            raise NoEnvironment(f"there is no environment of '{self.game.code}'; there are {', '.join(DESCRIPTIONS)}")
        if reward not in ("score", "win"):
            raise NoEnvironment(f"reward is 'score' or 'win', not '{reward}'")
        self.options = options if isinstance(options, Options) else read_options(self.game.options, options)
        self.reward = reward
        self.players = self.options.players
        self.description = DESCRIPTIONS[self.game.code]
        self.seat_actions = self.description.seat_actions
        self.plan = TensorPlan(self.game.layout, self.description.pieces, self.players)
        self.material = self.game.material(self.options)
        self.start = self.game.setup(self.options, self.material)

    def __reduce__(self) -> Any:
        """Copied and sent around by what it was made of."""
        return Setting, (self.game.code, self.options, self.reward)

    def new_states(self, count: int) -> Any:
        """An array of matches that have not begun."""
        states = self.game.layout.batch(count).view(np.ndarray)  # handed to kernels a hundred times faster
        states[:] = np.frombuffer(self.start.tobytes(), self.game.layout.dtype)
        return states

    def rewards(self, scores: Any, ranks: Any) -> Any:
        """The rewards of finished matches from their scores and ranks; the last axis are the seats."""
        if self.reward == "score":
            return scores.astype(np.float32)
        wins = ranks == 1
        return (wins / wins.sum(-1, keepdims=True)).astype(np.float32)

    @cached_property
    def reward_bounds(self) -> tuple[float, float]:
        """The lowest and the highest reward that a match can bring a seat."""
        if self.reward == "win":
            return 0.0, 1.0
        return _SCORE_BOUNDS[self.game.code](self.start)

    @property
    def forfeit(self) -> float:
        """The reward of a seat that has tried something illegal: one less than the worst score."""
        return self.reward_bounds[0] - 1


def _hashi_bounds(_start: Any) -> tuple[float, float]:
    return 0.0, float(hashi.ISLANDS * hashi_rules.POINTS_PER_ISLAND + sum(hashi_rules.FULL_PAY))


def _stege_bounds(_start: Any) -> tuple[float, float]:
    return 0.0, float(stege.STONES)


def _elfer_bounds(start: Any) -> tuple[float, float]:
    tiles = elfer.FULL_BAG[int(start.has_symbols)]
    return -float(int(start.rounds) * int(tiles @ elfer.VALUE)), 0.0


_SCORE_BOUNDS = {"hashi": _hashi_bounds, "stege": _stege_bounds, "elfer": _elfer_bounds}
