"""Rithmomachia: squares, pieces, set-up and moves.

Owns sections 1 to 3 of `rules/rithmomachia.md` with the options `moves` and
`pyramid-diagonal`.  It follows the rules page alone, with all options; rithmomachia.py is a smaller
model of the presets `article` and `script` only.

Interpretations where that page has no rule:
- A pyramid is intact while it has as many parts as in the set-up: White six, Black five.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from tests.models.rithmomachia_options import Options

__all__ = [
    "COLUMNS",
    "DIAGONAL",
    "ORTHOGONAL",
    "OTHER",
    "ROWS",
    "RUN",
    "SETUP",
    "SETUP_PARTS",
    "SQUARES",
    "Board",
    "Parts",
    "Piece",
    "all_empty",
    "diagonals",
    "intact",
    "kinds",
    "legal_moves",
    "neighbours",
    "offset",
    "orthogonals",
    "parse_piece",
    "paths",
    "ray",
    "territory",
]


class Piece(NamedTuple):
    """A piece or a part of a pyramid: side (W or B), class and number.

    The classes are R (round), T (triangle), S (square) and P (pyramid); they decide how a piece
    moves.  The number of a pyramid only names it: it is the sum of the parts in the set-up, and
    losses of parts do not change it.  The parts are stored separately.
    """

    side: str
    kind: str
    value: int

    def __str__(self) -> str:
        return f"{self.side}{self.kind}{self.value}"


Board = Mapping[str, Piece]
Parts = Mapping[str, tuple[Piece, ...]]
Step = tuple[int, int]

OTHER: Final = {"W": "B", "B": "W"}
COLUMNS: Final = "cdefghij"
ROWS: Final = range(1, 17)
SQUARES: Final = tuple(f"{column}{row}" for row in ROWS for column in COLUMNS)
_SQUARES: Final = frozenset(SQUARES)

ORTHOGONAL: Final[tuple[Step, ...]] = ((0, 1), (0, -1), (-1, 0), (1, 0))
DIAGONAL: Final[tuple[Step, ...]] = ((1, 1), (1, -1), (-1, 1), (-1, -1))
RUN: Final = {"R": 1, "T": 2, "S": 3}  # the distance that a class moves in a straight line


def parse_piece(text: str) -> Piece:
    """Return the piece named by a text such as `WS25`."""
    return Piece(text[0], text[1], int(text[2:]))


# Side, row number, and the pieces on the columns c to j.
_SETUP_ROWS: Final = """
W 6 . . R2 R4 R6 R8 . .
W 5 T9 T6 R4 R16 R36 R64 T72 T81
W 4 S15 S45 T25 T20 T42 T49 P91 S153
W 3 S25 S81 . . . . S169 S289
B 14 S361 S225 . . . . S121 S49
B 13 P190 S120 T64 T56 T30 T36 S66 S28
B 12 T100 T90 R81 R49 R25 R9 T12 T16
B 11 . . R9 R7 R5 R3 . .
"""


def _set_up() -> dict[str, Piece]:
    found = {}
    for line in _SETUP_ROWS.strip().splitlines():
        side, row, *pieces = line.split()
        for column, piece in zip(COLUMNS, pieces, strict=True):
            if piece != ".":
                found[column + row] = parse_piece(side + piece)
    return found


SETUP: Final[Board] = _set_up()
SETUP_PARTS: Final[Parts] = {
    "W": tuple(parse_piece("W" + part) for part in ("S36", "S25", "T16", "T9", "R4", "R1")),
    "B": tuple(parse_piece("B" + part) for part in ("S64", "S49", "T36", "T25", "R16")),
}


# --- geometry ----------------------------------------------------------------------------------


@cache
def offset(square: str, dx: int, dy: int) -> str | None:
    """Return the square `dx` columns and `dy` rows away, None off the board."""
    column = chr(ord(square[0]) + dx)
    name = f"{column}{int(square[1:]) + dy}"
    return name if name in _SQUARES else None


@cache
def orthogonals(square: str) -> tuple[str | None, ...]:
    """Return the orthogonal neighbours of a square, None beyond the edge."""
    return tuple(offset(square, *step) for step in ORTHOGONAL)


@cache
def diagonals(square: str) -> tuple[str | None, ...]:
    """Return the diagonal neighbours of a square, None beyond the edge."""
    return tuple(offset(square, *step) for step in DIAGONAL)


def neighbours(square: str) -> tuple[str | None, ...]:
    """Return the eight neighbours: north, south, west, east, ne, se, nw, sw."""
    return orthogonals(square) + diagonals(square)


@cache
def ray(square: str, step: Step) -> tuple[str, ...]:
    """Return the squares from a square in one direction to the edge, the nearest first."""
    found = []
    at = offset(square, *step)
    while at is not None:
        found.append(at)
        at = offset(at, *step)
    return tuple(found)


@cache
def territory(side: str) -> frozenset[str]:
    """Return the squares of a side's half of the board."""
    rows = range(1, 9) if side == "W" else range(9, 17)
    return frozenset(square for square in SQUARES if int(square[1:]) in rows)


# --- moves -------------------------------------------------------------------------------------

Path = tuple[str, tuple[str, ...]]  # a goal, and the squares between, which must be empty


def _run(square: str, steps: tuple[Step, ...], length: int) -> Iterator[Path]:
    """Yield straight paths of the given length."""
    for step in steps:
        line = ray(square, step)
        if len(line) >= length:
            yield line[length - 1], line[: length - 1]


def _leap(square: str, distance: int) -> Iterator[Path]:
    """Yield leaps of `distance` squares along one axis and one square along the other."""
    for across, along in ((1, distance), (distance, 1)):
        for sx in (1, -1):
            for sy in (1, -1):
                goal = offset(square, sx * across, sy * along)
                if goal is not None:
                    yield goal, ()


@cache
def paths(square: str, kind: str, moves: str) -> tuple[Path, ...]:
    """Return the paths of a class from a square; `P` is the diagonal run of an intact pyramid."""
    if kind == "P":
        return tuple(_run(square, DIAGONAL, 3))
    if moves == "straight":
        return tuple(_run(square, ORTHOGONAL + DIAGONAL, RUN[kind]))
    if kind == "R":
        return tuple(_run(square, DIAGONAL, 1))
    return (*_run(square, ORTHOGONAL, RUN[kind]), *_leap(square, RUN[kind]))


def intact(parts: Parts, side: str) -> bool:
    """Return whether a pyramid has all its original parts."""
    return len(parts[side]) == len(SETUP_PARTS[side])


def kinds(piece: Piece, parts: Parts, options: Options) -> set[str]:
    """Return the classes whose moves a piece has; `P` is an intact pyramid's diagonal run."""
    if piece.kind != "P":
        return {piece.kind}
    found = {part.kind for part in parts[piece.side]}
    if options.pyramid_diagonal == "on" and intact(parts, piece.side):
        found.add("P")
    return found


def all_empty(between: tuple[str, ...], board: Board) -> bool:
    """Return whether all squares are empty."""
    for name in between:  # noqa: SIM110 - the most frequently called function of the model
        if name in board:
            return False
    return True


def legal_moves(board: Board, parts: Parts, side: str, options: Options) -> list[tuple[str, str]]:
    """Return start and goal of every move of a side, sorted."""
    return sorted(
        {
            (square, goal)
            for square, piece in board.items()
            if piece.side == side
            for kind in kinds(piece, parts, options)
            for goal, between in paths(square, kind, options.moves)
            if goal not in board and all_empty(between, board)
        }
    )
