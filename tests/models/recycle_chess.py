"""Chess on five by five squares in which captured pieces come back to their owner's store.

A piece in store may be dropped on an empty square of its owner's first rank.  With
`store_promotion` a pawn becomes only a piece that its owner has in store, which leaves the store;
without one the pawn can neither go to the last rank nor attack it.  Mate wins, stalemate is a draw.
This model does not use forthvm or a rule file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["State", "endgame", "perft", "start", "successors"]

Square = tuple[int, int]
Piece = tuple[str, int]  # letter and owner; owner 0 moves up

KNIGHT = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KINDS = "PNBR"


@dataclass(frozen=True)
class State:
    """A position; `stores` has the number of each of `KINDS` for both owners."""

    board: tuple[tuple[Square, Piece], ...]
    stores: tuple[tuple[int, ...], tuple[int, ...]]
    mover: int
    store_promotion: bool


def _state(white: str, black: str, stores: tuple[str, str], promotion: bool) -> State:
    board = {
        (ord(name[1]) - ord("a"), int(name[2]) - 1): (name[0], owner)
        for owner, names in enumerate((white, black))
        for name in names.split()
    }
    counts = [tuple(store.count(kind) for kind in KINDS) for store in stores]
    return State(tuple(sorted(board.items())), (counts[0], counts[1]), 0, promotion)


def start(store_promotion: bool = False) -> State:
    """The first position."""
    white = "Ra1 Nb1 Bc1 Ke1 Pa2 Pb2 Pc2 Pd2 Pe2"
    black = "Ra5 Nb5 Bc5 Ke5 Pa4 Pb4 Pc4 Pd4 Pe4"
    return _state(white, black, ("", ""), store_promotion)


def endgame(store_promotion: bool = False) -> State:
    """A position with pawns before their promotion and pieces in store."""
    return _state("Ke1 Pa4 Pb4", "Ke5 Rb5 Pd2", ("R", "NN"), store_promotion)


def _inside(square: Square) -> bool:
    return 0 <= square[0] < 5 and 0 <= square[1] < 5


def _reach(board: dict[Square, Piece], at: Square, kind: str) -> Iterator[Square]:
    """Squares that a piece other than a pawn reaches, the first occupied ones included."""
    steps = {"N": KNIGHT, "K": STRAIGHT + DIAGONAL, "R": STRAIGHT, "B": DIAGONAL}[kind]
    for step in steps:
        goal = (at[0] + step[0], at[1] + step[1])
        while _inside(goal):
            yield goal
            if kind in "NK" or goal in board:
                break
            goal = (goal[0] + step[0], goal[1] + step[1])


def _pawn_takes(at: Square, owner: int) -> list[Square]:
    ahead = at[1] + (1 if owner == 0 else -1)
    return [goal for goal in ((at[0] - 1, ahead), (at[0] + 1, ahead)) if _inside(goal)]


def _attacked(board: dict[Square, Piece], owner: int, pawns_at_last_rank: bool) -> bool:
    """Whether a king of the owner can be captured, by a pawn that is promoted too or not."""
    for at, (kind, side) in board.items():
        if side == owner:
            continue
        if kind == "P" and at[1] == (1 if side else 3) and not pawns_at_last_rank:
            continue
        goals = _pawn_takes(at, side) if kind == "P" else _reach(board, at, kind)
        if any(board.get(goal) == ("K", owner) for goal in goals):
            return True
    return False


def _goals(board: dict[Square, Piece], at: Square, kind: str, mover: int) -> Iterator[Square]:
    if kind == "P":
        ahead = (at[0], at[1] + (1 if mover == 0 else -1))
        if _inside(ahead) and ahead not in board:
            yield ahead
        yield from (g for g in _pawn_takes(at, mover) if g in board and board[g][1] != mover)
        return
    yield from (g for g in _reach(board, at, kind) if g not in board or board[g][1] != mover)


def _changed(stores: list[list[int]], owner: int, kind: str, by: int) -> list[list[int]]:
    after = [list(store) for store in stores]
    if kind in KINDS:
        after[owner][KINDS.index(kind)] += by
    return after


def successors(state: State) -> list[State]:
    """The positions after each legal move."""
    board, mover = dict(state.board), state.mover
    stores = [list(store) for store in state.stores]
    last, first = (4, 0) if mover == 0 else (0, 4)
    found: list[tuple[dict[Square, Piece], list[list[int]]]] = []
    for at, (kind, owner) in state.board:
        if owner != mover:
            continue
        for goal in _goals(board, at, kind, mover):
            after = {square: piece for square, piece in board.items() if square != at}
            kept = _changed(stores, 1 - mover, board[goal][0], 1) if goal in board else stores
            if kind != "P" or goal[1] != last:
                found.append(({**after, goal: (kind, mover)}, kept))
                continue
            for new in "RBN":
                if state.store_promotion:
                    if stores[mover][KINDS.index(new)]:
                        found.append(
                            ({**after, goal: (new, mover)}, _changed(kept, mover, new, -1))
                        )
                else:
                    found.append(({**after, goal: (new, mover)}, kept))
    for index, kind in enumerate(KINDS):
        if stores[mover][index]:
            squares = [(column, first) for column in range(5) if (column, first) not in board]
            left = _changed(stores, mover, kind, -1)
            found += [({**board, square: (kind, mover)}, left) for square in squares]
    return [
        State(
            tuple(sorted(after.items())),
            (tuple(kept[0]), tuple(kept[1])),
            1 - mover,
            state.store_promotion,
        )
        for after, kept in found
        if not _attacked(after, mover, not state.store_promotion or any(kept[1 - mover][1:]))
    ]


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` plies."""
    states = successors(state)
    return len(states) if depth == 1 else sum(perft(after, depth - 1) for after in states)
