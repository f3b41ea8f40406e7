"""Which position the VM's memory holds, and how it gets from one to the next.

Owns the order of the original host's questions, so that scripts whose questions have effects
(random numbers drawn while generating) play as they did:

1. a position is *arrived* at: new game and set-up, or a made move, all lists freed;
2. it is *asked*: the moves are generated and OnIsGameOver is put to the player about to move
   (not inside a partial sequence);
3. it is *listed*: the moves are generated again, and a move of that list can be made.

A `State` keeps the arrived memory for ever and is not changed by anything but caching; the
rest follows from it.  One VM serves all states of a game: `States` knows which one its memory
holds and brings back another when asked.  It must not know names, texts or histories.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

from forthvm.core.errors import ContextError

from .outcome import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from forthvm.core.border import NativeVM, Snapshot

    from .tables import Variables

__all__ = ["State", "States"]

_ARRIVED, _ASKED, _LISTED = range(3)
_TRUE = -1


class State:
    """A position as the VM knows it.

    Attributes:
        arrived: Memory when the position was arrived at.
        listed: Memory with the move list in place, where it has been kept.
        played: An engine ran here, and `listed` is what it left; it cannot be derived from
            `arrived`.
        partial: Inside a partial sequence.
        skipped: Turns in a row that the host passed for players without moves.
        code: What OnIsGameOver answered, None before it was asked.
        player: Index of the player to move, None before somebody looked.
        moves: Addresses of the moves in the list, None before it was made.
        texts: Their texts, once somebody wanted them.
    """

    __slots__ = (
        "__weakref__",
        "arrived",
        "code",
        "listed",
        "moves",
        "partial",
        "played",
        "player",
        "skipped",
        "texts",
    )

    def __init__(self, arrived: Snapshot, *, partial: bool = False, skipped: int = 0) -> None:
        """A position just arrived at."""
        self.arrived = arrived
        self.partial = partial
        self.skipped = skipped
        self.played = False
        self.listed: Snapshot | None = None
        self.code: int | None = UNKNOWN if partial else None
        self.player: int | None = None
        self.moves: tuple[int, ...] | None = None
        self.texts: tuple[str, ...] | None = None

    @property
    def current(self) -> Snapshot:
        """What can influence play from here: as arrived, or as an engine left it."""
        return self.listed if self.played and self.listed is not None else self.arrived

    def same(self, other: State) -> bool:
        """Whether both play alike: memory, stack and everything else equal."""
        return (
            self.skipped == other.skipped
            and self.partial == other.partial
            and self.played == other.played
            and self.arrived.equal(other.arrived)
            and self.current.equal(other.current)
        )


class States:
    """The VM of a game and the state its memory holds.

    All methods take the lock; a caller that needs two steps in one takes it around them.
    """

    def __init__(self, native: NativeVM, variables: Variables) -> None:
        """Serves the VM of a loaded and bound game."""
        self.native = native
        self.lock = RLock()
        self._variables = variables
        self._state: State | None = None
        self._stage = _ARRIVED

    def start(
        self,
        base: Snapshot,
        edits: Sequence[tuple[int, int, int]] | None,
        finish: Callable[[NativeVM], None] | None = None,
    ) -> State:
        """A new game from the memory after loading.

        Args:
            base: That memory.
            edits: Player, piece type and position of each piece; None: the script's set-up.
            finish: What else the host wants to be otherwise.
        """
        with self.lock:
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
        """A state from memory that was read back."""
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
        """What OnIsGameOver answers there, generating once for it."""
        with self.lock:
            if state.code is None:
                self._enter(state, _ASKED)
            assert state.code is not None
            return state.code

    def moves_of(self, state: State) -> tuple[int, ...]:
        """Addresses of the legal moves."""
        with self.lock:
            if state.moves is None:
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

    def enter_listed(self, state: State) -> tuple[int, ...]:
        """Bring the state's memory back, with its list; the caller holds the lock."""
        self._enter(state, _LISTED)
        assert state.moves is not None
        return state.moves

    def enter_arrived(self, state: State) -> None:
        """Bring back the memory that `State.current` shows; the caller holds the lock."""
        if state.played:
            self._enter(state, _LISTED)
        elif self._state is not state or self._stage != _ARRIVED:
            self._restore(state.arrived)
            self._hold(state, _ARRIVED)

    def keep(self, state: State) -> Snapshot:
        """Memory with the list in place, kept from now on."""
        with self.lock:
            self.enter_listed(state)
            if state.listed is None:
                state.listed = self.native.snapshot_take()
            return state.listed

    def make(self, state: State, index: int) -> State:
        """The state after a move; the old one stays as it is.

        Raises:
            ForthVMError: the script failed while the move was applied; nothing has changed.
        """
        with self.lock:
            moves = self.enter_listed(state)
            self._state = None  # until the move is complete
            with self.native.operation():
                partial = self.native.game_make(moves[index])
            return self._arrive(partial=partial, skipped=0)

    def end_turn(self, state: State) -> State:
        """The state after the host passed for a player who has no move."""
        with self.lock:
            self.enter_listed(state)
            self._state = None
            self.native.game_end_turn()
            return self._arrive(partial=False, skipped=state.skipped + 1)

    @contextmanager
    def borrowed(self, state: State, *, listed: bool = True) -> Iterator[NativeVM]:
        """The VM with that state in memory, to do anything with; forgotten afterwards."""
        with self.lock:
            if listed:
                self.enter_listed(state)
            else:
                self.enter_arrived(state)
            self._state = None
            yield self.native

    def left_by_engine(self, state: State) -> State:
        """The same position with the memory an engine has left; call while it is borrowed."""
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
        """Somebody has used the VM: its memory holds no state that is known."""
        with self.lock:
            self._state = None

    # --- inside the lock --------------------------------------------------------------

    def _arrive(self, *, partial: bool, skipped: int) -> State:
        native = self.native
        native.game_free_lists()
        state = State(native.snapshot_take(), partial=partial, skipped=skipped)
        self._hold(state, _ARRIVED)
        if partial and not self.moves_of(state):
            # Nothing continues: the turn passes, and the next player is asked.
            self._state = None
            native.game_end_turn()
            return self._arrive(partial=False, skipped=skipped)
        return state

    def _enter(self, state: State, stage: int) -> None:
        if self._state is state and self._stage == stage:
            return
        if self._state is not state or self._stage > stage:
            if state.listed is not None and stage == _LISTED:
                self._restore(state.listed)
                self._hold(state, _LISTED)
                return
            again = state.moves is not None and not state.played
            self._restore(state.arrived)
            self._hold(state, _ARRIVED)
        else:
            again = False
        with self.native.operation():
            if self._stage < _ASKED <= stage:
                self._ask(state)
            if self._stage < _LISTED <= stage:
                self._list(state)
        if again and stage == _LISTED:
            # Somebody came back: this memory will be wanted more often than once.
            state.listed = self.native.snapshot_take()

    def _ask(self, state: State) -> None:
        self._state = None  # the memory is nobody's if the script fails
        if not state.partial:
            self.native.game_generate()
            state.code = self.native.game_over()
        self._hold(state, _ASKED)

    def _list(self, state: State) -> None:
        self._state = None
        self.native.game_generate()
        state.moves = self.native.move_list()
        self._hold(state, _LISTED)

    def _restore(self, snapshot: Snapshot) -> None:
        if self.native.running:
            raise ContextError("this game's VM is running: a position cannot be changed now")
        self._state = None
        self.native.snapshot_restore(snapshot)

    def _hold(self, state: State, stage: int) -> None:
        self._state, self._stage = state, stage

    def _is_partial(self) -> bool:
        return self.native.read_cell(self._variables.partial) == _TRUE
