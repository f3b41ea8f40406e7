"""Positions for learning programs: boards as arrays, masks of legal moves, random playouts.

A *reward* is the result of a game for a player, from 0 to 1.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from forthvm.core.bindings import TreeOptions
from forthvm.engines.errors import EngineError, EngineOptionError
from forthvm.game.position import check_position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Game, Outcome, Position

__all__ = ["MAX_PLIES", "REWARDS_PER_ROW", "board_array", "legal_mask", "random_playouts"]

REWARDS_PER_ROW = 32
"""The length of a row of rewards, which is indexed by player numbers from 0 to 31."""
MAX_PLIES = 2000
"""The default maximum length of a game in plies."""


def board_array(position: Position) -> memoryview:
    """Return the cells of the board and its variables: `game.tables.board_cells` 32-bit integers.

    `numpy.asarray` of the result shares the memory.
    """
    check_position(position, "board_array")
    return memoryview(array("i", position.cells))


def legal_mask(position: Position, space: int | None = None) -> array[int]:
    """Return an array of numbers: 1 for each legal action, else 0.

    In a decided position no action is legal.  `Position.action_mask` writes to the caller's array.

    Args:
        position: The position.
        space: None: the actions are those of `game.actions`.  A number: there are so many actions,
            and action k is move k in the list of legal moves.

    Raises:
        EngineError: There are more legal moves than actions.
        EngineOptionError: `space` is not positive.
    """
    check_position(position, "legal_mask")
    if space is None:
        mask = array("B", bytes(len(position.game.actions)))
        position.action_mask(mask)
        return mask
    if space < 1:
        raise EngineOptionError(f"space must be a positive integer, not {space}")
    count = 0 if position.result is not None else len(position.legal_moves)
    if count > space:
        raise EngineError(f"{count} legal moves do not fit into {space} actions")
    return array("B", bytes([1]) * count + bytes(space - count))


def random_playouts(
    position: Position, count: int, *, seed: int = 0, plies: int = MAX_PLIES
) -> dict[str, float]:
    """Return the mean reward of each player in `count` random games from a position.

    A game that is longer than `plies` is scored by OnEvaluate.

    Raises:
        EngineOptionError: `count` or `plies` is not positive.
        ForthVMError: The script fails.
    """
    check_position(position, "random_playouts")
    if count < 1 or plies < 1:
        raise EngineOptionError(f"count and plies must be positive, not {count} and {plies}")
    if position.result is not None:
        return _rewards_by_name(position.game, _outcome_rewards(position.game, position.result))
    with position._in_memory() as native:
        sums, report = native.playouts(
            TreeOptions(count, seed=seed, chance=position._loaded.chance_bits, playout_plies=plies)
        )
    return _rewards_by_name(position.game, [reward / report.iterations for reward in sums])


def _outcome_rewards(game: Game, outcome: Outcome) -> list[float]:
    rewards = [0.0] * REWARDS_PER_ROW
    for player in game.player_details:
        won = player.name in outcome.winners
        rewards[player.number] = 0.5 if outcome.draw else float(won)
    return rewards


def _rewards_by_name(game: Game, rewards: Sequence[float]) -> dict[str, float]:
    return {
        player.name: rewards[player.number]
        for player in game.player_details
        if player.name in game.contestants
    }
