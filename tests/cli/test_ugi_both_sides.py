"""Engines of forthvm on both sides of UGI: equal moves, analysis, games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import forthvm
from forthvm.engines import Info, Limits, choose_move, get
from forthvm.engines.protocols import ProgramError, UgiEngine
from forthvm.system.command_line import join_words, quoted
from tests.kit.commands import Cli
from tests.kit.games import loaded
from tests.kit.messages import raises
from tests.kit.processes import FORTHVM

COMMAND = [*FORTHVM, "ugi"]


@contextmanager
def ugi_engine(game: str, engine: str, **options: object) -> Iterator[UgiEngine]:
    """Starts an engine of forthvm as a UGI program."""
    client = UgiEngine(cmd=[*COMMAND, game, "--engine", engine], **options)
    yield client
    client.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["splut-duel", "yonin-shogi", "chess-los-alamos"])
def test_engine_chooses_equal_moves_over_ugi(game: str) -> None:
    """Games with four players, dice and partial moves have the same moves, scores and lines."""
    local = get("negamax:depth=2")
    dice = get("chance")
    position = forthvm.load(game).start()
    compared = 0
    with ugi_engine(game, "negamax") as remote:
        for _ in range(14):
            if position.is_chance:
                position.push(choose_move(dice, position).move)
                continue
            expected = choose_move(local, position, Limits(depth=2))
            result = choose_move(remote, position, Limits(depth=2))
            assert result.move == expected.move
            assert (result.score, result.depth) == (expected.score, 2)
            assert list(map(str, result.pv)) == list(map(str, expected.pv))
            position.push(result.move)
            compared += 1
    assert compared >= 7


def test_setup_positions_are_sent() -> None:
    game = forthvm.load("tictactoe")
    setup = [("X", "mark", "a1"), ("X", "mark", "b1"), ("O", "mark", "a3"), ("O", "mark", "b3")]
    position = game.start(setup=setup, turn="O")
    with ugi_engine("tictactoe", "negamax") as remote:
        assert str(choose_move(remote, position, Limits(depth=3)).move) == "O mark c3"
        assert str(
            choose_move(remote, game.start(setup=setup, turn="X"), Limits(depth=3)).move
        ) == ("X mark c1")


@pytest.mark.slow
def test_engine_of_another_game_is_refused() -> None:
    start = loaded("tictactoe").start()
    with ugi_engine("reversi", "first") as remote:
        with raises(ProgramError, "ugi-both-sides.is-not-a-legal"):
            choose_move(remote, start)
        start.push("b2")
        with raises(ProgramError, "ugi-both-sides.there-is-no-position"):
            choose_move(remote, start)


def test_analysis_over_ugi() -> None:
    from forthvm.engines import analyse

    with (
        ugi_engine("breakthrough", "negamax", infinite=True) as remote,
        analyse(remote, loaded("breakthrough").start()) as analysis,
    ):
        info = next(analysis)
        assert isinstance(info, Info)
        assert info.depth == 1
        assert info.best is not None
        result = analysis.stop()
    assert result.move in list(loaded("breakthrough").start().legal_moves)


@pytest.mark.slow
def test_run_plays_against_a_ugi_program(cli: Cli) -> None:
    command = join_words([*COMMAND, "tictactoe", "--engine", "negamax:depth=9,tt=1"])
    arguments = ["--engine", f"ugi:cmd={quoted(command)},time=30", "--json"]
    game = json.loads(cli.out("run", "tictactoe", "--auto", *arguments))
    assert game["result"]["draw"]
