"""The sequential probability ratio test, which ends a match as soon as one hypothesis is accepted.

Owns the hypotheses, the bounds and the likelihood ratio.

The test is the generalized test (GSPRT): the likelihood of a hypothesis is that of the most likely
distribution of scores, among those with the mean that the hypothesis implies.  Sources: A. Wald,
Sequential Analysis (1947), for the bounds; X. Li, J. Liu and Z. Ying, Generalized sequential
probability ratio test for separate families of hypotheses, Sequential Analysis 33 (2014), 539-563,
for the ratio; M. Van den Bergh, The generalized sequential probability ratio test, 2018, for its
use with scores of games and of pairs of games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import (
    GAME_SCORES,
    PAIR_SCORES,
    Sample,
    log_likelihood,
    score_of_elo,
)
from forthvm.autoplay.statistics.interval_text import interval_unit
from forthvm.core.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CONTINUE", "H0", "H1", "Sprt", "SprtSettings", "log_likelihood_ratio"]

CONTINUE, H0, H1 = "continue", "H0", "H1"
_MAX_ELO = 4000.0


@dataclass(frozen=True, kw_only=True)
class SprtSettings:
    """The hypotheses of a test and its error probabilities.

    Attributes:
        elo0: Hypothesis H0: the first entrant's advantage in Elo is at most `elo0`.
        elo1: Hypothesis H1: the first entrant's advantage in Elo is at least `elo1`.
        alpha: The probability of accepting H1 although H0 is true.
        beta: The probability of accepting H0 although H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raise ValueError if a value is invalid."""
        if not -_MAX_ELO <= self.elo0 < self.elo1 <= _MAX_ELO:
            raise ValueError(
                f"elo0={self.elo0:g} must be less than elo1={self.elo1:g}, "
                f"both within ±{_MAX_ELO:g}"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:  # 0.5 is a decision at random
                raise ValueError(f"{name}={getattr(self, name):g} must lie between 0 and 0.5")

    @classmethod
    def parse(cls, texts: Iterable[str]) -> SprtSettings:
        """Parse `elo0=0 elo1=10 [alpha=0.05] [beta=0.05]`.

        Raises:
            ValueError: A setting is unknown, missing or not a number; the message names it.
        """
        names = [field.name for field in fields(cls)]
        numbers: dict[str, float] = {}
        for text in " ".join(texts).replace(",", " ").split():
            name, equals, value = text.partition("=")
            if name not in names or not equals:
                raise ValueError(f"{text!r}: a test has {', '.join(names)}, as in elo1=10")
            try:
                numbers[name] = float(value)
            except ValueError:
                raise ValueError(f"{text!r}: {value!r} is not a number") from None
        missing = [name for name in ("elo0", "elo1") if name not in numbers]
        if missing:
            raise ValueError(f"the test needs {' and '.join(missing)}, as in elo0=0 elo1=10")
        return cls(**numbers)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted: log(beta / (1 - alpha))."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted: log((1 - beta) / alpha)."""
        return math.log((1 - self.beta) / self.alpha)


def log_likelihood_ratio(sample: Sample, elo0: float, elo1: float) -> float:
    """Return log(L1 / L0), where L1 is the likelihood of the sample under `elo1`, L0 under `elo0`.

    The result is 0 for an empty sample.
    """
    if not sample.size:
        return 0.0
    score0, score1 = score_of_elo(elo0), score_of_elo(elo1)
    return log_likelihood(sample, score1) - log_likelihood(sample, score0)


class Sprt:
    """A running test.

    The first bound that is reached decides.  Later results change the ratio but not the decision.

    >>> test = Sprt(SprtSettings(elo0=0, elo1=100))
    >>> for _ in range(20):
    ...     _ = test.add(1)
    >>> test.decision
    'H1'
    """

    def __init__(self, settings: SprtSettings, *, paired: bool = False) -> None:
        """Begin a test.

        Args:
            settings: The hypotheses.
            paired: Whether results are mean scores of pairs of games with exchanged seats
                (pentanomial); otherwise they are scores of games (trinomial).
        """
        self.settings = settings
        self.paired = paired
        self.decision = CONTINUE
        self.copies = 0
        """The number of pairs or games that were left out because they are copies."""
        self._counts = dict.fromkeys(PAIR_SCORES if paired else GAME_SCORES, 0)
        self._llr = 0.0

    def add(self, score: float) -> str:
        """Add the first entrant's score in a game, or its mean score in a pair.

        Returns:
            `continue`, `H0` or `H1`.

        Raises:
            ValueError: The score is impossible.
        """
        if score not in self._counts:
            known = ", ".join(f"{value:g}" for value in self._counts)
            raise ValueError(f"{score} is not one of the scores {known}")
        self._counts[score] += 1
        return self._decide()

    def add_all(self, sample: Sample) -> str:
        """Add scores of which only the counts are known, as if they had come at the same time.

        Returns:
            `continue`, `H0` or `H1`.
        """
        for score, count in zip(sample.values, sample.counts, strict=True):
            self._counts[score] += int(count)
        return self._decide()

    def _decide(self) -> str:
        self._llr = log_likelihood_ratio(self.sample, self.settings.elo0, self.settings.elo1)
        if self.decision == CONTINUE:
            if self._llr >= self.settings.upper:
                self.decision = H1
            elif self._llr <= self.settings.lower:
                self.decision = H0
        return self.decision

    @property
    def sample(self) -> Sample:
        """The results added so far."""
        return Sample(tuple(self._counts), tuple(self._counts.values()))

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self._llr

    def __str__(self) -> str:
        settings, units = self.settings, interval_unit(paired=self.paired)
        copies = f", without {counted(self.copies, units[:-1])} that repeat others"
        return (
            f"LLR {self._llr:+.2f} by {units}, "
            f"bounds {settings.lower:+.2f} and {settings.upper:+.2f}, "
            f"elo0={settings.elo0:g}, elo1={settings.elo1:g}: {self.decision}"
            f"{copies if self.copies else ''}"
        )
