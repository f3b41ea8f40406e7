"""The browser windows that show a table, and the messages to them.

Owns the open WebSockets, the queues of their messages and requests, and how fast requests are
granted.  A newer message of some kinds makes the older ones worthless; otherwise messages have no
meaning here.

Queueing a message never waits for the network, so a slow connection does not delay the others.  A
message of these kinds replaces a waiting one of the same kind.  If too many other messages wait,
the connection is closed; the page then connects again.  So it is if too many requests wait.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING

from starlette.websockets import WebSocketDisconnect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from starlette.websockets import WebSocket

    Message = Mapping[str, object]

__all__ = ["TRY_AGAIN_LATER", "Connection", "Connections", "RequestRate"]

MOST_QUEUED = 100
"""The greatest number of messages that wait for a slow connection."""
MOST_WAITING = 100
"""The greatest number of requests of a window that wait."""
MOST_FOR_KEY = 250
"""The greatest number of windows with one key, which leaves connections for the other keys."""

MOST_IN_WORK = 2
"""The greatest number of requests with one key that are in work, or wait for the rate."""

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
        is_open: Whether the window has not been closed, as far as it is known.
        is_greeted: Whether the messages that a new window needs are queued; before that, a window
            gets no messages to all windows.
    """

    def __init__(self, socket: WebSocket, key: str) -> None:
        """Wrap a WebSocket; the caller runs `deliver`."""
        self.socket = socket
        self.key = key
        self.is_open = True
        self.is_greeted = False
        self._requests: deque[str] = deque()
        self._asked = asyncio.Event()
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

    def ask(self, request: str) -> None:
        """Queue a request of the window; if too many wait, the connection is closed."""
        self._requests.append(request)
        self._asked.set()
        if len(self._requests) > MOST_WAITING:
            self.close(TRY_AGAIN_LATER)
            self.forget_requests()

    def forget_requests(self) -> None:
        """Drop the requests that wait, and take no more: the window is closed."""
        self.is_open = False
        self._asked.set()

    async def next_request(self) -> str | None:
        """Wait for a request and return it; None if the window is closed."""
        while self.is_open and not self._requests:
            self._asked.clear()
            await self._asked.wait()
        return self._requests.popleft() if self.is_open else None

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
    """Slows down the windows of a key that send requests without pause.

    They wait for each other, so that other keys have their turns meanwhile.
    """

    def __init__(self, each_second: float = 40.0, at_once: float = MOST_FOR_KEY) -> None:
        """Allow `at_once` requests and new windows, and from then on `each_second`."""
        self._interval = 1.0 / each_second
        self._ahead = at_once * self._interval
        self._next = 0.0  # when the next request would be due if `at_once` were 0
        self._in_work = asyncio.Semaphore(MOST_IN_WORK)

    @asynccontextmanager
    async def turn(self, connection: Connection) -> AsyncIterator[None]:
        """Wait until a request may be granted or a window greeted, which is done in the block."""
        async with self._in_work:
            if connection.is_open:
                now = asyncio.get_running_loop().time()
                self._next = max(self._next, now - self._ahead) + self._interval
                await asyncio.sleep(max(0.0, self._next - now))
            yield
