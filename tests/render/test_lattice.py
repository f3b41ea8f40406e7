"""The pattern that the places of a board form, and the lines between them."""

from __future__ import annotations

from itertools import product
from math import hypot

import pytest

from forthvm.render.lattice import (
    Cell,
    Link,
    Place,
    hexagons,
    lines_between,
    row_shift,
    stand_on_points,
)
from tests.kit.cases import each_case

ORTHOGONAL = [(0, 1), (1, 0)]
DIAGONAL = [(1, 1), (1, -1)]


def name(row: int, column: int) -> str:
    return f"{chr(97 + column)}{row}"


def cells(rows: int, columns: int) -> dict[str, Cell]:
    return {name(*cell): cell for cell in product(range(rows), range(columns))}


def places(board: dict[str, Cell], *, gap: float = 1.0) -> dict[str, Place]:
    """Squares of width 1; `gap` is the distance of neighbouring middles."""
    return {square: Place(column * gap, row * gap) for square, (row, column) in board.items()}


def links(board: dict[str, Cell], steps: list[Cell]) -> set[Link]:
    """Links from each square by each step and back."""
    pairs = {
        (one, other)
        for (one, start), (other, end) in product(board.items(), repeat=2)
        if (end[0] - start[0], end[1] - start[1]) in steps
    }
    return pairs | {(other, one) for one, other in pairs}


def alquerque() -> set[Link]:
    """Diagonals only through the points whose row and column are both even or both odd."""
    board = cells(5, 5)
    diagonals = {(one, other) for one, other in links(board, DIAGONAL) if sum(board[one]) % 2 == 0}
    return links(board, ORTHOGONAL) | diagonals


MILL = {
    name(row, column): (row, column)
    for row, columns in enumerate(("036", "135", "234", "012456", "234", "135", "036"))
    for column in map(int, columns)
}
"""Three squares inside each other, in a grid of seven by seven."""


def mill_links() -> set[Link]:
    """Links to the next point in a row or column, but not across the middle."""
    found: set[Link] = set()
    for one, start in MILL.items():
        for down, right in ORTHOGONAL:
            line = [(start[0] + at * down, start[1] + at * right) for at in range(1, 7)]
            target = next((cell for cell in line if cell in MILL.values()), None)
            crosses = (3, 3) in line and target and target > (3, 3)
            if target and not crosses:
                found.add((one, name(*target)))
    return found | {(other, one) for one, other in found}


# --- points ---------------------------------------------------------------------------------


def decide(
    board: dict[str, Cell], linked: set[Link], *, gap: float = 1, drops: bool = False
) -> bool:
    return stand_on_points(places(board, gap=gap), board, linked, only_drops=drops)


def test_squares_that_touch_are_areas() -> None:
    board = cells(8, 8)
    assert not decide(board, links(board, ORTHOGONAL + DIAGONAL))
    assert not decide(board, links(board, ORTHOGONAL))


@pytest.mark.parametrize(("gap", "points"), [(0.5, True), (1.1, False), (1.3, True)])
def test_places_apart_or_over_each_other_are_points(gap: float, points: bool) -> None:
    board = cells(3, 3)
    assert decide(board, links(board, ORTHOGONAL), gap=gap) is points


def test_places_apart_without_links_are_areas() -> None:
    assert not decide(cells(3, 3), set(), gap=2)


def test_some_diagonals_make_points() -> None:
    assert decide(cells(5, 5), alquerque())


def test_links_over_empty_cells_make_points() -> None:
    assert len(MILL) == 24
    assert len(mill_links()) == 2 * 32  # 8 for each square, and 4 spokes of two parts
    assert decide(MILL, mill_links())


def test_the_dark_squares_of_a_chequered_board_are_areas() -> None:
    board = {square: cell for square, cell in cells(8, 8).items() if sum(cell) % 2}
    assert not decide(board, links(board, [*DIAGONAL, (0, 2), (2, 0)]))


