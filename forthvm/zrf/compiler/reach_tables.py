"""Writes the lists of the blocks with which pieces attack, and the tables of what these can touch.

Owns the form of the lists (zrf-attacks.4th reads them).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from forthvm.core.text.wording import wrapped
from forthvm.zrf.compiler.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from forthvm.zrf.compiler.names import Names
    from forthvm.zrf.compiler.reach import BlockReach
    from forthvm.zrf.compiler.script import Writer
    from forthvm.zrf.rules import Rules

__all__ = ["write_attackers"]

_MOST_CELLS = 2_000_000  # 8 megabytes
_MOST_LISTED = 20_000  # positions that are written one by one
_MOST_POSITIONS = 1_000  # on larger boards the analysis takes longer than the load may take
_BITS = 31  # of a cell, as in zrf-attacks.4th
_ANYWHERE = "0"  # in place of a table: the block may touch any position

Words = Sequence[tuple[str, str]]
"""The words of the blocks of a piece, with their types of moves."""
Touched = tuple[str, Sequence[tuple[str, str]]]
"""The table of all blocks of a piece; for each block its table, and whether it depends on more."""


class _Tables:
    """Tables by the sets of positions in their rows; equal tables are written once.

    Attributes:
        contents: The blocks of each table; for each row, the positions that no walk touches.
    """

    def __init__(self, positions: int) -> None:
        self.contents: dict[str, tuple[Sequence[BlockReach], Sequence[int]]] = {}
        self._words = {((1 << positions) - 1,) * positions: _ANYWHERE}
        self._room = _MOST_CELLS // (-(-positions // _BITS) * positions)
        self._room_for_lists = _MOST_LISTED

    def word(self, blocks: Sequence[BlockReach], otherwise: str) -> str:
        """Return the table of blocks together, or another one if there is no room for it."""
        rows = _together(block.rows for block in blocks)
        known = self._words.get(rows)
        if known is not None:
            return known
        listed = _listed(blocks, rows)
        count = sum(row.bit_count() for row in listed)
        if not self._room or self._room_for_lists < count:
            return otherwise
        self._room -= 1
        self._room_for_lists -= count
        word = self._words[rows] = f"z-table-{len(self._words)}"
        self.contents[word] = blocks, listed
        return word


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
            (player, piece): (_ANYWHERE, [(_ANYWHERE, "FALSE")] * len(blocks))
            for player in rules.players
            for piece, blocks in words.items()
        }
    directions = [names["direction", name] for name in rules.board.directions]
    numbers = " ".join(f"{at} {name}" for at, name in enumerate(directions))
    for part in wrapped(f"Directions: {numbers}", 92, first="\\ ", rest="\\ "):
        out.line(part)
    places = [names["position", name] for name in order]
    for table, (blocks, listed) in tables.contents.items():
        out.line(f"z-table {table}")
        with out.indented():
            out.wrapped(_walks(blocks, list(rules.board.directions)))
            for line in _lists(listed, places):
                out.wrapped(line)
    for number, ((player, piece), (whole, found)) in enumerate(touched.items(), 1):
        out.line(f"CREATE z-list-{number}")
        with out.indented():
            out.line(f"{whole} , {len(words[piece])} ,")
            for (table, more), (word, kind) in zip(found, words[piece], strict=True):
                out.line(f"{table} , {more} , ' {word} , {names['type', kind] if kind else 0} ,")
        out.line(f"{names['player', player]} {names['piece', piece]} z-attacks-by z-list-{number}")


def _touched(rules: Rules, reach: Reach, tables: _Tables) -> dict[tuple[str, str], Touched]:
    """Return what each player and piece can touch.

    Without room for more tables, that of a piece stands for those of its blocks.
    """
    found = {
        (player, piece.name): [reach.of(block, player) for block in piece.moves]
        for player in rules.players
        for piece in rules.pieces
        if piece.moves
    }
    wholes = {key: tables.word(blocks, _ANYWHERE) for key, blocks in found.items()}
    return {
        key: (
            whole,
            [
                (tables.word([block], whole), "TRUE" if block.reads_more else "FALSE")
                for block in found[key]
            ],
        )
        for key, whole in wholes.items()
    }


def _together(tables: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the sets of positions that any of several tables has in each row."""
    return tuple(reduce(or_, sets) for sets in zip(*tables, strict=True))


def _listed(blocks: Sequence[BlockReach], rows: tuple[int, ...]) -> list[int]:
    """Return for each row the positions that no walk touches, nor is the row's own."""
    walked = [1 << at for at in range(len(rows))]
    for block in blocks:
        if block.walk is not None:
            walked = [*map(or_, walked, block.rows)]
    return [row & ~known for row, known in zip(rows, walked, strict=True)]


def _walks(blocks: Sequence[BlockReach], directions: Sequence[str]) -> Iterator[str]:
    """Yield the words that fill a table by walks."""
    walks = dict.fromkeys(block.walk for block in blocks if block.walk is not None)
    for number, walk in enumerate(walks):
        if number:
            yield "z-again"
        for step in walk.steps:
            yield f"{directions.index(step)} z-step"
        if walk.slide:
            yield f"{directions.index(walk.slide)} z-slide"


def _lists(listed: Sequence[int], places: Sequence[str]) -> Iterator[list[str]]:
    """Yield, for each row with such positions, the words that enter them one by one."""
    for at, row in enumerate(listed):
        if row:
            names = [place for number, place in enumerate(places) if row >> number & 1]
            yield [*names, f"{len(names)}", places[at], "z-touch-all"]
