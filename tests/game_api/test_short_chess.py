"""The short notation of chess is that of python-chess, in positions of random games and others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from forthvm.game import Move
from tests.models import chess_setup

chess: Any = pytest.importorskip("chess", reason="python-chess is not installed")

POSITIONS = 10  # of a test; 240 tests have 2,400
MAX_PLIES = 150
LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
STARTS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
]


def in_uci(move: Move) -> str:
    """Return a move as origin, target and the letter of a promotion."""
    letters = [LETTERS[str(part.name)] for part in move.parts if part.kind == "change"]
    return f"{move.from_square}{move.to_square}{''.join(letters)}"


def of_games(rng: random.Random) -> Iterator[Any]:
    """Yield the positions of random games."""
    while True:
        board = chess.Board(rng.choice(STARTS))
        while not board.is_game_over() and board.ply() < MAX_PLIES:
            yield board
            board.push(rng.choice(list(board.legal_moves)))


def with_many_pieces(rng: random.Random) -> Iterator[Any]:
    """Yield positions in which several pieces of a type can often go to the same square."""
    kinds = (chess.PAWN, chess.KNIGHT, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
    while True:
        board = chess.Board(None)
        kings = [chess.Piece(chess.KING, white) for white in (True, False)]
        others = [
            chess.Piece(rng.choice(kinds), rng.random() < 0.7) for _ in range(rng.randint(3, 12))
        ]
        squares = [*rng.sample(range(8, 56), len(others)), rng.randrange(8), rng.randrange(56, 64)]
        for square, piece in zip(squares, others + kings, strict=True):
            board.set_piece_at(square, piece)
        board.turn = rng.random() < 0.7
        if board.is_valid() and not board.is_game_over():
            yield board


@pytest.mark.sampled(120)
@pytest.mark.parametrize("seed", range(240))
def test_short_texts_are_those_of_python_chess(seed: int) -> None:
    rng = random.Random(seed)
    boards = (with_many_pieces if seed % 2 else of_games)(rng)
    for board in (next(boards) for _ in range(POSITIONS)):
        position = chess_setup.start(board.fen())
        if position.result is not None:  # by a rule for draws, which python-chess only offers
            continue
        moves = position.legal_moves
        assert {in_uci(move): move.short for move in moves} == {
            move.uci(): board.san(move) for move in board.legal_moves
        }, board.fen()
        for move in moves:
            assert position.parse(move.short) == move
