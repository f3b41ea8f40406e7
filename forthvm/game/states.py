"""States of the VM: saves, restores and derives the memory of each position of a game.

Owns the order in which the original's host called the script, so that scripts with side effects in
these calls (such as random numbers drawn while generating moves) play as in the original:

1. a position is *arrived*: after new game and set-up, or a made move, with all lists freed;
2. it is *asked*: the moves are generated and OnIsGameOver is called for the player about to move
   (not after a partial move);
3. it is *listed*: the moves are generated a second time, and a move of that list can be made.

A `State` keeps the arrived memory and changes only by caching; the other stages are derived from
it.  One VM serves all states of a game: `States` knows the state in its memory and restores
another on demand.  It must not know names, texts or histories.

Programs that search make a move, read little and take it back.  Therefore the state after a move
is saved only when it is used, or when another state is restored.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakMethod

from forthvm.core.bindings.layout import CELL

from .outcome import DECIDED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import RLock
    from typing import Protocol

    from forthvm.core.bindings import NativeVM, Snapshot

    from .definition.tables import Variables

    class Settle(Protocol):
        """Clears scratch memory (sameness.py)."""

        def __call__(self, native: NativeVM, *, by_text: bool) -> None: ...


__all__ = ["State", "States"]

_MADE, _ARRIVED, _ASKED, _LISTED = range(4)
"""The stage of the state in memory; _MADE: arrived, but the lists before the move are not freed."""
_TRUE = -1


class State:
    """The VM's state of a position.

    Attributes:
        arrived: Memory at the stage *arrived*; set if `saved`.
        listed: Memory at the stage *listed*, if it has been kept.
        played: Whether an engine ran here and left `listed`, which then cannot be derived from
            `arrived`.
        partial: Whether the last move was partial.
        skipped: Number of successive passes of players without moves.
        code: The answer of OnIsGameOver, None before it was called.
        player: Index of the player to move, None before it was read.
        moves: Addresses of the moves in the list, None before it was generated.
        texts: Their texts, None before they were read.
        settled: Memory without scratch memory, once the position was compared: as arrived, and
            as an engine left it if that differs.
        saved: Whether it can be restored; otherwise it is in the VM's memory.
        private: Whether it is unsaved and known only to the position that made it.
        dropped: Whether it was private and that position has left it, so it need not be saved.
        open: Whether it is known that the game continues here, and whose turn it is.
    """

    __slots__ = (
        "__weakref__",
        "arrived",
        "code",
        "dropped",
        "listed",
        "moves",
        "open",
        "partial",
        "played",
        "player",
        "private",
        "saved",
        "settled",
        "skipped",
        "texts",
    )

    arrived: Snapshot

    def __init__(
        self, arrived: Snapshot | None, *, partial: bool = False, skipped: int = 0
    ) -> None:
        """A state at the stage *arrived*; None: it is not saved."""
        self.saved = arrived is not None
        self.private = arrived is None
        if arrived is not None:
            self.arrived = arrived
        self.dropped = False
        self.open = False
        self.partial = partial
        self.skipped = skipped
        self.played = False
        self.listed: Snapshot | None = None
        self.code: int | None = UNKNOWN if partial else None
        self.player: int | None = None
        self.moves: tuple[int, ...] | None = None
        self.texts: tuple[str, ...] | None = None
        self.settled: tuple[Snapshot, ...] | None = None

    @property
    def current(self) -> Snapshot:
        """The memory from which play continues: as arrived, or as an engine left it."""
        return self.listed if self.played and self.listed is not None else self.arrived

    def same(self, other: State) -> bool:
        """Whether memory, stack and everything else are equal, scratch memory included."""
        return (
            self.skipped == other.skipped
            and self.partial == other.partial
            and self.played == other.played
            and self.arrived.equal(other.arrived)
            and self.current.equal(other.current)
        )


class States:
    """The VM of a game and the state its memory holds.

    All public methods take the lock; a caller takes it to make several calls atomic.
    """

    __slots__ = (
        "__weakref__",
        "_on_touch",
        "_stage",
        "_state",
        "_unsaved",
        "_variables",
        "native",
        "players",
    )

    def __init__(self, native: NativeVM, variables: Variables, players: int) -> None:
        """Serves the VM of a loaded and bound game with `players` players."""
        self.native = native
        self.players = players
        self._variables = variables
        self._state: State | None = None
        self._stage = _ARRIVED
        self._unsaved: State | None = None  # the state in memory, if it is not saved
        saving = WeakMethod(self._save)  # no reference cycle, so a dropped game is freed at once

        def on_touch() -> None:
            save = saving()
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
        """A new game from the memory after loading.

        Args:
            base: The memory after loading.
            edits: Player, piece type and position of each piece; None: the script's set-up.
            finish: Called last to change memory, for example to set the turn.
        """
        with self.lock:
            self._refuse_in_run()
            self._save()
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
            return self._arrive(partial=False, skipped=0)

    def adopt(self, arrived: Snapshot, *, skipped: int, played: Snapshot | None) -> State:
        """A state from memory that was read from a document."""
        with self.lock:
            self._restore(arrived)
            state = State(arrived, partial=self._is_partial(), skipped=skipped)
            self._hold(state, _ARRIVED)
            if played is not None:
                self.ask(state)
                state.listed, state.played = played, True
                self._restore(played)
                state.moves = self.native.move_list()
                self._hold(state, _LISTED)
            return state

    def ask(self, state: State) -> int:
        """The answer of OnIsGameOver in a state; generates the moves once for it."""
        with self.lock:
            if state.code is None:
                self._enter(state, _ASKED)
            assert state.code is not None
            return state.code

    def moves_of(self, state: State) -> tuple[int, ...]:
        """Addresses of the legal moves."""
        with self.native.lock:
            if state.moves is None:
                if self._unsaved is state:
                    self._save()
                if self._state is state and self._stage == _ARRIVED:  # as in a loop over moves
                    self._list(state)
                else:
                    self._enter(state, _LISTED)
            assert state.moves is not None
            return state.moves

    def texts(self, state: State) -> tuple[str, ...]:
        """Texts of the legal moves."""
        with self.lock:
            if state.texts is None:
                moves = self.enter_listed(state)
                state.texts = tuple(self.native.move_text(move) for move in moves)
            return state.texts

    def text(self, state: State, index: int) -> str:
        """Text of one legal move."""
        with self.lock:
            if state.texts is not None:
                return state.texts[index]
            if self._state is not state or self._stage != _LISTED:
                self._enter(state, _LISTED)
            return self.native.move_text(state.moves[index])  # type: ignore[index]

    def enter_listed(self, state: State) -> tuple[int, ...]:
        """Restore a state with its move list; the caller must have the lock."""
        self._enter(state, _LISTED)
        assert state.moves is not None
        return state.moves

    def enter_arrived(self, state: State) -> None:
        """Restore the memory of `State.current`; the caller must have the lock."""
        if state.played:
            self._enter(state, _LISTED)
        else:
            self.save(state)
            if self._state is not state or self._stage != _ARRIVED:
                self._restore(state.arrived)
                self._hold(state, _ARRIVED)

    def keep(self, state: State) -> Snapshot:
        """Memory at the stage *listed*, which is kept from now on."""
        with self.lock:
            self.enter_listed(state)
            if state.listed is None:
                state.listed = self.native.snapshot_take()
            return state.listed

    def forget_list(self, state: State) -> None:
        """Free the memory kept with a move list, which can be generated again."""
        with self.lock:
            if not state.played:
                state.listed = None

    def make(self, state: State, index: int) -> State:
        """The state after a move; the old one is unchanged.

        The new state is not saved: a caller that shares it must `save` it first.

        Raises:
            ForthVMError: the script failed while the move was applied; nothing has changed.
        """
        native = self.native
        lock = native.lock
        try:
            lock.acquire()  # `with` takes twice as long, a tenth of a loop over moves
            child, listed = self._unsaved, state.listed
            if child is None or not child.dropped or listed is None:
                child, listed = State(None), self._prepared(state)
            child.dropped = False  # no position refers to it: the object is reused
            try:
                status = native.loop_make(listed, state.moves[index])  # type: ignore[index]
            except BaseException:
                self._hold_nothing()
                raise
            if status:
                return self._arrive_partly(status)
            if self._unsaved is not child:
                self._unsaved, native.on_touch = child, self._on_touch
                self._state, self._stage = child, _MADE
            return child
        finally:
            try:  # noqa: SIM105 - a context manager would cost what `acquire` saves
                lock.release()
            except RuntimeError:
                pass  # Ctrl-C while another thread had the lock: this one does not have it

    def settled(self, state: State, settle: Settle) -> tuple[Snapshot, ...]:
        """Memory without scratch memory, which is equal for all states of the same position.

        Args:
            state: The state, which is unchanged.
            settle: Clears scratch memory.
        """
        with self.lock:
            if state.settled is None:
                self.save(state)
                by_text = state.partial and self._is_listed_by_text(state)
                found = [self._settled(state.arrived, settle, by_text)]
                if state.played:
                    fresh = State(state.arrived, partial=state.partial, skipped=state.skipped)
                    left = self._settled(state.current, settle, by_text)
                    if not left.equal(self._settled(self.keep(fresh), settle, by_text)):
                        found.append(left)
                state.settled = tuple(found)
            return state.settled

    def _settled(self, memory: Snapshot, settle: Settle, by_text: bool) -> Snapshot:
        self._save()
        self._restore(memory)
        settle(self.native, by_text=by_text)
        return self.native.snapshot_take()

    def _is_listed_by_text(self, state: State) -> bool:
        self._save()
        self._restore(state.arrived)
        self.native.game_generate()
        return self.native.texts_depend_on_last_edit()

    def save(self, state: State) -> None:
        """Make sure that a state can be restored."""
        if not state.saved:
            with self.lock:
                self._save()

    def end_turn(self, state: State) -> State:
        """The state after the pass of a player who has no move."""
        with self.lock:
            self.enter_listed(state)
            self._state = None
            self.native.game_end_turn()
            return self._arrive(partial=False, skipped=state.skipped + 1)

    @contextmanager
    def borrowed(self, state: State, *, listed: bool = True) -> Iterator[NativeVM]:
        """The VM with a state in memory; changes within the block are discarded afterwards."""
        with self.lock:
            if listed:
                self.enter_listed(state)
            else:
                self.enter_arrived(state)
            self._state = None
            yield self.native

    def left_by_engine(self, state: State) -> State:
        """The same position with the memory that an engine has left; call inside `borrowed`."""
        with self.lock:
            now = self.native.snapshot_take()
            if state.listed is not None and now.equal(state.listed):
                return state
            left = State(state.arrived, partial=state.partial, skipped=state.skipped)
            left.code = state.code if state.code is not None else UNKNOWN
            left.listed, left.played = now, True
            left.moves = self.native.move_list()
            return left

    def forget(self) -> None:
        """Declare that the VM's memory is not a known state, for code that uses the VM."""
        with self.lock:
            self._save()
            self._state = None

    def lend(self, base: Snapshot) -> NativeVM:
        """The VM with the memory after loading; the caller must have the lock.

        Raises:
            ContextError: called by a hook during a run, which needs the memory.
        """
        self._refuse_in_run()
        self.forget()
        self.native.snapshot_restore(base)
        return self.native

    # --- internal: the lock is held ---------------------------------------------------

    def _prepared(self, state: State) -> Snapshot:
        """Memory of a state with its list; saves the current state if necessary."""
        self._refuse_in_run()
        self._save()
        if state.listed is None:
            self.enter_listed(state)
            if state.listed is None:
                state.listed = self.native.snapshot_take()
        return state.listed

    def _save(self) -> None:
        """Save the state in memory unless it is saved or dropped, and free its lists."""
        state = self._unsaved
        if state is None:
            return
        native = self.native
        self._state = self._unsaved = native.on_touch = None
        if state.dropped:
            native.game_free_lists()
        else:
            state.arrived, state.saved, state.private = native.loop_snapshot(), True, False
            self._state, self._stage = state, _ARRIVED

    def _arrive_partly(self, status: int) -> State:
        """The state after a partial move; raises if the status is an error."""
        self._hold_nothing()
        self.native.loop_partial(status)
        return self._arrive(partial=True, skipped=0)

    def _hold_nothing(self) -> None:
        self._state = self._unsaved = self.native.on_touch = None

    def _arrive(self, *, partial: bool, skipped: int) -> State:
        state = State(self.native.loop_snapshot(), partial=partial, skipped=skipped)
        self._hold(state, _ARRIVED)
        if partial and not self.moves_of(state):
            # No continuation of the partial move: the turn passes to the next player.
            self._state = None
            self.native.game_end_turn()
            return self._arrive(partial=False, skipped=skipped)
        return state

    def _enter(self, state: State, stage: int) -> None:
        if self._unsaved is not None:
            self._save()
        if self._state is state and self._stage == stage:
            return
        if self._state is not state or self._stage > stage:
            if state.listed is not None and stage == _LISTED:
                self._restore(state.listed)
                self._hold(state, _LISTED)
                return
            self._restore(state.arrived)
            self._hold(state, _ARRIVED)
        if stage == _LISTED:
            self._list(state)
        else:
            self._ask(state)

    def _ask(self, state: State) -> None:
        self._state = None  # memory is no known state if the script fails
        if not state.partial:
            with self.native.operation():
                self.native.game_generate()
                state.code = self.native.game_over()
        self._hold(state, _ASKED)

    def _list(self, state: State) -> None:
        asked = state.partial or self._stage == _ASKED
        self._state = None
        code, state.moves, state.listed = self.native.loop_list(state.arrived, result_known=asked)
        if not asked:
            state.code = code
            player = self.native.listed_player_offset // CELL
            if 0 <= player < self.players:
                state.player = player
                state.open = state.skipped == 0 and code not in DECIDED
        self._state, self._stage = state, _LISTED

    def _restore(self, snapshot: Snapshot) -> None:
        self._refuse_in_run()
        self._state = None
        self.native.snapshot_restore(snapshot)

    def _refuse_in_run(self) -> None:
        if self.native.running:
            from forthvm.core.errors import ContextError

            raise ContextError("this game's VM is running: a position cannot be changed now")

    def _hold(self, state: State, stage: int) -> None:
        self._state, self._stage = state, stage

    def _is_partial(self) -> bool:
        return self.native.read_cell(self._variables.partial) == _TRUE
