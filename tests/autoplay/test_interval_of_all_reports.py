"""All reports have one kind of interval and error: 95 %, by pairs if games are in pairs."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

import pytest

from forthvm.autoplay import Configuration, GameRow, Store
from forthvm.autoplay.report.summary_text import tables
from forthvm.autoplay.results.export import document
from forthvm.autoplay.statistics.formulas import (
    PAIR_SCORES,
    Sample,
    elo_difference,
    mean_interval,
    score_of_elo,
)
from forthvm.autoplay.statistics.ratings import RatedGames, Ratings, fit
from forthvm.autoplay.statistics.summary import Summary, summarise, summarise_store
from forthvm.study.game_analysis import analyse
from forthvm.study.game_analysis_text import document as analysis_document
from forthvm.study.game_analysis_text import lines
from tests.autoplay.matches import played, settings_of
from tests.autoplay.results import duel, row
from tests.kit.commands import Cli


def pair_games(*scores: tuple[float, float]) -> list[GameRow]:
    """Return pairs of games with A's scores as X and as O."""
    rows = []
    for pair, (first, second) in enumerate(scores, start=1):
        rows.append(duel(2 * pair - 1, first, pair=pair))
        rows.append(duel(2 * pair, second, swapped=True, pair=pair))
    return rows


SCORES = [(1.0, 0.0)] * 8 + [(0.5, 0.5), (1.0, 1.0)]
ROWS = pair_games(*SCORES)


def interval_of_pairs(counts: dict[float, int]) -> tuple[float, float]:
    """Return the interval of the mean of pairs, given the number of pairs by mean score."""
    interval = mean_interval(Sample.from_counts(counts, PAIR_SCORES))
    return interval.low, interval.high


def test_all_intervals_of_paired_games_are_by_pairs() -> None:
    """Ten pairs: means of A's scores, wins and draws, computed by hand."""
    summary = summarise(ROWS)
    assert summary.by_pairs
    first = summary.standings[0]
    assert vars(first.interval) == dict(
        zip(("low", "high"), interval_of_pairs({0.5: 9, 1.0: 1}), strict=True)
    )
    won, drawn = first.share("won"), summary.draw_rate
    assert (won.low, won.high) == interval_of_pairs({0.5: 8, 0.0: 1, 1.0: 1})
    assert (drawn.low, drawn.high) == interval_of_pairs({0.0: 9, 1.0: 1})
    cell = summary.cross["A", "B"].interval
    assert (cell.low, cell.high) == (first.interval.low, first.interval.high)
    assert all(each.paired for each in (*summary.standings, *summary.seats))


def test_intervals_of_unpaired_games_are_by_games() -> None:
    summary = summarise([duel(at, float(at % 2)) for at in range(1, 11)])
    assert not summary.by_pairs
    assert not any(each.paired for each in (*summary.standings, *summary.seats))


