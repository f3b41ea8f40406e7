"""`forthvm levels`, and `--level` of `forthvm run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forthvm.cli import main
from forthvm.cli.play.seats import Seats
from forthvm.engines import Limits
from forthvm.engines.levels import levels_of
from forthvm.game import load


def test_lists_the_levels_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", "breakthrough"]) == 0
    lines = capsys.readouterr().out.splitlines()
    levels = levels_of(load("breakthrough"))
    assert [line.split()[0] for line in lines[1 : len(levels) + 1]] == [
        str(level.number) for level in levels
    ]
    assert all(level.spec in line for level, line in zip(levels, lines[1:], strict=False))


def test_says_that_levels_were_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", "ur-finkel"]) == 0
    assert "not measured" in capsys.readouterr().out


def test_lists_the_measured_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["levels"]) == 0
    row = next(
        line.split()
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("breakthrough")
    )
    assert row[1] == str(len(levels_of(load("breakthrough"))))


def test_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", "breakthrough", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
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
def test_wrong_usage(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_run_plays_at_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    run = ["run", "tictactoe", "--auto", "--json", "--seed", "1", "--engine", "random"]
    assert main([*run, "--level", "O=3"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["engines"] == {"X": "random", "O": "level:3"}
    assert document["result"] is not None
    assert main([*run, "--level", "O=3"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"] == document["moves"]


@pytest.mark.slow
def test_calibrate_writes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["levels", "tictactoe", "--calibrate", str(tmp_path), "--games", "96"]
    assert main([*command, "--levels", "2"]) == 0
    assert "in 96 games" in capsys.readouterr().out
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
