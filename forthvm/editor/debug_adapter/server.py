"""The server loop: reads requests in one thread, executes them in order in another.

Owns both threads, the answers to failing and unknown requests, and cancellation.
"""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError

from .adapter import Adapter
from .arguments import Arguments, RequestError
from .messages import MOST_BYTES, MalformedMessageError, WrongHeaderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .messages import Connection, Json
    from .token_check import TokenCheck

__all__ = ["serve"]

_LONG = ("launch", "restart", "evaluate")
"""Commands of requests that are cancelled when the program or the connection ends."""

_OUTPUT_SECONDS = 0.25
"""How often the output of a running program is shown."""


def serve(connection: Connection, token_check: TokenCheck | None = None) -> None:
    """Serve one client until it disconnects; all threads have ended when this returns.

    Args:
        connection: The connection to the client.
        token_check: Refuses a client that does not know the token; None admits the client.
    """
    _Server(connection, token_check).serve()


class _Server:
    def __init__(self, connection: Connection, token_check: TokenCheck | None) -> None:
        self._connection = connection
        self._token_check = token_check  # None after the client has been admitted
        self._jobs: SimpleQueue[Json | Callable[[], None] | None] = SimpleQueue()
        self._adapter = Adapter(connection, self._jobs.put)
        self._lock = threading.Lock()  # of the three attributes below
        self._waiting: dict[int, str] = {}  # the commands of requests that have no response yet
        self._cancelled: set[int] = set()  # those of them that were cancelled
        self._current: int | None = None  # the one that is in execution

    def serve(self) -> None:
        """Read requests until the client disconnects, and execute them."""
        executor = threading.Thread(target=self._execute_jobs, name="forthvm-dap", daemon=True)
        executor.start()
        try:
            self._read_requests()
        finally:
            with self._lock:
                self._cancel_long()
            self._jobs.put(None)
            executor.join()

    def _read_requests(self) -> None:
        """Queue requests until the client disconnects, or is refused."""
        while (message := self._read()) is not None:
            if message["type"] != "request":
                continue
            if not self._is_admitted(message):
                return
            command = message["command"]
            if command == "cancel":
                self._cancel(message)
                continue
            with self._lock:
                if command in ("terminate", "restart", "disconnect"):
                    self._cancel_long()
                self._waiting[message["seq"]] = command
            self._jobs.put(message)
            if command == "disconnect":
                return

    def _read(self) -> Json | None:
        """Return the next message; None if the client has left, or sends something else."""
        most = MOST_BYTES if self._token_check is None else self._token_check.most_bytes
        while True:
            try:
                message = self._connection.read(most)
                if message is not None:
                    _check_message(message)
                return message
            except MalformedMessageError as error:
                self._tell(f"a malformed message was ignored: {error}")
            except WrongHeaderError as error:
                self._tell(f"the connection ends: {error}")
                return None

    def _tell(self, text: str) -> None:
        body = {"category": "console", "output": f"forthvm dap: {text}\n"}
        self._connection.event("output", body)

    def _is_admitted(self, request: Json) -> bool:
        """Return whether a request may be executed; if not, send the client an error."""
        if self._token_check is not None:
            try:
                if self._token_check.admits(request):
                    self._token_check = None
            except RequestError as error:
                self._connection.respond_error(request, str(error))
                return False
        return True

    def _cancel(self, message: Json) -> None:
        """Cancel a request: it fails if it waits, and is interrupted if it is in execution."""
        arguments = message.get("arguments")
        number = arguments.get("requestId") if isinstance(arguments, dict) else None
        with self._lock:
            if isinstance(number, int) and number in self._waiting:
                self._cancel_one(number)
        self._connection.respond(message)

    def _cancel_long(self) -> None:
        """Cancel the requests that may take long; the caller holds the lock."""
        for number, command in self._waiting.items():
            if command in _LONG:
                self._cancel_one(number)

    def _cancel_one(self, number: int) -> None:
        self._cancelled.add(number)
        if number == self._current:
            self._adapter.interrupt()

    # --- the executing thread --------------------------------------------------------------

    def _execute_jobs(self) -> None:
        try:
            while (job := self._next_job()) is not None:
                if callable(job):
                    job()
                else:
                    self._execute(job)
        finally:
            self._adapter.close()

    def _next_job(self) -> Json | Callable[[], None] | None:
        while True:
            try:
                return self._jobs.get(timeout=_OUTPUT_SECONDS if self._adapter.running else None)
            except Empty:
                self._adapter.show_output()

    def _execute(self, request: Json) -> None:
        number = request["seq"]
        with self._lock:
            self._current = number
            self._adapter.clear_interrupt()
        try:
            if self._is_cancelled(number):  # before its execution
                raise RequestError("the request was cancelled", "cancelled")
            body = self._adapter.execute(request["command"], Arguments(request.get("arguments")))
            self._connection.respond(request, body)
        except RequestError as error:
            self._connection.respond_error(request, str(error), message=error.code)
        except ForthVMError as error:
            code = "cancelled" if self._is_cancelled(number) else ""
            self._connection.respond_error(request, error.short_message(), message=code)
        except Exception as error:  # a defect must not end the session of the user
            text = f"internal error: {type(error).__name__}: {error}"
            self._connection.respond_error(request, text)
        else:
            self._adapter.continue_after()
        finally:
            with self._lock:
                self._current = None
                self._waiting.pop(number, None)
                self._cancelled.discard(number)

    def _is_cancelled(self, number: int) -> bool:
        with self._lock:
            return number in self._cancelled


def _check_message(message: Json) -> None:
    """Raise MalformedMessageError unless a message is a request, response or event."""
    kind = message.get("type")
    if kind == "request":
        number = message.get("seq")
        if type(number) is not int:
            raise MalformedMessageError("a request without number `seq`")
        if not isinstance(message.get("command"), str):
            raise MalformedMessageError("a request without `command`")
    elif kind not in ("response", "event"):
        raise MalformedMessageError(f"unknown type {kind!r}"[:80])
