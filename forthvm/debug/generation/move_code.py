"""The code of a generated move, as readable Forth.

Owns the decoding of a move's cells and the names of its literals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, TYPE_MASK
from forthvm.core.words.code import ENDS, LiveMemory, decode

if TYPE_CHECKING:
    from forthvm.core.bindings import NativeVM
    from forthvm.game import Game

__all__ = ["move_code", "unfinished_move_code"]


# The parameters of the words in a move, from their stack comments.
_PARAMETERS = {
    "(remove-piece)": ("pos",),
    "(add-piece)": ("piece", "pos"),
    "(create)": ("piece", "pos"),
    "(capture-at)": ("pos",),
    "(change-type-at)": ("type", "pos"),
    "(change-owner-at)": ("player", "pos"),
    "(partial-move-type)": ("mtype",),
}


def move_code(game: Game, native: NativeVM, move: int) -> str:
    """Return the words of a move's code.

    An example is `a2 (remove-piece) White pawn OR a3 (add-piece)`.  If a literal is a parameter of
    the next word, it is written as the name of a board position, piece or player.

    Args:
        game: The game of the move.
        native: The game's VM, with the move list in memory.
        move: The address of the move.
    """
    start, length = native.move_code(move)
    return _decoded(game, native, start, start + length)[0]


def unfinished_move_code(game: Game, native: NativeVM, move: int) -> tuple[str, tuple[str, ...]]:
    """Return the words of a move under construction so far, and the squares that they change.

    Args:
        game: The game of the move.
        native: The game's VM, stopped while the move is generated.
        move: The address of the move.
    """
    start, _ = native.move_code(move)
    return _decoded(game, native, start, native.here()) if start else ("", ())


def _decoded(game: Game, native: NativeVM, start: int, end: int) -> tuple[str, tuple[str, ...]]:
    """Return the words from an address to another one, and the squares in their parameters."""
    words: list[str] = []
    squares: dict[str, None] = {}
    literals: list[int] = []
    memory = LiveMemory(native)
    address = start
    while address < end:
        code = decode(memory, address)
        if code is not None and code.name == "LIT":
            literals.append(code.operand)
        elif code is None or code.name not in ENDS:
            name = code.name if code else f"{native.read_cell(address)} (not a word)"
            parameters = _PARAMETERS.get(name, ())
            if parameters[-1:] == ("pos",) and literals:
                squares[game._loaded.square(literals[-1])] = None
            words += [*_named(game, literals, parameters), name]
            literals = []
        address = code.next if code else address + CELL
    words += [str(cell) for cell in literals]
    return " ".join(words), tuple(squares)


def _named(game: Game, literals: list[int], kinds: tuple[str, ...]) -> list[str]:
    """Return literals as text; `kinds` are the kinds of the next word's parameters."""
    unnamed = len(literals) - len(kinds)
    texts = [str(cell) for cell in literals[: max(unnamed, 0)]]
    for cell, kind in zip(literals[max(unnamed, 0) :], kinds[max(-unnamed, 0) :], strict=True):
        texts.append(_literal(game, cell, kind))
    return texts


def _literal(game: Game, cell: int, kind: str) -> str:
    if kind == "pos":
        has_name = 0 <= cell < len(game.positions) and game.positions[cell] != "??"
        return game.positions[cell] if has_name else str(cell)
    owner, type_name = (
        game._loaded.roster.owner(cell),
        game._loaded.roster.type_name(cell & TYPE_MASK),
    )
    names = {
        "player": [owner or ""],
        "type": [type_name],
        "piece": [owner or "", type_name, "OR"],
    }.get(kind, [""])
    # The roster returns `#n` for a number without a name.  The names omit attributes, which use the
    # bits from 16 on.
    has_names = 0 < cell < 1 << 16 and all(name and not name.startswith("#") for name in names)
    return " ".join(names) if has_names else str(cell)
