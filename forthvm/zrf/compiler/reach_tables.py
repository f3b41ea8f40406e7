"""Writes the lists of the blocks with which pieces attack, and the tables of what these can touch.

Owns the form of the lists (zrf-attacks.4th reads them).  It must not know how reach is worked out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import groupby
from operator import or_
from typing import TYPE_CHECKING

from forthvm.zrf.compiler.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Rules

__all__ = ["write_attackers"]

_MOST_CELLS = 400_000  # 1.6 megabytes
_MOST_POSITIONS = 1_000  # on larger boards the analysis takes longer than the load may take
_BITS = 31  # of a cell that are used; with the other one, no cell looks like an address
_UNUSED = 1 << _BITS
_ALL = _UNUSED - 1


Words = Sequence[tuple[str, str]]
"""The words of the blocks of a piece, with their types of moves."""
Touched = tuple[str, Sequence[tuple[str, str]]]
"""The table of all blocks of a piece; for each block its table, and whether it depends on more."""


class _Tables:
    """Tables by their rows; equal tables are written once."""

    def __init__(self, positions: int) -> None:
        self.width = -(-positions // _BITS)
        self.words: dict[tuple[int, ...], str] = {}
        self._most = _MOST_CELLS // (positions * self.width)

    def word(self, rows: tuple[int, ...], otherwise: str) -> str:
        """Return the table with these rows, or another one if there is no room for it."""
        known = self.words.get(rows)
        if known is None and len(self.words) < self._most:
            known = self.words[rows] = f"z-table-{len(self.words) + 1}"
        return known or otherwise


def write_attackers(
    out: Writer, rules: Rules, names: Names, order: Sequence[str], words: Mapping[str, Words]
) -> None:
    """Write the lists of all players' pieces.

    Args:
        out: The script.
        rules: The game.
        names: Its names.
        order: The positions in the order of the script.
        words: The words of each piece that has moves.
    """
    tables = _Tables(len(order))
    if len(order) <= _MOST_POSITIONS:
        touched = _touched(rules, Reach(rules, order), tables)
    else:
        touched = {
            (player, piece): ("0", [("0", "FALSE")] * len(blocks))
            for player in rules.players
            for piece, blocks in words.items()
        }
    for rows, word in tables.words.items():
        out.line(f"CREATE {word}")
        with out.indented():
            out.wrapped(_cells(rows, tables.width))
    out.line("z-begin-lists")
    for number, ((player, piece), (whole, found)) in enumerate(touched.items(), 1):
        out.line(f"CREATE z-list-{number}")
        with out.indented():
            out.line(f"{whole} , {len(words[piece])} ,")
            for (table, more), (word, kind) in zip(found, words[piece], strict=True):
                out.line(f"{table} , {more} , ' {word} , {names['type', kind] if kind else 0} ,")
        out.line(f"{names['player', player]} {names['piece', piece]} z-attacks-by z-list-{number}")


def _touched(rules: Rules, reach: Reach, tables: _Tables) -> dict[tuple[str, str], Touched]:
    """Return what each player and piece can touch.

    Without room for more tables, that of a piece stands for those of its blocks; if there is none,
    either, 0 stands for a table of all positions.
    """
    found = {
        (player, piece.name): [reach.of(block, player) for block in piece.moves]
        for player in rules.players
        for piece in rules.pieces
        if piece.moves
    }
    wholes = {
        key: tables.word(_together(block.rows for block in blocks), "0")
        for key, blocks in found.items()
    }
    return {
        key: (
            whole,
            [
                (tables.word(block.rows, whole), "TRUE" if block.reads_more else "FALSE")
                for block in found[key]
            ],
        )
        for key, whole in wholes.items()
    }


def _together(tables: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(reduce(or_, sets) for sets in zip(*tables, strict=True))


def _cells(rows: tuple[int, ...], width: int) -> Iterator[str]:
    """Yield the words that lay a table."""
    cells = (row >> at * _BITS & _ALL for row in rows for at in range(width))
    for cell, equal in groupby(cells):
        count = len(list(equal))
        if cell or count == 1:
            yield from (f"{cell - _UNUSED if cell else 0} ,",) * count
        else:
            yield f"{count} z-blank"
