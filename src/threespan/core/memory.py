"""Numbers in memory: what kernels read and write, and what Python code sees of it.

Where kernels are compiled by Numba or run uncompiled, this is NumPy. Where they were linked beforehand (linked.py),
NumPy is not needed: a few lines of Python over a plain buffer do what games ask for. Code outside kernels may use what
both offer: indices, slices of one-dimensional arrays, iteration, `tolist`, `item`, `tobytes`, `any`, and assignment.

    kind: a type of number, such as int16; a record type (`record_type`); or a layout's states
    field: (name, kind) or (name, kind, shape)
"""

from typing import TYPE_CHECKING, Any

from threespan.core.kernel import IS_LINKED, IS_UNCOMPILED

if TYPE_CHECKING or not IS_LINKED:
    import numpy as np
    from numpy import float32, float64, int8, int16, int32, int64, uint64

    if IS_UNCOMPILED:
        # Kernels compute with 64 bits whatever they read; NumPy does so only if the numbers are that wide.
        int8 = int16 = int32 = int64  # type: ignore[assignment]

    def new_array(shape: int | tuple[int, ...], kind: Any) -> Any:
        """An array of zeros."""
        return np.zeros(shape, kind)

    def new_record(kind: Any) -> Any:
        """An array of one record, whose fields are zero."""
        return np.zeros(1, kind).view(np.recarray)

    def new_records(count: int, kind: Any) -> Any:
        """An array of records, whose fields are zero."""
        return np.zeros(count, kind).view(np.recarray)

    def record_from(kind: Any, values: bytes) -> Any:
        """An array of one record with this memory."""
        return np.frombuffer(bytearray(values), kind).view(np.recarray)

    def constant(values: Any, kind: Any = None) -> Any:
        """A table of constants for kernels and Python code."""
        return np.array(values, kind)

    def record_type(*fields: tuple[Any, ...]) -> Any:
        """A record with named fields, aligned as C would."""
        places, offset = [], 0
        kinds = [np.dtype((kind, *shape)) if shape else np.dtype(kind) for _, kind, *shape in fields]
        for kind in kinds:
            offset = -(-offset // _alignment(kind)) * _alignment(kind)
            places.append(offset)
            offset += kind.itemsize
        whole = max(_alignment(kind) for kind in kinds)
        names = [name for name, *_ in fields]
        described: Any = {"names": names, "formats": kinds, "offsets": places, "itemsize": -(-offset // whole) * whole}
        return np.dtype((np.record, np.dtype(described)))

    def _alignment(kind: Any) -> int:
        """Where a number or record may begin in memory; NumPy itself puts records anywhere."""
        parts = [kind.base.fields[name][0] for name in kind.base.names or ()]
        return max(map(_alignment, parts)) if parts else int(kind.base.alignment)

    def array_type(kind: Any, *shape: int) -> Any:
        """The type of an array, for the parameters of entries."""
        return np.dtype((kind, shape))

    def array_of(array_type: Any) -> Any:
        """An array of zeros that an entry accepts."""
        return np.zeros(array_type.shape, array_type.base)

    def lay_out(*fields: tuple[str, Any, tuple[int, ...]]) -> Any:
        """The states of a layout with these fields."""
        from threespan.core.arrays import ArrayStates

        return ArrayStates(*fields)

else:
    from threespan.core.buffers import (
        array_of,
        array_type,
        constant,
        float32,
        float64,
        int8,
        int16,
        int32,
        int64,
        lay_out,
        new_array,
        new_record,
        new_records,
        record_from,
        record_type,
        uint64,
    )

__all__ = [
    "array_of",
    "array_type",
    "constant",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "lay_out",
    "new_array",
    "new_record",
    "new_records",
    "record_from",
    "record_type",
    "uint64",
]
