"""The server of a table: the page, and a WebSocket for each browser that shows the table.

Owns connections, threads, and who may connect.  It must not know games.  All work on the position
runs in one thread, and each engine in its own game and thread, so that the page never waits.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from forthvm import engines
from forthvm.core.errors import ForthVMError
from forthvm.web.table import Table, TableError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp
    from starlette.websockets import WebSocket

    from forthvm.engines import Info
    from forthvm.game import Game, Position

__all__ = ["TableServer"]

_T = TypeVar("_T")

_PAGE = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_MAX_MESSAGE = 4096  # characters of a request
_POLICY_VIOLATION = 1008
_PAUSE = 0.4  # seconds before the reply of an engine that answers at once, so that it can be seen


class TableServer:
    """Serves one table to browsers that know its secret."""

    def __init__(
        self, table: Table, *, hosts: tuple[str, ...] = ("127.0.0.1", "localhost")
    ) -> None:
        """Prepare the application.

        Args:
            table: The table.
            hosts: The names under which browsers may address the server.
        """
        self.table = table
        self.secret = secrets.token_urlsafe(16)
        self._hosts = frozenset(hosts)
        self._sockets: set[WebSocket] = set()
        self._worker = ThreadPoolExecutor(1, "table")
        self._thinker = ThreadPoolExecutor(1, "engine")
        self._lock = asyncio.Lock()
        self._thinking: engines.Engine | None = None
        self._engine_game: Game | None = None
        self._requests = 0  # granted requests; a search that began before the last one is dropped
        self._driver: asyncio.Task[None] | None = None

    def application(self) -> ASGIApp:
        """Return the ASGI application."""
        return Starlette(
            routes=[
                Route("/", self._index),
                Route("/page/{name}", self._file),
                WebSocketRoute("/ws", self._connect),
            ],
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._drive()
        yield
        self._stop_engine()
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._thinker.shutdown(wait=False, cancel_futures=True)

    # --- pages ----------------------------------------------------------------------------

    async def _index(self, request: Request) -> Response:
        if not self._is_allowed_host(request.headers.get("host", "")):
            return PlainTextResponse("Unknown host.", 421)
        if not self._knows_secret(request.query_params.get("key", "")):
            return PlainTextResponse("This link lacks the key that the server printed.", 403)
        return self._page_file("index.html")

    async def _file(self, request: Request) -> Response:
        if not self._is_allowed_host(request.headers.get("host", "")):
            return PlainTextResponse("Unknown host.", 421)
        return self._page_file(request.path_params["name"])

    def _page_file(self, name: str) -> Response:
        files = {path.name: path for path in _PAGE.iterdir()}  # no other file can be named
        if name not in files:
            return PlainTextResponse("There is no such page.", 404)
        path = files[name]
        headers = _HEADERS | {"content-type": _TYPES[path.suffix]}
        return Response(path.read_bytes(), headers=headers)

    def _is_allowed_host(self, host: str) -> bool:
        return urlsplit(f"//{host}").hostname in self._hosts

    def _knows_secret(self, key: str) -> bool:
        return secrets.compare_digest(key.encode(), self.secret.encode())

    # --- connections ----------------------------------------------------------------------

    async def _connect(self, socket: WebSocket) -> None:
        origin = urlsplit(socket.headers.get("origin", ""))
        host = socket.headers.get("host", "")
        allowed = self._is_allowed_host(host) and origin.netloc == host
        if not allowed or not self._knows_secret(socket.query_params.get("key", "")):
            await socket.close(_POLICY_VIOLATION)
            return
        await socket.accept()
        self._sockets.add(socket)
        try:
            await socket.send_text(json.dumps(await self._run(self.table.state)))
            while True:
                await self._request(socket, await socket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            self._sockets.discard(socket)

    async def _request(self, socket: WebSocket, text: str) -> None:
        """Grant a request and send the new state to all browsers, or send back an error."""
        try:
            if len(text) > _MAX_MESSAGE:
                raise TableError("The request is too long.")
            request = json.loads(text)
            action = self._action(request)
            if request["do"] != "play":
                self._stop_engine()
            async with self._lock:
                self._requests += 1
                await self._run(action)
                await self._tell_state()
        except (TableError, ForthVMError) as error:
            await socket.send_text(json.dumps({"is": "error", "text": str(error)}))
        except (ValueError, TypeError, KeyError, AttributeError):
            await socket.send_text(json.dumps({"is": "error", "text": "Unknown request."}))
        self._drive()

    def _action(self, request: dict[str, object]) -> Callable[[], None]:
        """Return the function of the table that grants a request."""
        table = self.table
        match request:
            case {"do": "play", "ply": int(ply), "move": int(move)}:
                return lambda: table.play(ply, move)
            case {"do": "undo"}:
                return table.undo
            case {"do": "redo"}:
                return table.redo
            case {"do": "new"}:
                return table.restart
            case {"do": "seat", "player": str(player), "by": str(spec)}:
                return lambda: table.seat(player, spec)
        raise ValueError(request)

    async def _tell(self, message: Mapping[str, object]) -> None:
        """Send a message to all browsers."""
        text = json.dumps(message)
        for socket in list(self._sockets):
            try:
                await socket.send_text(text)
            except (RuntimeError, WebSocketDisconnect):
                self._sockets.discard(socket)

    async def _tell_state(self) -> None:
        await self._tell(await self._run(self.table.state))

    async def _run(self, function: Callable[[], _T]) -> _T:
        """Run a function in the thread of the position."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function)

    # --- engines --------------------------------------------------------------------------

    def _drive(self) -> None:
        """Let chance and engines move, unless they are doing so."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._play_others())

    async def _play_others(self) -> None:
        """Make the moves of chance and engines until a person is to move."""
        while True:
            async with self._lock:
                try:
                    if await self._run(self.table.advance):
                        await self._tell_state()
                        continue
                except ForthVMError as error:
                    await self._tell({"is": "error", "text": str(error)})
                    return
                spec = await self._run(self.table.engine_to_move)
            if spec is None or not self._sockets:
                return
            await self._let_engine_move(spec)

    async def _let_engine_move(self, spec: str) -> None:
        """Let an engine search, and make its move unless the position has changed."""
        table, loop, requests = self.table, asyncio.get_running_loop(), self._requests
        engine = engines.get(spec)

        def report(info: Info) -> None:
            message = {"is": "info", "depth": info.depth, "score": info.score, "pv": list(info.pv)}
            asyncio.run_coroutine_threadsafe(self._tell(message), loop)

        copy = await self._run(self._copy_for_engine)
        self._thinking = engine
        await self._tell({"is": "thinking", "player": copy.turn, "engine": spec})
        try:
            result, _ = await asyncio.gather(
                loop.run_in_executor(
                    self._thinker, lambda: engines.choose_move(engine, copy, report=report)
                ),
                asyncio.sleep(_PAUSE),
            )
        except ForthVMError as error:
            await self._tell({"is": "error", "text": str(error)})
            return
        finally:
            self._thinking = None
            engine.close()
        async with self._lock:
            if self._requests != requests:
                return  # the position or the seat has changed
            await self._run(lambda: table.play_for_engine(result.move.index))
            await self._tell_state()

    def _copy_for_engine(self) -> Position:
        """Return a copy of the position in a game of its own, for another thread."""
        if self._engine_game is None:
            self._engine_game = self.table.game.clone()
        return self.table.position.copy(game=self._engine_game)

    def _stop_engine(self) -> None:
        """End the search; its move is not made."""
        if self._thinking is not None:
            self._thinking.stop()
