r"""Write a digest of linked kernels at work, which `replay.c` repeats with the libraries of any machine: FILE.

Some matches of all games are played with bots of all levels. Every call of a library is noted: the symbol, its
arguments, the result, and every byte that it changes. What is in memory is noted as the changes since it was last seen.

All numbers of the file are little-endian:

    file:    "3SPAN-DIGEST-1\0\0", calls: i64, call...
    call:    part: u8 (0 rules, 1 bots), result: u8 (0 none, 1 bool, 2 number), count: u8, length: u8, symbol,
             argument..., value: i64, patches for every buffer
    argument: 0: u8, number: i64; or 1: u8, slot: u32, size: u32, patches
    patches: count: u32, (offset: u32, length: u32, bytes)...
"""

import ctypes
import random
import struct
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.bots.names import LEVELS
from threespan.core import calls, linked
from threespan.core.chance import MatchSeed
from threespan.core.kernel import IS_LINKED
from threespan.core.libraries import PARTS
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.picture import picture_of
from threespan.core.random_play import play_at_random
from threespan.core.registry import find_game
from threespan.core.rules import WATCHER

MAGIC = b"3SPAN-DIGEST-1\0\0"
MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("hashi", {"players": 1}),
    ("hashi", {"players": 3, "side": "B", "pen": "free"}),
    ("stege", {"players": 2}),
    ("stege", {"players": 4, "must_move": False}),
    ("elfer", {"players": 2}),
    ("elfer", {"players": 4, "symbols": True, "opening": "may"}),
]
_SIMULATIONS = 24
_MAX_EVENTS = 300  # in a match
_MAX_CALLS = 1500  # of a function of the rules that are noted
_BLOCK = 64  # bytes that are compared at once
_RESULTS = {None: 0, ctypes.c_bool: 1, ctypes.c_int64: 2}


class Digest:
    """A file of calls."""

    def __init__(self, file: BinaryIO) -> None:
        """Begin the file."""
        self.calls: Counter[str] = Counter()
        self.decisions = 0  # that were completed
        self._file = file
        self._slots: dict[tuple[int, int], int] = {}  # by address and size
        self._contents: list[bytes] = []  # of the slots, after the last call
        file.write(MAGIC + struct.pack("<q", 0))

    def close(self) -> None:
        """Note how many calls there are."""
        self._file.seek(len(MAGIC))
        self._file.write(struct.pack("<q", self.calls.total()))

    def call(self, function: "NotedFunction", arguments: tuple[Any, ...]) -> Any:
        """Call a function and note everything about it, unless it has been noted very often."""
        if function.part == 0 and self.calls[function.name] == _MAX_CALLS:
            return function.found(*arguments)
        head = struct.pack("<4B", function.part, _RESULTS[function.restype], len(arguments), len(function.name))
        noted = [head + function.name.encode(), *map(self._argument, arguments)]
        result = function.found(*arguments)
        noted.append(struct.pack("<q", result or 0))
        noted += [self._changes(self._slot(buffer), buffer.tobytes()) for buffer in arguments if _is_buffer(buffer)]
        self._file.write(b"".join(noted))
        self.calls[function.name] += 1
        self.decisions += function.part == 1 and result
        return result

    def _argument(self, argument: Any) -> bytes:
        if not _is_buffer(argument):
            return struct.pack("<Bq", 0, argument)
        slot, content = self._slot(argument), argument.tobytes()
        return struct.pack("<BII", 1, slot, len(content)) + self._changes(slot, content)

    def _slot(self, buffer: Any) -> int:
        """The slot of a buffer; one that is new is full of zeros."""
        size = len(buffer.tobytes())
        slot = self._slots.setdefault((buffer._as_parameter_, size), len(self._slots))
        if slot == len(self._contents):
            self._contents.append(bytes(size))
        return slot

    def _changes(self, slot: int, content: bytes) -> bytes:
        """The patches that turn what a slot contained into what it contains now."""
        patches = list(_patches(self._contents[slot], content))
        self._contents[slot] = content
        packed = [struct.pack("<II", start, end - start) + content[start:end] for start, end in patches]
        return struct.pack("<I", len(patches)) + b"".join(packed)


