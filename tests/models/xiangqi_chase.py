"""A second model of perpetual chase in xiangqi, from the rule in the README of the game.

It follows the pieces forward from the first occurrence of a position; the script reads the moves
backward.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

__all__ = ["chases_through", "threatened"]

_FILES = "abcdefghi"
_POINTS = re.compile(r"([a-i])(\d+)")
Point = tuple[int, int]
"""File and rank, from 0; rank 0 is Red's first."""
Board = dict[Point, str]
"""Letters of FEN: upper case for Red."""


def _board(fen: str) -> Board:
    board: Board = {}
    for row, text in enumerate(fen.split(maxsplit=1)[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, 9 - row] = letter
                file += 1
    return board


def _between(board: Board, a: Point, b: Point) -> int:
    """Return the number of pieces between two points of a line; -1 for other points."""
    if (a[0] == b[0]) == (a[1] == b[1]):
        return -1
    step = (_sign(b[0] - a[0]), _sign(b[1] - a[1]))
    count, at = 0, (a[0] + step[0], a[1] + step[1])
    while at != b:
        count += at in board
        at = (at[0] + step[0], at[1] + step[1])
    return count


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _crossed(point: Point, is_red: bool) -> bool:
    return point[1] > 4 if is_red else point[1] < 5


def _captures(board: Board, a: Point, b: Point) -> bool:
    """Whether the piece on a reaches b, where an enemy stands, apart from check."""
    letter, is_red = board[a].lower(), board[a].isupper()
    across, up = b[0] - a[0], b[1] - a[1]
    size = tuple(sorted((abs(across), abs(up))))
    in_palace = 3 <= b[0] <= 5 and (b[1] <= 2 or b[1] >= 7)
    match letter:
        case "r" | "c":
            return _between(board, a, b) == (letter == "c")
        case "n" | "h":
            leg = (a[0] + across // 2, a[1]) if abs(across) == 2 else (a[0], a[1] + up // 2)
            return size == (1, 2) and leg not in board
        case "k" | "a":
            return size == ((0, 1) if letter == "k" else (1, 1)) and in_palace
        case "b" | "e":
            eye = (a[0] + across // 2, a[1] + up // 2)
            return size == (2, 2) and eye not in board and not _crossed(b, is_red)
        case _:
            ahead = (0, 1) if is_red else (0, -1)
            return (across, up) == ahead or (size == (0, 1) and up == 0 and _crossed(a, is_red))


def _threats(board: Board, is_red: bool) -> Iterator[tuple[Point, Point]]:
    """Yield attackers and what they threaten."""
    for a, attacker in board.items():
        if attacker.isupper() != is_red or attacker.lower() not in "rcnh":
            continue
        for b, target in board.items():
            if target.isupper() == is_red or target.lower() == "k":
                continue
            if target.lower() == "p" and not _crossed(b, not is_red):
                continue
            if not _captures(board, a, b):
                continue
            kinds = attacker.lower(), target.lower()
            if kinds[0] == kinds[1] and _captures(board, b, a):
                continue
            after = {point: piece for point, piece in board.items() if point not in (a, b)}
            after[b] = attacker
            owners = [p for p, piece in after.items() if piece.isupper() != is_red]
            is_protected = any(_captures(after, p, b) for p in owners)
            if (kinds[1] == "r" and kinds[0] != "r") or not is_protected:
                yield a, b


def threatened(fen: str, is_red: bool, *, after: str = "") -> set[str]:
    """Return the names of points on which a player threatens a piece.

    Args:
        fen: A position.
        is_red: Whether the player is Red.
        after: A move, such as `a1a10`, that is made before.
    """
    board = _board(fen)
    if after:
        names = _POINTS.findall(after)
        source, target = ((_FILES.index(file), int(rank) - 1) for file, rank in names)
        board[target] = board.pop(source)
    return {f"{_FILES[b[0]]}{b[1] + 1}" for _, b in _threats(board, is_red)}


def chases_through(fens: Sequence[str], is_red: bool) -> bool:
    """Whether a player chased one piece with every move of a sequence of positions.

    Args:
        fens: The positions from the first occurrence on, to the last one; no move captures.
        is_red: Whether the player is Red.
    """
    boards = [_board(fen) for fen in fens]
    names = {point: point for point in boards[0]}  # where each piece was at the beginning
    always: set[Point] | None = None
    for before, after in pairwise(boards):
        (source,) = before.keys() - after.keys()
        (target,) = after.keys() - before.keys()
        names[target] = names.pop(source)
        if after[target].isupper() != is_red:
            continue
        chased = set()
        for a, b in _threats(after, is_red):
            if not _captures(before, source if a == target else a, b):
                chased.add(names[b])
        always = chased if always is None else always & chased
    return bool(always)
