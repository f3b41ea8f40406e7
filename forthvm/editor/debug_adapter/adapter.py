"""The life of the debugged program, from `initialize` to `disconnect`: launching, running, stops.

Owns the table of requests, the events of stops and output, and the message with the current board,
which is an addition to the protocol.  Other files own the requests for breakpoints, values and
evaluation.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.errors.report import format_error
from forthvm.core.text.visible import visible
from forthvm.render.draw_svg import board_svg
from forthvm.render.draw_text import TextStyle, board_text
from forthvm.render.symbols import game_symbols

from .arguments import RequestError
from .breakpoints import ERRORS, Breakpoints
from .client_format import ClientFormat
from .debuggee import Debuggee
from .evaluation import Evaluation
from .inspection import Inspection
from .launching import Launch, make_target
from .sources import Sources

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.location import Location
    from forthvm.debug import Session, State
    from forthvm.editor.debug_adapter.messages import Connection, Json

    from .arguments import Arguments

__all__ = ["BOARD", "Adapter", "ProgramOutput", "board_message"]

_THREAD = 1  # the number of the only thread

_CAPABILITIES: Json = {
    f"supports{name}": True
    for name in (
        "BreakpointLocationsRequest",
        "CancelRequest",
        "CompletionsRequest",
        "ConditionalBreakpoints",
        "ConfigurationDoneRequest",
        "DataBreakpoints",
        "DelayedStackTraceLoading",
        "EvaluateForHovers",
        "ExceptionInfoRequest",
        "FunctionBreakpoints",
        "HitConditionalBreakpoints",
        "LoadedSourcesRequest",
        "LogPoints",
        "ReadMemoryRequest",
        "RestartRequest",
        "StepBack",
        "SteppingGranularity",
        "TerminateRequest",
        "ValueFormattingOptions",
    )
} | {
    "exceptionBreakpointFilters": [
        {"filter": ERRORS, "label": "Errors", "default": True},
    ]
}

_STOPS = {
    "entry": ("entry", "the beginning"),
    "step": ("step", ""),
    "breakpoint": ("breakpoint", ""),
    "watch": ("data breakpoint", ""),
    "failure": ("exception", ""),
    "pause": ("pause", ""),
    "start": ("step", "back at the beginning"),
    "end": ("step", "the end of the run"),
}
"""For each reason of a stop, the reason in the protocol and a text for the user."""


class Adapter:
    """Executes requests.  All methods except `interrupt` belong to one thread.

    Args:
        connection: The connection to the client.
        call_later: Passes a function to the thread that executes requests.
    """

    def __init__(
        self, connection: Connection, call_later: Callable[[Callable[[], None]], None]
    ) -> None:
        self._connection = connection
        self._format = ClientFormat()
        self._output = ProgramOutput(connection)
        self._debuggee = Debuggee(call_later, self._stopped, self._output.write)
        self._sources = Sources(self._debuggee, self._format)
        self._inspection = Inspection(self._debuggee, self._sources)
        self._breakpoints = Breakpoints(
            connection, self._debuggee, self._sources, self._inspection, self._format
        )
        self._launch: Launch | None = None
        self._begun = False  # whether the program was started after it was launched
        self._board: Json | None = None  # the last board that was sent
        self._error_was_shown = False  # whether the last stop was at an error
        self._after: list[Callable[[], None]] = []  # to call after the response
        self._handlers: dict[str, Callable[[Arguments], Json | None]] = {
            "initialize": self._initialize,
            "launch": self._launch_program,
            "configurationDone": self._configuration_done,
            "restart": self._restart,
            "terminate": self._terminate,
            "disconnect": self._disconnect,
            "threads": self._threads,
            "continue": lambda _: self._run(lambda session: session.continue_()),
            "reverseContinue": lambda _: self._run(lambda session: session.reverse_continue()),
            "next": self._next,
            "stepIn": self._step_in,
            "stepOut": lambda _: self._run(lambda session: session.out()),
            "stepBack": self._step_back,
            "pause": lambda _: self._debuggee.pause(),
            BOARD: self._current_board,
            **self._breakpoints.handlers,
            **self._inspection.handlers,
            **Evaluation(self._debuggee, self._inspection, self._format).handlers,
        }

    def execute(self, command: str, arguments: Arguments) -> Json | None:
        """Execute a request, and return the body of its response.

        Raises:
            RequestError: The request is unknown, or cannot be executed now.
            ForthVMError: It fails.
        """
        self._after.clear()
        handler = self._handlers.get(command)
        if handler is None:
            raise RequestError(f"the debugger of forthvm has no request `{command}`"[:200])
        return handler(arguments)

    def continue_after(self) -> None:
        """Do what follows the response of the last request, such as running the program."""
        actions = self._after[:]
        self._after.clear()
        for action in actions:
            action()

    @property
    def running(self) -> bool:
        """Whether the program is running."""
        return self._debuggee.running

    def show_output(self) -> None:
        """Show what the running program has printed so far."""
        self._debuggee.flush_output()
        self._output.flush()

    def interrupt(self) -> None:
        """Interrupt a request in execution; any thread may call this method."""
        self._debuggee.interrupt()

    def clear_interrupt(self) -> None:
        """Forget interrupts of earlier requests; any thread may call this method."""
        self._debuggee.clear_interrupt()

    def close(self) -> None:
        """End the program."""
        self._debuggee.close()

    # --- the life of the program -----------------------------------------------------------

    def _initialize(self, arguments: Arguments) -> Json:
        self._format.read(arguments)
        return _CAPABILITIES

    def _launch_program(self, arguments: Arguments) -> None:
        if self._launch is not None:
            raise RequestError("a program has been launched already")
        self._open(Launch.read(arguments))
        self._after.append(lambda: self._connection.event("initialized"))

    def _restart(self, arguments: Arguments) -> None:
        """Load the program again, and run it; the request may contain new arguments of `launch`."""
        changed = arguments.object("arguments")
        launch = Launch.read(changed) if changed.values else self._launch
        if launch is None:
            raise RequestError("no program has been launched")
        self._open(launch)
        self._begin()

    def _open(self, launch: Launch) -> None:
        try:
            session = self._debuggee.open(
                lambda: make_target(launch, self._output.write), library=launch.library
            )
        except ForthVMError as error:
            self._output.flush()
            self._print_error(error)
            raise
        self._output.flush()
        self._inspection.forget()
        self._board = None
        self._error_was_shown = False
        self._launch = launch
        session.on_log = lambda text, place: self._print(f"{text}\n", "console", place)
        self._breakpoints.apply(session)

    def _configuration_done(self, _arguments: Arguments) -> None:
        self._debuggee.check_stopped()
        if not self._begun:  # a client may send the request again
            self._begin()

    def _begin(self) -> None:
        """Run the program after the response, or stop at its beginning."""
        assert self._launch is not None
        self._begun = True
        session = self._debuggee.stopped_session
        if session.state.ended:  # it failed before its first token
            self._after.append(lambda: self._stopped(session.state))
        elif not self._launch.stop_on_entry:
            self._run(lambda session: session.begin())
        elif session.state.location is not None and not session.target.interprets:
            # The host is about to run a word of the script: stop inside the word.
            self._run(lambda session: replace(session.enter(), reason="entry"))
        else:
            self._after.append(lambda: self._stopped(session.state))

    def _terminate(self, _arguments: Arguments) -> None:
        if self._debuggee.launched:  # otherwise the client knows that the program has ended
            self._debuggee.close()
            self._after.append(lambda: self._connection.event("terminated"))

    def _disconnect(self, _arguments: Arguments) -> None:
        self._debuggee.close()

    def _threads(self, _arguments: Arguments) -> Json:
        name = self._debuggee.session.target.label if self._debuggee.launched else "forthvm"
        return {"threads": [{"id": _THREAD, "name": name}]}

    # --- running ---------------------------------------------------------------------------

    def _run(self, action: Callable[[Session], State]) -> Json:
        """Run the program after the response."""
        self._debuggee.check_stopped()
        self._inspection.forget()
        self._after.append(lambda: self._debuggee.run(action))
        return {}

    def _next(self, arguments: Arguments) -> Json:
        unit = self._unit(arguments)
        return self._run(lambda session: session.over(unit=unit))

    def _step_in(self, arguments: Arguments) -> Json:
        unit = self._unit(arguments)
        return self._run(lambda session: session.step(unit=unit))

    def _step_back(self, arguments: Arguments) -> Json:
        unit = self._unit(arguments)
        return self._run(lambda session: session.back(unit=unit, over=True))

    def _unit(self, arguments: Arguments) -> str:
        """Return the unit of a step."""
        granularity = arguments.text("granularity", "")
        if granularity == "line":
            return "line"
        if granularity == "instruction":
            return "token"
        return self._launch.unit if self._launch is not None else "token"

    def _stopped(self, outcome: State | BaseException) -> None:
        """Report a stop, or the end of the program."""
        self._output.flush()
        if isinstance(outcome, BaseException):
            text = outcome.short_message() if isinstance(outcome, ForthVMError) else repr(outcome)
            self._print(f"the debugger failed: {text}\n", "stderr")
            self._end(failed=True)
        elif outcome.ended and self._ends_at(outcome):
            self._end(failed=outcome.error is not None)
        else:
            self._report_stop(outcome)

    def _ends_at(self, state: State) -> bool:
        """Print the result of a run that has ended; return whether the program ends there."""
        stops = self._launch is not None and self._launch.stop_at_end
        if state.note:  # the run had ended already
            return True
        if state.error is not None:
            self._print_error(state.error)
            return not (stops or (self._breakpoints.stop_on_error and not self._error_was_shown))
        if state.result not in (None, ()):
            items = state.result if isinstance(state.result, tuple) else (state.result,)
            self._print(f"result: {', '.join(map(str, items))}\n", "console")
        return not stops

    def _report_stop(self, state: State) -> None:
        reason, description = _STOPS[state.reason]
        self._error_was_shown = state.error is not None
        points = [*state.breakpoints, *(change.number for change in state.changes)]
        numbers, kind = self._breakpoints.reached(points)
        if kind == "function":
            reason = "function breakpoint"
        if state.error is not None:
            reason, description = "exception", ""
        texts = [f"{change.name}: {change.old} → {change.new}" for change in state.changes]
        if state.error is not None:
            texts.append(state.error.short_message())
        if state.note:
            texts.append(state.note)
        body: Json = {"reason": reason, "threadId": _THREAD, "allThreadsStopped": True}
        if numbers:
            body["hitBreakpointIds"] = numbers
        if description:
            body["description"] = description
        if texts:
            body["text"] = "; ".join(texts)
        self._connection.event("stopped", body)
        board = board_message(self._debuggee.session)
        if board is not None and board != self._board:
            self._board = board
            self._connection.event(BOARD, board)

    def _end(self, *, failed: bool) -> None:
        self._debuggee.close()
        self._connection.event("exited", {"exitCode": int(failed)})
        self._connection.event("terminated")

    def _current_board(self, _arguments: Arguments) -> Json:
        board = board_message(self._debuggee.stopped_session)
        if board is None:
            raise RequestError("there is no board: no game has begun")
        return board

    def _print(self, text: str, category: str, place: Location | None = None) -> None:
        """Print a text after the output of the program; the thread of the VM calls this, too."""
        self._output.flush()
        body: Json = {"category": category, "output": text}
        if place is not None and self._debuggee.launched:
            body |= self._sources.place(place)
        self._connection.event("output", body)

    def _print_error(self, error: ForthVMError) -> None:
        self._print(f"{format_error(error)}\n", "stderr", error.location)


BOARD = "forthvm/board"
"""The name of the request and of the event."""


def board_message(session: Session) -> Json | None:
    """Return the picture, the text and the title of the current board; None without a board."""
    scene = session.board()
    game = session.target.game
    if scene is None or game is None:
        return None
    generation = session.state.generation_state
    facts = [game.name]
    if generation is not None and generation.player:
        facts.append(f"moves of {generation.player}")
    if generation is not None and generation.piece:
        facts.append(generation.piece)
        facts += [f"at {generation.origin}"] * bool(generation.origin)
    title = visible(" ".join([f"{facts[0]}:", *facts[1:]]) if facts[1:] else facts[0])
    return {
        "svg": board_svg(scene, game_symbols(game), title=title),
        "text": board_text(scene, TextStyle()),
        "title": title,
    }


_MAX_COLLECTED = 4096  # characters


class ProgramOutput:
    """Sends the output of the program in whole lines; any thread may write."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._parts: list[str] = []
        self._length = 0
        self._lock = threading.Lock()

    def write(self, text: str) -> None:
        """Add output; it is sent at the end of a line, or if there is much."""
        with self._lock:
            self._parts.append(text)
            self._length += len(text)
            if text.endswith("\n") or self._length > _MAX_COLLECTED:
                self._send()

    def flush(self) -> None:
        """Send what was collected."""
        with self._lock:
            self._send()

    def _send(self) -> None:
        text = "".join(self._parts)
        self._parts.clear()
        self._length = 0
        if text:
            self._connection.event("output", {"category": "stdout", "output": text})
