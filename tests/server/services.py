"""PostgreSQL and Redis for tests: started on free ports in temporary folders."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _wait_for(is_ready: Callable[[], bool]) -> None:
    begin = time.monotonic()
    while not is_ready():
        if time.monotonic() - begin > _PATIENCE:
            raise TimeoutError("the service does not start")
        time.sleep(0.05)


def postgres_command(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    command = shutil.which(name) or (str(found[-1]) if found else None)
    assert command, "PostgreSQL is missing; `make test` installs it"
    return command


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The URL of a PostgreSQL database; its server does not run as root."""
    port, data = free_port(), folder / "postgres"
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    data.mkdir()
    options: dict[str, object] = {}
    if os.geteuid() == 0:
        account = pwd.getpwnam("postgres")
        for path in (data, *folder.parents[: len(folder.parents) - 1], folder):
            if path == data:
                os.chown(path, account.pw_uid, account.pw_gid)
            else:
                path.chmod(path.stat().st_mode | 0o011)
        options = {"user": account.pw_uid, "group": account.pw_gid, "cwd": "/"}
    initdb = [postgres_command("initdb"), "-D", str(data), "-U", user, "--auth=trust", "--no-sync", "-E", "UTF8"]
    subprocess.run(initdb, check=True, capture_output=True, **options)  # type: ignore[call-overload]
    ready = [postgres_command("pg_isready"), "-q", "-h", "127.0.0.1"]
    command = [postgres_command("postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(data)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL, **options)  # type: ignore[call-overload]
    try:
        _wait_for(lambda: subprocess.run([*ready, "-p", str(port)], check=False, capture_output=True).returncode == 0)
        yield f"postgresql://{user}@127.0.0.1:{port}/postgres"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """The URL of a Redis server."""
    command = shutil.which("redis-server")
    assert command, "Redis is missing; `make test` installs it"
    port = free_port()
    arguments = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen([command, *arguments], stdout=subprocess.DEVNULL)
    try:
        _wait_for(lambda: _listens(port))
        yield f"redis://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()
