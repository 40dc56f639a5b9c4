"""CPU time of the server per move, compared with another checkout: `python bench/server_cpu.py OTHER [--rounds 5]`.

OTHER is the root of a checkout with an environment of its own in `.venv`. In each round both servers run on one core
and are loaded in turns of a second each, so that whatever else slows the machine down hits both alike. Each is loaded
by the generator of its own checkout, because messages may differ: two people at each of 100 tables, five moves a second
at each, every move stored before it is confirmed. What counts is the CPU time of the whole process while the generator
measures, divided by the moves in that time.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import load
from plans import loaded_game

ROOT = Path(__file__).resolve().parents[1]
MATCHES, INTERVAL_MS, WARMUP_SECONDS, TURN_SECONDS = 100, 200, 10, 1.0


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process so far, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_server(root: Path, port: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start the server of a checkout, pinned to its core."""
    limits = {"database": f"sqlite:///{folder}/{port}.sqlite", "limits": load.NO_LIMITS}
    settings = {"port": port, _setting_for_bots(root): 0, "log_level": "warning"} | limits
    command = [str(root / ".venv" / "bin" / "python"), "-c", load.START_SERVER, json.dumps(settings)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    load.wait_for(f"http://127.0.0.1:{port}/healthz")
    os.sched_setaffinity(process.pid, {load.SERVER_CORE})
    return process


def _setting_for_bots(root: Path) -> str:
    """What a checkout calls the number of its bots."""
    source = (root / "src" / "threespan" / "server" / "settings.py").read_text("utf-8")
    return "bot_threads" if "bot_threads" in source else "bot_processes"


def start_generator(port: int, folder: Path, seconds: float) -> subprocess.Popen[str]:
    """Start the load of a server, pinned to the other core."""
    plan = {"kind": "threespan", "port": port, "game": loaded_game(), "matches": MATCHES}
    plan |= {"interval": INTERVAL_MS, "warmup": WARMUP_SECONDS, "seconds": seconds}
    command = ["node", "generator.mjs", json.dumps(plan)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    os.sched_setaffinity(process.pid, {load.GENERATOR_CORE})
    return process


def measure(server: int, generator: "subprocess.Popen[str]") -> float:
    """Microseconds of CPU time a move, from when a generator begins to measure until it is done."""
    assert generator.stdout is not None
    generator.stdout.readline()
    before = cpu_seconds(server)
    moves = json.loads(generator.stdout.readline())["moves"]
    return 1e6 * (cpu_seconds(server) - before) / float(moves)


def take_turns(processes: list["subprocess.Popen[str]"], is_over: threading.Event) -> None:
    """Let only one of some processes run at a time."""
    turn = 0
    while not is_over.wait(TURN_SECONDS):
        for index, process in enumerate(processes):
            process.send_signal(signal.SIGCONT if index == turn else signal.SIGSTOP)
        turn = (turn + 1) % len(processes)
    for process in processes:
        process.send_signal(signal.SIGCONT)


def run_round(roots: list[Path], folders: list[Path], port: int, seconds: float) -> list[float]:
    """Microseconds of CPU time a move of each checkout, on new servers."""
    ports = range(port, port + len(roots))
    servers = [start_server(*where) for where in zip(roots, ports, folders, strict=True)]
    generators = [start_generator(*where, seconds) for where in zip(ports, folders, strict=True)]
    is_over = threading.Event()
    try:
        with ThreadPoolExecutor() as threads:
            pairs = zip(servers, generators, strict=True)
            figures = [threads.submit(measure, server.pid, generator) for server, generator in pairs]
            time.sleep(WARMUP_SECONDS / 2)  # until all people have joined
            threads.submit(take_turns, generators, is_over)
            try:
                return [figure.result() for figure in figures]
            finally:
                is_over.set()
    finally:
        for generator in generators:
            generator.kill()
            generator.wait()
        for server in servers:
            server.kill()
            server.wait()


def main() -> None:
    """Measure both checkouts, round by round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=40.0)
    options = parser.parse_args()
    roots = [options.other.resolve(), ROOT]
    figures: list[list[float]] = []
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / which for which in ("other", "this")]
        for root, folder in zip(roots, folders, strict=True):
            folder.mkdir()
            load.prepare(folder, root / "bench" / "load")
        for number in range(options.rounds):
            figures.append(run_round(roots, folders, 18_500 + 2 * number, options.seconds))
            other, this = figures[-1]
            print(f"other {other:.0f}, this {this:.0f} microseconds a move, ratio {this / other:.3f}", flush=True)
    ratio = statistics.median(this / other for other, this in figures)
    medians = [statistics.median(figure) for figure in zip(*figures, strict=True)]
    print(f"medians: other {medians[0]:.0f}, this {medians[1]:.0f}, ratio {ratio:.3f}")


if __name__ == "__main__":
    main()
