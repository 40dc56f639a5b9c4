"""Arrays from NumPy's files, read without NumPy."""

import ast
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

_MAGIC = b"\x93NUMPY\x01\x00"  # the version of the format that NumPy writes for plain arrays
_LENGTH = slice(8, 10)  # of the header that follows, in bytes
_CODES = {"|u1": "B", "<f4": "f", "<f8": "d"}  # types as NumPy and as memoryview call them


class StoredArray(NamedTuple):
    """An array of a file: its type as NumPy calls it, its shape, and its memory."""

    type: str
    shape: tuple[int, ...]
    memory: bytes

    def numbers(self) -> Any:
        """All numbers, row by row."""
        code: Any = _CODES[self.type]
        return memoryview(self.memory).cast(code)

    def texts(self) -> list[str]:
        """The texts of an array of texts."""
        width = 4 * int(self.type.removeprefix("<U"))
        parts = (self.memory[start : start + width] for start in range(0, len(self.memory), width))
        return [part.decode("utf-32-le").rstrip("\0") for part in parts]


def read_arrays(file: Path) -> dict[str, StoredArray]:
    """All arrays of a file that `numpy.savez` has written, by name."""
    with zipfile.ZipFile(file) as archive:
        return {name.removesuffix(".npy"): _parse(archive.read(name)) for name in archive.namelist()}


def _parse(content: bytes) -> StoredArray:
    if not content.startswith(_MAGIC):
        raise ValueError("not an array of a known format")
    start = _LENGTH.stop + int.from_bytes(content[_LENGTH], "little")
    header = ast.literal_eval(content[_LENGTH.stop : start].decode("latin-1"))
    if header["fortran_order"]:
        raise ValueError("columns first is not supported")
    return StoredArray(header["descr"], header["shape"], content[start:])
