"""Entries of a history: the player that moved, and the move's text and index.

An entry reads player and text from its move when they are first used.  This file must not know how
moves are made and taken back (position.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.value import Shared

from .definition.tables import read_cell

if TYPE_CHECKING:
    from .game import Game
    from .moves import Move
    from .state import State

__all__ = ["HOST_PASS", "HistoryEntry", "entry_of", "player_of"]

HOST_PASS = -1
"""Index in a history entry for the pass of a player without moves."""


class HistoryEntry(Shared):
    """One ply of a history.  Entries are equal if all three attributes are equal.

    >>> HistoryEntry("White", "a2 - a3", 0)
    HistoryEntry(player='White', text='a2 - a3', index=0)
    """

    # An entry made from a move (`entry_of`, `Position.pop`) has only `_move` at first; `_read` sets
    # the other attributes.
    __slots__ = ("__weakref__", "_index", "_move", "_player", "_text")
    __match_args__ = ("player", "text", "index")

    _index: int
    _move: Move
    _player: str
    _text: str

    def __init__(self, player: str, text: str, index: int) -> None:
        """Create an entry for a move with that text and index in the list of legal moves."""
        self._player = player
        self._text = text
        self._index = index

    @property
    def player(self) -> str:
        """The player that moved."""
        return self._read()._player

    @property
    def text(self) -> str:
        """The move's text."""
        return self._read()._text

    @property
    def index(self) -> int:
        """Index in the list of legal moves, -1 for the pass of a player without moves."""
        return self._read()._index

    def replace(self, **changes: object) -> HistoryEntry:
        """Return an entry with some attributes replaced."""
        fields = {"player": self.player, "text": self.text, "index": self.index}
        return HistoryEntry(**(fields | changes))  # type: ignore[arg-type]  # values of the caller

    def _read(self) -> HistoryEntry:
        """Read the attributes from the move, if they are not set; return the entry itself."""
        move = getattr(self, "_move", None)
        if move is not None:
            game, state = move.source.game, move.source.state
            self._player = game.players[player_of(game, state)]
            self._text = game.states.text(state, move.index)  # only this text, not all texts
            self._index = move.index
            self._move = None  # type: ignore[assignment]  # releases the position
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HistoryEntry):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.player, self.text, self.index))

    def __reduce__(self) -> tuple[object, ...]:
        return HistoryEntry, (self.player, self.text, self.index)

    def __repr__(self) -> str:
        return f"HistoryEntry(player={self.player!r}, text={self.text!r}, index={self.index!r})"

    def __str__(self) -> str:
        return self.text


_new = object.__new__


def entry_of(move: HistoryEntry | Move, *, now: bool = False) -> HistoryEntry:
    """Return the entry of a history for a move.

    Args:
        move: The move, or an entry, which is returned unchanged.
        now: Read the attributes immediately, not when they are first used.
    """
    if isinstance(move, HistoryEntry):
        entry = move
    else:
        entry = _new(HistoryEntry)
        entry._move = move
    return entry._read() if now else entry


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
