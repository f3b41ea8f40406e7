"""A VM whose runs are traced token by token.

This file owns the functions of native/trace/trace.c as methods.  It must not know breakpoints,
sources or games: addresses and counts go in and come out.
"""

from __future__ import annotations

from contextlib import contextmanager
from enum import IntFlag
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core.errors import AddressError, ForthVMError, Phase, Status
from forthvm.core.value import Value

from .clib import ffi, lib

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .image import ImageMachine

__all__ = ["Call", "Mark", "Place", "Reason", "Record", "Trace", "Until"]

_HEAD = 17  # cells of a log record before its calls
_ANYWHERE = 0x7FFFFFFF


class Reason(IntFlag):
    """Why a traced run stops; the numbers are those of `fvm_trace_reason`."""

    TARGET = 1
    BREAK = 2
    UNTIL = 4
    WATCH = 8
    PAUSE = 16
    RUN = 32
    FULL = 64
    FAILURE = 128


class Mark(IntFlag):
    """What happens at a cell, or where a word is run; see `fvm_trace_mark_bits`."""

    CELL = 1
    CELL_LOG = 2
    WORD = 4
    WORD_LOG = 8


class Place(Value):
    """The token that is to run next.

    Attributes:
        step: Its number since `restart`, from 1.
        runs: Words that the host has run since then.
        ip: Address of its cell, 0 where the host or a text runs the word.
        word: Execution token of the word.
        before: Cell that ran before it, while something is watched, else 0.
        source: Its source position, 0 unknown.
        executed: Whether `word` is run by EXECUTE, the host or a text, not by its cell.
        reasons: Why the run stopped here.
        status: What it fails with, when `reasons` has FAILURE.
        nesting: Runs inside runs, from 1.
        calls: How many calls are open.
        cells: Depth of the return stack.
        phase: What the host had asked for.
        generator: Word that generates moves, 0 outside of generation.
        changed: Indexes of the watched ranges that have changed.
    """

    step: int
    runs: int
    ip: int
    word: int
    before: int
    source: int
    executed: bool
    reasons: Reason
    status: int
    nesting: int
    calls: int
    cells: int
    phase: Phase
    generator: int
    changed: tuple[int, ...]


class Call(Value):
    """An open call.

    Attributes:
        ip: The cell that made it, 0: the host or a text did.
        word: The word called.
        depth: Items on the parameter stack when it was called.
    """

    ip: int
    word: int
    depth: int


class Until(Value):
    """Stop at the next token with so few calls open whose source position is at least `source`.

    Unless `calls` are open and its position lies from `start` to `end` (which it excludes).
    """

    most_calls: int = _ANYWHERE
    calls: int = -1
    source: int = 0
    start: int = 0
    end: int = 0


