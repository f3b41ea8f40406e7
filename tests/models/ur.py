"""The Royal Game of Ur in plain Python, written from the rules page alone, with all options.

Owns the rules of `rules/ur.md`, sections 1, 2, 4 and 5, in complete turns: a throw and a
move.  The layout of reserves, dice and covered pieces (section 3) belongs to ur_setup.py.
It does not use forthvm or a script.

The pieces of a player enter the board from the reserve, follow a path of squares, and leave the
board at its end.  By the rules `skiriuk`, pieces are promoted on the way, some squares hold stacks
of pieces of which only the top one can move, and a piece that lands on a rosette gives its player
the right to the next turn: until that turn, the opponent can only pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

__all__ = [
    "BLACK",
    "PASS",
    "PATHS",
    "ROSETTES",
    "STACKS",
    "WHITE",
    "Move",
    "Options",
    "Piece",
    "State",
    "end",
    "moves",
    "other",
    "perft",
    "play",
    "position",
    "start",
    "thrown",
    "throws",
]

WHITE: Final = "White"
BLACK: Final = "Black"
ROSETTES: Final = frozenset(("i2", "i4", "l3", "o2", "o4"))
STACKS: Final = frozenset(("j2", "j4", "k3", "l2", "l4", "n3", "o3"))
_FULL: Final = 4  # maximum number of pieces on a stack square
_PLAIN_END: Final = 13  # a piece that moves beyond this step is promoted
_PIECES: Final = 7  # of each player


def _mirrored(path: str) -> str:
    return path.translate(str.maketrans("24", "42"))


_SKIRIUK: Final = "l2 k2 j2 i2 i3 j3 k3 l3 m3 n3 o3 o2 p2 p3 p4 o4 o3 n3 m3 l3 k3 j3 i3"
_FINKEL: Final = "l2 k2 j2 i2 i3 j3 k3 l3 m3 n3 o3 p3 p2 o2"
PATHS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("skiriuk", WHITE): tuple(_SKIRIUK.split()),
    ("skiriuk", BLACK): tuple(_mirrored(_SKIRIUK).split()),
    ("finkel", WHITE): tuple(_FINKEL.split()),
    ("finkel", BLACK): tuple(_mirrored(_FINKEL).split()),
}
"""The square of each step, from step 1; the step after the last one is off the board."""


@dataclass(frozen=True)
class Options:
    """The options of section 5."""

    rules: Literal["skiriuk", "finkel"] = "skiriuk"
    right: Literal["kept", "lapses"] = "lapses"
    reserve_moves: Literal["one", "each"] = "one"
    first_throw: Literal["fixed", "thrown"] = "fixed"
    double_pass: int = 50


class Piece(NamedTuple):
    """A piece on the board."""

    player: str
    promoted: bool = False


class Move(NamedTuple):
    """The square of the piece that moves, empty for a piece in reserve; PASS moves no piece."""

    source: str | None
    target: str = ""
    """The target square; empty: off the board."""


PASS: Final = Move(None)

Board = Mapping[str, tuple[Piece, ...]]
Pair = tuple[int, int]


@dataclass(frozen=True)
class State:
    """A position; `board` lists the pieces of each occupied square, the lowest piece first.

    Pairs are White's value and Black's.  `steps` is None if the dice are to be thrown; `right` is
    the player with the right to the next turn; `passes` counts successive passes.
    """

    board: Board
    reserve: Pair = (0, 0)
    off: Pair = (0, 0)
    mover: str = WHITE
    steps: int | None = None
    right: str | None = None
    passes: int = 0


def other(player: str) -> str:
    """The opponent."""
    return BLACK if player == WHITE else WHITE


def start(options: Options) -> State:
    """Seven pieces of each player in reserve, White to move; an option fixes the first throw."""
    fixed = options.rules == "skiriuk" and options.first_throw == "fixed"
    return State({}, (_PIECES, _PIECES), steps=1 if fixed else None)


def position(board: str, steps: int, mover: str = WHITE, right: str | None = None) -> State:
    """A position from a text such as `k3:B,W l3:B+`, lowest piece first, with empty reserves."""
    found = {}
    for part in board.split():
        square, pieces = part.split(":")
        found[square] = tuple(
            Piece(WHITE if text[0] == "W" else BLACK, text.endswith("+"))
            for text in pieces.split(",")
        )
    return State(found, mover=mover, steps=steps, right=right)


def throws(options: Options) -> tuple[int, ...]:
    """The possible numbers of a throw."""
    return (1, 2, 3, 4) if options.rules == "skiriuk" else (0, 1, 2, 3, 4)


def thrown(state: State, steps: int) -> State:
    """The state after a throw of `steps`."""
    return replace(state, steps=steps)


def _step(piece: Piece, square: str, options: Options) -> int:
    """The step of a piece on its path; a promoted piece visits some squares a second time."""
    path = PATHS[options.rules, piece.player]
    first = _PLAIN_END if piece.promoted else 0
    return path.index(square, first) + 1


def _may_land(mover: Piece, target: str, board: Board, options: Options) -> bool:
    """Whether a piece may occupy a square; `mover` is the piece after a possible promotion."""
    occupants = board.get(target, ())
    if not occupants:
        return True
    top = occupants[-1]
    if options.rules == "finkel":
        return top.player != mover.player and target != "l3"
    if target in STACKS:
        return len(occupants) < _FULL and (target != "o3" or top.player == mover.player)
    if top.player == mover.player or top.promoted != mover.promoted:
        return False
    return target != "i3" or not top.promoted


def _arrival(state: State, piece: Piece, step: int, options: Options) -> tuple[str, Piece] | None:
    """The target of a piece on a step, and the piece after the move; None if it may not move."""
    path = PATHS[options.rules, piece.player]
    assert state.steps
    goal = step + state.steps
    if goal > len(path):
        return ("", piece) if goal == len(path) + 1 else None
    promoted = options.rules == "skiriuk" and goal > _PLAIN_END
    moved = Piece(piece.player, promoted)
    target = path[goal - 1]
    return (target, moved) if _may_land(moved, target, state.board, options) else None


def moves(state: State, options: Options) -> list[Move]:
    """The legal moves, or a pass if there is no other move.

    With the option `each`, every piece in reserve has its own move, equal to the others.
    """
    assert state.steps is not None, "throw first"
    found: list[Move] = []
    if state.steps and state.right != other(state.mover):
        reserve = state.reserve[state.mover == BLACK]
        entry = _arrival(state, Piece(state.mover), 0, options) if reserve else None
        if entry:
            found += [Move("", entry[0])] * (reserve if options.reserve_moves == "each" else 1)
        for square, pieces in state.board.items():
            top = pieces[-1]
            if top.player == state.mover:
                arrival = _arrival(state, top, _step(top, square, options), options)
                if arrival:
                    found.append(Move(square, arrival[0]))
    return found or [PASS]


def _plus(pair: Pair, player: str, amount: int) -> Pair:
    white, black = pair
    return (white + amount, black) if player == WHITE else (white, black + amount)


def play(state: State, move: Move, options: Options) -> State:
    """The state after a move, before the next throw."""
    if move == PASS:
        lost = state.right == state.mover and options.right == "lapses"
        return replace(
            state,
            mover=other(state.mover),
            steps=None,
            right=None if lost else state.right,
            passes=state.passes + 1,
        )
    board, reserve, off = dict(state.board), state.reserve, state.off
    piece, step = Piece(state.mover), 0
    if move.source:
        piece = board[move.source][-1]
        step = _step(piece, move.source, options)
        board[move.source] = board[move.source][:-1]
        if not board[move.source]:
            del board[move.source]
    else:
        reserve = _plus(reserve, state.mover, -1)
    if move.target:
        arrival = _arrival(state, piece, step, options)
        assert arrival
        occupants = board.get(move.target, ())
        if occupants and not (options.rules == "skiriuk" and move.target in STACKS):
            reserve = _plus(reserve, occupants[-1].player, 1)
            occupants = ()
        board[move.target] = (*occupants, arrival[1])
    else:
        off = _plus(off, state.mover, 1)
    rosette = move.target in ROSETTES
    extra_turn = rosette and options.rules == "finkel"
    return State(
        board,
        reserve,
        off,
        state.mover if extra_turn else other(state.mover),
        right=state.mover if rosette and options.rules == "skiriuk" else None,
    )


def end(state: State, options: Options) -> str | None:
    """The winner, empty for a draw, None while the game continues."""
    for player, off in zip((WHITE, BLACK), state.off, strict=True):
        if off == _PIECES:
            return player
    return "" if options.double_pass and state.passes >= options.double_pass else None


def _throws_of(state: State, options: Options) -> Iterable[State]:
    if state.steps is not None:
        return [state]
    return [thrown(state, steps) for steps in throws(options)]


def perft(state: State, depth: int, options: Options) -> int:
    """The number of sequences of `depth` turns, each possible throw counted once."""
    if end(state, options) is not None:
        return 0
    total = 0
    for after_throw in _throws_of(state, options):
        legal = moves(after_throw, options)
        if depth == 1:
            total += len(legal)
        else:
            successors = (play(after_throw, move, options) for move in legal)
            total += sum(perft(successor, depth - 1, options) for successor in successors)
    return total
