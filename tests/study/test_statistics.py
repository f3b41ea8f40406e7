"""Perft counts and statistics of random games, and their data frame."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from statistics import mean

import pytest

import forthvm
from forthvm.autoplay import Configuration
from forthvm.core.errors import ForthVMError
from forthvm.study import GameStatistics, StatisticsTable, StudyError, errors, statistics
from tests.kit.cases import each_case
from tests.kit.messages import raises
from tests.kit.processes import output_of


@pytest.fixture(scope="module")
def table() -> StatisticsTable:
    return statistics(["tictactoe", "breakthrough"], playouts=4, perft_depth=3)


def test_perft_counts_are_those_of_perft(table: StatisticsTable) -> None:
    assert [row.game for row in table] == ["tictactoe", "breakthrough"]
    assert [row.players for row in table] == [2, 2]
    for row in table:
        start = forthvm.load(row.game).start()
        assert row.perft == tuple(forthvm.perft(start, depth) for depth in range(1, 4))


@pytest.mark.slow
def test_random_games_agree_with_exact_numbers() -> None:
    """The exact numbers of tic-tac-toe are from `forthvm analyse` (tests/study/test_solving)."""
    rows = [statistics("tictactoe", playouts=500, seed=seed)[0] for seed in range(1, 5)]
    assert {(row.games, row.cut_off, row.plies_min, row.plies_max) for row in rows} == {
        (500, 0, 5, 9)
    }
    assert all(row.captures == 0 for row in rows)
    # The tolerances are 4 standard errors of 2,000 games.
    for name, exact, tolerance in (
        ("plies", 7.6262, 0.12),
        ("draws", 0.1270, 0.03),
        ("first_score", 0.6484, 0.039),
        ("moves", 5.576, 0.10),
        ("forced", 0.0462, 0.02),
    ):
        assert mean(getattr(row, name) for row in rows) == pytest.approx(exact, abs=tolerance), name


def test_figures_are_plausible(table: StatisticsTable) -> None:
    for row in table:
        assert row.games == 4
        assert row.plies_min <= row.plies_median <= row.plies_max
        assert row.plies_min <= row.plies <= row.plies_max
        assert min(row.moves_early, row.moves_midway, row.moves_late) <= row.moves
        assert 0 <= row.forced <= 1
        assert 0 <= row.captures <= 1
    assert table[1].captures > 0


def test_figures_depend_on_the_seed_only(table: StatisticsTable) -> None:
    again = statistics(["breakthrough"], playouts=4, perft_depth=3)
    assert again == [table[1]]
    other = statistics(["breakthrough"], playouts=4, perft_depth=3, seed=2)
    assert other[0].perft == table[1].perft
    assert other[0].plies != table[1].plies


def test_large_perft_counts_are_left_out() -> None:
    rows = statistics(["breakthrough"], playouts=1, perft_depth=6, perft_limit=10_000)
    assert rows[0].perft == (22, 484)
    assert statistics("tictactoe", playouts=1, perft_depth=0)[0].perft == ()


@pytest.mark.slow
def test_games_that_are_cut_off_have_no_score() -> None:
    (row,) = statistics("chess", playouts=2, max_plies=3, perft_depth=0)
    assert (row.games, row.cut_off, row.plies) == (2, 2, 3)
    assert math.isnan(row.draws)
    assert math.isnan(row.first_score)


def test_scripts_and_configurations_are_games(tmp_path: Path) -> None:
    source = Path(forthvm.load("tictactoe").path).read_text(encoding="utf-8")
    script = tmp_path / "mine.4th"
    script.write_text(source, encoding="utf-8")
    configuration = Configuration(name="named", game="tictactoe")
    rows = statistics([script, str(script), configuration], playouts=5)
    assert [row.game for row in rows] == ["mine", "mine", "named"]
    assert rows[0].perft == rows[2].perft == (9, 72, 504)


@pytest.mark.slow
def test_data_frame_has_a_row_for_each_game(table: StatisticsTable) -> None:
    frame = table.to_frame()
    assert list(frame["game"]) == ["tictactoe", "breakthrough"]
    assert list(frame["perft_3"]) == [504, 11_132]
    assert list(frame["plies"]) == [row.plies for row in table]
    rows = statistics(["tictactoe", "breakthrough"], playouts=1, perft_limit=600)
    last = StatisticsTable(rows).to_frame()["perft_3"]
    assert last[0] == 504
    assert bool(last.isna()[1])
    assert len(StatisticsTable().to_frame()) == 0


def test_message_without_pandas(table: StatisticsTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with raises(StudyError, "statistics.needs-pandas") as caught:
        table.to_frame()
    assert "pip install 'forthvm[notebook]'" in str(caught.value.hints)
    with raises(StudyError, "statistics.needs-a-package"):
        errors.optional_module("no_such_package.part", "Parquet")


@pytest.mark.slow
def test_optional_packages_are_imported_when_needed() -> None:
    program = (
        "import sys, forthvm; assert 'forthvm.study' not in sys.modules\n"
        "from forthvm.study import OpeningTree, statistics\n"
        "assert not {'pandas', 'pyarrow', 'numpy'} & sys.modules.keys()"
    )
    output_of(sys.executable, "-c", program)


@each_case("options", [{"playouts": 0}, {"max_plies": 0}, {"perft_depth": -1}, {"perft_limit": -1}])
def test_numbers_out_of_range(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(options))}: expected an integer from"):
        statistics(["tictactoe"], **options)  # type: ignore[arg-type]


def test_wrong_games() -> None:
    with raises(ForthVMError, "statistics.unknown-game"):
        statistics(["tictacto"])
    with raises(TypeError, "statistics.not-a-game"):
        statistics([3])  # type: ignore[list-item]


def test_rows_are_records(table: StatisticsTable) -> None:
    assert isinstance(table[0], GameStatistics)
    assert hash(table[0]) == hash(table[0])
