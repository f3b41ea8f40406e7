"""Writes a position, with the moves that led to it, as a saved game of Zillions.

Owns the changes of the initial position, and the numbers of the turns.  Delegates the format of the
file to `forthvm.zrf.saved_game`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import PositionError
from forthvm.zrf.saved_game import Edit, SavedGame, SavedMove, write_saved_game

from .turn_numbers import next_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game.position import Position

__all__ = ["zsg_of"]


def zsg_of(position: Position) -> bytes:
    """Return a position as a saved game, with all moves since the start.

    Raises:
        PositionError: The game does not come from a rule file, or the format cannot describe the
            start of the game.
    """
    game = position.game
    if game.rules is None:
        raise PositionError(f"{game.name} does not come from a rule file (.zrf) of Zillions")
    setup = position.setup
    if setup is not None and (setup.turn is not None or setup.variables):
        raise PositionError("a saved game of Zillions contains pieces, but no turn or variables")
    return write_saved_game(
        SavedGame(
            game.path.name,
            game.rules.title,
            tuple(_moves(position)),
            tuple(_edits(position)),
            seats="H" * len(game.players),
        )
    )


def _moves(position: Position) -> Iterator[SavedMove]:
    game = position.game
    replayed = game.begin(position.setup)
    number = 1
    for entry in position.history:
        index = replayed.turn_index
        yield SavedMove(number, entry.text)
        replayed.push(entry, after_end=True)
        if not replayed.is_partial:
            number = next_number(number, index, replayed.turn_index, game.turn_repeat)


def _edits(position: Position) -> Iterator[Edit]:
    """Yield the changes from the script's initial position to that of this game."""
    if position.setup is None:
        return
    script_board = position.game.start().board
    board = position.game.begin(position.setup).board
    for square in position.game.positions:
        before, after = script_board[square], board[square]
        if before == after:
            continue
        if after is None:
            yield Edit(square)
        else:
            yield Edit(square, after.player or "", after.type)
