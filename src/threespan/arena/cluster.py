"""Play matches on a Ray cluster (the extra `cluster`); they are the same as on a single machine."""

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

from threespan.arena.play import PlayedMatch, play_match, warm_up
from threespan.arena.pool import MAX_CRASHES, MatchFailed, WorkersDied, cores
from threespan.arena.tournament import Tournament
from threespan.core.errors import UserError
from threespan.core.libraries import GAMES_VARIABLE

LOCAL = "local"
AUTO = "auto"  # for Ray: the cluster that this machine belongs to
_CONNECT_TIMEOUT = 5.0
_NO_TELEMETRY = {"RAY_USAGE_STATS_ENABLED": "0"}
# Ray's own timeouts are too short for a busy machine, and its memory monitor kills workers when others use the memory.
_LONG_TIMEOUTS = {
    "RAY_agent_register_timeout_ms": "600000",
    "RAY_gcs_server_port_wait_time_s": "600",
    "RAY_health_check_failure_threshold": "60",
    "RAY_memory_monitor_refresh_ms": "0",
    "RAY_worker_register_timeout_seconds": "600",
}
_START_ATTEMPTS = 3  # for a local cluster: one of Ray's timeouts cannot be changed
_TASKS_PER_CPU = 2  # so that no processor waits for its next match


def play_on_cluster(
    tournament: Tournament, indices: Iterable[int], address: str, workers: int | None
) -> Iterator[PlayedMatch]:
    """Play matches on a cluster, yielded in the order in which they end. Ray replaces workers that die."""
    with _connection(address, workers) as ray:
        play = ray.remote(max_retries=MAX_CRASHES - 1, scheduling_strategy="SPREAD")(_play_on_worker)
        shared = ray.put(tournament)
        max_tasks = workers or _TASKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
        remaining = iter(indices)
        index_of = {play.remote(shared, index): index for index in islice(remaining, max_tasks)}
        while index_of:
            ended, _ = ray.wait(list(index_of), num_returns=1)
            for task in ended:
                yield _receive(ray, task, index_of.pop(task))
            for index in islice(remaining, max_tasks - len(index_of)):
                index_of[play.remote(shared, index)] = index


def _receive(ray: Any, task: Any, index: int) -> PlayedMatch:
    try:
        answer = ray.get(task)
    except ray.exceptions.WorkerCrashedError:
        raise WorkersDied(index) from None
    except ray.exceptions.RayError as error:
        raise UserError(f"the cluster cannot play match {index}: {str(error).strip().splitlines()[-1]}") from None
    if isinstance(answer, PlayedMatch):
        return answer
    user_error, trace = answer
    raise UserError(user_error) if user_error else MatchFailed(index, trace)


_warmed_up: set[tuple[str, ...]] = set()


def _play_on_worker(tournament: Tournament, index: int) -> PlayedMatch | tuple[str, str]:
    """Play a match on a machine of the cluster; returns the message of a UserError, or a traceback, if it fails."""
    try:
        if (key := (tournament.game, *tournament.bots, tournament.code)) not in _warmed_up:
            warm_up(tournament)
            _warmed_up.add(key)
        return play_match(tournament, index)
    except UserError as error:
        return str(error), ""
    except Exception:
        return "", traceback.format_exc()


@contextmanager
def _connection(address: str, workers: int | None) -> Iterator[Any]:
    """Connect to a Ray cluster; one that is started here is not reachable from outside and leaves nothing behind."""
    os.environ.update(_NO_TELEMETRY | (_privacy() | _LONG_TIMEOUTS if address == LOCAL else {}))
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise UserError("--cluster needs Ray; install it with: pip install 'threespan[cluster]'") from None
    if address not in (LOCAL, AUTO):
        _check_reachable(address)
    folder = tempfile.mkdtemp(prefix="ts-") if address == LOCAL else None  # short, for Unix sockets
    try:
        with redirect_stdout(sys.stderr):  # Ray prints messages, but standard output is for the results
            _connect(ray, address, folder, workers, _START_ATTEMPTS if address == LOCAL else 1)
            yield ray
    finally:
        ray.shutdown()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _privacy() -> dict[str, str]:
    """Environment variables for Ray: listen on loopback only, and accept only this run's own token."""
    token = secrets.token_hex()
    # The first one makes Ray use loopback on every system; without the token Ray would store one in the user's home.
    return {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token}


def _check_reachable(address: str) -> None:
    """Raise UserError if nothing answers at an address; Ray itself would retry forever."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise UserError(f"'{address}' is not the address of a Ray cluster; write {LOCAL}, {AUTO} or HOST:PORT")
    try:
        socket.create_connection((host, int(port)), _CONNECT_TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise UserError(
            f"no Ray cluster answers at {address}: {error.strerror if isinstance(error, OSError) else error}"
        ) from None


def _connect(ray: Any, address: str, folder: str | None, workers: int | None, attempts: int) -> None:
    variables = {name: os.environ[name] for name in (GAMES_VARIABLE,) if name in os.environ}
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if variables:
        settings["runtime_env"] = {"env_vars": variables}
    if folder is not None:
        settings |= {"num_cpus": workers or cores(), "include_dashboard": False, "_temp_dir": folder}
    for attempt in range(1, attempts + 1):
        try:
            ray.init(LOCAL if folder is not None else address, **settings)
            return
        except Exception as error:  # Ray also raises plain `Exception`
            ray.shutdown()
            if attempt == attempts:
                reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
                raise UserError(f"no Ray cluster at {address}: {reason}") from None
