"""The Game of the Amazons in plain Python.

Owns the rules, with a turn in two parts: a queen moves, then shoots an arrow.  It does not use
forthvm or a script.  Squares are pairs (column, row) with a1 = (0, 0).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["START", "State", "turns"]

Square = tuple[int, int]

WHITE: Final = "White"
BLACK: Final = "Black"
ARROW: Final = "Neutral"
_SIZE: Final = 10
_DIRECTIONS: Final = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)


@dataclass(frozen=True)
class State:
    """A position: the owners of the squares, and the queen that must shoot, if any."""

    pieces: Mapping[Square, str]
    turn: str = WHITE
    shooter: Square | None = None

    def owners(self) -> dict[str, str]:
        """The owner of each square that is not empty, by the name of the square."""
        return {_name(square): owner for square, owner in self.pieces.items()}

    def legal(self) -> dict[str, State]:
        """The states after each part of a turn, by the text of the move."""
        if self.shooter is not None:
            other = BLACK if self.turn == WHITE else WHITE
            return {
                f"{ARROW} arrow {_name(target)}": State({**self.pieces, target: ARROW}, other)
                for target in self._reached(self.shooter)
            }
        found = {}
        for queen, owner in self.pieces.items():
            if owner != self.turn:
                continue
            others = {square: piece for square, piece in self.pieces.items() if square != queen}
            for target in self._reached(queen):
                text = f"queen {_name(queen)} - {_name(target)}"
                found[text] = State({**others, target: owner}, owner, target)
        return found

    def winner(self) -> str | None:
        """The opponent of a player who cannot move, None while the game continues."""
        if self.legal():
            return None
        return BLACK if self.turn == WHITE else WHITE

    def _reached(self, square: Square) -> Iterator[Square]:
        """The squares that a queen or an arrow reaches."""
        for right, up in _DIRECTIONS:
            column, row = square[0] + right, square[1] + up
            while 0 <= column < _SIZE and 0 <= row < _SIZE and (column, row) not in self.pieces:
                yield column, row
                column, row = column + right, row + up


START: Final = State(
    dict.fromkeys(((0, 3), (3, 0), (6, 0), (9, 3)), WHITE)
    | dict.fromkeys(((0, 6), (3, 9), (6, 9), (9, 6)), BLACK)
)


def turns(state: State, depth: int) -> int:
    """The number of sequences of turns."""
    if depth == 0:
        return 1
    return sum(
        turns(after, depth - 1)
        for moved in state.legal().values()
        for after in moved.legal().values()
    )


def _name(square: Square) -> str:
    column, row = square
    return "abcdefghij"[column] + str(row + 1)
