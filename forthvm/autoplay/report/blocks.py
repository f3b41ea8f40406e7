"""The blocks of which a report consists: headings, tables, facts, pictures, notes.

Owns the kinds of blocks and their forms as HTML and JSON.  It must not know what they report.  All
texts may come from untrusted files; HTML contains them escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Block",
    "Cell",
    "Facts",
    "Heading",
    "Listing",
    "Note",
    "Picture",
    "Table",
    "html_of",
    "json_of",
]


class Heading(Value):
    """A heading; the title of the report has level 1."""

    text: str
    level: int = 2


class Cell(Value):
    """A cell of a table.

    Attributes:
        text: The text.
        title: What a pointer over the cell shows; "" for nothing.
        tint: From -0.5, red, to 0.5, green.
    """

    text: str
    title: str = ""
    tint: float = 0.0


class Table(Value):
    """A table.  The first column has names, the others have numbers."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, head: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
        """Return a table of texts."""
        texts = [[str(text) for text in row] for row in rows]
        return cls(
            tuple(map(Cell, head)),
            tuple((Cell(name, name), *map(Cell, cells)) for name, *cells in texts),
        )


class Facts(Value):
    """Names with texts."""

    pairs: tuple[tuple[str, str], ...]


class Picture(Value):
    """An SVG document.

    Attributes:
        svg: The document.
        title: What it shows, for people who do not see it.
        caption: The text below; "" for none.
    """

    svg: str
    title: str
    caption: str = ""


class Note(Value):
    """A paragraph; `kind` is `note`, `about` or `warning`."""

    text: str
    kind: str = "note"


class Listing(Value):
    """Lines of fixed width under a heading that hides or shows them."""

    title: str
    text: str


Block = Heading | Table | Facts | Picture | Note | Listing


# --- HTML -----------------------------------------------------------------------------------------


def html_of(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML elements."""
    return "\n".join(map(_html, blocks))


def _html(block: Block) -> str:
    match block:
        case Heading(text=text, level=level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Table():
            return _table(block)
        case Facts(pairs=pairs):
            items = (f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs)
            return f"<dl>{''.join(items)}</dl>"
        case Picture(svg=svg, caption=caption):
            below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
            return f"<figure>{svg}{below}</figure>"
        case Note(text=text, kind=kind):
            return f'<p class="{kind}">{escape(text)}</p>'
        case Listing(title=title, text=text):
            summary = f"<summary>{escape(title)}</summary>"
            return f"<details open>{summary}<pre>{escape(text)}</pre></details>"


def _table(block: Table) -> str:
    head = "".join(f"<th{_title(cell)}>{escape(cell.text)}</th>" for cell in block.head)
    rows = [f"<tr>{''.join(map(_cell, row))}</tr>" for row in block.rows]
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'


def _cell(cell: Cell) -> str:
    style = ""
    if cell.tint:
        hue = 120 if cell.tint > 0 else 0
        style = f' style="background:hsl({hue} 60% 50% / {0.6 * abs(cell.tint):.2f})"'
    return f"<td{style}{_title(cell)}>{escape(cell.text)}</td>"


def _title(cell: Cell) -> str:
    return f' title="{escape(cell.title)}"' if cell.title else ""


# --- JSON -----------------------------------------------------------------------------------------


def json_of(blocks: Iterable[Block]) -> list[dict[str, object]]:
    """Return blocks as dicts; `is` names the kind of a block."""
    return [{"is": type(block).__name__.lower()} | _plain_fields(block) for block in blocks]


def _plain_fields(value: Value) -> dict[str, object]:
    return {name: _plain(field) for name, field in vars(value).items()}


def _plain(value: object) -> object:
    if isinstance(value, Value):
        return _plain_fields(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
