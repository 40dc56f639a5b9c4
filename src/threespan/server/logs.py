"""Logs in JSON, one object per line. They never contain secrets: keys, seeds, hidden cards or whole messages."""

import logging
import sys
from typing import Any

import msgspec

LOG = logging.getLogger("threespan.server")

_LIBRARIES = ("alembic", "asyncio", "httpcore", "httpx", "numba", "sqlalchemy", "uvicorn", "websockets")
_STANDARD_FIELDS = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "taskName"}


class JsonFormatter(logging.Formatter):
    """Formats time, level, message and everything in `extra` as JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _STANDARD_FIELDS}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def configure_logs(level: str) -> None:
    """Log everything from a level on to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in _LIBRARIES:  # at lower levels they would log whole messages, including keys
        logging.getLogger(name).setLevel(logging.WARNING)
