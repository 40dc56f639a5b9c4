"""The schedule of a tournament: which bots play on which seats with which seed in each match."""

import hashlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from threespan.bots.levels import find_bot
from threespan.core.errors import UserError
from threespan.core.game import Material
from threespan.core.options import Options, read_options
from threespan.core.registry import find_game

_PACKAGE = Path(__file__).resolve().parents[1]
# Everything that results can depend on: rules, material, bots with their weights, and how the arena plays.
_RELEVANT_SOURCES = ("core", "games", "bots", "arena/tournament.py", "arena/play.py")


class Fixture(NamedTuple):
    """One match of a tournament before it is played."""

    number: int  # among the matches of its table
    deal: int  # matches of the same deal have the same seed
    bots: tuple[int, ...]  # by seat; each bot as its index in Tournament.bots


@dataclass(frozen=True)
class Tournament:
    """A game with its options and material, the bots, and how many matches each table plays.

    A table is a combination of as many bots as there are players. With as many bots as players there is one table; with
    more, there is one for every combination: for two players a round robin.

    At a table the bots rotate: as many matches as there are players have the same seed (they form a deal), and every
    bot plays every seat once. The order around the table changes from deal to deal, so that after 1, 2, 6 or 24 matches
    (one to four players) every seating has been played equally often. All tables play the same deals.

    The index of a match and everything in it do not depend on the number of matches, so a tournament can be extended.
    """

    game: str
    options: dict[str, Any]
    material: Material
    bots: tuple[str, ...]
    seed: int
    games: int
    code: str  # fingerprint of the code that plays it

    @classmethod
    def of(cls, game: str, settings: Mapping[str, Any], bots: Sequence[str], seed: int, games: int) -> "Tournament":
        """Create a tournament; raises UserError. Without the option `players` all bots play at one table."""
        for name in bots:
            find_bot(name)
        found = find_game(game)
        options = read_options(found.options, {"players": len(bots)} | dict(settings))
        if len(bots) < options.players:
            raise UserError(f"{len(bots)} bots for {options.players} players; name a bot twice to give it two seats")
        material, code = found.material(options), code_digest(game)
        return cls(game, msgspec.to_builtins(options), material, tuple(bots), seed, games, code)

    @property
    def players(self) -> int:
        """The number of bots at a table."""
        return int(self.options["players"])

    @property
    def names(self) -> list[str]:
        """The names of the bots, with numbers appended to equal names."""
        return [
            name if self.bots.count(name) == 1 else f"{name} {self.bots[: at + 1].count(name)}"
            for at, name in enumerate(self.bots)
        ]

    @cached_property
    def tables(self) -> list[tuple[int, ...]]:
        """Every combination of as many bots as players."""
        return list(combinations(range(len(self.bots)), self.players))

    @property
    def matches(self) -> int:
        """The total number of matches."""
        return self.games * len(self.tables)

    @property
    def command(self) -> str:
        """The command that plays this tournament; options with default values are omitted."""
        defaults = msgspec.to_builtins(read_options(find_game(self.game).options, {"players": self.players}))
        defaults["players"] = len(self.bots)
        words = ["threespan", "arena", self.game, *self.bots, "--games", str(self.games), "--seed", str(self.seed)]
        for name, value in self.options.items():
            if value != defaults[name]:
                words += ["-o", f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"]
        return shlex.join(words)

    def read_options(self) -> Options:
        """The options as the game's own type."""
        return read_options(find_game(self.game).options, self.options)

    def indices(self) -> Iterator[int]:
        """The indices of all matches in order: all tables play a deal before the next one starts."""
        deals = -(-self.games // self.players)
        for index in range(deals * len(self.tables) * self.players):
            if self.fixture(index).number < self.games:
                yield index

    def fixture(self, index: int) -> Fixture:
        """The deal of a match, and which bot plays which seat."""
        block, turn = divmod(index, self.players)
        deal, table = divmod(block, len(self.tables))
        first, *others = self.tables[table]
        orders = list(permutations(others))
        order = (first, *orders[deal % len(orders)])
        return Fixture(deal * self.players + turn, deal, order[turn:] + order[:turn])


def code_digest(game: str) -> str:
    """A fingerprint of all installed code that the results of a tournament can depend on."""
    digest = hashlib.sha256()
    parts = [_PACKAGE / part for part in _RELEVANT_SOURCES]
    own = find_game(game).folder.resolve()
    if not own.is_relative_to(_PACKAGE):
        parts.append(own)
    for part in parts:
        for file in [part] if part.is_file() else sorted(part.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(part.parent).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def material_digest(material: Material) -> str:
    """A fingerprint of boards and decks."""
    return hashlib.sha256(msgspec.json.encode(material, order="sorted")).hexdigest()[:16]
