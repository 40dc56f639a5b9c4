"""Do bots slow down people at other tables? `PYTHONPATH=. python bench/load_with_bots.py`.

500 matches between people, as in `load.py`, with and without tables at which somebody plays experts of all games and
answers at once; in turns. The bots' threads run on the server's core, so they take whatever time it has left.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from load import GENERATOR_CORE, measure, prepare
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from threespan.core.registry import built_in_codes
from tools.trial import Client

MATCHES, INTERVAL = 500, 1000  # milliseconds between two moves of a match
TABLES = 6  # with bots


def main() -> None:
    """Measure with and without bots, in turns."""
    parser = argparse.ArgumentParser(description="Measure the load of 500 matches with and without bots.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--play-at", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.play_at:
        os.nice(19)  # it must not slow down the generator, which measures
        play_against_bots(chosen.play_at)
        return
    p99: dict[bool, list[float]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        for number in range(chosen.rounds):
            for has_bots in p99:
                port = 18_700 + 2 * number + has_bots
                bots = busy_bots if has_bots else None
                figures = measure("threespan", port, Path(name), MATCHES, INTERVAL, chosen.seconds, bots)
                p99[has_bots].append(figures["p99_ms"])
                print({"bots": has_bots} | {key: round(value, 2) for key, value in figures.items()}, flush=True)
    print(f"p99 with bots: {median(p99[True]) / median(p99[False]):.3f} of that without")


@contextmanager
def busy_bots(port: int) -> Iterator[None]:
    """Somebody who plays bots at some tables, in another process on the generator's core."""
    process = subprocess.Popen([sys.executable, __file__, "--play-at", str(port)], stdout=subprocess.PIPE, text=True)
    os.sched_setaffinity(process.pid, {GENERATOR_CORE})
    assert process.stdout is not None
    process.stdout.readline()  # the first bot has answered everywhere
    try:
        yield
    finally:
        process.kill()
        process.wait()


def play_against_bots(port: int) -> None:
    """Play against experts at some tables, one match after the other, until this process is killed."""
    has_begun = threading.Barrier(TABLES + 1)
    games = built_in_codes()
    for number in range(TABLES):
        arguments = (port, games[number % len(games)], has_begun)
        threading.Thread(target=_play_matches, args=arguments, daemon=True).start()
    has_begun.wait()
    print("ready", flush=True)
    threading.Event().wait()


def _play_matches(port: int, game: str, has_begun: threading.Barrier) -> None:
    actions = _play_match(port, game)
    next(actions)
    has_begun.wait()
    while True:
        for _ in actions:
            pass
        actions = _play_match(port, game)


def _play_match(port: int, game: str) -> Iterator[str]:
    """Play a match against an expert; yields each action when it has been answered."""
    body = json.dumps({"game": game, "seats": [{"kind": "here"}, {"kind": "bot", "level": "expert"}]}).encode()
    url, headers = f"http://127.0.0.1:{port}/api/tables", {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
        opened = json.loads(answer.read())
    with connect(f"{url.replace('http', 'ws')}/{opened['id']}/socket", max_size=2**22) as line:
        client = Client(line)
        client.send(type="hello", version=1, key=opened["keys"][0]["key"])
        client.until(lambda message: message["type"] == "welcome")
        client.ask("join", name="Bench", share="0" * 64)
        while True:
            client.until(lambda _: bool(client.update.get("result") or client.update.get("now", {}).get("legal")))
            if client.update.get("result"):
                return
            action, seen = client.update["now"]["legal"][-1], client.update["notice_count"]
            client.ask("play", seat=client.update["seat"], notices_seen=seen, action_texts=[action])
            client.until(lambda _, seen=seen: client.update["notice_count"] != seen)
            yield action


if __name__ == "__main__":
    try:
        main()
    except ConnectionClosed:
        sys.exit("the server has gone")
