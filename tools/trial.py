"""Play with the Threespan that is installed beside this Python, as somebody would who has just installed it.

A match of every game against the strongest bot in the terminal, a server that answers, a table of every game there, and
the records of them all. Runs with nothing but what the package itself brings along:
`ENVIRONMENT/bin/python -I tools/trial.py FOLDER`.
"""

import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

COMMAND = Path(sys.executable).parent / "threespan"
PATIENCE = 900.0  # seconds: a machine for which there is no wheel compiles the rules first
MOVES = 3
BOT = "expert"
SEED = 5
GAMES = {"hashi": [], "stege": ["board=small", "jetties_each=6"], "elfer": []}  # with options that make them short
# What the terminal prints: before a list of actions, and at the end of its answer to a question mark.
POSSIBLE, HELP = "Possible now:", "Type an action"


class TrialFailed(Exception):
    """What is installed does not do what it should."""


def main() -> None:
    """Try everything; what is written goes to a new folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    os.environ["THREESPAN_STATE"] = str(folder / "state")
    records = [play_in_terminal(game, folder / "state" / "records") for game in GAMES]
    with server(folder) as base:
        look_at_page(base)
        records += [play_at_table(base, game, folder / f"table-{game}.jsonl") for game in GAMES]
    run("record", "check", *map(str, records))
    print(
        f"{run('--version').strip()}: played {', '.join(GAMES)} in the terminal and at a table; all records are right",
        file=sys.stderr,
    )


def run(*arguments: str) -> str:
    """Run the command; what it prints."""
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TrialFailed(f"threespan {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def play_in_terminal(game: str, folder: Path) -> Path:
    """A match against a bot, from its first to its last move; its record, which is written into a folder."""
    options = [word for setting in GAMES[game] for word in ("--option", setting)]
    command = [
        str(COMMAND),
        "play",
        game,
        "--players",
        "2",
        "--bot",
        BOT,
        "--seed",
        str(SEED),
        "--language",
        "en",
        *options,
    ]
    wide = os.environ | {"COLUMNS": "100000"}  # so that a list of actions is one line
    process = subprocess.Popen(
        command, env=wide, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    told = answer_questions(process)
    found = sorted(folder.glob(f"{game}-*.jsonl"))
    if process.wait(60) != 0 or "rank 1" not in told or len(found) != 1:
        raise TrialFailed(f"the match of {game} in the terminal has not come to its end:\n{told}")
    return found[0]


def answer_questions(process: "subprocess.Popen[str]") -> str:
    """Play any action that is possible, until the match is over; what was printed at last."""
    assert process.stdin is not None
    choose = random.Random(SEED).choice
    told = read_answer(process)  # how to play
    while True:
        process.stdin.write("?\n")
        process.stdin.flush()
        told = read_answer(process)
        if HELP not in told:
            return told
        _, is_listed, actions = told.partition(POSSIBLE)
        action = choose(actions.split("\n")[1].split(", ")).strip() if is_listed else ""  # Enter ends a turn
        process.stdin.write(f"{action}\n")


def read_answer(process: "subprocess.Popen[str]") -> str:
    """What a match in a terminal prints until it explains how to play, or until its end."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if HELP in line:
            break
    return "".join(lines)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server with a database of its own; its address, as soon as it is ready."""
    port = free_port()
    arguments = ["serve", "--port", str(port), "--database", f"sqlite:///{folder / 'tables.sqlite'}"]
    log = folder / "server.log"
    with log.open("wb") as file:
        process = subprocess.Popen([COMMAND, *arguments], stdout=file, stderr=file)
        try:
            wait_until_ready(f"http://127.0.0.1:{port}", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            code = process.wait(60)
    if code not in (0, -signal.SIGTERM):
        raise TrialFailed(f"the server ended with {code}:\n{log.read_text('utf-8')}")


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def wait_until_ready(base: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server says that it is ready."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(f"{base}/readyz", timeout=5):
                return
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise TrialFailed(f"the server does not answer:\n{log.read_text('utf-8')}") from None
            time.sleep(0.2)


def fetch(url: str, body: dict[str, Any] | None = None) -> bytes:
    """What a server answers, to a question or to something that is sent."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            content: bytes = answer.read()
    except urllib.error.HTTPError as error:
        raise TrialFailed(f"{url} answers {error.code}: {error.read().decode()}") from None
    return content


def look_at_page(base: str) -> None:
    """The page is there, with the script that it loads."""
    page = fetch(f"{base}/").decode()
    scripts = [part.partition('"')[0] for part in page.split('src="')[1:]]
    if not scripts or not all(fetch(f"{base}/{script.lstrip('/')}") for script in scripts):
        raise TrialFailed(f"the page loads nothing:\n{page}")


def play_at_table(base: str, game: str, file: Path) -> Path:
    """Some moves against a bot, then give up; the record of the match."""
    seats = [{"kind": "here"}, {"kind": "bot", "level": BOT}]
    opened = json.loads(fetch(f"{base}/api/tables", {"game": game, "seats": seats}))
    table, key = opened["id"], opened["keys"][0]["key"]
    address = f"{base.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(address, max_size=2**22) as line:
        client = Client(line)
        client.send(type="hello", version=1, key=key)
        client.until(lambda message: message["type"] == "welcome")
        client.ask("join", name="Trial", share=secrets.token_hex(32))
        for _ in range(MOVES):
            client.until(lambda _: bool(client.update.get("now", {}).get("legal")))
            seat, seen, first = client.update["seat"], client.update["notice_count"], client.update["now"]["legal"][0]
            client.ask("play", seat=seat, notices_seen=seen, action_texts=[first])
            client.until(lambda _, seen=seen: client.update["notice_count"] != seen)
        client.ask("resign", seat=client.update["seat"])
        client.until(lambda _: bool(client.update["result"]))
    file.write_bytes(fetch(f"{base}/api/tables/{table}/record"))
    return file


class Client:
    """One connection to a table; remembers the last update."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._waiting: list[dict[str, Any]] = []
        self._asked = 0
        self.update: dict[str, Any] = {}

    def send(self, **message: object) -> None:
        """Send a message."""
        self._line.send(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        """The next message."""
        if not self._waiting:
            self._waiting = [json.loads(line) for line in str(self._line.recv(PATIENCE)).split("\n")]
        message = self._waiting.pop(0)
        update = message.get("update") if message["type"] == "welcome" else message
        if update and update.get("type") == "update":
            self.update = update
        return message

    def until(self, condition: Any) -> dict[str, Any]:
        """Receive messages until one fulfils a condition; the last one may do so already."""
        message: dict[str, Any] = {"type": ""}
        while not condition(message):
            message = self.receive()
            if message["type"] in ("bye", "refused"):
                raise TrialFailed(f"the table says: {message}")
        return message

    def ask(self, kind: str, **values: object) -> None:
        """Send a message that is answered, and wait for the answer."""
        self._asked += 1
        number = f"t{self._asked}"
        self.send(type=kind, id=number, **values)
        self.until(lambda message: message.get("id") == number)


if __name__ == "__main__":
    try:
        main()
    except TrialFailed as error:
        sys.exit(f"The trial has failed: {error}")
