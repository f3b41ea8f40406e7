"""States of the VM: saves, restores and derives the memory of each position of a game.

Owns the order in which the original's host called the script.  Scripts with side effects in these
calls, such as random numbers drawn during move generation, then play as in the original.  A
position passes through three stages:

1. *made*: a move has been made, but the lists before it are not yet freed;
2. *arrived*: the lists are freed, or a new game has been set up;
3. *listed*: the moves have been generated, and OnIsGameOver has been called for the player to move;
   then the moves have been generated a second time, and a move of that list can be made.  After a
   partial move, the moves are generated only once, and OnIsGameOver is not called.

A saved `State` contains the memory of the stage *arrived*, from which *listed* is derived.  All
states of a game share one VM: `States` records which state is in the VM's memory, and restores
another state when needed.

Programs that search often make a move and take the move back without reading the state after it.
Therefore the state after a move is saved only when it is used, or when another state is restored;
if it is taken back before that, its object becomes the state after the next move.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakMethod

from forthvm.core.bindings.games import LOCK_NEEDED
from forthvm.core.bindings.layout import CELL, HEADER

from .outcome import DECIDED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import RLock
    from typing import Protocol

    from forthvm.core.bindings import NativeVM, Snapshot

    from .tables import Variables

    class Normalizer(Protocol):
        """Clears scratch memory (sameness.py)."""

        def __call__(self, native: NativeVM, *, texts_depend_on_edit: bool) -> None:
            """Clear scratch memory; keep the last board edit if texts depend on it."""


__all__ = ["State", "States"]

_MADE, _ARRIVED, _LISTED = range(3)
"""The stages."""
_TRUE = -1
_BEGIN_GAME = "z-begin-game"
"""A word of compiled rule files: it skips turns of players who cannot move at the start."""


class State:
    """The state of the VM in a position.

    Attributes:
        arrived: Memory at the stage *arrived* (states.py), before the moves are generated; set if
            `saved`.
        listed: Memory at the stage *listed*, with the move list, if it has been stored.
        engine_ran: Whether an engine of the script changed `listed`, which then cannot be
            derived from `arrived`.
        partial: Whether the last move was partial.
        skipped: Number of successive passes of players without moves.
        code: The result of OnIsGameOver, None before it was called.
        comment: The result comment, if the code ends the game.
        player: Index of the player to move, None before it was read.
        moves: Addresses of the moves in the list, None before the list was generated.
        texts: Texts of the moves, None before they were read.
        normalized: Memory without scratch memory, None before the position was compared.  A
            second snapshot is added if an engine changed the memory.
        saved: Whether the state can be restored; otherwise it is only in the VM's memory.
        private: Whether the state is unsaved, and only one position refers to it.
        dropped: Whether no position refers to the state any more, so it need not be saved.
        known_to_continue: Whether `player` is set, and the game is known to continue with one of
            `moves`.
    """

    __slots__ = (
        "__weakref__",
        "arrived",
        "code",
        "comment",
        "dropped",
        "engine_ran",
        "known_to_continue",
        "listed",
        "moves",
        "normalized",
        "partial",
        "player",
        "private",
        "saved",
        "skipped",
        "texts",
    )

    arrived: Snapshot

    def __init__(
        self, arrived: Snapshot | None, *, partial: bool = False, skipped: int = 0
    ) -> None:
        """Create a state at the stage *arrived*; without a snapshot, it is not saved."""
        self.saved = arrived is not None
        self.private = arrived is None
        if arrived is not None:
            self.arrived = arrived
        self.dropped = False
        self.known_to_continue = False
        self.partial = partial
        self.skipped = skipped
        self.engine_ran = False
        self.listed: Snapshot | None = None
        self.code: int | None = UNKNOWN if partial else None
        self.comment = ""
        self.player: int | None = None
        self.moves: Sequence[int] | None = None
        self.texts: tuple[str, ...] | None = None
        self.normalized: tuple[Snapshot, ...] | None = None

    @property
    def current(self) -> Snapshot:
        """The memory from which play continues: as arrived, or as an engine changed it."""
        return self.listed if self.engine_ran and self.listed is not None else self.arrived

    def same(self, other: State) -> bool:
        """Return whether memory (including scratch memory), stack and counters are equal."""
        return (
            self.skipped == other.skipped
            and self.partial == other.partial
            and self.engine_ran == other.engine_ran
            and self.arrived.equal(other.arrived)
            and self.current.equal(other.current)
        )


class States:
    """The VM of a game, and the state that is in its memory.

    Public methods acquire the lock, or say that the caller must hold the lock.  A caller can also
    acquire the lock to make several calls atomic.
    """

    __slots__ = (
        "__weakref__",
        "_on_touch",
        "_stage",
        "_state",
        "_unsaved",
        "_variables",
        "native",
        "player_count",
    )

    def __init__(self, native: NativeVM, variables: Variables, player_count: int) -> None:
        """Manage the VM of a loaded and bound game."""
        self.native = native
        self.player_count = player_count
        self._variables = variables
        self._state: State | None = None  # the state in memory; None: memory is no known state
        self._stage = _ARRIVED  # the stage of that state
        self._unsaved: State | None = None  # the state in memory, if it is not saved
        weak_save = WeakMethod(self._save_unsaved)  # avoids a reference cycle through the VM

        def on_touch() -> None:
            save = weak_save()
            if save is not None:
                save()

        self._on_touch = on_touch

    @property
    def lock(self) -> RLock:
        """The lock of the VM, which a fork may have replaced."""
        return self.native.lock

    def start(
        self,
        base: Snapshot,
        edits: Sequence[tuple[int, int, int]] | None,
        finish: Callable[[NativeVM], None] | None = None,
    ) -> State:
        """Start a new game and return its first state.

        Args:
            base: The memory after loading.
            edits: Player, piece type and position of each piece; None: the script's set-up.
            finish: Called last to change memory, for example to set the turn.
        """
        with self.lock:
            self._refuse_in_run()
            self._save_unsaved()
            self._state = None
            native = self.native
            native.snapshot_restore(base)
            with native.operation():
                native.game_new()
                if edits is None:
                    native.game_setup()
                else:
                    for player, kind, position in edits:
                        native.game_edit_add(player, kind, position)
                if finish is not None:
                    finish(native)
                if word := native.find(_BEGIN_GAME):
                    native.execute(word + HEADER)
            return self._arrive(partial=False, skipped=0)

    def from_memory(
        self, arrived: Snapshot, *, skipped: int, engine_memory: Snapshot | None
    ) -> State:
        """Return a state with given memory, for example from a document.

        Args:
            arrived: Memory at the stage *arrived*.
            skipped: Number of successive passes of players without moves.
            engine_memory: Memory that an engine of the script left, None if none ran.
        """
        with self.lock:
            self._restore_memory(arrived)
            state = State(arrived, partial=self._is_partial(), skipped=skipped)
            self._set_known(state, _ARRIVED)
            if engine_memory is not None:
                self.code_of(state)  # from the memory before the engine ran
                state.listed, state.engine_ran = engine_memory, True
                self._restore_memory(engine_memory)
                state.moves = self.native.move_list()
                self._set_known(state, _LISTED)
            return state

    def code_of(self, state: State) -> int:
        """Return the result of OnIsGameOver in a state; this generates the moves."""
        with self.lock:
            if state.code is None:
                self._ensure_listed(state, moves_needed=False)
            assert state.code is not None
            return state.code

    def moves_of(self, state: State) -> Sequence[int]:
        """Return the addresses of the legal moves."""
        with self.native.lock:
            if state.moves is None:
                if self._unsaved is state:
                    self._save_made(state)
                if self._state is state and self._stage == _ARRIVED:  # a fast path
                    self._list(state)
                else:
                    self._ensure_listed(state)
            assert state.moves is not None
            return state.moves

    def texts(self, state: State) -> tuple[str, ...]:
        """Return the texts of the legal moves."""
        with self.lock:
            if state.texts is None:
                self.restore_listed(state)
                state.texts = self.native.list_texts()
            return state.texts

    def squares(self, state: State) -> tuple[memoryview[int], memoryview[int]]:
        """Return the board positions from and to which the first pieces of the moves move."""
        with self.lock:
            self.restore_listed(state)
            return self.native.list_squares()

    def text(self, state: State, index: int) -> str:
        """Return the text of one legal move."""
        with self.lock:
            if state.texts is not None:
                return state.texts[index]
            if self._state is not state or self._stage != _LISTED:
                self._ensure_listed(state)
            return self.native.move_text(state.moves[index])  # type: ignore[index]

    def restore_listed(self, state: State) -> Sequence[int]:
        """Restore a state with its move list; return the list.  The caller must hold the lock."""
        self._ensure_listed(state)
        assert state.moves is not None
        return state.moves

    def restore_current(self, state: State) -> None:
        """Restore the memory of `State.current`; the caller must hold the lock."""
        if state.engine_ran:
            self._ensure_listed(state)
        else:
            self.save(state)
            if self._state is not state or self._stage != _ARRIVED:
                self._restore_memory(state.arrived)
                self._set_known(state, _ARRIVED)

    def store_list(self, state: State) -> Snapshot:
        """Store the memory at the stage *listed* in the state; return it."""
        with self.lock:
            self.restore_listed(state)
            if state.listed is None:
                state.listed = self.native.snapshot_take()
            return state.listed

    def free_list(self, state: State) -> None:
        """Free the stored memory with the move list; the list can be generated again."""
        with self.lock:
            if not state.engine_ran:
                state.listed = None

    def make(self, state: State, index: int) -> State:
        """Make a move and return the state after it; the old state is unchanged.

        The new state is not saved: a caller that shares it must `save` it first.

        Raises:
            ForthVMError: The script failed while the move was applied.
        """
        native, unused = self.native, self._unsaved
        if unused is not None and unused.dropped and state.listed is not None:
            unused.dropped = False  # no position refers to the object, so it becomes the new state
            try:
                status = native.loop_make_unlocked(state.listed, state.moves[index])  # type: ignore[index]
                if not status:
                    return unused
                if status != LOCK_NEEDED:
                    with native.lock:
                        native.loop_end_unlocked()
                        return self._arrive_after_partial(status)
            except BaseException:  # such as Ctrl-C, which may arrive after any call
                native.loop_end_unlocked()
                raise
            unused.dropped = True
        with native.lock:
            return self._make(state, index)

    def normalized(self, state: State, normalize: Normalizer) -> tuple[Snapshot, ...]:
        """Return memory without scratch memory; equal positions have equal results.

        Args:
            state: The state, which is unchanged.
            normalize: Clears scratch memory.
        """
        with self.lock:
            if state.normalized is None:
                self.save(state)
                texts_depend_on_edit = state.partial and self._texts_depend_on_edit(state)
                found = [self._normalized(state.arrived, normalize, texts_depend_on_edit)]
                if state.engine_ran:
                    unchanged = State(state.arrived, partial=state.partial, skipped=state.skipped)
                    after_engine = self._normalized(state.current, normalize, texts_depend_on_edit)
                    listed = self.store_list(unchanged)
                    without_engine = self._normalized(listed, normalize, texts_depend_on_edit)
                    if not after_engine.equal(without_engine):
                        found.append(after_engine)
                state.normalized = tuple(found)
            return state.normalized

    def _normalized(
        self, memory: Snapshot, normalize: Normalizer, texts_depend_on_edit: bool
    ) -> Snapshot:
        """Return a memory after `normalize` has cleared its scratch memory."""
        self._save_unsaved()
        self._restore_memory(memory)
        normalize(self.native, texts_depend_on_edit=texts_depend_on_edit)
        return self.native.snapshot_take()

    def _texts_depend_on_edit(self, state: State) -> bool:
        """Return whether a move text of a state depends on the last edit before its list."""
        self._save_unsaved()
        self._restore_memory(state.arrived)
        self.native.game_generate()
        return self.native.texts_depend_on_last_edit()

    def save(self, state: State) -> None:
        """Save a state, unless it is saved."""
        if not state.saved:
            with self.lock:
                self._save_unsaved()

    def end_turn(self, state: State) -> State:
        """Return the state after the pass of a player without moves."""
        with self.lock:
            self.restore_listed(state)
            self._state = None
            self.native.game_end_turn()
            return self._arrive(partial=False, skipped=state.skipped + 1)

    @contextmanager
    def in_memory(
        self, state: State, *, listed: bool = True, store_list: bool = False
    ) -> Iterator[NativeVM]:
        """Restore a state and yield the VM; changes in the block do not change the state.

        Args:
            state: The state.
            listed: Whether to restore the stage *listed*; if false, `State.current` is restored.
            store_list: Whether to store the stage *listed*, for the next time, before the block.
        """
        with self.lock:
            if store_list:
                self.store_list(state)
            if listed:
                self.restore_listed(state)
            else:
                self.restore_current(state)
            self._state = None
            yield self.native

    def after_engine(self, state: State) -> State:
        """Return a state with the VM's current memory, which an engine of the script changed.

        The method must be called inside a block of `in_memory`.

        Args:
            state: The state before the engine ran.
        """
        with self.lock:
            memory = self.native.snapshot_take()
            if state.listed is not None and memory.equal(state.listed):
                return state
            changed = State(state.arrived, partial=state.partial, skipped=state.skipped)
            changed.code = state.code if state.code is not None else UNKNOWN
            changed.comment = state.comment
            changed.listed, changed.engine_ran = memory, True
            changed.moves = self.native.move_list()
            return changed

    def release(self) -> None:
        """Record that the VM's memory is no known state, before other code uses the VM."""
        with self.lock:
            self._save_unsaved()
            self._state = None

    def restore_base(self, base: Snapshot) -> NativeVM:
        """Restore the memory after loading and return the VM; the caller must hold the lock.

        Raises:
            ContextError: The VM is running: for example, an output function called this.
        """
        self._refuse_in_run()
        self.release()
        self.native.snapshot_restore(base)
        return self.native

    # --- internal: the caller holds the lock ------------------------------------------

    def _make(self, state: State, index: int) -> State:
        """Make a move and return the new state: the object of a dropped state, or a new object."""
        native, child, listed = self.native, self._unsaved, state.listed
        if child is None or not child.dropped or listed is None:
            child, listed = State(None), self._listed_memory(state)
        child.dropped = False
        try:
            status = native.loop_make(listed, state.moves[index])  # type: ignore[index]
        except BaseException:
            self._set_unknown()
            raise
        if status:
            return self._arrive_after_partial(status)
        if self._unsaved is not child:
            self._unsaved = self._state = child
            self._stage, native.on_touch = _MADE, self._on_touch
        return child

    def _listed_memory(self, state: State) -> Snapshot:
        """Return the memory of a state with its list; before that, save the unsaved state."""
        self._refuse_in_run()
        self._save_unsaved()
        if state.listed is None:
            self.restore_listed(state)
            if state.listed is None:
                state.listed = self.native.snapshot_take()
        return state.listed

    def _save_unsaved(self) -> None:
        """Save the unsaved state, and free its lists; of a dropped state, only free the lists."""
        state, native = self._unsaved, self.native
        if state is None or native.running:  # running: a callback, before the move is complete
            return
        self._state = self._unsaved = native.on_touch = None
        if state.dropped:
            native.game_free_lists()
        else:
            self._save_made(state)

    def _save_made(self, state: State) -> None:
        """Save a state that is in memory at the stage _MADE."""
        native = self.native
        self._unsaved = native.on_touch = None
        state.arrived, state.saved, state.private = native.loop_snapshot(), True, False
        self._state, self._stage = state, _ARRIVED

    def _arrive_after_partial(self, status: int) -> State:
        """Return the state after a partial move; raise an error if the status is not _PARTIAL."""
        self._set_unknown()
        self.native.loop_partial(status)
        return self._arrive(partial=True, skipped=0)

    def _set_unknown(self) -> None:
        """Record that memory is no known state."""
        self._state = self._unsaved = self.native.on_touch = None

    def _arrive(self, *, partial: bool, skipped: int) -> State:
        """Save the state in memory, after a move or a set-up, and return the state."""
        state = State(self.native.loop_snapshot(), partial=partial, skipped=skipped)
        self._set_known(state, _ARRIVED)
        if partial and not self.moves_of(state):
            # No continuation of the partial move: the turn passes to the next player.
            self._state = None
            self.native.game_end_turn()
            return self._arrive(partial=False, skipped=skipped)
        return state

    def _ensure_listed(self, state: State, *, moves_needed: bool = True) -> None:
        """Bring a state with its move list to memory: restore the list, or generate it.

        If the moves are not needed, and the game is over, only the result may be set.
        """
        if self._unsaved is not None:
            self._save_unsaved()
        if self._state is state and self._stage == _LISTED:
            return
        if state.listed is not None:
            self._restore_memory(state.listed)
            self._set_known(state, _LISTED)
            return
        if self._state is not state:
            self._restore_memory(state.arrived)
            self._set_known(state, _ARRIVED)
        self._list(state, moves_needed=moves_needed)

    def _list(self, state: State, *, moves_needed: bool = True) -> None:
        """Advance the state in memory from _ARRIVED to _LISTED; set `code`, too."""
        self._state = None  # if the script fails, memory is no known state
        code, moves, state.listed = self.native.loop_list(
            state.arrived, result_known=state.partial, final=() if moves_needed else DECIDED
        )
        if moves is None:
            self._set_code(state, code)
            return
        if not state.partial:
            self._set_code(state, code)  # before the moves, which other threads may look for
        state.moves = moves
        if not state.partial:
            player = self.native.listed_player_offset // CELL
            if 0 <= player < self.player_count:
                state.player = player
                state.known_to_continue = (
                    state.skipped == 0 and code not in DECIDED and len(state.moves) > 0
                )
        self._state, self._stage = state, _LISTED

    def _set_code(self, state: State, code: int) -> None:
        """Set the result of OnIsGameOver, which has just run, and its comment."""
        state.code = code
        if code in DECIDED:
            state.comment = self.native.game_comment()

    def _restore_memory(self, snapshot: Snapshot) -> None:
        """Restore memory, which is then no known state."""
        self._refuse_in_run()
        self._state = None
        self.native.snapshot_restore(snapshot)

    def _refuse_in_run(self) -> None:
        """Raise ContextError if the VM is running."""
        if self.native.running:
            from forthvm.core.errors import ContextError

            raise ContextError("this game's VM is running: a position cannot be changed now")

    def _set_known(self, state: State, stage: int) -> None:
        self._state, self._stage = state, stage

    def _is_partial(self) -> bool:
        return self.native.read_cell(self._variables.partial) == _TRUE
