"""A debugging session: a target that runs, stops, is inspected, and continues or goes back.

Owns the interface for front ends; worker.py runs the VM in the thread of worker_thread.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.arguments import check
from forthvm.core.bindings import Until
from forthvm.core.errors import AddressError, ForthVMError, Status
from forthvm.debug.source_map.code_map import CodeMap

from .board_scene import BoardScene
from .breakpoints import make_breakpoint, make_line_breakpoint
from .recording import Recording, fingerprint
from .resumption import Forward, Goto, ReverseQuery
from .targets import Target
from .watchpoints import MAX_WATCHPOINTS, make_watchpoint
from .worker import Worker
from .worker_thread import WorkerThread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from types import TracebackType

    from forthvm.core.location import Location
    from forthvm.render.scene_types import Scene

    from .breakpoints import Breakpoint
    from .resumption import Plan
    from .state import State
    from .watchpoints import Watchpoint

__all__ = ["Session"]

_R = TypeVar("_R")

_ANY_POSITION = 0x7FFFFFFF  # beyond all source positions
_ADDRESS_LIMIT = 1 << 32
# A reverse query searches this number of steps back, and further back if it finds too few hits.
_TOKEN_WINDOW = 512  # for tokens
_STOP_WINDOW = 200_000  # for breakpoints and changes of watched memory


class Session:
    """A session of the debugger with one target.

    The target is the code that the session debugs.  It stops before its first token, which is the
    word that the host runs.  All methods that run the target return the state in which the target
    stopped.  Ctrl-C stops the target, too.

    While a session is open, other uses of its VM wait.  To play at the same time, debug a
    `game.clone()`.  The session can be closed at any time; closing it restores the VM's memory.

    Args:
        target: The result of `word_target`, `moves_target` or another function of targets.py.
        output: The function called with the target's output.  Each part of the output is passed
            only once, although going back runs the target again.
        library: Whether to stop inside the library's words and the code of moves, too.
        record: Whether `recording` contains the actions.  Without a recording, a long session
            needs no memory for it, and a step does not compute a digest of the VM's memory.

    Raises:
        ForthVMError: The VM is running, or another session traces it.
    """

    def __init__(
        self,
        target: Target,
        *,
        output: Callable[[str], object] | None = None,
        library: bool = False,
        record: bool = True,
    ) -> None:
        check(target, Target, "Session", "a target, such as debug.moves_target(position) returns")
        self.target = target
        self.library = library
        self.recording = Recording(target)
        self._records = record
        self.code = CodeMap(target.vm)
        self._board = BoardScene(target.position) if target.position is not None else None
        self._last_number = 0  # of all breakpoints and watchpoints
        start = self.code.script_start if target.loads and not library else 0
        entry = Forward(Until(most_calls=0, source=start), reason="entry")
        self._worker = Worker(target, self.code, entry, output)
        self._thread = WorkerThread(self._worker, target.vm.native)
        self.state = self._thread.wait()

    # --- state -------------------------------------------------------------------------

    def __enter__(self) -> Session:
        """Return the session; leaving the `with` block closes the session."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether the session was closed or its worker failed."""
        return self._thread.closed

    @property
    def running(self) -> bool:
        """Whether the target is running: it was resumed and has not stopped yet."""
        return self._thread.running and not self.closed

    def close(self) -> None:
        """End the run and restore the VM; further calls do nothing."""
        self._thread.close()

    @property
    def breakpoints(self) -> Mapping[int, Breakpoint]:
        """The breakpoints by number."""
        return self._worker.breakpoints

    @property
    def watches(self) -> Mapping[int, Watchpoint]:
        """The watchpoints by number."""
        return self._worker.watches

    @property
    def output(self) -> Callable[[str], object] | None:
        """The function called with the target's output; may be set."""
        return self._worker.output

    @output.setter
    def output(self, function: Callable[[str], object] | None) -> None:
        self._worker.output = function

    @property
    def on_log(self) -> Callable[[str, Location | None], object] | None:
        """The function called with each log message and its place; may be set.

        Each hit is logged once, although going back runs the target again.  The function is called
        in the session's thread, and must not use the session.
        """
        return self._worker.on_log

    @on_log.setter
    def on_log(self, function: Callable[[str, Location | None], object] | None) -> None:
        self._worker.on_log = function

    @property
    def on_breakpoint(self) -> Callable[[Breakpoint], object] | None:
        """The function called with each breakpoint that changes while texts are loaded; may be set.

        A breakpoint changes when its file is loaded, or when its line or word is compiled.  The
        function is called in the session's thread, and must not use the session.
        """
        return self._worker.on_breakpoint

    @on_breakpoint.setter
    def on_breakpoint(self, function: Callable[[Breakpoint], object] | None) -> None:
        self._worker.on_breakpoint = function

    @property
    def stop_on_error(self) -> bool:
        """Whether a run stops at a failing token, before the run ends; may be set."""
        return self._worker.stop_on_error

    @stop_on_error.setter
    def stop_on_error(self, on: bool) -> None:
        self._worker.stop_on_error = on

    # --- forward -----------------------------------------------------------------------

    def step(self, count: int = 1, *, unit: str = "token") -> State:
        """Run to the next token or `line`, entering called words."""
        return self._run_plan("step", {"count": count, "unit": unit}, self._step_plan(count, unit))

    def over(self, count: int = 1, *, unit: str = "token") -> State:
        """Run to the next token or `line`, stepping over called words.

        Words that the host runs are entered: no code of the script called them.
        """
        plan = self._step_plan(count, unit, over=True)
        return self._run_plan("over", {"count": count, "unit": unit}, plan)

    def out(self) -> State:
        """Run until the current word has returned, or the current text has been loaded.

        A word that the host has run returns to the next word that the host runs.
        """
        until = self._condition_over
        if self._calls > self._fewest_calls:
            until = replace(until, most_calls=self._calls - 1)
        elif self.target.interprets:  # to the text that has loaded the current text
            until = replace(until, most_runs=self._worker.nesting - 1)
        else:
            until = replace(until, except_calls=self._fewest_calls, except_end=_ANY_POSITION)
        return self._run_plan("out", {}, Forward(until))

    def continue_(self) -> State:
        """Run to the next breakpoint, change of watched memory, or failure, or to the end."""
        return self._run_plan("continue", {}, Forward())

    def begin(self) -> State:
        """Run from the first token as `continue_` does, but stop at a breakpoint on this token."""
        return self._run_plan("begin", {}, Forward(from_here=True))

    def enter(self) -> State:
        """Step into the word that the host runs; the next token is the new beginning."""
        plan = replace(self._step_plan(1, "token"), reason="entry")
        return self._run_plan("enter", {}, plan)

    def run_to(self, step: int) -> State:
        """Go to a step, forward or back."""
        is_ahead = step > self.state.step and not self.state.ended
        plan = Forward(step=step) if is_ahead else Goto(max(step, 1))
        return self._run_plan("run_to", {"to": step}, plan)

    def resume(self) -> None:
        """Continue as `continue_` does, without waiting; call `wait` or `pause` afterwards."""
        self._thread.start(Forward())

    def pause(self) -> State:
        """Stop a resumed run, and return its state."""
        self.request_pause()
        return self.wait()

    def request_pause(self) -> None:
        """Request that the run stops at its next token; any thread may call this method.

        A run that goes back stops at the token that it is repeating.
        """
        self._thread.request_pause()

    def wait(self, timeout: float | None = None) -> State:
        """Wait until a resumed run stops, and return its state.

        Raises:
            TimeoutError: The run did not stop within `timeout` seconds.
        """
        if self._thread.running:
            self.state = self._thread.wait(timeout)
        return self.state

    # --- backward ----------------------------------------------------------------------

    def back(self, count: int = 1, *, unit: str = "token", over: bool = False) -> State:
        """Go back by tokens or lines of the script; `over` steps over called words.

        From the end of a run that has failed, the first step is to the token that failed.
        """
        over = over and not (self.state.ended and self.state.error is not None)
        calls = self._calls
        until = self._condition_over if over else self._condition
        end = self.state.step
        origin = calls, (*self._current_line(), self._worker.run)
        window = _TOKEN_WINDOW + 8 * count
        query = ReverseQuery(
            max(1, end - window),
            end,
            until,
            nth=count,
            lines=unit == "line",
            origin=origin,
        )
        return self._run_plan("back", {"count": count, "unit": unit, "over": over}, query)

    def reverse_continue(self) -> State:
        """Go back to the last breakpoint, or to the token that last changed watched memory."""
        end = self.state.step
        return self._run_plan(
            "reverse_continue", {}, ReverseQuery(max(1, end - _STOP_WINDOW), end, None)
        )

    def restart(self) -> State:
        """Go back to the beginning."""
        return self._run_plan("restart", {}, Goto(self._worker.entry_step, "entry"))

    # --- breakpoints -------------------------------------------------------------------

    def add_breakpoint(
        self, text: str, *, condition: str = "", hits: str = "", log: str = ""
    ) -> Breakpoint:
        """Set a breakpoint at `WORD`, `FILE:LINE`, `LINE` or `on EVENT`.

        Without `condition`, `if CONDITION` may follow in the text.  Events are `on move` (a move is
        added), `on capture`, `on piece NAME`, `on position NAME` (moves are generated for it) and
        `on run` (the host runs a word).

        Args:
            text: The description.
            condition: Forth that leaves a flag; a sandbox undoes its side effects.  The breakpoint
                applies while it is true.
            hits: Which hits stop the run: `3` only the third, `>= 3`, `> 3`, `<= 3`, `< 3`, or
                `% 3` every third; "" for all.  Going back takes hits back.
            log: A message for `on_log`, in which `{FORTH}` is replaced by the results and output
                of Forth in a sandbox.  The run does not stop.

        Raises:
            ForthVMError: The description is invalid, or names unknown words, lines or events.
        """
        options = {"condition": condition, "hits": hits, "log": log}
        point = self._add(
            lambda number: make_breakpoint(number, text, self.target, self.code, **options)
        )
        self._record_point("break", {"text": text}, options)
        return point

    def add_line_breakpoint(
        self, source: Path | str, line: int, *, condition: str = "", hits: str = "", log: str = ""
    ) -> Breakpoint:
        """Set a breakpoint on a line, also of a rule file or of a file of the library.

        If the line has no code, the breakpoint moves to the next line with code, up to ten lines
        below.  `Breakpoint.line` is the number of that line.  If there is none, or if the file is
        not loaded, `Breakpoint.verified` is False, and `Breakpoint.problem` is the reason.  Lines
        outside definitions run only while a target loads their file (`load_target`).

        Args:
            source: The path of a file, or the name of a text as in `Location.file`.
            line: The number of the line, from 1.
            condition: As for `add_breakpoint`.
            hits: As for `add_breakpoint`.
            log: As for `add_breakpoint`.

        Raises:
            ForthVMError: `hits` is invalid.
        """
        options = {"condition": condition, "hits": hits, "log": log}
        point = self._add(
            lambda number: make_line_breakpoint(
                number, source, line, self.target, self.code, **options
            )
        )
        name = point.file.name if point.file is not None else str(source)
        self._record_point("break_line", {"source": name, "line": line}, options)
        return point

    def _record_point(
        self, action: str, args: Mapping[str, object], options: Mapping[str, str]
    ) -> None:
        used = {name: option for name, option in options.items() if option}
        self._record(action, **args, **used)

    def _record(self, action: str, **args: object) -> None:
        if self._records:
            self.recording.add(action, args, self.state)

    def _add(self, make: Callable[[int], Breakpoint]) -> Breakpoint:
        """Add the breakpoint that a function makes for a number."""
        number = self._last_number + 1

        def add() -> Breakpoint:
            point = self._worker.breakpoints[number] = make(number)
            self._worker.set_marks()
            return point

        point = self.call(add)
        self._last_number = number
        return point

    def add_watch(
        self, text: str, *, condition: str = "", hits: str = "", log: str = ""
    ) -> Watchpoint:
        """Set a watchpoint on a variable, on Forth that leaves an address, or `on SQUARE`.

        `for N` after the address watches N cells, `bytes N` watches N bytes.

        Args:
            text: The description.
            condition: As for `add_breakpoint`.
            hits: As for `add_breakpoint`.
            log: As for `add_breakpoint`.

        Raises:
            ForthVMError: The address or `hits` is invalid, or there are 64 watchpoints already.
        """
        used = {watch.index for watch in self.watches.values()}
        free_index = next((index for index in range(MAX_WATCHPOINTS) if index not in used), None)
        if free_index is None:
            raise ForthVMError(f"at most {MAX_WATCHPOINTS} ranges are watched")
        number = self._last_number + 1

        def make() -> Watchpoint:
            point = make_watchpoint(number, free_index, text, self.target, self._evaluate)
            point.condition, point.log = condition, log
            point.stop_at_hits(hits)
            self._thread.trace().watch(point.index, point.address, point.length, base=point.base)
            self._worker.watches[number] = point
            return point

        point = self.call(make)
        self._last_number = number
        options = {"condition": condition, "hits": hits, "log": log}
        self._record_point("watch", {"text": text}, options)
        self._update_watched()
        return point

    def delete(self, number: int) -> None:
        """Delete a breakpoint or watchpoint.

        Raises:
            ForthVMError: No breakpoint or watchpoint has this number.
        """

        def delete() -> None:
            worker = self._worker
            if worker.breakpoints.pop(number, None) is not None:
                worker.set_marks()
                return
            watch = worker.watches.pop(number, None)
            if watch is None:
                raise ForthVMError(f"there is no breakpoint or watch {number}")
            self._thread.trace().watch(watch.index, 0, 0)

        self.call(delete)
        self._record("delete", number=number)
        self._update_watched()

    def enable(self, number: int, *, on: bool = True) -> None:
        """Enable or disable a breakpoint or watchpoint.

        Raises:
            ForthVMError: No breakpoint or watchpoint has this number.
        """
        point = self.breakpoints.get(number) or self.watches.get(number)
        if point is None:
            raise ForthVMError(f"there is no breakpoint or watch {number}")
        point.enabled = on
        self.call(self._worker.set_marks)
        self._record("enable", number=number, on=on)

    def ignore(self, number: int, count: int) -> None:
        """Ignore the next `count` hits of a breakpoint: set its hit condition.

        Raises:
            ForthVMError: No breakpoint has this number.
        """
        if number not in self.breakpoints:
            raise ForthVMError(f"there is no breakpoint {number}")
        point = self.breakpoints[number]
        point.stop_at_hits(f"> {point.hits + count}" if count > 0 else "")
        self._record("ignore", number=number, count=count)

    # --- inspecting --------------------------------------------------------------------

    @property
    def printed(self) -> str:
        """The target's output up to the current step."""
        return self._worker.printed

    def evaluate(self, text: str) -> tuple[tuple[int, ...], str]:
        """Run Forth in the stopped VM, and restore everything that it changes.

        Returns:
            The items that the text left on the stack, and its output.

        Raises:
            ForthVMError: The text fails.
        """
        return self.call(lambda: (self._evaluate(text), self._worker.sandbox.printed))

    def return_stack(self) -> tuple[int, ...]:
        """Return the cells of the return stack, the top first; none after the end of the run."""
        worker = self._worker
        return self.call(lambda: self._thread.trace().return_stack() if worker.in_run else ())

    def memory(self, address: int, length: int) -> bytes:
        """Read bytes of memory.

        Raises:
            AddressError: The range is not within memory.
        """
        if not (0 <= address < _ADDRESS_LIMIT and 0 <= length < _ADDRESS_LIMIT):
            raise AddressError(status=Status.ADDRESS, value=address)
        return self.call(lambda: self.target.vm.native.read(address, length))

    def board(self) -> Scene | None:
        """Return the current board; None without a game.

        During move generation, the board positions `from` and `here` are marked.
        """
        board = self._board
        if board is None:
            return None
        generation = self.state.generation_state
        marks = {generation.origin, generation.here} if generation is not None else set()
        return self.call(lambda: board.current(self.target.vm.native, marks))

    def digest(self) -> str:
        """Return a digest of memory and both stacks."""
        worker, native = self._worker, self.target.vm.native
        return self.call(
            lambda: fingerprint(native, self._thread.trace() if worker.in_run else None)
        )

    # --- requests to the worker ---------------------------------------------------------

    @property
    def _condition(self) -> Until:
        """The condition that stops at each token: of the script only, unless `library` is set."""
        return Until(source=0 if self.library else self.code.script_start)

    @property
    def _condition_over(self) -> Until:
        """The condition that stops at each token outside called words and loaded texts."""
        calls = max(self._calls, self._fewest_calls)
        condition = replace(self._condition, most_calls=calls)
        if self.target.interprets:
            condition = replace(condition, most_runs=self._worker.nesting)
        return condition

    @property
    def _calls(self) -> int:
        """The number of open calls."""
        return len(self.state.callers)

    @property
    def _fewest_calls(self) -> int:
        """The number of open calls in the code outside all words that the script calls."""
        return 0 if self.target.interprets else 1

    def _step_plan(self, count: int, unit: str, *, over: bool = False) -> Forward:
        if unit not in ("token", "line"):
            raise ForthVMError(f"steps are tokens or lines, not {unit!r}")
        until = self._condition_over if over else self._condition
        if unit == "line":
            start, end = self._current_line()
            until = replace(until, except_calls=self._calls, except_start=start, except_end=end)
        return Forward(until, max(count, 1))

    def _current_line(self) -> tuple[int, int]:
        return self.code.line_span(self._worker.source)

    def _run_plan(self, action: str, args: Mapping[str, object], plan: Plan) -> State:
        self._thread.start(plan)
        state = self.state = self._thread.wait()
        if self._records:
            self.recording.add(action, args, state, self.digest())
        return state

    def _evaluate(self, text: str) -> tuple[int, ...]:
        return self._worker.sandbox.run(text, in_run=self._worker.in_run)

    def call(self, function: Callable[[], _R]) -> _R:
        """Call a function, which may use the VM, in the session's thread; return its result.

        If the target is running, the function is called at its next token, and the run goes on.

        Raises:
            ForthVMError: The session is closed.
        """
        return self._thread.call(function)

    def _update_watched(self) -> None:
        """Update the state after a change of the watchpoints."""
        if not self.state.ended and not self._thread.running:
            watches = tuple(self.watches.values())
            self.state = replace(
                self.state, watched=self.call(lambda: self._worker.inspector.watched(watches))
            )
