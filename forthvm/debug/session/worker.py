"""The worker thread of a session: it runs the target, stops it, and runs it again.

Owns the runs of the target, and the decision at each stop of the trace.  While the target is
stopped, this thread waits inside the trace's callback and executes requests of the session.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.bindings import RUN_CELL, Mark, Reason, Trace
from forthvm.core.errors import ForthVMError
from forthvm.core.errors.classes import class_for
from forthvm.core.failure import Unwinding
from forthvm.core.output import redirected
from forthvm.core.status import Status
from forthvm.debug.session.sandbox import Sandbox

from .checkpoints import Checkpoint, History
from .loading_texts import LoadingTexts
from .resumption import CLOSE, Close, Forward, Goto, Hit, ReverseQuery
from .state import Inspector, State
from .targets import clock_stopped
from .watchpoints import Changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.core.bindings import TracePoint
    from forthvm.core.location import Location
    from forthvm.debug.source_map.code_map import CodeMap, Line

    from .breakpoints import Breakpoint
    from .resumption import Plan
    from .stop_points import StopPoint
    from .targets import Target
    from .watchpoints import Watchpoint

__all__ = ["Worker"]

_Point = TypeVar("_Point", bound="StopPoint")


class _Rewind(Unwinding):
    """Ends a run, because its plan continues at an earlier step."""

    def __init__(self, plan: Goto | ReverseQuery) -> None:
        super().__init__()
        self.plan = plan


class _Closed(Unwinding):
    """Ends a run, because the session is being closed."""


class Worker:
    """Runs a target and executes the requests of its session.

    Attributes:
        target: The target.
        breakpoints: The breakpoints by number.
        watches: The watchpoints by number.
        stop_on_error: Whether to stop at a failing token.
        in_run: Whether the target has stopped inside a run; False after the end of the run.
        requests: Plans, and functions to call in this thread, from the session.
        stops: The states in which the target stopped, or the exception that ended the worker; the
            session reads them.
        closing: Whether the session is being closed.
        pausing: Whether the session requested that the current run pauses.
        trace: The trace; None before the thread has started.
        inspector: Reads states from the VM.
        sandbox: Runs Forth where the target has stopped.
        run: The number of the host's run in which the target stopped; 0 for a token of a text.
        source: The source position of the token at which the target stopped; 0 without source.
        nesting: The number of open runs where the target stopped; more than 1 in loaded texts.
        entry_step: The step of the beginning, from which going back further is impossible.
        output: The function called with the target's output, once for each text.
        printed: The target's output up to the current step.
        on_log: The function called with each log message and the place of the next token.
        on_breakpoint: The function called with each breakpoint that changes while texts are loaded.
    """

    def __init__(
        self,
        target: Target,
        code: CodeMap,
        first_plan: Forward,
        output: Callable[[str], object] | None,
    ) -> None:
        self.target = target
        self.breakpoints: dict[int, Breakpoint] = {}
        self.watches: dict[int, Watchpoint] = {}
        self.stop_on_error = True
        self.requests: SimpleQueue[Plan | Callable[[], None]] = SimpleQueue()
        self.stops: SimpleQueue[State | BaseException] = SimpleQueue()
        self.closing = False
        self.pausing = False
        self.in_run = False
        self.trace: Trace | None = None
        self.source = 0
        self.run = 0
        self.nesting = 1
        self.entry_step = 1
        self.printed = ""
        self.on_log: Callable[[str, Location | None], object] | None = None
        self.on_breakpoint: Callable[[Breakpoint], object] | None = None
        self.inspector: Inspector
        self.sandbox: Sandbox
        self._native = target.vm.native
        self._code = code
        self._plan: Plan = first_plan
        self._remaining_hits = 1  # how many times the plan's condition must still be true
        self._marked: set[int] = set()
        self.output = output
        self._output_length = 0  # the number of characters passed to `output`
        self._tokens_before = 0  # tokens executed before the checkpoint where the run began
        self._runs_before = 0  # runs of the host before it
        self._checkpoint: Checkpoint | None = None  # where the run began
        self._history: History
        self._loading = LoadingTexts(target.vm, code) if target.loads else None
        self._text_line: Line | None = None  # the line whose interpretation begins at this stop

    # --- the thread --------------------------------------------------------------------

    def work(self) -> None:
        """Run the thread until the session is closed."""
        vm = self.target.vm
        try:
            with self.target.prepared(), clock_stopped(vm), redirected(vm, self._add_output):
                start = self._native.snapshot_take()
                trace = Trace(self._native, self._on_stop)
                try:
                    self._serve(trace, History(start))
                finally:
                    trace.close()
                    self._native.snapshot_restore(start)
        except BaseException as error:
            self.stops.put(error)

    def _serve(self, trace: Trace, history: History) -> None:
        vm = self.target.vm
        self.inspector = Inspector(vm, trace, has_game=self.target.game is not None)
        self.sandbox = Sandbox(vm, trace)
        self._history = history
        self.trace = trace
        trace.stop_failures(on=True)
        self.set_marks()
        plan = self._plan
        while not isinstance(plan, Close):
            plan = self._run(trace, plan)

    def set_marks(self) -> None:
        """Set the marks of all enabled breakpoints in the trace, and remove all other marks."""
        trace = self._tracing()
        marks = {RUN_CELL: Mark.CELL} if self._loading is not None else {}
        for point in self.breakpoints.values():
            if point.enabled:
                for address, mark in point.marks.items():
                    marks[address] = marks.get(address, Mark(0)) | mark
        for address in self._marked - marks.keys():
            trace.mark(address, remove=Mark.CELL | Mark.WORD)
        for address, mark in marks.items():
            trace.mark(address, add=mark, remove=Mark.CELL | Mark.WORD)
        self._marked = set(marks)

    def _tracing(self) -> Trace:
        assert self.trace is not None
        return self.trace

    def _refresh_breakpoints(self) -> None:
        """Compute the marks of all breakpoints again, because more code was loaded."""
        for point in self.breakpoints.values():
            if point.refresh is None:
                continue
            before = point.verified, point.line
            point.refresh()
            if (point.verified, point.line) != before and self.on_breakpoint is not None:
                self.on_breakpoint(point)
        self.set_marks()

    # --- a run of the target -----------------------------------------------------------

    def _run(self, trace: Trace, plan: Forward | Goto | ReverseQuery) -> Plan:
        """Run the target from the last checkpoint before a plan's steps; return the next plan."""
        first_step = plan.start if isinstance(plan, ReverseQuery) else plan.step
        checkpoint = self._history.before(first_step)
        self._native.snapshot_restore(checkpoint.memory)
        trace.restart(same_runs=checkpoint is self._checkpoint)
        self._checkpoint = checkpoint
        self._tokens_before = checkpoint.step
        self._runs_before = checkpoint.runs
        self.printed = self.printed[: checkpoint.printed]
        self._apply(plan)
        result: object = None
        error: ForthVMError | None = None
        operations = self.target.operations
        try:
            for index in range(checkpoint.operation, len(operations)):
                if self._history.is_due(index):
                    self._history.add(self._checkpoint_before(index, trace.point()))
                with nullcontext() if self.target.has_several_runs else self._native.operation():
                    result = operations[index]()
                self._native.flush()
        except _Rewind as request:
            return request.plan
        except _Closed:
            return CLOSE
        except ForthVMError as failure:
            if self.closing:
                return CLOSE
            error = failure
        return self._ended(self._tokens_before + trace.point().step + 1, result, error)

    def _checkpoint_before(self, operation: int, point: TracePoint) -> Checkpoint:
        return Checkpoint(
            self._tokens_before + point.step,
            operation,
            self._native.snapshot_take(),
            printed=len(self.printed),
            runs=self._runs_before + point.runs,
        )

    def _ended(self, step: int, result: object, error: ForthVMError | None) -> Plan:
        """Publish the state at the end of the run, and wait for the next plan."""
        if isinstance(self._plan, ReverseQuery):
            return self._finish(self._plan)
        stack, depth = self.inspector.stack()
        state = State(
            step=step,
            reason="end",
            stack=stack,
            names=("",) * len(stack),
            words=self.inspector.words(stack, ("",) * len(stack)),
            depth=depth,
            watched=self.inspector.watched(self.watches.values()),
            generation_state=self.inspector.generation_state(),
            error=error,
            result=result,
            ended=True,
        )
        self.source = self.run = 0
        while True:
            plan = self._publish(state)
            if not isinstance(plan, Forward):
                return plan
            state = replace(state, note="the run has ended: go back, or restart it")

    def _publish(self, state: State) -> Plan:
        """Publish a state, and execute requests until the session sends a plan."""
        for point in (*self.breakpoints.values(), *self.watches.values()):
            point.go_to(state.step)
        self.stops.put(state)
        while True:
            request = self.requests.get()
            if not callable(request):
                return request
            request()

    def _execute_requests(self) -> None:
        """Execute the functions that the session sent while the target was running."""
        while not self.requests.empty():
            request = self.requests.get()
            if not callable(request):  # the session is being closed
                raise _Closed
            request()

    def _apply(self, plan: Plan) -> None:
        """Set the steps and conditions at which the trace stops for a plan."""
        trace = self._tracing()
        self._plan = plan
        if isinstance(plan, Goto):
            trace.go_until(None)
            trace.skip_to(plan.step - self._tokens_before)
            trace.stop_at(plan.step - self._tokens_before)
        elif isinstance(plan, ReverseQuery):
            trace.go_until(plan.until)
            trace.skip_to(max(plan.start - self._tokens_before, 0))
            trace.stop_at(plan.end - self._tokens_before)
        elif isinstance(plan, Forward):
            trace.go_until(plan.until)
            trace.stop_at(plan.step - self._tokens_before if plan.step else None)
            self._remaining_hits = plan.count

    # --- a stop ------------------------------------------------------------------------

    def _on_stop(self, stop: TracePoint) -> bool:
        """Handle a stop of the trace, as its callback; the result True ends the run."""
        if self.closing:
            return True
        if self.trace is not None and self.sandbox.busy:
            return False
        self.in_run = True
        try:
            self._handle_stop(stop, self._tokens_before + stop.step)
        finally:
            self.in_run = False
        return False

    def _prepare(self, stop: TracePoint) -> TracePoint:
        """Follow the run and execute requests; remove a pause that is not wanted."""
        if self._loading is not None:
            if self._loading.has_grown():
                self._refresh_breakpoints()
            self._text_line = self._loading.line_begun(stop)
        for point in self.breakpoints.values():
            if point.passes is not None:
                point.passes.follow(stop, self._tokens_before + stop.step)
        if stop.reasons & Reason.PAUSE:
            self._execute_requests()
            if not self.pausing:
                return replace(stop, reasons=stop.reasons & ~Reason.PAUSE)
        return stop

    def _handle_stop(self, stop: TracePoint, step: int) -> None:
        """Publish the state of a stop and start the next plan, or continue the current plan."""
        plan = self._plan
        stop = self._prepare(stop)
        paused = bool(stop.reasons & Reason.PAUSE)
        if isinstance(plan, ReverseQuery) and not paused:
            if step >= plan.end:
                if plan.until is None:  # include a change by the previous token
                    self._add_change(plan, stop, step)
                raise _Rewind(self._finish(plan))
            self._add_hit(plan, stop, step)
            return
        state = self._state_at(plan, stop, step)
        if state is not None:
            self._stop_at(state, stop, step)

    def _stop_at(self, state: State, stop: TracePoint, step: int) -> None:
        """Publish a state, and start the next plan."""
        self.source = stop.source
        self.run = self._run_of(stop)
        self.nesting = stop.nesting
        if not isinstance(self._plan, ReverseQuery | Close) and self._plan.reason == "entry":
            self.entry_step = step
        self._native.flush()
        next_plan = self._publish(state)
        if isinstance(next_plan, Close):
            raise _Closed
        if isinstance(next_plan, Goto | ReverseQuery):
            raise _Rewind(next_plan)
        self._apply(next_plan)
        if next_plan.from_here:
            again = replace(stop, reasons=Reason.BREAK, changed=())
            reached = self._state_at(next_plan, again, step)
            if reached is not None:
                self._stop_at(reached, again, step)

    def _state_at(self, plan: Plan, stop: TracePoint, step: int) -> State | None:
        """Return the state in which to stop; None to continue."""
        reasons = stop.reasons
        if isinstance(plan, Goto) and reasons & Reason.TARGET:
            state = self._read(stop, step, plan.reason)
            return replace(state, breakpoints=plan.breakpoints, note=plan.note)
        if not isinstance(plan, Forward):
            return self._read(stop, step, "pause") if reasons & Reason.PAUSE else None
        if reasons & Reason.FAILURE:
            if not self.stop_on_error:
                return None
            state = self._read(stop, step, "failure")
            return replace(state, error=self._failure(stop, state))
        changed = self._reached(self._changed(stop), stop, step)
        changes = tuple(self._change(watch) for watch in changed)
        points = self._reached(self._candidates(stop), stop, step)
        reached = tuple(point.number for point in points)
        note = self._fault_note([*changed, *points])
        reason = self._reason(plan, stop, changes=bool(changes), reached=bool(reached))
        if not reason:
            return None
        state = self._read(stop, step, reason)
        return replace(state, breakpoints=reached, changes=changes, note=note)

    def _reason(self, plan: Forward, stop: TracePoint, *, changes: bool, reached: bool) -> str:
        """Return the first reason to stop; "" if there is none."""
        reasons = stop.reasons
        if reasons & Reason.UNTIL and self._is_passed(plan, stop):
            reasons &= ~Reason.UNTIL
        if reasons & Reason.UNTIL:
            self._remaining_hits -= 1
        plan_is_done = reasons & Reason.TARGET or (
            reasons & Reason.UNTIL and self._remaining_hits <= 0
        )
        reasons_to_stop = {
            "watch": changes,
            "breakpoint": reached,
            "pause": bool(reasons & Reason.PAUSE),
            plan.reason: bool(plan_is_done),
        }
        return next((reason for reason, applies in reasons_to_stop.items() if applies), "")

    def _is_passed(self, plan: Forward | ReverseQuery, stop: TracePoint) -> bool:
        """Whether a step passes a token: code that a compiler added, or a text being compiled."""
        if self._loading is not None and self._loading.is_passed(stop):
            return True
        excludes_library = plan.until is not None and plan.until.source > 0
        return excludes_library and self._code.is_generated(stop.source)

    def _read(self, stop: TracePoint, step: int, reason: str) -> State:
        return self.inspector.state(stop, step, reason, self.watches.values())

    def _failure(self, stop: TracePoint, state: State) -> ForthVMError:
        """Return the error of the next token; the run has not ended yet."""
        status = Status(stop.status)
        record = self._native.last_error()
        if not stop.word:  # a token of a text failed, and the record is complete
            return self.inspector.explain(record)
        sources = self.target.vm.sources
        return class_for(status)(
            status=status,
            word=self.inspector.word_name(stop.word),
            detail=record.text if record.status is status else "",
            value=record.value,
            trace=state.open_calls,
            location=sources.locate(stop.source),
            loads=sources.loads(stop.source),
            phase=stop.phase,
        )

    def _changed(self, stop: TracePoint) -> list[Watchpoint]:
        """Return the enabled watchpoints whose memory has changed."""
        watches = self.watches.values() if stop.changed else ()
        return [watch for watch in watches if watch.enabled and watch.index in stop.changed]

    def _change(self, watch: Watchpoint) -> Changed:
        old, new = self._tracing().watched(watch.index, watch.length)
        return Changed(watch.number, watch.text, watch.show(old), watch.show(new))

    def _reached(self, points: Iterable[_Point], stop: TracePoint, step: int) -> list[_Point]:
        """Count the hits of points, log their messages, and return those that stop the run."""
        reached = []
        for point in points:
            if not self._is_condition_true(point):
                continue
            if point.add_hit(step) and point.log and self.on_log is not None:
                self._native.flush()  # pass on the output of earlier tokens before the message
                place = self.target.vm.sources.locate(stop.source)
                self.on_log(point.message(self._evaluated), place)
            if point.stops_at(step):
                reached.append(point)
        return reached

    def _evaluated(self, forth: str) -> str:
        """Return the output and the results of an expression in a log message, or its error."""
        try:
            results = self.sandbox.run(forth, in_run=True)
        except ForthVMError as error:
            return f"({error.short_message()})"
        printed = self.sandbox.printed.strip()
        return " ".join([*([printed] if printed else ()), *map(str, results)])

    @staticmethod
    def _fault_note(points: Iterable[StopPoint]) -> str:
        """Return a note for the user if the condition of a reached point failed."""
        faulty = [point for point in points if point.fault]
        return "; ".join(f"the condition `{p.condition}` failed: {p.fault}" for p in faulty)

    def _candidates(self, stop: TracePoint) -> list[Breakpoint]:
        if not stop.reasons & Reason.BREAK:
            return []
        generating = self.inspector.generating_piece()
        points = self.breakpoints.values()
        return [point for point in points if point.matches(stop, generating, self._text_line)]

    def _is_condition_true(self, point: StopPoint) -> bool:
        """Whether the condition of a point is true; a condition that fails counts as true."""
        point.fault = ""
        if not point.condition:
            return True
        try:
            results = self.sandbox.run(point.condition, in_run=True, compiled=True)
        except ForthVMError as error:
            point.fault = error.short_message()
            return True
        if not results:
            point.fault = "it leaves no flag"
            return True
        return results[-1] != 0

    def _run_of(self, stop: TracePoint) -> int:
        """Return the number of the host's run; 0 for a token of a text, which is its own run."""
        return self._runs_before + stop.runs if stop.ip else 0

    # --- going back --------------------------------------------------------------------

    def _add_hit(self, query: ReverseQuery, stop: TracePoint, step: int) -> None:
        """Add a hit to the query if its condition is true."""
        if query.until is not None:
            if stop.reasons & Reason.UNTIL and not self._is_passed(query, stop):
                hit = Hit(step, stop.calls)
                if query.lines:
                    hit = replace(
                        hit, line=(*self._code.line_span(stop.source), self._run_of(stop))
                    )
                query.hits.append(hit)
            return
        self._add_change(query, stop, step)
        reached = self._would_stop(self._candidates(stop), step)
        if reached:
            numbers = tuple(point.number for point in reached)
            query.hits.append(Hit(step, stop.calls, breakpoints=numbers))

    def _add_change(self, query: ReverseQuery, stop: TracePoint, step: int) -> None:
        """Add a hit for the previous token if it changed watched memory."""
        reached = self._would_stop(self._changed(stop), step)
        if step - 1 >= self.entry_step and reached:
            numbers = tuple(point.number for point in reached)
            query.hits.append(Hit(step - 1, stop.calls, breakpoints=numbers, changes_memory=True))

    def _would_stop(self, points: Iterable[_Point], step: int) -> list[_Point]:
        """Return the points that stop a run at a step, without counting hits."""
        return [p for p in points if p.stops_at(step) and self._is_condition_true(p)]

    def _finish(self, query: ReverseQuery) -> Goto | ReverseQuery:
        """Return the plan after a reverse query: go to its hit, or query a longer range."""
        hit = query.result()
        if hit is not None and hit.step >= self.entry_step:
            reason = "watch" if hit.changes_memory else "breakpoint" if hit.breakpoints else "step"
            note = "the next token makes the change" if hit.changes_memory else ""
            return Goto(hit.step, reason, hit.breakpoints, note)
        if hit is None and query.start > 1:
            return query.widened
        return Goto(self.entry_step, "start")

    # --- output ------------------------------------------------------------------------

    def _add_output(self, text: str) -> None:
        """Add output of the target; call `output` unless an earlier run printed the text."""
        self.printed += text
        if self.output is not None and len(self.printed) > self._output_length:
            self.output(self.printed[self._output_length :])
            self._output_length = len(self.printed)
