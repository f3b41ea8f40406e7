"""Ratings of several entrants from games of any number of players: a Plackett-Luce fit.

Owns the model, its fit and its standard errors.

The model: entrant i, of strength s_i, wins a game with the probability s_i / sum s_j, where the sum
is over the seats of the game.  The members of a game are the entrants in its seats.  A shared win
is split into shares, so a draw of two is half a win for each.  For two seats this is the model of
Bradley and Terry, and 400 log10 s is Elo.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.statistics.formulas import CONFIDENCE, normal_quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["RatedGames", "Rating", "Ratings", "fit"]

_ELO = 400 / math.log(10)
"""The factor that converts the natural logarithm of a strength to Elo."""
_MAX_ITERATIONS = 20_000
_TOLERANCE = 1e-10
"""The fit ends when no logarithm of a strength changes by more than this number."""
VIRTUAL = 1.0
"""If no finite ratings fit, this number of virtual draws against an opponent of average strength is
added for each entrant."""


@dataclass(frozen=True)
class Rating:
    """The rating of an entrant.

    Attributes:
        name: The entrant.
        elo: The rating; the mean of all ratings is 0.
        error: Half the width of the interval.
        low: Lower end of the interval.
        high: Upper end of the interval.
    """

    name: str
    elo: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """The ratings of all entrants.

    Attributes:
        ratings: The ratings, the highest first.
        covariance: The covariance matrix of the ratings in Elo, in the order of `names`.
        names: The entrants in the order of the covariance matrix.
        virtual: The number of virtual draws of each entrant; 0 if finite ratings fit.  They do not
            fit if some group of entrants never lost to the other entrants, or never played them.
        paired: Whether intervals are by pairs of games; otherwise the model computes them by games.
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
"""The members of a game, and the winners with their shares of the win."""


class RatedGames:
    """The games for a fit, counted by their members and by their winners."""

    def __init__(self) -> None:
        self._win_shares: Counter[str] = Counter()
        self._counts_by_members: Counter[tuple[str, ...]] = Counter()
        self._wins_over: set[tuple[str, str]] = set()
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
        if total <= 0 or len(names) < 2:  # a game has two sides
            return
        members = tuple(sorted(name for name, _ in scores))
        self._counts_by_members[members] += 1
        winners = tuple((name, score / total) for name, score in scores if score > 0)
        self._pairs[pair or -1 - len(self._pairs)].append((members, winners))
        for name, score in scores:
            if score > 0:
                self._win_shares[name] += score / total  # type: ignore[assignment]  # a float
                self._wins_over.update((name, other) for other in names if other != name)

    def add_ranking(self, names: Sequence[str]) -> None:
        """Add a ranking, the best first, as repeated choices of the best remaining entrant."""
        for at in range(len(names) - 1):
            remaining = names[at:]
            self.add_game([(name, float(name == remaining[0])) for name in remaining])

    @property
    def names(self) -> tuple[str, ...]:
        """All entrants, sorted by name."""
        return tuple(sorted({name for members in self._counts_by_members for name in members}))

    @property
    def win_shares(self) -> Mapping[str, float]:
        """The number of wins of each entrant, including shares."""
        return self._win_shares

    @property
    def counts_by_members(self) -> Mapping[tuple[str, ...], int]:
        """The number of games by members; an entrant with several seats occurs repeatedly."""
        return self._counts_by_members

    @property
    def pairs(self) -> Iterable[Sequence[_Game]]:
        """The games of each pair."""
        return self._pairs.values()

    @property
    def has_finite_ratings(self) -> bool:
        """Whether finite ratings exist, that is, the graph of wins is strongly connected.

        L. R. Ford, American Mathematical Monthly 64 (1957), 28-33.
        """
        names = self.names
        forward = _all_reachable(names, self._wins_over)
        backward = _all_reachable(names, {(loser, winner) for winner, loser in self._wins_over})
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
    rated_games: RatedGames, confidence: float = CONFIDENCE, *, paired: bool = False
) -> Ratings | None:
    """Return the maximum-likelihood ratings; None without games.

    The algorithm is minorization-maximization: D. R. Hunter, MM algorithms for generalized
    Bradley-Terry models, Annals of Statistics 32 (2004), 384-406, equation (30).  Standard errors
    come from the inverse of the observed information about the logarithms of the strengths, whose
    sum is fixed (Hunter, section 6).  They are a little too large if wins are shared.

    If no finite ratings fit, virtual draws are added as in R. Coulom's Whole-History Rating (2008),
    section 3.3.

    If `paired`, the covariance is the sandwich estimator with pairs as clusters: K.-Y. Liang and
    S. L. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73 (1986),
    13-22.  Pairs without any variation would give an interval of width 0.  Therefore z^2 pairs with
    the variation that the model predicts are added, as in A. Agresti and B. A. Coull (The American
    Statistician 52, 1998, 119-126).  With virtual draws, `paired` has no effect.

    Args:
        rated_games: The games.
        confidence: The probability that an interval contains the true rating.
        paired: Whether intervals are by pairs of games.
    """
    names = rated_games.names
    if not names:
        return None
    virtual = 0.0 if rated_games.has_finite_ratings else VIRTUAL
    strengths = _strengths(rated_games, names, virtual)
    z = normal_quantile(0.5 + confidence / 2)
    paired = paired and not virtual
    covariance = _covariance(rated_games, names, strengths, virtual, z * z if paired else 0.0)
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


