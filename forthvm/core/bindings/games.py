"""The VM's methods for games: random streams, new games, move lists and moves.

Each method wraps C functions.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from forthvm.core.records import Change, ChangeKind

from .clib import ffi, lib
from .layout import CELL
from .searches import Searcher, split_records

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from .clib import CData
    from .snapshot import Snapshot

__all__ = ["LOCK_NEEDED", "NativeVM"]

# Faster to look up than attributes of `lib`.
_make = lib.fvm_loop_make
_make_unlocked = lib.fvm_loop_make_unlocked
_list = lib.fvm_loop_list
_snapshot = lib.fvm_loop_snapshot
_PARTIAL = lib.FVM_LOOP_PARTIAL
LOCK_NEEDED = lib.FVM_LOOP_LOCK_NEEDED
"""Result of `loop_make_unlocked` if it did nothing."""
_CAPACITY = 4096  # moves that fvm_loop_list copies
_LIST_ONLY, _BOTH = lib.FVM_LOOP_LIST_ONLY, lib.FVM_LOOP_BOTH
_RESULT = lib.FVM_LOOP_RESULT


class NativeVM(Searcher):
    """One VM of the C core.  Methods have the names of C functions, without `fvm_`."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(size, limit)
        self._moves = ffi.new("fvm_addr[]", _CAPACITY)
        self._moves_view = memoryview(ffi.buffer(self._moves))
        self._cells = ffi.new("fvm_cell[]", _CAPACITY)
        self._listing = ffi.new("fvm_listing *")
        self._listing.moves, self._listing.capacity = self._moves, _CAPACITY
        self.listed_player_offset = -1

    # --- random streams --------------------------------------------------------------

    def seed(self, stream: int, seed: int) -> None:
        """Seed a random stream: 1, 2, or 3 (used by $Rand64!)."""
        with self.lock:
            lib.fvm_seed(self._vm, stream, seed)

    # --- the host's move loop: several C functions in one call; the caller has the lock -------

    def loop_make(self, state: Snapshot, move: int) -> int:
        """Restore a snapshot that contains a move list and apply a move of that list.

        The move lists stay in memory; `loop_snapshot` drops them.

        Returns:
            A status, to be passed to `loop_partial`.
        """
        if (self._depth or not self._ready) and not self._is_ready():
            self.snapshot_restore(state)
            return _PARTIAL if self.game_make(move) else 0
        self._depth = 1
        try:
            return _make(self._pointer, state._pointer, move)
        finally:
            self._depth = 0

    def loop_make_unlocked(self, state: Snapshot, move: int) -> int:
        """Restore a snapshot and apply a move as `loop_make` does, but without the lock.

        Only the thread that created the VM can do so, until another thread uses the VM.

        Returns:
            LOCK_NEEDED if nothing was done; otherwise the status that `loop_make` returns.  After a
            status other than 0, the caller acquires the lock and calls `loop_end_unlocked`.
        """
        if self._ready and not self._depth:
            return _make_unlocked(self._pointer, state._pointer, move)
        return LOCK_NEEDED

    def loop_end_unlocked(self) -> None:
        """End a move that was made without the lock and that failed or was partial."""
        lib.fvm_loop_end_unlocked(self._pointer)

    def loop_partial(self, status: int) -> bool:
        """Return whether the move was partial, given the result of `loop_make`.

        Raises:
            ForthVMError: The move failed.
        """
        if status and status != _PARTIAL:
            self._raise(status)
        return status == _PARTIAL

    def loop_snapshot(self) -> Snapshot:
        """Drop all lists and return a snapshot of the state."""
        return self._wrap(_snapshot(self._pointer))

    def loop_list(
        self, current: Snapshot, *, result_known: bool, final: Container[int] = ()
    ) -> tuple[int, Sequence[int] | None, Snapshot | None]:
        """Run OnIsGameOver and generate the move list; return result, moves and the state.

        Args:
            current: A snapshot of the current memory.
            result_known: Whether the caller knows the result.  If true, OnIsGameOver does not run,
                and the returned result has no meaning.
            final: The results that end a game, if no moves are needed after its end: then there
                may be no moves and no state.  Empty: the moves are needed in any case.

        Sets `listed_player_offset` to the value of $playerOffset before the call, or to -1 if the
        call has not read $playerOffset.
        """
        if (self._depth or not self._ready) and not self._is_ready():
            self.listed_player_offset = -1
            with self.operation():
                result = 0
                if not result_known:
                    self.game_generate()
                    result = self.game_over()
                    if result in final:
                        return result, None, None
                self.game_generate()  # again, since OnIsGameOver may have changed memory
                return result, array("I", self.move_list()), self.snapshot_take()
        listing = self._listing
        self._depth = 1
        purpose = _LIST_ONLY if result_known else _RESULT if final else _BOTH
        try:
            status = _list(self._pointer, current._pointer, purpose, listing)
            if status or self.host.callback_error is not None:
                self._raise(status)
        finally:
            self._depth = 0
        self.listed_player_offset = listing.player_offset
        if not listing.state:
            return listing.result, None, None
        count = listing.count
        if count > _CAPACITY:
            moves = array("I", self.move_list())
        else:  # an array makes no objects for addresses that are never used
            moves = array("I", self._moves_view[: CELL * count].tobytes())
        return listing.result, moves, self._wrap(listing.state)

    # --- games -----------------------------------------------------------------------

    def bind(self) -> None:
        """Find the library's variables and hooks; call it again after every load."""
        self._run(lib.fvm_bind)

    def game_check(self) -> None:
        """Raise NoGameError unless there are a board, players and a turn order."""
        self._run(lib.fvm_game_check)

    def game_new(self) -> None:
        """Start a new game with an empty board."""
        self._run(lib.fvm_game_new)

    def game_edit_add(self, player: int, piece_type: int, position: int) -> None:
        """Put a piece on the board during set-up (OnEditAdd)."""
        self._run(lib.fvm_game_edit_add, player, piece_type, position)

    def game_edit_remove(self, position: int) -> None:
        """Remove a piece from the board during set-up (OnEditRemove)."""
        self._run(lib.fvm_game_edit_remove, position)

    def game_setup(self) -> None:
        """Put the pieces of {board-setup on the board."""
        self._run(lib.fvm_game_setup)

    def game_generate(self) -> int:
        """Generate the move list of the player to move; return its length."""
        count = ffi.new("int32_t *")
        self._run(lib.fvm_game_generate, count)
        moves: int = count[0]
        return moves

    def game_over(self) -> int:
        """Run OnIsGameOver and return its result."""
        result = ffi.new("fvm_cell *")
        self._run(lib.fvm_game_over, result)
        score: int = result[0]
        return score

    def game_comment(self) -> str:
        """Return the text that ^ words wrote during the last OnIsGameOver, blanks included."""
        return self._text(lib.fvm_game_comment)

    def game_make(self, move: int) -> bool:
        """Apply a move of the newest list; return True if it was partial."""
        partial = ffi.new("int32_t *")
        self._run(lib.fvm_game_make, move, partial)
        return bool(partial[0])

    def game_end_turn(self) -> None:
        """End the turn of a player whose sequence of partial moves has no continuation."""
        self._run(lib.fvm_game_end_turn)

    def game_close(self) -> None:
        """Run OnTerminate, if the script has one."""
        self._run(lib.fvm_game_close)

    def game_free_lists(self) -> None:
        """Drop all move lists and cloned boards."""
        with self.lock:
            lib.fvm_game_free_lists(self._vm)

    def variable(self, name: str) -> int | None:
        """Return the value of a library variable, None if there is no such variable."""
        found = ffi.new("int *")
        with self.lock:
            value: int = lib.fvm_variable(self._vm, self.codec.encode(name), found)
        return value if found[0] else None

    def variable_address(self, name: str) -> int:
        """Return the address of a library variable, 0 if there is no such variable."""
        with self.lock:
            address: int = lib.fvm_variable_address(self._vm, self.codec.encode(name))
        return address

    def move_list(self) -> tuple[int, ...]:
        """Return the moves of the newest list, in order."""
        with self.lock:
            count = lib.fvm_move_list(self._vm, ffi.NULL, 0)
            if count <= 0:
                return ()
            moves = ffi.new("fvm_addr[]", count)
            lib.fvm_move_list(self._vm, moves, count)
            return tuple(memoryview(ffi.buffer(moves)).cast("I").tolist())

    def move_text(self, move: int) -> str:
        """Return the text of a move, in the notation of the original."""
        return self._text(lib.fvm_move_text, move)

    def list_texts(self) -> tuple[str, ...]:
        """Return the texts of all moves of the newest list, read in one call."""
        return self.codec.decode_all(self._bytes(lib.fvm_list_texts))

    def list_squares(self) -> tuple[memoryview[int], memoryview[int]]:
        """Return for each move of the newest list the board positions `from` and `to`, as C ints.

        They belong to the first piece that moves; without one, they are -1 and the position of the
        first new piece, -1 if there is none.
        """
        with self.lock:
            count = lib.fvm_list_squares(self._vm, ffi.NULL, ffi.NULL, 0)
            data = bytearray(2 * CELL * count)
            cells = ffi.from_buffer("fvm_cell[]", data)
            lib.fvm_list_squares(self._vm, cells, cells + count, count)
        view = memoryview(data).toreadonly().cast("i")
        return view[:count], view[count:]

    def describe_moves(self) -> list[bytes]:
        """Return a description of each move of the newest list, as the bytes of its cells.

        Equal moves have equal descriptions; native/encoding/action_keys.c has the format.
        """
        with self.lock:
            needed = lib.fvm_describe_moves(self._vm, self._cells, len(self._cells))
            if needed > len(self._cells):
                self._cells = ffi.new("fvm_cell[]", needed)
                lib.fvm_describe_moves(self._vm, self._cells, needed)
            data = bytes(ffi.buffer(self._cells, CELL * needed))
        return split_records(data)

    def observation_state(self) -> tuple[int, ...]:
        """Return the numbers FVM_OBSERVE_... of the game state in memory."""
        numbers = ffi.new("fvm_cell[]", lib.FVM_OBSERVE_STATE)
        with self.lock:
            lib.fvm_observation_state(self._vm, numbers)
        return tuple(numbers)

    def move_type(self, move: int) -> int:
        """Return the move type of a move, 0 for none."""
        kind: int = lib.fvm_move_type(self._vm, move)
        return kind

    def move_code(self, move: int) -> tuple[int, int]:
        """Return address and length in bytes of a move's code, without the items of its text."""
        start = ffi.new("fvm_addr *")
        length: int = lib.fvm_move_code(self._vm, move, start)
        return start[0], length

    def move_changes(self, move: int) -> tuple[Change, ...]:
        """Return the changes that a move makes, in order."""
        with self.lock:
            count = lib.fvm_move_changes(self._vm, move, ffi.NULL, 0)
            if count <= 0:
                return ()
            changes = ffi.new("fvm_change[]", count)
            lib.fvm_move_changes(self._vm, move, changes, count)
        return tuple(_change(change) for change in changes)

    def position_hash(self) -> int:
        """Return a Zobrist hash of the game state.

        The hash depends on the board, the board variables, the turn, the only move type allowed,
        and whether a sequence of partial moves has begun.
        """
        with self.lock:
            key: int = lib.fvm_position_hash(self._vm)
        return key

    def position_normalize(
        self, base: Snapshot, scratch: Sequence[int], *, piece: bool, texts: bool
    ) -> None:
        """Set the scratch memory of the script and of the kernel to fixed values.

        Scratch memory is not part of the position.

        Args:
            base: Memory after loading; memory that the script declares as scratch memory gets
                the values of `base`.
            scratch: Addresses of other scratch cells of the script.
            piece: Whether move generation always writes `$piece` before it is read.
            texts: The result of `texts_depend_on_last_edit` for the position's move list.
        """
        cells = ffi.new("fvm_addr[]", scratch)
        flags = piece * lib.FVM_NORMALIZE_PIECE + texts * lib.FVM_TEXTS_DEPEND_ON_LAST_EDIT
        self._run(lib.fvm_position_normalize, base._pointer, cells, len(scratch), flags)

    def texts_depend_on_last_edit(self) -> bool:
        """Return whether the text of a move in the newest list depends on the edit before it."""
        with self.lock:
            return bool(lib.fvm_texts_depend_on_last_edit(self._vm))


def _change(change: CData) -> Change:
    kind = ChangeKind(change.kind)
    # For a call, `pos` is the number of arguments; the C core stores at most four.
    args = tuple(change.args[0 : min(change.pos, 4)]) if kind is ChangeKind.CALL else ()
    return Change(kind, getattr(change, "from"), change.pos, change.piece, change.other, args)
