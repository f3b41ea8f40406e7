"""A client for tests of the debug adapter; all messages must be valid in the protocol's schema."""

from __future__ import annotations

import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from forthvm.editor.debug_adapter.messages import Connection
from forthvm.editor.debug_adapter.server import serve

from .schema import check_message

SECONDS = 60.0


class RequestFailedError(Exception):
    """The adapter answered with an error."""

    def __init__(self, response: dict[str, Any]) -> None:
        super().__init__(response["body"]["error"]["format"])
        self.code = response["message"]


class Client:
    """A connection to an adapter.

    Attributes:
        messages: All messages, sent and received, in order.
    """

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self.messages: list[dict[str, Any]] = []
        self._writer = writer
        self._received: queue.Queue[dict[str, Any] | BaseException | None] = queue.Queue()
        self._events: list[dict[str, Any]] = []
        self._responses: dict[int, dict[str, Any]] = {}
        self._sequence = 0
        self._thread = threading.Thread(target=self._read, args=(reader,), daemon=True)
        self._thread.start()

    def _read(self, reader: BinaryIO) -> None:
        number = 0
        try:
            while line := reader.readline():
                name, length = line.split(b": ")
                assert name == b"Content-Length"
                assert reader.readline() == b"\r\n"
                message = json.loads(reader.read(int(length)))
                check_message(message)
                number += 1
                assert message["seq"] == number
                self._received.put(message)
        except BaseException as error:
            self._received.put(error)
        self._received.put(None)

    def send_bytes(self, data: bytes) -> None:
        self._writer.write(data)
        self._writer.flush()

    def send(self, command: str, arguments: object = None, *, valid: bool = True) -> int:
        """Send a request; return its number."""
        self._sequence += 1
        message = {"seq": self._sequence, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        if valid:
            check_message(message)
        self.messages.append(message)
        data = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        return self._sequence

    def request(self, command: str, arguments: object = None, *, valid: bool = True) -> Any:  # noqa: ANN401 - JSON
        """Send a request; return the body of its response."""
        return self.response(self.send(command, arguments, valid=valid))

    def response(self, number: int) -> Any:  # noqa: ANN401 - JSON
        """Wait for the response to a request; return its body."""
        while number not in self._responses:
            self._receive()
        response = self._responses.pop(number)
        if not response["success"]:
            raise RequestFailedError(response)
        return response.get("body")

    def event(self, name: str) -> Any:  # noqa: ANN401 - JSON
        """Return the body of the next event with a name; earlier events are kept."""
        return self.any_event(name)

    def any_event(self, *names: str) -> Any:  # noqa: ANN401 - JSON
        """Return the body of the next event with one of several names."""
        while True:
            for message in self._events:
                if message["event"] in names:
                    self._events.remove(message)
                    return message.get("body")
            self._receive()

    def stopped(self) -> Any:  # noqa: ANN401 - JSON
        return self.event("stopped")

    def output(self) -> str:
        """Return the received output since the last call."""
        texts = [m["body"]["output"] for m in self._events if m["event"] == "output"]
        self._events = [m for m in self._events if m["event"] != "output"]
        return "".join(texts)

    def _receive(self) -> None:
        message = self._received.get(timeout=SECONDS)
        if message is None:
            raise EOFError("the adapter closed the connection")
        if isinstance(message, BaseException):
            raise message
        self.messages.append(message)
        if message["type"] == "event":
            self._events.append(message)
        else:
            self._responses[message["request_seq"]] = message

    # --- frequent requests ----------------------------------------------------------------

    def launch(self, program: str | Path | None = None, **arguments: object) -> None:
        """Initialize and launch, up to the event `initialized`."""
        self.request("initialize", {"adapterID": "forthvm"})
        if program is not None:
            arguments["program"] = str(program)
        self.request("launch", arguments)
        self.event("initialized")

    def break_at(self, path: Path, *lines: int) -> list[dict[str, Any]]:
        wanted = [{"line": line} for line in lines]
        body = self.request(
            "setBreakpoints", {"source": {"path": str(path)}, "breakpoints": wanted}
        )
        found: list[dict[str, Any]] = body["breakpoints"]
        return found

    def frames(self) -> list[dict[str, Any]]:
        body = self.request("stackTrace", {"threadId": 1})
        frames: list[dict[str, Any]] = body["stackFrames"]
        return frames

    def scope(self, name: str, frame: int = 1) -> dict[str, str]:
        """Return the values of a scope of a frame by name; frame 1 is the innermost one."""
        scopes = self.request("scopes", {"frameId": frame})["scopes"]
        reference = next(s["variablesReference"] for s in scopes if s["name"] == name)
        return self.variables(reference)

    def variables(self, reference: int) -> dict[str, str]:
        body = self.request("variables", {"variablesReference": reference})
        return {variable["name"]: variable["value"] for variable in body["variables"]}


@contextmanager
def connected() -> Iterator[Client]:
    """Serve a client in a thread of this process; check that no thread is left."""
    before = set(threading.enumerate())
    ours, theirs = socket.socketpair()

    def run() -> None:
        with theirs, theirs.makefile("rb") as reader, theirs.makefile("wb") as writer:
            serve(Connection(reader, writer))

    server = threading.Thread(target=run)
    server.start()
    with ours, ours.makefile("rb") as reader, ours.makefile("wb") as writer:
        client = Client(reader, writer)
        try:
            yield client
        finally:
            ours.shutdown(socket.SHUT_WR)
            server.join(SECONDS)
            client._thread.join(SECONDS)
    left = [thread.name for thread in set(threading.enumerate()) - before]
    assert not left
