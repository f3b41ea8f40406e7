"""Games of lines in plain Python: players put pieces on a grid, and a line of some length wins.

Owns the rules of connect four and of gomoku on boards of any size.  It does not use forthvm or a
script.  Squares are pairs (column, row) with a1 = (0, 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["CONNECT_FOUR", "FREESTYLE", "STANDARD", "Rules", "State"]

Square = tuple[int, int]

_AXES: Final = ((1, 0), (0, 1), (1, 1), (1, -1))


@dataclass(frozen=True)
class Rules:
    """The board, the players in turn order, and the numbers of pieces in a line that win."""

    columns: int
    rows: int
    players: tuple[str, str]
    wins: range
    piece: str
    falling: bool = False


CONNECT_FOUR: Final = Rules(7, 6, ("Yellow", "Red"), range(4, 8), "disc", falling=True)
FREESTYLE: Final = Rules(15, 15, ("Black", "White"), range(5, 16), "stone")
STANDARD: Final = Rules(15, 15, ("Black", "White"), range(5, 6), "stone")


@dataclass(frozen=True)
class State:
    """A position: the owners of the squares, and the player to move."""

    rules: Rules
    pieces: Mapping[Square, str] = field(default_factory=dict)
    moves: int = 0

    @property
    def turn(self) -> str:
        """The player to move."""
        return self.rules.players[self.moves % 2]

    def owners(self) -> dict[str, str]:
        """The owner of each square that is not empty, by the name of the square."""
        return {_name(square): owner for square, owner in self.pieces.items()}

    def legal(self) -> dict[str, State]:
        """The states after each legal move, by the text of the move."""
        found = {}
        for column in range(self.rules.columns):
            free = [row for row in range(self.rules.rows) if (column, row) not in self.pieces]
            for row in free[:1] if self.rules.falling else free:
                after = {**self.pieces, (column, row): self.turn}
                text = f"{self.turn} {self.rules.piece} {_name((column, row))}"
                found[text] = State(self.rules, after, self.moves + 1)
        return found

    def winner(self) -> str | None:
        """The winner, an empty text for a draw, None while the game continues."""
        for square, owner in self.pieces.items():
            if any(self._length(square, axis) in self.rules.wins for axis in _AXES):
                return owner
        return "" if len(self.pieces) == self.rules.columns * self.rules.rows else None

    def _length(self, square: Square, axis: tuple[int, int]) -> int:
        """The number of pieces in the whole line through a square."""
        owner, length = self.pieces[square], 1
        for sign in (1, -1):
            column, row = square
            while True:
                column, row = column + sign * axis[0], row + sign * axis[1]
                if self.pieces.get((column, row)) != owner:
                    break
                length += 1
        return length


def _name(square: Square) -> str:
    column, row = square
    return "abcdefghijklmnopqrst"[column] + str(row + 1)
