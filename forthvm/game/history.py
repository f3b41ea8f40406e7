"""Entries of a history: the player that moved, and the move's text and index.

Moves are made and taken back in position.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL

from .definition.tables import read_cell

if TYPE_CHECKING:
    from .game import Game
    from .state import State

__all__ = ["HOST_PASS", "HistoryEntry", "player_of"]

HOST_PASS = -1
"""Index in a history entry for the pass of a player without moves."""


@dataclass(frozen=True)
class HistoryEntry:
    """One ply of a history.

    Attributes:
        player: The player that moved.
        text: The move's text.
        index: Index in the list of legal moves, -1 for the pass of a player without moves.

    >>> HistoryEntry("White", "a2 - a3", 0)
    HistoryEntry(player='White', text='a2 - a3', index=0)
    """

    player: str
    text: str
    index: int

    def __str__(self) -> str:
        return self.text


def player_of(game: Game, state: State) -> int:
    """Return the index of the player to move among the game's players.

    Raises:
        PositionError: There is no such player.
    """
    index = state.player
    if index is None:
        index = read_cell(state.current, game.tables.variables.player_offset) // CELL
        if not 0 <= index < len(game.players):
            from forthvm.core.errors import PositionError

            raise PositionError(f"the script's turn is of player {index}, which does not exist")
        state.player = index
    return index
