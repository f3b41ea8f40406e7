"""Ratings of several entrants from games of any number of players: a Plackett-Luce fit.

Owns the model, its fit and its standard errors.  It must not know games or files.

A game is modelled as a choice of its winner: entrant i, of strength s_i, wins with the probability
s_i / sum s_j, where the sum is over all entrants of the game.  A shared win is split into shares,
so a draw of two is half a win for each.  For two players this is the model of Bradley and Terry,
and 400 log10 s is Elo.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import CONFIDENCE, normal_quantile
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Choices", "Rating", "Ratings", "fit"]

_ELO = 400 / math.log(10)
"""The Elo difference of two entrants whose strengths have the ratio e."""
_MAX_ITERATIONS = 20_000
_TOLERANCE = 1e-10
"""The fit ends when no logarithm of a strength changes by more than this number."""
VIRTUAL = 1.0
"""The number of virtual draws of each entrant against an average opponent that are added if no
finite ratings fit."""


class Rating(Value):
    """The rating of an entrant.

    Attributes:
        name: The entrant.
        elo: The rating; the mean of all is 0.
        error: Half the width of the interval, given that the mean of all ratings is 0.
        low: Lower end of the interval.
        high: Upper end of the interval.
    """

    name: str
    elo: float
    error: float
    low: float
    high: float


class Ratings(Value, kw_only=True):
    """The ratings of all entrants.

    Attributes:
        ratings: The ratings, the highest first.
        covariance: The covariance matrix of the ratings in Elo, in the order of `names`.
        names: The entrants in the order of the covariance matrix.
        virtual: The number of virtual draws of each entrant against an average opponent; 0 if
            finite ratings fit.  They do not fit if some group of entrants never lost to the
            others, or never played them.
        paired: Whether intervals are by pairs of games; otherwise they are computed by the model,
            by games.
    """

    ratings: tuple[Rating, ...]
    covariance: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    virtual: float
    paired: bool

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """Return the difference of the ratings of two entrants and its standard error, in Elo."""
        elo = {rating.name: rating.elo for rating in self.ratings}
        i, j = self.names.index(first), self.names.index(second)
        square = self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]
        return elo[first] - elo[second], math.sqrt(max(0.0, square))


_Game = tuple[tuple[str, ...], tuple[tuple[str, float], ...]]


class Choices:
    """The games for a fit, counted by their members and by their winners."""

    def __init__(self) -> None:
        self._won: Counter[str] = Counter()
        self._game_counts: Counter[tuple[str, ...]] = Counter()
        self._beaten: set[tuple[str, str]] = set()
        self._pairs: defaultdict[int, list[_Game]] = defaultdict(list)

    def add_game(self, scores: Sequence[tuple[str, float]], *, pair: int = 0) -> None:
        """Add a game.

        An entrant may have several seats.  Games without a winner, or with a single entrant,
        contain no information and are left out.

        Args:
            scores: Entrant and share of the win for each seat.
            pair: The pair number, 0 for none.  Games of a pair are not independent of each other.
        """
        total = math.fsum(score for _, score in scores)
        names = {name for name, _ in scores}
        if total <= 0 or len(names) < 2:  # noqa: PLR2004 - a game has two sides
            return
        members = tuple(sorted(name for name, _ in scores))
        self._game_counts[members] += 1
        won = tuple((name, score / total) for name, score in scores if score > 0)
        self._pairs[pair or -1 - len(self._pairs)].append((members, won))
        for name, score in scores:
            if score > 0:
                self._won[name] += score / total  # type: ignore[assignment]  # a float
                self._beaten.update((name, other) for other in names if other != name)

    def add_ranking(self, names: Sequence[str]) -> None:
        """Add a ranking, the best first, as repeated choices of the best remaining entrant."""
        for at in range(len(names) - 1):
            remaining = names[at:]
            self.add_game([(name, float(name == remaining[0])) for name in remaining])

    @property
    def names(self) -> tuple[str, ...]:
        """All entrants, sorted by name."""
        return tuple(sorted({name for members in self._game_counts for name in members}))

    @property
    def won(self) -> Mapping[str, float]:
        """The number of wins of each entrant, including shares."""
        return self._won

    @property
    def game_counts(self) -> Mapping[tuple[str, ...], int]:
        """The number of games by members; an entrant with several seats occurs repeatedly."""
        return self._game_counts

    @property
    def pairs(self) -> Iterable[Sequence[_Game]]:
        """The games of each pair, each as its members and its winners with their shares."""
        return self._pairs.values()

    @property
    def connected(self) -> bool:
        """Whether finite ratings exist: the graph of wins is strongly connected.

        L. R. Ford, American Mathematical Monthly 64 (1957), 28-33; Hunter's assumption 1.
        """
        names = self.names
        forward = _all_reachable(names, self._beaten)
        backward = _all_reachable(names, {(loser, winner) for winner, loser in self._beaten})
        return forward and backward


def _all_reachable(names: Sequence[str], edges: Iterable[tuple[str, str]]) -> bool:
    """Whether all entrants can be reached from the first along the edges."""
    successors: dict[str, list[str]] = {name: [] for name in names}
    for start, end in edges:
        successors[start].append(end)
    reached = set(names[:1])
    waiting = list(reached)
    while waiting:
        new_names = [name for name in successors[waiting.pop()] if name not in reached]
        reached.update(new_names)
        waiting += new_names
    return len(reached) == len(names)


def fit(
    choices: Choices, confidence: float = CONFIDENCE, *, paired: bool = False
) -> Ratings | None:
    """Return the maximum-likelihood ratings; None if no entrant played another.

    The algorithm is minorization-maximization: D. R. Hunter, MM algorithms for generalized
    Bradley-Terry models, Annals of Statistics 32 (2004), 384-406, equation (30).  Standard
    errors are from the inverse of the observed information about the logarithms for a fixed sum
    (Hunter, section 6).  They are a little too large if wins are shared.

    If no finite ratings fit, a virtual draw of each entrant against an opponent of average strength
    is added, as in R. Coulom's Whole-History Rating (2008), section 3.3.

    If `paired`, the covariance is the sandwich estimator with pairs as clusters: K.-Y. Liang and
    S. L. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73 (1986),
    13-22.  As in the intervals of A. Agresti and B. A. Coull (The American Statistician 52, 1998,
    119-126), z^2 pairs that vary as the model predicts are added, so that the intervals have a
    positive width even if pairs do not vary.  If no finite ratings fit, the residuals do not
    estimate the error, and the model's covariance is used.

    Args:
        choices: The games.
        confidence: The probability that an interval contains the true rating.
        paired: Whether intervals are by pairs of games.
    """
    names = choices.names
    if not names:
        return None
    virtual = 0.0 if choices.connected else VIRTUAL
    strengths = _strengths(choices, names, virtual)
    z = normal_quantile(0.5 + confidence / 2)
    paired = paired and not virtual
    covariance = _covariance(choices, names, strengths, virtual, z * z if paired else 0.0)
    logs = [math.log(strengths[name]) for name in names]
    mean_log = math.fsum(logs) / len(logs)
    ratings = []
    for at, name in enumerate(names):
        elo = _ELO * (logs[at] - mean_log)
        error = z * math.sqrt(max(0.0, covariance[at][at]))
        ratings.append(Rating(name, elo, error, elo - error, elo + error))
    ratings.sort(key=lambda rating: -rating.elo)
    return Ratings(
        ratings=tuple(ratings), covariance=covariance, names=names, virtual=virtual, paired=paired
    )


def _strengths(choices: Choices, names: Sequence[str], virtual: float) -> dict[str, float]:
    strengths = dict.fromkeys(names, 1.0)
    won = {name: choices.won.get(name, 0.0) + virtual / 2 for name in names}
    for _ in range(_MAX_ITERATIONS):
        denominators = {name: virtual / (strengths[name] + 1) for name in names}
        for members, count in choices.game_counts.items():
            term = count / sum(strengths[name] for name in members)
            for name in members:
                denominators[name] += term
        updated = {name: won[name] / denominators[name] for name in names}
        if not virtual:  # otherwise the average opponent fixes the scale
            scale = math.exp(math.fsum(map(math.log, updated.values())) / len(updated))
            updated = {name: value / scale for name, value in updated.items()}
        change = max(abs(math.log(updated[name] / strengths[name])) for name in names)
        strengths = updated
        if change < _TOLERANCE:
            break
    return strengths


def _covariance(
    choices: Choices,
    names: Sequence[str],
    strengths: Mapping[str, float],
    virtual: float,
    model_pairs: float,
) -> tuple[tuple[float, ...], ...]:
    """Return the covariance of the centred ratings in Elo, from the inverse information matrix.

    `model_pairs` is the number of pairs, varying as the model predicts, that are added to the
    sandwich estimator; 0 selects the model's covariance.
    """
    size = len(names)
    index = {name: at for at, name in enumerate(names)}
    information = [[0.0] * size for _ in names]
    for members, count in choices.game_counts.items():
        by_name = _win_probabilities(members, strengths)
        by_index = [(index[name], probability) for name, probability in by_name.items()]
        for i, first in by_index:
            information[i][i] += count * first
            for j, second in by_index:
                information[i][j] -= count * first * second
    for at, name in enumerate(names):
        win = strengths[name] / (strengths[name] + 1)  # against the average opponent
        information[at][at] += virtual * win * (1 - win)
    # Without virtual draws the information matrix is singular: a constant may be added to all
    # ratings.  The added term fixes their sum and changes nothing else.
    fixed_sum = 0.0 if virtual else 1.0
    inverse = _inverse([[cell + fixed_sum / size for cell in row] for row in information])
    if model_pairs:
        variation = _variation(choices, index, strengths)
        weight = model_pairs / max(1, sum(1 for _ in choices.pairs))
        for i, row in enumerate(information):
            for j, cell in enumerate(row):
                variation[i][j] += weight * cell
        inverse = _product(_product(inverse, variation), inverse)
    return _centred(inverse)


def _win_probabilities(members: Sequence[str], strengths: Mapping[str, float]) -> dict[str, float]:
    """Return the probability with which each entrant wins among the members."""
    total = sum(strengths[name] for name in members)
    return {name: count * strengths[name] / total for name, count in Counter(members).items()}


def _variation(
    choices: Choices, index: Mapping[str, int], strengths: Mapping[str, float]
) -> list[list[float]]:
    """Return the sum over pairs of the outer product of the residuals: wins minus expected wins."""
    total = [[0.0] * len(index) for _ in index]
    expected: dict[tuple[str, ...], dict[str, float]] = {}
    for games in choices.pairs:
        residuals: Counter[int] = Counter()
        for members, won in games:
            if members not in expected:
                expected[members] = _win_probabilities(members, strengths)
            for name, share in won:
                residuals[index[name]] += share  # type: ignore[assignment]  # a float
            for name, probability in expected[members].items():
                residuals[index[name]] -= probability  # type: ignore[assignment]
        for i, first in residuals.items():
            for j, second in residuals.items():
                total[i][j] += first * second
    return total


def _product(
    first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]
) -> list[list[float]]:
    """Return the product of two matrices."""
    columns = list(zip(*second, strict=True))
    return [
        [math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns]
        for row in first
    ]


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a small matrix, by Gauss-Jordan elimination with pivoting."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        pivot = rows[at][at]
        rows[at] = [cell / pivot for cell in rows[at]]
        for other in range(size):
            factor = rows[other][at]
            if other != at and factor:
                rows[other] = [
                    cell - factor * pivot_cell
                    for cell, pivot_cell in zip(rows[other], rows[at], strict=True)
                ]
    return [row[size:] for row in rows]


def _centred(matrix: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    """Return the covariance of the values minus their mean, in Elo."""
    size = len(matrix)
    rows = [math.fsum(row) / size for row in matrix]
    columns = [math.fsum(column) / size for column in zip(*matrix, strict=True)]
    total = math.fsum(rows) / size
    return tuple(
        tuple(_ELO * _ELO * (matrix[i][j] - rows[i] - columns[j] + total) for j in range(size))
        for i in range(size)
    )
