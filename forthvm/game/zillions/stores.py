"""The stores of a rule file: the pieces of each player beside the board.

Owns the place of the counts in a compiled game: the array `z-stores` has a cell for each player and
piece type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game.game import Game
    from forthvm.game.position_queries import PositionQueries

__all__ = ["has_stores", "stores_of"]

_ARRAY = "z-stores"


def has_stores(game: Game) -> bool:
    """Return whether players can have pieces beside the board."""
    return game.rules is not None and _ARRAY in game.script_variables


def stores_of(position: PositionQueries) -> Mapping[str, Mapping[str, int]]:
    """Return the number of pieces of each type in each player's store, without empty ones."""
    game = position.game
    if not has_stores(game):
        return {}
    types = [kind.name for kind in game.roster.types]
    counts = position.variables.array(_ARRAY, len(game.players) * len(types))
    stores = {}
    for index, player in enumerate(game.players):
        first = index * len(types)
        store = dict(zip(types, counts[first : first + len(types)], strict=True))
        stores[player] = {name: count for name, count in store.items() if count > 0}
    return {player: store for player, store in stores.items() if store}
