"""The local network: at which address others reach a server, and opening it to them while it runs."""

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Generator
from typing import Any

import uvicorn

from threespan.server.serving import uvicorn_config
from threespan.server.settings import Settings
from threespan.table.refusals import Refusal

_UNROUTED = ("192.0.2.1", 9)  # a documentation address; connecting a UDP socket to it sends nothing
_ALL_INTERFACES = ("0.0.0.0", "::")
_STARTUP_POLL_SECONDS = 0.01


def is_loopback(host: str) -> bool:
    """Whether a host name or address is a loopback address of this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def own_address() -> str:
    """The address of this machine in its local network; empty if it is not in one."""
    candidates = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_UNROUTED)
        candidates.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        candidates += socket.gethostbyname_ex(socket.gethostname())[2]
    return next((address for address in candidates if not is_loopback(address) and address not in _ALL_INTERFACES), "")


def lan_address(settings: Settings) -> str:
    """The address of this machine in its local network, as configured or as detected."""
    return settings.lan_address or own_address()


def lan_url(settings: Settings, port: int) -> str:
    """The URL in the local network of a server that listens on other than loopback; empty without a network."""
    host = lan_address(settings) if settings.host in _ALL_INTERFACES else settings.host
    return _url(host, port) if host else ""


class _LanServer(uvicorn.Server):
    """A second server in the same process; it leaves signals to the first one."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class LanAccess:
    """Access to a server for others in the local network."""

    def __init__(self, settings: Settings, app: Any) -> None:
        """Access is open from the start if the server listens on other than loopback, and closed otherwise."""
        self._settings, self._app = settings, app
        self._lock = asyncio.Lock()
        self._server: _LanServer | None = None
        self._serving: asyncio.Task[None] | None = None
        self._opened = ""  # the URL at which it was opened

    def address(self, port: int) -> str:
        """The URL at which others reach this server; empty if they cannot. `port` is the server's own port."""
        settings = self._settings
        if settings.public_url:
            return settings.public_url
        if self._opened or is_loopback(settings.host):
            return self._opened
        return lan_url(settings, port)

    def may_open(self, port: int) -> bool:
        """Whether access is closed and can be opened."""
        is_closed = not self.address(port) and is_loopback(self._settings.host)
        return is_closed and self._settings.workers == 1 and bool(lan_address(self._settings))

    async def open(self, port: int) -> None:
        """Listen in the local network as well, at the same port if it is free; raises Refusal."""
        async with self._lock:
            if self.address(port):
                return
            if not self.may_open(port):
                raise Refusal("no_network")
            host = lan_address(self._settings)
            listening = _listen(host, port) or _listen(host, 0)
            if listening is None:
                raise Refusal("no_network")
            await self._serve(listening)
            self._opened = _url(host, listening.getsockname()[1])

    async def _serve(self, listening: socket.socket) -> None:
        self._server = _LanServer(uvicorn_config(self._settings, self._app, lifespan="off"))
        self._serving = asyncio.create_task(self._server.serve([listening]))
        while not self._server.started and not self._serving.done():
            await asyncio.sleep(_STARTUP_POLL_SECONDS)

    async def close(self) -> None:
        """Close the access and its connections."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _listen(host: str, port: int) -> socket.socket | None:
    """A socket bound to an address, or None if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError:
        listening.close()
        return None
    return listening
