"""Who wins with whom: players whom a script calls friends.

Owns the question to the script.  It must not know what a result is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Game
    from .states import State

__all__ = ["friends_of"]

_WORD = "OnFriends?"


def friends_of(game: Game, player: str, state: State) -> tuple[str, ...]:
    """Contestants who are a player's friends in a state, by the script's OnFriends?.

    Scripts use that word to steer searches past chance players, too, and answer TRUE for pairs
    that are no team then; so only what holds both ways counts.

    Raises:
        ForthVMError: the script fails.
    """
    word = game.vm.find(_WORD)
    if word is None or word <= game.library_end:
        return ()
    cells = {one.name: one.cell for one in game.player_details}
    found = []
    with game.states.borrowed(state):
        for name in game.contestants:
            if name == player:
                continue
            pairs = ((cells[player], cells[name]), (cells[name], cells[player]))
            answers = [game.vm.call(word, *pair) for pair in pairs]
            if all(answer and answer[-1] != 0 for answer in answers):
                found.append(name)
    return tuple(found)
