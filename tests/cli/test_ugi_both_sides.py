"""Engines of forthvm on both sides of UGI: equal moves, analysis, games on the command line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import forthvm
from forthvm.cli import main
from forthvm.engines import Info, Limits, choose_move, get
from forthvm.engines.ugi import ProgramError, UgiEngine

OURS = [sys.executable, "-m", "forthvm", "ugi"]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX processes")


@contextmanager
def ours(game: str, engine: str, **options: object) -> Iterator[UgiEngine]:
    """Starts one of our engines as a UGI program."""
    client = UgiEngine(cmd=[*OURS, game, "--engine", engine], **options)
    yield client
    client.close()


@pytest.mark.parametrize("game", ["splut-duel", "yonin-shogi", "chess-los-alamos"])
def test_engine_plays_the_same_over_ugi(game: str) -> None:
    """Games with four players, dice and partial moves have the same moves, scores and lines."""
    here = get("negamax:depth=2")
    dice = get("chance")
    position = forthvm.load(game).start()
    compared = 0
    with ours(game, "negamax") as there:
        for _ in range(14):
            if position.is_chance:
                position.push(choose_move(dice, position).move)
                continue
            expected = choose_move(here, position, Limits(depth=2))
            found = choose_move(there, position, Limits(depth=2))
            assert found.move == expected.move
            assert (found.score, found.depth) == (expected.score, 2)
            assert list(map(str, found.pv)) == list(map(str, expected.pv))
            position.push(found.move)
            compared += 1
    assert compared >= 7


def test_setup_positions_are_sent() -> None:
    game = forthvm.load("tictactoe")
    setup = [("X", "mark", "a1"), ("X", "mark", "b1"), ("O", "mark", "a3"), ("O", "mark", "b3")]
    position = game.start(setup=setup, turn="O")
    with ours("tictactoe", "negamax") as there:
        assert str(choose_move(there, position, Limits(depth=3)).move) == "O mark c3"
        assert str(choose_move(there, game.start(setup=setup, turn="X"), Limits(depth=3)).move) == (
            "X mark c1"
        )


def test_engine_of_another_game_is_refused() -> None:
    start = forthvm.load("tictactoe").start()
    with ours("reversi", "first") as there:
        with pytest.raises(ProgramError, match="is not a legal move of X"):
            choose_move(there, start)
        start.push_text("b2")
        with pytest.raises(ProgramError, match=r"there is no position.*move 1: 'X_mark_b2'"):
            choose_move(there, start)


def test_analysis_over_ugi() -> None:
    from forthvm.engines import analyse

    with (
        ours("breakthrough", "negamax", infinite=True) as there,
        analyse(there, forthvm.load("breakthrough").start()) as analysis,
    ):
        info = next(analysis)
        assert isinstance(info, Info)
        assert info.depth == 1
        assert info.best is not None
        result = analysis.stop()
    assert result.move in list(forthvm.load("breakthrough").start().legal_moves)


def test_run_plays_against_a_ugi_program(capsys: pytest.CaptureFixture[str]) -> None:
    import shlex

    command = shlex.join([*OURS, "tictactoe", "--engine", "negamax:depth=9,tt=1"])
    arguments = ["--engine", f"ugi:cmd={shlex.quote(command)},time=30", "--json"]
    assert main(["run", "tictactoe", "--auto", *arguments]) == 0
    game = json.loads(capsys.readouterr().out)
    assert game["result"]["draw"]
