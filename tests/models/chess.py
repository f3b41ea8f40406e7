"""Chess in plain Python: FIDE's moves, check, mate, stalemate and draws.

Owns these rules, and those of Los Alamos chess on six by six squares.  It does not use forthvm or a
script.  Squares are numbers, `column + size * (row - 1)`; pieces are letters as in FEN, capitals
for White, a dot for none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

__all__ = [
    "BLACK",
    "LOS_ALAMOS",
    "START",
    "WHITE",
    "Move",
    "Options",
    "State",
    "en_passant_is_legal",
    "end",
    "in_check",
    "moves",
    "name",
    "number",
    "perft",
    "play",
    "read",
]

WHITE: Final = "White"
BLACK: Final = "Black"
START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
LOS_ALAMOS: Final = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - -"

_ROOK: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_BISHOP: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def number(name: str, size: int = 8) -> int:
    """The number of a square from its name."""
    return "abcdefgh".index(name[0]) + size * (int(name[1]) - 1)


def name(square: int, size: int = 8) -> str:
    """The name of a square."""
    return "abcdefgh"[square % size] + str(square // size + 1)


Lines = list[list[tuple[int, ...]]]


def _steps(size: int, directions: tuple[tuple[int, int], ...], length: int) -> Lines:
    """For each square, the non-empty lines of at most `length` squares, nearest square first."""
    found = []
    for square in range(size * size):
        column, row = square % size, square // size
        lines = []
        for x, y in directions:
            line = [(column + x * k, row + y * k) for k in range(1, length + 1)]
            lines.append(tuple(c + size * r for c, r in line if 0 <= c < size and 0 <= r < size))
        found.append([line for line in lines if line])
    return found


def _lines(size: int) -> dict[str, Lines]:
    """The lines of each kind of piece; for pawns, `P` and `p`, the squares that they attack."""
    return {
        "r": _steps(size, _ROOK, size),
        "b": _steps(size, _BISHOP, size),
        "q": _steps(size, _ROOK + _BISHOP, size),
        "k": _steps(size, _ROOK + _BISHOP, 1),
        "n": _steps(size, _LEAPS, 1),
        "P": _steps(size, ((-1, 1), (1, 1)), 1),
        "p": _steps(size, ((-1, -1), (1, -1)), 1),
    }


_LINES: Final = {size: _lines(size) for size in (6, 8)}

# For each right to castle: source and target of the king and of the rook, the squares that must
# be empty, and the squares that must not be attacked.
_CASTLINGS: Final = {
    "K": ("e1", "g1", "h1", "f1", ("f1", "g1"), ("e1", "f1", "g1")),
    "Q": ("e1", "c1", "a1", "d1", ("d1", "c1", "b1"), ("e1", "d1", "c1")),
    "k": ("e8", "g8", "h8", "f8", ("f8", "g8"), ("e8", "f8", "g8")),
    "q": ("e8", "c8", "a8", "d8", ("d8", "c8", "b8"), ("e8", "d8", "c8")),
}
# The rights that are lost when a piece leaves or enters a square.
_LOST: Final = {"e1": "KQ", "h1": "K", "a1": "Q", "e8": "kq", "h8": "k", "a8": "q"}
_LOST_AT: Final = {number(square): rights for square, rights in _LOST.items()}


@dataclass(frozen=True)
class Options:
    """The draws other than stalemate; 0 and False switch one off."""

    fifty: int = 100
    """Plies without a pawn move or capture after which the game is a draw."""
    repetition: int = 3
    """Occurrences of a position after which the game is a draw."""
    material: bool = True
    """Whether the game is a draw when no mate is possible."""


class Move(NamedTuple):
    """A move; `promotion` is a lower-case letter, empty for other moves."""

    source: int
    target: int
    promotion: str = ""


@dataclass(frozen=True)
class State:
    """A position."""

    board: str
    mover: str = WHITE
    rights: str = ""
    """Rights to castle, letters as in FEN."""
    en_passant: int = -1
    """The square that a pawn has just passed by a double step, -1 for none."""
    quiet: int = 0
    """Number of plies since the last pawn move or capture."""
    size: int = 8
    previous: State | None = field(default=None, compare=False, repr=False)
    """The state before the last move, None after a pawn move or capture."""


def read(fen: str) -> State:
    """The position of a FEN, with or without the two move counters at its end."""
    rows, mover, rights, en_passant, *counters = fen.split()
    board = ""
    for row in reversed(rows.split("/")):
        board += "".join("." * int(char) if char.isdigit() else char for char in row)
    return State(
        board,
        WHITE if mover == "w" else BLACK,
        rights.strip("-"),
        -1 if en_passant == "-" else number(en_passant),
        int(counters[0]) if counters else 0,
        len(rows.split("/")),
    )


def _owner(piece: str) -> str:
    if piece == ".":
        return ""
    return WHITE if piece.isupper() else BLACK


def _other(player: str) -> str:
    return BLACK if player == WHITE else WHITE


def _attacked(board: str, square: int, by: str) -> bool:
    """Whether a player's pieces attack a square, found by following lines from the square."""
    white = by == WHITE
    lines = _LINES[8 if len(board) == 64 else 6]
    for kinds in ("rq", "bq", "n", "k"):
        letters = kinds.upper() if white else kinds
        for line in lines[kinds[0]][square]:
            for target in line:
                piece = board[target]
                if piece != ".":
                    if piece in letters:
                        return True
                    break
    pawn = "P" if white else "p"
    return any(board[source] == pawn for (source,) in lines[pawn.swapcase()][square])


