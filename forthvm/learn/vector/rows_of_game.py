"""The rows of a vector that one VM steps: describes the game to the C core.

environments.py joins the VMs of a vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.vector import Rows, RowsOptions, RowsPlayer, RowsStart
from forthvm.learn.observations.variables import board_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Buffer

    from forthvm.core.bindings import ActionFinder, ObservationPlan
    from forthvm.game import Game, Position

__all__ = ["reward_names", "rows_of"]

_FRIENDS = "OnFriends?"


def reward_names(game: Game) -> tuple[str, ...]:
    """Return the players of an outcome: the columns of arrays of rewards.

    If chance players make all moves, these are the owners of the pieces that move.
    """
    if game.contestants:
        return game.contestants
    chance = {player.name for player in game.player_details if player.chance}
    owners = {turn.for_player for turn in game.turn_order} - chance
    return tuple(name for name in game.players if name in owners)


def rows_of(  # noqa: PLR0913 - keyword-only options
    game: Game,
    *,
    first_row: int,
    count: int,
    max_plies: int,
    starts: Sequence[Position],
    finder: ActionFinder,
    plans: Sequence[ObservationPlan | None],
    arrays: Mapping[str, Buffer],
) -> Rows:
    """Return rows that use the VM of a game, which nothing else may use afterwards.

    Args:
        game: The game.
        first_row: Number of the first row.
        count: Number of rows.
        max_plies: Maximum length of a game.
        starts: First positions, in rotation; they are copied into the game.
        finder: Finds the numbers of moves, for these rows only.
        plans: By index of the player to move, the plan of the observation; empty for none.
        arrays: The arrays of these rows.
    """
    budget = game._loaded.options.budget
    columns = {name: column for column, name in enumerate(reward_names(game))}
    friends = game._loaded.vm.find(_FRIENDS)
    known = [plan for plan in plans if plan is not None]
    options = RowsOptions(
        first_row=first_row,
        rows=count,
        max_plies=max_plies,
        columns=len(columns),
        friends=bool(game.contestants)
        and friends is not None
        and friends > game._loaded.library_end,
        steps=(budget and budget.steps) or 0,
        seconds=(budget and (budget.call_seconds or budget.seconds)) or 0.0,
        players=[
            RowsPlayer(player.cell, columns.get(player.name, -1), _chance(game, index))
            for index, player in enumerate(game.player_details)
        ],
        viewers=_viewers(game),
        starts=[_start(start.copy(game=game)) for start in starts],
        actions=len(game.actions),
        finder=finder,
        board_bytes=board_bytes(game),
        history=max((plan.history for plan in known), default=0),
        plans=[plan or known[0] for plan in plans] if known else (),
    )
    game._loaded.states.release()
    return Rows(game._loaded.vm.native, options, arrays)


def _chance(game: Game, index: int) -> int:
    player = game.player_details[index]
    if not player.chance:
        return 0
    doubles_first = player.engine == "$RandomMoveEngine" and game.axiom.startswith("140")
    return 2 if doubles_first else 1


def _viewers(game: Game) -> list[int]:
    """Return for each turn the index of the viewer if a chance player is to move (ending.py)."""
    order = game.turn_order
    found = []
    for index, turn in enumerate(order):
        viewer, following = turn.for_player, index
        for _ in order:
            following = following + 1 if following + 1 < len(order) else game.turn_repeat
            if order[following].player in game.contestants:
                viewer = order[following].player
                break
        found.append(game.players.index(viewer) if viewer in game.players else -1)
    return found


def _start(position: Position) -> RowsStart:
    state = position._state
    return RowsStart(state.arrived, state.partial, state.skipped)
