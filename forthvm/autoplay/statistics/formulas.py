"""Formulas of match statistics: intervals, Elo, likelihood of superiority.

Owns the formulas for one proportion, one mean score and one pair of opponents, with their sources.
The arguments are counts and numbers.

A score is a number from 0 to 1: 1 for a win, 0 for a loss, 1 / n for each of n who share a win.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "CONFIDENCE",
    "GAME_SCORES",
    "PAIR_SCORES",
    "Distribution",
    "EloEstimate",
    "Interval",
    "Ratio",
    "Sample",
    "distribution",
    "elo_difference",
    "elo_of_score",
    "likelihood_of_superiority",
    "log_likelihood",
    "mean_interval",
    "most_likely_probabilities",
    "normal_cdf",
    "normal_quantile",
    "normalized_elo",
    "poisson_tail",
    "ratio",
    "score_of_elo",
    "wilson_interval",
]

CONFIDENCE = 0.95
"""The default confidence level of intervals."""

GAME_SCORES = (0.0, 0.5, 1.0)
"""Scores of a game for two players: the trinomial model."""
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean scores of a pair of games with exchanged seats: the pentanomial model."""

_ELO_SCALE = 400.0
_NORMALIZED_SCALE = 2 * _ELO_SCALE / math.log(10)
"""The factor with which normalized Elo equals Elo for nearly equal opponents without draws."""
_TOLERANCE = 1e-12
_BISECTION_TOLERANCE = 1e-10
_MAX_STEPS = 200
_NEWTON_MARGIN = 0.01
"""A Newton step that ends within this share of the bracket from one of its ends is replaced by a
bisection."""
_LARGE_POISSON_MEAN = 1000.0
"""The mean above which a Poisson distribution is approximated by a normal distribution."""


@dataclass(frozen=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True)
class Sample:
    """A histogram of scores.

    Attributes:
        values: All possible scores, ascending.
        counts: The number of occurrences of each score, which need not be an integer.
    """

    values: tuple[float, ...]
    counts: tuple[float, ...]

    def __post_init__(self) -> None:
        """Raise ValueError if values or counts are invalid."""
        rising = all(low < high for low, high in zip(self.values, self.values[1:], strict=False))
        if len(self.values) != len(self.counts) or len(self.values) < 2 or not rising:
            raise ValueError("a sample has a count for each of two or more ascending values")
        if min(self.counts) < 0:
            raise ValueError(f"a count is negative: {self.counts}")

    @classmethod
    def of(cls, scores: Iterable[float], possible: Iterable[float] = GAME_SCORES) -> Sample:
        """Count scores; a score that is not in `possible` is added to the values."""
        return cls.from_counts(Counter(scores), possible)

    @classmethod
    def from_counts(
        cls, counts: Mapping[float, float], possible: Iterable[float] = GAME_SCORES
    ) -> Sample:
        """Return a sample of counted scores, given as a mapping from score to count."""
        values = tuple(sorted({*possible, *counts}))
        return cls(values, tuple(counts.get(value, 0) for value in values))

    @property
    def size(self) -> float:
        """The number of scores."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score; 1/2 for an empty sample."""
        size = self.size
        if not size:
            return 0.5
        pairs = zip(self.values, self.counts, strict=True)
        return sum(value * count for value, count in pairs) / size

    @property
    def variance(self) -> float:
        """The variance of the scores (divided by n); 0 for an empty sample."""
        size, mean = self.size, self.mean
        if not size:
            return 0.0
        pairs = zip(self.values, self.counts, strict=True)
        return sum(count * (value - mean) ** 2 for value, count in pairs) / size

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite for an empty sample."""
        return math.sqrt(self.variance / self.size) if self.size else math.inf


# --- the normal distribution ----------------------------------------------------------------


def normal_cdf(z: float) -> float:
    """Return the probability that a standard normal variable is below `z`."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


@lru_cache(maxsize=16)
def normal_quantile(share: float) -> float:
    """Return the value below which a standard normal variable is with the probability `share`."""
    from statistics import NormalDist  # the standard library's module, slow to load

    return NormalDist().inv_cdf(share)