def test_interval_of_lengths_is_by_pairs() -> None:
    """Pairs of a short and a long game vary less than games."""
    texts = ["a b", "a b c d e f g h"]
    rows = [
        duel(at, 1, moves=texts[at % 2], pair=(at + 1) // 2, swapped=at % 2 == 0)
        for at in range(1, 21)
    ]
    length = summarise(rows).length
    assert (length.mean, length.low, length.high) == (5, 5, 5)
    unpaired = summarise([duel(at, 1, moves=texts[at % 2]) for at in range(1, 21)]).length
    assert unpaired.low < 4
    assert unpaired.high > 6


def test_error_of_elo_is_half_the_interval() -> None:
    estimate = elo_difference(Sample(PAIR_SCORES, (3, 10, 20, 12, 5)))
    assert estimate.error == pytest.approx((estimate.high - estimate.low) / 2)
    only_wins = elo_difference(Sample(PAIR_SCORES, (0, 0, 0, 0, 50)))
    assert only_wins.error == math.inf


def three_entrants(scores: list[tuple[float, float]]) -> RatedGames:
    """Return the games of three entrants; each two play pairs of games with these scores."""
    rated_games = RatedGames()
    for at, (one, other) in enumerate((("A", "B"), ("B", "C"), ("C", "A"))):
        for pair, (first, second) in enumerate(scores):
            for score in (first, second):
                rated_games.add_game([(one, score), (other, 1 - score)], pair=1 + pair + 1000 * at)
    return rated_games


def fitted(rated_games: RatedGames, *, paired: bool) -> Ratings:
    ratings = fit(rated_games, paired=paired)
    assert ratings is not None
    return ratings


def test_errors_of_ratings_are_half_the_interval() -> None:
    for rating in fitted(three_entrants([(1, 0), (0, 0), (1, 1)]), paired=False).ratings:
        assert rating.error == pytest.approx((rating.high - rating.low) / 2)
        assert rating.error == pytest.approx(rating.elo - rating.low)


def test_errors_by_pairs_are_smaller_if_the_seat_decides() -> None:
    scores = [(1.0, 0.0)] * 40
    narrow = fitted(three_entrants(scores), paired=True).ratings[0]
    wide = fitted(three_entrants(scores), paired=False).ratings[0]
    assert narrow.elo == pytest.approx(wide.elo, abs=1e-6)
    assert 0 < narrow.error < wide.error / 3


def test_errors_by_pairs_are_larger_if_both_games_are_equal() -> None:
    """A pair of equal games contains the information of one game."""
    rng = random.Random(2)
    outcomes = [float(rng.random() < 0.5) for _ in range(300)]
    rated_games = three_entrants([(outcome, outcome) for outcome in outcomes])
    by_pairs = fitted(rated_games, paired=True).ratings[0]
    by_games = fitted(rated_games, paired=False).ratings[0]
    assert by_pairs.error == pytest.approx(by_games.error * math.sqrt(2), rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("copy_probability", [0.0, 0.6])
def test_intervals_of_ratings_by_pairs_cover_the_true_value(copy_probability: float) -> None:
    """In 95 % of 300 tournaments the intervals contain the planted ratings.

    The tolerance of 5 % is four standard deviations.  `copy_probability` is the probability that
    both games of a pair have equal results.
    """
    rng = random.Random(6)
    favoured = score_of_elo(80)
    planted = {"A": 160 / 3, "B": -80 / 3, "C": -80 / 3}  # A is 80 Elo stronger; the mean is 0
    hits = 0
    for _ in range(300):
        rated_games = RatedGames()
        pair = 0
        for one, other, win_probability in (
            ("A", "B", favoured),
            ("B", "C", 0.5),
            ("C", "A", 1 - favoured),
        ):
            for _ in range(40):
                pair += 1
                first = float(rng.random() < win_probability)
                is_copy = rng.random() < copy_probability
                second = first if is_copy else float(rng.random() < win_probability)
                for won in (first, second):
                    rated_games.add_game([(one, won), (other, 1 - won)], pair=pair)
        hits += sum(
            rating.low <= planted[rating.name] <= rating.high
            for rating in fitted(rated_games, paired=True).ratings
        )
    assert hits / 900 == pytest.approx(0.95, abs=0.05)  # each tournament has three ratings


def test_ratings_without_finite_fit_have_the_models_error() -> None:
    """If one entrant wins every game, the small residuals do not estimate the error."""
    rated_games = three_entrants([(1, 1)] * 20)
    for _ in range(20):
        rated_games.add_game([("A", 1.0), ("D", 0.0)], pair=5000)
    fitted_ratings = fitted(rated_games, paired=True)
    assert fitted_ratings.virtual
    assert fitted_ratings.ratings[-1].error > 100
    assert not fitted_ratings.paired


# --- names of intervals --------------------------------------------------------------------------


def tournament() -> list[GameRow]:
    rows = []
    for at, (one, other) in enumerate([("A", "B"), ("B", "C"), ("C", "A")] * 4):
        for game, score in enumerate((1.0, 0.0)):
            seats = {"X": one, "O": other} if game == 0 else {"X": other, "O": one}
            number = 2 * at + game + 1
            scores = (score, 1 - score)
            rows.append(row(number, seats, scores, "a b c", pair=at + 1, branching=9.0))
    return rows


def heading(summary: Summary, kind: str) -> str:
    return next(line for line in tables(summary, 100) if line.startswith(kind))


def test_tables_name_the_interval() -> None:
    by_pairs, by_games = summarise(tournament()), summarise([duel(1, 1), duel(2, 0)])
    for kind in ("entrant", "seat", "rating"):
        assert heading(by_pairs, kind).endswith("95 % by pairs")
    for kind in ("entrant", "seat"):
        assert heading(by_games, kind).endswith("95 % by games")
    assert "error" not in heading(by_pairs, "rating")
    assert re.search(r"\nintervals +95 %, by pairs", "\n".join(tables(by_pairs, 100)))
    assert "95 % by games:" in "\n".join(tables(by_games, 100))
    assert "95 % by pairs:" in "\n".join(tables(summarise(ROWS), 100))


def test_page_names_the_interval() -> None:
    page = summarise(tournament())._repr_html_()
    notes = re.findall(r'<p class="note">([^<]*)</p>', page)
    interval_notes = [note for note in notes if "95 %" in note]
    assert len(interval_notes) == 4  # entrants, ratings, score over time, seats
    assert all("by pairs" in note for note in interval_notes)
    assert "standard error" not in page
    assert "<th>95 % by pairs</th>" in page
    assert "95 % by pairs:" in page  # in the cross table


def test_json_names_the_interval() -> None:
    exported = document(summarise(tournament()))
    assert exported["intervals"] == {"confidence": 0.95, "by": "pairs"}
    ratings = exported["ratings"]
    assert isinstance(ratings, dict)
    assert ratings["by"] == "pairs"
    for each in ratings["entrants"]:
        assert each["error"] == pytest.approx((each["high"] - each["low"]) / 2)
    single = document(summarise([duel(1, 1), duel(2, 0)]))
    assert single["intervals"] == {"confidence": 0.95, "by": "games"}


def test_sequential_test_names_its_observations(tmp_path: Path) -> None:
    settings = settings_of(
        *("random", "first"), games=4, opening_plies=2, sprt=("elo0=0", "elo1=100")
    )
    played(settings, tmp_path / "a.db")
    with Store.open(tmp_path / "a.db") as store:
        summary = summarise_store(store.match(), store.games())
    text = "\n".join(tables(summary, 100))
    assert re.search(r"SPRT LLR [-+][\d.]+ by pairs, bounds -2\.94 and \+2\.94, ", text)
    duel_document = document(summary)["duel"]
    assert isinstance(duel_document, dict)
    assert duel_document["sprt"]["by"] == "pairs"


def test_analyse_names_the_interval() -> None:
    tictactoe = Configuration(name="tictactoe", game="tictactoe")
    analysis = analyse(tictactoe, games=10, solve_up_to=0)
    text = "\n".join(lines(analysis))
    assert "95 % by games" in text
    assert re.search(r"\nintervals +95 %, by games", text)
    assert analysis_document(analysis)["intervals"] == {"confidence": 0.95, "by": "games"}


@pytest.mark.slow
def test_command_names_the_interval(tmp_path: Path, cli: Cli) -> None:
    file = str(tmp_path / "a.db")
    args = ["--engine", "A=random", "--engine", "B=random", "-n", "4", "--out", file, "--quiet"]
    assert "95 % by pairs" in cli.out("autoplay", "tictactoe", *args)
    assert json.loads(cli.out("report", file, "--json"))["intervals"]["by"] == "pairs"
