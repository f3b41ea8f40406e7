"""Writes the tables of what blocks can touch, for the words that look for attacks.

Owns the form of the tables (zrf-attacks.4th reads them).  It must not know how reach is worked out.
"""

from __future__ import annotations

import struct
from functools import reduce
from itertools import groupby
from operator import or_
from typing import TYPE_CHECKING

from forthvm.zrf.compiler.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.reach import BlockReach
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Rules

__all__ = ["write_reach"]

_MOST_CELLS = 400_000  # 1.6 megabytes
_MOST_POSITIONS = 1_000  # on larger boards the analysis takes longer than the load may take
_CELL = 32


class _Tables:
    """Tables by their rows; equal tables are written once."""

    def __init__(self, positions: int) -> None:
        self.width = -(-positions // _CELL)
        self.most = _MOST_CELLS // (positions * self.width)
        """The number of tables that there is room for."""
        self.words: dict[tuple[int, ...], str] = {}

    def word(self, rows: tuple[int, ...], otherwise: str) -> str:
        """Return the table with these rows, or another one if there is no room for it."""
        known = self.words.get(rows)
        if known is None and len(self.words) < self.most:
            known = self.words[rows] = f"z-table-{len(self.words) + 1}"
        return known or otherwise


def write_reach(out: Writer, rules: Rules, names: Names, order: Sequence[str]) -> None:
    """Write the tables, unless the game is too large for them.

    Args:
        out: The script.
        rules: The game.
        names: Its names.
        order: The positions in the order of the script.
    """
    if len(order) > _MOST_POSITIONS:
        return
    tables = _Tables(len(order))
    if tables.most < len(rules.players):
        return
    reach = Reach(rules, order)
    found = {
        player: {
            piece.name: [reach.of(block, player) for block in piece.moves]
            for piece in rules.pieces
            if piece.moves
        }
        for player in rules.players
    }
    lists = _lists(found, tables)
    out.line("z-begin-tables")
    for rows, word in tables.words.items():
        out.line(f"CREATE {word}")
        with out.indented():
            out.wrapped(_cells(rows, tables.width))
    for number, ((player, piece), words) in enumerate(lists.items(), 1):
        out.line(f"CREATE z-list-{number}")
        with out.indented():
            out.wrapped(f"{word} ," for word in words)
        out.line(f"{names['player', player]} {names['piece', piece]} z-touches-as z-list-{number}")


def _lists(
    found: Mapping[str, Mapping[str, Sequence[BlockReach]]], tables: _Tables
) -> dict[tuple[str, str], list[str]]:
    """Return for each player and piece the table of all blocks, and for each its table and a flag.

    Without room for more tables, that of all pieces of the player stands for those of a piece, and
    that of a piece for those of its blocks.
    """
    wholes: dict[tuple[str, str], str] = {}
    for player, pieces in found.items():
        together = {piece: _together(block.rows for block in pieces[piece]) for piece in pieces}
        general = tables.word(_together(together.values()), "")
        for piece, rows in together.items():
            wholes[player, piece] = tables.word(rows, general)
    lists = {key: [whole] for key, whole in wholes.items()}
    for (player, piece), words in lists.items():
        for block in found[player][piece]:
            words += [tables.word(block.rows, words[0]), "TRUE" if block.reads_more else "FALSE"]
    return lists


def _together(tables: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(reduce(or_, sets) for sets in zip(*tables, strict=True))


def _cells(rows: tuple[int, ...], width: int) -> Iterator[str]:
    """Yield the words that lay a table."""
    data = b"".join(row.to_bytes(width * _CELL // 8, "little") for row in rows)
    for cell, equal in groupby(struct.unpack(f"<{len(rows) * width}i", data)):
        count = len(list(equal))
        if cell or count == 1:
            yield from (f"{cell} ,",) * count
        else:
            yield f"{count} z-blank"
