"""Replays a complete history, to reconstruct the states before its moves.

Owns the check that a replay leads to the same position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import PositionError
from forthvm.game.memory.differences import cells_from_runs
from forthvm.game.moves import HostPass, Move, Source
from forthvm.game.notation import HOST_PASS
from forthvm.game.setup import first_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game.loaded import LoadedGame
    from forthvm.game.memory.differences import CellRun
    from forthvm.game.notation import HistoryEntry
    from forthvm.game.setup import Setup
    from forthvm.game.states import State

    # For a ply, the memory and the stack that an engine of the script left before the move.
    EngineChanges = dict[int, tuple[list[CellRun], tuple[int, ...]]]

__all__ = ["replayed_moves"]


def replayed_moves(
    game: LoadedGame,
    setup: Setup | None,
    history: Sequence[HistoryEntry],
    last: State,
    engine_changes: EngineChanges | None = None,
) -> list[Move]:
    """Return the moves of a history, made again from the start.

    Args:
        game: The game.
        setup: The set-up with which it was started.
        history: The moves.
        last: The state after the moves.
        engine_changes: The changes to memory by engines of the script, by ply.

    Raises:
        PositionError: The replay fails or leads to another position.
    """
    states = game.states
    try:
        state = first_state(game, setup)
    except ValueError as error:
        raise PositionError(f"cannot reconstruct earlier positions: {error}") from error
    moves: list[Move] = []
    for ply, entry in enumerate(history):
        if engine_changes and ply in engine_changes:
            state = _after_engine(game, state, *engine_changes[ply])
        shown = f"move {ply + 1} of the history, `{entry.text}`,"
        texts = states.texts(state)
        if entry.index == HOST_PASS:
            if texts:
                raise PositionError(f"{shown} is a pass of a player who has moves")
            moves.append(HostPass(Source(game, state)))
            state = states.end_turn(state)
            continue
        if entry.index >= len(texts) or texts[entry.index] != entry.text:
            raise PositionError(f"cannot reconstruct earlier positions: {shown} is not legal")
        moves.append(Move(Source(game, state), entry.index))
        before, state = state, states.make(state, entry.index)
        states.save(state)
        states.forget_list(before)
    if not state.same(last):
        raise PositionError(
            "cannot reconstruct earlier positions: replaying the history leads to another "
            "position (random streams were set, an engine ran, or the game began from another "
            "set-up)"
        )
    return moves


def _after_engine(
    game: LoadedGame, state: State, runs: list[CellRun], stack: tuple[int, ...]
) -> State:
    """Return a state after the changes to memory that an engine of the script made."""
    try:
        memory = state.arrived.patch(cells_from_runs(runs), stack)
    except MemoryError as error:
        raise PositionError("the memory that an engine left does not fit") from error
    return game.states.from_memory(state.arrived, skipped=state.skipped, engine_memory=memory)
