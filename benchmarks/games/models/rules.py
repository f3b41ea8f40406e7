"""The parts that the models of the benchmark games share: states, boards, moves of pieces.

Owns states, models, perft, and the geometry of boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

Step = tuple[int, int]
N, NE, E, SE, S, SW, W, NW = (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)
STRAIGHT, SLANTED = (N, E, S, W), (NE, SE, SW, NW)
EIGHT = (*STRAIGHT, *SLANTED)
LEAPS: tuple[Step, ...] = tuple(
    (row, column) for row, column in product((-2, -1, 1, 2), repeat=2) if abs(row) != abs(column)
)


class State(NamedTuple):
    """A state of a game."""

    board: tuple[Any, ...]
    more: Any = ()
    """What else matters, such as hands, stores and locks."""
    mover: int = 0
    """The index of the turn in the turn order."""
    turn: int = 1

    def then(self, board: Iterable[Any], more: Any = (), turns: int = 2) -> State:  # noqa: ANN401
        """Return the state after a move that ends the turn."""
        return State(tuple(board), more, (self.mover + 1) % turns, self.turn + 1)


class Model(NamedTuple):
    """The rules of a game."""

    start: State
    after: Callable[[State], Iterable[State]]
    decided: Callable[[State, list[State]], bool]


def perft(model: Model, depth: int, state: State | None = None) -> int:
    """Return the number of move sequences of `depth` plies."""
    state = state or model.start
    states = list(model.after(state))
    if model.decided(state, states):
        return 0
    return len(states) if depth == 1 else sum(perft(model, depth - 1, each) for each in states)


class Grid(NamedTuple):
    """The size of a board."""

    rows: int
    columns: int

    def step(self, square: int, step: Step) -> int:
        """Return the square a step away, -1 if there is none."""
        return _step(self.rows, self.columns, square, step)

    def beside(self, square: int, steps: Iterable[Step]) -> list[int]:
        """Return the squares a step away."""
        return [other for each in steps if (other := self.step(square, each)) >= 0]

    def line(self, square: int, step: Step) -> Iterator[int]:
        """Yield the squares in a direction."""
        while (square := self.step(square, step)) >= 0:
            yield square

    def board(self, pieces: dict[Any, str]) -> tuple[Any, ...]:
        """Return a board with pieces on named squares."""
        cells: list[Any] = [None] * (self.rows * self.columns)
        for piece, squares in pieces.items():
            for name in squares.split():
                column, row = ord(name[0]) - ord("a"), self.rows - int(name[1:])
                cells[row * self.columns + column] = piece
        return tuple(cells)

    def in_row(self, board: tuple[Any, ...], square: int, step: Step) -> int:
        """Return the number of pieces of one owner in a direction, with the first one."""
        length = 1
        for other in self.line(square, step):
            if owner(board[other]) != owner(board[square]):
                break
            length += 1
        return length


@cache
def _step(rows: int, columns: int, square: int, step: Step) -> int:
    row, column = square // columns + step[0], square % columns + step[1]
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else -1


def owner(piece: Any) -> int:  # noqa: ANN401
    """Return the player of a piece, -1 for an empty square."""
    return -1 if piece is None else int(piece[0])


def put(board: tuple[Any, ...], changes: dict[int, Any]) -> tuple[Any, ...]:
    """Return the board with other contents on some squares."""
    cells = list(board)
    for square, piece in changes.items():
        cells[square] = piece
    return tuple(cells)


def own_squares(state: State) -> list[int]:
    """Return the squares of the pieces of the player to move."""
    return [s for s, piece in enumerate(state.board) if owner(piece) == state.mover]


def facing(steps: Iterable[Step], mover: int) -> list[Step]:
    """Return the steps of a player: those of the second player are mirrored."""
    return [(row if mover == 0 else -row, column) for row, column in steps]


class Kind(NamedTuple):
    """How pieces of a kind move."""

    steps: tuple[Step, ...] = ()
    rides: tuple[Step, ...] = ()
    special: str = ""


def targets(grid: Grid, state: State, square: int, kind: Kind) -> Iterator[int]:
    """Yield the squares to which a piece can move."""
    for other in grid.beside(square, facing(kind.steps, state.mover)):
        if owner(state.board[other]) != state.mover:
            yield other
    for step in facing(kind.rides, state.mover):
        for other in grid.line(square, step):
            if owner(state.board[other]) != state.mover:
                yield other
            if state.board[other] is not None:
                break
