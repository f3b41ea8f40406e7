"""Replay of histories: a single entry, or all of them, to reconstruct earlier states.

Owns the choice of the move for an entry of a history, and the check that a replay leads to the
same position.  It must not know the format of documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import IllegalMoveError, PositionError
from forthvm.game.history import HOST_PASS
from forthvm.game.memory.differences import cells_from_runs

if TYPE_CHECKING:
    from forthvm.game.history import HistoryEntry
    from forthvm.game.memory.differences import Run
    from forthvm.game.position import Position
    from forthvm.game.states import State

    Left = dict[int, tuple[list[Run], tuple[int, ...]]]

__all__ = ["past_of", "play_again"]


def play_again(position: Position, entry: HistoryEntry) -> None:
    """Make the move of an entry: the move at its index, or another one with the same text.

    Raises:
        IllegalMoveError: another player is to move, or no legal move has the text.
    """
    if entry.player != position.turn:
        raise IllegalMoveError(
            f"`{entry.text}` was played by {entry.player}; {position.turn} is to move",
            detail=entry.text,
        )
    if entry.index == HOST_PASS and position.is_stuck:
        position.push_pass()
        return
    moves = position.legal_moves
    texts = moves.texts
    if entry.text not in texts:
        raise position._not_legal(entry.text)
    there = 0 <= entry.index < len(texts) and texts[entry.index] == entry.text
    position.push(moves[entry.index if there else texts.index(entry.text)])


def past_of(position: Position, left: Left | None = None) -> list[State]:
    """The states before each move of the history.

    Args:
        position: The position after the history.
        left: The changes to memory by engines of the script, by ply.

    Raises:
        PositionError: the replay leads to another position.
    """
    game = position.game
    try:
        again = game.begin(position.setup)
    except ValueError as error:
        raise PositionError(f"the past is lost: {error}") from error
    past = []
    for number, played in enumerate(position.history):
        if left and number in left:
            _leave(again, *left[number])
        past.append(again.state)
        what = f"move {number + 1} of the history, `{played.text}`,"
        if played.index == HOST_PASS:
            if not again.is_stuck:
                raise PositionError(f"{what} is a pass of a player who has moves")
            again.push_pass()
            continue
        texts = game.states.texts(again.state)
        if played.index >= len(texts) or texts[played.index] != played.text:
            raise PositionError(f"{what} is not what was legal: the past is lost")
        again.push(again.legal_moves[played.index])
    if not again.state.same(position.state):
        raise PositionError(
            "playing the history again leads elsewhere (random streams were set, an engine "
            "ran, or the game began from another set-up): the past is lost"
        )
    return past


def _leave(position: Position, runs: list[Run], stack: tuple[int, ...]) -> None:
    """Set a position's memory to the memory that an engine of the script left."""
    state = position.state
    try:
        memory = state.arrived.patch(cells_from_runs(runs), stack)
    except MemoryError as error:
        raise PositionError("the memory that an engine left does not fit") from error
    states = position.game.states
    position._state = states.adopt(state.arrived, skipped=state.skipped, played=memory)
