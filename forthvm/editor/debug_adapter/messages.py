"""Messages of the Debug Adapter Protocol: their frames, and sending them in order.

Owns the streams, the framing by Content-Length, and sequence numbers.  It must not know what
requests mean.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["Connection", "Json", "MalformedMessageError"]

Json: TypeAlias = dict[str, Any]

_MAX_HEADER_BYTES = 4096
_MAX_BODY_BYTES = 64 << 20


class MalformedMessageError(ValueError):
    """A message that is no protocol message; the following messages can be read."""


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

    def read(self) -> Json | None:
        """Read the next message; None at the end of the stream.

        Raises:
            MalformedMessageError: The bytes are no message.
        """
        length = self._read_header()
        if length is None:
            return None
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

    def _read_header(self) -> int | None:
        """Return the length of the next message; None at the end.  Other header lines are skipped.

        Raises:
            MalformedMessageError: The length is not a valid number.
        """
        length: int | None = None
        while line := self._reader.readline(_MAX_HEADER_BYTES):
            if not line.strip():
                if length is not None:
                    return length
                continue
            name, _, value = line.partition(b":")
            if name.strip().lower() != b"content-length":
                continue
            digits = value.strip()
            if not digits.isdigit() or len(digits) > len(str(_MAX_BODY_BYTES)):
                raise MalformedMessageError("Content-Length is not a valid number")
            length = int(digits)
            if length > _MAX_BODY_BYTES:
                raise MalformedMessageError(f"Content-Length is above {_MAX_BODY_BYTES}")
        return None

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
