"""Breakthrough 8x8 in plain Python: a peer of benchmarks/search.py.

Squares 0 (a8) to 63 (h1); 0 empty, 1 White (moves up), 2 Black.
"""

from __future__ import annotations

import random

__all__ = ["moves", "playout", "start", "value"]

SIDE, SQUARES, WIN = 8, 64, 10**5
LOW, HIGH = -(10**6), 10**6


def start() -> list[int]:
    """The first position."""
    return [2] * (2 * SIDE) + [0] * (SQUARES - 4 * SIDE) + [1] * (2 * SIDE)


def moves(board: list[int], side: int) -> list[tuple[int, int]]:
    """All moves, from and to."""
    ahead = -SIDE if side == 1 else SIDE
    found = []
    for at, owner in enumerate(board):
        to = at + ahead
        if owner != side or not 0 <= to < SQUARES:
            continue
        if board[to] == 0:
            found.append((at, to))
        if at % SIDE and board[to - 1] != side:
            found.append((at, to - 1))
        if at % SIDE != SIDE - 1 and board[to + 1] != side:
            found.append((at, to + 1))
    return found


def won(board: list[int], to: int, side: int) -> bool:
    """Whether the move to that square has won."""
    reached = to < SIDE if side == 1 else to >= SQUARES - SIDE
    return reached or 3 - side not in board


def value(  # noqa: PLR0913 - the usual arguments of alpha-beta
    board: list[int], side: int, depth: int, low: int = LOW, high: int = HIGH, *, nodes: list[int]
) -> int:
    """Alpha-beta by material; `nodes` counts."""
    nodes[0] += 1
    if depth == 0:
        return board.count(side) - board.count(3 - side)
    best = LOW
    for at, to in moves(board, side):
        taken = board[to]
        board[at], board[to] = 0, side
        if won(board, to, side):
            nodes[0] += 1
            found = WIN
        else:
            found = -value(board, 3 - side, depth - 1, -high, -low, nodes=nodes)
        board[at], board[to] = side, taken
        best, low = max(best, found), max(low, found)
        if low >= high:
            break
    return best


def playout(chooser: random.Random) -> int:
    """A random game; who won."""
    board, side = start(), 1
    while True:
        at, to = chooser.choice(moves(board, side))
        board[at], board[to] = 0, side
        if won(board, to, side):
            return side
        side = 3 - side
