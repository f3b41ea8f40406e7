"""Intervals, Elo and likelihood of superiority against published values."""

from __future__ import annotations

import math
import random
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forthvm.autoplay.statistics.formulas import (
    GAME_SCORES,
    PAIR_SCORES,
    Interval,
    Sample,
    distribution,
    elo_difference,
    elo_of_score,
    likelihood_of_superiority,
    log_likelihood,
    mean_interval,
    most_likely_probabilities,
    normal_cdf,
    normal_quantile,
    score_of_elo,
    wilson_interval,
)
from forthvm.autoplay.statistics.sprt import log_likelihood_ratio
from tests.kit.cases import each_case
from tests.kit.messages import raises


@each_case(
    ("hits", "trials", "low", "high"),
    [  # Newcombe 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_equal_published_intervals(
    hits: int, trials: int, low: float, high: float
) -> None:
    interval = wilson_interval(hits, trials)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)


def test_wilson_interval_of_extreme_proportions() -> None:
    """The interval is 0 to 1 without trials, and begins at n / (n + z²) for n hits of n."""
    z = 1.959963984540054
    assert wilson_interval(0, 0) == Interval(0.0, 1.0)
    assert wilson_interval(10, 10).low == pytest.approx(10 / (10 + z * z))
    assert wilson_interval(10, 10).high == 1.0
    with raises(ValueError, "statistics.more-than-all"):
        wilson_interval(11, 10)
    with raises(ValueError, "statistics.confidence"):
        wilson_interval(1, 10, confidence=95)


def test_normal_distribution() -> None:
    """The values are those of published tables."""
    assert normal_quantile(0.975) == pytest.approx(1.959963985, abs=1e-9)
    assert normal_cdf(1.0) == pytest.approx(0.841344746, abs=1e-9)
    assert normal_cdf(-3.0) == pytest.approx(0.001349898, abs=1e-9)


@each_case(("wins", "losses"), [(87, 13), (0, 7), (10, 0), (1, 1), (350, 349)])
def test_mean_interval_without_draws_equals_wilson(wins: int, losses: int) -> None:
    interval = mean_interval(Sample(GAME_SCORES, (losses, 0, wins)))
    expected = wilson_interval(wins, wins + losses)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_mean_interval_of_many_scores_is_nearly_normal() -> None:
    sample = Sample(PAIR_SCORES, (6100, 38500, 97100, 109500, 48900))
    half_width = 1.959963985 * sample.error
    interval = mean_interval(sample)
    assert interval.low == pytest.approx(sample.mean - half_width, abs=1e-5)
    assert interval.high == pytest.approx(sample.mean + half_width, abs=1e-5)


def test_mean_interval_of_draws_has_a_width() -> None:
    """The bound 1/2 + e is near 1/2 + z^2 / (2 n).

    With that mean, the most likely share of wins is 2 e, and the variance is about e / 2.
    """
    interval = mean_interval(Sample(GAME_SCORES, (0, 1000, 0)))
    assert interval.high - 0.5 == pytest.approx(1.96**2 / 2000, rel=0.01)
    assert interval.low == pytest.approx(1 - interval.high)


