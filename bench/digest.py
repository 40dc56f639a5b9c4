"""Do kernels play alike however they run? `python bench/digest.py --matches 1000`.

Random matches of every game, with all its options, are played by kernels that Numba has compiled, from the libraries
for x86-64 v2 and v3, and uncompiled: every state, score, view and text and decisions of all levels are compared. Since
uncompiled kernels are slow, they play only the beginning of each match, with small searches; the others play it again
as a whole.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.bots.names import LEVELS
from threespan.core.libraries import FINGERPRINT_FILE, LIBRARY_VARIABLE, PARTS, fingerprint, this_machine
from threespan.core.registry import built_in_codes, find_game
from threespan.core.rules import CHANCE
from threespan.core.targets import X86_64_V2, X86_64_V3
from threespan.testing.digest import everything_shown
from threespan.testing.matches import random_match, variants

SHOWN_EVERY = 25  # events; states and scores are compared after each
MATCHES_PER_PROCESS = 100


class Extent(NamedTuple):
    """How much of each match is compared."""

    events: int
    decided_every: int  # events
    simulations: int


WHOLE = Extent(10**9, 40, 40)
BEGINNING = Extent(30, 20, 2)


def main() -> None:
    """Compare all ways to run kernels, and say where they differ."""
    parser = argparse.ArgumentParser(description="Compare compiled, linked and uncompiled kernels.")
    parser.add_argument("--matches", type=int, default=1000, help="of each game")
    parser.add_argument("--games", nargs="+", default=built_in_codes())
    parser.add_argument("--play", nargs=6, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.play:
        code, *numbers = chosen.play
        first, last, events, decided_every, simulations = map(int, numbers)
        print("\n".join(digests(code, range(first, last), Extent(events, decided_every, simulations))))
        return
    with tempfile.TemporaryDirectory() as folder:
        compiled: dict[str, dict[str, str]] = {"Numba": {LIBRARY_VARIABLE: "compile"}}
        linked = {name: {LIBRARY_VARIABLE: path} for name, path in link(Path(folder)).items()}
        uncompiled = {"uncompiled": {LIBRARY_VARIABLE: "compile", "NUMBA_DISABLE_JIT": "1"}}
        for code in chosen.games:
            compare(code, chosen.matches, WHOLE, compiled | linked)
            compare(code, chosen.matches, BEGINNING, compiled | linked | uncompiled)


def link(folder: Path) -> dict[str, str]:
    """The libraries of both levels of x86-64, each named as though it was the one for this machine."""
    targets = {"linked v2": X86_64_V2, "linked v3": X86_64_V3}
    names = ["-".join(target) for target in targets.values()]
    subprocess.run([sys.executable, "-m", "threespan.core.linking", str(folder / "all"), *names], check=True)
    for name, target in targets.items():
        (folder / name).mkdir()
        for part in PARTS:
            shutil.copy(folder / "all" / target.file_name(part), folder / name / this_machine().file_name(part))
        (folder / name / FINGERPRINT_FILE).write_text(fingerprint(), "utf-8")
    return {name: str(folder / name) for name in targets}


def compare(code: str, matches: int, extent: Extent, ways: dict[str, dict[str, str]]) -> None:
    """Play the same matches in several ways; exits with the first match that differs."""
    jobs = [(way, first) for first in range(0, matches, MATCHES_PER_PROCESS) for way in ways]

    def play(job: tuple[str, int]) -> list[str]:
        way, first = job
        numbers = [first, min(first + MATCHES_PER_PROCESS, matches), *extent]
        command = [sys.executable, __file__, "--play", code, *map(str, numbers)]
        done = subprocess.run(command, env=os.environ | ways[way], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{code}, {way}: {done.stderr}")
        return done.stdout.split()

    found: dict[str, list[str]] = {way: [] for way in ways}
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for (way, _), lines in zip(jobs, workers.map(play, jobs), strict=True):
            found[way] += lines
    for number, digests_of_match in enumerate(zip(*found.values(), strict=True)):
        if len(set(digests_of_match)) > 1:
            sys.exit(f"{code}: match {number} differs: {dict(zip(found, digests_of_match, strict=True))}")
    how_far = "whole matches" if extent is WHOLE else f"the first {extent.events} events"
    print(f"{code}: {matches} matches ({how_far}) are the same with {', '.join(ways)}", flush=True)


def digests(code: str, numbers: range, extent: Extent) -> list[str]:
    """A hash of each of some random matches."""
    game = find_game(code)
    options = variants(game)
    return [_digest(code, number, options[number % len(options)], extent) for number in numbers]


def _digest(code: str, number: int, options: object, extent: Extent) -> str:
    digest = hashlib.sha256()
    for match in random_match(find_game(code), options, number, extent.events):  # type: ignore[arg-type]
        position, count = match.position, len(match.events)
        digest.update(f"{position.text()} {position.outcome()}".encode())
        if (count + number) % SHOWN_EVERY == 0 or position.is_over:
            for part in everything_shown(match):
                digest.update(repr(part).encode())
        seat = next((seat for seat in position.acting() if seat != CHANCE), None)
        if seat is not None and (count + number) % extent.decided_every == 0:
            bot = find_bot(LEVELS[(count // extent.decided_every + number) % len(LEVELS)])
            decision = bot.decide(position.observe(seat), seat, Budget(simulations=extent.simulations), number)
            digest.update(repr(decision).encode())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    main()