def _two_sided(confidence: float) -> float:
    """Return the z such that a standard normal variable is within ±z with this probability."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} does not lie between 0 and 1")
    return normal_quantile(0.5 + confidence / 2)


def poisson_tail(count: int, mean: float) -> float:
    """Return the probability that a Poisson variable with mean `mean` is `count` or more."""
    if count <= 0:
        return 1.0
    if not mean:
        return 0.0
    if mean > _LARGE_POISSON_MEAN:
        return 1 - normal_cdf((count - 0.5 - mean) / math.sqrt(mean))
    # One minus the probabilities below `count` would lose digits of a small result.
    term = math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
    total, at = 0.0, count
    while term > _TOLERANCE * total or at < mean:
        total += term
        at += 1
        term *= mean / at
    return min(1.0, total)


# --- proportions ------------------------------------------------------------------------------


def wilson_interval(hits: float, trials: float, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's interval of a proportion, without continuity correction.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22 (1927), 209-212; method 3 of R. G.
    Newcombe, Statistics in Medicine 17 (1998), 857-872.

    Args:
        hits: Number of successes, 0 to `trials`.
        trials: Number of trials; for 0 the interval is from 0 to 1.
        confidence: The probability that an interval contains the true proportion.
    """
    z = _two_sided(confidence)
    if not 0 <= hits <= trials:
        raise ValueError(f"{hits} of {trials} is not a proportion")
    if not trials:
        return Interval(0.0, 1.0)
    share = hits / trials
    shift = z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    scale = 1 + 2 * shift
    low = 0.0 if hits == 0 else (share + shift - spread) / scale
    high = 1.0 if hits == trials else (share + shift + spread) / scale
    return Interval(max(0.0, low), min(1.0, high))


# --- mean scores ------------------------------------------------------------------------------


def most_likely_probabilities(sample: Sample, mean: float) -> tuple[float, ...]:
    """Return the maximum-likelihood probabilities of the scores, among those with a given mean.

    The probability of a score a with the observed share q is q / (1 + x (a - m)), where m is the
    mean and x solves sum q (a - m) / (1 + x (a - m)) = 0: A. B. Owen, Empirical Likelihood (2001),
    section 2.9.  If the mean lies beyond all observed scores, x is at an end of its range, and the
    remaining probability belongs to the least or greatest possible score.

    Args:
        sample: The observed scores.
        mean: A number between the least and the greatest possible score, excluding both.
    """
    return _most_likely_probabilities(sample, mean)[0]


def _most_likely_probabilities(sample: Sample, mean: float) -> tuple[tuple[float, ...], float]:
    values = sample.values
    if not values[0] < mean < values[-1]:
        raise ValueError(f"a mean of {mean} does not lie between {values[0]} and {values[-1]}")
    size = sample.size
    if not size:
        raise ValueError("the sample is empty")
    shares = [count / size for count in sample.counts]
    offsets = [value - mean for value in values]
    x = _tilt(shares, offsets)
    probabilities = [
        share / (1 + x * offset) if share else 0.0
        for share, offset in zip(shares, offsets, strict=True)
    ]
    remaining = max(0.0, 1.0 - sum(probabilities))
    if not shares[0] and x >= 1 / -offsets[0]:
        probabilities[0] = remaining
    elif not shares[-1] and x <= -1 / offsets[-1]:
        probabilities[-1] = remaining
    return tuple(probabilities), x


def _tilt(shares: Sequence[float], offsets: Sequence[float]) -> float:
    """Return the x at which sum q d / (1 + x d) is 0, or the nearest end of the range of x.

    q are the shares, and d the offsets: the scores minus the mean.
    """
    terms = [(share, offset) for share, offset in zip(shares, offsets, strict=True) if share]
    low, high = -1 / offsets[-1], 1 / -offsets[0]

    def sum_and_derivative(x: float) -> tuple[float, float]:
        value = change = 0.0
        for share, offset in terms:
            term = offset / (1 + x * offset)
            value += share * term
            change -= share * term * term
        return value, change

    # The sum decreases in x.  If the least or greatest possible score was not observed, the sum is
    # finite at the corresponding end of the range.
    if not shares[-1] and sum_and_derivative(low)[0] <= 0:
        return low
    if not shares[0] and sum_and_derivative(high)[0] >= 0:
        return high
    x = 0.0
    for _ in range(_MAX_STEPS):
        value, change = sum_and_derivative(x)
        low, high = (x, high) if value > 0 else (low, x)
        step = x - value / change if change else (low + high) / 2
        margin = _NEWTON_MARGIN * (high - low)  # the terms have poles at the ends of the range
        if not low + margin < step < high - margin:
            step = (low + high) / 2
        if abs(step - x) <= _TOLERANCE * (1 + abs(x)):
            return step
        x = step
    return x


