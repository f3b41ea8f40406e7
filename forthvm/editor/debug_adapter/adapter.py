"""The requests of the protocol, and the events of a debugged program.

Owns the lifetime of the program, from `initialize` to `disconnect`, and its stops.  The requests
that inspect a stopped program are in inspection.py, those for breakpoints in breakpoints.py.  It
must not know streams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

from .arguments import RequestError
from .breakpoints import Breakpoints
from .debuggee import Debuggee
from .inspection import Inspection
from .launching import Launch, make_target
from .sources import Sources

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.debug import Session, State

    from .arguments import Arguments
    from .messages import Connection, Json

__all__ = ["THREAD", "Adapter"]

THREAD = 1
"""The number of the only thread: a VM has one."""

_CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsTerminateRequest": True,
    "supportsCancelRequest": True,
}

_STOP_REASONS = {
    "entry": ("entry", "The beginning"),
    "step": ("step", ""),
    "breakpoint": ("breakpoint", ""),
    "watch": ("data breakpoint", ""),
    "failure": ("exception", ""),
    "pause": ("pause", ""),
    "start": ("step", "Back at the beginning"),
    "end": ("step", "The end of the run"),
}
"""The reasons of stops in the protocol, with texts for the user."""


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
        self._debuggee = Debuggee(call_later, self._stopped, self._output)
        self._breakpoints = Breakpoints(self._debuggee)
        self._inspection = Inspection(self._debuggee)
        self._launch: Launch | None = None
        self._handlers: dict[str, Callable[[Arguments], Json | None]] = {
            "initialize": self._initialize,
            "launch": self._launch_program,
            "configurationDone": lambda _: None,
            "disconnect": self._disconnect,
            "terminate": self._terminate,
            "threads": lambda _: {"threads": [{"id": THREAD, "name": "forthvm"}]},
            "continue": self._continue,
            "pause": self._pause,
            **self._breakpoints.handlers,
            **self._inspection.handlers,
        }
        self._after: list[Callable[[], None]] = []  # to call after the response

    def execute(self, command: str, arguments: Arguments) -> Json | None:
        """Execute a request, and return the body of its response.

        Raises:
            RequestError: The request is unknown, or cannot be executed now.
            ForthVMError: It fails.
        """
        self._after = []
        handler = self._handlers.get(command)
        if handler is None:
            raise RequestError(f"the debugger of forthvm has no request `{command}`"[:200])
        return handler(arguments)

    def continue_after(self) -> None:
        """Do what follows the response of the last request, such as running the program."""
        actions, self._after = self._after, []
        for action in actions:
            action()

    def interrupt(self) -> None:
        """Interrupt a request in execution; any thread may call this method."""
        self._debuggee.interrupt()

    def close(self) -> None:
        """End the program."""
        self._debuggee.close()

    # --- lifetime --------------------------------------------------------------------------

    def _initialize(self, _arguments: Arguments) -> Json:
        return dict(_CAPABILITIES)

    def _launch_program(self, arguments: Arguments) -> None:
        launch = Launch.read(arguments)
        target = make_target(launch, self._output)
        session = self._debuggee.open(target, library=launch.library)
        sources = Sources(session.code, session.target.vm.sources.texts)
        self._breakpoints.sources = self._inspection.sources = sources
        self._launch = launch
        self._handlers["configurationDone"] = self._configuration_done
        self._after.append(lambda: self._connection.event("initialized"))

    def _configuration_done(self, _arguments: Arguments) -> None:
        assert self._launch is not None
        session = self._debuggee.stopped_session
        if self._launch.stop_on_entry:
            self._after.append(lambda: self._stopped(session.state))
        else:
            self._run(lambda session: session.continue_())

    def _terminate(self, _arguments: Arguments) -> None:
        self._debuggee.close()
        self._after.append(lambda: self._connection.event("terminated"))

    def _disconnect(self, _arguments: Arguments) -> None:
        self._debuggee.close()

    # --- running ---------------------------------------------------------------------------

    def _run(self, action: Callable[[Session], State]) -> None:
        """Run the program after the response."""
        self._debuggee.check_stopped()
        self._inspection.forget()
        self._after.append(lambda: self._debuggee.run(action))

    def _continue(self, _arguments: Arguments) -> Json:
        self._run(lambda session: session.continue_())
        return {"allThreadsContinued": True}

    def _pause(self, _arguments: Arguments) -> None:
        self._debuggee.pause()

    def _stopped(self, outcome: State | BaseException) -> None:
        """Report a stop, or the end of the program."""
        if isinstance(outcome, BaseException):
            text = outcome.short_message() if isinstance(outcome, ForthVMError) else repr(outcome)
            self._print(f"The debugger failed: {text}\n", "stderr")
            self._end()
            return
        at_end = self._launch is not None and self._launch.stop_at_end
        if outcome.ended and not at_end:
            if outcome.error is not None:
                self._print(f"{outcome.error.short_message()}\n", "stderr")
            elif outcome.result is not None:
                self._print(f"result: {outcome.result}\n", "console")
            self._end()
            return
        reason, text = _STOP_REASONS[outcome.reason]
        body: Json = {"reason": reason, "threadId": THREAD, "allThreadsStopped": True}
        numbers = [self._breakpoints.id_of(number) for number in outcome.breakpoints]
        if numbers:
            body["hitBreakpointIds"] = numbers
        if text:
            body["description"] = text
        self._connection.event("stopped", body)

    def _end(self) -> None:
        self._debuggee.close()
        self._connection.event("exited", {"exitCode": 0})
        self._connection.event("terminated")

    # --- output ----------------------------------------------------------------------------

    def _output(self, text: str) -> None:
        self._print(text, "stdout")

    def _print(self, text: str, category: str) -> None:
        self._connection.event("output", {"category": category, "output": text})
