"""The server of a table, on which all windows play.

Owns the thread of the position, and what each window may see and do.  All work on the position runs
in one thread of its own, so the server answers other requests meanwhile.

The handler of a request either changes the table for all windows (`TableServer.change`), or sends
an answer to the window that made the request.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from forthvm.system.files import failure_reason
from forthvm.web.play import (
    file_requests,
    piece_requests,
    play_requests,
    setup_requests,
    share_requests,
)
from forthvm.web.play.engine_seats import EngineSeats
from forthvm.web.serving.access import LOOPBACK_NAMES, Access
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.page_server import MAX_REQUEST, PageServer
from forthvm.web.study import explanation_requests, study_requests, tree_requests
from forthvm.web.study.analysis import Analysis
from forthvm.web.study.study_thread import StudyThread
from forthvm.web.table.game_choice import GameChoice
from forthvm.web.table.messages import TableMessages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forthvm.catalogue.bundled import BundledGame
    from forthvm.web.serving.connections import Connection
    from forthvm.web.table.seats import Viewer
    from forthvm.web.table.table import Table

__all__ = ["MAX_UPLOAD", "TableServer"]

MAX_UPLOAD = 4 << 20
"""The maximum length of a request of the owner in characters; that of a long game is 100,000."""

_T = TypeVar("_T")

_FOR_ALL = frozenset({"look", "pieces", "picture", "replay", "text"})
"""Requests that all windows may make."""
_FOR_PLAYERS = frozenset(
    {
        "play",
        "type",
        "undo",
        "step back",
        "move now",
        "offer",
        "answer",
        "resign",
        "why not",
        "save",
        "link",
    }
)
"""Requests that all players may make; requests that are in neither set are only for the owner."""
_NOT_REVEALING = (_FOR_ALL | _FOR_PLAYERS) - {"save", "link", "replay", "text", "why not"} | {
    "new",
    "load",
    "dropped",
    "options",
    "seat",
    "renew",
    "redo",
    "edit",
    "set up",
}
"""Requests whose answers do not reveal hidden pieces of other players."""
_POLICY_VIOLATION = 1008
_ADVICE = (
    "If it contains a position (#position=...), paste it on your own board under Share, or run\n"
    "    forthvm board --position LINK\n"
)


class TableServer(PageServer):
    """Serves one table to browsers that know one of its keys.

    Attributes:
        table: The table.  Only functions that are passed to `run` or `change` may use it.
        choice: The games that the table can change to.
        messages: What is sent to the windows.
        engines: Makes the moves of engines and of chance.
        lock: Held while the table is changed.
        analysis: The engine that analyses positions for windows.
        studies: The thread that explains positions to windows.
        save: Saves the table after each change; it may raise OSError.
        has_secrets: Whether players do not see some pieces of others.
        changes: The number of changes of the position and of seats; a search that began before
            the last one is worthless.
    """

    def __init__(
        self,
        table: Table,
        names: Iterable[str] = LOOPBACK_NAMES,
        others: Iterable[BundledGame] = (),
    ) -> None:
        """Prepare the application.

        Args:
            table: The table.
            names: The names under which browsers may address the server.
            others: Games that are offered besides the bundled and installed ones.
        """
        super().__init__(
            "index.html",
            Access(lambda key: table.seats.viewer_of(key) is not None, names, _ADVICE),
        )
        self.table = table
        self.choice = GameChoice(table.game, others)
        self.messages = TableMessages(table, self.choice)
        self._sent_game = table.game
        self._absent: list[str] = []
        self.lock = asyncio.Lock()
        self.save: Callable[[], None] = lambda: None
        self.changes = 0
        self.has_secrets = False
        self._clock_timer: asyncio.TimerHandle | None = None
        self._clock_task: asyncio.Task[None] | None = None
        self._worker = ThreadPoolExecutor(1, "table")
        self.engines = EngineSeats(self)
        self.analysis = Analysis(self)
        self.studies = StudyThread(self)
        for requests in (
            play_requests,
            file_requests,
            setup_requests,
            tree_requests,
            study_requests,
            explanation_requests,
            piece_requests,
            share_requests,
        ):
            self.handlers |= requests.handlers(self)

    async def start(self) -> None:
        """Let engines and chance move."""
        await self._save()
        await self._send_tree()  # before windows open, so that they get changes only
        self._start_clock_timer()
        self.engines.drive()

    async def close(self) -> None:
        """End the searches of engines, and the thread of the position."""
        if self._clock_timer is not None:
            self._clock_timer.cancel()
        await self.engines.close()
        await self.analysis.close()
        self.studies.close()
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def greet(self, connection: Connection) -> None:
        """Send the board, the moves and the state of the table to a new window."""
        async with self.lock:  # so that no change comes before the whole tree
            viewer = self.viewer_of(connection)
            self._send_absent()
            for message in await self.run(lambda: self.messages.opening(viewer)):
                connection.send(message)
            connection.is_greeted = True
            if self._absent:  # as it is by now
                connection.send({"is": "absent", "players": self._absent})
            if self.engines.thinking:
                connection.send(self.engines.thinking)
        self.engines.drive()

    def check_request(self, connection: Connection, name: str) -> None:
        """Raise RequestError if a window may not make the requests with a name."""
        viewer = self.viewer_of(connection)
        if self.has_secrets and name not in _NOT_REVEALING:
            raise RequestError("secret", "This would reveal hidden pieces before the game ends.")
        if viewer.is_owner or name in _FOR_ALL:
            return
        if not viewer.players:
            raise RequestError("watcher", "With this link you can only watch.")
        if name not in _FOR_PLAYERS:
            raise RequestError("owner-only", "Only the owner of the table may do this.")

    def longest_request(self, connection: Connection) -> int:
        """Return the number of characters that a request may have; the owner sends whole games."""
        viewer = self.table.seats.viewer_of(connection.key)
        return MAX_UPLOAD if viewer is not None and viewer.is_owner else MAX_REQUEST

    async def window_closed(self, connection: Connection) -> None:
        """End the work for a window that is closed."""
        self.analysis.forget(connection)
        self.studies.forget(connection)
        self._send_absent()

    async def after_request(self) -> None:
        """Let engines and chance move."""
        self.engines.drive()

    async def run(self, function: Callable[[], _T]) -> _T:
        """Run a function in the thread of the position."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, function)

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
            self.analysis.update()  # a game with a guest may have begun
            if stop_engine:
                self.changes += 1
                self.engines.stop()
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
        self._send_absent()
        await self._send_each(self.messages.state)
        self._start_clock_timer()

    def _send_absent(self) -> None:
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
            if await self.run(self.table.check_clock):
                self.changes += 1
                self.engines.stop()
            await self.send_state()
        self.engines.drive()

    def viewer_of(self, connection: Connection) -> Viewer:
        """Return what the holder of a connection's key may do.

        Raises:
            RequestError: The key has been replaced.
        """
        viewer = self.table.seats.viewer_of(connection.key)
        if viewer is None:
            raise RequestError("old-key", "This link is not valid any more.")
        return viewer
