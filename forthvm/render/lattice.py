"""The pattern that the places of a board form: areas, hexagons, or points on lines.

Owns the rules that decide between them, and which lines are drawn.  It works on places in the plane
and the links between them.

Places are hexagons if each row is shifted by half a place against the next row (`hexagons`).

Pieces stand on points, where lines meet, if one of these rules holds (`stand_on_points`):

1. There is a gap of at least a quarter of a place between neighbours, or they overlap.
2. All neighbours in rows and columns are linked, but only some of the neighbours on diagonals, as
   on the boards of alquerque and fanorona.
3. More than a quarter of the links lead over empty cells to a place further away, as on the boards
   of mill games, and the places are not the squares of one colour of a chequered board.
4. The board is a full square with a side of 9 or more places, an odd number, and pieces are only
   put on it, never moved, as in go and gomoku.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot, inf
from operator import itemgetter
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from forthvm.render.scene_types import Point

__all__ = [
    "Cell",
    "Hexagon",
    "Link",
    "Place",
    "hexagons",
    "lines_between",
    "nearest_distances",
    "points_with_dots",
    "row_shift",
    "stand_on_points",
]

Cell = tuple[int, int]
"""Row and column."""
Link = tuple[str, str]

_GAP, _OVERLAP = 1.25, 0.85  # distances between neighbours, in sizes of a place
_MIN_HEXAGONS, _MIN_HEXAGON_ROWS = 7, 3
_FLAT, _STEEP = 0.65, 1.2  # distances between rows of hexagons, in distances between columns
_INEXACT = 0.15  # tolerance, in distances between neighbours
_GO_SIDE = 9
_INNER_SIDE = 13  # the side from which star points are on the fourth line, not the third
_FULL_SIDE = 17  # the side from which there are nine star points, not five
_FEW, _SOME, _MOST = 0.2, 0.75, 0.9  # shares of the pairs of neighbours that are linked
_LONG_LINKS = 0.25  # the share of long links in rule 3
_NEIGHBOUR = 1.5  # in distances of the nearest place
_RIGHT, _DOWN, _FALLING, _RISING = (0, 1), (1, 0), (1, 1), (1, -1)


@dataclass(frozen=True)
class Place:
    """A place: its centre, and the width and height of the rectangle around it."""

    x: float
    y: float
    width: float = 1.0
    height: float = 1.0


@dataclass(frozen=True)
class Hexagon:
    """The corners of a hexagon, and which of the three colours of the pattern it has."""

    corners: tuple[Point, ...]
    shade: int


def nearest_distances(places: Mapping[str, Place]) -> dict[str, float]:
    """Return the distance from each place to the nearest other place; 0 if there is no other."""
    return {
        name: hypot(one.x - other.x, one.y - other.y)
        for (name, one), other in zip(places.items(), _nearest(places), strict=True)
    }


def _nearest(places: Mapping[str, Place]) -> list[Place]:
    """Return for each place the nearest other place; the place itself if there is no other."""
    ordered = sorted(places.values(), key=lambda place: place.x)
    found = {}
    for at, one in enumerate(ordered):
        best, least = one, inf
        for side in (ordered[at + 1 :], reversed(ordered[:at])):
            for other in side:
                if abs(other.x - one.x) >= least:
                    break  # all others are further to this side
                distance = hypot(other.x - one.x, other.y - one.y)
                if distance < least:
                    best, least = other, distance
        found[id(one)] = best
    return [found[id(one)] for one in places.values()]


# --- hexagons ---------------------------------------------------------------------------------


def hexagons(places: Mapping[str, Place]) -> dict[str, Hexagon] | None:
    """Return a hexagon for each place, without gaps between them; None for another pattern."""
    upright = _hexagons_in_rows(places)
    if upright is not None:
        return upright
    turned = {name: Place(at.y, at.x, at.height, at.width) for name, at in places.items()}
    found = _hexagons_in_rows(turned)
    return found and {
        name: Hexagon(tuple((y, x) for x, y in one.corners), one.shade)
        for name, one in found.items()
    }


def _hexagons_in_rows(places: Mapping[str, Place]) -> dict[str, Hexagon] | None:
    """Return hexagons with a corner at the top, in rows that are shifted by half a place."""
    if len(places) < _MIN_HEXAGONS:
        return None
    rows = _rows(places, median(at.height for at in places.values()) / 4)
    steps = [after - before for row in rows for before, after in pairwise(sorted(row.values()))]
    heights = [places[next(iter(row))].y for row in rows]
    gaps = [after - before for before, after in pairwise(heights)]
    if len(rows) < _MIN_HEXAGON_ROWS or not steps:
        return None
    across, down = median(steps), median(gaps)
    inexact = _INEXACT * across
    if (
        across <= 0  # places on top of each other
        or not _FLAT < down / across < _STEEP
        or any(abs(gap - down) > inexact for gap in gaps)
        or median(at.width for at in places.values()) * _GAP < across
    ):
        return None
    found = {}
    first, first_halves = min(rows[0].values()), 0  # of the row above; half places from its left
    for number, row in enumerate(rows):
        at, halves = first, first_halves
        for place, (name, x) in enumerate(sorted(row.items(), key=itemgetter(1))):
            passed = round(2 * (x - at) / across)
            # A file may round the shift of a row to pixels, so errors would add up over rows.
            if abs(at + passed * across / 2 - x) > inexact:
                return None
            at, halves = x, halves + passed
            if (halves - number) % 2:
                return None
            if place == 0:
                first, first_halves = at, halves
            shade = ((halves - number) // 2 - number) % 3
            found[name] = Hexagon(_corners(x, heights[number], across, down), shade)
    return found


def _rows(places: Mapping[str, Place], near: float) -> list[dict[str, float]]:
    """Return the rows from the top, each with the distance of its places from the left."""
    rows: list[dict[str, float]] = []
    top = 0.0
    for name, at in sorted(places.items(), key=lambda item: item[1].y):
        if not rows or at.y - top > near:
            rows.append({})
            top = at.y
        rows[-1][name] = at.x
    return rows


def _corners(x: float, y: float, across: float, down: float) -> tuple[Point, ...]:
    side, tip, shoulder = across / 2, down * 2 / 3, down / 3
    return (
        (x, y - tip),
        (x + side, y - shoulder),
        (x + side, y + shoulder),
        (x, y + tip),
        (x - side, y + shoulder),
        (x - side, y - shoulder),
    )


def row_shift(cells: Mapping[str, Cell], links: Collection[Link]) -> float:
    """Return how far each row of hexagons is shifted right against the row above: 0.5 or -0.5.

    The cells of a grid are hexagons if neighbours in rows, columns and one kind of diagonals are
    linked, and no neighbours on the other kind.  For any other grid the result is 0.
    """
    linked, possible = _neighbours(cells, links)
    if any(linked[step] < _MOST * possible[step] for step in (_RIGHT, _DOWN)):
        return 0.0
    for step, other, shift in ((_RISING, _FALLING, 0.5), (_FALLING, _RISING, -0.5)):
        if possible[step] and linked[step] >= _MOST * possible[step] and not linked[other]:
            return shift
    return 0.0


# --- points and lines -------------------------------------------------------------------------


def stand_on_points(
    places: Mapping[str, Place],
    cells: Mapping[str, Cell],
    links: Collection[Link],
    *,
    only_drops: bool,
) -> bool:
    """Return whether pieces stand on points, where lines meet.

    Args:
        places: The places of the board.
        cells: The row and column of the places that are in rows.
        links: The linked places.
        only_drops: Whether pieces are put on the board and never moved.
    """
    return bool(
        _keep_distance(places, links)
        or _has_some_diagonals(cells, links)
        or _has_long_links(cells, links)
        or (only_drops and _is_odd_square(cells))
    )


def _keep_distance(places: Mapping[str, Place], links: Collection[Link]) -> bool:
    """Rule 1."""
    linked = {name for link in links for name in link}
    if 2 * len(linked & places.keys()) < len(places):
        return False
    ratios = [
        max(abs(one.x - other.x) / one.width, abs(one.y - other.y) / one.height)
        for one, other in zip(places.values(), _nearest(places), strict=True)
    ]
    return len(ratios) > 1 and not _OVERLAP < median(ratios) < _GAP


def _has_some_diagonals(cells: Mapping[str, Cell], links: Collection[Link]) -> bool:
    """Rule 2."""
    linked, possible = _neighbours(cells, links)
    straight, diagonal = possible[_RIGHT] + possible[_DOWN], possible[_RISING] + possible[_FALLING]
    return (
        0 < _MOST * straight <= linked[_RIGHT] + linked[_DOWN]
        and _FEW * diagonal <= linked[_RISING] + linked[_FALLING] <= _SOME * diagonal
        and min(linked[_RISING], linked[_FALLING]) > 0
    )


def _has_long_links(cells: Mapping[str, Cell], links: Collection[Link]) -> bool:
    """Rule 3."""
    used = set(cells.values())
    if len({(row + column) % 2 for row, column in used}) == 1:
        return False  # the squares of one colour of a chequered board
    pairs = {frozenset(link) for link in links if cells.keys() >= set(link)}
    pairs = {pair for pair in pairs if len(pair) > 1}
    ends = [[cells[name] for name in pair] for pair in pairs]
    long = [1 for start, end in ends if _leads_over_empty_cells(start, end, used)]
    return len(long) > _LONG_LINKS * len(ends)


def _leads_over_empty_cells(start: Cell, end: Cell, used: Collection[Cell]) -> bool:
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right))
    if steps < 2 or (down and right and abs(down) != abs(right)):  # a neighbour
        return False
    between = (
        (start[0] + down * at // steps, start[1] + right * at // steps) for at in range(1, steps)
    )
    return not any(cell in used for cell in between)


def _is_odd_square(cells: Mapping[str, Cell]) -> bool:
    """Rule 4, without the condition that pieces never move."""
    side = len({row for row, _ in cells.values()})
    return side >= _GO_SIDE and side % 2 == 1 and len(cells) == side * side


def points_with_dots(cells: Mapping[str, Cell]) -> Collection[str]:
    """Return the points that a dot marks: the star points of a board as in rule 4, else all."""
    if not _is_odd_square(cells):
        return cells
    last = max(row for row, _ in cells.values())
    edge, middle = (3 if last + 1 >= _INNER_SIDE else 2), last // 2
    lines = {edge, last - edge}
    if last + 1 >= _FULL_SIDE:
        lines.add(middle)
    return {
        name for name, cell in cells.items() if lines.issuperset(cell) or cell == (middle, middle)
    }


def _neighbours(
    cells: Mapping[str, Cell], links: Collection[Link]
) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """Count the linked and all pairs of neighbours for each kind of step."""
    names = {cell: name for name, cell in cells.items()}
    linked = dict.fromkeys((_RIGHT, _DOWN, _FALLING, _RISING), 0)
    possible = dict.fromkeys(linked, 0)
    for (row, column), name in names.items():
        for down, right in linked:
            other = names.get((row + down, column + right))
            if other is not None:
                possible[down, right] += 1
                linked[down, right] += (name, other) in links or (other, name) in links
    return linked, possible


def lines_between(
    places: Mapping[str, Place],
    cells: Mapping[str, Cell],
    links: Iterable[Link],
) -> list[Link]:
    """Return the pairs of places between which a line is drawn.

    These are linked neighbours, and linked places further away in the same row, column or diagonal
    without a place between them.  If nearly all neighbours on diagonals are linked, these links are
    steps of pieces rather than lines of the board: only rows and columns are drawn.

    Args:
        places: The places of the board.
        cells: The row and column of the places that are in rows.
        links: The linked places.
    """
    nearest = nearest_distances(places)
    inexact = _INEXACT * median(nearest.values())
    links = {link for link in links if link[0] != link[1] and places.keys() >= set(link)}
    linked, possible = _neighbours(cells, links)
    straight_only = linked[_RISING] + linked[_FALLING] > _SOME * (
        possible[_RISING] + possible[_FALLING]
    )
    drawn: dict[frozenset[str], Link] = {}
    for start, end in sorted(links):
        one, other = places[start], places[end]
        right, down = abs(other.x - one.x), abs(other.y - one.y)
        is_straight = min(right, down) < inexact
        if straight_only and not is_straight:
            continue
        is_near = hypot(right, down) <= _NEIGHBOUR * max(nearest[start], nearest[end])
        if is_near or (
            (is_straight or abs(right - down) < inexact)
            and not any(_between(one, other, places.values(), inexact))
        ):
            drawn.setdefault(frozenset((start, end)), (start, end))
    return list(drawn.values())


def _between(one: Place, other: Place, places: Iterable[Place], near: float) -> Iterator[Place]:
    """Yield the places on the line between two places."""
    right, down = other.x - one.x, other.y - one.y
    length = hypot(right, down)
    if not length:  # places on top of each other
        return
    for place in places:
        along = ((place.x - one.x) * right + (place.y - one.y) * down) / length
        across = abs((place.x - one.x) * down - (place.y - one.y) * right) / length
        if near < along < length - near and across < near:
            yield place
