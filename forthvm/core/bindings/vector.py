"""Rows of positions that are stepped together, and tables of actions.

Each method wraps C functions of native/vector/.  It reads and writes buffers, whatever package the
arrays are from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .clib import ffi, lib

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from typing_extensions import Buffer

    from .actions import ActionFinder
    from .clib import CData
    from .games import NativeVM
    from .observations import ObservationPlan
    from .snapshot import Snapshot

__all__ = [
    "EndlessError",
    "Rows",
    "RowsOptions",
    "RowsPlayer",
    "RowsStart",
]

_UINT64 = (1 << 64) - 1
_TYPES = {
    **dict.fromkeys(("masks", "done", "truncated"), "uint8_t"),
    **dict.fromkeys(("movers", "counts", "plies"), "int32_t"),
    **dict.fromkeys(("rewards", "observations"), "float"),
}


@dataclass(frozen=True)
class RowsPlayer:
    """A player.

    Attributes:
        cell: The player's constant.
        column: The column in arrays of rewards, -1 for none.
        chance: 0: the player chooses; 1: the moves are equally likely; 2: the first move is twice
            as likely as each other one.
    """

    cell: int
    column: int
    chance: int


@dataclass(frozen=True)
class RowsStart:
    """A first position: memory before the list of moves is generated, and counters of `State`."""

    memory: Snapshot
    partial: bool
    skipped: int


@dataclass(frozen=True, kw_only=True)
class RowsOptions:
    """The game and the size of rows; `fvm_vector_options` in forthvm.h explains the fields."""

    first_row: int
    rows: int
    max_plies: int
    columns: int
    friends: bool
    steps: int
    seconds: float
    players: Sequence[RowsPlayer]
    viewers: Sequence[int]
    starts: Sequence[RowsStart]
    actions: int
    finder: ActionFinder
    board_bytes: int
    history: int
    plans: Sequence[ObservationPlan]


class Rows:
    """Rows of positions that use one VM.

    The methods do not acquire the VM's lock, except where a script runs: nothing else may use the
    VM of rows.
    """

    def __init__(
        self, native: NativeVM, options: RowsOptions, arrays: Mapping[str, Buffer]
    ) -> None:
        """Allocate rows; `reset` begins the games.

        Args:
            native: The VM.
            options: The game and the rows.
            arrays: The arrays that all calls write, by the field names of `fvm_vector_arrays`.

        Raises:
            MemoryError: There is not enough memory.
        """
        self._native = native
        self._options = options  # keeps snapshots and table alive
        c_options, _used = _c_options(options)
        pointer = lib.fvm_vector_new(native._pointer, c_options)
        if pointer == ffi.NULL:
            raise MemoryError("no memory for positions")
        self._rows: CData = ffi.gc(pointer, lib.fvm_vector_free)
        self._buffers = [
            ffi.from_buffer(f"{_TYPES[name]}[]", buffer) for name, buffer in arrays.items()
        ]
        self._arrays = ffi.new("fvm_vector_arrays *")
        for name, buffer in zip(arrays, self._buffers, strict=True):
            setattr(self._arrays, name, buffer)

    def reset(self, seed: int) -> None:
        """Begin the first game of each row.

        Raises:
            EndlessError: No player ever has a choice.
            ForthVMError: The script fails.
        """
        self._run(lib.fvm_vector_reset, self._arrays, seed & _UINT64)

    def restart(self, row: int) -> None:
        """Begin the next game of a row; errors as in `reset`."""
        self._run(lib.fvm_vector_restart, self._arrays, row)

    def step(self, actions: Buffer) -> None:
        """Make a move in each row; the actions, 32-bit integers, must be legal.

        After an error the caller must call `undo`.  Errors as in `reset`.
        """
        self._run(lib.fvm_vector_step, self._arrays, _numbers("int32_t", actions))

    def begin(self) -> None:
        """Begin a change that `undo` can undo; call this before `reset`, `restart` and `step`."""
        lib.fvm_vector_begin(self._rows)

    def undo(self) -> None:
        """Undo what has changed since `begin`; the streams of `sample` are not restored."""
        with self._native.lock:
            lib.fvm_vector_undo(self._rows, self._arrays)

    def illegal(self, actions: Buffer) -> int:
        """Return the first row whose action is illegal, -1 if all are legal."""
        row: int = lib.fvm_vector_illegal(self._rows, _numbers("int32_t", actions))
        return row

    @property
    def problem(self) -> tuple[int, int]:
        """The problem of the last call that failed, and its row."""
        row = ffi.new("int32_t *")
        problem: int = lib.fvm_vector_problem(self._rows, row)
        return problem, row[0]

    def sample(self, seed: int | None, actions: Buffer) -> None:
        """Write a random legal action of each row; a seed begins new streams of random numbers."""
        numbers = _numbers("int32_t", actions)
        lib.fvm_vector_sample(self._rows, seed is not None, (seed or 0) & _UINT64, numbers)

    def history(self, row: int) -> tuple[list[int], int, int]:
        """Return indexes of moves (-1: pass), the index of the start, and the streams' seed."""
        numbers = ffi.new("int32_t[2]")
        plies = lib.fvm_vector_history(self._rows, row, ffi.NULL, 0, numbers, numbers + 1)
        moves = ffi.new("int32_t[]", max(plies, 1))
        lib.fvm_vector_history(self._rows, row, moves, plies, numbers, numbers + 1)
        return list(moves[0:plies]), numbers[0], numbers[1]

    def restore(self, row: int) -> None:
        """Restore the position of a row, with its list of moves."""
        lib.fvm_vector_restore(self._rows, row)

    def playouts(self, count: int, plies: int, seed: int, returns: Buffer) -> None:
        """Write the mean returns of `count` random games from each row; errors as in `reset`."""
        numbers = _numbers("float", returns)
        self._run(lib.fvm_vector_playouts, count, plies, seed & _UINT64, numbers)

    def evaluate(self, values: Buffer) -> None:
        """Write the results of OnEvaluate; errors as in `reset`."""
        self._run(lib.fvm_vector_evaluate, _numbers("fvm_cell", values))

    def _run(self, function: Callable[..., int], *args: object) -> None:
        native = self._native
        with native.lock:
            native._begin()
            try:
                done = function(self._rows, *args)
                problem = 0 if done else self.problem[0]
                if native.host.callback_error is not None:
                    native._raise(native.last_error().status)
                if problem == lib.FVM_VECTOR_FAILED:
                    raise native._failure()
            finally:
                native._depth -= 1
        if problem == lib.FVM_VECTOR_ENDLESS:
            raise EndlessError


