"""Draws a position as text: the rows of the board, then the board positions beside it.

Owns widths, wrapping, marks and colour.  It must not know where the text is shown: the caller
says whether there is a terminal, and its width.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from forthvm.core.text.tables import columned
from forthvm.core.value import Value
from forthvm.render.labels import Labels, make_labels, whole_labels
from forthvm.render.legend import owner_notes, owners_shown, type_notes
from forthvm.render.model import Diagram, Owner, Place
from forthvm.render.text_width import text_width

__all__ = ["TextStyle", "board_lines", "board_text"]

AIR = 2
MIN_WIDTH = 20
"""Minimum width in columns; in narrower terminals the text overflows."""

_COLOURS = ("1;36", "1;33", "1;35", "1;32", "1;31", "1;34")
_PLAIN_OWNER = "37"
_LAST = "7"


class TextStyle(Value, kw_only=True):
    """Options of the text."""

    width: int = 80
    """Maximum number of columns of a line."""
    colour: bool = False
    ascii: bool = False
    """Use only ASCII, except in names from the script."""
    legend: bool = True
    """Add the meaning of letter case, prefixes and abbreviations."""


def board_text(diagram: Diagram, style: TextStyle | None = None) -> str:
    """The board as one text, without a newline at its end."""
    return "\n".join(board_lines(diagram, style))


def board_lines(diagram: Diagram, style: TextStyle | None = None) -> list[str]:
    """The board as lines, within the width of the style if possible."""
    return list(_Picture(diagram, style or TextStyle()).lines())


class _Picture:
    """One drawing: the diagram, the style, and the labels and columns chosen for them."""

    def __init__(self, diagram: Diagram, style: TextStyle) -> None:
        self.diagram = diagram
        self.style = style
        self.room = max(MIN_WIDTH, style.width)
        self.dot = "." if style.ascii else "·"
        columns = len(diagram.column_labels)
        held = {place.column for place in diagram.board}
        self.empty = frozenset(range(columns)) - held
        """Columns without board positions, which are only as wide as their label."""
        self.margin = max((text_width(label) for label in diagram.row_labels), default=0) + 1
        self.labels, self.block = self._fit(columns)

    def _fit(self, columns: int) -> tuple[Labels, int]:
        """The widest labels with which all columns fit, else labels for some of the columns."""
        space = self.room - self.margin - 1
        full = columns - len(self.empty)
        empty_width = sum(text_width(self.diagram.column_labels[at]) + 1 for at in self.empty)
        # There is a gutter before each column and one after the last.
        widest = (space - empty_width) // full - 1 if full else self.room
        for wanted in (widest, 4, 6, 8, 12):
            labels = make_labels(self.diagram, wanted) if wanted > 0 else None
            if labels and full * (labels.width + 1) + empty_width <= space:
                return labels, columns or 1
            if labels:
                return labels, max(1, min(columns or 1, space // (labels.width + 1)))
        labels = whole_labels(self.diagram)
        return labels, max(1, space // (labels.width + 1))

    # --- the parts, from the top --------------------------------------------------------

    def lines(self) -> Iterator[str]:
        columns = len(self.diagram.column_labels)
        for start in range(0, columns, self.block):
            if start:
                yield ""
            yield from self._rows(start, min(columns, start + self.block))
        if columns:
            yield from self._beside()
        else:
            yield from self._list(self.diagram.places)
        yield from self._quantities()
        yield from self._attributes()
        if self.style.legend:
            yield from self._legend()

    def _rows(self, start: int, end: int) -> Iterator[str]:
        widths = self._cell_widths(start, end)
        table = {(place.row, place.column): place for place in self.diagram.board}
        for row, label in enumerate(self.diagram.row_labels):
            places = [table.get((row, column)) for column in range(start, end)]
            line = " " * (self.margin - 1 - text_width(label)) + label + " "
            before: Place | None = None
            for place, width in zip(places, widths, strict=True):
                line += self._gutter(before, place) + self._cell(place, width)
                before = place
            yield (line + self._gutter(before, None)).rstrip()
        names = self.diagram.column_labels[start:end]
        heads = "".join(
            " " + _centre(name, width) for name, width in zip(names, widths, strict=True)
        )
        yield (" " * self.margin + heads).rstrip()

    def _cell_widths(self, start: int, end: int) -> list[int]:
        """Widths of columns: that of labels, plus spacing if it fits; empty ones by their label."""
        names = self.diagram.column_labels
        empty_widths = {at: text_width(names[at]) for at in range(start, end) if at in self.empty}
        full = end - start - len(empty_widths)
        space = self.room - self.margin - 1 - sum(empty_widths.values()) - len(empty_widths)
        room = space // full - 1 if full else 0
        width = max(self.labels.width, min(room, self.labels.width + AIR))
        return [empty_widths.get(at, width) for at in range(start, end)]

    def _gutter(self, left: Place | None, right: Place | None) -> str:
        """Square brackets around squares of the last move, angle brackets around marked ones."""
        closing = _brackets(left)[1]
        opening = _brackets(right)[0]
        if " " in (closing, opening):
            return closing if opening == " " else opening
        return "|"

    def _cell(self, place: Place | None, width: int) -> str:
        if place is None:
            return " " * width
        if place.piece is None:
            return _centre(self.dot, width)
        text = self.labels.of(place.piece)
        return _centre(text, width, paint=self._paint(text, place.piece.owner, last=place.last))

    def _paint(self, text: str, owner: Owner, *, last: bool = False) -> str:
        if not self.style.colour:
            return text
        plain = owner.neutral or owner.chance
        code = _PLAIN_OWNER if plain else _COLOURS[owner.index % len(_COLOURS)]
        return f"\x1b[{code}{';' + _LAST if last else ''}m{text}\x1b[0m"

    def _beside(self) -> Iterator[str]:
        held = [place for place in self.diagram.beside if place.piece is not None]
        if held:
            yield from self._list(held, title="beside the board:")

    def _list(self, places: Iterable[Place], *, title: str = "") -> Iterator[str]:
        """Board positions with their pieces, in as many columns as fit."""
        entries = [self._entry(place) for place in places]
        if title:
            yield from _wrapped([title, *entries], self.room, "  ")
            return
        yield from columned(entries, self.room, measure=_visible)

    def _entry(self, place: Place) -> str:
        text = self.labels.full(place.piece) if place.piece else self.dot
        entry = f"{place.name} {text}"
        around = _brackets(place)
        return f"{around[0]}{entry}{around[1]}".strip()

    def _quantities(self) -> Iterator[str]:
        for quantity in self.diagram.quantities:
            yield from _wrapped(quantity.text.split(), self.room, "    ", gap=" ")

    def _attributes(self) -> Iterator[str]:
        marked = [
            f"{place.name} {place.piece.attribute}"
            for place in self.diagram.places
            if place.piece and place.piece.attribute
        ]
        if marked:
            yield from _wrapped(["attributes:", *marked], self.room, "  ")

    # --- the legend ---------------------------------------------------------------------

    def _legend(self) -> Iterator[str]:
        notes = owner_notes(self.labels, owners_shown(self.diagram))
        parts = [self._paint(text, owner) for owner, text in notes]
        yield from _wrapped([*parts, *type_notes(self.labels, self.diagram)], self.room, "  ")


# --- widths ---------------------------------------------------------------------------


def _brackets(place: Place | None) -> str:
    """The characters before and after a board position."""
    if place is None:
        return "  "
    return "<>" if place.marked else "[]" if place.last else "  "


def _visible(text: str) -> int:
    """Width of a text in columns, without colour codes."""
    if "\x1b" not in text:
        return text_width(text)
    plain = "".join(part.partition("m")[2] if at else part for at, part in _parts(text))
    return text_width(plain)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    yield from enumerate(text.split("\x1b["))


def _centre(text: str, width: int, *, paint: str | None = None) -> str:
    spare = max(0, width - text_width(text))
    left = spare // 2
    return " " * left + (paint or text) + " " * (spare - left)


def _wrapped(parts: Iterable[str], room: int, indent: str, *, gap: str = "  ") -> Iterator[str]:
    """The parts, separated by gaps, wrapped into lines."""
    line = ""
    for part in parts:
        if line and _visible(line) + len(gap) + _visible(part) > room:
            yield line
            line = indent + part
        else:
            line = f"{line}{gap}{part}" if line else part
    if line:
        yield line
