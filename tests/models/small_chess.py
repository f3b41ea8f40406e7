"""Chess with kings, rooks, knights and pawns, without castling and en passant, in plain Python.

A move is legal if no reply captures the mover's king.  A player without legal moves loses if its
king is attacked; otherwise the game is drawn.  This model does not use forthvm or a script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["START", "State", "end", "perft", "start", "successors"]

START = "rn..k.nr/pppppppp/......../......../......../......../PPPPPPPP/RN..K.NR"
"""The rows from the top; capital letters are White's pieces, a dot is an empty square."""

LINES = ((-1, 0), (0, 1), (1, 0), (0, -1))
STEPS = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
LEAPS = tuple((r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c))


@dataclass(frozen=True)
class State:
    """A position; the squares are in the order of START."""

    squares: str
    mover: str = "White"


def start(rows: str = START) -> State:
    """The position with these rows and White to move."""
    return State(rows.replace("/", ""))


def _owner(piece: str) -> str:
    return "" if piece == "." else "White" if piece.isupper() else "Black"


def _owner_at(state: State, row: int, column: int) -> str | None:
    """The owner of the piece on a square, "" if it is empty, None outside the board."""
    inside = 0 <= row < 8 and 0 <= column < 8
    return _owner(state.squares[8 * row + column]) if inside else None


def _pawn_targets(state: State, row: int, column: int) -> Iterator[int]:
    ahead, first = (-1, 6) if state.mover == "White" else (1, 1)
    at = 8 * row + column
    if _owner_at(state, row + ahead, column) == "":
        yield at + 8 * ahead
        if row == first and _owner_at(state, row + 2 * ahead, column) == "":
            yield at + 16 * ahead
    for side in (-1, 1):
        if _owner_at(state, row + ahead, column + side) not in (None, "", state.mover):
            yield at + 8 * ahead + side


def _targets(state: State, at: int) -> Iterator[int]:
    """Yield the squares to which the piece on a square can go, even if its king is attacked."""
    row, column = divmod(at, 8)
    kind = state.squares[at].lower()
    if kind == "p":
        yield from _pawn_targets(state, row, column)
        return
    for r, c in {"r": LINES, "n": LEAPS, "k": STEPS}[kind]:
        for distance in range(1, 8 if kind == "r" else 2):
            found = _owner_at(state, row + distance * r, column + distance * c)
            if found in (None, state.mover):
                break
            yield at + distance * (8 * r + c)
            if found != "":
                break


def _replies(state: State) -> Iterator[State]:
    """Yield the states after all moves, including those that leave the king attacked."""
    after = "Black" if state.mover == "White" else "White"
    for at, piece in enumerate(state.squares):
        if _owner(piece) != state.mover:
            continue
        for target in _targets(state, at):
            promoted = "rn" if piece.lower() == "p" and target // 8 in (0, 7) else piece.lower()
            for kind in promoted:
                squares = list(state.squares)
                squares[at] = "."
                squares[target] = kind.upper() if state.mover == "White" else kind
                yield State("".join(squares), after)


def _king(player: str) -> str:
    return "K" if player == "White" else "k"


def _captures_king(state: State) -> bool:
    """Whether the player to move can capture the other player's king."""
    king = _king("Black" if state.mover == "White" else "White")
    return any(king not in reply.squares for reply in _replies(state))


def successors(state: State) -> list[State]:
    """The states after each legal move."""
    return [reply for reply in _replies(state) if not _captures_king(reply)]


def end(state: State) -> str | None:
    """The winner, empty for a draw; None while the game continues."""
    if successors(state):
        return None
    other = "Black" if state.mover == "White" else "White"
    return other if _captures_king(State(state.squares, other)) else ""


def perft(state: State, plies: int) -> int:
    """The number of sequences of moves."""
    replies = successors(state)
    return len(replies) if plies == 1 else sum(perft(reply, plies - 1) for reply in replies)
