"""The border to the C core: the only module that imports `forthvm._native`.

This file owns the translation of every C function into a typed method: status codes become
exceptions, C values become Python values, nothing of cffi escapes.  It must not know files,
sources or games.

Three rules hold here.  A VM is used by one thread at a time, so every call takes its lock
(only `interrupt` and `engine_stop` do not).  An exception raised in a hook is kept while the
C frames unwind and raised again when the C call that it happened in returns.  Names and
texts are bytes in C; a Codec reads them.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import RLock, get_ident, main_thread
from typing import TYPE_CHECKING, Any, TypeAlias

from forthvm._native import ffi, lib

from .codec import Codec
from .errors import ForthVMError, Phase, Status, class_for
from .records import (
    Change,
    ChangeKind,
    EngineResult,
    ErrorRecord,
    Option,
    ReportKind,
    SearchLimits,
    SearchResult,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType

__all__ = [
    "Change",
    "ChangeKind",
    "EngineResult",
    "ErrorRecord",
    "NativeVM",
    "Option",
    "ReportKind",
    "SearchLimits",
    "SearchResult",
    "Snapshot",
    "page_size",
]

CData: TypeAlias = Any  # what cffi hands out; never leaves this file

_STOP = 1  # a poll hook's answer: end the run as an interrupt does


class _Host:
    """What the hooks need; apart from NativeVM so that C's handle makes no cycle with it."""

    __slots__ = ("__weakref__", "load", "output", "pending", "poll", "report", "word")

    def __init__(self) -> None:
        self.pending: BaseException | None = None
        self.output: Callable[[bytes], None] | None = None
        self.load: Callable[[bytes], None] | None = None
        self.word: Callable[[int], None] | None = None
        self.poll: Callable[[], bool] | None = None
        self.report: Callable[[int, bytes, int], None] | None = None


