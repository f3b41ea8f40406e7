"""A game as data for animation: the board, the shapes of pieces, and the changes at each ply.

Owns the data that another program needs to draw any position of a game.  It must not know web
pages, nor the rules of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.core.value import Value
from forthvm.render.draw_svg import SQUARE_SIZE, board_elements, letter_size
from forthvm.render.scene import scene

if TYPE_CHECKING:
    from forthvm.game import Piece, Position
    from forthvm.game.scene import Scene, SceneSquare

__all__ = ["EMPTY", "Animation", "Shape", "Step"]

EMPTY = -1
"""The shape index of an empty board position."""


class Shape(Value, kw_only=True):
    """The appearance of a piece: a disc with a label."""

    label: str
    size: int
    fill: str
    ink: str
    title: str


class Step(Value, kw_only=True):
    """The changes since the previous position.

    Attributes:
        changes: Pairs of a board position's index and the index of its new shape, or `EMPTY`.
        note: The values of board variables.
    """

    changes: tuple[tuple[int, int], ...]
    note: str


class Animation:
    """Converts successive positions of a game to steps.

    Attributes:
        shapes: The shapes of the pieces that have occurred.
        names: Names of the board positions by index.
    """

    def __init__(self, position: Position) -> None:
        """Compute the layout of the board; `position` may be any position of the game."""
        self.names = position.game.positions
        self.shapes: list[Shape] = []
        self._shape_indices: dict[tuple[str, str | None], int] = {}  # by piece type and owner
        self._scene = scene(position, everything=True)
        self._squares: dict[str, SceneSquare] = {
            square.name: square for square in self._scene.board.squares if not square.beside
        }
        self._cells: tuple[int, ...] = ()
        self._note = ""

    # --- the board ------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture; 0, 0 if there is no board to draw."""
        board = self._scene.board
        if not self._squares:
            return 0, 0
        return round(board.width * SQUARE_SIZE), round(board.height * SQUARE_SIZE)

    def empty_board(self) -> str:
        """Return the board without pieces, as SVG elements."""
        return "\n".join(board_elements(self._scene.board))

    def corners(self) -> list[tuple[int, int] | None]:
        """Return the upper left corner of each board position; None if it is not on the board."""
        corners: list[tuple[int, int] | None] = []
        for name in self.names:
            square = self._squares.get(visible(name))
            if square is None:
                corners.append(None)
            else:
                x, y = square.centre
                corners.append((round((x - 0.5) * SQUARE_SIZE), round((y - 0.5) * SQUARE_SIZE)))
        return corners

    # --- positions --------------------------------------------------------------------------

    def rewind(self) -> None:
        """Begin a new game: the next step contains all pieces."""
        self._cells, self._note = (), ""

    def step(self, position: Position) -> Step:
        """Return the changes since the previous call; at the beginning of a game, all pieces."""
        cells, previous_cells = position.cells, self._cells
        count = len(self.names)
        roster = position.game.roster
        changes = []
        for at in range(count):
            if not previous_cells or cells[at] != previous_cells[at]:
                piece = roster.piece(cells[at])
                if piece is not None or previous_cells:
                    changes.append((at, self._shape_index(piece, position, at)))
        if cells[count:] != previous_cells[count:] or not previous_cells:
            self._note = "; ".join(scene(position, everything=True).notes)
        self._cells = cells
        return Step(changes=tuple(changes), note=self._note)

    def _shape_index(self, piece: Piece | None, position: Position, at: int) -> int:
        """Return the index of a piece's shape; add the shape if it is new."""
        if piece is None:
            return EMPTY
        name = self.names[at]
        index = self._shape_indices.get((piece.type, piece.player))
        if index is None:
            index = self._shape_indices[piece.type, piece.player] = len(self.shapes)
            self.shapes.append(_shape_of(scene(position, everything=True), piece, name))
        return index


def _shape_of(current: Scene, piece: Piece, name: str) -> Shape:
    """Return the shape of a piece on a board position."""
    drawn = next(one for one in current.pieces if one.square == visible(name))
    player = current.players[drawn.player]
    title = f"{piece.player} {piece.type}" if piece.player else piece.type
    return Shape(
        label=drawn.label,
        size=int(letter_size(drawn.label)),
        fill=player.fill,
        ink=player.ink,
        title=title,
    )
