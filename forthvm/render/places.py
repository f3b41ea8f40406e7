"""Where the places of a game's board are, and which pattern they form.

Owns the reading of a game's board: a script has a grid, or positions whose names form one, such as
a1 … h8; a rule file gives each position a rectangle.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.render.lattice import (
    Place,
    hexagons,
    lines_between,
    nearest_distances,
    row_shift,
    stand_on_points,
)
from forthvm.render.layers import apart
from forthvm.render.layout import Layout, grid_layout, infer_layout
from forthvm.render.rectangles import rectangle_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Game
    from forthvm.game.loaded import LoadedGame
    from forthvm.render.lattice import Cell, Hexagon, Link
    from forthvm.render.rectangles import Rectangle

__all__ = ["Places", "layout_of", "places_of"]

_ROW_OF_HEXAGONS = 0.866  # the distance between rows; between columns it is 1


@dataclass(frozen=True, kw_only=True)
class Places:
    """The places of a board.  The unit of length is that of `_unit`.

    Attributes:
        places: The places by name; positions beside the board are missing.
        cells: The row and column of each place that is in a row.
        rows: The labels of the rows from the top.
        columns: The labels of the columns from the left.
        hexagons: The hexagons of the places if they form this pattern, else empty.
        points: Whether pieces stand on points, where lines meet.
        lines: The places between which a line is drawn.
        pixel: The width of a pixel of the rectangles of a rule file; 0 for other games, and for a
            board in layers, which its picture does not fit.
    """

    places: dict[str, Place]
    cells: dict[str, Cell]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    hexagons: dict[str, Hexagon]
    points: bool
    lines: tuple[Link, ...]
    pixel: float


def layout_of(game: Game) -> Layout:
    """Return the rows and columns of all positions of a game."""
    grid = game._loaded.tables.grid
    rectangles = _rectangles(game)
    if hexagons(_in_rectangles(rectangles, game.positions)):
        staggered = rectangle_layout(game.positions, rectangles, staggered=True)
        if staggered is not None:
            return staggered
    size = grid.rows * grid.columns
    # A script may have overwritten these variables with invalid numbers.  In a rule file, a few
    # names may look like those of a small grid, which is not the board.
    if grid.rows > 0 and grid.columns > 0 and len(rectangles) / 2 <= size <= len(game.positions):
        return grid_layout(game.positions, grid.rows, grid.columns)
    inferred = infer_layout(game.positions, top_down=grid.flip)
    if min(len(inferred.row_labels), len(inferred.column_labels)) > 1:
        return inferred
    return rectangle_layout(game.positions, rectangles) or inferred


def places_of(game: Game, layout: Layout, names: Sequence[str], points: bool | None) -> Places:
    """Return the places of some positions of a game.

    Args:
        game: The game.
        layout: Its layout.
        names: The positions.
        points: Whether pieces stand on points; None: by the rules of lattice.py.
    """
    coordinates = {name: layout.coordinates[game._loaded.position_index[name]] for name in names}
    cells = {name: cell for name, cell in coordinates.items() if cell}
    top = min((row for row, _ in cells.values()), default=0)
    left = min((column for _, column in cells.values()), default=0)
    bottom = max((row for row, _ in cells.values()), default=-1)
    right = max((column for _, column in cells.values()), default=-1)
    cells = {name: (row - top, column - left) for name, (row, column) in cells.items()}
    links = _links(game)
    rectangles = _rectangles(game)
    places = _in_rectangles(rectangles, names)
    in_layers = rectangles != _rule_file_rectangles(game._loaded)
    has_pixels = bool(places) and not in_layers
    shift = 0.0 if places else row_shift(cells, links)
    places = places or _in_rows(cells, shift)
    in_rows = {name: cell for name, cell in cells.items() if name in places}
    found = None if points else hexagons(places)
    if points is None:
        points = not (found or in_layers) and stand_on_points(
            places, in_rows, links, only_drops=not game._loaded.has_moves
        )
    unit = _unit(places, by_distance=points or bool(found))
    places = {
        name: Place(at.x / unit, at.y / unit, at.width / unit, at.height / unit)
        for name, at in places.items()
    }
    return Places(
        places=places,
        cells=cells,
        rows=tuple(map(visible, layout.row_labels[top : bottom + 1])),
        columns=tuple(map(visible, layout.column_labels[left : right + 1])),
        hexagons=(found and hexagons(places)) or {},
        points=points,
        lines=tuple(lines_between(places, in_rows, links)) if points else (),
        pixel=1 / unit if has_pixels else 0.0,
    )


def _rectangles(game: Game) -> dict[str, Rectangle]:
    """Return the rectangles of a rule file's positions, with its layers beside each other."""
    return game._loaded.once_for_tables(_layers_apart)


def _layers_apart(game: LoadedGame) -> dict[str, Rectangle]:
    rectangles = _rule_file_rectangles(game)
    return apart(rectangles) if rectangles else rectangles


def _rule_file_rectangles(game: LoadedGame) -> dict[str, Rectangle]:
    return game.rules.rules.board.rectangles if game.rules else {}


def _links(game: Game) -> set[Link]:
    """Return the linked positions, without those that the compiler of rule files adds."""
    if game._loaded.rules is not None:
        links = game._loaded.rules.rules.board.links.values()
        return {link for targets in links for link in targets.items()}
    names = game.positions
    return {
        (names[start], names[target])
        for direction in game.directions
        for start, target in enumerate(direction.links)
        if 0 <= target < len(names)
    }


def _in_rectangles(rectangles: dict[str, Rectangle], names: Sequence[str]) -> dict[str, Place]:
    """Return the places in rectangles, one for each rectangle; none if many places share one."""
    found: dict[tuple[float, float], tuple[str, Place]] = {}
    shown = [name for name in names if name in rectangles]
    for name in shown:
        left, top, right, bottom = rectangles[name]
        place = Place((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
        found.setdefault((place.x, place.y), (name, place))
    return dict(found.values()) if 4 * len(found) >= 3 * len(shown) else {}


def _in_rows(cells: dict[str, Cell], shift: float) -> dict[str, Place]:
    down = _ROW_OF_HEXAGONS if shift else 1.0
    return {name: Place(column + row * shift, row * down) for name, (row, column) in cells.items()}


def _unit(places: dict[str, Place], *, by_distance: bool) -> float:
    """Return the length that is 1 in a scene.

    Args:
        places: The places.
        by_distance: Whether it is the median distance between neighbours, as for points and
            hexagons; otherwise it is the median width of the places.
    """
    distances = nearest_distances(places).values()
    widths = distances if by_distance else [place.width for place in places.values()]
    return median(widths or [1.0]) or 1.0
