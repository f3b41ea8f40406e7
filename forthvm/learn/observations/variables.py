"""Board variables: the cells of a board after its positions, by name, as groups.

Owns the grouping: which cells are an array with a number for each square or for each player.  It
must not know planes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Game

__all__ = ["Group", "groups_of"]

_STORES = "z-stores"
"""The array of a rule file with the number of pieces beside the board, by player and type."""


class Group(Value, kw_only=True):
    """Cells of a board that are shown together.

    Attributes:
        kind: `squares` (a cell for each position of the board), `players` (a cell for each player),
            `cell`.
        name: The variable in the script.
        title: The group in words, for people.
        cells: Indices of the board cells.
    """

    kind: str
    name: str
    title: str
    cells: tuple[int, ...]


def groups_of(game: Game, board_size: int, players: Sequence[str]) -> list[Group]:
    """Return the groups of all cells after the positions.

    Args:
        game: The game.
        board_size: Number of positions that are squares of the board.
        players: The players who observe.
    """
    count, end = len(game.positions), game.tables.board_cells
    starts = {
        (variable.address - game.tables.board) // CELL: name
        for name, variable in game.script_variables.items()
        if count <= (variable.address - game.tables.board) // CELL < end
    }
    bounds = sorted({count, *starts, end})
    groups: list[Group] = []
    for start, after in pairwise(bounds):
        name = starts.get(start, f"cell {start - count}")
        groups += _split(game, name, range(start, after), board_size, players)
    return groups


def _split(
    game: Game, name: str, cells: range, board_size: int, players: Sequence[str]
) -> list[Group]:
    """Return the groups of a variable or array."""
    types, all_players = game.piece_types, game.players
    if len(cells) == 1:
        return [Group(kind="cell", name=name, title=name, cells=tuple(cells))]
    if game.rules is not None and name == _STORES:
        size = len(types)
        return [
            Group(
                kind="players",
                name=name,
                title=f"{kind.name} beside the board",
                cells=tuple(cells[at : size * len(all_players) : size]),
            )
            for at, kind in enumerate(types)
        ]
    if len(cells) in (len(game.positions), board_size):
        return [Group(kind="squares", name=name, title=name, cells=tuple(cells))]
    first = all_players[: len(cells)]
    if len(cells) == len(all_players) or (len(cells) == len(players) and tuple(players) == first):
        return [Group(kind="players", name=name, title=name, cells=tuple(cells))]
    return [
        Group(kind="cell", name=name, title=f"{name}[{at}]", cells=(cell,))
        for at, cell in enumerate(cells)
    ]