def _is_buffer(argument: Any) -> bool:
    return hasattr(argument, "_as_parameter_")


def _patches(before: bytes, after: bytes) -> Iterator[tuple[int, int]]:
    """Where two contents differ, in whole blocks: start and end."""
    if before == after:
        return
    starts = range(0, len(after), _BLOCK)
    changed = [start for start in starts if before[start : start + _BLOCK] != after[start : start + _BLOCK]]
    begin = end = changed[0]
    for start in changed:
        if start > end:
            yield begin, end
            begin = start
        end = min(start + _BLOCK, len(after))
    yield begin, end


class NotedFunction:
    """A library function whose calls are noted."""

    argtypes: Any
    restype: Any

    def __init__(self, digest: Digest, name: str, part: int, found: Any) -> None:
        """Wrap a function of a part."""
        self.name, self.part, self.found, self._digest = name, part, found, digest

    def __call__(self, *arguments: Any) -> Any:
        self.found.argtypes, self.found.restype = self.argtypes, self.restype
        return self._digest.call(self, arguments)


def note_calls(digest: Digest) -> None:
    """From now on, note all calls of libraries."""

    def find(name: str, is_long: bool) -> NotedFunction:
        for index, part in enumerate(PARTS):
            if (found := getattr(linked._library(part, is_long), name, None)) is not None:
                return NotedFunction(digest, name, index, found)
        raise linked.MissingLibrary(name)

    linked._find = find


def play(code: str, values: dict[str, Any]) -> None:
    """Play a match with bots of all levels, and look at everything that players would see."""
    game = find_game(code)
    match = Match.new(game, read_options(game.options, values), MatchSeed.of(code))
    play_at_random(match.position, repeats=3)
    picture_of(game, match.position.state, WATCHER, "en")
    seats, choose = match.position.seats, random.Random(code).choice
    turn = 0
    while not match.is_over and len(match.events) < _MAX_EVENTS:
        seat = match.acting()[0]
        bot, budget = find_bot(LEVELS[turn % len(LEVELS)]), Budget(simulations=_SIMULATIONS)
        decision = bot.decide(match.position.observe(seat), seat, budget, seed=turn)
        turn += 1
        action = choose([decision.action, decision.action, choose(match.position.legal(seat))])
        look(match, seat, action)
        match.play(seat, action)
    for seat in seats:
        list(match.position.score_sheet(seat))
        game.costs(match.position.state, seat, "en")
        game.verdict(match.position.state, seat, "en")
    match.position.outcome()


def look(match: Match, seat: int, action: int) -> None:
    """Call what a table calls before an action."""
    game, position = match.game, match.position
    for viewer in (WATCHER, *position.seats):
        seen = position.observe(viewer)
        game.view(seen.state, viewer)
        game.sees(position.state, seat, action, viewer)
        if viewer != WATCHER:
            seen.imagine(viewer, seed=len(match.events))
            game.faults(seen.state, viewer, "en")
            game.may_doubt(seen.state, viewer)
            for board in position.seats:
                game.has_fault(seen.state, board)
    position.outcome()
    game.prompt(position.state, seat, "en")
    game.path(position.state, seat, action)
    game.uncovers(position.state, seat, action)
    game.current_scores(position)
    for other in range(0, game.action_count, 11):
        position.check(seat, other)
    copy = position.copy()
    game.refresh(copy.state)
    calls.apply_action(copy._states, seat, action)


def main(file_name: str) -> None:
    """Write the digest of all matches and print how many decisions and calls it contains."""
    if not IS_LINKED:
        sys.exit("The libraries are missing: name their folder in THREESPAN_LIBRARY.")
    with Path(file_name).open("wb") as file:
        digest = Digest(file)
        note_calls(digest)
        for code, values in MATCHES:
            play(code, values)
        digest.close()
    print(f"{digest.calls.total()} calls of {len(digest.calls)} functions, {digest.decisions} decisions")
    for name, count in sorted(digest.calls.items()):
        print(f"{count:8} {name}")


if __name__ == "__main__":
    main(sys.argv[1])
