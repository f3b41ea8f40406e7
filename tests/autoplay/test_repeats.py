"""Repeated games: the number expected by chance, and the warning of a report."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from forthvm.autoplay import Configuration, GameRow, Match, Store
from forthvm.autoplay.match.running_game import Start
from forthvm.autoplay.report.summary_text import tables
from forthvm.autoplay.results.export import document
from forthvm.autoplay.statistics.formulas import poisson_tail
from forthvm.autoplay.statistics.sprt import SprtSettings
from forthvm.autoplay.statistics.summary import Summary, summarise, summarise_store
from forthvm.study.game_analysis import analyse
from forthvm.study.game_analysis_text import lines
from tests.autoplay.matches import played, settings_of
from tests.autoplay.results import duel
from tests.kit.cases import each_case
from tests.kit.commands import Cli


def summary_text(summary: Summary) -> str:
    return " ".join(" ".join(tables(summary)).split())


def summary_of(tmp_path: Path, *specs: str, **options: object) -> Summary:
    played(settings_of(*specs, **options), tmp_path / "a.db")  # type: ignore[arg-type]
    with Store.open(tmp_path / "a.db") as store:
        return summarise_store(store.match(), store.games())


@each_case(
    ("count", "mean", "tail"),
    [
        (0, 2.0, 1.0),
        (1, 0.0, 0.0),
        (1, 2.0, 1 - math.exp(-2)),
        (2, 2.0, 1 - 3 * math.exp(-2)),
        (1, 1e-30, 1e-30),
        (3, 1e4, 1.0),
        (20_000, 1e4, 0.0),
    ],
)
def test_poisson_tail(count: int, mean: float, tail: float) -> None:
    assert poisson_tail(count, mean) == pytest.approx(tail, rel=1e-6, abs=1e-40)


def pairs_of(*moves: str, branching: float) -> list[GameRow]:
    """Return pairs of games that A wins; the games of a pair have the same moves."""
    return [
        duel(at, 1, swapped=at % 2 == 0, moves=texts, pair=(at + 1) // 2, branching=branching)
        for at, texts in enumerate((texts for texts in moves for _ in "12"), start=1)
    ]


@pytest.mark.parametrize(("branching", "counted"), [(20.0, 2), (1.1, 6)])
def test_sequential_test_leaves_out_copies(branching: float, counted: int) -> None:
    """Games of few choices repeat by chance; such repetitions are observations."""
    rows = pairs_of("a b c", "d e f", "a b c", "a b c", "d e f", "a b c", branching=branching)
    summary = summarise(rows, sprt=SprtSettings(elo0=0, elo1=100))
    assert (summary.duel.sprt.sample.size, summary.duel.sprt.copies) == (counted, 6 - counted)
    assert ("without 4 pairs that repeat others" in summary_text(summary)) == (counted == 2)


def test_copies_do_not_decide_a_match(tmp_path: Path) -> None:
    """Without the filter, ten equal pairs decide; with it, all games are played."""
    settings = settings_of("negamax:depth=2", "first", games=40, sprt=("elo0=0", "elo1=400"))
    opening = Start(moves=(("X", "X mark b1"), ("O", "O mark a1")))
    with Match.create(settings, tmp_path / "a.db", [opening]) as match:
        assert match.different_openings(20) == 1
        match.run(jobs=1)
        assert (len(match.rows), match.accepted_hypothesis) == (40, None)


@pytest.mark.slow
def test_warning_of_deterministic_engines_with_one_opening(tmp_path: Path) -> None:
    summary = summary_of(tmp_path, "negamax:depth=2", "first", games=20, game="breakthrough")
    repeats = summary.repeats
    assert (repeats.games, repeats.different, repeats.across_pairs) == (20, 2, 18)
    assert repeats.expected < 1e-9
    assert repeats.beyond_chance
    text = summary_text(summary)
    assert "Warning: 18 of 20 games repeat a game of another pair" in text
    assert "2 different games" in text
    assert "--opening-plies" in text
    assert "--openings" in text


@pytest.mark.slow
def test_no_warning_with_several_openings(tmp_path: Path) -> None:
    summary = summary_of(
        tmp_path, "negamax:depth=2", "first", games=20, game="breakthrough", opening_plies=2
    )
    assert summary.repeats.across_pairs == 0
    assert "Warning" not in summary_text(summary)


@pytest.mark.slow
def test_warning_if_all_openings_were_used(tmp_path: Path) -> None:
    """Tic-tac-toe has nine first moves, so that nine pairs have different openings."""
    summary = summary_of(tmp_path, "negamax:depth=9", "first", games=40, opening_plies=1)
    assert summary.repeats.across_pairs == 22
    assert summary.repeats.beyond_chance


@pytest.mark.slow
def test_equal_engines_repeat_games_only_within_pairs(tmp_path: Path) -> None:
    summary = summary_of(
        tmp_path,
        *("negamax:depth=1", "negamax:depth=1"),
        games=20,
        game="breakthrough",
        opening_plies=2,
    )
    repeats = summary.repeats
    assert (repeats.within_pairs, repeats.across_pairs, repeats.different) == (10, 0, 10)
    assert not repeats.beyond_chance
    text = summary_text(summary)
    assert "Warning" not in text
    assert "10 games like the other game of their pair" in text
    assert "which count once in intervals by pairs" in text


@pytest.mark.slow
@pytest.mark.parametrize("games", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_chance_explains_equal_games_of_tictactoe(tmp_path: Path, games: int) -> None:
    summary = summary_of(tmp_path, "random", "random", games=games)
    assert not summary.repeats.beyond_chance
    assert "Warning" not in summary_text(summary)
    if games == 1000:
        # Two random games are equal with a probability of 1.08 in 100,000, computed from the
        # numbers of move sequences (docs/explanation/statistics.md).  A thousand games form
        # 499,500 pairs, of which 5.4 are expected to be equal.
        assert 0 < summary.repeats.across_pairs < 15
        assert summary.repeats.expected == pytest.approx(5, rel=0.4)


def test_single_repeat_of_a_long_game_is_not_chance() -> None:
    moves = " ".join(f"m{at}" for at in range(40))
    rows = [duel(at, 1, moves=moves, pair=at, branching=10.0) for at in (1, 2)]
    assert summarise(rows).repeats.beyond_chance


def test_games_with_unknown_moves_are_not_repeats() -> None:
    repeats = summarise([duel(1, 1), duel(2, 1)]).repeats
    assert (repeats.games, repeats.count, repeats.beyond_chance) == (0, 0, False)


def test_json_and_page_have_the_same_numbers(tmp_path: Path) -> None:
    rows = [
        duel(at, 1, moves="a b c d e f g h", pair=(at + 1) // 2, branching=9.0)
        for at in range(1, 5)
    ]
    summary = summarise(rows)
    exported = document(summary)
    assert exported["repeated"] == 3
    assert exported["repeats"] == {
        "games": 4,
        "different": 1,
        "in_pairs": 1,
        "across": 2,
        "expected": pytest.approx(4 * 9.0**-8),
        "beyond_chance": True,
    }
    page = summary._repr_html_()
    assert '<p class="warning">Warning: 2 of 4 games repeat a game of another pair' in page


def test_command_prints_the_warning(tmp_path: Path, cli: Cli) -> None:
    file = str(tmp_path / "a.db")
    args = ["--engine", "A=first", "--engine", "B=negamax:depth=1", "--opening-plies", "0"]
    assert "Warning: 6 of 8 games" in cli.out(
        "autoplay", "breakthrough", *args, "-n", "8", "--out", file, "--quiet"
    )
    assert "Warning: 6 of 8 games" in cli.out("report", file)
    assert json.loads(cli.out("report", file, "--json"))["repeats"]["beyond_chance"] is True


@pytest.mark.slow
def test_analyse_warns_only_of_deterministic_engines() -> None:
    tictactoe = Configuration(name="tictactoe", game="tictactoe")
    analysis = analyse(tictactoe, engine="first", games=10, opening_plies=0, solve_up_to=0)
    assert any(line.startswith("alike") for line in lines(analysis))
    analysis = analyse(tictactoe, engine="random:seed=3", games=300, solve_up_to=0)
    assert not any(line.startswith("alike") for line in lines(analysis))
