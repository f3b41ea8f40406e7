"""`forthvm uci`, used by python-chess as a chess program with a board would use it."""

from __future__ import annotations

import sys

import pytest

chess = pytest.importorskip("chess")
chess_engine = pytest.importorskip("chess.engine")


def test_python_chess_plays_against_the_server() -> None:
    command = [sys.executable, "-m", "forthvm", "uci", "chess"]
    board = chess.Board()
    with chess_engine.SimpleEngine.popen_uci(command) as engine:
        for limit in (
            chess_engine.Limit(depth=2),
            chess_engine.Limit(nodes=200),
            chess_engine.Limit(white_clock=2, black_clock=2),
        ):
            result = engine.play(board, limit, info=chess_engine.INFO_ALL)
            assert result.info["pv"][0] == result.move
            board.push(result.move)
