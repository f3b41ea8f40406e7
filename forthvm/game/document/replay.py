"""Replays one entry of a history, or a complete history to reconstruct earlier states.

Owns the choice of the move for an entry, and the check that a replay leads to the same position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import IllegalMoveError, PositionError
from forthvm.game.history import HOST_PASS
from forthvm.game.memory.differences import cells_from_runs

if TYPE_CHECKING:
    from forthvm.game.history import HistoryEntry
    from forthvm.game.memory.differences import CellRun
    from forthvm.game.moves import Move
    from forthvm.game.position import Position

    # For a ply, the memory and the stack that an engine of the script left before the move.
    EngineChanges = dict[int, tuple[list[CellRun], tuple[int, ...]]]

__all__ = ["replay_entry", "replayed_moves"]


def replay_entry(position: Position, entry: HistoryEntry) -> None:
    """Make the move of an entry: the move at its index, or another move with the same text.

    The caller decides whether the game may be over.

    Raises:
        IllegalMoveError: Another player is to move, or no legal move has the text.
    """
    if entry.player != position.turn:
        raise IllegalMoveError(
            f"`{entry.text}` was played by {entry.player}; {position.turn} is to move",
            detail=entry.text,
        )
    moves = position.legal_moves
    if entry.index == HOST_PASS and not moves:
        position.push_pass(after_end=True)
        return
    texts = moves.texts
    if entry.text not in texts:
        raise position._not_legal(entry.text)
    has_same_index = 0 <= entry.index < len(texts) and texts[entry.index] == entry.text
    position.push(moves[entry.index if has_same_index else texts.index(entry.text)], after_end=True)


def replayed_moves(position: Position, engine_changes: EngineChanges | None = None) -> list[Move]:
    """Return the moves of the history, made again from the start.

    Args:
        position: The position after the history.
        engine_changes: The changes to memory by engines of the script, by ply.

    Raises:
        PositionError: The replay fails or leads to another position.
    """
    game = position.game
    try:
        replayed = game.begin(position.setup)
    except ValueError as error:
        raise PositionError(f"cannot reconstruct earlier positions: {error}") from error
    for ply, entry in enumerate(position.history):
        if engine_changes and ply in engine_changes:
            _set_engine_memory(replayed, *engine_changes[ply])
        shown = f"move {ply + 1} of the history, `{entry.text}`,"
        if entry.index == HOST_PASS:
            if replayed.legal_moves:
                raise PositionError(f"{shown} is a pass of a player who has moves")
            replayed.push_pass(after_end=True)
            continue
        texts = game.states.texts(replayed.state)
        if entry.index >= len(texts) or texts[entry.index] != entry.text:
            raise PositionError(f"cannot reconstruct earlier positions: {shown} is not legal")
        replayed.push(replayed.legal_moves[entry.index], after_end=True)
    if not replayed.state.same(position.state):
        raise PositionError(
            "cannot reconstruct earlier positions: replaying the history leads to another "
            "position (random streams were set, an engine ran, or the game began from another "
            "set-up)"
        )
    return replayed._made


def _set_engine_memory(position: Position, runs: list[CellRun], stack: tuple[int, ...]) -> None:
    """Apply the changes of an engine of the script to the memory of a position."""
    state = position.state
    try:
        memory = state.arrived.patch(cells_from_runs(runs), stack)
    except MemoryError as error:
        raise PositionError("the memory that an engine left does not fit") from error
    states = position.game.states
    position._state = states.from_memory(state.arrived, skipped=state.skipped, engine_memory=memory)
