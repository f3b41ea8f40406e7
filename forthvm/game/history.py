"""Entries of a history: who moved, and the move's text and index.

Owns how an entry gets its fields from a move, when they are first read.  How moves are made and
taken back is in position.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.value import Value

from .moves import Move
from .tables import read_cell

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .game import Game
    from .states import State

__all__ = ["HOST_PASS", "Played", "entry_of", "player_of"]

HOST_PASS = -1
"""Index in a history of a turn that the host passed for a player without moves."""


class Played(Value):
    """One ply of a history.

    Attributes:
        player: Who moved.
        text: The move's text.
        index: Its place in the list of legal moves then, -1 where the host passed for a
            player without moves.
    """

    player: str
    text: str
    index: int

    # The move that the fields are read from when they are first asked for.
    __slots__ = ("_move",)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # it is filled here
        fields = _fields_of(self)
        if not fields:
            try:
                move = _move_of(self)
            except AttributeError:  # it is being made from fields
                return fields
            source = move.source
            game, state = source.game, source.state
            player = game.players[player_of(game, state)]
            text = game.states.text(state, move.index)  # of this one only
            fields.update(player=player, text=text, index=move.index)
            _drop_move(self)  # and the position that it keeps alive
        return fields

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the fields have several types
        if name in Played._fields and not _fields_of(self):
            return vars(self)[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return Played, (self.player, self.text, self.index)

    def __str__(self) -> str:
        return self.text


_fields_of: Callable[[Played], dict[str, Any]] = vars(Value)["__dict__"].__get__
_new = object.__new__
_set_move: Callable[[Played, Move], None] = vars(Played)["_move"].__set__
_move_of: Callable[[Played], Move] = vars(Played)["_move"].__get__
_drop_move: Callable[[Played], None] = vars(Played)["_move"].__delete__


def player_of(game: Game, state: State) -> int:
    """Place of the player to move among the game's players.

    Raises:
        PositionError: there is no such player.
    """
    index = state.player
    if index is None:
        index = read_cell(state.current, game.tables.variables.player_offset) // CELL
        if not 0 <= index < len(game.players):
            from forthvm.core.errors import PositionError

            raise PositionError(f"the script's turn is of player {index}, which does not exist")
        state.player = index
    return index


def entry_of(move: Played | Move, *, now: bool = False) -> Played:
    """The entry of a history for a move.

    Args:
        move: The move, or an entry, which is returned as it is.
        now: Read the fields at once, not when they are first asked for.
    """
    if isinstance(move, Played):
        return move
    played: Played = _new(Played)
    _set_move(played, move)
    if now:
        vars(played)
    return played
