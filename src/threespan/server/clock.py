"""The current time, in the unit in which times are stored."""

import time


def now_ms() -> int:
    """The current time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
