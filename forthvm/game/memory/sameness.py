"""Equality of positions, and the key that equal positions share.

Owns the definition of the contents of a position: memory and parameter stack without scratch
memory.  Scratch memory consists of cells that the kernel uses while moves are generated and made,
variables that a script writes before it can read them (scratch.py), and memory that the script's
word `OnForget` clears.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import LAST_EDITOR
from forthvm.game.states import State
from forthvm.game.tables import read_cell

from .randomness import streams_of
from .scratch import scratch_of

if TYPE_CHECKING:
    from forthvm.core.bindings import NativeVM, Snapshot
    from forthvm.game.loaded import LoadedGame

__all__ = ["WORD", "key_of", "same_position"]

WORD = "OnForget"
"""The word with which a script clears memory on which its positions do not depend."""


def same_position(game: LoadedGame, state: State, other_game: LoadedGame, other: State) -> bool:
    """Return whether two states are the same position; the games must have the same sources.

    Raises:
        ForthVMError: OnForget fails.
    """
    if state.skipped != other.skipped or state.partial != other.partial:
        return False
    if state.same(other):
        return True
    memories, other_memories = _normalized(game, state), _normalized(other_game, other)
    return len(memories) == len(other_memories) and all(
        memory.equal(other_memory)
        for memory, other_memory in zip(memories, other_memories, strict=True)
    )


def key_of(game: LoadedGame, state: State, *, rules_only: bool = False, forget: bool = True) -> int:
    """Return a 64-bit hash, which is equal for all states that are the same position.

    Args:
        game: The game of the state.
        state: The state.
        rules_only: Leave out the random streams, and the player of the last board edit, which only
            the engine `axiom` reads.  Then the key is that of the state with their values
            after loading.
        forget: Run OnForget.  Without it, states with equal keys have equal futures even if the
            script lets OnForget clear its record of earlier positions.

    Raises:
        ForthVMError: OnForget fails.
    """
    key = state.skipped  # number of consecutive passes
    for memory in _normalized(game, state, forget=forget):
        compared = _with_streams_after_loading(game, memory) if rules_only else memory
        key = compared.key(game.base, key)
    return key


def _with_streams_after_loading(game: LoadedGame, memory: Snapshot) -> Snapshot:
    """Return memory with the random streams and the last editor of the game after loading."""
    cells = streams_of(game).changes_to(memory, game.base)
    last_editor = read_cell(game.base, LAST_EDITOR)
    if read_cell(memory, LAST_EDITOR) != last_editor:
        cells[LAST_EDITOR] = last_editor
    return memory.patch(cells, memory.stack()) if cells else memory


def _normalized(game: LoadedGame, state: State, *, forget: bool = True) -> tuple[Snapshot, ...]:
    """Return the memory of a state without scratch memory.

    If an engine of the script changed more than scratch memory, the memory that the engine left
    follows as a second item.
    """
    scratch = scratch_of(game)
    has_word = game.vm.find(WORD) is not None
    forgets = forget and has_word
    if has_word and not forget:  # a state stores only the memory that OnForget has cleared
        game.states.save(state)
        state = State(state.current, partial=state.partial, skipped=state.skipped)

    def normalize(native: NativeVM, *, texts_depend_on_edit: bool) -> None:
        # texts_depend_on_edit: whether move texts depend on the last edit before the move list
        if forgets:
            game.vm.call(WORD)
        native.position_normalize(
            game.base, scratch.cells, piece=scratch.piece, texts=texts_depend_on_edit
        )

    return game.states.normalized(state, normalize)