def _keep(
    _kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    """Store what a hook raised; the C call that it happened in raises it again."""
    if traceback is not None and "handle" in traceback.tb_frame.f_locals:
        _host(traceback.tb_frame.f_locals["handle"]).pending = error


def _host(handle: CData) -> _Host:
    host: _Host = ffi.from_handle(handle)
    return host


@ffi.def_extern(name="fvm_py_output", error=1, onerror=_keep)
def _on_output(handle: CData, data: CData, length: int) -> int:
    output = _host(handle).output
    if output is not None:
        output(bytes(ffi.buffer(data, length)))
    return 0


@ffi.def_extern(name="fvm_py_load", error=1, onerror=_keep)
def _on_load(handle: CData, name: CData) -> int:
    load = _host(handle).load
    if load is None:
        raise LookupError("LOAD: this VM has no files")
    load(ffi.string(name))
    return 0


@ffi.def_extern(name="fvm_py_word", error=1, onerror=_keep)
def _on_word(handle: CData, number: int) -> int:
    word = _host(handle).word
    if word is None:
        raise LookupError("a host word was run, but the VM has none")
    word(number)
    return 0


# Python delivers Ctrl-C here: the run ends and KeyboardInterrupt goes on from the C call.
@ffi.def_extern(name="fvm_py_poll", error=2, onerror=_keep)
def _on_poll(handle: CData) -> int:
    poll = _host(handle).poll
    return _STOP if poll is not None and poll() else 0


@ffi.def_extern(name="fvm_py_report", error=1, onerror=_keep)
def _on_report(handle: CData, what: int, text: CData, value: int) -> int:
    report = _host(handle).report
    if report is not None:
        report(what, ffi.string(text) if text != ffi.NULL else b"", value)
    return 0


class Snapshot:
    """The complete state of a VM at one moment: memory and parameter stack, immutable.

    Pages that did not change are shared with the VM and with other snapshots.  Freed when
    it is dropped, from any thread.
    """

    __slots__ = ("__weakref__", "_native", "_pointer")

    def __init__(self, native: NativeVM, pointer: CData) -> None:
        self._native = native
        self._pointer = pointer

    def __del__(self) -> None:
        self._native._drop_snapshot(self._pointer)

    @property
    def size(self) -> int:
        """Bytes of memory that it describes."""
        size: int = lib.fvm_snapshot_size(self._pointer)
        return size

    def read(self, address: int, length: int) -> bytes:
        """Copy bytes out; fewer than asked for where the memory ends."""
        if length <= 0:
            return b""
        buffer = ffi.new("char[]", length)
        got = lib.fvm_snapshot_read(self._pointer, address, buffer, length)
        return bytes(ffi.buffer(buffer, got))

    def page_same(self, other: Snapshot, page: int) -> bool:
        """Tell whether both have the same bytes in that page."""
        return bool(lib.fvm_snapshot_page_same(self._pointer, other._pointer, page))

    def equal(self, other: Snapshot) -> bool:
        """Tell whether memory and stack are the same."""
        return bool(lib.fvm_snapshot_equal(self._pointer, other._pointer))

    def stack(self) -> tuple[int, ...]:
        """Give the parameter stack, the top last."""
        depth = lib.fvm_snapshot_stack(self._pointer, ffi.NULL, 0)
        if depth <= 0:
            return ()
        cells = ffi.new("fvm_cell[]", depth)
        lib.fvm_snapshot_stack(self._pointer, cells, depth)
        return tuple(cells)

    def patch(self, cells: Mapping[int, int], stack: Sequence[int]) -> Snapshot:
        """Make another one: this one with those cells (by address) and that stack."""
        return self._native._patch_snapshot(self._pointer, cells, stack)


class NativeVM:
    """One VM of the C core, a method per C function without its `fvm_`.

    Args:
        size: Bytes of memory at the start.
        limit: Bytes that it may grow to.

    Attributes:
        codec: Reads and writes names and texts.
        on_error: Turns an ErrorRecord into the exception to raise; the VM sets it.
        run_limits: Steps and seconds that every outermost run gets anew; None: whatever
            `budget` set last goes on.
        host: The hooks; see `_Host` for their shapes.
    """

    def __init__(self, size: int, limit: int) -> None:
        pointer = lib.fvm_new(size, limit)
        if pointer == ffi.NULL:
            raise MemoryError(f"no memory for a VM of {size} bytes")
        self.host = _Host()
        self.codec = Codec()
        self.on_error: Callable[[ErrorRecord], ForthVMError] | None = None
        self.run_limits: tuple[int, float] | None = None
        self._vm = pointer
        self._handle = ffi.new_handle(self.host)
        self.searching = False
        self._lock = RLock()
        self._depth = 0
        self._polls = False
        self._dropped: list[CData] = []  # snapshots let go while another thread used the VM
        self._set_hooks(poll=False)

    def __del__(self) -> None:
        pointer = getattr(self, "_vm", None)
        if pointer is not None:
            self._vm = None
            for snapshot in self._dropped:
                lib.fvm_snapshot_free(snapshot)
            lib.fvm_free(pointer)

    # --- runs ------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether some thread is inside an operation of this VM."""
        return self._depth > 0

    @contextmanager
    def operation(self) -> Iterator[None]:
        """Bracket several calls that are one run to the host.

        Other threads wait, the budget is armed once, and an interrupt that arrives between
        two of the calls ends the next one.
        """
        with self._lock:
            self._begin()
            try:
                yield
            finally:
                self._depth -= 1

    def _begin(self) -> None:
        if self._depth == 0:
            if self._dropped:
                self._free_dropped()
            # Only the main thread gets signals; others need not wait for the GIL to poll.
            polls = get_ident() == main_thread().ident or self.host.poll is not None
            if polls != self._polls:
                self._set_hooks(poll=polls)
            lib.fvm_clear_interrupt(self._vm)
            if self.run_limits is not None:
                lib.fvm_budget(self._vm, *self.run_limits)
        self._depth += 1

    def _run(self, function: Callable[..., int], *args: object) -> None:
        """Call a C function that may fail or run Forth; raise what it or a hook reports."""
        with self._lock:
            self._begin()
            try:
                status = function(self._vm, *args)
                pending, self.host.pending = self.host.pending, None
                if pending is not None:
                    if status == Status.HOST:
                        self._explain(pending)
                    raise pending
                if status != Status.OK:
                    raise self._failure()
            finally:
                self._depth -= 1

    def _failure(self) -> ForthVMError:
        record = self.last_error()
        if self.on_error is not None:
            return self.on_error(record)
        return class_for(record.status)(
            status=record.status,
            phase=record.phase,
            detail=record.text,
            value=record.value,
            steps=record.steps,
        )

    def _do(
        self, function: Callable[..., int], *args: object, value: int = 0, detail: str = ""
    ) -> None:
        """Call a C function that runs no Forth and leaves no record when it fails."""
        with self._lock:
            status = Status(function(self._vm, *args))
        if status is not Status.OK:
            raise class_for(status)(status=status, value=value, detail=detail)

    def _explain(self, pending: BaseException) -> None:
        """Let an error that crossed a hook know the calls around that hook."""
        if self.on_error is None or not isinstance(pending, Exception):
            return
        outer = self.on_error(self.last_error())
        if isinstance(pending, ForthVMError):
            pending.adopt(outer)
        elif outer.trace:
            pending.add_note(outer.report())

    def _set_hooks(self, *, poll: bool) -> None:
        hooks = ffi.new("fvm_hooks *")
        hooks.output = lib.fvm_py_output
        hooks.load = lib.fvm_py_load
        hooks.word = lib.fvm_py_word
        hooks.poll = lib.fvm_py_poll if poll else ffi.NULL
        hooks.report = lib.fvm_py_report
        lib.fvm_set_hooks(self._vm, hooks, self._handle)
        self._polls = poll

    # --- life ------------------------------------------------------------------------

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
        with self._lock:
            lib.fvm_set_option(self._vm, option, value)

    def get_option(self, option: Option) -> int:
        """Read an option."""
        value: int = lib.fvm_get_option(self._vm, option)
        return value

    # --- budget ----------------------------------------------------------------------

    def budget(self, steps: int = 0, seconds: float = 0.0) -> None:
        """Limit all that runs from now on; 0: no limit."""
        with self._lock:
            lib.fvm_budget(self._vm, steps, seconds)

    def steps(self) -> int:
        """Steps used since the budget was set."""
        steps: int = lib.fvm_steps(self._vm)
        return steps

    def interrupt(self) -> bool:
        """End the run under way, from any thread; False if there was none."""
        if self._depth == 0:
            return False
        lib.fvm_interrupt(self._vm)
        return True

    def clear_interrupt(self) -> None:
        """Forget an interrupt that has not been served."""
        lib.fvm_clear_interrupt(self._vm)

    # --- source and dictionary -------------------------------------------------------

    def source_add(self, length: int) -> int:
        """Register a text; gives the source position of its first byte."""
        with self._lock:
            base: int = lib.fvm_source_add(self._vm, length)
        return base

    def interpret(self, text: bytes, base: int, *, main: bool = False) -> None:
        """Interpret a text; `main`: sections and definitions must be finished at its end."""
        self._run(lib.fvm_interpret, text, len(text), base, int(main))

    def source_at(self, address: int) -> int:
        """Source position of the token that made this cell, 0 unknown."""
        position: int = lib.fvm_source_at(self._vm, address)
        return position

    def find(self, name: str) -> int:
        """Header (NFA) of the newest word of that name, or 0."""
        with self._lock:
            nfa: int = lib.fvm_find(self._vm, self.codec.encode(name))
            if not nfa and not name.isascii():
                nfa = lib.fvm_find(self._vm, name.encode("utf-8", errors="replace"))
        return nfa

    def latest(self) -> int:
        """Header of the newest word."""
        nfa: int = lib.fvm_latest(self._vm)
        return nfa

    def previous(self, nfa: int) -> int:
        """Header of the next older word, 0 at the end."""
        older: int = lib.fvm_previous(self._vm, nfa)
        return older

    def word_at(self, address: int) -> int:
        """Header of the word whose code holds the address, or 0."""
        nfa: int = lib.fvm_word_at(self._vm, address)
        return nfa

    def words(self) -> Iterator[str]:
        """Names of all words that can be found, the newest first."""
        seen = set()
        nfa = self.latest()
        while nfa:
            name = self.name(nfa)
            if name and name not in seen:
                seen.add(name)
                if self.find(name):  # the kernel hides words of other versions
                    yield name
            nfa = self.previous(nfa)

    def name(self, nfa: int) -> str:
        """Name of the word with that header."""
        return self._text(lib.fvm_name, nfa)

    def body(self, cfa: int) -> int:
        """Address of a word's data (CFA>PFA)."""
        pfa: int = lib.fvm_body(self._vm, cfa)
        return pfa

    def primitive(self, cfa: int) -> int:
        """Number of the primitive in a code field, -1 if it holds none."""
        number: int = lib.fvm_primitive(self._vm, cfa)
        return number

    def define_host_word(self, name: str, number: int) -> None:
        """Define a word that calls the word hook with that number."""
        self._run(lib.fvm_define_host_word, self.codec.encode(name), number)

    def warning(self, index: int) -> tuple[str, int] | None:
        """Text and source position of a warning, None past the last."""
        buffer = ffi.new("char[]", 1024)
        position = ffi.new("uint32_t *")
        length = lib.fvm_warning(self._vm, index, buffer, 1024, position)
        if length < 0:
            return None
        return self.codec.decode(ffi.string(buffer)), position[0]

    # --- running ---------------------------------------------------------------------

    def execute(self, cfa: int) -> None:
        """Run a word."""
        self._run(lib.fvm_execute, cfa)

    def depth(self) -> int:
        """Items on the parameter stack; may be negative."""
        depth: int = lib.fvm_depth(self._vm)
        return depth

    def push(self, value: int) -> None:
        """Push a cell; wraps to 32 bits."""
        self._do(lib.fvm_push, (value + 0x80000000) % 0x100000000 - 0x80000000)

    def pop(self) -> int:
        """Take the top cell."""
        value = ffi.new("fvm_cell *")
        self._do(lib.fvm_pop, value)
        cell: int = value[0]
        return cell

    def pick(self, from_top: int) -> int:
        """Read a cell of the stack, 0 the top."""
        value: int = lib.fvm_pick(self._vm, from_top)
        return value

    def clear_stack(self) -> None:
        """Empty the parameter stack."""
        with self._lock:
            lib.fvm_clear_stack(self._vm)

    def flush(self) -> None:
        """Hand pending output to the output hook."""
        self._run(_flush)

    # --- memory ----------------------------------------------------------------------

    def memory_size(self) -> int:
        """Bytes of memory there are now."""
        size: int = lib.fvm_memory_size(self._vm)
        return size

    def here(self) -> int:
        """End of the dictionary."""
        address: int = lib.fvm_here(self._vm)
        return address

    def read(self, address: int, length: int) -> bytes:
        """Copy bytes out of memory."""
        buffer = ffi.new("char[]", max(length, 1))
        self._do(lib.fvm_read, address, buffer, length, value=address)
        return bytes(ffi.buffer(buffer, length))

    def write(self, address: int, data: bytes) -> None:
        """Copy bytes into memory."""
        self._do(lib.fvm_write, address, ffi.from_buffer(data), len(data), value=address)

    def read_cell(self, address: int) -> int:
        """Read one cell."""
        return int.from_bytes(self.read(address, 4), sys.byteorder, signed=True)

    def write_cell(self, address: int, value: int) -> None:
        """Write one cell; the value wraps to 32 bits."""
        self.write(address, (value & 0xFFFFFFFF).to_bytes(4, sys.byteorder))

    def read_string(self, address: int) -> str:
        """Read a zero-terminated text."""
        data = bytearray()
        size = self.memory_size()
        while b"\0" not in data and address < size:
            chunk = self.read(address, min(64, size - address))
            data += chunk
            address += len(chunk)
        return self.codec.decode(bytes(data).split(b"\0", 1)[0])

    # --- snapshots -------------------------------------------------------------------

    def snapshot_take(self) -> Snapshot:
        """Save the complete state."""
        with self._lock:
            pointer = lib.fvm_snapshot_take(self._vm)
        return self._wrap(pointer)

    def snapshot_restore(self, snapshot: Snapshot) -> None:
        """Bring back a saved state of this VM."""
        if snapshot._native is not self:
            raise ValueError("this snapshot belongs to another VM")
        self._do(
            lib.fvm_snapshot_restore,
            snapshot._pointer,
            detail="a state can be restored only between runs",
        )

    def _wrap(self, pointer: CData) -> Snapshot:
        if pointer == ffi.NULL:
            raise MemoryError("no memory for a snapshot")
        return Snapshot(self, pointer)

    def _patch_snapshot(
        self, base: CData, cells: Mapping[int, int], stack: Sequence[int]
    ) -> Snapshot:
        addresses = ffi.new("fvm_addr[]", list(cells))
        values = ffi.new("fvm_cell[]", list(cells.values()))
        items = ffi.new("fvm_cell[]", list(stack))
        with self._lock:
            pointer = lib.fvm_snapshot_patch(base, addresses, values, len(cells), items, len(stack))
        return self._wrap(pointer)

    def _drop_snapshot(self, pointer: CData) -> None:
        # May run in any thread, while another one is inside C: never wait here.
        if self._lock.acquire(blocking=False):
            try:
                lib.fvm_snapshot_free(pointer)
            finally:
                self._lock.release()
        else:
            self._dropped.append(pointer)

    def _free_dropped(self) -> None:
        while self._dropped:
            lib.fvm_snapshot_free(self._dropped.pop())

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

    # --- search ----------------------------------------------------------------------

    def search_axiom(self, limits: SearchLimits) -> SearchResult:
        """Run the original's alpha-beta on the newest list."""
        result = ffi.new("fvm_search_result *")
        self._search(lib.fvm_search_axiom, _limits(limits), result)
        return SearchResult(
            result.best, result.score, result.depth, result.nodes, bool(result.stopped)
        )

    def search_reset(self) -> None:
        """Empty the search's table."""
        with self._lock:
            lib.fvm_search_reset(self._vm)

    def engine_run(self, limits: SearchLimits) -> EngineResult:
        """Run OnSearch, the engine that the script names for the player to move."""
        result = ffi.new("fvm_search_result *")
        best = ffi.new("char[]", 4096)
        self._search(lib.fvm_engine_run, _limits(limits), result, best, 4096)
        text = self.codec.decode(ffi.string(best))
        return EngineResult(text, result.score, result.depth, result.nodes, bool(result.stopped))

    def engine_stop(self, status: int) -> None:
        """Ask a running engine to stop, from any thread: 1 soon, 2 now."""
        lib.fvm_engine_stop(self._vm, status)

    def perft(self, depth: int) -> int:
        """Count move sequences of that length."""
        count = ffi.new("int64_t *")
        self._search(lib.fvm_perft, depth, count)
        total: int = count[0]
        return total

    def _search(self, function: Callable[..., int], *args: object) -> None:
        """Run a search; while errors are explained the position is not the one that failed."""
        self.searching = True
        try:
            self._run(function, *args)
        finally:
            self.searching = False

    def _text(self, function: Callable[..., int], argument: int) -> str:
        """Fetch a text whose length C answers, with a second try when the buffer is short."""
        size = 256
        with self._lock:
            while True:
                buffer = ffi.new("char[]", size)
                length = function(self._vm, argument, buffer, size)
                if length < 0:
                    raise self._failure()
                if length < size - 1:  # else it may have been cut
                    return self.codec.decode(bytes(ffi.buffer(buffer, length)))
                size = 4 * max(size, length)


def page_size() -> int:
    """Bytes in a page of a snapshot."""
    size: int = lib.fvm_page_size()
    return size


def _flush(vm: CData) -> int:
    lib.fvm_flush(vm)
    return 0


def _limits(limits: SearchLimits) -> CData:
    return ffi.new("fvm_limits *", [limits.depth, limits.variety, limits.nodes, limits.seconds])


def _change(change: CData) -> Change:
    kind = ChangeKind(change.kind)
    args = tuple(change.args[0 : min(change.pos, 4)]) if kind is ChangeKind.CALL else ()
    return Change(kind, getattr(change, "from"), change.pos, change.piece, change.other, args)
