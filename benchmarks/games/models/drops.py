"""Models of benchmark games with drops on large boards.

Owns the rules of mosaic-16x16, hands-20x20, rows-19x19 and liberty-13x13.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.games.models.rules import (
    EIGHT,
    NE,
    NW,
    SE,
    SLANTED,
    STRAIGHT,
    SW,
    E,
    Grid,
    Kind,
    Model,
    N,
    S,
    State,
    W,
    own_squares,
    owner,
    put,
    targets,
)


def mosaic() -> Model:
    """Return the model of mosaic-16x16."""
    grid = Grid(16, 16)

    def after(state: State) -> Iterator[State]:
        for square, tile in enumerate(state.board):
            kinds = {state.board[s] for s in grid.beside(square, STRAIGHT)} - {None}
            for kind in range(1, 21) if tile is None else ():
                if kinds & {kind, kind - 1}:
                    yield state.then(put(state.board, {square: kind}))

    start = State(grid.board({1: "h9", 6: "i9", 11: "h8", 16: "i8"}))
    return Model(start, after, lambda state, states: state.turn > 40 or not states)


HAND_KINDS = {
    "king": Kind(EIGHT),
    "pawn": Kind((N,)),
    "spear": Kind((N, S)),
    "stone": Kind((NE, NW, S)),
    "crab": Kind((N, NE, NW)),
    "ox": Kind(STRAIGHT),
    "cat": Kind(SLANTED),
    "gold": Kind((N, NE, NW, E, W, S)),
    "silver": Kind((N, NE, NW, SE, SW)),
    "prince": Kind(EIGHT),
    "lance": Kind(rides=(N,)),
    "chariot": Kind(rides=(N, S)),
    "mover": Kind((N,), (E, W)),
    "rook": Kind(rides=STRAIGHT),
    "bishop": Kind(rides=SLANTED),
    "boar": Kind((E, W), (N,)),
    "owl": Kind(SLANTED),
}


def hands() -> Model:
    """Return the model of hands-20x20; `more` has the hands and the kings of both players."""
    grid = Grid(20, 20)

    def after(state: State) -> Iterator[State]:
        mine, kings = state.more[0][state.mover], state.more[1]

        def changed(hand: Iterable[str]) -> Any:  # noqa: ANN401
            return tuple(tuple(sorted(hand)) if p == state.mover else state.more[0][p]
                         for p in (0, 1))  # fmt: skip

        for square in own_squares(state):
            piece = state.board[square]
            for other in targets(grid, state, square, HAND_KINDS[piece[1]]):
                taken = state.board[other]
                board = put(state.board, {square: None, other: piece})
                if taken is None:
                    yield state.then(board, state.more)
                elif taken[1] == "king":
                    left = tuple(n - (p == taken[0]) for p, n in enumerate(kings))
                    yield state.then(board, (state.more[0], left))
                else:
                    yield state.then(board, (changed([*mine, taken[1]]), kings))
        for kind in set(mine):
            rest = list(mine)
            rest.remove(kind)
            for square, piece in enumerate(state.board):
                if piece is None:
                    board = put(state.board, {square: (state.mover, kind)})
                    yield state.then(board, (changed(rest), kings))

    squares = (
        ("king", "j1", "k20"), ("rook", "d2", "q19"), ("bishop", "q2", "d19"),
        ("gold", "i1", "l20"), ("silver", "k1", "j20"), ("lance", "a1 t1", "t20 a20"),
        ("mover", "j3", "k18"), ("pawn", "c5 g5 n5 r5", "r16 n16 g16 c16"), ("ox", "e4", "p17"),
        ("cat", "m4", "h17"), ("boar", "h3", "m18"), ("owl", "l3", "i18"),
    )  # fmt: skip
    pieces = {(p, row[0]): row[1 + p] for row in squares for p in (0, 1)}
    hand = ("gold", "pawn", "pawn")

    def decided(state: State, states: list[State]) -> bool:
        return state.more[1][state.mover] == 0 or not states or state.turn > 120

    return Model(State(grid.board(pieces), ((hand, hand), (1, 1))), after, decided)


def rows() -> Model:
    """Return the model of rows-19x19."""
    grid = Grid(19, 19)

    def after(state: State) -> Iterator[State]:
        for square, stone in enumerate(state.board):
            if stone is None:
                yield state.then(put(state.board, {square: (state.mover, 0)}))

    def decided(state: State, states: list[State]) -> bool:
        return (
            any(
                stone is not None
                and any(grid.in_row(state.board, square, step) >= 5 for step in (E, SE, S, SW))
                for square, stone in enumerate(state.board)
            )
            or not states
            or state.turn > 150
        )

    start = State(grid.board({(0, 0): "j10 i11", (1, 0): "k11 j12"}))
    return Model(start, after, decided)


def liberty() -> Model:
    """Return the model of liberty-13x13; `more` is the point that must not be retaken, or None."""
    grid = Grid(13, 13)

    def group(board: tuple[Any, ...], square: int) -> tuple[set[int], bool]:
        """Return the group of a stone and whether it has a free point."""
        found, free, todo = {square}, False, [square]
        while todo:
            for other in grid.beside(todo.pop(), STRAIGHT):
                free = free or board[other] is None
                if board[other] == board[square] and other not in found:
                    found.add(other)
                    todo.append(other)
        return found, free

    def after(state: State) -> Iterator[State]:
        for square, stone in enumerate(state.board):
            if stone is not None or square == state.more:
                continue
            board = put(state.board, {square: (state.mover, 0)})
            taken: set[int] = set()
            for other in grid.beside(square, STRAIGHT):
                if owner(board[other]) == 1 - state.mover:
                    stones, free = group(board, other)
                    taken |= set() if free else stones
            board = put(board, dict.fromkeys(taken))
            if group(board, square)[1]:
                yield state.then(board, next(iter(taken)) if len(taken) == 1 else None)

    black, white = "e5 e6 f7 g8 a1", "f5 f6 e7 d5 e4 b1 d6"
    start = State(grid.board({(0, 0): black, (1, 0): white}), None)
    return Model(start, after, lambda state, states: state.turn > 120 or not states)
