"""Converts between states of the chess model and positions of the chess script.

The script stores castling rights and the possibility of en passant as pieces of the type `mark` on
positions outside the board, which its README defines.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

import forthvm
from tests.models import chess
from tests.models.chess import BLACK, WHITE, State

__all__ = ["FEN_MARKS", "KINDS", "begin", "expected_view", "load", "start", "view"]

KINDS = {
    "p": "pawn",
    "n": "knight",
    "b": "bishop",
    "r": "rook",
    "q": "queen",
    "k": "king",
}
FEN_MARKS = {
    "K": "white-O-O",
    "Q": "white-O-O-O",
    "k": "black-O-O",
    "q": "black-O-O-O",
}


def _pieces(state: State) -> list[tuple[str, str, str]]:
    """Player, type and square of all pieces and of the marks for castling rights."""
    found = [
        (WHITE if piece.isupper() else BLACK, KINDS[piece.lower()], chess.name(square, state.size))
        for square, piece in enumerate(state.board)
        if piece != "."
    ]
    for right in state.rights:
        found.append((WHITE if right.isupper() else BLACK, "mark", FEN_MARKS[right]))
    return found


def _en_passant_mark(state: State) -> tuple[str, str, str]:
    """Player, type and position of the mark for the file of a pawn that made a double step."""
    other = BLACK if state.mover == WHITE else WHITE
    return other, "mark", "passed-" + chess.name(state.en_passant)[0]


@cache
def load(size: int) -> forthvm.Game:
    """The game on a board of a size, loaded once and shared by all tests."""
    return forthvm.load("chess" if size == 8 else "chess-los-alamos")


def begin(state: State) -> forthvm.Position:
    """The position of the script for a state of the model."""
    pieces = _pieces(state)
    if state.en_passant >= 0:
        pieces.append(_en_passant_mark(state))
    return load(state.size).start(setup=pieces, turn=state.mover, variables={"clock": state.quiet})


def start(fen: str) -> forthvm.Position:
    """Start a game from a FEN."""
    return begin(chess.read(fen))


def expected_view(state: State) -> Hashable:
    """The expected `view`: a pawn is marked for en passant only if it can be captured."""
    pieces = _pieces(state)
    if chess.en_passant_is_legal(state):
        pieces.append(_en_passant_mark(state))
    return frozenset(pieces), state.quiet


def view(position: forthvm.Position) -> Hashable:
    """The pieces and marks of a position of the script."""
    pieces = frozenset(
        (piece.player, piece.type, name) for name, piece in position.board.occupied()
    )
    return pieces, position.variables["clock"]
