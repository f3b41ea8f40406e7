"""Writes a game, from its start to a position, as a saved game of Zillions.

Owns the changes of the initial position, and the numbers of the turns: the number grows when the
turn order passes its end, and when it reaches the entry after `repeat` for the first time
(section 4, item 39 of the contract of ZRF).  The format of the file is that of
`forthvm.zrf.saved_game`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import PositionError
from forthvm.zrf.saved_game import Edit, SavedGame, SavedMove, write_saved_game

from .setup import first_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.zrf.loading import CompiledRules

    from .loaded import LoadedGame
    from .moves import Move
    from .setup import Setup
    from .states import State

__all__ = ["next_number", "rules_of", "zsg_of"]


def zsg_of(game: LoadedGame, setup: Setup | None, moves: Sequence[Move], last: State) -> bytes:
    """Return a saved game.

    Args:
        game: The game.
        setup: The set-up with which it was started.
        moves: All moves since the start.
        last: The state after them.

    Raises:
        PositionError: The game does not come from a rule file, or the format cannot describe the
            start of the game.
    """
    rules = rules_of(game)
    if setup is not None and (setup.turn is not None or setup.variables or setup.attributes):
        raise PositionError(
            "a saved game of Zillions contains pieces, but no turn, variables or attributes"
        )
    return write_saved_game(
        SavedGame(
            game.options.path.name,
            rules.title,
            tuple(_moves(game, moves, last)),
            tuple(_edits(game, setup)),
            seats="H" * len(game.players),
        )
    )


def rules_of(game: LoadedGame) -> CompiledRules:
    """Return the rules of a game.

    Raises:
        PositionError: The game does not come from a rule file.
    """
    if game.rules is None:
        raise PositionError(f"{game.name} does not come from a rule file (.zrf) of Zillions")
    return game.rules


def _moves(game: LoadedGame, moves: Sequence[Move], last: State) -> Iterator[SavedMove]:
    states = [*(move._state for move in moves), last]
    number = 1
    for move, before, after in zip(moves, states, states[1:], strict=False):
        yield SavedMove(number, move.text)
        if not after.partial:
            indices = game.turn_index_of(before), game.turn_index_of(after)
            number = next_number(number, *indices, game.tables.repeat)


def _edits(game: LoadedGame, setup: Setup | None) -> Iterator[Edit]:
    """Yield the changes from the script's initial position to that of this game."""
    if setup is None:
        return
    script_board = game.board_of(first_state(game, None))
    board = game.board_of(first_state(game, setup))
    for square in game.positions:
        before, after = script_board[square], board[square]
        if before == after:
            continue
        if after is None:
            yield Edit(square)
        else:
            yield Edit(square, after.player or "", after.type)


def next_number(number: int, index: int, next_index: int, repeat: int) -> int:
    """Return the turn number after a complete turn.

    Args:
        number: The number of the turn that ends.
        index: Index of its entry in the turn order.
        next_index: Index of the entry that follows.
        repeat: Index of the entry at which the turn order begins again.
    """
    passes_end = next_index <= index
    reaches_repeat = index < repeat <= next_index
    return number + (passes_end or reaches_repeat)
