"""The Plackett-Luce fit: compared with published estimates, closed forms, planted strengths."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

from forthvm.autoplay.statistics.formulas import score_of_elo
from forthvm.autoplay.statistics.ratings import RatedGames, Ratings, fit

LN_PER_ELO = math.log(10) / 400
"""The natural logarithm of the ratio of strengths that is one Elo."""

# The American League's East in 1987, wins of the row over the column: A. Agresti, Categorical
# Data Analysis (1990), table 10.10.  Estimates and standard errors relative to Baltimore: H.
# Turner and D. Firth, Bradley-Terry Models in R, Journal of Statistical Software 48 (2012).
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
ESTIMATES = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839)
ERRORS = (0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319)


def fitted(rated_games: RatedGames) -> Ratings:
    ratings = fit(rated_games)
    assert ratings is not None
    return ratings


def elo(ratings: Ratings) -> dict[str, float]:
    return {rating.name: rating.elo for rating in ratings.ratings}


def test_baseball_estimates_as_published() -> None:
    rated_games = RatedGames()
    for row, one in zip(WINS, TEAMS, strict=True):
        for count, other in zip(row, TEAMS, strict=True):
            for _ in range(count):
                rated_games.add_game([(one, 1), (other, 0)])
    ratings = fitted(rated_games)
    assert [rating.name for rating in ratings.ratings] == list(TEAMS)
    assert ratings.virtual == 0
    for team, estimate, error in zip(TEAMS, ESTIMATES, ERRORS, strict=False):
        elo_difference, standard_error = ratings.difference(team, "Baltimore")
        assert elo_difference * LN_PER_ELO == pytest.approx(estimate, abs=5e-5)
        assert standard_error * LN_PER_ELO == pytest.approx(error, abs=5e-5)


def test_ratings_of_two_players_equal_elo() -> None:
    """The odds are 5 to 3; the standard error is that of the logit, 1 / sqrt(8 p (1 - p))."""
    rated_games = RatedGames()
    for score in (1, 1, 0.5, 1, 0.5, 0, 1, 0):
        rated_games.add_game([("A", score), ("B", 1 - score)])
    elo_difference, error = fitted(rated_games).difference("A", "B")
    assert elo_difference == pytest.approx(400 * math.log10(5 / 3))
    assert error * LN_PER_ELO == pytest.approx(1 / math.sqrt(8 * 5 / 8 * 3 / 8))


def test_strengths_of_one_group_are_proportional_to_points() -> None:
    """If all entrants play in all games, strengths are proportional to points."""
    rated_games = RatedGames()
    for _ in range(10):
        rated_games.add_game([("A", 1), ("B", 0), ("C", 0)])
        rated_games.add_game([("A", 0.5), ("B", 0.5), ("C", 0)])
        rated_games.add_game([("A", 1 / 3), ("B", 1 / 3), ("C", 1 / 3)])
    ratings = fitted(rated_games)
    ab, _ = ratings.difference("A", "B")
    ac, _ = ratings.difference("A", "C")
    assert ab == pytest.approx(400 * math.log10((10 + 5 + 10 / 3) / (5 + 10 / 3)))
    assert ac == pytest.approx(400 * math.log10((10 + 5 + 10 / 3) / (10 / 3)))
    assert sum(elo(ratings).values()) == pytest.approx(0)


EXPECTED_STRENGTHS = (-0.40949, -0.48113, -0.55108)
"""Logarithms of the strengths of B, C and D relative to A, by scipy.optimize.minimize (BFGS)."""


def test_ratings_by_rankings_maximize_the_likelihood() -> None:
    """Of the 24 rankings of four entrants, three occur three times, three twice, others once."""
    rated_games = RatedGames()
    for at, ranking in enumerate(permutations("ABCD")):
        for _ in range(1 + (at < 6) + (at < 3)):
            rated_games.add_ranking(ranking)
    ratings = fitted(rated_games)
    for name, expected in zip("BCD", EXPECTED_STRENGTHS, strict=True):
        elo_difference, _ = ratings.difference(name, "A")
        assert elo_difference * LN_PER_ELO == pytest.approx(expected, abs=1e-4)


def test_entrant_with_several_seats() -> None:
    """A has two of three seats: with equal strengths A wins two games of three."""
    rated_games = RatedGames()
    for winner in (0, 1, 2) * 20:
        seats = ["A", "A", "B"]
        rated_games.add_game([(name, float(at == winner)) for at, name in enumerate(seats)])
    assert fitted(rated_games).difference("A", "B")[0] == pytest.approx(0, abs=1e-6)


def test_planted_strengths_of_four_players_are_recovered() -> None:
    """After 2,000 games of four, ratings are in order and within about four standard errors."""
    planted = {"A": 150.0, "B": 50.0, "C": -50.0, "D": -150.0}
    weights = [10 ** (value / 400) for value in planted.values()]
    rng = random.Random(4)
    rated_games = RatedGames()
    for _ in range(2000):
        winner = rng.choices(list(planted), weights)[0]
        rated_games.add_game([(name, float(name == winner)) for name in planted])
    ratings = fitted(rated_games)
    assert [rating.name for rating in ratings.ratings] == list(planted)
    for rating in ratings.ratings:
        assert rating.elo == pytest.approx(planted[rating.name], abs=2 * rating.error)
        assert rating.error < 2 * 15
        assert rating.low < rating.elo < rating.high


@pytest.mark.slow
def test_standard_errors_agree_with_simulation() -> None:
    """In 95 % of 300 tournaments the interval contains the planted difference.

    The tolerance of 5 % is four standard deviations.
    """
    rng = random.Random(5)
    favoured = score_of_elo(80)
    hits = 0
    for _ in range(300):
        rated_games = RatedGames()
        for one, other, win_probability in (
            ("A", "B", favoured),
            ("B", "C", 0.5),
            ("C", "A", 1 - favoured),
        ):
            for _ in range(60):
                won = float(rng.random() < win_probability)
                rated_games.add_game([(one, won), (other, 1 - won)])
        elo_difference, error = fitted(rated_games).difference("A", "B")
        hits += abs(elo_difference - 80) <= 1.96 * error
    assert hits / 300 == pytest.approx(0.95, abs=0.05)


def test_undefeated_entrant_has_a_finite_rating() -> None:
    """If an entrant won all games, virtual draws are added, and `virtual` is positive."""
    rated_games = RatedGames()
    for _ in range(10):
        rated_games.add_game([("A", 1), ("B", 0)])
    assert not rated_games.has_finite_ratings
    ratings = fitted(rated_games)
    assert ratings.virtual > 0
    elo_difference, error = ratings.difference("A", "B")
    # By symmetry s_A = 1 / s_B = s.  At the maximum of the likelihood, the actual points of A equal
    # the expected points: 10 + 1/2 = 10 s / (s + 1 / s) + s / (s + 1).
    strength = 10 ** (elo_difference / 800)
    expected = 10 * strength / (strength + 1 / strength) + strength / (strength + 1)
    assert expected == pytest.approx(10.5, abs=1e-6)
    assert 0 < error < 1000


def test_groups_that_never_met_have_finite_ratings() -> None:
    rated_games = RatedGames()
    for one, other in (("A", "B"), ("C", "D")):
        rated_games.add_game([(one, 1), (other, 0)])
        rated_games.add_game([(one, 0), (other, 1)])
    ratings = fitted(rated_games)
    assert ratings.virtual > 0
    assert elo(ratings) == pytest.approx(dict.fromkeys("ABCD", 0.0))


def test_games_without_information_are_ignored() -> None:
    """Games of one entrant against itself, and games without a winner, have no information."""
    rated_games = RatedGames()
    rated_games.add_game([("A", 1), ("A", 0)])
    rated_games.add_game([("A", 0), ("B", 0)])
    assert fit(rated_games) is None
