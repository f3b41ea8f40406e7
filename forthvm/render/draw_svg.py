"""Draws a position as SVG, for notebooks and web pages.

Owns shapes and the colours of squares.  It must not know where the picture is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from forthvm.core.text.wording import wrapped
from forthvm.render.colours import NEUTRAL, colours_of, has_player_colours
from forthvm.render.labels import Labels, full_labels, make_labels, make_type_labels
from forthvm.render.legend import owner_notes, owners_shown, type_notes
from forthvm.render.model import Diagram, Owner, PieceView, Square

__all__ = [
    "INK",
    "MARGIN",
    "MAX_LETTERS",
    "SQUARE_SIZE",
    "board_svg",
    "draw_coordinates",
    "draw_squares",
    "letter_size",
]

# Sizes in pixels.
SQUARE_SIZE = 56
MARGIN = 24
LINE_HEIGHT = 18  # of the notes
KEY_HEIGHT = 22  # of the line that names the player of each colour
LETTER_WIDTH = 7  # on average, in the notes
MIN_WIDTH = 280
MAX_LETTERS = 6  # in a square, so that they are legible

_LIGHT, _DARK, _LAST_MOVE, INK = "#f3ead7", "#e6d8bb", "#ffd75e", "#2b2b2b"
_MARK = "#d62f2f"


def board_svg(diagram: Diagram, *, title: str = "") -> str:
    """Return the board as a complete SVG document."""
    labels = make_labels(diagram, MAX_LETTERS) or full_labels(diagram)
    type_labels = (
        make_type_labels(diagram, MAX_LETTERS) if has_player_colours(diagram.owners) else None
    )
    columns, rows = len(diagram.column_labels), len(diagram.row_labels)
    width = MARGIN * 2 + max(columns * SQUARE_SIZE, MIN_WIDTH)
    letters_per_line = (width - MARGIN * 2) // LETTER_WIDTH
    has_key = type_labels is not None and not type_labels.by_owner
    key_players = _players_on_board(diagram) if has_key else []
    texts = [*_notes(diagram), *_legend(diagram, type_labels or labels)]
    notes = [line for text in texts for line in wrapped(text, letters_per_line)]
    board_bottom = MARGIN * 2 + rows * SQUARE_SIZE
    notes_top = board_bottom + LINE_HEIGHT + (KEY_HEIGHT if len(key_players) > 1 else 0)
    height = notes_top + len(notes) * LINE_HEIGHT
    body = [
        *draw_squares(diagram),
        *_frames(diagram),
        *_pieces(diagram, type_labels or labels),
        *draw_coordinates(diagram),
    ]
    if len(key_players) > 1:
        body += _key(diagram, key_players, board_bottom + LINE_HEIGHT - 4)
    for at, note in enumerate(notes):
        y = notes_top + at * LINE_HEIGHT
        body.append(f'<text x="{MARGIN}" y="{y}" font-size="13">{escape(note)}</text>')
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" role="img">'
    )
    caption = escape(title or (f"{diagram.turn} to move" if diagram.turn else "position"))
    return "\n".join([head, f"<title>{caption}</title>", *body, "</svg>"])


def _players_on_board(diagram: Diagram) -> list[Owner]:
    """Return the players that have pieces on the board."""
    present = {square.piece.owner.name for square in diagram.board if square.piece}
    return [
        owner
        for owner in diagram.owners
        if owner.name in present and not (owner.neutral or owner.chance)
    ]


def _key(diagram: Diagram, players: list[Owner], y: int) -> Iterator[str]:
    """Draw the key: the colour of each player."""
    colours = colours_of(diagram.owners)
    x = MARGIN
    for player in players:
        fill, _ = colours[player.name]
        yield f'<ellipse cx="{x + 6}" cy="{y}" rx="6" ry="6" fill="{fill}" stroke="{INK}"/>'
        yield f'<text x="{x + 17}" y="{y + 5}" font-size="13">{escape(player.name)}</text>'
        x += 32 + LETTER_WIDTH * len(player.name)


def _corner(square: Square) -> tuple[int, int]:
    return MARGIN + (square.column or 0) * SQUARE_SIZE, MARGIN + (square.row or 0) * SQUARE_SIZE


def draw_squares(diagram: Diagram) -> Iterator[str]:
    """Draw the squares; squares of the last move have another colour."""
    for square in diagram.board:
        x, y = _corner(square)
        shade = _LIGHT if ((square.row or 0) + (square.column or 0)) % 2 == 0 else _DARK
        fill = _LAST_MOVE if square.in_last_move else shade
        yield (
            f'<rect x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}" fill="{fill}" '
            f'stroke="#b8a888"><title>{escape(square.name)}</title></rect>'
        )


def _frames(diagram: Diagram) -> Iterator[str]:
    """Draw frames inside marked squares, so that neighbouring squares do not cover the frames."""
    for square in diagram.board:
        if square.marked:
            x, y = _corner(square)
            size = SQUARE_SIZE - 4
            yield (
                f'<rect x="{x + 2}" y="{y + 2}" width="{size}" height="{size}" '
                f'fill="none" stroke="{_MARK}" stroke-width="4"/>'
            )


def _pieces(diagram: Diagram, labels: Labels) -> Iterator[str]:
    colours = colours_of(diagram.owners)
    for square in diagram.board:
        if square.piece is None:
            continue
        x, y = _corner(square)
        colour = colours.get(square.piece.owner.name, NEUTRAL)
        centre = x + SQUARE_SIZE // 2, y + SQUARE_SIZE // 2
        yield from _piece(square.piece, labels.of(square.piece), colour, centre)


def letter_size(label: str) -> int:
    """Return the font size at which a label fits on a piece."""
    return min(20, int(SQUARE_SIZE * 1.35 / max(2, len(label))))


def _piece(
    piece: PieceView, label: str, colour: tuple[str, str], centre: tuple[int, int]
) -> Iterator[str]:
    (fill, ink), (x, y) = colour, centre
    size = letter_size(label)
    yield (
        f'<circle cx="{x}" cy="{y}" r="{SQUARE_SIZE * 43 // 100}" fill="{fill}" stroke="{INK}">'
        f"<title>{escape(_full_name(piece))}</title></circle>"
    )
    yield _text(label, x, y + size // 3, size=size, fill=ink)


def draw_coordinates(diagram: Diagram) -> Iterator[str]:
    """Draw the labels of rows and columns."""
    bottom = MARGIN + len(diagram.row_labels) * SQUARE_SIZE + 16
    for at, name in enumerate(diagram.column_labels):
        yield _text(name, MARGIN + at * SQUARE_SIZE + SQUARE_SIZE // 2, bottom, size=13)
    for at, name in enumerate(diagram.row_labels):
        yield _text(name, MARGIN // 2, MARGIN + at * SQUARE_SIZE + SQUARE_SIZE // 2 + 5, size=13)


def _text(text: str, x: int, y: int, *, size: int, fill: str = INK) -> str:
    """Draw a text centred on x."""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" '
        f'text-anchor="middle">{escape(text)}</text>'
    )


def _notes(diagram: Diagram) -> Iterator[str]:
    """Yield the lines below the board: pieces beside it, variables, last move, turn."""
    beside = [
        f"{square.name} {_full_name(square.piece)}" for square in diagram.beside if square.piece
    ]
    if not diagram.board:
        yield from beside
    elif beside:
        yield "beside the board: " + ", ".join(beside)
    yield from (store.text for store in diagram.stores)
    yield from (quantity.text for quantity in diagram.quantities)
    if diagram.last_move is not None:
        yield f"last move: {diagram.last_move}"
    if diagram.turn:
        yield f"{diagram.turn} to move"


def _full_name(piece: PieceView) -> str:
    """Return the owner and the type of a piece."""
    return f"{piece.owner.name} {piece.type}"


def _legend(diagram: Diagram, labels: Labels) -> Iterator[str]:
    """Yield the meaning of abbreviated labels."""
    owners = [text for _, text in owner_notes(labels, owners_shown(diagram))]
    parts = [*owners, *type_notes(labels, diagram)]
    if parts:
        yield "  ".join(parts)
