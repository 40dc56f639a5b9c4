"""Sets of fields in compiled kernels: the functions of sets.py, as the compiler is to build them."""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

from threespan.games.stege.sets import (
    BITS_OF_BYTE,
    BYTE,
    NOT_FIRST_COLUMN,
    NOT_LAST_COLUMN,
    WORD,
    down,
    is_empty,
    left,
    load,
    right,
    single,
    up,
    word_of,
    write_byte,
)
from threespan.games.stege.state import FIELDS, WIDTH, WORD_BITS, WORDS


class FieldsType(types.Type):
    """What the compiler knows a set as."""

    def __init__(self) -> None:
        """There is only one such type."""
        super().__init__(name="Fields")


_SET = FieldsType()
_VECTOR = ir.VectorType(ir.IntType(WORD_BITS), WORDS)


@register_model(FieldsType)
class _FieldsModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _VECTOR)


def _constant(value: int) -> ir.Constant:
    """A set that is known beforehand."""
    return ir.Constant(_VECTOR, [value >> index * WORD_BITS & WORD for index in range(WORDS)])


def _each(value: int) -> ir.Constant:
    """The same number in each of the four words."""
    return ir.Constant(_VECTOR, [value] * WORDS)


def _rearranged(builder: Any, a: Any, order: tuple[int, ...]) -> Any:
    """The words of a set in another order; 4 stands for an empty word."""
    return builder.shuffle_vector(a, _constant(0), ir.Constant(ir.VectorType(ir.IntType(32), WORDS), order))


def _up(builder: Any, a: Any) -> Any:
    carried = builder.shl(_rearranged(builder, a, (1, 2, 3, 4)), _each(WORD_BITS - WIDTH))
    return builder.or_(builder.lshr(a, _each(WIDTH)), carried)


def _down(builder: Any, a: Any) -> Any:
    carried = builder.lshr(_rearranged(builder, a, (4, 0, 1, 2)), _each(WORD_BITS - WIDTH))
    return builder.or_(builder.shl(a, _each(WIDTH)), carried)


def _left(builder: Any, a: Any) -> Any:
    return builder.and_(builder.lshr(a, _each(1)), _constant(NOT_LAST_COLUMN))


def _right(builder: Any, a: Any) -> Any:
    return builder.and_(builder.shl(a, _each(1)), _constant(NOT_FIRST_COLUMN))


def _is_empty(builder: Any, a: Any) -> Any:
    whole = ir.IntType(FIELDS)
    return builder.icmp_unsigned("==", builder.bitcast(a, whole), ir.Constant(whole, 0))


def _single(builder: Any, field: Any) -> Any:
    everywhere = _constant(0)
    for index in range(WORDS):
        everywhere = builder.insert_element(everywhere, field, ir.Constant(ir.IntType(32), index))
    first = ir.Constant(_VECTOR, [index * WORD_BITS for index in range(WORDS)])
    bit = builder.sub(everywhere, first)
    is_here = builder.icmp_unsigned("<", bit, _each(WORD_BITS))
    return builder.select(is_here, builder.shl(_each(1), bit), _constant(0))


def _word_of(builder: Any, a: Any, index: Any) -> Any:
    return builder.extract_element(a, index)


def _pack(builder: Any, *words: Any) -> Any:
    packed = _constant(0)
    for index, word in enumerate(words):
        packed = builder.insert_element(packed, word, ir.Constant(ir.IntType(32), index))
    return packed


def _compiled(build: Callable[..., Any], result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function for kernels whose code `build` emits."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return build(builder, *args)

    signature = result(*arguments)
    if len(arguments) == 1:
        return intrinsic(lambda _context, a: (signature, generate))  # type: ignore[no-any-return] # noqa: ARG005
    if len(arguments) == 2:
        return intrinsic(lambda _context, a, b: (signature, generate))  # type: ignore[no-any-return] # noqa: ARG005
    return intrinsic(lambda _context, a, b, c, d: (signature, generate))  # type: ignore[no-any-return] # noqa: ARG005


def _overload_one(function: Callable[..., Any], build: Callable[..., Any], result: Any = _SET) -> None:
    compiled = _compiled(build, result, _SET)

    @overload(function)
    def choose(a):  # type: ignore[no-untyped-def]
        return (lambda a: compiled(a)) if isinstance(a, FieldsType) else None


def _overload_two(function: Callable[..., Any], build: Callable[..., Any]) -> None:
    compiled = _compiled(build, _SET, _SET, _SET)

    @overload(function)
    def choose(a, b):  # type: ignore[no-untyped-def]
        return (lambda a, b: compiled(a, b)) if isinstance(a, FieldsType) and isinstance(b, FieldsType) else None


for _function, _build in ((up, _up), (down, _down), (left, _left), (right, _right)):
    _overload_one(_function, _build)
_overload_one(is_empty, _is_empty, types.boolean)
_overload_one(operator.invert, lambda builder, a: builder.not_(a))
_overload_two(operator.and_, lambda builder, a, b: builder.and_(a, b))
_overload_two(operator.or_, lambda builder, a, b: builder.or_(a, b))

_compiled_single = _compiled(_single, _SET, types.int64)
_compiled_word_of = _compiled(_word_of, types.int64, _SET, types.int64)
_compiled_pack = _compiled(_pack, _SET, *[types.int64] * WORDS)


@overload(single)
def _choose_single(field):  # type: ignore[no-untyped-def] # noqa: ARG001
    return lambda field: _compiled_single(field)


@overload(word_of)
def _choose_word_of(a, index):  # type: ignore[no-untyped-def] # noqa: ARG001
    return lambda a, index: _compiled_word_of(a, index)


@overload(load)
def _choose_load(words):  # type: ignore[no-untyped-def] # noqa: ARG001
    return lambda words: _compiled_pack(words[0], words[1], words[2], words[3])


_SHORT = ir.IntType(16)
_EIGHT = ir.VectorType(_SHORT, BYTE)
_TABLE = ir.Constant(ir.ArrayType(_EIGHT, 2**BYTE), [ir.Constant(_EIGHT, bits) for bits in BITS_OF_BYTE])


@intrinsic  # type: ignore[untyped-decorator]
def _compiled_write_byte(_context: Any, actions: Any, _count: Any, _offset: Any, _bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        table = cgutils.global_constant(builder, "bits_of_byte", _TABLE)
        values = builder.load(builder.gep(table, [ir.Constant(ir.IntType(64), 0), args[3]], inbounds=True))
        short = builder.trunc(args[2], _SHORT)
        offsets = ir.Constant(_EIGHT, [0] * BYTE)
        for index in range(BYTE):
            offsets = builder.insert_element(offsets, short, ir.Constant(ir.IntType(32), index))
        place = builder.bitcast(builder.gep(array.data, [args[1]]), _EIGHT.as_pointer())
        builder.store(builder.add(values, offsets), place, align=2)
        return context.get_dummy_value()

    return types.void(actions, types.int64, types.int64, types.int64), generate


@overload(write_byte)
def _choose_write_byte(actions, count, offset, bits):  # type: ignore[no-untyped-def] # noqa: ARG001
    if actions.dtype == types.int16 and actions.layout == "C":
        return lambda actions, count, offset, bits: _compiled_write_byte(actions, count, offset, bits)
    return None
