"""A server of one page, with a WebSocket for each browser window that shows it.

Owns the application, connections, and the dispatch of requests.

A request is a JSON object whose field `do` names a handler.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from forthvm.core.errors import ForthVMError
from forthvm.web.serving.access import key_of
from forthvm.web.serving.connections import TRY_AGAIN_LATER, Connection, Connections, RequestRate
from forthvm.web.serving.errors import RequestError, script_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp
    from starlette.websockets import WebSocket

    from forthvm.web.serving.access import Access

    Handler = Callable[[Connection, Mapping[str, object]], Awaitable[None]]

__all__ = ["MAX_REQUEST", "PageServer"]

MAX_REQUEST = 4096
"""The number of characters that a request may have."""
_POLICY_VIOLATION = 1008


class PageServer:
    """Serves a page to browsers that know a key.

    Attributes:
        access: Which requests are answered.
        connections: The open windows.
        routes: Further requests of HTTP.
        closing: Functions that end further work.
        handlers: The functions that grant requests, by name.  They raise RequestError if a request
            cannot be granted, and KeyError or ValueError if fields are missing or of another type.
    """

    def __init__(self, page: str, access: Access) -> None:
        """Prepare the application.

        Args:
            page: The HTML file in the folder of pages.
            access: Which requests are answered.
        """
        self.access = access
        self.connections = Connections()
        self.routes: list[Route] = []
        self.closing: list[Callable[[], None]] = []
        self.handlers: dict[str, Handler] = {}
        self._rates: defaultdict[str, RequestRate] = defaultdict(RequestRate)  # by key
        self._page = page

    def application(self) -> ASGIApp:
        """Return the ASGI application."""
        return Starlette(
            routes=[
                Route("/", self._index),
                Route("/page/{name:path}", self.access.file),
                WebSocketRoute("/ws", self._connect),
                *self.routes,
            ],
            lifespan=self._lifespan,
        )

    # --- for subclasses -------------------------------------------------------------------

    async def start(self) -> None:
        """Begin work that does not depend on requests."""

    async def close(self) -> None:
        """End all work."""

    async def greet(self, connection: Connection) -> None:
        """Send the first messages to a new window, and mark it as greeted."""

    def check_request(self, connection: Connection, name: str) -> None:
        """Raise RequestError if a window may not make the requests with a name."""

    async def window_closed(self, connection: Connection) -> None:
        """End the work for a window that is closed."""

    def longest_request(self, connection: Connection) -> int:
        """Return the number of characters that a request of a window may have."""
        return MAX_REQUEST

    async def after_request(self) -> None:
        """Continue after a request was granted or refused."""

    # --- requests -------------------------------------------------------------------------

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.start()
        yield
        for function in self.closing:
            function()
        await self.close()

    async def _index(self, request: Request) -> Response:
        return self.access.refusal(request) or self.access.page_file(self._page, request)

    async def _connect(self, socket: WebSocket) -> None:
        if not self.access.admits_socket(socket):
            await socket.close(_POLICY_VIOLATION)
            return
        await socket.accept()
        connection = Connection(socket, key_of(socket))
        if self.connections.is_full(connection.key):
            error = RequestError("full", "Too many windows use this link.")
            await socket.send_json(error.as_message())
            await socket.close(TRY_AGAIN_LATER)
            return
        self.connections.add(connection)
        delivery = asyncio.create_task(connection.deliver())
        reading = asyncio.create_task(self._read_requests(connection))
        rate = self._rates[connection.key]
        try:
            async with rate.turn(connection):
                await self.greet(connection)
            while (request := await connection.next_request()) is not None:
                async with rate.turn(connection):
                    if connection.is_open:
                        await self._handle(connection, request)
        finally:
            self.connections.remove(connection)
            delivery.cancel()
            reading.cancel()
            await self.window_closed(connection)

    async def _read_requests(self, connection: Connection) -> None:
        """Queue requests at once, so that the end of the connection is noticed behind them."""
        try:
            with suppress(WebSocketDisconnect):
                while connection.is_open:
                    text = await _received(connection.socket)
                    connection.ask(text[: self.longest_request(connection) + 1])
        finally:
            connection.forget_requests()

    async def _handle(self, connection: Connection, text: str) -> None:
        """Grant a request, or send back an error."""
        try:
            if len(text) > self.longest_request(connection):
                raise RequestError("too-long", "The request is too long.")
            request = json.loads(text)
            name = request["do"]
            handler = self.handlers[name]
            self.check_request(connection, name)
            await handler(connection, request)
        except RequestError as error:
            connection.send(error.as_message())
        except ForthVMError as error:
            connection.send(script_error(error))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            connection.send(RequestError("unknown-request", "Unknown request.").as_message())
        await self.after_request()


async def _received(socket: WebSocket) -> str:
    """Return the next text from a window; "" for a binary message, which no page sends.

    Raises:
        WebSocketDisconnect: The connection has ended.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    return message.get("text") or ""