class Record(NamedTuple):
    """An entry of the log: a token that was about to run, and who had called.

    A tuple, since logs have thousands of them.

    Attributes:
        sample: Whether it was taken by number of steps; else a mark asked for it.
        step: Number of the token.
        ip: Its cell, 0 where the host or a text runs the word.
        word: Its execution token.
        depth: Items on the parameter stack.
        top: The top one, 0 without any.
        second: The one below.
        cells: Depth of the return stack.
        move: Address of the move under construction, 0 none.
        origin: Position in `$from`, -1 if there is none.
        position: Position in `$pos`.
        piece: `$piece`.
        generator: Word that generates moves, 0 outside of generation.
        phase: What the host had asked for.
        calls: Cells that called, innermost first.
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
    """Runs of one VM, stopped and looked at before any token.

    While it is attached every run goes token by token and calls `on_stop` where it was asked
    to stop: in the thread that runs, inside the run, so everything may be looked at and the
    parameter stack and memory changed, but no state restored.  What `on_stop` raises ends the
    run and comes out of the call that started it; so does an interrupt if it returns True.

    Args:
        native: The VM; one trace at a time.
        on_stop: Called with the place.

    Raises:
        ForthVMError: The VM is running.
        MemoryError: There is no memory.
    """

    def __init__(self, native: ImageMachine, on_stop: Callable[[Place], bool | None]) -> None:
        if native.host.trace is not None:
            raise ForthVMError("this VM is being traced already")
        with native.lock:
            if native.running:
                raise ForthVMError("a VM can be traced from between its runs only")
            status = lib.fvm_trace_attach(native._vm)
        if status == Status.MEMORY:
            raise MemoryError("no memory for a trace")
        self._native = native
        self._on_stop = on_stop
        native.host.trace = self._stopped

    def _stopped(self, _reasons: int) -> bool:
        return bool(self._on_stop(self.place()))

    def close(self) -> None:
        """Detach from the VM; harmless a second time.  Waits for a run of another thread."""
        native = self._native
        with native.lock:
            if native.host.trace != self._stopped:
                return
            if native.running:
                raise ForthVMError("a trace cannot be taken off inside a run")
            native.host.trace = None
            lib.fvm_trace_detach(native._vm)

    # --- where to stop -----------------------------------------------------------------

    def restart(self, *, again: bool = False) -> None:
        """Count steps and runs from 0; nothing watched has changed yet.

        What no snapshot holds, the table and the noise of searches, is as it was when the trace
        was put on.  `again`: the same runs follow as last time, from the same state.
        """
        lib.fvm_trace_restart(self._native._vm, int(again))

    def stop_at(self, step: int | None) -> None:
        """Stop at that step, or the next if it is past; None: at no step."""
        lib.fvm_trace_stop_at(self._native._vm, step or 0)

    def skip_to(self, step: int) -> None:
        """Between `restart` and the same runs once more: stop nowhere before that step.

        Runs that end before it go fast where an earlier time has told how long they are.
        """
        lib.fvm_trace_skip_to(self._native._vm, step)

    def go_until(self, until: Until | None) -> None:
        """Stop whenever the condition is true, until another one is set."""
        pointer = ffi.NULL
        if until is not None:
            pointer = ffi.new(
                "fvm_trace_until *",
                [until.most_calls, until.calls, until.source, until.start, until.end],
            )
        lib.fvm_trace_go_until(self._native._vm, pointer)

    def pause(self) -> None:
        """Stop at the next token; from any thread."""
        lib.fvm_trace_pause(self._native._vm)

    def stop_runs(self, *, on: bool) -> None:
        """Stop wherever the host runs a word."""
        lib.fvm_trace_stop_runs(self._native._vm, int(on))

    def stop_failures(self, *, on: bool) -> None:
        """Stop where a token fails, before the run ends."""
        lib.fvm_trace_stop_failures(self._native._vm, int(on))

    def mark(self, address: int, put: Mark | int = 0, take: Mark | int = 0) -> None:
        """Put marks on a cell of code, or on a word's code field, and take others off."""
        lib.fvm_trace_mark(self._native._vm, address, int(put), int(take))

    def watch(self, index: int, address: int, length: int, *, base: int = 0) -> None:
        """Stop whenever these bytes have changed; `length` 0: no longer.

        Args:
            index: 0 to 63, which of the watched ranges this is.
            address: First byte.
            length: Bytes.
            base: A cell whose value is added to the address at each look.
        """
        status = lib.fvm_trace_watch(self._native._vm, index, base, address, length)
        if status == Status.MEMORY:
            raise MemoryError("no memory to watch a range")
        if status == Status.ADDRESS:
            raise AddressError(status=Status.ADDRESS, value=base)
        if status != Status.OK:
            raise ForthVMError("at most 64 ranges of 1 MiB each are watched")

    def watched(self, index: int, length: int) -> tuple[bytes, bytes]:
        """Bytes of a watched range before its last change, and as they are."""
        old, now = ffi.new("char[]", max(length, 1)), ffi.new("char[]", max(length, 1))
        lib.fvm_trace_watched(self._native._vm, index, old, now)
        return bytes(ffi.buffer(old, length)), bytes(ffi.buffer(now, length))

    # --- looking -------------------------------------------------------------------------

    def place(self) -> Place:
        """The token of the stop at hand; elsewhere only `step` and `runs` are of use."""
        place = ffi.new("fvm_trace_point *")
        lib.fvm_trace_get_point(self._native._vm, place)
        return Place(
            place.steps,
            place.runs,
            place.ip,
            place.word,
            place.before,
            place.source,
            bool(place.executed),
            Reason(place.reasons),
            place.status,
            place.nesting,
            place.calls,
            place.cells,
            Phase(place.phase),
            place.generator,
            tuple(i for i in range(64) if place.changed >> i & 1),
        )

    def calls(self) -> tuple[Call, ...]:
        """Open calls, innermost first."""
        count = lib.fvm_trace_calls(self._native._vm, ffi.NULL, ffi.NULL, ffi.NULL, 0)
        cells, words = ffi.new("fvm_addr[]", count + 1), ffi.new("fvm_addr[]", count + 1)
        depths = ffi.new("int32_t[]", count + 1)
        lib.fvm_trace_calls(self._native._vm, cells, words, depths, count)
        return tuple(map(Call, cells[0:count], words[0:count], depths[0:count]))

    def return_stack(self) -> tuple[int, ...]:
        """Cells of the return stack, the top first."""
        count = lib.fvm_trace_return_stack(self._native._vm, ffi.NULL, 0)
        cells = ffi.new("fvm_cell[]", count + 1)
        lib.fvm_trace_return_stack(self._native._vm, cells, count)
        return tuple(cells[0:count])

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Run code of `on_stop` in a sandbox: all changes to the VM are undone.

        Such runs are not traced and count against no budget of the run that stopped.
        """
        native = self._native
        status = lib.fvm_trace_sandbox_begin(native._vm)
        if status == Status.MEMORY:
            raise MemoryError("no memory for a snapshot")
        if status != Status.OK:
            raise ForthVMError("only a stopped run can be left aside")
        try:
            yield
        finally:
            lib.fvm_trace_sandbox_end(native._vm)

    # --- counting ------------------------------------------------------------------------

    def count(self, *, on: bool) -> None:
        """Count tokens per cell from 0 on, or stop counting."""
        if lib.fvm_trace_count(self._native._vm, int(on)) != Status.OK:
            raise MemoryError("no memory for counts")

    def counts(self, first: int = 0, end: int | None = None) -> Mapping[int, int]:
        """Counts of the cells from `first` to `end` (HERE) that are not 0, by address."""
        first &= ~3
        cells = ((self._native.here() if end is None else end) - first + 3) // 4
        if cells <= 0:
            return {}
        counts = ffi.new("uint64_t[]", cells)
        got = lib.fvm_trace_counts(self._native._vm, first, counts, cells)
        return {first + 4 * i: n for i, n in enumerate(counts[0:got]) if n}

    def log(self, room: int, *, sample_every: int = 0) -> None:
        """Start a log of so many cells; `room` 0: none.

        Args:
            room: A record takes 17 cells and one for each open call.
            sample_every: Steps between samples, 0: none, only marks are logged.
        """
        status = lib.fvm_trace_log(self._native._vm, room, sample_every)
        if status == Status.MEMORY:
            raise MemoryError("no memory for a log")
        if status != Status.OK:
            raise ForthVMError(f"no log can have {room} cells")

    def take_log(self, room: int = 1 << 16) -> tuple[Record, ...]:
        """Take the records out of the log, oldest first; `room`: cells that are taken at once."""
        buffer = ffi.new("fvm_cell[]", room)
        records = []
        while used := lib.fvm_trace_take_log(self._native._vm, buffer, room):
            cells = list(buffer[0:used])
            at = 0
            while at < used:
                records.append(_record(cells[at : at + cells[at]]))
                at += cells[at]
        return tuple(records)

    def lost(self) -> int:
        """Records that found no room in the log."""
        lost: int = lib.fvm_trace_lost(self._native._vm)
        return lost


def _record(cells: list[int]) -> Record:
    sample = 2
    return Record(
        sample=cells[1] == sample,
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
        calls=tuple(cells[_HEAD:]),
    )
