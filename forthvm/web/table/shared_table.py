"""A table that several windows share.

Owns the thread of the position, the changes of the table, and what they send to the windows.  All
work on the position runs in one thread of its own, so the server answers other requests meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from forthvm.system.files import failure_reason
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.game_choice import GameChoice
from forthvm.web.table.messages import TableMessages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from forthvm.catalogue.bundled import BundledGame
    from forthvm.web.serving.connections import Connection, Connections
    from forthvm.web.table.seats import Viewer
    from forthvm.web.table.table import Table

__all__ = ["SharedTable"]

_T = TypeVar("_T")
_MOST_KEPT = 16
"""The number of long texts that are kept until the table is changed."""
_PART_SECONDS = 0.05
"""The time of a part of long work."""
_POLICY_VIOLATION = 1008


class SharedTable:
    """A table and the windows that show it.

    Attributes:
        table: The table.  Only functions that are passed to `run` or `change` may use it.
        choice: The games that the table can change to.
        messages: What is sent to the windows.
        connections: The windows.
        lock: Held while the table is changed.
        save: Saves the table after each change; it may raise OSError.
        changed: Called after each change, with whether a search that began earlier is for the wrong
            position or seat.
        has_secrets: Whether players do not see some pieces of others.
    """

    def __init__(
        self, table: Table, others: Iterable[BundledGame], connections: Connections
    ) -> None:
        """Prepare the thread; `others` are games besides the bundled and installed ones."""
        self.table = table
        self.choice = GameChoice(table.game, others)
        self.messages = TableMessages(table, self.choice)
        self.connections = connections
        self.lock = asyncio.Lock()
        self.save: Callable[[], None] = lambda: None
        self.changed: Callable[[bool], None] = lambda _: None
        self.has_secrets = False
        self._sent_game = table.game
        self._absent: list[str] = []
        self._clock_timer: asyncio.TimerHandle | None = None
        self._clock_task: asyncio.Task[None] | None = None
        self._worker = ThreadPoolExecutor(1, "table")
        self._made: dict[object, str] = {}  # long texts since the last change

    async def start(self) -> None:
        """Prepare what windows are sent; before the first opens, so that it gets changes only."""
        await self._save()
        await self._send_tree()
        self._start_clock_timer()

    def close(self) -> None:
        """End the thread of the position; the clock stops."""
        if self._clock_timer is not None:
            self._clock_timer.cancel()
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def greet(self, connection: Connection) -> None:
        """Send the board, the moves and the state of the table to a new window."""
        async with self.lock:  # so that no change comes before the whole tree
            viewer = self.viewer_of(connection)
            self.send_absent()
            for message in await self.run(lambda: self.messages.opening(viewer)):
                connection.send(message)
            connection.is_greeted = True
            if self._absent:  # as it is by now
                connection.send({"is": "absent", "players": self._absent})

    def viewer_of(self, connection: Connection) -> Viewer:
        """Return what the holder of a connection's key may do.

        Raises:
            RequestError: The key has been replaced.
        """
        viewer = self.table.seats.viewer_of(connection.key)
        if viewer is None:
            raise RequestError("old-key", "This link is not valid any more.")
        return viewer

    async def run(self, function: Callable[[], _T]) -> _T:
        """Run a function in the thread of the position."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function)

    async def run_in_parts(self, steps: Iterator[None]) -> None:
        """Run an iterator to its end in the thread of the position, between other work."""

        def part() -> bool:
            end = time.monotonic() + _PART_SECONDS
            return any(time.monotonic() > end for _ in steps)

        while await self.run(part):
            pass

    async def make(self, key: object, function: Callable[[], str]) -> str:
        """Return a long text about the table, which is made once until the table is changed.

        Args:
            key: What it describes.
            function: Makes it, in the thread of the position.
        """

        def made() -> str:
            if key not in self._made:
                found = function()
                if len(self._made) >= _MOST_KEPT:
                    self._made.clear()
                self._made[key] = found
            return self._made[key]

        return await self.run(made)

    async def change(self, action: Callable[[], None], *, stop_engine: bool = True) -> None:
        """Change the table and send its state to all windows.

        Args:
            action: A function of the table.
            stop_engine: Whether a search that began earlier is for the wrong position or seat.

        Raises:
            RequestError: The table refuses the change.
        """
        async with self.lock:
            await self.run(action)
            self.changed(stop_engine)
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
            await self._save()
            await self._send_tree()
            return result

    async def _save(self) -> None:
        try:
            await self.run(self.save)
        except OSError as error:
            reason = failure_reason(error)
            failure = RequestError(
                "not-saved", f"The table cannot be saved: {reason}", reason=reason
            )
            self.connections.broadcast(failure.as_message())

    async def _send_tree(self) -> None:
        """Send what has changed; with secrets, all moves, as far as each viewer may know them."""
        await self.run(self._made.clear)
        changes = await self.run(self.table.tree.take_changes)
        had_secrets = self.has_secrets
        self.has_secrets = await self.run(lambda: self.table.has_secrets)
        if self.has_secrets or had_secrets:
            await self._send_each(self.messages.whole_tree)
        elif changes is not None:
            self.connections.broadcast({"is": "tree", **changes})

    async def _send_each(self, message: Callable[[Viewer], dict[str, object]]) -> None:
        """Send each window the message for what the holder of its key may know.

        Connections whose key has been replaced are closed.
        """
        messages: dict[Viewer, dict[str, object]] = {}
        for connection in self.connections:
            viewer = self.table.seats.viewer_of(connection.key)
            if viewer is None:
                connection.close(_POLICY_VIOLATION)
                self.connections.remove(connection)
                continue
            if viewer not in messages:
                messages[viewer] = await self.run(partial(message, viewer))
            connection.send(messages[viewer])

    async def send_state(self) -> None:
        """Send moves and state of the table to all windows."""
        await self._save()
        if self._sent_game is not self.table.game:
            self._sent_game = self.table.game
            self.connections.broadcast(await self.run(self.messages.game))
        await self._send_tree()
        self.send_absent()
        await self._send_each(self.messages.state)
        self._start_clock_timer()

    def send_absent(self) -> None:
        """Send all windows the people elsewhere who have no window open, if they have changed."""
        absent = self.messages.absent(self.connections.keys())
        if absent != self._absent:
            self._absent = absent
            self.connections.broadcast({"is": "absent", "players": absent})

    def _start_clock_timer(self) -> None:
        """Start the timer that checks the running clock when its time is over."""
        if self._clock_timer is not None:
            self._clock_timer.cancel()
        clocks = self.table.clocks
        if clocks is not None and clocks.running is not None:
            seconds = clocks.remaining(clocks.running, self.table.now())
            loop = asyncio.get_running_loop()
            self._clock_timer = loop.call_later(seconds, self._begin_check_of_clock)

    def _begin_check_of_clock(self) -> None:
        self._clock_task = asyncio.create_task(self._check_clock())

    async def _check_clock(self) -> None:
        async with self.lock:
            self.changed(await self.run(self.table.check_clock))
            await self.send_state()
