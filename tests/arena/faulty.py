"""Tournaments in which something goes wrong. They are not local classes, since workers import them by name."""

import multiprocessing
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from threespan.arena.tournament import Fixture, Tournament
from threespan.core.errors import UserError


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Deadly(Tournament):
    """The first worker, or every worker, that starts a match of the deal `deadly` dies."""

    deadly: int = 2
    marker: Path | None = None

    def fixture(self, index: int) -> Fixture:
        """Die before the match, but only in a worker."""
        found = super().fixture(index)
        if found.deal == self.deadly and is_worker():
            if self.marker is None:
                kill_self()
            elif not self.marker.exists():
                self.marker.touch()
                kill_self()
        return found


class Broken(Tournament):
    """Workers run into a bug."""

    def fixture(self, index: int) -> Fixture:
        """Fail in a worker."""
        if is_worker():
            raise OSError("a bug in a bot")
        return super().fixture(index)


class Mistaken(Tournament):
    """Workers run into a UserError."""

    def fixture(self, index: int) -> Fixture:
        """Fail in a worker."""
        if is_worker():
            raise UserError("no weights\nfound")
        return super().fixture(index)


def is_worker() -> bool:
    return multiprocessing.parent_process() is not None or "RAY_JOB_ID" in os.environ
