"""Load test of the server compared with boardgame.io, in one run: `python bench/load.py [--json]`.

Needs Node.js and npm for boardgame.io 0.50.2 and the load generator. Server and generator are pinned to one core each.
Ours plays the game whose plan says so (`plans.py`), every move stored (SQLite, synchronous=FULL) before it is
confirmed; boardgame.io plays tic-tac-toe in memory. A move's time runs from its sending to its confirmation at the
player who made it.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from plans import loaded_game

HERE = Path(__file__).parent / "load"
SERVER_CORE, GENERATOR_CORE = 0, 1
LOADS = [(1, 100), (100, 1000), (500, 1000), (500, 0)]  # matches, milliseconds between two moves of a match
NO_LIMITS = {
    "messages_per_second": 1e6,
    "messages_at_once": 1_000_000,
    "address_messages_per_second": 1e6,
    "address_messages_at_once": 1_000_000,
    "connections_per_address": 10_000,
    "requests_per_second": 1e6,
    "requests_at_once": 1_000_000,
    "tables_per_hour": 1_000_000,
}


def prepare(folder: Path, sources: Path = HERE) -> None:
    """Install boardgame.io and the generator's library."""
    for file in sources.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)


def start_server(kind: str, port: int, folder: Path, bot_threads: int = 0) -> subprocess.Popen[bytes]:
    """Start a server pinned to its core."""
    if kind == "boardgame.io":
        command = ["node", "boardgame.cjs", str(port)]
    else:
        settings = {"port": port, "database": f"sqlite:///{folder}/load.sqlite", "limits": NO_LIMITS}
        command = [
            sys.executable,
            "-c",
            START_SERVER,
            json.dumps(settings | {"bot_threads": bot_threads, "log_level": "warning"}),
        ]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    os.sched_setaffinity(process.pid, {SERVER_CORE})
    wait_for(f"http://127.0.0.1:{port}/{'games' if kind == 'boardgame.io' else 'healthz'}")
    return process


START_SERVER = """
import json, sys
from threespan.server.serving import serve
from threespan.server.settings import read_settings
serve(read_settings(json.loads(sys.argv[1])))
"""


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    for _ in range(1200):
        try:
            urllib.request.urlopen(url, timeout=5).read()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{url} does not answer")


def memory_mb(pid: int) -> dict[str, float]:
    """The resident memory of a process: in total, and without file pages that can be shared."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {
        "rss_mb": int(fields["VmRSS"].split()[0]) / 1024,
        "own_mb": int(fields["RssAnon"].split()[0]) / 1024,
    }


def measure(
    kind: str,
    port: int,
    folder: Path,
    matches: int,
    interval: int,
    seconds: float,
    bots: Callable[[int], AbstractContextManager[None]] | None = None,
) -> dict[str, float]:
    """Measure one load on a new server; `bots` keeps the bots at a port busy meanwhile."""
    server = start_server(kind, port, folder, bot_threads=0 if bots is None else 1)
    with ExitStack() as stack:
        stack.callback(server.wait)
        stack.callback(server.kill)
        if bots is not None:
            stack.enter_context(bots(port))
        plan = {"kind": kind, "port": port, "game": loaded_game(), "matches": matches, "interval": interval}
        plan |= {"warmup": 3, "seconds": seconds}
        generator = subprocess.Popen(
            ["node", "generator.mjs", json.dumps(plan)], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        os.sched_setaffinity(generator.pid, {GENERATOR_CORE})
        peak: dict[str, float] = {}
        while generator.poll() is None:
            time.sleep(0.25)
            now = memory_mb(server.pid)
            peak = {name: max(value, peak.get(name, 0)) for name, value in now.items()}
        assert generator.stdout is not None
        figures: dict[str, float] = json.loads(generator.stdout.read().splitlines()[-1])
    return figures | peak


def main() -> None:
    """Measure both servers with every load, in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", choices=["threespan", "boardgame.io"])
    parser.add_argument("--matches", type=int, help="only loads with this number of matches")
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        port = 18_400
        for matches, interval in LOADS:
            if options.matches not in (None, matches):
                continue
            for kind in ("boardgame.io", "threespan"):
                if options.only in (None, kind):
                    port += 1
                    figures = measure(kind, port, folder, matches, interval, options.seconds)
                    row = {"server": kind, "matches": matches, "interval_ms": interval, **figures}
                    results.append(row)
                    print({k: round(v, 2) if isinstance(v, float) else v for k, v in row.items()}, file=sys.stderr)
    if options.json:
        print(json.dumps({"loads": results}, indent=1))


if __name__ == "__main__":
    main()
