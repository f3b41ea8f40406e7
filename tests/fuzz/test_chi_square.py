"""The chi-square test against tables and samples of known distributions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.fuzz.chi_square import p_value, survival
from tests.kit.cases import each_case


@each_case(
    ("statistic", "freedom", "probability"),
    [  # quantiles of Abramowitz and Stegun, table 26.8
        (3.84146, 1, 0.05),
        (10.8276, 1, 0.001),
        (5.99147, 2, 0.05),
        (18.4668, 4, 0.001),
        (18.3070, 10, 0.05),
        (24.9958, 15, 0.05),
        (149.449, 100, 0.001),
    ],
)
def test_survival_equals_the_table(statistic: float, freedom: int, probability: float) -> None:
    assert survival(statistic, freedom) == pytest.approx(probability, rel=1e-4)


def test_p_value_of_a_table_with_two_rows() -> None:
    # Expected counts are 15 and 25 in both rows: 25 / 15 * 2 + 25 / 25 * 2 = 16 / 3.
    assert p_value(Counter(a=20, b=20), Counter(a=10, b=30)) == pytest.approx(survival(16 / 3, 1))


def test_p_value_depends_on_the_distributions() -> None:
    rng = Random(4)
    sample = [Counter(rng.choices("abcde", weights, k=2000)) for weights in ([1] * 5, [1] * 5)]
    other = Counter(rng.choices("abcde", [1, 1, 1, 1, 1.5], k=2000))
    assert p_value(*sample) > 0.001
    assert p_value(sample[0], other) < 1e-6


def test_rare_categories_are_counted_together() -> None:
    first, second = (Counter(range(start, start + 100)) for start in (0, 100))
    common = Counter({-1: 100})
    assert p_value(first + common, second + common) == 1
