"""The moves of engines and of chance.

Owns the search of the engine to move, in a game and a thread of its own.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from forthvm import engines
from forthvm.core.errors import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.render.short_texts import short_line
from forthvm.web.serving.errors import script_error

if TYPE_CHECKING:
    from forthvm.engines import Engine, Info, Limits
    from forthvm.game import Game, Position
    from forthvm.web.table.shared_table import SharedTable

__all__ = ["EngineSeats"]

_PAUSE = 0.4  # seconds before the reply of an engine that answers at once, so that it can be seen


class EngineSeats:
    """Makes the moves of chance and of engines.

    Attributes:
        thinking: The message about the search that is running; None if none is.
    """

    def __init__(self, shared: SharedTable) -> None:
        """Prepare the thread of the engines."""
        self._shared = shared
        self._thread = ThreadPoolExecutor(1, "engine")
        self.thinking: dict[str, object] | None = None
        self._searching: engines.Engine | None = None
        self._changes = 0  # of the position and of seats
        self._stopped = False  # whether the search that is running shall end
        self._game: Game | None = None
        self._copied: Game | None = None  # the game of which `_game` is a copy
        self._driver: asyncio.Task[None] | None = None

    def drive(self) -> None:
        """Let chance and engines move, unless they are doing so."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._play())

    def stop(self) -> None:
        """End the search; its best move is made."""
        self._stopped = True
        if self._searching is not None:
            self._searching.stop()

    def discard(self) -> None:
        """End the search; its move is not made, because the position or the seat has changed."""
        self._changes += 1
        self.stop()

    async def close(self) -> None:
        """End the search, the task and the thread."""
        self.stop()
        if self._driver is not None:
            self._driver.cancel()
            with suppress(asyncio.CancelledError):
                await self._driver
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _play(self) -> None:
        """Make the moves of chance and engines until a person is to move or an error occurs."""
        shared = self._shared
        try:
            while True:
                async with shared.lock:
                    if await shared.run(shared.table.advance):
                        await shared.send_state()
                        continue
                    spec = await shared.run(shared.table.engine_to_move)
                if spec is None or not shared.connections:
                    return
                await self._search_and_move(spec)
        except ForthVMError as error:  # the next request tries again
            shared.connections.broadcast(script_error(error))

    async def _search_and_move(self, spec: str) -> None:
        """Let an engine search, and make its move unless the position has changed.

        Raises:
            ForthVMError: The engine of a saved table is not installed, or the search fails.
            Resignation: The engine resigns in a game of more than two players.
        """
        shared, loop, changes = self._shared, asyncio.get_running_loop(), self._changes
        broadcast, engine = shared.connections.broadcast, engines.get(spec)

        def report(info: Info) -> None:
            if self._stopped:  # also if the request came before the search had begun
                engine.stop()
            elif not shared.has_secrets:  # the line may contain hidden pieces
                asyncio.run_coroutine_threadsafe(self._tell(info, position, engine), loop)

        self._searching, self._stopped = engine, False
        index = None  # of the move; None if the engine resigns
        try:
            position = await shared.run(shared.table.position.copy)
            copy, limits = await shared.run(self._copy), self._limits()
            player = visible(copy.turn)
            self.thinking = {"is": "thinking", "player": player, "engine": visible(spec)}
            broadcast(self.thinking)
            result, _ = await asyncio.gather(
                loop.run_in_executor(
                    self._thread, lambda: engines.choose_move(engine, copy, limits, report=report)
                ),
                asyncio.sleep(_PAUSE),
            )
            index = result.move.index
        except engines.Resignation:
            if len(position.game.contestants) != 2:
                raise
        finally:
            self._searching = self.thinking = None
            engine.close()
        async with shared.lock:
            if self._changes != changes:
                return  # the position or the seat has changed
            await shared.run(lambda: shared.table.play_for_engine(index))
            await shared.send_state()

    async def _tell(self, info: Info, position: Position, engine: Engine) -> None:
        """Send the line that an engine has found in a position, unless its search has ended."""
        short = await self._shared.run(lambda: short_line(position, info.pv))
        if self._searching is engine:
            score = None if info.score is None else round(info.score, 3)
            pv = [visible(text) for text in info.pv]
            message = {"is": "info", "depth": info.depth, "score": score, "pv": pv, "short": short}
            self._shared.connections.broadcast(message)

    def _limits(self) -> Limits | None:
        """Return the remaining time of the engine to move; None without clocks."""
        clocks = self._shared.table.clocks
        if clocks is None or clocks.running is None:
            return None
        seconds = clocks.remaining(clocks.running, self._shared.table.now())
        return engines.Limits(clock=seconds, increment=clocks.control.increment)

    def _copy(self) -> Position:
        """Return a copy of the position in a game of its own, for another thread."""
        table = self._shared.table
        if self._game is None or self._copied is not table.game:
            self._game, self._copied = table.game.clone(), table.game
        return table.position.copy(game=self._game)
