"""Writes the tables of what blocks can touch, for the words that look for attacks.

Owns the form of the tables (zrf-attacks.4th reads them).  It must not know how reach is worked out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.compiler.reach import Reach, ReachLimitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Piece, Rules

__all__ = ["write_reach"]

_MOST_CELLS = 60_000
_CELL = 32


class _Tables:
    """Tables by their rows; equal tables are written once."""

    def __init__(self, positions: int) -> None:
        self.width = -(-positions // _CELL)
        self.words: dict[tuple[int, ...], str] = {}

    def word(self, rows: tuple[int, ...]) -> str:
        return self.words.setdefault(rows, f"z-table-{len(self.words) + 1}")


def write_reach(out: Writer, rules: Rules, names: Names, order: Sequence[str]) -> None:
    """Write the tables, unless the game is too large for them.

    Args:
        out: The script.
        rules: The game.
        names: Its names.
        order: The positions in the order of the script.
    """
    reach, tables = Reach(rules, order), _Tables(len(order))
    lists = []
    for player in rules.players:
        for piece in rules.pieces:
            if not piece.moves:
                continue
            try:
                lists.append((player, piece, _list_of(piece, player, reach, tables)))
            except ReachLimitError:
                return
            if len(tables.words) * len(order) * tables.width > _MOST_CELLS:
                return
    out.line("z-begin-tables")
    for rows, word in tables.words.items():
        out.line(f"CREATE {word}")
        cells = (row >> at * _CELL for row in rows for at in range(tables.width))
        with out.indented():
            out.wrapped(f"{_signed(cell)} ," for cell in cells)
    for number, (player, piece, words) in enumerate(lists, 1):
        out.line(f"CREATE z-list-{number}")
        with out.indented():
            out.wrapped(f"{word} ," for word in words)
        out.line(
            f"{names['player', player]} {names['piece', piece.name]} z-touches-as z-list-{number}"
        )


def _list_of(piece: Piece, player: str, reach: Reach, tables: _Tables) -> list[str]:
    """Return the table of all blocks together, then for each block its table and a flag."""
    found = [reach.of(block, player) for block in piece.moves]
    together = [0] * len(found[0].rows)
    for block in found:
        together = [a | b for a, b in zip(together, block.rows, strict=True)]
    words = [tables.word(tuple(together))]
    for block in found:
        words += [tables.word(block.rows), "TRUE" if block.reads_more else "FALSE"]
    return words


def _signed(bits: int) -> int:
    """Return the lowest 32 bits as a signed number."""
    low = bits & 0xFFFFFFFF
    return low - (1 << _CELL) if low >> (_CELL - 1) else low
