"""Rithmomachia in plain Python, written from the rules page alone.

Owns moves and captures of `rules/rithmomachia.md` under the presets `article` and `script`
(section 11, items 1 to 5 and 7).  It does not use forthvm or a script.

A board maps square names to pieces such as `W S25`: side, class and number.  The classes are R
(round), T (triangle), S (square) and P (pyramid).  The parts of a pyramid are stored on squares
outside the playing board, the margin squares (section 2): White l1 to l6, Black a16 down to a12.

After a move, the pieces of the moving side capture enemy pieces in four ways:
- siege: the neighbours of the victim are occupied by the moving side or off the board;
- equality: a piece that could move to the victim's square has the victim's number;
- ambush: the numbers of two such pieces form the victim's number by arithmetic;
- eruption: a piece on the victim's row or column has a number that gives the victim's number when
  it is multiplied or divided by the count of squares from piece to victim, both included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, Literal

__all__ = [
    "BLACK_PARTS",
    "START",
    "WHITE_PARTS",
    "Board",
    "Preset",
    "captures",
    "legal",
    "perft",
    "play",
]

Board = Mapping[str, str]
Preset = Literal["article", "script"]
Square = tuple[int, int]

WHITE_PARTS: Final = ("l1", "l2", "l3", "l4", "l5", "l6")
BLACK_PARTS: Final = ("a16", "a15", "a14", "a13", "a12")
_PARTS: Final = {"W": WHITE_PARTS, "B": BLACK_PARTS}

# Row number, colour of the row's first square (not used), side, and the pieces from c to j.
_DIAGRAM: Final = """
14 W B  S361 S225 . . . . S121 S49
13 W B  P190 S120 T64 T56 T30 T36 S66 S28
12 W B  T100 T90 R81 R49 R25 R9 T12 T16
11 W B  . . R9 R7 R5 R3 . .
6 W W  . . R2 R4 R6 R8 . .
5 W W  T9 T6 R4 R16 R36 R64 T72 T81
4 W W  S15 S45 T25 T20 T42 T49 P91 S153
3 W W  S25 S81 . . . . S169 S289
"""


def _start() -> dict[str, str]:
    board = {}
    for line in _DIAGRAM.split("\n")[1:-1]:
        row, _, side, *pieces = line.split()
        for column, piece in zip("cdefghij", pieces, strict=True):
            if piece != ".":
                board[column + row] = f"{side} {piece}"
    for side, parts in (("W", "S36 S25 T16 T9 R4 R1"), ("B", "S64 S49 T36 T25 R16")):
        for square, part in zip(_PARTS[side], parts.split(), strict=True):
            board[square] = f"{side} {part}"
    return board


START: Final[Board] = _start()

_ARENA: Final[dict[str, Square]] = {
    column + str(row): (x, row) for x, column in enumerate("cdefghij") for row in range(1, 17)
}
_NAME: Final = {square: name for name, square in _ARENA.items()}
_ORTHOGONAL: Final = ((0, 1), (0, -1), (-1, 0), (1, 0))
_DIAGONAL: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_RUN: Final = {"T": 2, "S": 3}  # number of squares of a straight move
_LEAPS: Final = {
    kind: tuple((a * p, b * q) for a in (1, -1) for b in (1, -1) for p, q in ((1, run), (run, 1)))
    for kind, run in _RUN.items()
}
# For each offset from a goal: the classes that reach the goal in one move if nothing blocks them.
_REACH: Final[dict[Square, set[str]]] = {
    **{step: {"R"} for step in _DIAGONAL},
    **{leap: {kind} for kind, leaps in _LEAPS.items() for leap in leaps},
    **{(dx * run, dy * run): {kind} for kind, run in _RUN.items() for dx, dy in _ORTHOGONAL},
}


def _kind(piece: str) -> str:
    return piece[2]


def _value(piece: str) -> int:
    return int(piece[3:])


def _parts(board: Board, side: str) -> list[str]:
    """Return the margin squares of the remaining parts of a side's pyramid."""
    return [square for square in _PARTS[side] if board.get(square, "").startswith(side)]


def _kinds(board: Board, piece: str) -> set[str]:
    """Return the classes whose moves a piece has; a pyramid has those of its remaining parts."""
    if _kind(piece) != "P":
        return {_kind(piece)}
    return {_kind(board[square]) for square in _parts(board, piece[0])}


def _goals(board: Board, at: Square, kind: str) -> Iterator[Square]:
    x, y = at
    if kind == "R":
        yield from ((x + dx, y + dy) for dx, dy in _DIAGONAL)
        return
    yield from ((x + dx, y + dy) for dx, dy in _LEAPS[kind])
    for dx, dy in _ORTHOGONAL:
        between = [(x + dx * n, y + dy * n) for n in range(1, _RUN[kind])]
        if not any(_NAME.get(square, "") in board for square in between):
            yield x + dx * _RUN[kind], y + dy * _RUN[kind]


def legal(board: Board, side: str) -> list[tuple[str, str]]:
    """Return all moves of a side as pairs of start and goal."""
    found: set[tuple[str, str]] = set()
    for name, at in _ARENA.items():
        piece = board.get(name, "")
        if piece.startswith(side):
            for kind in _kinds(board, piece):
                found.update((name, _NAME.get(goal, "")) for goal in _goals(board, at, kind))
    return sorted((a, b) for a, b in found if b and b not in board)


