"""Logs in JSON, one object a line. Secrets never go into them: keys, seeds, hidden cards and whole messages."""

import logging
import sys
from typing import Any

import msgspec

LOG = logging.getLogger("threespan.server")

_OTHERS = ("alembic", "asyncio", "httpcore", "httpx", "numba", "sqlalchemy", "uvicorn", "websockets")
_KNOWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "taskName"}


class JsonFormatter(logging.Formatter):
    """Time, level, message, and whatever was passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _KNOWN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def configure_logs(level: str) -> None:
    """Send everything to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for other in _OTHERS:  # at lower levels they would log whole messages, keys included
        logging.getLogger(other).setLevel(logging.WARNING)
