"""Damaged records are refused in one line and never crash."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from threespan.core.record import RecordError, read_record, verify

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = sorted(GOLDEN.glob("*/*.jsonl"))
ROUNDS = 60  # for each record
_LINES = 12  # kept of a record, so that replaying is fast

# Values of the wrong type.
_ODD: list[Any] = [
    *(None, True, False, 0, -1, 1, 4, 7, 127, 128, 2**31, 2**63, 2**64, 10**30, 1.5, -0.0, 1e308),
    *("", " ", "chance", "A", "base", "large", "x" * 5000, "9" * 5000),
    *("\u0663", "²", "\n", "\x00", "\x1b[31m", "\ud800", "😀"),
    *([], {}, [[]], {"": ""}, [None], {"x": {"y": []}}),
]


def place_of(document: Any, rng: random.Random) -> tuple[Any, Any]:
    """A random container in a document, and one of its keys."""
    found: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict | list):
            keys = list(value) if isinstance(value, dict) else range(len(value))
            for key in keys:
                found.append((value, key))
                walk(value[key])

    walk(document)
    return rng.choice(found)


def change_value(document: Any, rng: random.Random) -> None:
    container, key = place_of(document, rng)
    container[key] = rng.choice(_ODD)


def change_text(document: Any, rng: random.Random) -> None:
    container, key = place_of(document, rng)
    text = str(container[key])
    at = rng.randrange(len(text) + 1)
    container[key] = text[:at] + str(rng.choice(_ODD)) + text[at + rng.randrange(3) :]


def remove(document: Any, rng: random.Random) -> None:
    container, key = place_of(document, rng)
    del container[key]


def add(document: Any, rng: random.Random) -> None:
    container, _ = place_of(document, rng)
    if isinstance(container, dict):
        container[str(rng.choice(_ODD))] = rng.choice(_ODD)
    else:
        container.append(rng.choice(_ODD))


def swap_keys(document: Any, rng: random.Random) -> None:
    container, key = place_of(document, rng)
    other, other_key = place_of(document, rng)
    if container is other:
        container[key], container[other_key] = container[other_key], container[key]


CHANGES: list[Callable[[Any, random.Random], None]] = [change_value, change_text, remove, add, swap_keys]


def damaged_line(line: str, rng: random.Random) -> str:
    document = json.loads(line)
    for _ in range(rng.randrange(1, 3)):
        if document:
            rng.choice(CHANGES)(document, rng)
    return json.dumps(document, ensure_ascii=rng.random() < 0.5)


def damaged_bytes(line: str, rng: random.Random) -> str:
    raw = bytearray(line.encode())
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(raw))
        raw[at : at + rng.randrange(3)] = bytes(rng.randrange(256) for _ in range(rng.randrange(3)))
    return raw.decode("utf-8", "replace")


def damaged(lines: list[str], rng: random.Random) -> str:
    """A record with a fault in a random line, half of the time in the first."""
    lines = list(lines)
    at = 0 if rng.random() < 0.5 else rng.randrange(len(lines))
    lines[at] = rng.choice([damaged_line, damaged_line, damaged_bytes])(lines[at], rng)
    return "".join(f"{line}\n" for line in lines)


def refused(text: str) -> bool:
    """Whether a record is refused with a proper error."""
    try:
        verify(read_record(text), unfinished=True)
    except RecordError as error:
        reason = str(error)
    else:
        return False
    assert reason.isprintable()
    assert len(reason) < 1000
    return True


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_damaged_records_are_refused_in_one_line(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()[:_LINES]
    rng = random.Random(file.name)
    assert not refused("".join(f"{line}\n" for line in lines))
    count = sum(refused(damaged(lines, rng)) for _ in range(ROUNDS))
    assert count > ROUNDS // 2
