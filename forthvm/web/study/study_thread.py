"""The thread in which positions are explained to windows.

Owns the thread and its game, and which explanations windows still wait for.

A window waits for one explanation of each kind, and only for those of one position: a request ends
the earlier work for the same kind or for other positions, even while the script runs.  Closing the
window ends all of its work.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.errors import ForthVMError
from forthvm.game import Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.game import Game
    from forthvm.web.serving.connections import Connection
    from forthvm.web.table.shared_table import SharedTable

__all__ = ["StudyThread"]

_T = TypeVar("_T")

_INTERVAL = 0.05  # seconds between two interrupts


class _Job:
    """An explanation for a window.

    Attributes:
        node: The node whose position is explained.
        cancelled: Set when the window waits for it no longer.
    """

    def __init__(self, node: int) -> None:
        self.node = node
        self.cancelled = Event()


class StudyThread:
    """Calls functions with a copy of a position, one after another."""

    def __init__(self, shared: SharedTable) -> None:
        """Prepare the thread; its game is loaded when it is first used."""
        self._shared = shared
        self._thread = ThreadPoolExecutor(1, "study")
        self._wanted: dict[tuple[Connection, str], _Job] = {}
        self._running: _Job | None = None
        self._game: Game | None = None
        self._copied: Game | None = None  # the game of which `_game` is a copy

    async def explain(
        self,
        connection: Connection,
        kind: str,
        number: int,
        function: Callable[[Position], _T],
    ) -> _T | None:
        """Call a function with the position of a node; None if the window wants no answer any more.

        Raises:
            TreeError: There is no such node.
            ForthVMError: The function raised it.
        """
        job = _Job(number)
        for key, other in list(self._wanted.items()):
            if key[0] is connection and (key[1] == kind or other.node != number):
                self._end(key)
        self._wanted[connection, kind] = job
        tree = self._shared.table.tree
        try:
            document = await self._shared.run(lambda: tree.position_at(tree.node(number)).to_json())
            return await asyncio.get_running_loop().run_in_executor(
                self._thread, lambda: self._call(job, document, function)
            )
        finally:
            if self._wanted.get((connection, kind)) is job:
                del self._wanted[connection, kind]

    def forget(self, connection: Connection) -> None:
        """End the work for a window."""
        for key in [key for key in self._wanted if key[0] is connection]:
            self._end(key)

    def close(self) -> None:
        """End all work."""
        for key in list(self._wanted):
            self._end(key)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _end(self, key: tuple[Connection, str]) -> None:
        job = self._wanted.pop(key, None)
        if job is not None:
            job.cancelled.set()
            self._interrupt(job)

    def _interrupt(self, job: _Job) -> None:
        """Interrupt the script repeatedly until the job ends: now it may be between two runs."""
        if job is self._running and self._game is not None:
            self._game._loaded.vm.native.interrupt()
            asyncio.get_running_loop().call_later(_INTERVAL, self._interrupt, job)

    def _call(self, job: _Job, document: str, function: Callable[[Position], _T]) -> _T | None:
        """Call a function in the thread."""
        if job.cancelled.is_set():
            return None
        game = self._shared.table.game
        if self._game is None or self._copied is not game:
            self._game, self._copied = game.clone(), game
        self._running = job
        try:
            return function(Position.from_json(self._game, document))
        except ForthVMError:
            if job.cancelled.is_set():
                return None  # the error is the interrupt
            raise
        finally:
            self._running = None
