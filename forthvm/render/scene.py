"""A position as data for a graphical front end: shapes, pieces, players, and whose turn it is.

Owns the scene and the places of squares on the plane.  It must not know pages or image formats.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.core.value import Value
from forthvm.render.draw_svg import NEUTRAL, colours_of, has_player_colours
from forthvm.render.labels import full_labels, make_labels, make_type_labels
from forthvm.render.position_diagram import diagram

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game import Game, Position
    from forthvm.render.labels import Labels
    from forthvm.render.model import Diagram, Square

__all__ = ["Point", "Scene", "SceneLabel", "ScenePiece", "ScenePlayer", "SceneSquare", "scene"]

Point = tuple[float, float]
"""A place: to the right and down, in widths of a square from the upper left corner."""

_LETTERS = 6
_MARGIN = 0.5
_ROWS = 8  # at least, of squares beside the board


class SceneSquare(Value, kw_only=True):
    """A square: its name and its corners.  `shade` is 0 or 1; `beside`: not on the board itself."""

    name: str
    corners: tuple[Point, ...]
    shade: int = 0
    beside: bool = False


class ScenePiece(Value, kw_only=True):
    """A piece on a square.  `player` is an index in the scene's players."""

    square: str
    type: str
    player: int
    label: str


class ScenePlayer(Value, kw_only=True):
    """A player: its colours, and the pieces in its store with their numbers."""

    name: str
    fill: str
    ink: str
    neutral: bool = False
    chance: bool = False
    store: tuple[tuple[str, int], ...] = ()


class SceneLabel(Value, kw_only=True):
    """The name of a row or column, and its centre."""

    text: str
    at: Point


class Scene(Value, kw_only=True):
    """Everything that a front end draws of a position.

    Attributes:
        width: The width, in widths of a square.
        height: The height.
        squares: The squares.
        labels: The names of rows and columns.
        pieces: The pieces on the squares.
        players: The players, those who own pieces and those who have turns.
        turn: The player to move; None if the game is over.
        result: The result in words; None while the game continues.
        last_move: The squares of the last move.
        notes: The values of variables that the script shows.
    """

    width: float
    height: float
    squares: tuple[SceneSquare, ...]
    labels: tuple[SceneLabel, ...]
    pieces: tuple[ScenePiece, ...]
    players: tuple[ScenePlayer, ...]
    turn: str | None
    result: str | None
    last_move: tuple[str, ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return the scene as dicts, lists, texts and numbers."""
        return {name: _plain(value) for name, value in vars(self).items()}


def scene(position: Position, *, everything: bool = False) -> Scene:
    """Return the scene of a position.

    Args:
        position: The position.
        everything: Include internal state of the script.
    """
    picture = diagram(position, everything=everything)
    squares = _squares(position.game, picture)
    width = max((x for square in squares for x, _ in square.corners), default=0.0) + _MARGIN
    height = max((y for square in squares for _, y in square.corners), default=0.0) + _MARGIN
    numbers = {owner.name: at for at, owner in enumerate(picture.owners)}
    labels = _piece_labels(picture)
    outcome = position.result
    return Scene(
        width=width,
        height=height,
        squares=tuple(squares),
        labels=tuple(_labels(picture)) if not position.game.rules else (),
        pieces=tuple(
            ScenePiece(
                square=square.name,
                type=square.piece.type,
                player=numbers[square.piece.owner.name],
                label=labels.of(square.piece),
            )
            for square in picture.squares
            if square.piece
        ),
        players=tuple(_players(picture)),
        turn=picture.turn,
        result=visible(outcome.reason) if outcome else None,
        last_move=tuple(square.name for square in picture.squares if square.in_last_move),
        notes=tuple(quantity.text for quantity in picture.quantities),
    )


def _squares(game: Game, picture: Diagram) -> list[SceneSquare]:
    """Return the squares, where the rule file draws them if there is one."""
    rectangles = _rectangles(game)
    if rectangles and all(square.name in rectangles for square in picture.squares):
        return [_in_rectangle(square, rectangles[square.name]) for square in picture.squares]
    left, rows = len(picture.column_labels) + 2 * _MARGIN, max(len(picture.row_labels), _ROWS)
    beside = [
        SceneSquare(
            name=square.name, corners=_box(left + at // rows, at % rows + _MARGIN), beside=True
        )
        for at, square in enumerate(picture.beside)
    ]
    return [*_on_board(picture), *beside]


def _on_board(picture: Diagram) -> Iterator[SceneSquare]:
    for square in picture.board:
        row, column = square.row or 0, square.column or 0
        corners = _box(column + _MARGIN, row + _MARGIN)
        yield SceneSquare(name=square.name, corners=corners, shade=(row + column) % 2)


def _rectangles(game: Game) -> dict[str, tuple[float, float, float, float]]:
    """Return left, top, right and bottom of the squares of a rule file, in widths of a square."""
    if game.rules is None:
        return {}
    pixels = game.rules.rules.board.rectangles
    if not pixels:
        return {}
    unit = median(right - left for left, _, right, _ in pixels.values())
    first_left = min(left for left, _, _, _ in pixels.values())
    first_top = min(top for _, top, _, _ in pixels.values())
    return {
        visible(name): (
            (left - first_left) / unit + _MARGIN,
            (top - first_top) / unit + _MARGIN,
            (right - first_left) / unit + _MARGIN,
            (bottom - first_top) / unit + _MARGIN,
        )
        for name, (left, top, right, bottom) in pixels.items()
    }


def _in_rectangle(square: Square, box: tuple[float, float, float, float]) -> SceneSquare:
    left, top, right, bottom = box
    shade = (round(left - _MARGIN) + round(top - _MARGIN)) % 2
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return SceneSquare(name=square.name, corners=corners, shade=shade)


def _box(left: float, top: float) -> tuple[Point, ...]:
    return ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))


def _labels(picture: Diagram) -> Iterator[SceneLabel]:
    bottom = len(picture.row_labels) + 1.5 * _MARGIN
    for at, text in enumerate(picture.row_labels):
        yield SceneLabel(text=text, at=(_MARGIN / 2, at + 0.5 + _MARGIN))
    for at, text in enumerate(picture.column_labels):
        yield SceneLabel(text=text, at=(at + 0.5 + _MARGIN, bottom))


def _players(picture: Diagram) -> Iterator[ScenePlayer]:
    colours = colours_of(picture.owners)
    stores = {store.owner.name: store.counts for store in picture.stores}
    for owner in picture.owners:
        fill, ink = colours.get(owner.name, NEUTRAL)
        yield ScenePlayer(
            name=owner.name,
            fill=fill,
            ink=ink,
            neutral=owner.neutral,
            chance=owner.chance,
            store=stores.get(owner.name, ()),
        )


def _piece_labels(picture: Diagram) -> Labels:
    by_type = make_type_labels(picture, _LETTERS) if has_player_colours(picture) else None
    return by_type or make_labels(picture, _LETTERS) or full_labels(picture)


def _plain(value: object) -> object:
    if isinstance(value, Value):
        return {name: _plain(part) for name, part in vars(value).items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
