"""The browsers that show a table, and the messages to them.

Owns the open WebSockets.  It must not know what the messages mean.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.websockets import WebSocketDisconnect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.websockets import WebSocket

__all__ = ["Connection", "Connections"]


class Connection:
    """One browser window."""

    def __init__(self, socket: WebSocket) -> None:
        """Wrap an accepted WebSocket."""
        self.socket = socket

    async def send(self, message: Mapping[str, object]) -> None:
        """Send a message to this window; nothing happens if it is closed."""
        await self.send_text(json.dumps(message))

    async def send_text(self, text: str) -> None:
        """Send a message that is already JSON."""
        with suppress(RuntimeError, WebSocketDisconnect):  # its reader removes the connection
            await self.socket.send_text(text)


class Connections:
    """All open windows."""

    def __init__(self) -> None:
        """Begin without windows."""
        self._open: set[Connection] = set()

    def __bool__(self) -> bool:
        """Whether a window is open."""
        return bool(self._open)

    def add(self, connection: Connection) -> None:
        """Include a window in later broadcasts."""
        self._open.add(connection)

    def remove(self, connection: Connection) -> None:
        """Leave a window out of later broadcasts."""
        self._open.discard(connection)

    async def broadcast(self, message: Mapping[str, object]) -> None:
        """Send a message to all windows."""
        text = json.dumps(message)
        for connection in list(self._open):
            await connection.send_text(text)