def test_mean_interval_of_an_empty_sample_is_the_range() -> None:
    assert mean_interval(Sample(GAME_SCORES, (0, 0, 0))) == Interval(0.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("probabilities", [(0.2, 0.3, 0.5), (0.02, 0.9, 0.08), (0.0, 0.6, 0.4)])
def test_mean_interval_covers_the_true_mean(
    probabilities: tuple[float, float, float],
) -> None:
    """About 95 % of the intervals of 1,500 samples of 60 games contain the true mean.

    The tolerance of 2.3 % is four standard deviations.
    """
    rng = random.Random(6)
    true_mean = probabilities[1] / 2 + probabilities[2]
    cached_interval = cache(mean_interval)
    hits = 0
    for _ in range(1500):
        interval = cached_interval(Sample.of(rng.choices(GAME_SCORES, probabilities, k=60)))
        hits += interval.low <= true_mean <= interval.high
    assert hits / 1500 == pytest.approx(0.95, abs=0.023)


def test_most_likely_distribution_for_a_mean() -> None:
    """The expected values are results of scipy.optimize.minimize (SLSQP)."""
    mean = score_of_elo(10)
    probabilities = most_likely_probabilities(Sample(GAME_SCORES, (120, 300, 150)), mean)
    assert probabilities == pytest.approx((0.2220717, 0.52708223, 0.25084607), abs=1e-6)
    probabilities = most_likely_probabilities(
        Sample(PAIR_SCORES, (10, 60, 120, 75, 16)), score_of_elo(5)
    )
    expected = (0.04243547, 0.23255427, 0.42802618, 0.24776263, 0.04922145)
    assert probabilities == pytest.approx(expected, abs=1e-6)


def test_most_likely_distribution_for_a_mean_beyond_all_scores() -> None:
    """For draws only and a mean of 0.6, wins have a probability although none was observed."""
    assert most_likely_probabilities(Sample(GAME_SCORES, (0, 8, 0)), 0.6) == pytest.approx(
        (0, 0.8, 0.2)
    )
    assert most_likely_probabilities(Sample(GAME_SCORES, (5, 0, 0)), 0.6) == pytest.approx(
        (0.4, 0, 0.6)
    )
    assert log_likelihood(Sample(GAME_SCORES, (5, 0, 0)), 0.6) == pytest.approx(5 * math.log(0.4))
    with raises(ValueError, "statistics.one-value"):
        most_likely_probabilities(Sample(GAME_SCORES, (5, 0, 0)), 1.0)


@pytest.mark.parametrize(
    ("pairs", "elo", "error"),
    [  # Stockfish, commit "Add NNUE evaluation" (2020): Fishtest's Ptnml(0-2), which is the number
        # of pairs with 0, 1/2, 1, 3/2 and 2 points; ELO; and ±
        ((609, 3850, 9708, 10948, 4885), 92.77, 2.1),
        ((74, 1583, 8550, 7776, 2017), 89.47, 2.0),
    ],
)
def test_elo_of_pairs_equals_published_results(
    pairs: tuple[int, ...], elo: float, error: float
) -> None:
    sample = Sample(PAIR_SCORES, pairs)
    estimate = elo_difference(sample)
    assert estimate.elo == pytest.approx(elo, abs=0.005)
    assert estimate.error == pytest.approx(error, abs=0.05)
    assert estimate.low == pytest.approx(elo - estimate.error, abs=0.1)
    assert estimate.high == pytest.approx(elo + estimate.error, abs=0.1)
    assert likelihood_of_superiority(sample) == pytest.approx(1.0)


def test_elo_of_scores() -> None:
    """400 Elo are odds of 10 to 1; a score of 0.76 is 200 Elo in published tables."""
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert score_of_elo(200) == pytest.approx(0.76, abs=0.001)
    assert elo_of_score(0) == -math.inf
    assert elo_of_score(1) == math.inf
    for elo in (-5000, -120.5, 0, 33, 5000):
        assert score_of_elo(elo) + score_of_elo(-elo) == pytest.approx(1)
    assert elo_of_score(score_of_elo(-120.5)) == pytest.approx(-120.5)


def test_elo_is_infinite_after_only_wins() -> None:
    estimate = elo_difference(Sample(GAME_SCORES, (0, 0, 10)))
    assert (estimate.elo, estimate.high, estimate.error) == (math.inf, math.inf, math.inf)
    assert estimate.low == pytest.approx(elo_of_score(wilson_interval(10, 10).low))


def test_interval_by_pairs_is_narrow_if_pairs_cancel_out() -> None:
    """The first player always wins: 50 pairs contain more information than 100 such games."""
    games = elo_difference(Sample(GAME_SCORES, (50, 0, 50)))
    pairs = elo_difference(Sample(PAIR_SCORES, (0, 0, 50, 0, 0)))
    assert (games.elo, pairs.elo) == (0.0, 0.0)
    assert pairs.high < games.high / 2


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "z"), [(13, 5, 3, 2.5), (3, 0, 13, -2.5), (4, 9, 0, 2.0)]
)
def test_likelihood_of_superiority(wins: int, draws: int, losses: int, z: float) -> None:
    """It is the normal distribution at (wins - losses) / sqrt(wins + losses), without draws."""
    sample = Sample(GAME_SCORES, (losses, draws, wins))
    assert likelihood_of_superiority(sample) == pytest.approx(normal_cdf(z))


def test_likelihood_of_superiority_of_draws_is_one_half() -> None:
    assert likelihood_of_superiority(Sample(GAME_SCORES, (0, 7, 0))) == 0.5


