"""A server of one page, with a WebSocket for each browser window that shows it.

Owns the application, connections, and the dispatch of requests.  It must not know what is shown.

A request is a JSON object whose field `do` names a handler.
"""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from forthvm.core.errors import ForthVMError
from forthvm.web.access import Access
from forthvm.web.connections import Connection, Connections
from forthvm.web.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp
    from starlette.websockets import WebSocket

    Handler = Callable[[Connection, Mapping[str, object]], Awaitable[None]]

__all__ = ["PageServer"]

_MAX_MESSAGE = 4096  # characters of a request
_POLICY_VIOLATION = 1008


class PageServer:
    """Serves a page to browsers that know its key.

    Attributes:
        access: Who may connect.
        connections: The open windows.
        handlers: The functions that grant requests, by name.  They raise RequestError if a request
            cannot be granted, and KeyError or TypeError if fields are missing or of another type.
    """

    def __init__(self, page: str, access: Access | None = None) -> None:
        """Prepare the application.

        Args:
            page: The HTML file in the folder of pages.
            access: Who may connect; None for browsers of this computer.
        """
        self.access = access or Access()
        self.connections = Connections()
        self.handlers: dict[str, Handler] = {}
        self._page = page

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

    # --- for subclasses -------------------------------------------------------------------

    async def start(self) -> None:
        """Begin work that does not depend on requests."""

    async def close(self) -> None:
        """End all work."""

    async def greet(self, connection: Connection) -> None:
        """Send the first messages to a new window."""

    async def after_request(self) -> None:
        """Continue after a request was granted or refused."""

    # --- requests -------------------------------------------------------------------------

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.start()
        yield
        await self.close()

    async def _index(self, request: Request) -> Response:
        return self.access.refusal(request) or self.access.page_file(self._page)

    async def _connect(self, socket: WebSocket) -> None:
        if not self.access.admits_socket(socket):
            await socket.close(_POLICY_VIOLATION)
            return
        await socket.accept()
        connection = Connection(socket)
        self.connections.add(connection)
        try:
            await self.greet(connection)
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
                raise RequestError("The request is too long.")
            request = json.loads(text)
            await self.handlers[request["do"]](connection, request)
        except (RequestError, ForthVMError) as error:
            await connection.send({"is": "error", "text": str(error)})
        except (ValueError, TypeError, KeyError, AttributeError):
            await connection.send({"is": "error", "text": "Unknown request."})
        await self.after_request()
