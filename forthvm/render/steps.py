"""A game as data for animation: the board, each kind of piece, and the changes at each ply.

Owns the data with which another program can draw any position of a game.  It must not know web
pages or scripts that do so, nor the rules of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.value import Value
from forthvm.render.draw_svg import (
    CELL,
    MARGIN,
    NEUTRAL,
    ROOM,
    colours_of,
    coordinates,
    letter_size,
    squares,
    tells_players,
)
from forthvm.render.labels import Labels, make_labels, make_type_labels, whole_labels
from forthvm.render.source import diagram

if TYPE_CHECKING:
    from forthvm.game import Piece, Position
    from forthvm.render.model import Diagram, Place

__all__ = ["EMPTY", "Film", "Shape", "Step"]

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


class Film:
    """Converts successive positions of a game to steps.

    Attributes:
        shapes: Each kind of piece that occurred.
        places: Names of the board positions by index.
    """

    def __init__(self, position: Position) -> None:
        """Computes the layout of the board; `position` may be any position of the game."""
        self.places = position.game.positions
        self.shapes: list[Shape] = []
        self._known: dict[tuple[str, str | None], int] = {}
        self._diagram = diagram(position, everything=True)
        self._spots: dict[str, Place] = {place.name: place for place in self._diagram.places}
        self._cells: tuple[int, ...] = ()
        self._note = ""

    # --- the board ------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture; 0, 0 if there is no board to draw."""
        columns, rows = len(self._diagram.column_labels), len(self._diagram.row_labels)
        if not columns or not rows:
            return 0, 0
        return MARGIN * 2 + columns * CELL, MARGIN * 2 + rows * CELL

    def frame(self) -> str:
        """The board without pieces, as SVG elements."""
        bare = self._diagram.replace(
            places=tuple(
                place.replace(piece=None, last=False, marked=False)
                for place in self._spots.values()
            )
        )
        return "\n".join([*squares(bare), *coordinates(bare)])

    def corners(self) -> list[tuple[int, int] | None]:
        """Upper left corner of each board position, None beside the board and for holes."""
        found: list[tuple[int, int] | None] = []
        for name in self.places:
            place = self._spots.get(name)
            if place is None or place.row is None or place.column is None:
                found.append(None)
            else:
                found.append((MARGIN + place.column * CELL, MARGIN + place.row * CELL))
        return found

    # --- positions --------------------------------------------------------------------------

    def rewind(self) -> None:
        """Begin a new game: the next step contains all pieces."""
        self._cells, self._note = (), ""

    def look(self, position: Position) -> Step:
        """The changes since the last position; at the beginning of a game, all pieces."""
        cells, before = position.cells, self._cells
        count = len(self.places)
        roster = position.game.roster
        changes = []
        for at in range(count):
            if not before or cells[at] != before[at]:
                piece = roster.piece(cells[at])
                if piece is not None or before:
                    changes.append((at, self._shape(piece, position, at)))
        if cells[count:] != before[count:] or not before:
            self._note = "; ".join(
                each.text for each in diagram(position, everything=True).quantities
            )
        self._cells = cells
        return Step(changes=tuple(changes), note=self._note)

    def _shape(self, piece: Piece | None, position: Position, at: int) -> int:
        if piece is None:
            return EMPTY
        name = self.places[at]
        known = self._known.get((piece.type, piece.player))
        if known is None or name not in self._spots:
            now = diagram(position, everything=True)
            for place in now.places:  # a hole of the first position may have a piece later
                self._spots.setdefault(place.name, place)
            if known is None:
                known = self._known[piece.type, piece.player] = len(self.shapes)
                self.shapes.append(_drawn(now, piece, name))
        return known


def _drawn(now: Diagram, piece: Piece, name: str) -> Shape:
    """The shape of a piece as `draw_svg` draws it with the pieces now on the board."""
    view = next((place.piece for place in now.places if place.name == name), None)
    if view is None:
        label, fill, ink = piece.type, *NEUTRAL
    else:
        label = _labels(now).of(view)
        fill, ink = colours_of(now.owners).get(view.owner.name, NEUTRAL)
    title = f"{piece.player} {piece.type}" if piece.player else piece.type
    return Shape(label=label, size=letter_size(label), fill=fill, ink=ink, title=title)


def _labels(now: Diagram) -> Labels:
    coloured = make_type_labels(now, ROOM) if tells_players(now) else None
    return coloured or make_labels(now, ROOM) or whole_labels(now)
