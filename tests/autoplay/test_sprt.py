"""The sequential test: ratio compared with an independent optimizer, errors by simulation."""

from __future__ import annotations

import math
import random

import pytest

from forthvm.autoplay.statistics.formulas import GAME_SCORES, PAIR_SCORES, Sample, score_of_elo
from forthvm.autoplay.statistics.sprt import (
    CONTINUE,
    H0,
    H1,
    Sprt,
    SprtSettings,
    log_likelihood_ratio,
)
from tests.kit.cases import each_case
from tests.kit.messages import raises


def test_bounds_are_those_of_wald() -> None:
    """With error probabilities of 5 % they are ±2.94, as printed by Fishtest."""
    settings = SprtSettings(elo0=0, elo1=10)
    assert (settings.lower, settings.upper) == pytest.approx((-2.94, 2.94), abs=0.005)
    settings = SprtSettings(elo0=0, elo1=10, alpha=0.01, beta=0.1)
    assert settings.lower == pytest.approx(math.log(0.1 / 0.99))
    assert settings.upper == pytest.approx(math.log(0.9 / 0.01))


@each_case(
    ("values", "counts", "elo0", "elo1", "expected"),
    [  # both likelihoods maximized by scipy.optimize.minimize (SLSQP)
        (GAME_SCORES, (120, 300, 150), 0, 10, 1.3262141),
        (GAME_SCORES, (5, 0, 0), 0, 50, -0.7711565),
        (GAME_SCORES, (0, 8, 0), 0, 50, -1.2338503),
        (PAIR_SCORES, (10, 60, 120, 75, 16), 0, 5, 0.7789495),
        (PAIR_SCORES, (0, 3, 20, 9, 0), 0, 20, 1.3248532),
    ],
)
def test_ratio_equals_independent_results(
    values: tuple[float, ...], counts: tuple[int, ...], elo0: float, elo1: float, expected: float
) -> None:
    llr = log_likelihood_ratio(Sample(values, counts), elo0, elo1)
    assert llr == pytest.approx(expected, abs=1e-6)


def test_ratio_without_draws_is_binomial() -> None:
    one, other = score_of_elo(50), score_of_elo(-20)
    llr = log_likelihood_ratio(Sample(GAME_SCORES, (9, 0, 21)), -20, 50)
    expected = 21 * math.log(one / other) + 9 * math.log((1 - one) / (1 - other))
    assert llr == pytest.approx(expected)
    assert log_likelihood_ratio(Sample(GAME_SCORES, (0, 0, 0)), 0, 10) == 0


def finished_test(settings: SprtSettings, rng: random.Random, elo: float, draws: float) -> Sprt:
    """Run a test to its decision, with random games of an Elo difference and a share of draws."""
    test = Sprt(settings)
    win = score_of_elo(elo) - draws / 2
    while test.decision == CONTINUE:
        test.add(rng.choices(GAME_SCORES, (1 - win - draws, draws, win))[0])
    return test


@pytest.mark.slow
@pytest.mark.parametrize(
    ("elo", "wrong_decision"), [pytest.param(0, H1, marks=pytest.mark.slow), (100, H0)]
)
def test_error_rates_of_games(elo: float, wrong_decision: str) -> None:
    """At most 5 % of 400 tests err: 20 tests, plus four standard deviations of 4.4 tests.

    With fewer than two errors, the tests would be longer than necessary.
    """
    rng = random.Random(elo)
    settings = SprtSettings(elo0=0, elo1=100)
    tests = [finished_test(settings, rng, elo, draws=0.3) for _ in range(400)]
    errors = sum(test.decision == wrong_decision for test in tests)
    assert 2 <= errors <= 37
    # A test of fixed size with the same error rates needs (2 * 1.645 * s / d)^2 games, where s is
    # the standard deviation of a score, d the difference of the expected scores, and 1.645 the
    # 95 % quantile of the normal distribution.
    mean_score = score_of_elo(50)
    variance = mean_score * (1 - mean_score) - 0.3 / 4
    fixed_size = (2 * 1.645) ** 2 * variance / (score_of_elo(100) - 0.5) ** 2
    assert sum(test.sample.size for test in tests) / 400 < 0.75 * fixed_size


@pytest.mark.slow
@pytest.mark.parametrize(
    ("elo", "wrong_decision"), [pytest.param(0, H1, marks=pytest.mark.slow), (100, H0)]
)
def test_error_rates_of_pairs(elo: float, wrong_decision: str) -> None:
    """The first player wins four of five games, so the results of a pair are correlated."""
    rng = random.Random(elo + 1)
    settings = SprtSettings(elo0=0, elo1=100)
    strength = score_of_elo(elo) - 0.5
    errors = 0
    for _ in range(400):
        test = Sprt(settings, paired=True)
        while test.decision == CONTINUE:
            first = rng.random() < 0.8 + strength
            second = rng.random() < 0.2 + strength
            test.add((first + second) / 2)
        errors += test.decision == wrong_decision
    assert errors <= 37


def test_first_decision_is_final() -> None:
    """Later results, from games that had begun before the decision, do not change it."""
    test = Sprt(SprtSettings(elo0=0, elo1=100))
    while test.decision == CONTINUE:
        test.add(1)
    before = test.llr
    for _ in range(50):
        assert test.add(0) == H1
    assert test.llr < test.settings.lower < before
    assert str(test).endswith("elo0=0, elo1=100: H1")


def test_impossible_scores_raise() -> None:
    with raises(ValueError, "statistics.score"):
        Sprt(SprtSettings(elo0=0, elo1=10)).add(0.25)


def test_settings_are_parsed() -> None:
    assert SprtSettings.parse(["elo0=-2.5", "elo1=10"]) == SprtSettings(elo0=-2.5, elo1=10)
    parsed = SprtSettings.parse(["elo0=0,elo1=5 alpha=0.1", "beta=0.2"])
    assert parsed == SprtSettings(elo0=0, elo1=5, alpha=0.1, beta=0.2)


@each_case(
    ("text", "message"),
    [
        ("elo0=0", "needs elo1"),
        ("", "needs elo0 and elo1"),
        ("elo0=0 elo1=ten", "'ten' is not a number"),
        ("elo0=0 elo2=10", "'elo2=10': a test has elo0, elo1, alpha, beta"),
        ("elo0=0 10", "'10': a test has"),
        ("elo0=10 elo1=0", "elo0=10 must be less than elo1=0"),
        ("elo0=0 elo1=nan", "must be less"),
        ("elo0=0 elo1=inf", "must be less"),
        ("elo0=0 elo1=5 alpha=0.7", "alpha=0.7 must lie between"),
        ("elo0=0 elo1=5 beta=0", "beta=0 must lie between"),
    ],
)
def test_invalid_settings_raise(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        SprtSettings.parse([text])
