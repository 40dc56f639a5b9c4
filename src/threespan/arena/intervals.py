"""95 % confidence intervals for matches that are not independent, because matches of one deal share their seed."""

from collections.abc import Collection, Iterable
from math import sqrt
from typing import NamedTuple

Z_95 = 1.959964
_STUDENT_95 = (12.7062, 4.3027, 3.1824)


class DealSum(NamedTuple):
    """The sum of the values of one deal."""

    total: float
    size: int


def by_deal(values: Iterable[tuple[int, float]]) -> list[DealSum]:
    """Add up values, given with their deals, by deal."""
    sums: dict[int, DealSum] = {}
    for deal, value in values:
        total, size = sums.get(deal, (0.0, 0))
        sums[deal] = DealSum(total + value, size + 1)
    return list(sums.values())


def wilson_interval(share: float, count: float) -> tuple[float, float]:
    """Wilson's interval of a share observed in `count` independent trials."""
    if count == 0:
        return 0.0, 1.0
    z2 = Z_95**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    spread = Z_95 / (1 + z2 / count) * sqrt(share * (1 - share) / count + z2 / (4 * count**2))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def share_interval(sums: Collection[DealSum]) -> tuple[float, float]:
    """The interval of a share of wins, which are values from 0 to 1.

    It is Wilson's interval for the effective number of independent trials: as many as would vary like the deals did,
    and never more than there were. If one bot always wins both matches of a deal, they count as one.
    """
    deals, count = len(sums), sum(part.size for part in sums)
    if count == 0:
        return 0.0, 1.0
    share = sum(part.total for part in sums) / count
    if deals == count:
        return wilson_interval(share, count)
    if deals == 1:
        return wilson_interval(share, 1)
    few_deals = (student_95(deals - 1) / Z_95) ** 2  # widens the interval, since the variance is only estimated
    variance = _variance_of_mean(sums, share, count) * deals / (deals - 1) * few_deals
    return wilson_interval(share, min(count, share * (1 - share) / variance) if variance > 0 else count)


def mean_interval(sums: Collection[DealSum]) -> tuple[float, float] | None:
    """The interval of a mean; None if there are fewer than two deals."""
    deals = len(sums)
    if deals < 2:
        return None
    count = sum(part.size for part in sums)
    mean = sum(part.total for part in sums) / count
    variance = _variance_of_mean(sums, mean, count) * deals / (deals - 1)
    spread = student_95(deals - 1) * sqrt(variance)
    return mean - spread, mean + spread


def student_95(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution, for four or more degrees by a Cornish-Fisher expansion."""
    if freedom <= len(_STUDENT_95):
        return _STUDENT_95[freedom - 1]
    z, n = Z_95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def _variance_of_mean(sums: Iterable[DealSum], mean: float, count: int) -> float:
    """The variance of a ratio of sums, linearised; the usual variance if every deal has one match."""
    return float(sum((part.total - mean * part.size) ** 2 for part in sums)) / count**2
