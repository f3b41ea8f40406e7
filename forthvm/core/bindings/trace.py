"""Tracing: runs that can stop before each token.

Each method of Trace wraps a function of native/trace/trace.c.  Its parameters and results are
addresses and counts.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING

from forthvm.core.errors import AddressError, ForthVMError, Phase, Status

from .clib import ffi, lib
from .layout import ADDRESS_MASK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .image import ImageMachine

__all__ = ["RUN_CELL", "Call", "Mark", "Reason", "Record", "Trace", "TracePoint", "Until"]

RUN_CELL: int = lib.FVM_TRACE_RUN_CELL
"""Takes the place of the cell for a word that the host or a text executes; it can be marked."""

_RECORD_HEAD = 17  # cells of a log record before the cells of its calls
_SAMPLE = 2  # kind of a record that was logged after a number of steps
_ANY_NUMBER = 0x7FFFFFFF


class Reason(IntFlag):
    """Why a traced run stops; the numbers are those of `fvm_trace_reason`."""

    TARGET = 1  # the step set by `stop_at` is reached
    BREAK = 2  # a marked cell or word
    UNTIL = 4  # the condition of `go_until` is true
    WATCH = 8  # a watched range has changed
    PAUSE = 16  # `pause` was called
    FULL = 64  # the log is full; records are lost unless `on_stop` empties it
    FAILURE = 128  # the token failed; the run ends after `on_stop`


class Mark(IntFlag):
    """What happens before a cell or a word is executed; see `fvm_trace_mark_bits`."""

    CELL = 1  # stop before this cell is executed
    CELL_LOG = 2  # log each execution of this cell
    WORD = 4  # stop before the word with this code field is executed
    WORD_LOG = 8  # log each execution of the word with this code field


@dataclass(frozen=True)
class TracePoint:
    """The state of a traced run at a stop: the token that runs next, and counts.

    Attributes:
        step: Number of the token since `restart`, from 1.
        runs: Number of words executed by the host since `restart`.
        ip: Address of the token's cell, 0 if the host or a text executes the word.
        word: Execution token of the word; 0 if a token of a text failed that no word has run.
        before: Address of the cell executed before this one; 0 if there is none, or if no ranges
            are watched.
        source: Source position of the token, 0 if unknown.
        text: Source position of the token in the text that is interpreted, 0 without a text.
        executed: Whether EXECUTE, the host or a text executes `word`, not a cell.
        reasons: Why the run stopped.
        status: The status of the failure, if `reasons` contains FAILURE.
        nesting: Nesting depth of runs, from 1.
        calls: Number of open calls.
        cells: Number of cells on the return stack.
        phase: What the VM is doing for its host.
        generator: The word that generates moves, 0 outside of move generation.
        changed: Indexes of the watched ranges that have changed.
    """

    step: int
    runs: int
    ip: int
    word: int
    before: int
    source: int
    text: int
    executed: bool
    reasons: Reason
    status: int
    nesting: int
    calls: int
    cells: int
    phase: Phase
    generator: int
    changed: tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """An open call.

    Attributes:
        ip: The calling cell, 0 if the host or a text made the call.
        word: The word called.
        depth: Items on the parameter stack at the time of the call.
    """

    ip: int
    word: int
    depth: int


@dataclass(frozen=True)
class Until:
    """The condition of `go_until`, with an exception.

    The condition is that at most `most_calls` calls and `most_runs` nested runs are open, and that
    the source position of the token is at least `source`.  The exception: the run does not stop
    while `except_calls` calls are open and the source position is in [`except_start`,
    `except_end`), as long as the host does not run another word.
    """

    most_calls: int = _ANY_NUMBER
    most_runs: int = _ANY_NUMBER
    except_calls: int = -1
    source: int = 0
    except_start: int = 0
    except_end: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """An entry of the log: a token before it runs, and its callers.

    Attributes:
        sample: Whether the token was logged after a number of steps, not because of a mark.
        step: Number of the token.
        ip: Address of the token's cell, 0 if the host or a text executes the word.
        word: Execution token of the word.
        depth: Number of items on the parameter stack.
        top: The top item, 0 if there is none.
        second: The item below it.
        cells: Number of cells on the return stack.
        move: Address of the move under construction, 0 if there is none.
        origin: Board position in `$from`, -1 if there is none.
        position: Board position in `$pos`.
        piece: Value of `$piece`.
        generator: The word that generates moves, 0 outside of move generation.
        phase: What the VM is doing for its host.
        calls: The calling cells, innermost first.
    """

    sample: bool
    step: int
    ip: int
    word: int
    depth: int
    top: int
    second: int
    cells: int
    move: int
    origin: int
    position: int
    piece: int
    generator: int
    phase: int
    calls: tuple[int, ...]


class Trace:
    """Traces the runs of one VM, which can stop before any token.

    While the trace is attached, every run uses the traced interpreter, which calls `on_stop` at
    each stop.  `on_stop` is called inside the run and in its thread: it may read everything, and
    may change memory and the parameter stack, but may not restore a state.  An exception of
    `on_stop` ends the run and is raised by the call that started the run.  If `on_stop` returns
    True, the run ends with an interrupt.

    Args:
        native: The VM, which can have only one trace.
        on_stop: Called at each stop.

    Raises:
        ForthVMError: The VM is running.
        MemoryError: There is no memory.
    """

    def __init__(self, native: ImageMachine, on_stop: Callable[[TracePoint], bool | None]) -> None:
        if native.host.trace is not None:
            raise ForthVMError("this VM is being traced already")
        with native.lock:
            if native.running:
                raise ForthVMError("tracing can begin only between runs of the VM")
            status = lib.fvm_trace_attach(native._vm)
        if status == Status.MEMORY:
            raise MemoryError("no memory for a trace")
        self._native = native
        self._on_stop = on_stop
        native.host.trace = self._stopped

    def _stopped(self, _reasons: int) -> bool:
        return bool(self._on_stop(self.point()))

    def close(self) -> None:
        """Detach from the VM, after a run of another thread has ended; may be called twice."""
        native = self._native
        with native.lock:
            if native.host.trace != self._stopped:
                return
            if native.running:
                raise ForthVMError("a trace cannot be detached inside a run")
            native.host.trace = None
            lib.fvm_trace_detach(native._vm)

    # --- where to stop -----------------------------------------------------------------

    def restart(self, *, same_runs: bool = False) -> None:
        """Count steps and runs from 0 again, and treat watched ranges as unchanged.

        State that no snapshot contains (the table and the noise of the original's search)
        becomes as it was when the trace was attached.

        Args:
            same_runs: Whether the host will repeat all runs since the last `restart`, from the
                same state.
        """
        lib.fvm_trace_restart(self._native._vm, int(same_runs))

    def stop_at(self, step: int | None) -> None:
        """Stop at the step with that number; None removes this stop."""
        lib.fvm_trace_stop_at(self._native._vm, step or 0)

    def skip_to(self, step: int) -> None:
        """Suppress all stops before a step; to be called after `restart(same_runs=True)`.

        A run that ends before that step is not traced if its length is known from the first time.
        """
        lib.fvm_trace_skip_to(self._native._vm, step)

    def go_until(self, until: Until | None) -> None:
        """Stop whenever the condition is true; None removes the condition."""
        pointer = ffi.NULL
        if until is not None:
            pointer = ffi.new(
                "fvm_trace_until *",
                [
                    until.most_calls,
                    until.most_runs,
                    until.except_calls,
                    until.source,
                    until.except_start,
                    until.except_end,
                ],
            )
        lib.fvm_trace_go_until(self._native._vm, pointer)

    def pause(self) -> None:
        """Stop at the next token; any thread may call this method."""
        lib.fvm_trace_pause(self._native._vm)

    def stop_failures(self, *, on: bool) -> None:
        """Switch on or off the stops at a failing token, before the run ends."""
        lib.fvm_trace_stop_failures(self._native._vm, int(on))

    def mark(self, address: int, add: Mark | int = 0, remove: Mark | int = 0) -> None:
        """Remove some marks from a cell of code or a word's code field, and add other marks."""
        lib.fvm_trace_mark(self._native._vm, address & ADDRESS_MASK, int(add), int(remove))

    def watch(self, index: int, address: int, length: int, *, base: int = 0) -> None:
        """Stop whenever the bytes of a range have changed.

        Args:
            index: Number of the watched range, 0 to 63.
            address: First byte.
            length: Number of bytes; 0 removes the range.
            base: Address of a cell whose current value is added to `address`.
        """
        status = lib.fvm_trace_watch(self._native._vm, index, base, address, length)
        if status == Status.MEMORY:
            raise MemoryError("no memory to watch a range")
        if status == Status.ADDRESS:
            raise AddressError(status=Status.ADDRESS, value=base)
        if status != Status.OK:
            raise ForthVMError("at most 64 ranges of 1 MiB each can be watched")

    def watched(self, index: int, length: int) -> tuple[bytes, bytes]:
        """Return the bytes of a watched range before its last change, and the current bytes."""
        old, current = ffi.new("char[]", max(length, 1)), ffi.new("char[]", max(length, 1))
        lib.fvm_trace_watched(self._native._vm, index, old, current)
        return bytes(ffi.buffer(old, length)), bytes(ffi.buffer(current, length))

    # --- inspecting ----------------------------------------------------------------------

    def point(self) -> TracePoint:
        """Return the current stop; outside `on_stop`, only `step` and `runs` are valid."""
        point = ffi.new("fvm_trace_point *")
        lib.fvm_trace_get_point(self._native._vm, point)
        return TracePoint(
            point.steps,
            point.runs,
            point.ip,
            point.word,
            point.before,
            point.source,
            point.text,
            bool(point.executed),
            Reason(point.reasons),
            point.status,
            point.nesting,
            point.calls,
            point.cells,
            Phase(point.phase),
            point.generator,
            tuple(i for i in range(64) if point.changed >> i & 1),
        )

    def calls(self) -> tuple[Call, ...]:
        """Return the open calls, innermost first."""
        count = lib.fvm_trace_calls(self._native._vm, ffi.NULL, ffi.NULL, ffi.NULL, 0)
        cells, words = ffi.new("fvm_addr[]", count + 1), ffi.new("fvm_addr[]", count + 1)
        depths = ffi.new("int32_t[]", count + 1)
        lib.fvm_trace_calls(self._native._vm, cells, words, depths, count)
        return tuple(map(Call, cells[0:count], words[0:count], depths[0:count]))

    def return_stack(self) -> tuple[int, ...]:
        """Return the cells of the return stack, the top first."""
        count = lib.fvm_trace_return_stack(self._native._vm, ffi.NULL, 0)
        cells = ffi.new("fvm_cell[]", count + 1)
        lib.fvm_trace_return_stack(self._native._vm, cells, count)
        return tuple(cells[0:count])

    @contextmanager
    def sandbox(self) -> Iterator[None]:
        """Undo all changes that the block makes to the VM; the block must be inside `on_stop`.

        Runs in the block are not traced and do not use the budget of the stopped run.
        """
        native = self._native
        status = lib.fvm_trace_sandbox_begin(native._vm)
        if status == Status.MEMORY:
            raise MemoryError("no memory for a snapshot")
        if status != Status.OK:
            raise ForthVMError("a sandbox needs a stopped run")
        try:
            yield
        finally:
            lib.fvm_trace_sandbox_end(native._vm)

    # --- counting ------------------------------------------------------------------------

    def count(self, *, on: bool) -> None:
        """Start to count the executions of each cell, from 0, or stop counting."""
        if lib.fvm_trace_count(self._native._vm, int(on)) != Status.OK:
            raise MemoryError("no memory for counts")

    def counts(self, first: int = 0, end: int | None = None) -> Mapping[int, int]:
        """Return the counts other than 0 of the cells from `first` to `end` (HERE), by address."""
        first &= ~3
        cells = ((self._native.here() if end is None else end) - first + 3) // 4
        if cells <= 0:
            return {}
        counts = ffi.new("uint64_t[]", cells)
        filled = lib.fvm_trace_counts(self._native._vm, first, counts, cells)
        return {first + 4 * i: n for i, n in enumerate(counts[0:filled]) if n}

    def log(self, capacity: int, *, sample_every: int = 0) -> None:
        """Start a log, or end it if the capacity is 0.

        Args:
            capacity: Size in cells; a record has 17 cells and one for each open call.
            sample_every: Log every step whose number is a multiple of this number; 0: log only
                marked cells and words.
        """
        status = lib.fvm_trace_log(self._native._vm, capacity, sample_every)
        if status == Status.MEMORY:
            raise MemoryError("no memory for a log")
        if status != Status.OK:
            raise ForthVMError(f"no log can have {capacity} cells")

    def drain_log(self, buffer_cells: int = 1 << 16) -> tuple[Record, ...]:
        """Remove all records from the log and return them, the oldest first."""
        buffer = ffi.new("fvm_cell[]", buffer_cells)
        records = []
        while used := lib.fvm_trace_take_log(self._native._vm, buffer, buffer_cells):
            cells = list(buffer[0:used])
            start = 0
            while start < used:
                records.append(_record(cells[start : start + cells[start]]))
                start += cells[start]
        return tuple(records)

    def lost(self) -> int:
        """Return the number of records that were lost because the log was full."""
        lost: int = lib.fvm_trace_lost(self._native._vm)
        return lost


def _record(cells: list[int]) -> Record:
    """Convert the cells of a log record, whose layout native/trace defines."""
    return Record(
        sample=cells[1] == _SAMPLE,
        step=cells[2] & 0xFFFFFFFF | (cells[3] & 0xFFFFFFFF) << 32,
        ip=cells[4],
        word=cells[5],
        depth=cells[6],
        top=cells[7],
        second=cells[8],
        cells=cells[9],
        move=cells[10],
        origin=cells[11],
        position=cells[12],
        piece=cells[13],
        generator=cells[14],
        phase=cells[15],
        calls=tuple(cells[_RECORD_HEAD:]),
    )
