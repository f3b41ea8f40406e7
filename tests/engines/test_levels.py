"""Levels of games: their tables, the engines `level` and `mixed`."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from forthvm import engines
from forthvm.engines import EngineOptionError
from forthvm.engines.levels import TABLES, Gap, level_of, levels_of, table_names
from forthvm.engines.registry import get_for_game, split_engine
from forthvm.game import Position, load
from tests.kit.boards import drops, grid
from tests.kit.cases import each_case
from tests.kit.games import load_text
from tests.kit.messages import raises

NAMES = sorted(table_names())

NO_EVALUATION = grid(3, 3, players="First Second") + drops("stone")


@pytest.fixture
def start() -> Position:
    return load("breakthrough").start()


@pytest.mark.slow
@each_case("name", NAMES)
def test_tables_have_valid_engines_of_growing_strength(name: str) -> None:
    game = load(name)
    levels = levels_of(game)
    assert [level.number for level in levels] == list(range(1, len(levels) + 1))
    assert levels[0].elo == 0
    assert levels[0].gap is None
    measured = [level for level in levels if level.elo is not None]
    assert tuple(measured) == levels[: len(measured)]
    for below, level in pairwise(measured):
        assert level.gap.low <= level.gap.elo <= level.gap.high
        assert below.elo is not None
        assert level.elo == pytest.approx(below.elo + level.gap.elo)
        assert level.gap.elo > 0
    for level in levels:
        assert "time" not in split_engine(level.spec)[1]
        engines.get(level.spec).close()


@pytest.mark.slow
@each_case("name", NAMES)
def test_levels_differ_only_by_fewer_random_moves_or_more_nodes(name: str) -> None:
    def strength(spec: str) -> tuple[float, int]:
        options = split_engine(spec)[1]
        return -float(options.get("random", 0)), int(options["nodes"])

    strengths = [strength(level.spec) for level in levels_of(load(name))]
    assert strengths == sorted(set(strengths))


@pytest.mark.slow
@each_case("name", NAMES)
def test_tables_name_bundled_games(name: str) -> None:
    table = json.loads((TABLES / f"{name}.json").read_text("utf-8"))
    assert table.keys() == {"limits", "rules", "levels"}
    assert load(name).name == name


def test_a_game_without_a_table_has_levels_that_were_not_measured() -> None:
    levels = levels_of(load("ur-finkel"))
    assert [level.elo for level in levels] == [None] * len(levels)
    assert all(level.spec.startswith("mixed:") for level in levels)


def test_a_script_with_the_name_of_a_measured_game_is_not_that_game(tmp_path: Path) -> None:
    name = NAMES[0]
    game = load_text(tmp_path, NO_EVALUATION, name=f"{name}.4th")
    assert game.name == name
    assert {level.elo for level in levels_of(game)} == {None}
    assert {split_engine(level.spec)[1]["engine"] for level in levels_of(game)} == {"mcts"}


def test_an_unknown_level_is_an_error_with_the_range(start: Position) -> None:
    last = len(levels_of(start.game))
    for number in (0, last + 1):
        with raises(EngineOptionError, "levels.no-such-level", last=last, number=number):
            level_of(start.game, number)
    with raises(EngineOptionError, "levels.no-such-level", last=last, number=last + 1):
        engines.get(f"level:{last + 1}").play(start)


@each_case("spec", ["level", "level:", "level:0", "level:one", "level:2,depth=3"])
def test_invalid_levels_are_refused(spec: str) -> None:
    with pytest.raises(EngineOptionError):
        engines.get(spec)


@each_case("spec", ["mixed:random=1.1", "mixed:random=-1", "mixed:engine=ugi", "mixed:playouts=5"])
def test_invalid_mixtures_are_refused(spec: str) -> None:
    with pytest.raises(EngineOptionError):
        engines.get(spec)


def test_only_the_seed_decides_the_moves_of_a_level(start: Position) -> None:
    def moves(spec: str) -> list[str]:
        engine = engines.get(spec)
        return [str(engine.play(start).move) for _ in range(10)]

    assert moves("level:1,seed=1") == moves("level:1,seed=1")
    assert moves("level:1,seed=1") != moves("level:1,seed=2")
    assert moves("level:1") != moves("level:1")


def test_each_game_of_a_match_has_other_random_moves(start: Position) -> None:
    def moves(game: int) -> list[str]:
        engine = get_for_game("mixed:random=1", lambda *_given: game)
        return [str(engine.play(start).move) for _ in range(10)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_the_share_of_random_moves(start: Position) -> None:
    engine = engines.get("mixed:random=0.25,depth=1,seed=1")
    # Moves of the search have a score, random moves have none.
    searched = sum(engine.play(start).score is not None for _ in range(400))
    # The binomial distribution has the mean 300 and the standard deviation 8.7.
    assert abs(searched - 300) < 4 * 8.7


def test_a_gap_is_confirmed_if_its_interval_is_within_100_plus_or_minus_40() -> None:
    assert Gap(100.0, 60.0, 140.0, 400).is_confirmed
    assert not Gap(98.0, 59.0, 137.0, 400).is_confirmed
    assert not Gap(102.0, 63.0, 141.0, 400).is_confirmed
