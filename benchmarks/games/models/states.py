"""Models of benchmark games whose state is more than pieces on squares.

Owns the rules of pits-2x6, fields-4x8, road-1x20, gates-5x8, towers-7x7 and cloud-5x5.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from benchmarks.games.models.rules import (
    NE,
    SE,
    STRAIGHT,
    E,
    Grid,
    Model,
    S,
    State,
    own_squares,
    owner,
    put,
)


def pits() -> Model:
    """Return the model of pits-2x6; `more` has the stores."""
    path = (6, 7, 8, 9, 10, 11, 5, 4, 3, 2, 1, 0)

    def after(state: State) -> Iterator[State]:
        for pit in range(6, 12) if state.mover == 0 else range(6):
            seeds, at = list(state.board), path.index(pit)
            hand, seeds[pit] = seeds[pit], 0
            if hand == 0:
                continue
            while hand:
                at = (at + 1) % 12
                if path[at] != pit:
                    seeds[path[at]] += 1
                    hand -= 1
            last, stores = path[at], list(state.more)
            if (last // 6 == state.mover) and seeds[last] in (2, 3):  # row 0 is North's
                stores[state.mover] += seeds[last]
                seeds[last] = 0
            yield state.then((min(n, 16) for n in seeds), tuple(stores))

    def decided(state: State, states: list[State]) -> bool:
        return max(state.more) > 24 or not states or state.turn > 100

    return Model(State((4,) * 12, (0, 0)), after, decided)


def fields() -> Model:
    """Return the model of fields-4x8."""
    paths = (
        (*range(24, 32), *range(23, 15, -1)),
        (*range(7, -1, -1), *range(8, 16)),
    )

    def after(state: State) -> Iterator[State]:
        path, across = paths[state.mover], -8 if state.mover == 0 else 8
        for pit in sorted(path):
            if state.board[pit] < 2:
                continue
            seeds, laps, at = list(state.board), 0, path.index(pit)
            while laps == 0 or (seeds[path[at]] > 1 and laps <= 20):
                here = path[at]
                hand, seeds[here] = seeds[here], 0
                if laps and 8 <= here < 24:
                    for opposite in (here + across, here + 2 * across):
                        hand, seeds[opposite] = hand + seeds[opposite], 0
                for _ in range(hand):
                    at = (at + 1) % 16
                    seeds[path[at]] += 1
                laps += 1
            yield state.then(seeds)

    seeds = [0 if 8 <= pit < 12 or 20 <= pit < 24 else 2 for pit in range(32)]
    return Model(State(tuple(seeds)), after, lambda state, states: not states or state.turn > 200)


def road() -> Model:
    """Return the model of road-1x20; `more`: dice, men at home, stocks, men on their stocks."""

    def after(state: State) -> Iterator[State]:
        dice, home, stock, on_stock = state.more
        phase = state.mover % 3
        if phase < 2:
            for face in range(1, 5):
                thrown = (face, dice[1]) if phase == 0 else (dice[0], face)
                yield state.then(state.board, (thrown, home, stock, on_stock), 6)
            return
        me, found = state.mover // 3, False
        starts = [-1] if on_stock[me] else []
        for start, which in product([*own(state.board, me), *starts], (0, 1)):
            after_move = walk(state, me, start, which) if dice[which] else None
            if after_move is not None:
                found = True
                yield after_move
        if not found and (starts or own(state.board, me)):
            yield state.then(state.board, state.more, 6)

    def own(board: tuple[Any, ...], me: int) -> list[int]:
        return [square for square, man in enumerate(board) if owner(man) == me]

    def walk(state: State, me: int, start: int, which: int) -> State | None:
        dice, *counts = state.more
        home, stock, on_stock = map(list, counts)
        goal = start + dice[which]
        changes: dict[int, Any] = {} if start < 0 else {start: None}
        if goal > 19:
            home[me] += 1
        else:
            if owner(state.board[goal]) == me:
                return None
            if state.board[goal] is not None:
                stock[1 - me] += 1
                on_stock[1 - me] = True
            if start < 0:
                on_stock[me] = stock[me] > 1
                stock[me] -= 1
            changes[goal] = (me, 0)
        left = tuple(0 if index == which else face for index, face in enumerate(dice))
        more = (left, tuple(home), tuple(stock), tuple(on_stock))
        return state.then(put(state.board, changes), more, 6)

    def decided(state: State, _states: list[State]) -> bool:
        return max(state.more[1]) >= 4 or state.turn > 240

    more = ((0, 0), (0, 0), (4, 4), (True, True))
    return Model(State((None,) * 20, more), after, decided)


def gates() -> Model:
    """Return the model of gates-5x8; `more`: locked kinds, moves made in this turn."""
    grid = Grid(5, 8)

    def after(state: State) -> Iterator[State]:
        locked, made = state.more
        if state.mover % 2:  # the cleaner
            yield state.then(state.board, (frozenset(), 0), 4)
            return
        if made == 0 and can_pass(state):
            yield state.then(state.board, (locked, 0), 4)
        for board, kind in moves(state):
            more = (locked | {kind}, made + 1)
            partial = State(board, more, state.mover, state.turn)
            goes_on = made < 2 and any(True for _ in moves(partial))
            yield partial if goes_on else state.then(board, more, 4)

    def can_pass(state: State) -> bool:
        return any(owner(piece) == state.mover for piece in state.board)

    def moves(state: State) -> Iterator[tuple[tuple[Any, ...], str]]:
        for square, step in product(own_squares(state), STRAIGHT):
            piece, next_square = state.board[square], grid.step(square, step)
            if piece[1] in state.more[0] or next_square < 0:
                continue
            changes = {square: None, next_square: piece}
            pushed = state.board[next_square]
            if pushed is not None:
                beyond = grid.step(next_square, step)
                if owner(pushed) == state.mover or beyond < 0 or state.board[beyond] is not None:
                    continue
                changes[beyond] = pushed
            yield put(state.board, changes), piece[1]

    def decided(state: State, _states: list[State]) -> bool:
        edges = ((0, 7), (2, 0))
        return state.turn > 100 or any(
            sum(owner(piece) == player for piece in state.board[column::8]) >= 3
            for player, column in edges
        )

    men = {(0, k): f"a{n}" for k, n in zip("abcd", (1, 2, 4, 5), strict=True)}
    men |= {(2, k): f"h{n}" for k, n in zip("abcd", (1, 2, 4, 5), strict=True)}
    return Model(
        State(grid.board(men | {(3, "box"): "d2 e3 d4"}), (frozenset(), 0)), after, decided
    )


def towers() -> Model:
    """Return the model of towers-7x7: each square has a tuple of owners, the top first."""
    grid = Grid(7, 7)

    def after(state: State) -> Iterator[State]:
        for square, tower in enumerate(state.board):
            if not tower:
                yield state.then(put(state.board, {square: (state.mover,)}))
            elif tower[0] == state.mover:
                for other in grid.beside(square, STRAIGHT):
                    both = tower + state.board[other]
                    if len(both) < 6:
                        yield state.then(put(state.board, {square: (), other: both}))

    def decided(state: State, states: list[State]) -> bool:
        tops = [tower[0] if tower else None for tower in state.board]
        rows = [tops[first : first + 7] for first in range(0, 49, 7)]
        return [0] * 7 in rows or [1] * 7 in rows or not states or state.turn > 120

    men = grid.board({(0,): "c5 d6", (1,): "e3 d2"})
    return Model(State(tuple(tower or () for tower in men)), after, decided)


def cloud() -> Model:
    """Return the model of cloud-5x5; `more`: ghosts (squares, owner), groups of squares."""
    grid = Grid(5, 5)

    def after(state: State) -> Iterator[State]:
        free = [square for square, stone in enumerate(state.board) if stone is None]
        for pair in combinations(free, 2):
            yield entangled(state, pair)

    def entangled(state: State, pair: tuple[int, int]) -> State:
        ghosts, groups = state.more
        first, second = (groups[square] for square in pair)
        if first != second:
            joined = tuple(second if group == first else group for group in groups)
            return state.then(state.board, ((*ghosts, (pair, state.mover)), joined))
        board, left = put(state.board, {pair[0]: (state.mover, 0)}), list(ghosts)
        while True:
            settled = [ghost for ghost in left if any(board[s] for s in ghost[0])]
            if not settled:
                return state.then(board, (tuple(left), groups))
            (a, b), player = settled[0]
            board = put(board, {b if board[a] else a: (player, 0)})
            left.remove(settled[0])

    def decided(state: State, states: list[State]) -> bool:
        return not states or any(
            stone is not None
            and any(grid.in_row(state.board, square, step) >= 4 for step in (NE, E, SE, S))
            for square, stone in enumerate(state.board)
        )

    return Model(State((None,) * 25, ((), tuple(range(25)))), after, decided)
