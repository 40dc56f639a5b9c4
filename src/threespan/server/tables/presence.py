"""Which seats' people are connected to a table, on this worker or another, and since when the others are away."""

from collections.abc import Iterable

from threespan.server.clock import now_ms

VALID_MS = 25_000  # how long another worker's report about its people is valid


class Presence:
    """Who is connected to one table."""

    def __init__(self, seats: Iterable[int]) -> None:
        """Start with nobody connected."""
        self._seats = tuple(seats)
        self._absent_since = dict.fromkeys(self._seats, now_ms())
        self._elsewhere: dict[str, tuple[list[int], int]] = {}  # by worker: seats, and until when that is valid
        self._connected: set[int] = set()  # at the last update

    def connected(self, here: set[int]) -> set[int]:
        """The seats whose people are connected: those on this worker (`here`), and those on others."""
        now = now_ms()
        seats = set(here)
        for elsewhere, until in self._elsewhere.values():
            if until > now:
                seats.update(elsewhere)
        return seats

    def away_ms(self, seat: int) -> int | None:
        """How long the person of a seat has been away, or None if they are connected."""
        since = self._absent_since.get(seat)
        return None if since is None else now_ms() - since

    def update_worker(self, worker: str, seats: list[int]) -> bool:
        """Note another worker's report of its people; returns whether that worker was unknown so far."""
        is_new = self._elsewhere.get(worker, ([], 0))[1] <= now_ms()
        self._elsewhere[worker] = (seats, now_ms() + VALID_MS)
        return is_new

    def update(self, here: set[int]) -> bool:
        """Note who is connected to this worker; returns whether anybody has connected or left."""
        before, self._connected = self._connected, self.connected(here)
        for seat in self._seats:
            if seat in self._connected:
                self._absent_since.pop(seat, None)
            else:
                self._absent_since.setdefault(seat, now_ms())
        return before != self._connected
