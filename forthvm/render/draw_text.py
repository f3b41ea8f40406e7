"""Draws a position as text: the rows of the board, then the board positions beside it.

Owns widths, wrapping, marks and colour.  The caller passes the width, and whether to use colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.text.tables import columned
from forthvm.core.text.width import text_width
from forthvm.render.labels import Labels, full_labels, make_labels
from forthvm.render.legend import owner_notes, store_notes, type_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.render.scene_types import Scene, SceneSquare

__all__ = ["TextStyle", "board_lines", "board_text"]

SPACING = 2
MIN_WIDTH = 20
"""Minimum width in columns; in narrower terminals the text overflows."""

# Parameters of escape codes.
_PLAYER_COLOURS = ("1;36", "1;33", "1;35", "1;32", "1;31", "1;34")
_NEUTRAL_COLOUR = "37"
_LAST_MOVE = "7"
_LAST_MOVE_KINDS = frozenset({"from", "to", "last"})


@dataclass(frozen=True, kw_only=True)
class TextStyle:
    """Options of `board_text`."""

    width: int = 80
    """Maximum number of columns of a line."""
    colour: bool = False
    ascii: bool = False
    """Use only ASCII, except in names from the script."""
    legend: bool = True
    """Add the meaning of letter case, prefixes and abbreviations."""


def board_text(scene: Scene, style: TextStyle | None = None) -> str:
    """Return the board as one text, without a newline at its end."""
    return "\n".join(board_lines(scene, style))


def board_lines(scene: Scene, style: TextStyle | None = None) -> list[str]:
    """Return the board as lines, within the width of the style if possible."""
    return list(_Picture(scene, style or TextStyle()).lines())


class _Picture:
    """One drawing: the scene, the style, and the labels and columns chosen for them."""

    def __init__(self, scene: Scene, style: TextStyle) -> None:
        self.scene = scene
        self.style = style
        self.width = max(MIN_WIDTH, style.width)
        self.dot = "." if style.ascii else "·"
        self.rows, self.column_names = scene.board.rows, scene.board.columns
        self.pieces = {piece.square: piece for piece in scene.pieces}
        self.marked = {mark.square for mark in scene.marks if mark.kind not in _LAST_MOVE_KINDS}
        self.in_last_move = {mark.square for mark in scene.marks} - self.marked
        self.cells = {square.cell: square for square in scene.board.squares if square.cell}
        columns = len(self.column_names)
        used = {column for _, column in self.cells}
        self.empty_columns = frozenset(range(columns)) - used
        """Columns without board positions, each as wide as its label."""
        self.margin = max(map(text_width, self.rows), default=0) + 1
        self.shows_names = bool(columns) and not any(self.column_names)
        """Whether empty squares show their names, because columns have no labels."""
        names = [square.name for square in self.cells.values()] if self.shows_names else []
        self.name_width = max(map(text_width, names), default=0)
        self.labels, self.columns_per_block = self._fit(columns)
        """The labels, and the number of columns drawn side by side."""

    def _fit(self, columns: int) -> tuple[Labels, int]:
        """Choose labels, and how many columns to draw side by side.

        The labels are the longest with which all columns fit in the width.  If no labels are short
        enough, the columns are drawn in several blocks.
        """
        space = self.width - self.margin - 1
        filled_columns = columns - len(self.empty_columns)
        empty_width = sum(text_width(self.column_names[at]) + 1 for at in self.empty_columns)
        # Each column has a gutter of one character before it.
        fitting = (space - empty_width) // filled_columns - 1 if filled_columns else self.width
        for max_width in (fitting, 4, 6, 8, 12):
            labels = make_labels(self.scene, max_width) if max_width > 0 else None
            if labels is None:
                continue
            width = max(labels.width, self.name_width) + 1
            if filled_columns * width + empty_width <= space:
                return labels, columns or 1
            return labels, max(1, min(columns or 1, space // width))
        labels = full_labels(self.scene)
        return labels, max(1, space // (max(labels.width, self.name_width) + 1))

    # --- the parts, from the top --------------------------------------------------------

    def lines(self) -> Iterator[str]:
        columns = len(self.column_names)
        for start in range(0, columns, self.columns_per_block):
            if start:
                yield ""
            yield from self._rows(start, min(columns, start + self.columns_per_block))
        if columns:
            yield from self._beside()
        else:
            yield from self._list(self.scene.board.squares)
        for line in (*store_notes(self.scene), *self.scene.notes):
            yield from _wrapped(line.split(), self.width, "    ", gap=" ")
        yield from self._attributes()
        if self.style.legend:
            yield from self._legend()

    def _rows(self, start: int, end: int) -> Iterator[str]:
        widths = self._cell_widths(start, end)
        for row, label in enumerate(self.rows):
            squares = [self.cells.get((row, column)) for column in range(start, end)]
            line = " " * (self.margin - 1 - text_width(label)) + label + " "
            previous: SceneSquare | None = None
            for square, width in zip(squares, widths, strict=True):
                line += self._gutter(previous, square) + self._cell(square, width)
                previous = square
            yield (line + self._gutter(previous, None)).rstrip()
        if self.shows_names:
            return
        names = self.column_names[start:end]
        headings = "".join(
            " " + _centre(name, width) for name, width in zip(names, widths, strict=True)
        )
        yield (" " * self.margin + headings).rstrip()

    def _cell_widths(self, start: int, end: int) -> list[int]:
        """Return the widths of columns: label width, plus spacing if it fits.

        Columns without board positions are as wide as their heading.
        """
        names = self.column_names
        empty_widths = {
            at: text_width(names[at]) for at in range(start, end) if at in self.empty_columns
        }
        filled_columns = end - start - len(empty_widths)
        space = self.width - self.margin - 1 - sum(empty_widths.values()) - len(empty_widths)
        available = space // filled_columns - 1 if filled_columns else 0
        least = max(self.labels.width, self.name_width)
        width = max(least, min(available, least + SPACING))
        return [empty_widths.get(at, width) for at in range(start, end)]

    def _gutter(self, left: SceneSquare | None, right: SceneSquare | None) -> str:
        """Return the character between two squares.

        Squares of the last move have square brackets, marked squares have angle brackets.
        """
        closing = self._brackets(left)[1]
        opening = self._brackets(right)[0]
        if " " in (closing, opening):
            return closing if opening == " " else opening
        return "|"

    def _brackets(self, square: SceneSquare | None) -> tuple[str, str]:
        """Return the characters before and after a board position."""
        if square is not None and square.name in self.marked:
            return "<", ">"
        if square is not None and square.name in self.in_last_move:
            return "[", "]"
        return " ", " "

    def _cell(self, square: SceneSquare | None, width: int) -> str:
        if square is None:
            return " " * width
        piece = self.pieces.get(square.name)
        if piece is None:
            return _centre(square.name if self.shows_names else self.dot, width)
        text = self.labels.of(piece.type, piece.player)
        in_last_move = square.name in self.in_last_move
        coloured = self._coloured(text, piece.player, in_last_move=in_last_move)
        return _centre(text, width, coloured=coloured)

    def _coloured(self, text: str, player: int, *, in_last_move: bool = False) -> str:
        if not self.style.colour:
            return text
        code, owner = _PLAYER_COLOURS[player % len(_PLAYER_COLOURS)], self.scene.players[player]
        if owner.neutral or owner.chance:
            code = _NEUTRAL_COLOUR
        return f"\x1b[{code}{';' + _LAST_MOVE if in_last_move else ''}m{text}\x1b[0m"

    def _beside(self) -> Iterator[str]:
        squares = self.scene.board.squares
        occupied = [one for one in squares if not one.cell and one.name in self.pieces]
        if occupied:
            yield from self._list(occupied, title="beside the board:")

    def _list(self, squares: Iterable[SceneSquare], *, title: str = "") -> Iterator[str]:
        """Yield board positions with their pieces, arranged in columns."""
        entries = [self._entry(square) for square in squares]
        if title:
            yield from _wrapped([title, *entries], self.width, "  ")
            return
        yield from columned(entries, self.width, measure=_printed_width)

    def _entry(self, square: SceneSquare) -> str:
        piece = self.pieces.get(square.name)
        text = self.labels.full(piece.type, piece.player) if piece else self.dot
        opening, closing = self._brackets(square)
        return f"{opening}{square.name} {text}{closing}".strip()

    def _attributes(self) -> Iterator[str]:
        attributes = [
            f"{piece.square} {piece.attribute}" for piece in self.scene.pieces if piece.attribute
        ]
        if attributes:
            yield from _wrapped(["attributes:", *attributes], self.width, "  ")

    # --- the legend ---------------------------------------------------------------------

    def _legend(self) -> Iterator[str]:
        notes = owner_notes(self.scene, self.labels, self.scene.pieces)
        parts = [self._coloured(text, owner) for owner, text in notes]
        on_board = {square.name for square in self.cells.values()}
        types = {piece.type for piece in self.scene.pieces if piece.square in on_board}
        yield from _wrapped([*parts, *type_notes(self.labels, types)], self.width, "  ")


# --- widths ---------------------------------------------------------------------------


def _printed_width(text: str) -> int:
    """Return the width of a text in columns, without colour codes."""
    if "\x1b" not in text:
        return text_width(text)
    first, *others = text.split("\x1b[")  # `others` begin with the number of a colour and `m`
    return text_width(first + "".join(part.partition("m")[2] for part in others))


def _centre(text: str, width: int, *, coloured: str | None = None) -> str:
    """Return a text, or its form with colours, centred in a width."""
    blanks = max(0, width - text_width(text))
    blanks_before = blanks // 2
    return " " * blanks_before + (coloured or text) + " " * (blanks - blanks_before)


def _wrapped(parts: Iterable[str], width: int, indent: str, *, gap: str = "  ") -> Iterator[str]:
    """Yield lines of the parts, separated by gaps and wrapped to the width."""
    line = ""
    for part in parts:
        if line and _printed_width(line) + len(gap) + _printed_width(part) > width:
            yield line
            line = indent + part
        else:
            line = f"{line}{gap}{part}" if line else part
    if line:
        yield line
