"""Protection of a server: rate limits by address, allowed origins, and security headers."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from urllib.parse import urlsplit

from threespan.server.settings import Settings

_MAX_ADDRESSES = 20_000

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",  # links contain secret keys
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Bucket:
    """A token bucket: it allows short bursts, but limits the average rate."""

    __slots__ = ("_at", "_rate", "_size", "_tokens")

    def __init__(self, rate: float, size: float) -> None:
        """Start with a full bucket of `size` tokens that refills at `rate` per second."""
        self._rate, self._size, self._tokens = rate, size, size
        self._at = time.monotonic()

    def take(self) -> bool:
        """Take a token; returns False if there is none."""
        now = time.monotonic()
        self._tokens = min(self._size, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def seconds_to_wait(self) -> float:
        """Take a token, possibly in advance, and return how long to wait until it is available."""
        if self.take():
            return 0.0
        self._tokens -= 1
        return -self._tokens / self._rate


class Buckets:
    """One bucket per address; the least recently used ones are dropped."""

    def __init__(self, rate: float, size: float) -> None:
        """Create buckets with this rate and size."""
        self._rate, self._size = rate, size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, address: str) -> Bucket:
        """The bucket of an address."""
        bucket = self._buckets.pop(address, None) or Bucket(self._rate, self._size)
        self._buckets[address] = bucket
        if len(self._buckets) > _MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket


class Guard:
    """The rate limits and connection counts of one worker."""

    def __init__(self, settings: Settings) -> None:
        """Use the limits in the settings."""
        limits = settings.limits
        self._settings = settings
        self.requests = Buckets(limits.requests_per_second, limits.requests_at_once)
        self.tables = Buckets(limits.tables_per_hour / 3600, limits.tables_per_hour)
        self.messages = Buckets(limits.address_messages_per_second, limits.address_messages_at_once)
        self._connections: dict[str, int] = {}

    def address(self, client: str, forwarded: str | None) -> str:
        """The address that limits apply to: the client's, or the one that the proxy reports."""
        if self._settings.behind_proxy and forwarded:
            return forwarded.rpartition(",")[2].strip()
        return client

    def enter(self, address: str) -> bool:
        """Count a new connection; returns False if there are too many."""
        if self._connections.get(address, 0) >= self._settings.limits.connections_per_address:
            return False
        self._connections[address] = self._connections.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Count a connection as closed."""
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]

    def is_own_page(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from our own page or an allowed origin; only browsers send an origin at all."""
        origin = headers.get("origin")
        if origin is None or origin in self._settings.origins:
            return True
        try:
            return urlsplit(origin).netloc == headers.get("host")
        except ValueError:  # not an origin at all
            return False
