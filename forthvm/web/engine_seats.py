"""The players that no person plays: engines and chance.

Owns the search of the engine to move, in a game and a thread of its own.  It must not know sockets.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm import engines
from forthvm.core.errors import ForthVMError
from forthvm.web.errors import script_error

if TYPE_CHECKING:
    from forthvm.engines import Info
    from forthvm.game import Game, Position
    from forthvm.web.server import TableServer

__all__ = ["EngineSeats"]

_PAUSE = 0.4  # seconds before the reply of an engine that answers at once, so that it can be seen


class EngineSeats:
    """Makes the moves of chance and of engines."""

    def __init__(self, server: TableServer) -> None:
        """Prepare the thread of the engines."""
        self._server = server
        self._thread = ThreadPoolExecutor(1, "engine")
        self._searching: engines.Engine | None = None
        self._game: Game | None = None
        self._driver: asyncio.Task[None] | None = None

    def drive(self) -> None:
        """Let chance and engines move, unless they are doing so."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._play())

    def stop(self) -> None:
        """End the search; its move is not made."""
        if self._searching is not None:
            self._searching.stop()

    async def close(self) -> None:
        """End the search, the task and the thread."""
        self.stop()
        if self._driver is not None:
            self._driver.cancel()
            with suppress(asyncio.CancelledError):
                await self._driver
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _play(self) -> None:
        """Make the moves of chance and engines until a person is to move."""
        server = self._server
        while True:
            async with server.lock:
                try:
                    if await server.run(server.table.advance):
                        await server.send_state()
                        continue
                except ForthVMError as error:
                    server.connections.broadcast(script_error(error))
                    return
                spec = await server.run(server.table.engine_to_move)
            if spec is None or not server.connections:
                return
            await self._search_and_move(spec)

    async def _search_and_move(self, spec: str) -> None:
        """Let an engine search, and make its move unless the position has changed."""
        server, loop, changes = self._server, asyncio.get_running_loop(), self._server.changes
        broadcast = server.connections.broadcast
        engine = engines.get(spec)

        def report(info: Info) -> None:
            message = {"is": "info", "depth": info.depth, "score": info.score, "pv": list(info.pv)}
            loop.call_soon_threadsafe(broadcast, message)

        copy = await server.run(self._copy)
        self._searching = engine
        broadcast({"is": "thinking", "player": copy.turn, "engine": spec})
        try:
            result, _ = await asyncio.gather(
                loop.run_in_executor(
                    self._thread, lambda: engines.choose_move(engine, copy, report=report)
                ),
                asyncio.sleep(_PAUSE),
            )
        except ForthVMError as error:
            broadcast(script_error(error))
            return
        finally:
            self._searching = None
            engine.close()
        async with server.lock:
            if server.changes != changes:
                return  # the position or the seat has changed
            await server.run(lambda: server.table.play_for_engine(result.move.index))
            await server.send_state()

    def _copy(self) -> Position:
        """Return a copy of the position in a game of its own, for another thread."""
        if self._game is None:
            self._game = self._server.table.game.clone()
        return self._server.table.position.copy(game=self._game)
