"""Decides whether a game is over in a state, and with which outcome.

OnIsGameOver returns its result from the view of one player, whom this file determines.  This file
also owns the teams of players, the draw of a game in which no player can move, and the cause of an
end for which the script gives no comment.  The meaning of results is that of outcome.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .outcome import DECIDED, DRAW, outcome_of

if TYPE_CHECKING:
    from .loaded import LoadedGame
    from .outcome import Outcome
    from .states import State

__all__ = ["ending_of", "friends_of", "viewer_of"]

_FRIENDS = "OnFriends?"
"""The word with which a script declares players friends."""


def ending_of(game: LoadedGame, state: State) -> Outcome | None:
    """Return the outcome in a state, None while the game continues.

    Raises:
        ForthVMError: The script fails.
    """
    code = game.states.code_of(state)
    if code in DECIDED:
        viewer = viewer_of(game, state)
        players = game.contestants or _owners_of_moving_pieces(game)
        friends = friends_of(game, viewer, state)
        return outcome_of(code, viewer, players, friends, _cause_of(game, state))
    if state.skipped >= len(game.tables.turns):
        return outcome_of(DRAW, "", game.contestants, cause="no player has a move")
    return None


def _cause_of(game: LoadedGame, state: State) -> str:
    """Return why OnIsGameOver has ended the game: its comment, or what the host can observe."""
    if comment := " ".join(state.comment.split()):
        return comment
    if not game.states.moves_of(state):
        player = game.players[game.player_of(state)].removeprefix("?")  # the sign of chance
        return f"{player} {'have' if player == 'You' else 'has'} no legal move"
    return "by the rules of the script"


def viewer_of(game: LoadedGame, state: State) -> str:
    """Return the player from whose view OnIsGameOver returns its result.

    The viewer is the player to move.  If a chance player is to move, the viewer is the next
    contestant in the turn order; without contestants, the player whose pieces move.
    """
    mover = game.player_of(state)
    order = game.tables.turns
    index = game.turn_index_of(state)
    if game.tables.players[mover].chance:
        for _ in order:
            index = index + 1 if index + 1 < len(order) else game.tables.repeat
            if order[index].player in game.contestants:
                return order[index].player
        return order[game.turn_index_of(state)].for_player
    return game.players[mover]


def _owners_of_moving_pieces(game: LoadedGame) -> tuple[str, ...]:
    """Return the players who can win if chance players make all moves, with pieces of others."""
    chance = {player.name for player in game.tables.players if player.chance}
    owners = {turn.for_player for turn in game.tables.turns} - chance
    return tuple(name for name in game.players if name in owners)


def friends_of(game: LoadedGame, player: str, state: State) -> tuple[str, ...]:
    """Return the contestants that are a player's friends in a state.

    Two players are a team only if OnFriends? returns TRUE for both orders of the players.  A script
    may define OnFriends? to guide searches past chance players; then OnFriends? returns TRUE for
    one order of two players that are not a team.

    Raises:
        ForthVMError: The script fails.
    """
    if not game.defines(_FRIENDS):
        return ()
    cells = {details.name: details.cell for details in game.tables.players}
    found = []
    with game.states.in_memory(state):
        for name in game.contestants:
            if name == player:
                continue
            pairs = ((cells[player], cells[name]), (cells[name], cells[player]))
            results = [game.vm.call(_FRIENDS, *pair) for pair in pairs]
            if all(result and result[-1] != 0 for result in results):
                found.append(name)
    return tuple(found)
