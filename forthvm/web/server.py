"""The server of a table: the page, and a WebSocket for each browser window that shows the table.

Owns the application, the thread of the position, and the dispatch of requests.  It must not know
games.  All work on the position runs in one thread, so that the page never waits.

A request is a JSON object whose field `do` names a handler.  A handler changes the table for all
windows by `TableServer.change`, or answers its own window only.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from forthvm.core.errors import ForthVMError
from forthvm.web import play_requests
from forthvm.web.access import Access
from forthvm.web.connections import Connection, Connections
from forthvm.web.engine_seats import EngineSeats
from forthvm.web.table import Table, TableError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp
    from starlette.websockets import WebSocket

__all__ = ["TableServer"]

_T = TypeVar("_T")

_MAX_MESSAGE = 4096  # characters of a request
_POLICY_VIOLATION = 1008


class TableServer:
    """Serves one table to browsers that know its key.

    Attributes:
        table: The table.  Only functions that are passed to `run` or `change` may use it.
        access: Who may connect.
        connections: The open windows.
        lock: Held while the table is changed.
        changes: The number of granted requests; a search that began before the last is dropped.
    """

    def __init__(self, table: Table, access: Access | None = None) -> None:
        """Prepare the application."""
        self.table = table
        self.access = access or Access()
        self.connections = Connections()
        self.lock = asyncio.Lock()
        self.changes = 0
        self._worker = ThreadPoolExecutor(1, "table")
        self._engines = EngineSeats(self)
        self._handlers = play_requests.handlers(self)

    @property
    def secret(self) -> str:
        """The key that an address must contain."""
        return self.access.secret

    def application(self) -> ASGIApp:
        """Return the ASGI application."""
        return Starlette(
            routes=[
                Route("/", self._index),
                Route("/page/{name:path}", self.access.file),
                WebSocketRoute("/ws", self._connect),
            ],
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._engines.drive()
        yield
        await self._engines.close()
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def _index(self, request: Request) -> Response:
        return self.access.refusal(request) or self.access.page_file("index.html")

    # --- connections ----------------------------------------------------------------------

    async def _connect(self, socket: WebSocket) -> None:
        if not self.access.admits_socket(socket):
            await socket.close(_POLICY_VIOLATION)
            return
        await socket.accept()
        connection = Connection(socket)
        self.connections.add(connection)
        try:
            await connection.send(await self.run(self.table.state))
            self._engines.drive()
            while True:
                await self._handle(connection, await socket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            self.connections.remove(connection)

    async def _handle(self, connection: Connection, text: str) -> None:
        """Grant a request, or send back an error."""
        try:
            if len(text) > _MAX_MESSAGE:
                raise TableError("The request is too long.")
            request = json.loads(text)
            await self._handlers[request["do"]](connection, request)
        except (TableError, ForthVMError) as error:
            await connection.send({"is": "error", "text": str(error)})
        except (ValueError, TypeError, KeyError, AttributeError):
            await connection.send({"is": "error", "text": "Unknown request."})
        self._engines.drive()

    # --- the table ------------------------------------------------------------------------

    async def run(self, function: Callable[[], _T]) -> _T:
        """Run a function in the thread of the position."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function)

    async def change(self, action: Callable[[], None], *, stop_engine: bool = True) -> None:
        """Change the table and send its state to all windows.

        Args:
            action: A function of the table.
            stop_engine: Whether the search of an engine would be for the wrong position.

        Raises:
            TableError: The table refuses the change.
        """
        if stop_engine:
            self._engines.stop()
        async with self.lock:
            self.changes += 1
            await self.run(action)
            await self.send_state()

    async def send_state(self) -> None:
        """Send the state of the table to all windows."""
        await self.connections.broadcast(await self.run(self.table.state))