def in_check(state: State, player: str | None = None) -> bool:
    """Whether a player's king is attacked; default: the player to move."""
    player = player or state.mover
    king = state.board.find("K" if player == WHITE else "k")
    return king >= 0 and _attacked(state.board, king, _other(player))


def _pawn_moves(state: State, square: int) -> Iterator[Move]:
    size = state.size
    white = state.mover == WHITE
    ahead, first, last = (size, 1, size - 1) if white else (-size, size - 2, 0)
    targets = []
    if state.board[square + ahead] == ".":
        targets.append(square + ahead)
        double = size == 8 and square // size == first
        if double and state.board[square + 2 * ahead] == ".":
            targets.append(square + 2 * ahead)
    for (target,) in _LINES[size]["P" if white else "p"][square]:
        if _owner(state.board[target]) == _other(state.mover) or target == state.en_passant:
            targets.append(target)
    promotions = "qrbn" if size == 8 else "qrn"
    for target in targets:
        for promotion in promotions if target // size == last else ("",):
            yield Move(square, target, promotion)


def _castlings(state: State) -> Iterator[Move]:
    enemy = _other(state.mover)
    for right in "KQ" if state.mover == WHITE else "kq":
        if right in state.rights:
            king, goal, _, _, empty, safe = _CASTLINGS[right]
            if all(state.board[number(square)] == "." for square in empty) and not any(
                _attacked(state.board, number(square), enemy) for square in safe
            ):
                yield Move(number(king), number(goal))


def _candidates(state: State) -> Iterator[Move]:
    """The pseudo-legal moves: the king may be left in check."""
    for square, piece in enumerate(state.board):
        if _owner(piece) != state.mover:
            continue
        kind = piece.lower()
        if kind == "p":
            yield from _pawn_moves(state, square)
            continue
        for line in _LINES[state.size][kind][square]:
            for target in line:
                owner = _owner(state.board[target])
                if owner != state.mover:
                    yield Move(square, target)
                if owner:
                    break
        if kind == "k":
            yield from _castlings(state)


def _moved(state: State, move: Move) -> str:
    """The board after a move."""
    source, target, promotion = move
    board = list(state.board)
    piece = board[source]
    board[source] = "."
    board[target] = piece
    if promotion:
        board[target] = promotion.upper() if state.mover == WHITE else promotion
    elif piece in "Pp" and target == state.en_passant:
        board[target + (-8 if state.mover == WHITE else 8)] = "."
    elif piece in "Kk" and abs(source - target) == 2:
        _, _, rook, goal, _, _ = next(
            castling for castling in _CASTLINGS.values() if number(castling[1]) == target
        )
        board[number(goal)], board[number(rook)] = board[number(rook)], "."
    return "".join(board)


def moves(state: State) -> list[Move]:
    """The legal moves, also in a drawn position."""
    king = "K" if state.mover == WHITE else "k"
    enemy = _other(state.mover)
    found = []
    for move in _candidates(state):
        board = _moved(state, move)
        at = board.find(king)
        if at < 0 or not _attacked(board, at, enemy):
            found.append(move)
    return found


def play(state: State, move: Move) -> State:
    """The state after a move."""
    source, target, _ = move
    pawn = state.board[source] in "Pp"
    lost = _LOST_AT.get(source, "") + _LOST_AT.get(target, "")
    quiet = 0 if pawn or state.board[target] != "." else state.quiet + 1
    return State(
        _moved(state, move),
        _other(state.mover),
        "".join(right for right in state.rights if right not in lost),
        (source + target) // 2 if pawn and abs(source - target) == 2 * state.size else -1,
        quiet,
        state.size,
        state if quiet else None,
    )


def en_passant_is_legal(state: State) -> bool:
    """Whether an en passant capture is legal: it must not expose the king."""
    return state.en_passant >= 0 and any(
        move.target == state.en_passant and state.board[move.source] in "Pp"
        for move in moves(state)
    )


def _key(state: State) -> tuple[str, str, str, bool]:
    """The key of a position for repetition; it contains en passant only if that is legal."""
    return state.board, state.mover, state.rights, en_passant_is_legal(state)


def _occurrences(state: State) -> int:
    """How often the position has occurred, the current one included."""
    if state.previous is None:
        return 1
    key, count, earlier = _key(state), 1, state.previous
    while earlier is not None:
        # The boards are compared first, because most positions differ there.
        count += earlier.board == state.board and _key(earlier) == key
        earlier = earlier.previous
    return count


def _too_little(board: str, size: int) -> bool:
    """Whether no mate is possible: bare kings, one knight, or bishops on squares of one colour."""
    pieces = [(square, piece.lower()) for square, piece in enumerate(board) if piece not in ".Kk"]
    if len(pieces) == 1:
        return pieces[0][1] in "nb"
    colours = {(square // size + square % size) % 2 for square, _ in pieces}
    return len(colours) < 2 and all(kind == "b" for _, kind in pieces)


def end(state: State, options: Options) -> str | None:
    """The winner, empty for a draw, None while the game continues."""
    if not moves(state):
        return _other(state.mover) if in_check(state) else ""
    if options.material and _too_little(state.board, state.size):
        return ""
    if options.fifty and state.quiet >= options.fifty:
        return ""
    if options.repetition and _occurrences(state) >= options.repetition:
        return ""
    return None


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` legal moves; draws do not end a sequence."""
    legal = moves(state)
    if depth == 1:
        return len(legal)
    return sum(perft(play(state, move), depth - 1) for move in legal)
