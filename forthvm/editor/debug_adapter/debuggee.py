"""The debugged program: its session, and running it without blocking the adapter.

Owns the thread that waits for a stop, and interrupting what takes too long.  Of the protocol it
uses only the errors of requests that need a stopped program.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.debug import Cancellation, Session

from .arguments import RequestError
from .script_variables import ScriptVariables

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.debug import State, Target

__all__ = ["Debuggee"]


class Debuggee:
    """The session of the debugger, and whether its target runs.

    All methods except `interrupt` and `clear_interrupt` belong to one thread, which executes
    requests.

    Args:
        call_later: Passes a function to the thread that executes requests.
        stopped: Is called in this thread with the state in which a run stopped, or its error.
        output: Is called with the output of the target, in any thread.
    """

    def __init__(
        self,
        call_later: Callable[[Callable[[], None]], None],
        stopped: Callable[[State | BaseException], None],
        output: Callable[[str], object],
    ) -> None:
        self.running = False
        self.call_later = call_later
        self._session: Session | None = None
        self._variables: ScriptVariables | None = None
        self._stopped = stopped
        self._output = output
        self._thread: threading.Thread | None = None
        self._evaluating = False
        self._interrupted = False  # whether the current request was interrupted
        self._loading: Cancellation | None = None  # of the target that is being made
        self._lock = threading.Lock()  # of the three attributes above

    # --- the session -----------------------------------------------------------------------

    @property
    def launched(self) -> bool:
        """Whether there is a session."""
        return self._session is not None

    @property
    def session(self) -> Session:
        """The session; its target may be running.

        Raises:
            RequestError: No program was launched.
        """
        if self._session is None:
            raise RequestError("no program has been launched, or it has ended")
        return self._session

    @property
    def stopped_session(self) -> Session:
        """The session, whose target is stopped.

        Raises:
            RequestError: No program was launched, or it is running.
        """
        session = self.session
        if self.running:
            raise RequestError("the program is running: pause it first", "notStopped")
        return session

    def check_stopped(self) -> None:
        """Raise RequestError unless a program was launched and is stopped."""
        _ = self.stopped_session

    @property
    def variables(self) -> ScriptVariables:
        """The variables of the script."""
        self.check_stopped()
        assert self._variables is not None
        return self._variables

    def open(self, make_target: Callable[[], Target], *, library: bool) -> Session:
        """Make a target and begin its session; it stops before its first token.

        The session before it is closed, unless the new program fails.

        Raises:
            ForthVMError: The program fails, or `interrupt` was called.
        """
        loading = Cancellation()
        with self._lock:
            self._loading = loading
            if self._interrupted:
                loading.cancel()
        try:
            with loading:
                target = make_target()
        finally:
            with self._lock:
                self._loading = None
        self.close()
        self._session = Session(target, output=self._output, library=library, record=False)
        self._variables = ScriptVariables(self._session)
        return self._session

    def close(self) -> None:
        """End the session, if there is one, and the thread that waits for its stop."""
        session, self._session = self._session, None
        if session is not None:
            if self.running:
                session.request_pause()  # wakes the thread
            if self._thread is not None:
                self._thread.join()
                self._thread = None
            session.close()
        self.running = False

    # --- running ---------------------------------------------------------------------------

    def run(self, action: Callable[[Session], State]) -> None:
        """Run the target in another thread until it stops."""
        session = self.stopped_session
        if self._thread is not None:
            self._thread.join()
        self.running = True
        session.target.vm.restart_output()  # the limit of output applies to each run

        def work() -> None:
            outcome: State | BaseException
            try:
                outcome = action(session)
            except BaseException as error:
                outcome = error
            self.call_later(lambda: self._ended(session, outcome))

        self._thread = threading.Thread(target=work, name="forthvm-dap-run", daemon=True)
        self._thread.start()

    def _ended(self, session: Session, outcome: State | BaseException) -> None:
        if session is not self._session:
            return  # the session was closed during the run
        self.running = False
        self._stopped(outcome)

    def flush_output(self) -> None:
        """Pass on the output that the VM has collected."""
        with suppress(ForthVMError):  # the session was closed
            self.session.call(self.session.target.vm.native.flush)

    def pause(self) -> None:
        """Request that the run stops at its next token."""
        if self.running:
            self.session.request_pause()

    def evaluate(self, text: str) -> tuple[tuple[int, ...], str]:
        """Run Forth in the program without side effects; `interrupt` may end it.

        Raises:
            RequestError: There is no program, or `interrupt` was called before.
            ForthVMError: The text fails.
        """
        session = self.session
        with self._lock:
            self._evaluating = not self._interrupted
        if not self._evaluating:
            raise RequestError("the request was cancelled", "cancelled")
        try:
            return session.evaluate(text)
        finally:
            with self._lock:
                self._evaluating = False
            if self._is_interrupted():  # perhaps too late
                session.call(session.target.vm.native.clear_interrupt)

    def _is_interrupted(self) -> bool:
        return self._interrupted

    def interrupt(self) -> None:
        """Interrupt loading, or an evaluation, of the current request; for any thread."""
        with self._lock:
            self._interrupted = True
            if self._loading is not None:
                self._loading.cancel()
            if self._evaluating and self._session is not None:
                self._session.target.vm.interrupt()

    def clear_interrupt(self) -> None:
        """Begin a request that has not been interrupted; any thread may call this method."""
        with self._lock:
            self._interrupted = False
