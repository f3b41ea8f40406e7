"""Compare the model of chess with published counts, and test its draws."""

from __future__ import annotations

import pytest

from tests.kit.cases import each_case
from tests.models import chess
from tests.models.chess import BLACK, WHITE, Options, number

COUNTS = [
    (chess.START, [20, 400, 8902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [48, 2039, 97862]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2812, 43238]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486, 62379]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
        [46, 2079, 89890],
    ),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("fen", "counts"), COUNTS)
def test_perft_counts(fen: str, counts: list[int]) -> None:
    state = chess.read(fen)
    assert [chess.perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


# A FEN and the winner: empty for a draw, None while the game continues.
ENDS = [
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -", BLACK),  # fool's mate
    ("7k/5Q2/8/6K1/8/8/8/8 b - -", ""),  # stalemate
    ("7k/6Q1/6K1/8/8/8/8/8 b - -", WHITE),
    ("7k/8/6K1/8/8/8/8/8 w - -", ""),  # bare kings
    ("7k/8/6K1/8/8/8/8/6N1 w - -", ""),
    ("7k/8/6K1/8/8/8/8/5NN1 w - -", None),  # two knights can mate with help
    ("6bk/8/6K1/8/8/8/8/B7 w - -", None),  # bishops on squares of both colours
    ("5b1k/8/6K1/8/8/8/8/B7 w - -", ""),  # of one colour
    ("7k/8/6K1/8/8/8/P7/8 w - -", None),
    ("7k/8/6K1/8/8/8/R7/8 w - - 99", None),
    ("7k/8/6K1/8/8/8/R7/8 w - - 100", ""),
    ("7k/R7/6K1/8/8/8/8/8 w - - 100", ""),
    ("R6k/8/6K1/8/8/8/8/8 b - - 100", WHITE),  # mate comes first
]


@each_case(("fen", "winner"), ENDS)
def test_ends(fen: str, winner: str | None) -> None:
    assert chess.end(chess.read(fen), Options()) == winner


def test_repetition() -> None:
    state = chess.read(chess.START)
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        assert chess.end(state, Options()) is None
        state = chess.play(state, chess.Move(number(text[:2]), number(text[2:])))
    assert chess.end(state, Options()) == ""
    assert chess.end(state, Options(repetition=0)) is None
