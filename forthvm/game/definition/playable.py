"""Decides from the tables in memory whether any move is possible in a game.

A script that defines one of the words in REPLACES_SECTIONS counts as playable, because these words
can do the work of sections.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HEADER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.bindings import NativeVM

__all__ = ["REPLACES_SECTIONS", "has_drops", "types_with_moves", "what_is_missing"]

_PIECE_CELLS = 4  # cells of the record of a piece type: name, moves, drops, value
_MOVES, _DROPS = 1, 2  # cells of that record
REPLACES_SECTIONS = ("OnGenerateMoves", "$GenerateMoves", "OnNewGame", "$NewGame")
"""Words of a script that can list moves or put pieces on the board without sections."""


def what_is_missing(native: NativeVM, defines: Callable[[str], bool]) -> str:
    """Return what a script lacks, so that no move is possible; "" if moves are possible.

    The result is what the script has instead, such as "no {players … players}".  It is "" for a
    script without a board, which does not define a game.

    Args:
        native: The VM that has loaded the script.
        defines: Returns whether the script itself, not the library, defines a word.
    """
    if not native.variable("$positions") or any(map(defines, REPLACES_SECTIONS)):
        return ""
    words = list(_words_for_lists(native))
    if words:
        return (
            f"the word `{words[0]}` after {{moves}} or {{drops}}, which needs a list: "
            f"name a list {{moves … moves}} that has {{move}} {words[0]}"
        )
    drops = has_drops(native)
    setup = native.variable("$boardSetup") or 0
    needed = {
        "no {players … players}": native.variable("$playerCount"),
        "no {turn-order … turn-order}": native.variable("$turnLimit"),
        "no {pieces … pieces}": native.variable("$pieceCount"),
        "no piece with {moves} or {drops}": drops or any(_types_with_list(native, _MOVES)),
        "no piece with {drops} and no {board-setup … board-setup}": drops
        or (setup and native.read_cell(setup)),
    }
    return next((missing for missing, present in needed.items() if not present), "")


def has_drops(native: NativeVM) -> bool:
    """Return whether any piece type has a list of drops that is not empty."""
    return any(_types_with_list(native, _DROPS))


def types_with_moves(native: NativeVM) -> frozenset[int]:
    """Return the numbers, from 1, of the piece types whose list of moves is not empty."""
    return frozenset(_types_with_list(native, _MOVES))


def _types_with_list(native: NativeVM, record_cell: int) -> Iterator[int]:
    """Yield the numbers of the piece types whose list of moves or drops is not empty.

    Args:
        native: The VM.
        record_cell: The cell of a piece type's record that contains the list's execution token.
    """
    for number, token in _lists(native, record_cell):
        length_at = token + CELL  # the first body cell of a list
        if native.read_cell(length_at):
            yield number


def _words_for_lists(native: NativeVM) -> Iterator[str]:
    """Yield the names of colon definitions that stand for lists of moves or drops."""
    for _, token in _lists(native, _MOVES, _DROPS):
        if native.primitive(token) == COLON:
            yield native.name(token - HEADER)


def _lists(native: NativeVM, *record_cells: int) -> Iterator[tuple[int, int]]:
    """Yield the execution tokens in some cells of the piece types, each with the type's number."""
    table = native.variable("$pieces") or 0
    for piece_type in range(native.variable("$pieceCount") or 0):
        for record_cell in record_cells:
            token = native.read_cell(table + CELL * (_PIECE_CELLS * piece_type + record_cell))
            if token:
                yield piece_type + 1, token
