"""The blocks of which a report consists: headings, tables, facts, pictures, notes.

Owns the kinds of blocks and their forms as HTML and JSON.  All texts may come from untrusted files;
HTML contains them escaped.
"""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass
from html import escape
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Block",
    "Cell",
    "Facts",
    "Gallery",
    "Heading",
    "Listing",
    "Note",
    "Picture",
    "Table",
    "html_of",
    "json_of",
]


@dataclass(frozen=True)
class Heading:
    """A heading; the title of the report has level 1."""

    text: str
    level: int = 2

    def html(self) -> str:
        """Return an HTML element."""
        return f"<h{self.level}>{escape(self.text)}</h{self.level}>"


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: The text.
        title: What a pointer over the cell shows; "" for nothing.
        tint: From -0.5, red, to 0.5, green.
    """

    text: str
    title: str = ""
    tint: float = 0.0

    def html(self, tag: str) -> str:
        """Return an HTML element, `th` or `td`."""
        style, title = "", f' title="{escape(self.title)}"' if self.title else ""
        if self.tint:
            hue = 120 if self.tint > 0 else 0
            style = f' style="background:hsl({hue} 60% 50% / {0.6 * abs(self.tint):.2f})"'
        return f"<{tag}{style}{title}>{escape(self.text)}</{tag}>"


@dataclass(frozen=True)
class Table:
    """A table.  The first column has names, the others have numbers."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, head: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
        """Return a table of texts."""
        return cls(
            tuple(map(Cell, head)),
            tuple((Cell(name, name), *map(Cell, cells)) for name, *cells in rows),
        )

    def html(self) -> str:
        """Return an HTML element."""
        head = "".join(cell.html("th") for cell in self.head)
        rows = "".join(f"<tr>{''.join(cell.html('td') for cell in row)}</tr>" for row in self.rows)
        return f'<div class="scroll"><table><tr>{head}</tr>{rows}</table></div>'


@dataclass(frozen=True)
class Facts:
    """Names with texts."""

    pairs: tuple[tuple[str, str], ...]

    def html(self) -> str:
        """Return an HTML element."""
        items = (f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in self.pairs)
        return f"<dl>{''.join(items)}</dl>"


@dataclass(frozen=True)
class Picture:
    """An SVG document.

    Attributes:
        svg: The document.
        title: What it shows, for people who do not see it.
        caption: The text below; "" for none.
    """

    svg: str
    title: str
    caption: str = ""

    def html(self) -> str:
        """Return an HTML element."""
        caption = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        return f"<figure>{self.svg}{caption}</figure>"


@dataclass(frozen=True)
class Gallery:
    """Pictures beside each other, as far as there is room."""

    pictures: tuple[Picture, ...]

    def html(self) -> str:
        """Return an HTML element."""
        return f'<div class="gallery">{"".join(each.html() for each in self.pictures)}</div>'


@dataclass(frozen=True)
class Note:
    """A paragraph; `kind` is `note`, `about` or `warning`."""

    text: str
    kind: str = "note"

    def html(self) -> str:
        """Return an HTML element."""
        return f'<p class="{self.kind}">{escape(self.text)}</p>'


@dataclass(frozen=True)
class Listing:
    """Lines of fixed width under a heading that hides or shows them."""

    title: str
    text: str

    def html(self) -> str:
        """Return an HTML element."""
        summary = f"<summary>{escape(self.title)}</summary>"
        return f"<details open>{summary}<pre>{escape(self.text)}</pre></details>"


Block = Heading | Table | Facts | Picture | Gallery | Note | Listing


def html_of(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML elements, with control characters escaped."""
    return visible_lines("\n".join(block.html() for block in blocks))


def json_of(blocks: Iterable[Block]) -> list[dict[str, object]]:
    """Return blocks as dicts, with control characters escaped; `is` names the kind of a block."""
    return [{"is": type(block).__name__.lower()} | _fields(block) for block in blocks]


def _fields(value: object) -> dict[str, object]:
    return {name: _plain(field) for name, field in vars(value).items()}


def _plain(value: object) -> object:
    if isinstance(value, str):
        return visible_lines(value)
    if is_dataclass(value):
        return _fields(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