def test_sample_counts_scores() -> None:
    sample = Sample.of([1, 0.5, 1, 0])
    assert sample == Sample(GAME_SCORES, (1, 1, 2))
    assert (sample.size, sample.mean, sample.variance) == (4, 0.625, 0.171875)
    assert Sample.of([1 / 3, 1], (0, 1)).values == (0, 1 / 3, 1)
    for values, counts in (((0, 1), (1,)), ((1, 0), (1, 1)), ((0, 1), (1, -1))):
        with pytest.raises(ValueError, match=r"sample|negative"):
            Sample(values, counts)


def test_distribution_computed_by_hand() -> None:
    """2, 4, 4, 4, 5, 5, 7, 9 have the mean 5; the sum of squared differences from it is 32."""
    statistics = distribution([9, 2, 4, 5, 4, 7, 4, 5])
    assert (statistics.mean, statistics.least, statistics.median, statistics.greatest) == (
        5,
        2,
        4.5,
        9,
    )
    assert statistics.deviation == pytest.approx(math.sqrt(32 / 7))
    assert statistics.high - 5 == pytest.approx(1.959964 * math.sqrt(32 / 7 / 8))
    assert distribution([]) is None
    single = distribution([3])
    assert (single.low, single.median, single.high) == (3, 3, 3)


samples = (
    st.tuples(*[st.integers(0, 60)] * 5).filter(any).map(lambda counts: Sample(PAIR_SCORES, counts))
)


@given(samples)
def test_interval_contains_the_mean_and_grows_with_confidence(sample: Sample) -> None:
    narrow, wide = mean_interval(sample, 0.8), mean_interval(sample, 0.99)
    assert 0 <= wide.low <= narrow.low <= sample.mean <= narrow.high <= wide.high <= 1


@given(samples)
@example(Sample(PAIR_SCORES, (0, 0, 95, 5, 0)))
@example(Sample(PAIR_SCORES, (0, 0, 90, 10, 0)))
def test_likelihood_and_interval_agree(sample: Sample) -> None:
    """A likelihood of more than 97.5 % and an interval above 0 Elo say the same."""
    likelihood, elo = likelihood_of_superiority(sample), elo_difference(sample)
    if abs(likelihood - 0.5) < 0.4749:
        assert elo.low <= 0 <= elo.high
    elif abs(likelihood - 0.5) > 0.4751:
        assert (elo.low > 0) if likelihood > 0.5 else (elo.high < 0)


def test_likelihood_is_right_for_pairs_of_equal_opponents() -> None:
    """In simulated matches of equal opponents, at most 1 of 40 likelihoods exceeds 97.5 %."""
    rng = random.Random(7)
    weights = (0.01, 0.1, 0.78, 0.1, 0.01)
    samples = [Sample.of(rng.choices(PAIR_SCORES, weights, k=100), PAIR_SCORES) for _ in range(400)]
    excess = sum(likelihood_of_superiority(sample) > 0.975 for sample in samples)
    assert 2 <= excess <= 23  # 10 are expected, with a standard deviation of 3


@given(samples)
@example(Sample(PAIR_SCORES, (2, 2, 32, 2, 2)))  # here an unlimited Newton step reaches a pole
def test_numbers_of_the_opponent_are_symmetric(sample: Sample) -> None:
    mirrored = Sample(PAIR_SCORES, tuple(reversed(sample.counts)))
    own, other = mean_interval(sample), mean_interval(mirrored)
    assert (own.low, own.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-8)
    likelihoods = likelihood_of_superiority(sample), likelihood_of_superiority(mirrored)
    assert sum(likelihoods) == pytest.approx(1)
    llr = log_likelihood_ratio(sample, -5, 20)
    assert llr == pytest.approx(-log_likelihood_ratio(mirrored, -20, 5), abs=1e-8)


@given(samples, st.floats(0.01, 0.99))
def test_most_likely_distribution_has_the_mean(sample: Sample, mean: float) -> None:
    probabilities = most_likely_probabilities(sample, mean)
    assert min(probabilities) >= 0
    assert sum(probabilities) == pytest.approx(1, abs=1e-6)
    pairs = zip(PAIR_SCORES, probabilities, strict=True)
    expected = sum(score * probability for score, probability in pairs)
    assert expected == pytest.approx(mean, abs=1e-6)
