"""`forthvm levels`, and `--level` of `forthvm run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forthvm.cli.play.seats import Seats
from forthvm.engines import Limits
from forthvm.engines.levels import levels_of
from forthvm.game import load
from tests.kit.commands import Cli


def test_lists_the_levels_of_a_game(cli: Cli) -> None:
    lines = cli.out("levels", "breakthrough").splitlines()
    levels = levels_of(load("breakthrough"))
    assert [line.split()[0] for line in lines[1 : len(levels) + 1]] == [
        str(level.number) for level in levels
    ]
    assert all(level.spec in line for level, line in zip(levels, lines[1:], strict=False))


def test_says_that_levels_were_not_measured(cli: Cli) -> None:
    assert "not measured" in cli.out("levels", "ur-finkel")


def test_lists_the_measured_games(cli: Cli) -> None:
    row = next(
        line.split() for line in cli.out("levels").splitlines() if line.startswith("breakthrough")
    )
    assert row[1] == str(len(levels_of(load("breakthrough"))))


def test_prints_json(cli: Cli) -> None:
    document = json.loads(cli.out("levels", "breakthrough", "--json"))
    levels = levels_of(load("breakthrough"))
    assert [row["spec"] for row in document] == [level.spec for level in levels]
    assert document[1]["gap"]["games"] == levels[1].gap.games  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "breakthrough", "--auto", "--level", "99"], "--level 99: breakthrough has the"),
        (["run", "breakthrough", "--auto", "--level", "White=0"], "levels 1 to"),
        (["run", "breakthrough", "--auto", "--level", "strong"], "NAME=NUMBER"),
        (["run", "breakthrough", "--auto", "--level", "Green=1"], "no player 'Green'"),
        (["levels", "--json"], "GAME is missing"),
        (["levels", "breakthrough", "--games", "10"], "from 96 to"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, cli: Cli) -> None:
    assert message in cli.err(*arguments, status=2)


def test_run_plays_at_a_level(cli: Cli) -> None:
    run = ["run", "tictactoe", "--auto", "--json", "--seed", "1", "--engine", "random"]
    document = json.loads(cli.out(*run, "--level", "O=3"))
    assert document["engines"] == {"X": "random", "O": "level:3"}
    assert document["result"] is not None
    assert json.loads(cli.out(*run, "--level", "O=3"))["moves"] == document["moves"]


@pytest.mark.slow
def test_calibrate_writes_a_table(tmp_path: Path, cli: Cli) -> None:
    command = ["levels", "tictactoe", "--calibrate", str(tmp_path), "--games", "96"]
    assert "in 96 games" in cli.out(*command, "--levels", "2")
    levels = json.loads((tmp_path / "tictactoe.json").read_text("utf-8"))["levels"]
    assert ["gap" in level for level in levels] == [False, True]


def test_a_hint_at_a_level_is_not_a_random_move() -> None:
    game = load("tictactoe")
    position = game.start()
    for move in ("X mark a1", "O mark b2", "X mark a2", "O mark c1"):
        position.push(position.parse(move))
    seats = Seats(game, ["level:1"], limits=Limits())
    hints = {str(seats.hint(position).move) for _ in range(5)}
    assert hints == {"X mark a3"}  # completes the column a
