"""The board of Yonin Shogi: squares, pieces, set-up, directions and attacks.

Owns the geometry of sections 1 to 4 of `rules/yonin-shogi.md`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "KINDS",
    "PLAIN",
    "PLAYERS",
    "PROMOTED",
    "RAYS",
    "SETUP",
    "SLIDERS",
    "SQUARES",
    "STEPS",
    "Board",
    "Piece",
    "in_zone",
    "is_attacked",
    "line_of_travel",
    "lines_ahead",
    "pawn_may_stand",
]

PLAYERS: Final = ("South", "West", "North", "East")
KINDS: Final = ("pawn", "silver", "gold", "rook", "king")  # the order of counts in a hand
PROMOTED: Final = {"pawn": "tokin", "silver": "promoted silver", "rook": "dragon"}
PLAIN: Final = {promoted: plain for plain, promoted in PROMOTED.items()}
SQUARES: Final = tuple(f"{digit}{letter}" for letter in "abcdefghi" for digit in range(9, 0, -1))
SIZE: Final = 9

Direction = tuple[int, int]  # columns to the right, rows down
FORWARD: Final[tuple[Direction, ...]] = ((0, -1), (1, 0), (0, 1), (-1, 0))


class Piece(NamedTuple):
    """A piece on the board; its owner may change, the direction that it faces never does."""

    owner: int
    facing: int
    kind: str


Board = tuple[Piece | None, ...]


# --- directions ----------------------------------------------------------------------------------


def _directions(kind: str, facing: int) -> frozenset[Direction]:
    """Return the directions in which a kind of piece moves."""
    dx, dy = FORWARD[facing]
    right = (-dy, dx)
    left = (dy, -dx)
    back = (-dx, -dy)
    slant = {(dx + side[0], dy + side[1]) for side in (left, right)}
    behind = {(side[0] - dx, side[1] - dy) for side in (left, right)}
    forward = {(dx, dy)}
    beside = {left, right}
    if kind in ("king", "dragon"):
        return frozenset(forward | slant | beside | behind | {back})
    if kind == "silver":
        return frozenset(forward | slant | behind)
    if kind == "rook":
        return frozenset(forward | beside | {back})
    if kind == "pawn":
        return frozenset(forward)
    return frozenset(forward | slant | beside | {back})  # gold, tokin and promoted silver


STEPS: Final = {
    (kind, facing): _directions(kind, facing) for kind in (*KINDS, *PLAIN) for facing in range(4)
}
SLIDERS: Final = ("rook", "dragon")
_ALL_DIRECTIONS: Final = tuple(_directions("king", 0))


def _ray(at: int, direction: Direction) -> tuple[int, ...]:
    x, y = at % SIZE + direction[0], at // SIZE + direction[1]
    found = []
    while 0 <= x < SIZE and 0 <= y < SIZE:
        found.append(y * SIZE + x)
        x, y = x + direction[0], y + direction[1]
    return tuple(found)


RAYS: Final = tuple(
    {direction: _ray(at, direction) for direction in _ALL_DIRECTIONS} for at in range(SIZE * SIZE)
)
# The rays from each square, each with the opposite direction: attackers on the ray move in it.
_ATTACK_RAYS: Final = tuple(
    tuple(((-direction[0], -direction[1]), ray) for direction, ray in rays.items() if ray)
    for rays in RAYS
)


def lines_ahead(at: int, facing: int) -> int:
    """Return the number of lines ahead of a piece that faces a player's direction."""
    return len(RAYS[at][FORWARD[facing]])


def in_zone(at: int, facing: int) -> bool:
    """Return whether a square is in the promotion zone, the three lines farthest ahead."""
    return lines_ahead(at, facing) < 3


def pawn_may_stand(square: str, faces: str) -> bool:
    """Return whether a pawn that faces a player's direction can still move from a square."""
    return lines_ahead(SQUARES.index(square), PLAYERS.index(faces)) > 0


def line_of_travel(at: int, facing: int) -> int:
    """Return the number of the file or rank along which a pawn moves."""
    return at % SIZE if FORWARD[facing][0] == 0 else at // SIZE


# --- set-up (section 2) --------------------------------------------------------------------------

_HOMES: Final = {
    "South": ("5i", "4i 6i", "3i 7i", "5h", "4h 6h 5g"),
    "West": ("9e", "9d 9f", "9c 9g", "8e", "8d 8f 7e"),
    "North": ("5a", "4a 6a", "3a 7a", "5b", "4b 6b 5c"),
    "East": ("1e", "1d 1f", "1c 1g", "2e", "2d 2f 3e"),
}
SETUP: Final = {
    square: f"{player} {kind}"
    for player, homes in _HOMES.items()
    for kind, squares in zip(("king", "gold", "silver", "rook", "pawn"), homes, strict=True)
    for square in squares.split()
}


# --- attacks -------------------------------------------------------------------------------------


def is_attacked(board: Board, at: int, owner: int, living: tuple[bool, ...]) -> bool:
    """Return whether a piece of another living player attacks a square."""
    for back, ray in _ATTACK_RAYS[at]:
        for square in ray:
            piece = board[square]
            if piece is None:
                continue
            if piece.owner != owner and living[piece.owner]:
                steps_there = square == ray[0] and back in STEPS[piece.kind, piece.facing]
                if steps_there or (piece.kind in SLIDERS and 0 in back):
                    return True
            break
    return False
