"""The server of a table: all windows show the same table.

Owns the thread of the position, and changes of the table.  It must not know games.  All work on the
position runs in one thread, so that the page never waits.

A handler of a request changes the table for all windows by `TableServer.change`, or answers its own
window only.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from forthvm.web import play_requests, tree_requests
from forthvm.web.engine_seats import EngineSeats
from forthvm.web.page_server import PageServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.web.access import Access
    from forthvm.web.connections import Connection
    from forthvm.web.table import Table

__all__ = ["TableServer"]

_T = TypeVar("_T")


class TableServer(PageServer):
    """Serves one table to browsers that know its key.

    Attributes:
        table: The table.  Only functions that are passed to `run` or `change` may use it.
        lock: Held while the table is changed.
        changes: The number of granted requests; a search that began before the last is dropped.
    """

    def __init__(self, table: Table, access: Access | None = None) -> None:
        """Prepare the application."""
        super().__init__("index.html", access)
        self.table = table
        self.lock = asyncio.Lock()
        self.changes = 0
        self._worker = ThreadPoolExecutor(1, "table")
        self._engines = EngineSeats(self)
        self.handlers |= play_requests.handlers(self) | tree_requests.handlers(self)

    async def start(self) -> None:
        """Let engines and chance move."""
        self._engines.drive()

    async def close(self) -> None:
        """End the search of an engine, and the thread of the position."""
        await self._engines.close()
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def greet(self, connection: Connection) -> None:
        """Send the board, the moves and the state of the table to a new window."""
        async with self.lock:  # so that no change comes before the whole tree
            for message in await self.run(self.table.opening_messages):
                await connection.send(message)
        self._engines.drive()

    async def after_request(self) -> None:
        """Let engines and chance move."""
        self._engines.drive()

    async def run(self, function: Callable[[], _T]) -> _T:
        """Run a function in the thread of the position."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function)

    async def change(self, action: Callable[[], None], *, stop_engine: bool = True) -> None:
        """Change the table and send its state to all windows.

        Args:
            action: A function of the table.
            stop_engine: Whether the search of an engine would be for the wrong position.

        Raises:
            RequestError: The table refuses the change.
        """
        if stop_engine:
            self._engines.stop()
        async with self.lock:
            self.changes += 1
            await self.run(action)
            await self.send_state()

    async def change_tree(self, action: Callable[[], _T]) -> _T:
        """Change variations or comments, and send what has changed to all windows.

        Args:
            action: A function of the table's tree that does not concern the game.

        Raises:
            RequestError: The change is not possible.
        """
        async with self.lock:
            result = await self.run(action)
            await self._send_tree()
            return result

    async def _send_tree(self) -> None:
        tree = self.table.tree
        changes = await self.run(tree.take_changes)
        if changes is not None:
            await self.connections.broadcast({"is": "tree", **changes})

    async def send_state(self) -> None:
        """Send the moves and the state of the table to all windows."""
        await self._send_tree()
        await self.connections.broadcast(await self.run(self.table.state))
