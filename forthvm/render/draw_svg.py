"""Draws a scene as SVG, for notebooks and web pages.

Owns the shapes, and the colours of squares.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from forthvm.core.text.wording import wrapped
from forthvm.render.labels import picture_labels
from forthvm.render.legend import owner_notes, store_notes, type_notes
from forthvm.render.symbols import base_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from forthvm.render.scene_types import (
        Point,
        Scene,
        SceneBoard,
        ScenePiece,
        ScenePlayer,
        SceneSquare,
    )
    from forthvm.render.symbols import Symbol

__all__ = [
    "INK",
    "SQUARE_SIZE",
    "board_elements",
    "board_svg",
    "letter_size",
    "piece_elements",
    "pixels",
    "polygon",
]

# Sizes in pixels.
SQUARE_SIZE = 56
LINE_HEIGHT = 18  # of the notes
KEY_HEIGHT = 26  # of the line that names the player of each colour
LETTER_WIDTH = 7  # on average, in the notes
MIN_WIDTH = 328
LABEL_SIZE = 13
MAX_LETTER_SIZE = 20

# Sizes of parts of a piece, in widths of its square.
_BASE, _ON_BASE, _ALONE, _DECORATION = 0.86, 0.6, 0.92, 0.8
_PLACE_LABEL = 0.15  # the distance of a label from the lower edge of its place
_DOT = 0.08  # radius of an empty point

_SHADES = ("#f3ead7", "#e6d8bb", "#d8c49b")
_BESIDE, _LAST_MOVE, _MARK = "#faf7f0", "#ffd75e", "#d62f2f"
_EDGE, _LINE, INK = "#b8a888", "#8a7a5c", "#2b2b2b"
_UNSEEN = 'fill="none" pointer-events="all"'
_LAST_MOVE_KINDS = ("from", "to", "last")


def board_svg(scene: Scene, symbols: Mapping[str, Symbol] | None = None, *, title: str = "") -> str:
    """Return a scene as a complete SVG document.

    Args:
        scene: The scene.
        symbols: The symbols of the game's pieces; a piece without one has its label.
        title: The title of the document.
    """
    symbols = symbols or {}
    board, players = scene.board, scene.players
    width = max(round(board.width * SQUARE_SIZE), MIN_WIDTH)
    margin = SQUARE_SIZE // 2
    notes = [
        line
        for text in _notes(scene, symbols)
        for line in wrapped(text, (width - 2 * margin) // LETTER_WIDTH)
    ]
    squares = {square.name: square for square in board.squares}
    on_board = {piece.player for piece in scene.pieces if piece.square in squares}
    key = [
        player
        for at, player in enumerate(players)
        if at in on_board and not (player.neutral or player.chance)
    ]
    has_key = len(key) > 1
    bottom = round(board.height * SQUARE_SIZE)
    notes_top = bottom + LINE_HEIGHT // 2 + has_key * KEY_HEIGHT
    height = notes_top + len(notes) * LINE_HEIGHT
    body = [
        *board_elements(board, symbols, last_move=_names(scene, _LAST_MOVE_KINDS)),
        *(
            part
            for piece in scene.pieces
            if piece.square in squares
            for part in piece_elements(
                piece, players[piece.player], squares[piece.square], symbols, board.pixel
            )
        ),
        *(
            polygon(squares[mark.square].corners, f'fill="none" stroke="{_MARK}" stroke-width="4"')
            for mark in scene.marks
            if mark.kind not in _LAST_MOVE_KINDS and mark.square in squares
        ),
    ]
    if has_key:
        body += _key(key, margin, bottom + LINE_HEIGHT - 4)
    for at, note in enumerate(notes):
        y = notes_top + at * LINE_HEIGHT
        body.append(f'<text x="{margin}" y="{y}" font-size="{LABEL_SIZE}">{escape(note)}</text>')
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" role="img">'
    )
    caption = escape(title or (f"{scene.turn} to move" if scene.turn else "position"))
    return "\n".join([head, f"<title>{caption}</title>", *body, "</svg>"])


def _names(scene: Scene, kinds: Iterable[str]) -> frozenset[str]:
    return frozenset(mark.square for mark in scene.marks if mark.kind in kinds)


# --- the board --------------------------------------------------------------------------------


def board_elements(
    board: SceneBoard,
    symbols: Mapping[str, Symbol] | None = None,
    *,
    last_move: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """Yield the elements of a board without pieces; squares of the last move are highlighted.

    If the symbols contain the picture of the board, it is drawn in place of the squares.
    """
    picture = (symbols or {}).get(board.picture or "")
    if picture is not None:
        yield _picture(picture, 0.0, 0.0, board.pixel)
        for square in board.squares:
            look = (
                f'fill="{_LAST_MOVE}" fill-opacity="0.5"' if square.name in last_move else _UNSEEN
            )
            yield polygon(square.corners, look, f"<title>{escape(square.name)}</title>")
        return
    for corners in board.blanks:
        yield polygon(corners, f'fill="{_SHADES[0]}" stroke="{_EDGE}"')
    for (x1, y1), (x2, y2) in board.lines:
        yield (
            f'<line x1="{pixels(x1)}" y1="{pixels(y1)}" x2="{pixels(x2)}" y2="{pixels(y2)}" '
            f'stroke="{_LINE}" stroke-width="2"/>'
        )
    for square in board.squares:
        yield from _square(square, in_last_move=square.name in last_move)
        drawing = (symbols or {}).get(square.decoration or "")
        if drawing is not None:
            yield _drawing(drawing.svg, square, _DECORATION, _LINE, _LINE)
    for label in board.labels:
        yield _text(label.text, label.at, LABEL_SIZE)


def _square(square: SceneSquare, *, in_last_move: bool) -> Iterator[str]:
    title = f"<title>{escape(square.name)}</title>"
    if square.round:
        fill = _LAST_MOVE if in_last_move else _LINE
        radius = square.size / 2 if in_last_move else _DOT
        if square.dot or in_last_move:
            yield f'<circle {_circle(square.centre, radius)} fill="{fill}">{title}</circle>'
        return
    shade = _BESIDE if square.beside else _SHADES[square.shade]
    fill = _LAST_MOVE if in_last_move else shade
    yield polygon(square.corners, f'fill="{fill}" stroke="{_EDGE}"', title)
    if square.label:
        size = letter_size(square.label, most=LABEL_SIZE)
        at = square.centre[0], max(y for _, y in square.corners) - _PLACE_LABEL
        yield _text(square.label, at, size, fill=_LINE)


def polygon(corners: Iterable[Point], attributes: str, content: str = "") -> str:
    """Return a polygon with some attributes and content."""
    points = " ".join(f"{pixels(x)},{pixels(y)}" for x, y in corners)
    return f'<polygon points="{points}" {attributes}>{content}</polygon>'


def _circle(centre: Point, radius: float) -> str:
    x, y = centre
    return f'cx="{pixels(x)}" cy="{pixels(y)}" r="{pixels(radius)}"'


def pixels(length: float) -> str:
    """Return a length of a scene in pixels."""
    return f"{length * SQUARE_SIZE:.1f}".removesuffix(".0")


def _text(text: str, at: Point, size: float, *, fill: str = INK) -> str:
    """Draw a text centred on a point."""
    x, y = at
    return (
        f'<text x="{pixels(x)}" y="{pixels(y + size / 3 / SQUARE_SIZE)}" font-size="{size:g}" '
        f'fill="{fill}" text-anchor="middle">{escape(text)}</text>'
    )


def letter_size(text: str, width: float = 1.0, most: float = MAX_LETTER_SIZE) -> float:
    """Return the font size at which a text fits in a square of a width."""
    return min(most, int(SQUARE_SIZE * width * 1.35 / max(2, len(text))))


# --- pieces -----------------------------------------------------------------------------------


def piece_elements(
    piece: ScenePiece,
    player: ScenePlayer,
    square: SceneSquare,
    symbols: Mapping[str, Symbol],
    pixel: float = 0.0,
) -> Iterator[str]:
    """Yield the elements of a piece on a square: its symbol, or its label on the owner's base.

    `pixel` is the field of the board (SceneBoard).
    """
    yield f"<g><title>{escape(f'{player.name} {piece.type}')}</title>"
    symbol = symbols.get(piece.symbol or "")
    if symbol is not None and symbol.png:
        width, height = symbol.width * pixel, symbol.height * pixel
        x, y = square.centre
        yield _picture(symbol, x - width / 2, y - height / 2, pixel) + "</g>"
        return
    if symbol is None or symbol.based:
        base = symbols.get(base_key(player.outline))
        if base is not None:
            yield _drawing(base.svg, square, _BASE, player.fill, player.ink)
        else:
            circle = _circle(square.centre, square.size * _BASE / 2)
            yield f'<circle {circle} fill="{player.fill}" stroke="{INK}"/>'
    if symbol is None:
        size = letter_size(piece.label, square.size, MAX_LETTER_SIZE * square.size)
        yield _text(piece.label, square.centre, size, fill=player.ink)
    elif symbol.based:
        yield _drawing(symbol.svg, square, _ON_BASE, player.ink, player.fill)
    else:
        yield _drawing(symbol.svg, square, _ALONE, player.fill, player.ink)
    yield "</g>"


def _drawing(fragment: str, square: SceneSquare, part: float, fill: str, ink: str) -> str:
    """Draw a fragment in a box of 100 by 100 in the middle of a square."""
    size, (x, y) = square.size * part, square.centre
    place = f"translate({pixels(x - size / 2)} {pixels(y - size / 2)})"
    scale = f"scale({size * SQUARE_SIZE / 100:.3g})"
    return f'<g transform="{place} {scale}" fill="{fill}" color="{ink}">{fragment}</g>'


def _picture(symbol: Symbol, left: float, top: float, pixel: float) -> str:
    """Draw a picture of a rule file."""
    data = b64encode(symbol.png).decode("ascii")
    return (
        f'<image x="{pixels(left)}" y="{pixels(top)}" width="{pixels(symbol.width * pixel)}" '
        f'height="{pixels(symbol.height * pixel)}" href="data:image/png;base64,{data}"/>'
    )


# --- notes ------------------------------------------------------------------------------------


def _key(players: Iterable[ScenePlayer], x: float, y: int) -> Iterator[str]:
    """Draw the key: the colour of each player."""
    for player in players:
        name = escape(player.name)
        yield f'<circle cx="{x + 7:g}" cy="{y}" r="7" fill="{player.fill}" stroke="{INK}"/>'
        yield f'<text x="{x + 19:g}" y="{y + 5}" font-size="{LABEL_SIZE}">{name}</text>'
        x += 38 + LETTER_WIDTH * len(player.name)


def _notes(scene: Scene, symbols: Mapping[str, Symbol]) -> Iterator[str]:
    """Yield the lines below the board: stores, variables, last move, turn, and the legend."""
    yield from store_notes(scene)
    yield from scene.notes
    if scene.events:
        yield f"last move: {scene.events[-1].move}"
    if scene.turn:
        yield f"{scene.turn} to move"
    labels = picture_labels(scene.board.types, scene.players)
    labelled = [piece for piece in scene.pieces if piece.symbol not in symbols]
    owners = [text for _, text in owner_notes(scene, labels, labelled)]
    parts = [*owners, *type_notes(labels, {piece.type for piece in labelled})]
    if parts:
        yield "  ".join(parts)
