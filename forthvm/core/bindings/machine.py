"""The VM's methods for runs, errors, limits, the stack and snapshots.

This file owns the rules for calls of C functions: `_run` and `_call` hold the VM's lock and convert
an error status to an exception, and `_run` raises an exception of a callback again.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock, get_ident, main_thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING

from forthvm.core.cancellation import current_poll
from forthvm.core.failure import ForthVMError
from forthvm.core.records import ErrorRecord
from forthvm.core.status import Phase, Status
from forthvm.core.text.codec import Codec

from . import forks
from .clib import Host, ffi, lib
from .layout import ADDRESS_MASK
from .snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from forthvm.core.records import Option

    from .clib import CData

__all__ = ["Machine"]

_makes_unlocked_move = lib.fvm_loop_unlocked_move  # faster to look up than an attribute of `lib`
_NO_LIMITS = (0, 0.0)
_UNLOCKED_MOVE_POLL = 0.001  # seconds between checks whether an unlocked move has ended
_MIN_SECONDS = 1e-6  # time limit of a run that begins after its deadline; 0 would be no limit
_TEXT_BYTES = 256  # enough for most names and texts


class Machine:
    """One VM of the C core.  Methods have the names of their C functions without `fvm_`.

    Args:
        size: Initial size of memory in bytes.
        limit: Maximum size of memory in bytes.

    Attributes:
        codec: Encodes and decodes names and texts.
        on_error: Converts an ErrorRecord to the exception to raise; the class VM sets it.
        host: The Python functions that C calls; see `Host` for their types.
        lock: Held during every use of the VM; a caller acquires it to make several calls atomic.
        on_touch: Called before memory is read or changed, if memory contains an unsaved state
            (forthvm/game/states.py); None: there is no unsaved state.
        searching: Whether a search runs; error reports depend on this.
    """

    # Attributes of the class, because __del__ may run after the module's globals were cleared.
    _free = staticmethod(lib.fvm_free)
    _free_snapshot = staticmethod(lib.fvm_snapshot_free)
    _abandoned = False

    def __init__(self, size: int, limit: int) -> None:
        pointer = lib.fvm_new(size, limit)
        if pointer == ffi.NULL:
            raise _no_memory(f"a VM of {limit >> 20} MiB")
        self.host = Host()
        self.host.poll = current_poll()
        self.codec = Codec()
        self.on_error: Callable[[ErrorRecord], ForthVMError] | None = None
        self.on_touch: Callable[[], None] | None = None
        self._limits: tuple[int, float] | None = None
        self._deadline: float | None = None
        self._pointer = pointer
        self._handle = ffi.new_handle(self.host)
        self.searching = False
        self._lock = RLock()
        self._only_user = get_ident()  # the thread that makes moves without the lock; 0: none
        lib.fvm_loop_own(pointer)
        self._depth = 0  # nesting depth of active operations
        self._polls = False
        self._ready = False  # callbacks are set and nothing limits runs, so `_arm` is not needed
        self._text_buffer = ffi.new("char[]", _TEXT_BYTES)
        self._dropped: list[CData] = []  # snapshots to be freed under the lock
        self._set_callbacks(poll=False)
        forks.register(self)

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer is not None and not self._abandoned:
            self._pointer = None
            for snapshot in self._dropped:
                self._free_snapshot(snapshot)
            self._free(pointer)

    @property
    def _vm(self) -> CData:
        """The C pointer, for calls that access memory; other calls use `_pointer`."""
        if self.on_touch is not None:
            self._before_touch()
        return self._pointer

    def _before_touch(self) -> None:
        with self.lock:
            if self.on_touch is not None and not self.running:
                self.on_touch()

    def abandon(self, lock: RLock) -> None:
        """Make the VM unusable after a fork, because a thread that no longer exists holds its lock.

        That thread may have been changing the memory, so the memory is not freed.
        """
        self._abandoned = True
        self._lock = lock
        self._ready = False

    # --- threads ---------------------------------------------------------------------

    @property
    def lock(self) -> RLock:
        """The lock of the VM, which every use of its memory needs, with one exception.

        The thread that created the VM makes moves without the lock (`loop_make_unlocked`), until
        another thread reads this property.
        """
        if self._only_user != get_ident() and not self._abandoned:
            self._share()
        return self._lock

    def _share(self) -> None:
        """Forbid further moves without the lock, and wait for the end of the current move."""
        self._only_user = 0
        lib.fvm_loop_share(self._pointer)
        while _makes_unlocked_move(self._pointer):
            sleep(_UNLOCKED_MOVE_POLL)

    def is_used_elsewhere(self) -> bool:
        """Return whether another thread uses the VM now."""
        if self._only_user != get_ident() and _makes_unlocked_move(self._pointer):
            return True
        if not self._lock.acquire(blocking=False):
            return True
        self._lock.release()
        return False

    # --- runs ------------------------------------------------------------------------

    @property
    def run_limits(self) -> tuple[int, float] | None:
        """Limits of steps and seconds for each outermost run; 0: no limit.

        None: runs continue with the limits of the last call of `budget`.
        """
        return self._limits

    @run_limits.setter
    def run_limits(self, limits: tuple[int, float] | None) -> None:
        self._limits = limits
        self._ready = False

    @contextmanager
    def deadline(self, end_time: float | None) -> Iterator[None]:
        """End all runs inside a block at a deadline, in addition to their own time limits.

        Other threads wait until the block ends.

        Args:
            end_time: Time on the clock of `time.perf_counter`; None: no additional limit.
        """
        with self.lock:
            outer = self._deadline
            if end_time is not None:
                self._deadline = end_time if outer is None else min(outer, end_time)
            self._ready = False
            try:
                yield
            finally:
                self._deadline = outer
                self._ready = False

    @property
    def running(self) -> bool:
        """Whether a thread is inside an operation of this VM."""
        return self._depth > 0 or bool(_makes_unlocked_move(self._pointer))

    @contextmanager
    def operation(self) -> Iterator[None]:
        """Group several calls that the host regards as one run.

        Other threads wait, the limits apply to all calls together, and an interrupt that arrives
        between two calls ends the next one.
        """
        with self.lock:
            self._begin()
            try:
                yield
            finally:
                self._depth -= 1

    def _begin(self) -> None:
        """Begin an operation, which increases `_depth`; prepare the VM for an outermost one."""
        if not self.running:
            if self.on_touch is not None:
                self.on_touch()
            self._arm()
        self._depth += 1

    def _arm(self) -> None:
        """Prepare for an outermost run: set callbacks and limits, clear the interrupt."""
        if self._dropped:
            self._free_dropped()
        # Polling lets the main thread handle signals.  Other threads handle no signals; they poll
        # only for `host.poll`, because every poll acquires the GIL.
        thread = get_ident()
        polls = thread == main_thread().ident or self.host.poll is not None
        if polls != self._polls:
            self._set_callbacks(poll=polls)
        lib.fvm_clear_interrupt(self._pointer)
        limits = self._limits
        if self._deadline is not None:
            steps, seconds = limits or _NO_LIMITS
            remaining = max(self._deadline - perf_counter(), _MIN_SECONDS)
            limits = steps, min(seconds or remaining, remaining)
        if limits is not None:
            lib.fvm_budget(self._pointer, *limits)
        self._ready = polls and limits == _NO_LIMITS

    def _is_ready(self) -> bool:
        """Return whether the host's move loop may call C without `_begin`: nothing limits a run."""
        if self.running:
            return False
        if not self._ready:
            self._arm()
        return self._limits == _NO_LIMITS and self._deadline is None

    def _run(self, function: Callable[..., int], *args: object) -> None:
        """Call a C function that may fail or run Forth; raise the error that it reports."""
        with self.lock:
            self._begin()
            try:
                status = function(self._vm, *args)
                if status != Status.OK or self.host.callback_error is not None:
                    self._raise(status)
            finally:
                self._depth -= 1

    def _raise(self, status: int) -> None:
        """Raise the error reported by a run or by a callback of the run."""
        error, self.host.callback_error = self.host.callback_error, None
        if error is not None:
            if status == Status.HOST:
                self._explain(error)
            raise error
        if status != Status.OK:
            raise self._failure()

    def _failure(self) -> ForthVMError:
        """Return the exception for the last error record."""
        record = self.last_error()
        if self.on_error is not None:
            return self.on_error(record)
        from forthvm.core.errors.classes import class_for  # needed only for errors

        return class_for(record.status)(
            status=record.status,
            phase=record.phase,
            detail=record.text,
            value=record.value,
            steps=record.steps,
        )

    def _call(
        self, function: Callable[..., int], *args: object, value: int = 0, detail: str = ""
    ) -> None:
        """Call a C function that runs no Forth and sets no error record.

        Args:
            function: The C function.
            args: Its arguments after the VM.
            value: The value in the exception if the function fails.
            detail: The detail in the exception if the function fails.
        """
        with self.lock:
            status = Status(function(self._vm, *args))
        if status is not Status.OK:
            from forthvm.core.errors.classes import class_for

            raise class_for(status)(status=status, value=value, detail=detail)

    def _explain(self, error: BaseException) -> None:
        """Add the open calls of the run to an error that a callback raised."""
        if self.on_error is None or not isinstance(error, Exception | KeyboardInterrupt):
            return
        run_error = self.on_error(self.last_error())
        if isinstance(error, KeyboardInterrupt):
            run_error.message = "interrupted"  # an interrupt is not a failure
        if isinstance(error, ForthVMError):
            error.adopt(run_error)
        elif run_error.trace:
            error.add_note(run_error.report())

    def _set_callbacks(self, *, poll: bool) -> None:
        hooks = ffi.new("fvm_hooks *")
        hooks.output = lib.fvm_py_output
        hooks.load = lib.fvm_py_load
        hooks.word = lib.fvm_py_word
        hooks.poll = lib.fvm_py_poll if poll else ffi.NULL
        hooks.report = lib.fvm_py_report
        hooks.trace = lib.fvm_py_trace
        lib.fvm_set_hooks(self._pointer, hooks, self._handle)
        self._polls = poll
        self._ready = False

    # --- errors and options ----------------------------------------------------------

    def last_error(self) -> ErrorRecord:
        """Copy the record of the last failure."""
        record = lib.fvm_last_error(self._vm)
        return ErrorRecord(
            status=Status(record.status),
            phase=Phase(record.phase),
            ip=record.ip,
            word=record.word,
            source_pos=record.source_pos,
            value=record.value,
            text=self.codec.decode(ffi.string(record.text)),
            trace=tuple(record.trace[0 : record.trace_count]),
            calls=record.trace_total,
            position=getattr(record, "from"),
            piece=record.piece,
            player=record.player,
            steps=record.steps,
        )

    def set_option(self, option: Option, value: int) -> None:
        """Set an option."""
        with self.lock:
            lib.fvm_set_option(self._vm, option, value)

    def get_option(self, option: Option) -> int:
        """Read an option."""
        value: int = lib.fvm_get_option(self._vm, option)
        return value

    def compiled(self) -> int:
        """Return the number of compilations to machine code so far."""
        count: int = lib.fvm_compiled(self._vm)
        return count

    def side_exits(self) -> int:
        """Return how often machine code has left an instruction to the interpreter so far."""
        count: int = lib.fvm_side_exits(self._vm)
        return count

    # --- budget ----------------------------------------------------------------------

    def budget(self, steps: int = 0, seconds: float = 0.0) -> None:
        """Set the limits for the sum of all further runs; 0: no limit."""
        with self.lock:
            lib.fvm_budget(self._vm, steps, seconds)

    def steps(self) -> int:
        """Return the steps used since the budget was set."""
        steps: int = lib.fvm_steps(self._vm)
        return steps

    def interrupt(self) -> bool:
        """End the current run, from any thread; return False if there is no run."""
        if not self.running:
            return False
        self._ready = False  # the next run clears an interrupt that came too late for this run
        lib.fvm_interrupt(self._pointer)
        return True

    def clear_interrupt(self) -> None:
        """Cancel an interrupt that has not ended a run."""
        lib.fvm_clear_interrupt(self._vm)

    # --- running ---------------------------------------------------------------------

    def execute(self, cfa: int) -> None:
        """Run a word."""
        self._run(lib.fvm_execute, cfa & ADDRESS_MASK)

    def depth(self) -> int:
        """Return the number of items on the parameter stack; it may be negative."""
        depth: int = lib.fvm_depth(self._vm)
        return depth

    def push(self, value: int) -> None:
        """Push a cell; wraps to 32 bits."""
        self._call(lib.fvm_push, (value + 0x80000000) % 0x100000000 - 0x80000000)

    def pop(self) -> int:
        """Pop the top cell."""
        value = ffi.new("fvm_cell *")
        self._call(lib.fvm_pop, value)
        cell: int = value[0]
        return cell

    def pick(self, from_top: int) -> int:
        """Return a cell of the stack by its distance from the top."""
        value: int = lib.fvm_pick(self._vm, from_top)
        return value

    def clear_stack(self) -> None:
        """Empty the parameter stack."""
        with self.lock:
            lib.fvm_clear_stack(self._vm)

    def flush(self) -> None:
        """Pass buffered output to the output callback."""
        self._run(_flush)

    # --- snapshots -------------------------------------------------------------------

    def snapshot_take(self) -> Snapshot:
        """Return a snapshot of the complete state."""
        with self.lock:
            return self._wrap(lib.fvm_snapshot_take(self._vm))

    def snapshot_restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot of this VM."""
        if snapshot._native is not self:
            raise ValueError("this snapshot belongs to another VM")
        self._call(
            lib.fvm_snapshot_restore,
            snapshot._pointer,
            detail="a state can be restored only between runs",
        )

    def _wrap(self, pointer: CData) -> Snapshot:
        """Wrap a snapshot allocated by C; the caller holds the lock."""
        if self._dropped:
            self._free_dropped()
        if not pointer:
            raise _no_memory("a snapshot")
        return Snapshot(self, pointer)

    def _patch_snapshot(
        self, base: CData, cells: Mapping[int, int], stack: Sequence[int]
    ) -> Snapshot:
        addresses = ffi.new("fvm_addr[]", list(cells))
        values = ffi.new("fvm_cell[]", list(cells.values()))
        items = ffi.new("fvm_cell[]", list(stack))
        with self.lock:
            pointer = lib.fvm_snapshot_patch(base, addresses, values, len(cells), items, len(stack))
            return self._wrap(pointer)

    def _drop(self, pointer: CData) -> None:
        """Free a snapshot later, since another thread may be using the VM now."""
        if self._pointer is None:
            self._free_snapshot(pointer)
        else:
            self._dropped.append(pointer)

    def _free_dropped(self) -> None:
        while self._dropped:
            self._free_snapshot(self._dropped.pop())

    def _text(self, function: Callable[..., int], *arguments: int) -> str:
        """Read a text from a C function."""
        return self.codec.decode(self._bytes(function, *arguments))

    def _bytes(self, function: Callable[..., int], *arguments: int) -> bytes:
        """Read bytes from a C function, with a larger buffer if the buffer is too small."""
        with self.lock:
            while True:
                buffer = self._text_buffer
                length = function(self._vm, *arguments, buffer, len(buffer))
                if length < 0:
                    raise self._failure()
                if length < len(buffer) - 1:  # otherwise the text may have been truncated
                    return ffi.unpack(buffer, length)  # type: ignore[no-any-return]
                self._text_buffer = ffi.new("char[]", 4 * max(len(buffer), length))


def _flush(vm: CData) -> int:
    lib.fvm_flush(vm)
    return 0


def _no_memory(purpose: str) -> ForthVMError:
    from forthvm.core.errors import MemoryLimitExceeded

    return MemoryLimitExceeded(f"not enough memory for {purpose}: the system refused it")