def _strengths(rated_games: RatedGames, names: Sequence[str], virtual: float) -> dict[str, float]:
    strengths = dict.fromkeys(names, 1.0)
    win_shares = {name: rated_games.win_shares.get(name, 0.0) + virtual / 2 for name in names}
    for _ in range(_MAX_ITERATIONS):
        denominators = {name: virtual / (strengths[name] + 1) for name in names}
        for members, count in rated_games.counts_by_members.items():
            term = count / sum(strengths[name] for name in members)
            for name in members:
                denominators[name] += term
        updated = {name: win_shares[name] / denominators[name] for name in names}
        if not virtual:  # otherwise the average opponent fixes the scale
            scale = math.exp(math.fsum(map(math.log, updated.values())) / len(updated))
            updated = {name: value / scale for name, value in updated.items()}
        change = max(abs(math.log(updated[name] / strengths[name])) for name in names)
        strengths = updated
        if change < _TOLERANCE:
            break
    return strengths


def _covariance(
    rated_games: RatedGames,
    names: Sequence[str],
    strengths: Mapping[str, float],
    virtual: float,
    predicted_pairs: float,
) -> tuple[tuple[float, ...], ...]:
    """Return the covariance of the centred ratings in Elo, from the inverse information matrix.

    `predicted_pairs` is the number of pairs with the variation that the model predicts that are
    added to the sandwich estimator; 0 selects the model's covariance instead of the estimator.
    """
    size = len(names)
    index = {name: at for at, name in enumerate(names)}
    information = [[0.0] * size for _ in names]
    for members, count in rated_games.counts_by_members.items():
        by_name = _win_probabilities(members, strengths)
        by_index = [(index[name], probability) for name, probability in by_name.items()]
        for i, first in by_index:
            information[i][i] += count * first
            for j, second in by_index:
                information[i][j] -= count * first * second
    for at, name in enumerate(names):
        win = strengths[name] / (strengths[name] + 1)  # against the average opponent
        information[at][at] += virtual * win * (1 - win)
    # Without virtual draws the information matrix is singular, because only differences of ratings
    # matter.  The added term fixes the sum of the ratings.
    fixed_sum = 0.0 if virtual else 1.0
    inverse = _inverse([[cell + fixed_sum / size for cell in row] for row in information])
    if predicted_pairs:
        products = _residual_products(rated_games, index, strengths)
        weight = predicted_pairs / max(1, sum(1 for _ in rated_games.pairs))
        for i, row in enumerate(information):
            for j, cell in enumerate(row):
                products[i][j] += weight * cell
        inverse = _product(_product(inverse, products), inverse)
    return _centred(inverse)


def _win_probabilities(members: Sequence[str], strengths: Mapping[str, float]) -> dict[str, float]:
    """Return the probability with which each entrant wins among the members."""
    total = sum(strengths[name] for name in members)
    return {name: count * strengths[name] / total for name, count in Counter(members).items()}


def _residual_products(
    rated_games: RatedGames, index: Mapping[str, int], strengths: Mapping[str, float]
) -> list[list[float]]:
    """Return the sum over pairs of the outer product of the residuals.

    A residual is an entrant's number of wins in a pair minus its expected number of wins.
    """
    total = [[0.0] * len(index) for _ in index]
    expected: dict[tuple[str, ...], dict[str, float]] = {}
    for games in rated_games.pairs:
        residuals: Counter[int] = Counter()
        for members, winners in games:
            if members not in expected:
                expected[members] = _win_probabilities(members, strengths)
            for name, share in winners:
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
    """Return the covariance of values minus their mean, converted to Elo.

    `matrix` is the covariance of the values.
    """
    size = len(matrix)
    rows = [math.fsum(row) / size for row in matrix]
    columns = [math.fsum(column) / size for column in zip(*matrix, strict=True)]
    total = math.fsum(rows) / size
    return tuple(
        tuple(_ELO * _ELO * (matrix[i][j] - rows[i] - columns[j] + total) for j in range(size))
        for i in range(size)
    )