def log_likelihood(sample: Sample, mean: float) -> float:
    """Return the logarithm of a likelihood ratio, at most 0.

    The numerator is the greatest likelihood of the sample among distributions with this mean; the
    denominator is the likelihood of the sample under its own shares.
    """
    _, x = _most_likely_probabilities(sample, mean)
    return -sum(
        count * math.log1p(x * (value - mean))
        for value, count in zip(sample.values, sample.counts, strict=True)
        if count
    )


def _score_statistic(sample: Sample, mean: float) -> float:
    """Return (observed mean - mean) / sqrt(v / n), which is standard normal if `mean` is true.

    v is the variance of the most likely distribution with this mean; n is the number of scores.
    """
    pairs = zip(sample.values, most_likely_probabilities(sample, mean), strict=True)
    variance = sum(probability * (value - mean) ** 2 for value, probability in pairs)
    difference = sample.mean - mean
    if not variance:  # all scores are equal to `mean`
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / math.sqrt(variance / sample.size)


def mean_interval(sample: Sample, confidence: float = CONFIDENCE) -> Interval:
    """Return the confidence interval of the mean score.

    The interval contains all m for which |mean - m| is at most z sqrt(v / n), where v is the
    variance of the most likely distribution with the mean m.  It inverts C. R. Rao's score test
    (1948), with a constrained variance as in O. Miettinen and M. Nurminen, Statistics in Medicine 4
    (1985), 213-226.  Without draws the interval equals Wilson's interval.  Its width is positive
    even if all scores are equal.
    """
    z, size = _two_sided(confidence), sample.size
    least, greatest = sample.values[0], sample.values[-1]
    if not size:
        return Interval(least, greatest)
    mean = sample.mean

    def contains(candidate: float) -> bool:
        return abs(_score_statistic(sample, candidate)) <= z

    def bound(outside: float) -> float:
        """Return the bound between the mean and `outside`, a score outside of the interval."""
        inside = mean
        for _ in range(_MAX_STEPS):
            middle = (inside + outside) / 2
            if abs(inside - outside) <= _BISECTION_TOLERANCE:
                break
            if contains(middle):
                inside = middle
            else:
                outside = middle
        return inside

    low = least if mean <= least else bound(least)
    high = greatest if mean >= greatest else bound(greatest)
    return Interval(low, high)


# --- two opponents -------------------------------------------------------------------------------


@dataclass(frozen=True)
class EloEstimate:
    """The difference of two opponents' ratings in Elo; infinite if one won all games.

    Attributes:
        elo: The difference that corresponds to the mean score.
        low: Lower end of the interval.
        high: Upper end of the interval.
        error: Half the width of the interval.
    """

    elo: float
    low: float
    high: float
    error: float


def elo_of_score(score: float) -> float:
    """Return the difference of ratings at which this mean score is expected.

    It is 400 log10(s / (1 - s)), the logistic form of A. E. Elo, The Rating of Chessplayers
    (1978), section 8.43.
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return _ELO_SCALE * math.log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Return the expected mean score for a difference of ratings; see `elo_of_score`."""
    if elo >= 0:
        return 1 / (1 + 10 ** (-elo / _ELO_SCALE))
    power: float = 10 ** (elo / _ELO_SCALE)
    return power / (1 + power)


def elo_difference(sample: Sample, confidence: float = CONFIDENCE) -> EloEstimate:
    """Return the rating difference of two opponents, given the scores of the first opponent.

    For pairs of games with exchanged seats, pass the mean scores of the pairs (`PAIR_SCORES`),
    because the games of a pair are not independent.
    """
    interval = mean_interval(sample, confidence)
    low, high = elo_of_score(interval.low), elo_of_score(interval.high)
    error = math.inf if math.inf in (high, -low) else (high - low) / 2
    return EloEstimate(elo_of_score(sample.mean), low, high, error)


