"""Places: the cells of a plane that show the positions of a board.

Owns the shape of planes.

The squares of a board with rows and columns have the same row and column in a plane.  Further
positions, such as hands and marks, follow in rows below the board.  The places of a board without
rows are in one line, in the order of the positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.render import scene

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from forthvm.game import Game, Position

__all__ = ["Places", "places_of"]


@dataclass(frozen=True, kw_only=True)
class Places:
    """The cells of a plane.

    Attributes:
        shape: Rows and columns, or the number of squares.
        board: Rows and columns of the board alone; None for a board without rows.
        cells: For each position the cell of a plane, -1 for a position that is left out.
    """

    shape: tuple[int, ...]
    board: tuple[int, int] | None
    cells: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of cells of a plane."""
        rows, *columns = self.shape
        return rows * columns[0] if columns else rows

    @property
    def board_size(self) -> int:
        """The number of cells that belong to the board."""
        return self.board[0] * self.board[1] if self.board else self.size

    def names(self, game: Game) -> tuple[str | None, ...]:
        """Return the name of the position in each cell, None for a cell without a position."""
        names: list[str | None] = [None] * self.size
        for position, cell in enumerate(self.cells):
            if cell >= 0:
                names[cell] = game.positions[position]
        return tuple(names)


def places_of(position: Position, left_out: Collection[str]) -> Places:
    """Return the places of a game's positions.

    Args:
        position: Any position of the game.
        left_out: Names of positions without a place.
    """
    names = position.game.positions
    kept = [at for at, name in enumerate(names) if name not in left_out]
    board, on_board = _board(position)
    coordinates = {at: on_board[at] for at in kept if at in on_board}
    if board is None:
        cells = {at: cell for cell, at in enumerate(kept)}
        return _places((max(len(kept), 1),), None, cells, len(names))
    rows, columns = board
    cells = {at: row * columns + column for at, (row, column) in coordinates.items()}
    beside = [at for at in kept if at not in coordinates]
    cells |= {at: rows * columns + place for place, at in enumerate(beside)}
    shape = rows + -(-len(beside) // columns), columns
    return _places(shape, board, cells, len(names))


def _places(
    shape: tuple[int, ...], board: tuple[int, int] | None, cells: Mapping[int, int], count: int
) -> Places:
    return Places(shape=shape, board=board, cells=tuple(cells.get(at, -1) for at in range(count)))


def _board(position: Position) -> tuple[tuple[int, int] | None, dict[int, tuple[int, int]]]:
    """Return rows and columns of the board, and the row and column of each of its positions.

    A script that declares a grid decides; otherwise the squares are where the board is drawn.
    """
    game = position.game
    rows, columns = game.grid.rows, game.grid.columns
    if rows > 0 and columns > 0 and rows * columns <= len(game.positions):
        return (rows, columns), {at: divmod(at, columns) for at in range(rows * columns)}
    drawn = {
        game._loaded.position_index[square.name]: square.cell
        for square in scene(position).board.squares
        if square.cell is not None
        and not square.beside
        and square.name in game._loaded.position_index
    }
    if not drawn or len(set(drawn.values())) < len(drawn):
        return None, {}
    rows = 1 + max(row for row, _ in drawn.values())
    columns = 1 + max(column for _, column in drawn.values())
    return ((rows, columns), drawn) if rows * columns <= 4 * len(drawn) else (None, {})
