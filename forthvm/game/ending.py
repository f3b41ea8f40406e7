"""Decides whether a game is over in a state, and with which outcome.

OnIsGameOver returns its result from the view of one player, whom this file determines.  This file
also owns the draw of a game in which no player can move, and the cause of an end for which the
script gives no comment.  Delegates the meaning of results of OnIsGameOver to outcome.py, and teams
to teams.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .definition.tables import TURN_BYTES, read_cell
from .history import player_of
from .outcome import DECIDED, DRAW, outcome_of

if TYPE_CHECKING:
    from .game import Game
    from .outcome import Outcome
    from .state import State

__all__ = ["ending_of", "turn_index_of", "viewer_of"]


def ending_of(game: Game, state: State) -> Outcome | None:
    """Return the outcome in a state, None while the game continues.

    Raises:
        ForthVMError: The script fails.
    """
    code = game.states.code_of(state)
    if code in DECIDED:
        from .definition.teams import friends_of

        viewer = viewer_of(game, state)
        players = game.contestants or _owners_of_moving_pieces(game)
        friends = friends_of(game, viewer, state)
        return outcome_of(code, viewer, players, friends, _cause_of(game, state))
    if state.skipped >= len(game.turn_order):
        return outcome_of(DRAW, "", game.contestants, cause="no player has a move")
    return None


def _cause_of(game: Game, state: State) -> str:
    """Return why OnIsGameOver has ended the game: its comment, or what the host can observe."""
    if comment := " ".join(state.comment.split()):
        return comment
    if not game.states.moves_of(state):
        player = game.players[player_of(game, state)]
        return f"{player} {'have' if player == 'You' else 'has'} no legal move"
    return "by the rules of the script"


def turn_index_of(game: Game, state: State) -> int:
    """Return the index in the turn order (`game.turn_order`), from 0."""
    return read_cell(state.current, game.tables.variables.turn_offset) // TURN_BYTES


def viewer_of(game: Game, state: State) -> str:
    """Return the player from whose view OnIsGameOver returns its result.

    The viewer is the player to move.  If a chance player is to move, the viewer is the next
    contestant in the turn order; without contestants, the player whose pieces move.
    """
    mover = player_of(game, state)
    order = game.turn_order
    index = turn_index_of(game, state)
    if game.player_details[mover].chance:
        for _ in order:
            index = index + 1 if index + 1 < len(order) else game.turn_repeat
            if order[index].player in game.contestants:
                return order[index].player
        return order[turn_index_of(game, state)].for_player
    return game.players[mover]


def _owners_of_moving_pieces(game: Game) -> tuple[str, ...]:
    """Return the players who can win if chance players make all moves, with pieces of others."""
    chance = {player.name for player in game.player_details if player.chance}
    owners = {turn.for_player for turn in game.turn_order} - chance
    return tuple(name for name in game.players if name in owners)