@each_case(("side", "points"), [(7, False), (8, False), (9, True), (19, True)])
def test_go_is_played_on_points(side: int, points: bool) -> None:
    board = cells(side, side)
    linked = links(board, ORTHOGONAL) if side < 10 else set()
    assert decide(board, linked, drops=True) is points
    assert not decide(board, linked)


# --- lines ----------------------------------------------------------------------------------


def test_each_link_of_a_mill_board_is_one_line() -> None:
    drawn = lines_between(places(MILL), MILL, mill_links())
    assert {frozenset(line) for line in drawn} == {frozenset(link) for link in mill_links()}
    assert len(drawn) == 32


def test_alquerque_has_its_diagonals() -> None:
    board = cells(5, 5)
    drawn = lines_between(places(board), board, alquerque())
    diagonal = [line for line in drawn if board[line[0]][0] != board[line[1]][0]]
    diagonal = [line for line in diagonal if board[line[0]][1] != board[line[1]][1]]
    assert len(drawn) == 40 + 16
    assert len(diagonal) == 16


def test_if_all_diagonals_are_linked_rows_and_columns_are_drawn() -> None:
    board = cells(5, 5)
    assert len(lines_between(places(board), board, links(board, ORTHOGONAL + DIAGONAL))) == 40


def test_knights_moves_and_jumps_are_no_lines() -> None:
    board = cells(4, 4)
    linked = links(board, [*ORTHOGONAL, (1, 2), (0, 2)])
    assert len(lines_between(places(board), board, linked)) == 24


# --- hexagons -------------------------------------------------------------------------------


def brick(rows: int, columns: int, *, down: float = 0.866, width: float = 1) -> dict[str, Place]:
    """Rows that are shifted by half a place."""
    return {
        name(row, column): Place(column + row / 2, row * down, width, width)
        for row, column in product(range(rows), range(columns))
    }


@pytest.mark.parametrize("turned", [False, True])
def test_hexagons_fill_the_plane(turned: bool) -> None:
    board = brick(4, 5)
    if turned:
        board = {name: Place(at.y, at.x) for name, at in board.items()}
    found = hexagons(board)
    assert found is not None
    for one, other in product(board, repeat=2):
        apart = hypot(board[one].x - board[other].x, board[one].y - board[other].y)
        if 0 < apart < 1.01:  # neighbours
            common = {(round(x, 6), round(y, 6)) for x, y in found[one].corners} & {
                (round(x, 6), round(y, 6)) for x, y in found[other].corners
            }
            assert len(common) == 2  # they share an edge
            assert found[one].shade != found[other].shade


@each_case(
    "board",
    [
        places(cells(5, 5)),
        brick(4, 5, down=0.5),  # the squares of one colour
        brick(4, 5, width=0.5),  # small places, far apart
        brick(2, 9),
    ],
)
def test_other_boards_have_no_hexagons(board: dict[str, Place]) -> None:
    assert hexagons(board) is None


def test_hexagons_whose_shift_is_rounded_to_pixels() -> None:
    """Columns are shifted by 15 pixels instead of 17; over nine columns that is half a place."""
    board = {
        f"{column}{row}": Place(30.0 * column, 34.0 * row + 15.0 * column, 30.0, 30.0)
        for column in range(9)
        for row in range(9)
    }
    found = hexagons(board)
    assert found.keys() == board.keys()


def test_a_grid_with_one_kind_of_diagonals_is_of_hexagons() -> None:
    board = cells(5, 5)
    assert row_shift(board, links(board, [*ORTHOGONAL, (1, -1)])) == 0.5
    assert row_shift(board, links(board, [*ORTHOGONAL, (1, 1)])) == -0.5
    assert row_shift(board, links(board, ORTHOGONAL + DIAGONAL)) == 0
    assert row_shift(board, links(board, ORTHOGONAL)) == 0
    assert row_shift(board, links(board, DIAGONAL)) == 0
