"""The exponential function of our own: close to that of the C library, and the same bits everywhere."""

import math
import random
from itertools import pairwise

import pytest

from threespan.core.mathematics import exp

pytestmark = pytest.mark.kernels

LN2 = math.log(2)
BITS = {
    1.0: "0x1.5bf0a8b14576ap+1",
    -1.0: "0x1.78b56362cef38p-2",
    0.1: "0x1.1aec7b35a00d4p+0",
    -0.3: "0x1.7b4c869c37c05p-1",
    1e-10: "0x1.000000006df38p+0",
    0.34657359: "0x1.6a09e66640654p+0",
    -20.5: "0x1.57a3afeed00abp-30",
    3.75: "0x1.542b2d0a266e7p+5",
    100.0: "0x1.3494a9b171bf5p+144",
    -700.25: "0x1.af5fe9a485c8ep-1011",
    709.0: "0x1.d422d2be5dc9bp+1022",
    -708.0: "0x1.7c8ab2288c9abp-1022",
}


def values() -> list[float]:
    """Numbers of all sizes and signs, among them those around the halves of ln(2), where the reduction changes."""
    chance = random.Random(1)
    spread = [chance.uniform(-708, 709) for _ in range(4000)]
    near = [chance.uniform(-20, 20) for _ in range(4000)]
    small = [sign * 10.0**exponent for sign in (1, -1) for exponent in range(-320, 0)]
    edges = [(k + 0.5) * LN2 + step for k in range(-1000, 1000, 37) for step in (-1e-12, 0.0, 1e-12)]
    return [*spread, *near, *small, *edges, 0.0, -0.0, 1.0, -1.0, -708.0, 709.0, 5e-324, -5e-324]


def test_it_is_within_one_unit_in_the_last_place() -> None:
    for x in values():
        wanted = math.exp(x)
        assert abs(exp(x) - wanted) <= math.ulp(wanted), x


def test_beyond_its_limits_it_is_nothing_or_infinite() -> None:
    assert exp(0.0) == exp(-0.0) == 1.0
    for x in (math.nextafter(-708.0, -math.inf), -709.0, -1e300, -math.inf):
        assert exp(x) == 0.0
    for x in (math.nextafter(709.0, math.inf), 710.0, 1e300, math.inf):
        assert exp(x) == math.inf


def test_it_never_falls() -> None:
    for lower, higher in pairwise(sorted(values())):
        assert exp(lower) <= exp(higher)


@pytest.mark.parametrize(("x", "bits"), BITS.items())
def test_its_bits_are_known(x: float, bits: str) -> None:
    assert float(exp(x)).hex() == bits


def test_compiled_and_uncompiled_it_gives_the_same_bits() -> None:
    uncompiled = getattr(exp, "py_func", exp)
    assert [x for x in values() if exp(x) != uncompiled(x)] == []
