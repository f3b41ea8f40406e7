"""A port at which one client connects that knows the token.

Owns the sockets, and the limits for connections that have not shown the token: their number and
their time.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

from .messages import Connection
from .server import serve
from .token_check import TokenCheck

__all__ = ["serve_port"]

_MOST_STRANGERS = 16
"""Connections that have not shown the token; one more ends the oldest."""
_SECONDS = 10.0
"""The time for showing the token."""
_PAUSE = 0.2
"""How often the time is checked while there are such connections."""


def serve_port(listener: socket.socket, token: str) -> None:
    """Serve the first client that knows the token, until it disconnects."""
    _Port(listener, token).serve()


class _Port:
    def __init__(self, listener: socket.socket, token: str) -> None:
        self._listener = listener
        self._token = token
        self._lock = threading.Lock()  # of the two attributes below
        self._strangers: dict[socket.socket, float] = {}  # with their deadlines, in order
        self._client: threading.Thread | None = None  # serves the client that was admitted

    def serve(self) -> None:
        client = None
        while client is None:
            with suppress(TimeoutError, ConnectionError):  # the other side has left already
                self._start(self._listener.accept()[0])
            self._end_strangers(time.monotonic(), _MOST_STRANGERS)
            with self._lock:
                client = self._client
                self._listener.settimeout(_PAUSE if self._strangers else None)
        self._listener.close()
        self._end_strangers(time.monotonic(), 0)
        client.join()

    def _start(self, stranger: socket.socket) -> None:
        stranger.setblocking(True)
        with self._lock:
            self._strangers[stranger] = time.monotonic() + _SECONDS
        threading.Thread(target=self._serve, args=(stranger,), daemon=True).start()

    def _end_strangers(self, now: float, most: int) -> None:
        """End connections whose time is over, and the oldest if there are too many."""
        with self._lock:
            for stranger, deadline in list(self._strangers.items()):
                if deadline <= now or len(self._strangers) > most:
                    del self._strangers[stranger]
                    with suppress(OSError):  # the other side has closed it
                        stranger.shutdown(socket.SHUT_RDWR)

    def _serve(self, stranger: socket.socket) -> None:
        check = TokenCheck(self._token, lambda: self._enter(stranger))
        with (
            suppress(ConnectionError),
            stranger,
            stranger.makefile("rb") as reader,
            stranger.makefile("wb") as writer,
        ):
            serve(Connection(reader, writer), check)
        with self._lock:
            self._strangers.pop(stranger, None)

    def _enter(self, stranger: socket.socket) -> bool:
        """Admit a client, unless another one was admitted, or its time is over."""
        with self._lock:
            if self._client is not None or self._strangers.pop(stranger, None) is None:
                return False
            self._client = threading.current_thread()
            return True