def _values(board: Board, name: str, kinds: set[str] | None = None) -> list[int]:
    """Return the numbers of a piece: its own, or those of a pyramid's parts and the total.

    `kinds` restricts the parts to those classes.  The total then counts only if the pyramid has
    a part of those classes (section 5).
    """
    piece = board[name]
    if _kind(piece) != "P":
        return [_value(piece)] if kinds is None or _kind(piece) in kinds else []
    parts = [board[square] for square in _parts(board, piece[0])]
    chosen = [_value(part) for part in parts if kinds is None or _kind(part) in kinds]
    if kinds is not None and not chosen:
        return []
    return [*chosen, sum(_value(part) for part in parts)]


class _Attack:
    """The captures of one move, computed from the boards before and after it."""

    def __init__(self, before: Board, move: tuple[str, str], preset: Preset) -> None:
        self.before = before
        self.script = preset == "script"
        after = dict(before)
        after[move[1]] = after.pop(move[0])
        self.after: Board = after
        self.side = before[move[0]][0]
        self.own_squares = {
            _ARENA[name]: name
            for name, piece in after.items()
            if piece[0] == self.side and name in _ARENA
        }
        self.kinds = {name: _kinds(after, after[name]) for name in self.own_squares.values()}

    def own(self, square: Square) -> bool:
        """Return whether the moving side has a piece on a square after the move."""
        return square in self.own_squares

    def free(self, squares: list[Square]) -> bool:
        """Return whether the squares are empty; the one nearest to the victim comes first.

        The preset `script` tests that square on the board before the move (item 3).
        """
        names = [_NAME[square] for square in squares]
        boards = [self.after] * len(names)
        if self.script and names:
            boards[0] = self.before
        return all(name not in board for name, board in zip(names, boards, strict=True))

    def besieged(self, at: Square) -> bool:
        """Return whether a siege captures the piece on a square (section 6)."""
        x, y = at
        return any(
            all((x + dx, y + dy) not in _NAME or self.own((x + dx, y + dy)) for dx, dy in around)
            for around in (_ORTHOGONAL, _DIAGONAL)
        )

    def pieces_reaching(self, at: Square) -> Iterator[tuple[str, str]]:
        """Yield own pieces that can move to `at`: the square and the class as which they move."""
        for (px, py), name in self.own_squares.items():
            dx, dy = px - at[0], py - at[1]
            for kind in self.kinds[name] & _REACH.get((dx, dy), set()):
                run = max(abs(dx), abs(dy))
                straight = kind != "R" and not (dx and dy)
                between = [(at[0] + dx * n // run, at[1] + dy * n // run) for n in range(1, run)]
                if not straight or self.free(between):
                    yield name, kind

    def equal(self, at: Square) -> set[int]:
        """Return the values that equality captures on a square."""
        found: set[int] = set()
        for name, kind in self.pieces_reaching(at):
            found.update(_values(self.after, name, None if self.script else {kind}))
        return found

    def ambushed(self, at: Square, victim: int) -> bool:
        """Return whether two own numbers form the victim's number.

        The preset `script` also combines two numbers of one pyramid.
        """
        numbers = [
            (name, value)
            for name, kind in self.pieces_reaching(at)
            for value in _values(self.after, name, {kind})
        ]
        for (first, x), (second, y) in combinations(numbers, 2):
            if first == second and not self.script:
                continue
            low, high = sorted((x, y))
            if victim in (x + y, high - low, x * y) or victim * low == high:
                return True
        return False

    def erupts(self, at: Square, victim: int) -> bool:
        """Return whether an eruption captures the victim (section 6).

        The preset `script` only multiplies, and pieces between block it at counts of 3 and 4.
        """
        x, y = at
        for (px, py), name in self.own_squares.items():
            if (px != x) == (py != y):
                continue
            count = abs(px - x) + abs(py - y) + 1
            if self.script and count in (3, 4):
                dx, dy = (px > x) - (px < x), (py > y) - (py < y)
                if not self.free([(x + dx * n, y + dy * n) for n in range(1, count - 1)]):
                    continue
            for value in _values(self.after, name):
                if value * count == victim or (not self.script and victim * count == value):
                    return True
        return False

    def captures(self, at: Square, value: int) -> bool:
        """Return whether equality, ambush or eruption captures a value on a square."""
        return value in self.equal(at) or self.ambushed(at, value) or self.erupts(at, value)


def captures(board: Board, move: tuple[str, str], preset: Preset = "article") -> set[str]:
    """Return the squares, margin squares included, on which the move captures enemy pieces."""
    attack = _Attack(board, move, preset)
    captured: set[str] = set()
    for name, at in _ARENA.items():
        piece = board.get(name, "")
        if not piece or piece[0] == attack.side:
            continue
        pyramid = _kind(piece) == "P"
        parts = _parts(board, piece[0]) if pyramid else []
        total = sum(_value(board[part]) for part in parts) if pyramid else _value(piece)
        if attack.besieged(at) or attack.captures(at, total):
            captured.update([name, *parts])
            continue
        lost = [part for part in parts if attack.captures(at, _value(board[part]))]
        captured.update(lost)
        if parts and lost == parts and preset == "article":
            captured.add(name)
    return captured


def play(board: Board, move: tuple[str, str], preset: Preset = "article") -> dict[str, str]:
    """Return the board after a move and its captures."""
    captured = captures(board, move, preset)
    after = {square: piece for square, piece in board.items() if square not in captured}
    after[move[1]] = after.pop(move[0])
    return after


def perft(board: Board, side: str, depth: int, preset: Preset = "article") -> int:
    """Return the number of move sequences.

    This model does not know when a game ends, so no sequence of this depth may end the game.
    """
    moves = legal(board, side)
    if depth == 1:
        return len(moves)
    other = "B" if side == "W" else "W"
    return sum(perft(play(board, move, preset), other, depth - 1, preset) for move in moves)
