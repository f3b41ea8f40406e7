"""Positions of the chess script from FEN: pieces, marks and the clock, as its README tells.

Owns the translation only, both ways; what may be played is the model's or the script's affair.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

import forthvm
from tests.models import chess
from tests.models.chess import BLACK, WHITE, State

__all__ = ["FEN_MARKS", "KINDS", "begin", "load", "seen", "view"]

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
    """Player, type and square of all pieces, and the marks of castling."""
    found = [
        (WHITE if piece.isupper() else BLACK, KINDS[piece.lower()], chess.name(square, state.size))
        for square, piece in enumerate(state.board)
        if piece != "."
    ]
    for right in state.rights:
        found.append((WHITE if right.isupper() else BLACK, "mark", FEN_MARKS[right]))
    return found


def _passed(state: State) -> tuple[str, str, str]:
    other = BLACK if state.mover == WHITE else WHITE
    return other, "mark", "passed-" + chess.name(state.passed)[0]


@cache
def load(size: int) -> forthvm.Game:
    """The game on a board of that size; positions share it, which does them no harm."""
    return forthvm.load("chess" if size == 8 else "chess-los-alamos")


def begin(state: State) -> forthvm.Position:
    """The position in the script's terms."""
    pieces = _pieces(state)
    if state.passed >= 0:
        pieces.append(_passed(state))
    return load(state.size).start(setup=pieces, turn=state.mover, variables={"clock": state.quiet})


def seen(state: State) -> Hashable:
    """What the script should show; a pawn that cannot be taken in passing leaves no mark."""
    pieces = _pieces(state)
    if chess.passing(state):
        pieces.append(_passed(state))
    return frozenset(pieces), state.quiet


def view(position: forthvm.Position) -> Hashable:
    """What the script shows."""
    pieces = frozenset(
        (piece.player, piece.type, name) for name, piece in position.board.occupied()
    )
    return pieces, position.variables["clock"]
