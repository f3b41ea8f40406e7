"""The browser windows that show a table, and the messages to them.

Owns the open WebSockets and their queues.  A newer message of some kinds makes the older ones
worthless; otherwise messages have no meaning here.

Queueing a message never waits for the network, so a slow connection does not delay the others.  A
message of these kinds replaces a waiting one of the same kind.  If too many other messages wait,
the connection is closed; the page then connects again.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from starlette.websockets import WebSocketDisconnect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starlette.websockets import WebSocket

    Message = Mapping[str, object]

__all__ = ["TRY_AGAIN_LATER", "Connection", "Connections", "RequestRate"]

MOST_QUEUED = 100
"""The greatest number of messages that wait for a slow connection."""
MOST_FOR_KEY = 250
"""The greatest number of windows with one key, which leaves connections for the other keys."""

_REPLACED = frozenset({"state", "info", "thinking", "absent"})
"""Kinds of messages of which only the newest one counts."""
_REPLACED_BY_NODE = frozenset({"lines"})
"""Kinds of messages of which only the newest one about each node counts."""
TRY_AGAIN_LATER = 1013
"""The code with which a connection is closed that may be opened again later."""


class Connection:
    """One browser window.

    Attributes:
        socket: The accepted WebSocket.
        key: The key with which it was opened.
        is_greeted: Whether the messages that a new window needs are queued; before that, a window
            gets no messages to all windows.
    """

    def __init__(self, socket: WebSocket, key: str) -> None:
        """Wrap a WebSocket; the caller runs `deliver`."""
        self.socket = socket
        self.key = key
        self.is_greeted = False
        self._numbers = count()
        self._queue: dict[object, Message] = {}  # by kind, kind and node, or number
        self._sent_state: Message = {}
        self._wake = asyncio.Event()
        self._end: int | None = None  # the code with which to close the connection

    def send(self, message: Message) -> None:
        """Queue a message after the waiting ones; a message that it replaces is not sent.

        A `state` is sent without the fields that are equal in the previous `state`.
        """
        kind = message["is"]
        key: object = kind if kind in _REPLACED else next(self._numbers)
        if kind in _REPLACED_BY_NODE:
            key = kind, message["node"]
        self._queue.pop(key, None)
        if len(self._queue) < MOST_QUEUED:
            self._queue[key] = message
        else:
            self._end = TRY_AGAIN_LATER
        self._wake.set()

    def close(self, code: int) -> None:
        """Close the connection after the queued messages."""
        self._end = code
        self._wake.set()

    async def deliver(self) -> None:
        """Send queued messages until the connection ends."""
        with suppress(RuntimeError, WebSocketDisconnect):  # the reader notices the end, too
            while self._end is None:
                await self._wake.wait()
                self._wake.clear()
                while self._queue:
                    message = self._next()
                    if message != {"is": "state"}:  # nothing has changed
                        await self.socket.send_text(json.dumps(message))
            await self.socket.close(self._end)

    def _next(self) -> Message:
        message = self._queue.pop(next(iter(self._queue)))
        if message["is"] != "state":
            return message
        sent, self._sent_state = self._sent_state, message
        return {
            name: value
            for name, value in message.items()
            if name == "is" or name not in sent or sent[name] != value
        }


class Connections:
    """All open windows."""

    def __init__(self) -> None:
        """Begin without windows."""
        self._open: set[Connection] = set()

    def __bool__(self) -> bool:
        """Whether a window is open."""
        return bool(self._open)

    def __iter__(self) -> Iterator[Connection]:
        """Iterate over a copy of the greeted windows, so that windows may be closed meanwhile."""
        return iter([connection for connection in self._open if connection.is_greeted])

    def keys(self) -> set[str]:
        """Return the keys of all windows."""
        return {connection.key for connection in self._open}

    def is_full(self, key: str) -> bool:
        """Whether no more windows may use a key."""
        return Counter(connection.key for connection in self._open)[key] >= MOST_FOR_KEY

    def add(self, connection: Connection) -> None:
        """Include a window in later broadcasts."""
        self._open.add(connection)

    def remove(self, connection: Connection) -> None:
        """Exclude a window from later broadcasts."""
        self._open.discard(connection)

    def broadcast(self, message: Message) -> None:
        """Queue a message for all greeted windows."""
        for connection in self:
            connection.send(message)


class RequestRate:
    """Slows down a window that sends requests without pause.

    The server reads the next request later; TCP then stops the sender, so nothing piles up.
    """

    def __init__(self, each_second: float = 20.0, at_once: float = 60.0) -> None:
        """Allow `at_once` requests, and from then on `each_second`."""
        self._interval = 1.0 / each_second
        self._ahead = at_once * self._interval
        self._next = 0.0  # when the next request would be due if `at_once` were 0

    async def wait(self) -> None:
        """Wait until the next request may be granted."""
        now = asyncio.get_running_loop().time()
        self._next = max(self._next, now - self._ahead) + self._interval
        await asyncio.sleep(max(0.0, self._next - now))