class EndlessError(Exception):
    """No player ever has a choice between moves."""


def _numbers(kind: str, array: Buffer) -> CData:
    """Return the numbers of a contiguous array; `kind` is the C type of a number."""
    return ffi.from_buffer(f"{kind}[]", array)


def _c_options(options: RowsOptions) -> tuple[CData, list[CData]]:
    """Return the C struct, and what must live until it has been read."""
    players = ffi.new("fvm_vector_player[]", [vars(player) for player in options.players])
    viewers = ffi.new("int32_t[]", [*options.viewers, -1])
    starts = ffi.new(
        "fvm_vector_start[]",
        [
            {
                "memory": start.memory._pointer,
                "partial": start.partial,
                "skipped": start.skipped,
            }
            for start in options.starts
        ],
    )
    values = {
        name: getattr(options, name)
        for name in (
            *("first_row", "rows", "max_plies", "columns", "friends", "steps", "seconds"),
            *("board_bytes", "history", "actions"),
        )
    }
    plans = ffi.new("fvm_observation *[]", [plan.pointer for plan in options.plans])
    return (
        ffi.new(
            "fvm_vector_options *",
            {
                **values,
                "player_count": len(options.players),
                "turn_count": len(options.viewers),
                "start_count": len(options.starts),
                "players": players,
                "viewers": viewers,
                "starts": starts,
                "finder": options.finder.pointer,
                "plans": plans if options.plans else ffi.NULL,
            },
        ),
        [players, viewers, starts, plans],
    )