def normalized_elo(
    sample: Sample, *, games: int = 1, confidence: float = CONFIDENCE
) -> EloEstimate | None:
    """Return the normalized Elo of the first of two opponents, given its scores.

    It is (mean - 1/2) / s times 800 / ln 10, where s is the standard deviation of the score of a
    game: M. Van den Bergh, Comments on Normalized Elo, 2019.  It measures how few games show who
    is stronger, and unlike Elo it hardly depends on the share of draws.

    Args:
        sample: The scores.
        games: The number of games of a score, 2 for the mean scores of pairs.
        confidence: The probability that the interval contains the true value, if s is exact.

    Returns:
        None if all scores are equal.
    """
    deviation = math.sqrt(games * sample.variance)
    if not deviation:
        return None
    interval = mean_interval(sample, confidence)

    def normalized(mean: float) -> float:
        return _NORMALIZED_SCALE * (mean - 0.5) / deviation

    low, high = normalized(interval.low), normalized(interval.high)
    return EloEstimate(normalized(sample.mean), low, high, (high - low) / 2)


def likelihood_of_superiority(sample: Sample) -> float:
    """Return the probability that the first of two opponents is stronger, given its scores.

    It is the normal distribution at the statistic of the test that `mean_interval` inverts, for
    equal strength.  So it exceeds 97.5 % exactly if the interval of 95 % is above equal strength.
    For wins, draws and losses, the statistic is (wins - losses) / sqrt(wins + losses), as in the
    Chess Programming Wiki, Match Statistics.  For pairs it uses the pentanomial model, as Fishtest
    does (M. Van den Bergh, Comments on Normalized Elo, 2019), but with the variance under equal
    strength in place of the observed one, which is too small if few kinds of results occurred.
    """
    return normal_cdf(_score_statistic(sample, 0.5)) if sample.size else 0.5


# --- quantities ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Distribution:
    """Descriptive statistics of numbers; `low` and `high` bound the interval of the mean."""

    count: int
    mean: float
    low: float
    high: float
    deviation: float
    least: float
    median: float
    greatest: float


def distribution(
    numbers: Iterable[float], confidence: float = CONFIDENCE, *, observations: Sequence[float] = ()
) -> Distribution | None:
    """Return descriptive statistics of numbers; None without numbers.

    The interval of the mean is mean ± z s / sqrt(n), where n is the number of independent
    observations and s their sample standard deviation.  For one observation, its width is 0.

    Args:
        numbers: The numbers.
        confidence: The probability that an interval contains the true mean.
        observations: The independent observations, such as the means of pairs; empty if the
            numbers themselves are independent.
    """
    ordered = sorted(numbers)
    count = len(ordered)
    if not count:
        return None
    mean, deviation = math.fsum(ordered) / count, _deviation(ordered)
    observations = observations or ordered
    error = _two_sided(confidence) * _deviation(observations) / math.sqrt(len(observations))
    half = count // 2
    median = ordered[half] if count % 2 else (ordered[half - 1] + ordered[half]) / 2
    return Distribution(
        count, mean, mean - error, mean + error, deviation, ordered[0], median, ordered[-1]
    )


def _deviation(numbers: Sequence[float]) -> float:
    """Return the sample standard deviation (divided by n - 1); 0 for a single number."""
    count = len(numbers)
    mean = math.fsum(numbers) / count
    squares = math.fsum((number - mean) ** 2 for number in numbers)
    return math.sqrt(squares / (count - 1)) if count > 1 else 0.0


@dataclass(frozen=True)
class Ratio:
    """The ratio of two sums, with its interval."""

    value: float
    low: float
    high: float


def ratio(parts: Iterable[tuple[float, float]], confidence: float = CONFIDENCE) -> Ratio | None:
    """Return the ratio of two sums over games, for example legal moves per choice.

    The ratio r is the sum of the first numbers a divided by the sum of the second numbers b.  Its
    interval is r ± z s / (sqrt(n) m), where n is the number of games, m the mean of b, and s the
    sample standard deviation of a - r b: the ratio estimate of W. G. Cochran, Sampling Techniques
    (3rd edition 1977), chapter 6.  A game is one observation, because its choices are not
    independent of each other.

    Args:
        parts: The numbers a and b of each game; b is not negative.
        confidence: The probability that an interval contains the true ratio, for many games.

    Returns:
        None if the sum of the second numbers is 0.
    """
    pairs = list(parts)
    count = len(pairs)
    denominator = math.fsum(second for _, second in pairs)
    if not denominator:
        return None
    value = math.fsum(first for first, _ in pairs) / denominator
    squares = math.fsum((first - value * second) ** 2 for first, second in pairs)
    deviation = math.sqrt(squares / (count - 1)) if count > 1 else 0.0
    error = _two_sided(confidence) * deviation * math.sqrt(count) / denominator
    return Ratio(value, value - error, value + error)
