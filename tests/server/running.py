"""Real servers in separate processes, on free ports."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from server.services import free_port

_PATIENCE = 600.0
_GAMES = Path(__file__).parents[1] / "games"


def environment() -> dict[str, str]:
    """With Nim, as in all tests, so that servers need not compile everything again."""
    return os.environ | {"PYTHONPATH": str(_GAMES)}


class Server:
    """A server that can be killed and started again."""

    def __init__(
        self,
        folder: Path,
        database: str = "",
        bus: str = "memory://",
        workers: int = 1,
        env: dict[str, str] | None = None,
        python: str = sys.executable,
        **settings: Any,
    ):
        self.folder, self.port = folder, free_port()
        self._env = env or environment()
        self.base = f"http://127.0.0.1:{self.port}"
        self.database = database or f"sqlite:///{folder / 'tables.sqlite'}"
        self._command = [python, "-m", "threespan", "serve", "--port", str(self.port)]
        self._command += ["--database", self.database, "--bus", bus, "--workers", str(workers)]
        for name, value in ({"public_url": self.base} | settings).items():
            self._command += ["--set", f"{name}={value}"]
        self.process: subprocess.Popen[bytes]
        self.log = folder / f"server-{self.port}.log"

    def start(self) -> "Server":
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, stderr=log, stdout=log, start_new_session=True, env=self._env
            )
        begin = time.monotonic()
        while True:
            try:
                httpx.get(f"{self.base}/readyz", timeout=5).raise_for_status()
                return self
            except httpx.HTTPError:
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() - begin < _PATIENCE, self.log.read_text()
                time.sleep(0.05)

    def kill(self) -> None:
        """Kill the server and all its processes, as a crash would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Stop the server, as a host would."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def open(self, game: str, *seats: str, **values: Any) -> dict[str, Any]:
        """Open a table; a seat is here, link, open or the level of a bot."""
        plans = [{"kind": s} if s in ("here", "link", "open") else {"kind": "bot", "level": s} for s in seats]
        answer = httpx.post(f"{self.base}/api/tables", json={"game": game, "seats": plans} | values, timeout=30)
        assert answer.status_code == 201, answer.text
        table: dict[str, Any] = answer.json()
        return table
