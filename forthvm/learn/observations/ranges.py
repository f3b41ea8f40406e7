"""Ranges: which owners, attributes and numbers occur on boards, measured in random games.

What random games do not show may occur later; the planes then show it in another way (planes.py).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from forthvm.core.bindings.layout import OWNER_MASK
from forthvm.core.reading import integer
from forthvm.game.pieces import ATTRIBUTE_SHIFT
from forthvm.game.random_games import RandomGames
from forthvm.game.tables import cells_of, read_cell

from .variables import board_bytes, numbers_of

if TYPE_CHECKING:
    from forthvm.game import Game

__all__ = ["Ranges", "measured"]

GAMES = 20
"""Maximum number of random games."""
PLIES = 2500
"""Maximum number of plies of all random games together."""
_GAME_PLIES = 500
Cell = Annotated[int, integer(-(2**31), 2**31 - 1)]


@dataclass(frozen=True, kw_only=True)
class Ranges:
    """What occurred in random games.

    Attributes:
        owners: The owner's bits of the board cells, ascending.
        attributes: All bits that attributes of pieces had.
        variables: The offset in the board of each number after the positions, and its least and
            greatest value.
        move_type: The greatest move type that a turn demanded.
    """

    owners: tuple[Cell, ...]
    attributes: Cell
    variables: tuple[tuple[Cell, Cell, Cell], ...]
    move_type: Cell


def measured(game: Game) -> Ranges:
    """Return what occurs in random games with a fixed seed.

    Raises:
        ForthVMError: The script fails before any move.  A warning counts later failures.
    """
    numbers = numbers_of(game)
    rows, size = struct.Struct(_format(numbers)), board_bytes(game)
    random_games = RandomGames(game._loaded, 1)
    pieces: set[int] = set()
    variables: set[tuple[int, ...]] = set()
    move_types = {0}
    plies = 0
    for _ in range(GAMES):
        ply = 0
        for ply, state in enumerate(random_games.play(_GAME_PLIES)):
            board = state.current.read(game._loaded.tables.board, size)
            pieces.update(cells_of(board)[: len(game.positions)])
            variables.add(rows.unpack_from(board))
            move_types.add(read_cell(state.current, game._loaded.tables.variables.of_type))
            if plies + ply >= PLIES:
                break
        plies += ply
    random_games.report()
    return Ranges(
        owners=tuple(sorted({cell & OWNER_MASK for cell in pieces if cell})),
        attributes=_union(pieces),
        variables=tuple(
            (offset, min(values), max(values))
            for (offset, _), values in zip(numbers, zip(*variables, strict=True), strict=True)
        ),
        move_type=max(move_types),
    )


def _format(numbers: list[tuple[int, int]]) -> str:
    """Return the format of the numbers for `struct`."""
    parts, end = ["="], 0
    for offset, width in numbers:
        parts.append(f"{offset - end}x{'b' if width == 1 else 'i'}")
        end = offset + width
    return "".join(parts)


def _union(cells: set[int]) -> int:
    """Return all bits of the attributes of pieces."""
    bits = 0
    for cell in cells:
        bits |= cell >> ATTRIBUTE_SHIFT & 0xFFFF
    return bits
