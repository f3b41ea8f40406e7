"""The positions that pieces can reach: the board may be only a part of the script's grid.

Owns this analysis of links and set-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.game.tables import cells_of, read_cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.game import Game

__all__ = ["reachable_positions"]

_MAX_PIECES = 1 << 20
"""Maximum number of pieces in a set-up; a script may have overwritten the stored number."""


def reachable_positions(game: Game) -> frozenset[int]:
    """Return the board positions that pieces can reach; empty if that cannot be decided.

    The directions of a board that is part of a grid never leave this part.  The first of these sets
    with more than a third of all positions is the board:

    1. the positions that the directions reach from the set-up;
    2. the positions with a link in some direction;
    3. all positions, because a game of drops needs no links.
    """
    reached = _reached(game, _setup_squares(game))
    linked = {
        at
        for direction in game.directions
        for start, target in enumerate(direction.links)
        if target >= 0
        for at in (start, target)
    }
    one_third = len(game.positions) // 3
    return next(
        (frozenset(squares) for squares in (reached, linked) if len(squares) > one_third),
        frozenset(),
    )


def _reached(game: Game, squares: Iterable[int]) -> set[int]:
    """Return the squares and all squares that the directions reach from them."""
    reached = set(squares)
    unvisited = list(reached)
    while unvisited:
        at = unvisited.pop()
        for direction in game.directions:
            target = direction.links[at]
            if 0 <= target < len(direction.links) and target not in reached:
                reached.add(target)
                unvisited.append(target)
    return reached


def _setup_squares(game: Game) -> list[int]:
    """Return the board positions of the script's set-up.

    $boardSetup is the address of the number of pieces, followed by three cells for each piece; the
    third cell is the address of a position's name.
    """
    address = game._loaded.vm.native.variable("$boardSetup")
    if not address:
        return []
    count = min(max(read_cell(game._loaded.base, address), 0), _MAX_PIECES)
    triples = cells_of(game._loaded.base.read(address + CELL, 3 * CELL * count))
    name_addresses = triples[2::3]
    names = [_text_at(game, address) for address in name_addresses]
    return [
        game._loaded.position_index[name] for name in names if name in game._loaded.position_index
    ]


def _text_at(game: Game, address: int) -> str:
    """Read a zero-terminated text of at most 256 bytes."""
    return game._loaded.vm.native.codec.decode(
        game._loaded.base.read(address, 256).split(b"\0", 1)[0]
    )
