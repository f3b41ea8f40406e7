"""Messages of the Debug Adapter Protocol: their frames, and sending them in order.

Owns the streams, the framing by Content-Length, and sequence numbers.

A header block has one line, Content-Length.  Anything else ends the connection: browsers send
requests of HTTP to any port that a web page names, and the body of such a request, which the page
chooses, must not be read as a message.
"""

from __future__ import annotations

import json
import re
import threading
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["MOST_BYTES", "Connection", "Json", "MalformedMessageError", "WrongHeaderError"]

Json: TypeAlias = dict[str, Any]

MOST_BYTES = 64 << 20
"""The greatest length of a message."""
_LONGEST_HEADER = 100
_CONTENT_LENGTH = re.compile(rb"Content-Length: *([0-9]{1,9}) *\r?\n", re.IGNORECASE)


class MalformedMessageError(ValueError):
    """A message that is no protocol message; the following messages can be read."""


class WrongHeaderError(ValueError):
    """Bytes that are not the header of a message; nothing after them can be read."""


class Connection:
    """The connection to one client.  Any thread may send; one thread reads.

    Attributes:
        closed: Whether the client no longer reads.
    """

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self.closed = False
        self._reader = reader
        self._writer = writer
        self._sequence = 0
        self._lock = threading.Lock()

    def read(self, most_bytes: int = MOST_BYTES) -> Json | None:
        """Read the next message; None at the end of the stream.

        Args:
            most_bytes: The greatest allowed length of the message.

        Raises:
            MalformedMessageError: The bytes after the header are no message.
            WrongHeaderError: The bytes are no header, or the message is too long.
        """
        line = self._reader.readline(_LONGEST_HEADER)
        if not line:
            return None
        header = _CONTENT_LENGTH.fullmatch(line)
        if header is None or self._reader.readline(_LONGEST_HEADER) not in (b"\r\n", b"\n"):
            raise WrongHeaderError("a message begins with `Content-Length: N` and an empty line")
        length = int(header[1])
        if length > most_bytes:
            raise WrongHeaderError(f"a message may have {most_bytes} bytes, not {length}")
        body = self._reader.read(length)
        if len(body) < length:
            return None
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise MalformedMessageError(f"not JSON: {error}") from error
        if not isinstance(message, dict):
            raise MalformedMessageError("not a JSON object")
        return message

    def respond(self, request: Json, body: Json | None = None) -> None:
        """Send the response to a request."""
        self._send(_response(request, success=True) | ({} if body is None else {"body": body}))

    def respond_error(self, request: Json, text: str, *, message: str = "") -> None:
        """Send the response to a request that failed.

        Args:
            request: The request.
            text: The error, for the user.
            message: The code of the error in the protocol, such as `cancelled`.
        """
        self._send(
            _response(request, success=False)
            | {"message": message or text, "body": {"error": {"id": 1, "format": text}}}
        )

    def event(self, name: str, body: Json | None = None) -> None:
        """Send an event."""
        self._send({"type": "event", "event": name} | ({} if body is None else {"body": body}))

    def _send(self, message: Json) -> None:
        with self._lock:
            if self.closed:
                return
            data = json.dumps({"seq": self._sequence + 1, **message}).encode()
            self._sequence += 1
            try:
                self._writer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
                self._writer.flush()
            except (OSError, ValueError):  # ValueError: the stream was closed
                self.closed = True


def _response(request: Json, *, success: bool) -> Json:
    return {
        "type": "response",
        "request_seq": request["seq"],
        "command": request["command"],
        "success": success,
    }
