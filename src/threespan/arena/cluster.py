"""Matches on a Ray cluster (the extra `cluster`): the same matches as on one machine, wherever they are played."""

import os
import secrets
import shutil
import socket
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from itertools import islice
from typing import Any

from threespan.arena.play import Played, play_match, practise
from threespan.arena.pool import DEATHS_ALLOWED, MatchFailed, WorkersDied, cores
from threespan.arena.tournament import Tournament
from threespan.core.errors import UserError
from threespan.core.kernel import GAMES_VARIABLE

LOCAL = "local"
AUTO = "auto"  # Ray's own word for the cluster that this machine belongs to
_SECONDS_TO_ANSWER = 5.0
_NO_REPORTS = {"RAY_USAGE_STATS_ENABLED": "0"}
_AHEAD = 2  # matches handed out for every processor, so that none waits for the next


def play_on_cluster(
    tournament: Tournament, indices: Iterable[int], address: str, workers: int | None
) -> Iterator[Played]:
    """Play matches on a cluster; they come in the order in which they end. Ray replaces workers that die."""
    with _connection(address, workers) as ray:
        play = ray.remote(max_retries=DEATHS_ALLOWED - 1, scheduling_strategy="SPREAD")(_play_there)
        shared = ray.put(tournament)
        at_once = workers or _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        ahead = iter(indices)
        index_of = {play.remote(shared, index): index for index in islice(ahead, at_once)}
        while index_of:
            ended, _ = ray.wait(list(index_of), num_returns=1)
            for task in ended:
                yield _receive(ray, task, index_of.pop(task))
            for index in islice(ahead, at_once - len(index_of)):
                index_of[play.remote(shared, index)] = index


def _receive(ray: Any, task: Any, index: int) -> Played:
    try:
        answer = ray.get(task)
    except ray.exceptions.WorkerCrashedError:
        raise WorkersDied(index) from None
    except ray.exceptions.RayError as error:
        raise UserError(f"the cluster cannot play match {index}: {str(error).strip().splitlines()[-1]}") from None
    if isinstance(answer, Played):
        return answer
    mistake, trace = answer
    raise UserError(mistake) if mistake else MatchFailed(index, trace)


_practised: set[tuple[str, ...]] = set()


def _play_there(tournament: Tournament, index: int) -> Played | tuple[str, str]:
    """Play a match on a machine of the cluster; answers an error with its traceback if that fails."""
    try:
        if (key := (tournament.game, *tournament.bots, tournament.code)) not in _practised:
            practise(tournament)
            _practised.add(key)
        return play_match(tournament, index)
    except UserError as error:
        return str(error), ""
    except Exception:
        return "", traceback.format_exc()


@contextmanager
def _connection(address: str, workers: int | None) -> Iterator[Any]:
    """Ray, connected to a cluster; the one started here leaves nothing behind and is not seen from outside."""
    os.environ.update(_NO_REPORTS | (_privacy() if address == LOCAL else {}))
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise UserError("--cluster needs Ray; install it with: pip install 'threespan[cluster]'") from None
    if address not in (LOCAL, AUTO):
        _knock(address)
    folder = tempfile.mkdtemp(prefix="ts-") if address == LOCAL else None  # short: it holds sockets
    try:
        with redirect_stdout(sys.stderr):  # Ray prints what it has to say, and standard output is for the results
            _connect(ray, address, folder, workers)
            yield ray
    finally:
        ray.shutdown()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _privacy() -> dict[str, str]:
    """What Ray reads when it is imported: listen on the loopback only, and to nobody without this run's own token."""
    token = secrets.token_hex()
    # The first was made for systems with talkative firewalls; without a token Ray would keep one in the user's home.
    return {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token}


def _knock(address: str) -> None:
    """Raise UserError if nobody answers at an address; Ray itself would go on asking for ever."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise UserError(f"'{address}' is not the address of a Ray cluster; write {LOCAL}, {AUTO} or HOST:PORT")
    try:
        socket.create_connection((host, int(port)), _SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        raise UserError(
            f"no Ray cluster answers at {address}: {error.strerror if isinstance(error, OSError) else error}"
        ) from None


def _connect(ray: Any, address: str, folder: str | None, workers: int | None) -> None:
    variables = {name: os.environ[name] for name in (GAMES_VARIABLE,) if name in os.environ}
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if variables:
        settings["runtime_env"] = {"env_vars": variables}
    if folder is not None:
        settings |= {"num_cpus": workers or cores(), "include_dashboard": False, "_temp_dir": folder}
    try:
        ray.init(LOCAL if folder is not None else address, **settings)
    except (ConnectionError, TimeoutError, ValueError, RuntimeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise UserError(f"no Ray cluster at {address}: {reason}") from None
