"""Hex in plain Python, on boards of any size.

Owns the rules: stones on empty cells, the swap as the second move, and the edges that each player
joins.  It does not use forthvm or a script.  Cells are pairs (column, row) with a1 = (0, 0) at the
upper left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["BLUE", "RED", "State"]

Cell = tuple[int, int]

RED: Final = "Red"
BLUE: Final = "Blue"
_AROUND: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
_SECOND: Final = 1
"""The number of moves made when a player may swap."""


@dataclass(frozen=True)
class State:
    """A position: the owners of the cells, and the number of moves made."""

    size: int = 11
    stones: Mapping[Cell, str] = field(default_factory=dict)
    moves: int = 0
    swap: bool = True

    @property
    def turn(self) -> str:
        """The player to move."""
        return BLUE if self.moves % 2 else RED

    def owners(self) -> dict[str, str]:
        """The owner of each cell that is not empty, by the name of the cell."""
        return {_name(cell): owner for cell, owner in self.stones.items()}

    def legal(self) -> dict[str, State]:
        """The states after each legal move, by the text of the move."""
        found = {}
        for cell in ((column, row) for column in range(self.size) for row in range(self.size)):
            if cell not in self.stones:
                text = f"{self.turn} stone {_name(cell)}"
                found[text] = self._with({**self.stones, cell: self.turn})
            elif self.swap and self.moves == _SECOND:
                mirrored = cell[1], cell[0]
                text = f"x {_name(cell)} {self.turn} stone {_name(mirrored)}"
                found[text] = self._with({mirrored: self.turn})
        return found

    def winner(self) -> str | None:
        """The player whose edges are joined, None while the game continues."""
        return next((player for player in (RED, BLUE) if self._joined(player)), None)

    def _with(self, stones: Mapping[Cell, str]) -> State:
        return State(self.size, stones, self.moves + 1, self.swap)

    def _joined(self, player: str) -> bool:
        along = 1 if player == RED else 0  # Red joins rows, Blue columns
        found = {
            cell for cell, owner in self.stones.items() if owner == player and cell[along] == 0
        }
        waiting = list(found)
        while waiting:
            column, row = waiting.pop()
            for right, down in _AROUND:
                cell = column + right, row + down
                if cell not in found and self.stones.get(cell) == player:
                    found.add(cell)
                    waiting.append(cell)
        return any(cell[along] == self.size - 1 for cell in found)


def _name(cell: Cell) -> str:
    column, row = cell
    return "abcdefghijklmnopqrs"[column] + str(row + 1)
