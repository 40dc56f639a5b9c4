"""Functions whose results are the same to the last bit on every machine, unlike those of a C library."""

from math import floor, inf

from threespan.core.kernel import kernel
from threespan.core.memory import constant, float64, int64

# e**x = 2**k * e**r with |r| <= ln(2) / 2; ln(2) is the sum of two parts, the first with zeros at its end, so that
# k * _LN2_HIGH is exact. The rational approximation of e**r is that of FreeBSD's libm (Remez, error below 2**-59).
_INVERSE_LN2 = 1.44269504088896338700
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_P1, _P2, _P3 = 1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05
_P4, _P5 = -1.65339022054652515390e-06, 4.13813679705723846039e-08
_LOWEST, _HIGHEST = -708.0, 709.0  # beyond, results are taken for 0 and infinity
_POWERS_OF_TWO = constant([2.0**exponent for exponent in range(-1022, 1024)], float64)
_FIRST_EXPONENT = -1022


@kernel
def exp(x: float) -> float:
    """The exponential function, with an error below one unit in the last place; 0 below -708, infinity above 709."""
    if x != x:
        return x
    if x < _LOWEST:
        return 0.0
    if x > _HIGHEST:
        return inf
    k = int64(floor(x * _INVERSE_LN2 + 0.5))
    high, low = x - k * _LN2_HIGH, k * _LN2_LOW
    r = high - low
    square = r * r
    c = r - square * (_P1 + square * (_P2 + square * (_P3 + square * (_P4 + square * _P5))))
    y = 1.0 - ((low - r * c / (2.0 - c)) - high)
    return y * _POWERS_OF_TWO[k - _FIRST_EXPONENT]  # type: ignore[no-any-return]
