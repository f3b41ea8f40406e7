"""A game as data for animation: the board, the shapes of pieces, and the changes at each ply.

Owns the data that another program needs to draw any position of a game.  It must not know web
pages, nor the rules of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.value import Value
from forthvm.render.colours import NEUTRAL, colours_of, has_player_colours
from forthvm.render.draw_svg import (
    MARGIN,
    MAX_LETTERS,
    SQUARE_SIZE,
    draw_coordinates,
    draw_squares,
    letter_size,
)
from forthvm.render.labels import Labels, full_labels, make_labels, make_type_labels
from forthvm.render.position_diagram import diagram

if TYPE_CHECKING:
    from forthvm.game import Piece, Position
    from forthvm.render.model import Diagram, Square

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
        self._diagram = diagram(position, everything=True)
        self._squares: dict[str, Square] = {square.name: square for square in self._diagram.squares}
        self._cells: tuple[int, ...] = ()
        self._note = ""

    # --- the board ------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture; 0, 0 if there is no board to draw."""
        columns, rows = len(self._diagram.column_labels), len(self._diagram.row_labels)
        if not columns or not rows:
            return 0, 0
        return MARGIN * 2 + columns * SQUARE_SIZE, MARGIN * 2 + rows * SQUARE_SIZE

    def empty_board(self) -> str:
        """Return the board without pieces, as SVG elements."""
        empty = self._diagram.replace(
            squares=tuple(
                square.replace(piece=None, in_last_move=False, marked=False)
                for square in self._squares.values()
            )
        )
        return "\n".join([*draw_squares(empty), *draw_coordinates(empty)])

    def corners(self) -> list[tuple[int, int] | None]:
        """Return the upper left corner of each board position; None if it is not on the board."""
        corners: list[tuple[int, int] | None] = []
        for name in self.names:
            square = self._squares.get(name)
            if square is None or square.row is None or square.column is None:
                corners.append(None)
            else:
                x, y = MARGIN + square.column * SQUARE_SIZE, MARGIN + square.row * SQUARE_SIZE
                corners.append((x, y))
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
            self._note = "; ".join(
                quantity.text for quantity in diagram(position, everything=True).quantities
            )
        self._cells = cells
        return Step(changes=tuple(changes), note=self._note)

    def _shape_index(self, piece: Piece | None, position: Position, at: int) -> int:
        """Return the index of a piece's shape; add the shape if it is new."""
        if piece is None:
            return EMPTY
        name = self.names[at]
        index = self._shape_indices.get((piece.type, piece.player))
        if index is None or name not in self._squares:
            current = diagram(position, everything=True)
            # A board position that the first diagram does not show may get a piece later.
            for square in current.squares:
                self._squares.setdefault(square.name, square)
            if index is None:
                index = self._shape_indices[piece.type, piece.player] = len(self.shapes)
                self.shapes.append(_shape_of(current, piece, name))
        return index


def _shape_of(current: Diagram, piece: Piece, name: str) -> Shape:
    """Return the shape that `draw_svg` would draw for a piece, given the pieces on the board."""
    view = next((square.piece for square in current.squares if square.name == name), None)
    if view is None:
        label, fill, ink = piece.type, *NEUTRAL
    else:
        label = _labels(current).of(view)
        fill, ink = colours_of(current.owners).get(view.owner.name, NEUTRAL)
    title = f"{piece.player} {piece.type}" if piece.player else piece.type
    return Shape(label=label, size=letter_size(label), fill=fill, ink=ink, title=title)


def _labels(current: Diagram) -> Labels:
    type_labels = (
        make_type_labels(current, MAX_LETTERS) if has_player_colours(current.owners) else None
    )
    return type_labels or make_labels(current, MAX_LETTERS) or full_labels(current)
