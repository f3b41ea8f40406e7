"""A VM that plays: random streams, the host's side of games.

This file owns these functions of C's as methods.  It must not know rules, names or histories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.records import Change, ChangeKind

from .clib import ffi, lib
from .searches import Searcher

if TYPE_CHECKING:
    from .clib import CData

__all__ = ["NativeVM"]


class NativeVM(Searcher):
    """One VM of the C core, a method per C function without its `fvm_`."""

    # --- random streams --------------------------------------------------------------

    def seed(self, stream: int, seed: int) -> None:
        """Start a random stream: 1, 2, or 3 (the one behind $Rand64!)."""
        with self._lock:
            lib.fvm_seed(self._vm, stream, seed)

    # --- games -----------------------------------------------------------------------

    def bind(self) -> None:
        """Find the library's variables and events; again after every load."""
        self._run(lib.fvm_bind)

    def game_check(self) -> None:
        """Raise NoGameError unless there are a board, players and a turn order."""
        self._run(lib.fvm_game_check)

    def game_new(self) -> None:
        """Start a new game, without its set-up."""
        self._run(lib.fvm_game_new)

    def game_edit_add(self, player: int, piece_type: int, position: int) -> None:
        """Put a piece on the board as the host does (OnEditAdd)."""
        self._run(lib.fvm_game_edit_add, player, piece_type, position)

    def game_edit_remove(self, position: int) -> None:
        """Take a piece off the board as the host does (OnEditRemove)."""
        self._run(lib.fvm_game_edit_remove, position)

    def game_setup(self) -> None:
        """Make all edits of the board set-up."""
        self._run(lib.fvm_game_setup)

    def game_generate(self) -> int:
        """Generate the list of the player to move; gives its length."""
        count = ffi.new("int32_t *")
        self._run(lib.fvm_game_generate, count)
        moves: int = count[0]
        return moves

    def game_over(self) -> int:
        """Ask OnIsGameOver."""
        result = ffi.new("fvm_cell *")
        self._run(lib.fvm_game_over, result)
        score: int = result[0]
        return score

    def game_make(self, move: int) -> bool:
        """Apply a move of the newest list; True if it was partial, so that the turn goes on."""
        partial = ffi.new("int32_t *")
        self._run(lib.fvm_game_make, move, partial)
        return bool(partial[0])

    def game_end_turn(self) -> None:
        """End a partial sequence that found no continuation."""
        self._run(lib.fvm_game_end_turn)

    def game_close(self) -> None:
        """Run OnTerminate, if the script has one."""
        self._run(lib.fvm_game_close)

    def game_free_lists(self) -> None:
        """Drop all move lists and cloned boards."""
        with self._lock:
            lib.fvm_game_free_lists(self._vm)

    def variable(self, name: str) -> int | None:
        """Read a variable of the library, None if there is none of that name."""
        found = ffi.new("int *")
        with self._lock:
            value: int = lib.fvm_variable(self._vm, self.codec.encode(name), found)
        return value if found[0] else None

    def variable_at(self, name: str) -> int:
        """Give the address of a variable of the library, 0 if there is none of that name."""
        with self._lock:
            address: int = lib.fvm_variable_at(self._vm, self.codec.encode(name))
        return address

    def move_list(self) -> tuple[int, ...]:
        """Give the moves of the newest list, in order."""
        with self._lock:
            count = lib.fvm_move_list(self._vm, ffi.NULL, 0)
            if count <= 0:
                return ()
            moves = ffi.new("fvm_addr[]", count)
            lib.fvm_move_list(self._vm, moves, count)
            return tuple(moves)

    def move_text(self, move: int) -> str:
        """Give the original's text of a move."""
        return self._text(lib.fvm_move_text, move)

    def move_type(self, move: int) -> int:
        """Give the move type of a move, 0 for none."""
        kind: int = lib.fvm_move_type(self._vm, move)
        return kind

    def move_code(self, move: int) -> tuple[int, int]:
        """Give address and length in bytes of a move's code."""
        start = ffi.new("fvm_addr *")
        length: int = lib.fvm_move_code(self._vm, move, start)
        return start[0], length

    def move_changes(self, move: int) -> tuple[Change, ...]:
        """Give what a move does, step by step."""
        with self._lock:
            count = lib.fvm_move_changes(self._vm, move, ffi.NULL, 0)
            if count <= 0:
                return ()
            changes = ffi.new("fvm_change[]", count)
            lib.fvm_move_changes(self._vm, move, changes, count)
        return tuple(_change(change) for change in changes)

    def position_hash(self) -> int:
        """Zobrist key of board, board variables, turn, type demanded and partial state."""
        with self._lock:
            key: int = lib.fvm_position_hash(self._vm)
        return key


def _change(change: CData) -> Change:
    kind = ChangeKind(change.kind)
    args = tuple(change.args[0 : min(change.pos, 4)]) if kind is ChangeKind.CALL else ()
    return Change(kind, getattr(change, "from"), change.pos, change.piece, change.other, args)
