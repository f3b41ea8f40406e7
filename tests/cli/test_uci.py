"""`forthvm uci` and `forthvm xboard`, used by python-chess as by a program with a board."""

from __future__ import annotations

import pytest

from tests.kit.processes import FORTHVM

chess = pytest.importorskip("chess")
chess_engine = pytest.importorskip("chess.engine")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_python_chess_plays_against_the_server(protocol: str) -> None:
    command = [*FORTHVM, protocol, "chess"]
    board = chess.Board()
    start = getattr(chess_engine.SimpleEngine, f"popen_{protocol}")
    limits = [chess_engine.Limit(depth=2), chess_engine.Limit(white_clock=2, black_clock=2)]
    if protocol == "uci":
        limits.append(chess_engine.Limit(nodes=200))
    with start(command) as engine:
        for limit in limits:
            result = engine.play(board, limit, info=chess_engine.INFO_ALL)
            assert result.info["pv"][0] == result.move
            board.push(result.move)
