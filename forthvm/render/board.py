"""The board of a game as front ends draw it: squares, lines and labels.

Owns the conversion of places (places.py) to a board, and what is drawn beside it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter
from statistics import median
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from forthvm.core.text.visible import visible
from forthvm.render.beside import groups_of, places_beside
from forthvm.render.lattice import nearest_distances, points_with_dots
from forthvm.render.places import layout_of, places_of
from forthvm.render.scene_types import SceneBoard, SceneLabel, SceneSquare
from forthvm.render.symbols import BOARD, board_picture_size, decorations_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from forthvm.game import Game
    from forthvm.render.layout import Layout
    from forthvm.render.places import Places
    from forthvm.render.scene_types import Point

__all__ = ["board_of"]

_T = TypeVar("_T")
_Corners = tuple["Point", ...]

_MARGIN = 0.5
_LABEL = 0.25  # the distance of a label from the board
_BEYOND = 0.8  # the distance of a label from the end of a slanted line
_GAP = 1.0  # between the board and the places beside it
_ON_POINT = 0.9  # the size of a piece, in distances of points
_MOST = 2 / 3  # the share of rows or columns that must have labels
_MIN_CHEQUERED = 8  # places, from which number on places of one colour form a chequered board
_NAME = re.compile(r"([A-Za-z]+)(\d+)")
_UNNAMED = "??"  # the name of positions without a name


class _Plan:
    """What all boards of a game have in common, and the boards so far, by names of positions."""

    def __init__(self, game: Game) -> None:
        self.layout = layout_of(game)
        self.reachable = _reachable(game)
        self.rare = _rare_positions(game, self.layout)
        self.boards: dict[tuple[str, ...], SceneBoard] = {}


def _reachable(game: Game) -> frozenset[int]:
    """Return the positions that pieces can reach; empty if a rule file states the board."""
    if game._loaded.rules:
        return frozenset()
    from forthvm.render.reachable import reachable_positions  # reads the memory of the core

    return reachable_positions(game)


def _rare_positions(game: Game, layout: Layout) -> frozenset[int]:
    """Return the positions beside a board in no group; they are drawn only while occupied."""
    if not layout.row_labels or game._loaded.rules:
        return frozenset()
    outside = [
        name for name, at in game._loaded.position_index.items() if not layout.coordinates[at]
    ]
    groups = groups_of(outside, game.players)
    return frozenset(game._loaded.position_index[name] for name, _ in groups.get("", ()))


_plans: WeakKeyDictionary[Game, _Plan] = WeakKeyDictionary()
"""The plan of each game; links and set-up do not change after loading."""


def board_of(
    game: Game, *, hidden: Collection[str], needed: Collection[str], points: bool | None
) -> SceneBoard:
    """Return the board of a game, in nearly all positions the same object.

    Args:
        game: The game.
        hidden: The positions that are left out.
        needed: The positions that are always shown: those with visible pieces or clicks.
        points: Whether pieces stand on points; None: by the rules of lattice.py.
    """
    plan = _plans.get(game)
    if plan is None:
        plan = _plans[game] = _Plan(game)
    coordinates, reachable = plan.layout.coordinates, plan.reachable
    names = tuple(
        name
        for at, name in enumerate(game.positions)
        if game._loaded.position_index[name] == at
        and (
            name in needed
            or (
                name != _UNNAMED
                and name not in hidden
                and (at in reachable or not reachable if coordinates[at] else at not in plan.rare)
            )
        )
    )
    if names not in plan.boards:
        places = places_of(game, plan.layout, names, points)
        plan.boards[names] = _board(game, names, places)
    return plan.boards[names]


def _board(game: Game, names: Sequence[str], places: Places) -> SceneBoard:
    squares = _squares(places)
    blanks = _blanks(places)
    if blanks:
        squares = [replace(square, shade=1) for square in squares]
    decorations = decorations_of(game)
    squares = [replace(square, decoration=decorations.get(square.name)) for square in squares]
    _, top, right, bottom = _edges([*(square.corners for square in squares), *blanks])
    labels = _labels(squares, places)
    groups = groups_of(
        [visible(name) for name in names if name not in places.places],
        [visible(player) for player in game.players],
    )
    beside, headings = places_beside(
        groups, (right + _GAP if squares else 0.0, top), height=bottom - top
    )
    order = {visible(name): at for at, name in enumerate(names)}
    centres = {square.name: square.centre for square in squares}
    board = SceneBoard(
        width=0.0,
        height=0.0,
        squares=tuple(sorted([*squares, *beside], key=lambda one: order[one.name])),
        blanks=tuple(blanks),
        lines=tuple(
            (centres[visible(start)], centres[visible(end)]) for start, end in places.lines
        ),
        labels=(*labels, *headings),
        rows=places.rows,
        columns=places.columns,
        types=tuple(dict.fromkeys(visible(kind.name) for kind in game.piece_types)),
        pixel=places.pixel,
    )
    picture = board_picture_size(game) if places.pixel else None
    if picture is None:
        return _with_margin(board)
    width, height = (side * places.pixel for side in picture)
    box = (0.0, 0.0, max(width, _edges([one.corners for one in board.squares])[2]), height)
    return _moved_to(replace(board, labels=(), picture=BOARD), box)


def _squares(places: Places) -> list[SceneSquare]:
    nearest = nearest_distances(places.places)
    dots = points_with_dots(places.cells) if places.points else ()
    squares = []
    for name, place in places.places.items():
        cell, shade = places.cells.get(name), 0
        if places.hexagons:
            hexagon = places.hexagons[name]
            corners, size, shade = hexagon.corners, nearest[name], hexagon.shade
        elif places.points:
            size = _ON_POINT * min(1.0, nearest[name] or 1.0)
            corners = _around(place.x, place.y, size, size)
        else:
            size = min(place.width, place.height)
            corners = _around(place.x, place.y, place.width, place.height)
            shade = sum(cell) % 2 if cell else 0
        squares.append(
            SceneSquare(
                name=visible(name),
                corners=corners,
                centre=(place.x, place.y),
                size=size,
                cell=cell,
                shade=shade,
                round=places.points,
                dot=places.points and (cell is None or name in dots),
            )
        )
    return squares


def _around(x: float, y: float, width: float, height: float) -> _Corners:
    left, top, right, bottom = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _blanks(places: Places) -> list[_Corners]:
    """Return the squares of the other colour if all places have one colour of a chequered board."""
    cells = {places.cells[name]: at for name, at in places.places.items() if name in places.cells}
    colours = {(row + column) % 2 for row, column in cells}
    if len(colours) != 1 or len(cells) < _MIN_CHEQUERED or places.points or places.hexagons:
        return []
    ys = {row: at.y for (row, _), at in cells.items()}
    xs = {column: at.x for (_, column), at in cells.items()}
    return [
        _around(xs[column], ys[row], 1.0, 1.0)
        for row in range(len(places.rows))
        for column in range(len(places.columns))
        if (row + column) % 2 not in colours and row in ys and column in xs
    ]


# --- labels -----------------------------------------------------------------------------------


def _labels(squares: Sequence[SceneSquare], places: Places) -> list[SceneLabel]:
    """Return the labels of rows and columns, on the first side where they cover no square."""
    if places.hexagons:
        return _labels_of_hexagons(squares)
    in_rows = [square for square in squares if square.cell]
    if not in_rows:
        return []
    left, top, right, bottom = _edges([square.corners for square in in_rows])
    found = []
    for axis, texts, sides in (
        (0, places.rows, (left - _LABEL, right + _LABEL)),
        (1, places.columns, (bottom + _LABEL, top - _LABEL)),
    ):
        lines: dict[int, list[float]] = {}
        for square in in_rows:
            if square.cell:
                lines.setdefault(square.cell[axis], []).append(square.centre[1 - axis])
        labelled = [(texts[at], median(middles)) for at, middles in lines.items() if texts[at]]
        middles = sorted(middle for _, middle in labelled)
        are_apart = all(after - before > 2 * _LABEL for before, after in pairwise(middles))
        if len(labelled) < _MOST * len(lines) or not are_apart:
            continue
        for side in sides:
            labels = [
                SceneLabel(text=text, at=(side, middle) if axis == 0 else (middle, side))
                for text, middle in sorted(labelled, key=itemgetter(1))
            ]
            if not any(_covers(one, label.at) for one in squares for label in labels):
                found += labels
                break
    return found


def _labels_of_hexagons(squares: Sequence[SceneSquare]) -> list[SceneLabel]:
    """Return a label for each number, left of its hexagons, and for each letter, below them.

    Rows and columns of hexagons may be slanted, so the names tell which hexagons form a line.
    """
    parts = [_NAME.fullmatch(square.name) for square in squares]
    if not all(parts):
        return []
    found = []
    for axis, group in ((0, 2), (1, 1)):
        lines: dict[str, list[Point]] = {}
        for square, part in zip(squares, parts, strict=True):
            if part:
                lines.setdefault(part[group], []).append(square.centre)
        for text, centres in lines.items():
            ordered = sorted(centres, key=itemgetter(axis), reverse=axis == 1)
            if len(ordered) > 1:
                (x, y), (next_x, next_y) = ordered[:2]
                at = x + _BEYOND * (x - next_x), y + _BEYOND * (y - next_y)
                found.append(SceneLabel(text=text, at=at))
    return [one for one in found if not any(_covers(square, one.at) for square in squares)]


def _covers(square: SceneSquare, point: Point) -> bool:
    left, top, right, bottom = _edges([square.corners])
    return left < point[0] < right and top < point[1] < bottom


# --- the plane --------------------------------------------------------------------------------


def _edges(areas: Sequence[_Corners]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edge of areas."""
    xs = [x for corners in areas for x, _ in corners] or [0.0]
    ys = [y for corners in areas for _, y in corners] or [0.0]
    return min(xs), min(ys), max(xs), max(ys)


def _with_margin(board: SceneBoard) -> SceneBoard:
    """Move a board so that it has a margin on all sides, and set its size."""
    areas = [*(square.corners for square in board.squares), *board.blanks]
    left, top, right, bottom = _edges(areas)
    box = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
    return _moved_to(board, box)


def _moved_to(board: SceneBoard, box: tuple[float, float, float, float]) -> SceneBoard:
    """Move the upper left corner of a box to the origin, and make the board as large as it."""
    left, top, right, bottom = box

    def moved(point: Point) -> Point:
        return round(point[0] - left, 3), round(point[1] - top, 3)

    return replace(
        board,
        width=round(right - left, 3),
        height=round(bottom - top, 3),
        squares=tuple(
            replace(
                square,
                corners=tuple(map(moved, square.corners)),
                centre=moved(square.centre),
                size=round(square.size, 3),
            )
            for square in board.squares
        ),
        blanks=tuple(tuple(map(moved, corners)) for corners in board.blanks),
        lines=tuple((moved(start), moved(end)) for start, end in board.lines),
        labels=tuple(replace(label, at=moved(label.at)) for label in board.labels),
    )
