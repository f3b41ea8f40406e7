"""Models of benchmark games in which pieces move and capture.

Owns the rules of sums-8x16, arrows-8x8, crowd-12x20, influence-12x12, warden-9x9, partners-14x14
and empire-15x16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.games.models.rules import (
    EIGHT,
    LEAPS,
    NE,
    NW,
    SLANTED,
    STRAIGHT,
    E,
    Grid,
    Kind,
    Model,
    N,
    S,
    State,
    Step,
    W,
    own_squares,
    owner,
    put,
    targets,
)


def sums() -> Model:
    """Return the model of sums-8x16; the kind of a piece is its number."""
    grid = Grid(16, 8)
    shapes = {
        **dict.fromkeys((2, 3, 4, 5), tuple((step, 1) for step in SLANTED)),
        **dict.fromkeys((6, 9, 12, 15), (*((step, 2) for step in STRAIGHT), (N, 1), (S, 1))),
        **dict.fromkeys((16, 25, 36, 45), (*((step, 3) for step in STRAIGHT), (E, 1), (W, 1))),
    }

    def captured(state: State, square: int, goal: int, victim: int) -> bool:
        (row, column), (r, c) = divmod(goal, 8), divmod(victim, 8)
        if row != r and column != c:
            return False
        number, wanted = state.board[square][1], state.board[victim][1]
        friends = [state.board[s][1] for s in own_squares(state) if s != square]
        distance = abs(row - r) + abs(column - c) + 1
        return distance * number == wanted or any(
            wanted in (friend + number, friend * number) for friend in friends
        )

    def after(state: State) -> Iterator[State]:
        enemies = [s for s, p in enumerate(state.board) if owner(p) == 1 - state.mover]
        for square in own_squares(state):
            for step, count in shapes[state.board[square][1]]:
                path = list(grid.line(square, step))[:count]
                if len(path) < count or any(state.board[s] for s in path):
                    continue
                goal = path[-1]
                lost = [s for s in enemies if captured(state, square, goal, s)]
                changes = {square: None, goal: state.board[square]} | dict.fromkeys(lost)
                yield state.then(put(state.board, changes))

    def decided(state: State, states: list[State]) -> bool:
        return len(own_squares(state)) < 9 or not states or state.turn > 120

    pieces = {
        (0, 2): "a4 c5 e5", (0, 4): "b4 d4 g4", (0, 6): "a3 f3", (0, 12): "c3 h3",
        (0, 16): "b2 e2", (0, 36): "d2 g2",
        (1, 3): "a13 c12 e12", (1, 5): "b13 d13 g13", (1, 9): "a14 f14", (1, 15): "c14 h14",
        (1, 25): "b15 e15", (1, 45): "d15 g15",
    }  # fmt: skip
    return Model(State(grid.board(pieces)), after, decided)


def arrows() -> Model:
    """Return the model of arrows-8x8."""
    grid = Grid(8, 8)

    def reach(board: tuple[Any, ...], square: int) -> Iterator[int]:
        for step in EIGHT:
            for other in grid.line(square, step):
                if board[other] is not None:
                    break
                yield other

    def after(state: State) -> Iterator[State]:
        for square in own_squares(state):
            for goal in reach(state.board, square):
                moved = put(state.board, {square: None, goal: state.board[square]})
                for shot in reach(moved, goal):
                    yield state.then(put(moved, {shot: (2, "arrow")}))

    queens = {(0, "queen"): "a3 c1 f1 h3", (1, "queen"): "a6 c8 f8 h6"}
    return Model(State(grid.board(queens)), after, lambda _, states: not states)


def crowd() -> Model:
    """Return the model of crowd-12x20."""
    grid = Grid(12, 20)

    def after(state: State) -> Iterator[State]:
        for square in own_squares(state):
            for other in grid.beside(square, EIGHT):
                if state.board[other] is None:
                    changes = {square: None, other: state.board[square]}
                    yield state.then(put(state.board, changes))

    def decided(state: State, states: list[State]) -> bool:
        arrived = any(owner(man) == 0 for man in state.board[:20]) or any(
            owner(man) == 1 for man in state.board[220:]
        )
        return arrived or not states or state.turn > 300

    lower = [row * 20 + (row + 1) % 2 + 2 * n for row in range(8, 12) for n in range(10)]
    upper = [row * 20 + (row + 1) % 2 + 2 * n for row in range(4) for n in range(10)]
    board = put((None,) * 240, dict.fromkeys([*lower, 221], (0, 0)))
    return Model(State(put(board, dict.fromkeys([*upper, 0], (1, 0)))), after, decided)


def influence() -> Model:
    """Return the model of influence-12x12."""
    grid = Grid(12, 12)
    kinds = {
        "man": Kind((N, NE, NW)),
        "tower": Kind(STRAIGHT),
        "rook": Kind(rides=STRAIGHT),
        "bishop": Kind(rides=SLANTED),
        "knight": Kind(LEAPS),
    }
    columns = (("tower", "f"), ("rook", "bk"), ("bishop", "di"), ("knight", "cj"))
    pieces = {
        (player, kind): " ".join(f"{column}{row}" for column in names)
        for player, row in ((0, 1), (1, 12))
        for kind, names in columns
    }
    pieces |= {
        (player, "man"): " ".join(f"{c}{row}" for c in "bdfgik")
        for player, row in ((0, 3), (1, 10))
    }

    def decided(state: State, states: list[State]) -> bool:
        return (state.mover, "tower") not in state.board or not states or state.turn > 150

    return Model(State(grid.board(pieces)), movers(grid, kinds), decided)


def movers(grid: Grid, kinds: dict[str, Kind]) -> Callable[[State], Iterator[State]]:
    """Return the function `after` of games in which pieces only move and capture."""

    def after(state: State) -> Iterator[State]:
        for square in own_squares(state):
            piece = state.board[square]
            for other in targets(grid, state, square, kinds[piece[1]]):
                yield state.then(put(state.board, {square: None, other: piece}))

    return after


def warden() -> Model:
    """Return the model of warden-9x9."""
    grid = Grid(9, 9)
    kinds = {
        "king": Kind(EIGHT),
        "guard": Kind((N, NE, NW, S)),
        "pawn": Kind((N,)),
        "tower": Kind(rides=STRAIGHT),
    }
    after = movers(grid, kinds)

    def decided(state: State, states: list[State]) -> bool:
        king = (state.mover, "king")

        def survives(reply: State) -> bool:
            had = reply.board.count(king)
            return all(last.board.count(king) == had for last in after(reply))

        lost = king not in state.board or not states or state.turn > 120
        return lost or not any(map(survives, states))

    pieces = {
        (0, "king"): "e1", (0, "guard"): "d1 f1", (0, "tower"): "b2", (0, "pawn"): "c3 d3 f3 g3",
        (1, "king"): "e9", (1, "guard"): "d9 f9", (1, "tower"): "h8", (1, "pawn"): "c7 d7 f7 g7",
    }  # fmt: skip
    return Model(State(grid.board(pieces)), after, decided)


def partners() -> Model:
    """Return the model of partners-14x14; `more` has the players who lost their kings."""
    grid = Grid(14, 14)
    kinds = {
        "king": Kind(EIGHT),
        "man": Kind(STRAIGHT),
        "rook": Kind(rides=STRAIGHT),
        "bishop": Kind(rides=SLANTED),
    }

    def on_board(square: int) -> bool:
        return 3 < square // 14 < 10 or 3 < square % 14 < 10

    def reach(state: State, square: int) -> Iterator[int]:
        kind = kinds[state.board[square][1]]
        for steps, limit in ((kind.steps, 1), (kind.rides, 14)):
            for step in steps:
                for other in list(grid.line(square, step))[:limit]:
                    if not on_board(other):
                        break
                    if state.board[other] is None or (owner(state.board[other]) - state.mover) % 2:
                        yield other
                    if state.board[other] is not None:
                        break

    def after(state: State) -> Iterator[State]:
        moved = False
        for square in [] if state.mover in state.more else own_squares(state):
            for other in reach(state, square):
                taken, moved = state.board[other], True
                lost = {taken[0]} if taken and taken[1] == "king" else set()
                board = put(state.board, {square: None, other: state.board[square]})
                yield state.then(board, state.more | lost, 4)
        if not moved:
            yield state.then(state.board, state.more, 4)

    def decided(state: State, _states: list[State]) -> bool:
        return state.more >= {0, 2} or state.more >= {1, 3} or state.turn > 200

    pieces = {
        (0, "king"): "g1", (0, "rook"): "e1 j1", (0, "bishop"): "f1", (0, "man"): "f2 h2",
        (2, "king"): "h14", (2, "rook"): "e14 j14", (2, "bishop"): "i14", (2, "man"): "g13 i13",
        (1, "king"): "a7", (1, "rook"): "a5 a10", (1, "bishop"): "a6", (1, "man"): "b6 b8",
        (3, "king"): "n8", (3, "rook"): "n5 n10", (3, "bishop"): "n9", (3, "man"): "m7 m9",
    }  # fmt: skip
    return Model(State(grid.board(pieces), frozenset()), after, decided)


FORWARD_LEAPS: tuple[Step, ...] = ((-2, 1), (-1, 2), (-1, -2), (-2, -1))
EMPIRE_KINDS = {
    "emperor": Kind(EIGHT),
    "prince": Kind(EIGHT),
    "pawn": Kind((N, NE, NW)),
    "guard": Kind((N, NE, NW, E, W, S)),
    "herald": Kind((N, NE, NW, E, W, S)),
    "rook": Kind(rides=STRAIGHT),
    "fort": Kind(rides=STRAIGHT),
    "bishop": Kind(rides=SLANTED),
    "monk": Kind(rides=SLANTED),
    "queen": Kind(rides=EIGHT),
    "regent": Kind(rides=EIGHT),
    "knight": Kind(LEAPS),
    "scout": Kind(LEAPS),
    "horse": Kind(LEAPS, SLANTED),
    "ship": Kind(LEAPS, STRAIGHT),
    "lion": Kind((*EIGHT, *FORWARD_LEAPS), special="twice"),
    "dragon": Kind(SLANTED, STRAIGHT, special="burn"),
    "lance": Kind((S,), (N,)),
    "cart": Kind((E, W), (N, S)),
    "wagon": Kind((E, W), (N, S)),
}


def empire() -> Model:
    """Return the model of empire-15x16."""
    grid = Grid(15, 16)

    def twice(state: State, square: int) -> Iterator[dict[int, Any]]:
        for step in STRAIGHT:
            near = grid.step(square, step)
            if near < 0 or owner(state.board[near]) != 1 - state.mover:
                continue
            beyond = grid.step(near, step)
            if beyond >= 0 and owner(state.board[beyond]) != state.mover:
                yield {square: None, near: None, beyond: state.board[square]}

    def burn(state: State, square: int) -> Iterator[dict[int, Any]]:
        near = grid.beside(square, STRAIGHT)
        burnt = [other for other in near if owner(state.board[other]) == 1 - state.mover]
        if burnt:
            yield dict.fromkeys(burnt)

    def special(state: State, square: int, name: str) -> Iterator[dict[int, Any]]:
        return twice(state, square) if name == "twice" else burn(state, square)

    def after(state: State) -> Iterator[State]:
        for square in own_squares(state):
            piece = state.board[square]
            kind = EMPIRE_KINDS[piece[1]]
            for other in targets(grid, state, square, kind):
                row = other // 16
                far = row < 5 if state.mover == 0 else row > 9
                promotes = piece[1] == "pawn" and far
                moved = (state.mover, "guard") if promotes else piece
                yield state.then(put(state.board, {square: None, other: moved}))
            for changes in special(state, square, kind.special) if kind.special else ():
                yield state.then(put(state.board, changes))

    def decided(state: State, states: list[State]) -> bool:
        return (state.mover, "emperor") not in state.board or not states or state.turn > 150

    home = (
        ("emperor", "i1"), ("queen", "h1"), ("rook", "b1 o1"), ("bishop", "e1 l1"),
        ("knight", "d2 m2"), ("horse", "f2"), ("ship", "k2"), ("lion", "h2"), ("dragon", "j2"),
        ("lance", "a1 p1"), ("cart", "c2"), ("monk", "g2"), ("fort", "n2"), ("scout", "i2"),
        ("wagon", "b2"), ("herald", "g3"), ("regent", "l3"), ("prince", "j1"), ("guard", "h3"),
        ("pawn", "d4 f4 i4 k4 m4"),
    )  # fmt: skip
    pieces: dict[Any, str] = {(0, kind): squares for kind, squares in home}
    for kind, squares in home:
        mirrored = (f"{name[0]}{16 - int(name[1:])}" for name in squares.split())
        pieces[1, kind] = " ".join(mirrored)
    return Model(State(grid.board(pieces)), after, decided)
