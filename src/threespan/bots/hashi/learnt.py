"""What the bots of Hashi have learnt, as a record for kernels: for any board, and the networks of some boards.

The files are written by `training/hashi`, which has NumPy; here they are read without it.
"""

from array import array
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from threespan.bots.hashi.net import ROWS, STEP, WIDTH, board_text
from threespan.bots.hashi.value import FEATURES
from threespan.core.layout import State
from threespan.core.memory import array_type, float32, float64, int64, record_from, record_type
from threespan.core.npz import StoredArray, read_arrays
from threespan.games.hashi.state import BONUSES, ROUNDS

WEIGHTS = Path(__file__).parent / "weights.npz"  # made by training/hashi/weights.py; the file says how
NETS = Path(__file__).parent / "nets.npz"  # made by training/hashi/nets.py; the file says how

LEARNT_DTYPE = record_type(
    ("weights", float64, (ROUNDS + 1, FEATURES)),  # by round
    ("completed_by", float64, (ROUNDS + 1, BONUSES)),  # by round and race the share of players that have completed it
    ("rows", int64),  # of the network; 0 on boards that have none
    ("net", float32, (ROWS, WIDTH)),
)
Learnt = Annotated[Any, array_type(LEARNT_DTYPE, 1)]


@cache
def _weights() -> bytes:
    stored = read_arrays(WEIGHTS)
    return array("d", [*stored["weights"].numbers(), *stored["completed_by"].numbers()]).tobytes()


@cache
def learnt_weights() -> Any:
    """What the bots have learnt for any board."""
    return _learnt(0, array("f", bytes(4 * ROWS * WIDTH)))


def load_weights() -> tuple[Any, Any]:
    """The learnt weights by round, and by round and race the share of players that have completed it by then."""
    learnt = learnt_weights()[0]
    return learnt.weights, learnt.completed_by


def _learnt(rows: int, net: "array[float]") -> Any:
    return record_from(LEARNT_DTYPE, _weights() + array("q", [rows]).tobytes() + net.tobytes())


@cache
def _nets() -> dict[str, StoredArray]:
    return read_arrays(NETS)


@cache
def _learnt_for(board: str) -> Any:
    """What the bots have learnt for a board; None if it has no network."""
    boards, packed, size = _nets()["boards"].texts(), _nets()["nets"].memory, ROWS * WIDTH
    if board not in boards:
        return None
    low, high = (size * (boards.index(board) + plane * len(boards)) for plane in range(2))
    return _learnt(ROWS, unpacked(packed[low : low + size], packed[high : high + size]))


def unpacked(low: bytes, high: bytes) -> "array[float]":
    """A network from its file: whole steps with their signs in the lowest bits, low bytes and high bytes apart."""
    signed = bytearray(2 * len(low))
    signed[0::2], signed[1::2] = low, high
    numbers = memoryview(signed).cast("H").tolist()
    values = [STEP * (-(number + 1) // 2 if number & 1 else number // 2) for number in range(max(numbers) + 1)]
    return array("f", [values[number] for number in numbers])


def find_learnt(state: State) -> Any:
    """What the bots have learnt for a state's board: with its network if it has one."""
    learnt = _learnt_for(board_text(state))
    return learnt_weights() if learnt is None else learnt


def find_net(state: State) -> Any:
    """The network of a state's board; one without rows if nobody has trained any."""
    learnt = find_learnt(state)[0]
    return learnt.net[: learnt.rows]
