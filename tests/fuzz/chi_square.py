"""The chi-square test of homogeneity: whether two samples have the same distribution.

Owns the statistic and its p-value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable

__all__ = ["p_value", "survival"]

LEAST_EXPECTED = 5  # in both samples; categories with less are counted together


def p_value(first: Counter[Hashable], second: Counter[Hashable]) -> float:
    """Return the probability that samples of one distribution differ as much as these."""
    sizes = first.total(), second.total()
    share = min(sizes) / sum(sizes)
    rest = [0, 0]
    cells = []
    for category in first.keys() | second.keys():
        cell = first[category], second[category]
        if share * sum(cell) < LEAST_EXPECTED:
            rest = [rest[0] + cell[0], rest[1] + cell[1]]
        else:
            cells.append(cell)
    if share * sum(rest) >= LEAST_EXPECTED:
        cells.append((rest[0], rest[1]))
    statistic = 0.0
    for cell in cells:
        for count, size in zip(cell, sizes, strict=True):
            expected = sum(cell) * size / sum(sizes)
            statistic += (count - expected) ** 2 / expected
    return survival(statistic, len(cells) - 1)


def survival(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-square variable with `freedom` degrees is larger.

    Each step from n degrees to n + 2 adds a term (Abramowitz and Stegun, 26.4.8).
    """
    if freedom < 1 or statistic <= 0:
        return 1.0
    half = statistic / 2
    odd = freedom % 2
    total = math.erfc(math.sqrt(half)) if odd else 0.0
    for k in range(freedom // 2):
        power = k + odd / 2
        total += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(total, 1.0)
