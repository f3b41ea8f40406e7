"""Decides from the tables in memory whether any move is possible in a game.

A script that defines its own words instead of the standard sections counts as playable.  This file
must not know positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.bindings import NativeVM

__all__ = ["MAKES_MOVES", "has_drops", "what_is_missing"]

_PIECE_CELLS = 4
_MOVES, _DROPS = 1, 2
MAKES_MOVES = ("OnGenerateMoves", "$GenerateMoves", "OnNewGame", "$NewGame")
"""Words by which a script can put pieces on the board, or moves into the list."""


def what_is_missing(native: NativeVM, defines: Callable[[str], bool]) -> str:
    """Return the missing section without which no move is possible, "" if nothing is missing.

    Args:
        native: The VM that has loaded a script with a board.
        defines: Whether the script itself, not the library, defines a word.
    """
    if not native.variable("$positions") or any(map(defines, MAKES_MOVES)):
        return ""
    drops = has_drops(native)
    setup = native.variable("$boardSetup") or 0
    needed = {
        "no {players … players}": native.variable("$playerCount"),
        "no {turn-order … turn-order}": native.variable("$turnLimit"),
        "no {pieces … pieces}": native.variable("$pieceCount"),
        "no piece with {moves} or {drops}": drops or _has_list(native, _MOVES),
        "no piece with {drops} and no {board-setup … board-setup}": drops
        or (setup and native.read_cell(setup)),
    }
    return next((missing for missing, present in needed.items() if not present), "")


def has_drops(native: NativeVM) -> bool:
    """Return whether any piece type has a list of drops that is not empty."""
    return _has_list(native, _DROPS)


def _has_list(native: NativeVM, column: int) -> bool:
    """Return whether any piece type has a list, in that column of its record, that is not empty."""
    table = native.variable("$pieces") or 0
    for piece in range(native.variable("$pieceCount") or 0):
        token = native.read_cell(table + CELL * (_PIECE_CELLS * piece + column))
        if token and native.read_cell(token + CELL):
            return True
    return False
