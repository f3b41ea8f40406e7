"""Teams: players that a script declares friends with its word OnFriends?."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.game.game import Game
    from forthvm.game.state import State

__all__ = ["friends_of"]

_WORD = "OnFriends?"


def friends_of(game: Game, player: str, state: State) -> tuple[str, ...]:
    """Return the contestants that are a player's friends in a state.

    Two players are a team only if OnFriends? returns TRUE for both orders of the players.  A script
    may define OnFriends? to guide searches past chance players; then OnFriends? returns TRUE for
    one order of two players that are not a team.

    Raises:
        ForthVMError: The script fails.
    """
    word = game.vm.find(_WORD)
    if word is None or word <= game.library_end:
        return ()
    cells = {details.name: details.cell for details in game.player_details}
    found = []
    with game.states.restored(state):
        for name in game.contestants:
            if name == player:
                continue
            pairs = ((cells[player], cells[name]), (cells[name], cells[player]))
            results = [game.vm.call(word, *pair) for pair in pairs]
            if all(result and result[-1] != 0 for result in results):
                found.append(name)
    return tuple(found)
