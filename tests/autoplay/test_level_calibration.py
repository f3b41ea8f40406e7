"""The measurement of levels: the scale of engines, the next engine, repeatable results."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from forthvm import engines
from forthvm.autoplay.levels.calibration import Calibration, Plan, plan_for
from forthvm.autoplay.levels.scale import TARGET, Measured, Scale, next_strength
from forthvm.autoplay.match.settings import Configuration, MatchError
from forthvm.engines.levels import TABLES, table_names
from forthvm.game import find_game, load
from tests.kit.boards import HEAPS
from tests.kit.cases import each_case
from tests.kit.files import write
from tests.kit.messages import raises
from tests.kit.processes import output_of


def test_a_scale_goes_from_random_moves_to_the_greatest_search() -> None:
    scale = Scale(base=50, top=400)
    assert scale.strongest == 4  # three times twice the nodes above strength 1
    assert scale.spec(0) == "mixed:random=1,nodes=50,tt=1,net=none"
    assert scale.spec(1) == "mixed:nodes=50,tt=1,net=none"
    assert scale.spec(scale.strongest) == "mixed:nodes=400,tt=1,net=none"


def test_scales_of_other_engines_are_valid() -> None:
    scale = Scale(engine="mcts", unit="playouts", base=20, options="")
    assert scale.spec(0.5) == "mixed:engine=mcts,random=0.5,playouts=20"
    engines.get(scale.spec(0.5)).close()


@pytest.mark.parametrize("slope", [20.0, 100.0, 700.0])
def test_the_next_engine_is_found_where_elo_grows_evenly(slope: float) -> None:
    measured: list[Measured] = []
    for _ in range(12):
        strength = next_strength(1.0, 0.1, measured)
        elo = slope * (strength - 1.0)
        if elo == pytest.approx(TARGET):
            return
        measured.append(Measured(strength, elo, 100))
    pytest.fail(f"the last engine is {elo} Elo stronger")


def test_an_engine_that_is_not_stronger_leads_to_a_greater_step() -> None:
    assert next_strength(1.0, 0.1, [Measured(1.1, -30.0, 96)]) == pytest.approx(1.2)


def test_games_without_evaluation_are_measured_with_playouts(tmp_path: Path) -> None:
    script = write(tmp_path / "heaps.4th", HEAPS)
    scale = plan_for(load(script)).scale
    assert (scale.engine, scale.unit) == ("mcts", "playouts")
    script.write_text(f"{HEAPS}: OnEvaluate ( -- score ) 0 ;\n", encoding="utf-8")
    scale = plan_for(load(script)).scale
    assert (scale.engine, scale.unit) == ("negamax", "nodes")


def _calibrate(folder: Path, games: int) -> tuple[str, list[str]]:
    """Measure two levels of tic-tac-toe; return the table and the reports."""
    tables, reports = [""], []
    Calibration(
        Configuration(name="tictactoe", game="tictactoe"),
        Plan(first=0.1, step=0.2, scale=Scale(base=20, top=20), opening_plies=1),
        folder,
        games=games,
        levels=2,
        report=reports.append,
    ).run(tables.append)
    return tables[-1], reports


@pytest.mark.slow
def test_a_repeated_measurement_has_the_same_result(tmp_path: Path) -> None:
    table, reports = _calibrate(tmp_path / "first", 240)
    assert _calibrate(tmp_path / "second", 240) == (table, reports)
    assert _calibrate(tmp_path / "first", 240) == (table, reports)  # read from the files
    first, second = json.loads(table)["levels"][:2]
    assert "gap" not in first
    assert 60 <= second["gap"]["elo"] <= 140
    assert second["gap"]["games"] >= 48


@pytest.mark.slow
def test_a_script_of_the_user_is_measured_and_continued(tmp_path: Path) -> None:
    script = write(tmp_path / "nine.4th", find_game("tictactoe")[1].read_bytes())
    game = Configuration(name="nine", game=str(script))

    def measure(plan: Plan) -> list[str]:
        reports: list[str] = []
        folder = tmp_path / "results"
        Calibration(game, plan, folder, games=96, levels=2, report=reports.append).run(print)
        return reports

    plan = Plan(first=0.1, step=0.2, scale=Scale(base=20, top=20))
    assert measure(plan) == measure(plan)
    with raises(MatchError, "match.other-settings"):
        measure(replace(plan, max_plies=5))


@pytest.mark.slow
def test_an_interrupted_measurement_continues(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(_text: str) -> None:
        raise StoppedError

    calibration = Calibration(
        Configuration(name="tictactoe", game="tictactoe"),
        Plan(first=0.1, step=0.2, scale=Scale(base=20, top=20), opening_plies=1),
        tmp_path / "stopped",
        games=240,
        levels=2,
        report=stop,
    )
    with pytest.raises(StoppedError):
        calibration.run(lambda _text: None)
    recorded = len(list((tmp_path / "stopped").glob("*.db")))
    assert recorded == 1
    assert _calibrate(tmp_path / "stopped", 240) == _calibrate(tmp_path / "whole", 240)


@each_case("name", sorted(table_names()))
def test_tables_agree_with_the_plan_of_their_game(name: str) -> None:
    plan = plan_for(load(name))
    table = json.loads((TABLES / f"{name}.json").read_text("utf-8"))
    assert table["levels"][0]["spec"] == plan.scale.spec(plan.first)
    assert table["rules"] == {
        "opening_plies": plan.opening_plies,
        "max_plies": plan.max_plies,
        "repetition": plan.repetition,
    }


@pytest.mark.slow
def test_the_page_of_levels_is_up_to_date() -> None:
    script = Path(__file__).resolve().parents[2] / "docs" / "make_levels.py"
    output_of(sys.executable, script, "--check")
