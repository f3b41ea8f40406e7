"""The engine that analyses positions for the windows that ask for it.

Owns the engine with its thread and its game, and the choice of the position.

One engine serves all windows.  It analyses the newest request of any window.  When this search is
complete or cancelled, the engine continues with the newest request of another window.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING

from forthvm import engines
from forthvm.core.errors import ForthVMError
from forthvm.engines import Limits
from forthvm.game import Position
from forthvm.web.serving.errors import RequestError, script_error
from forthvm.web.study.analysis_lines import Lines, can_be_analysed, engine_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.engines import Engine, Info
    from forthvm.game import Game
    from forthvm.web.serving.connections import Connection
    from forthvm.web.table.shared_table import SharedTable

__all__ = ["Analysis"]

_LONG = Limits(time=600.0, depth=100)
"""The limits of a search; it ends even if a window stays open for days."""
_SHORT = Limits(time=0.4, depth=100)
"""The limits for each position of a review."""
_INTERVAL = 0.15
"""Seconds between two messages about one position."""


class Analysis:
    """The analysing engine, and the windows that wait for its lines."""

    def __init__(self, shared: SharedTable) -> None:
        """Prepare the thread; the engine starts when a window asks."""
        self._shared = shared
        self._thread = ThreadPoolExecutor(1, "analysis")
        self._asked: dict[Connection, int] = {}  # nodes; the newest request is the last
        self._reviewed: dict[Connection, list[int]] = {}  # nodes that are still to be reviewed
        self._lines: dict[int, Lines] = {}
        self._complete: set[int] = set()
        self._task: asyncio.Task[None] | None = None
        self._now: tuple[int, Limits] | None = None  # the node and limits of the search
        self._stopping = False
        self._engine: Engine | None = None
        self._game: Game | None = None
        self._copied: Game | None = None  # the game of which `_game` is a copy

    def ask(self, connection: Connection, number: int) -> None:
        """Analyse a node for a window, in place of the earlier request of the window.

        Raises:
            RequestError: The table does not allow it.
        """
        self._check()
        self._asked.pop(connection, None)
        self._asked[connection] = number
        self.update()
        if number in self._lines or number in self._complete:
            connection.send(self._message(number))

    def review(self, connection: Connection, numbers: Sequence[int]) -> None:
        """Analyse several nodes for a window, each for a moment.

        Raises:
            RequestError: The table does not allow it.
        """
        self._check()
        self._reviewed[connection] = list(numbers)
        self.update()

    def forget(self, connection: Connection) -> None:
        """Cancel all requests of a window."""
        self._asked.pop(connection, None)
        self._reviewed.pop(connection, None)
        self.update()

    def moves(self, number: int, rank: int, count: int) -> tuple[str, ...]:
        """Return the first moves of a line that was found.

        Raises:
            RequestError: There is no such line.
        """
        lines = self._lines.get(number)
        moves = lines.moves(rank, count) if lines else ()
        if not moves:
            raise RequestError("no-line", "The engine has no such line now.")
        return moves

    async def close(self) -> None:
        """End the search and the thread."""
        self._asked.clear()
        self._reviewed.clear()
        self._stop()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _check(self) -> None:
        """Raise RequestError if a person elsewhere plays a game with clocks at the table."""
        if not self._shared.table.allows_analysis:
            raise RequestError(
                "fair-play", "The engine is off while a guest plays with a clock, unless you agree."
            )

    # --- the choice of the position -------------------------------------------------------

    def _next(self) -> tuple[int, Limits] | None:
        """Return the next node to analyse, and the limits; None without requests."""
        if not self._shared.table.allows_analysis:
            return None
        for numbers in self._reviewed.values():
            if numbers:
                return numbers[0], _SHORT
        for number in reversed(self._asked.values()):
            if number not in self._complete:
                return number, _LONG
        return None

    def update(self) -> None:
        """Analyse the node that comes first now; stop a search for another node."""
        following = self._next()
        if self._now is not None and self._now != following:
            self._stop()
        if following is not None and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._work())

    def _stop(self) -> None:
        self._stopping = True
        if self._engine is not None:
            self._engine.stop()

    async def _work(self) -> None:
        """Analyse one node after another."""
        while (chosen := self._next()) is not None:
            self._now, self._stopping = chosen, False
            number, limits = chosen
            failure: dict[str, object] | None = None
            try:
                await self._analyse(number, limits)
            except RequestError as error:  # the node was deleted
                failure = error.as_message()
            except ForthVMError as error:
                failure = script_error(error)
            if failure or not self._stopping:
                self._finish(number, limits)
            self._now = None
            self._send(number, failure)

    def _finish(self, number: int, limits: Limits) -> None:
        """Remove a node from the reviews; after a long search, do not analyse it again."""
        for numbers in self._reviewed.values():
            if numbers[:1] == [number]:
                del numbers[0]
        if limits is _LONG:
            self._complete.add(number)

    # --- one position ---------------------------------------------------------------------

    async def _analyse(self, number: int, limits: Limits) -> None:
        """Let the engine search until it is stopped or has finished."""
        prepared = await self._shared.run(lambda: self._prepare(number))
        if prepared is None:
            return
        position, document = prepared
        lines = self._lines.setdefault(number, Lines(self._shared.table.game, position.turn))
        reports: SimpleQueue[Info] = SimpleQueue()
        search = asyncio.get_running_loop().run_in_executor(
            self._thread, lambda: self._search(document, limits, reports)
        )
        while not search.done():
            await asyncio.wait([search], timeout=_INTERVAL)
            news = [lines.add(reports.get()) for _ in range(reports.qsize())]
            if any(news):
                await self._shared.run(lambda: lines.shorten(position))
                self._send(number)
        await search

    def _prepare(self, number: int) -> tuple[Position, str] | None:
        """Return the position of a node, also as a document; None without a choice."""
        tree = self._shared.table.tree
        position = tree.position_at(tree.node(number))
        return (position, position.to_json()) if can_be_analysed(position) else None

    def _search(self, document: str, limits: Limits, reports: SimpleQueue[Info]) -> None:
        """Search in the thread of the engine."""
        game = self._shared.table.game
        if self._game is None or self._engine is None or self._copied is not game:
            self._game, self._copied = game.clone(), game
            self._engine = engines.get(engine_for(game))
        engine = self._engine
        position = Position.from_json(self._game, document)

        def report(info: Info) -> None:
            if self._stopping:  # also if the request came before the search had begun
                engine.stop()
            reports.put(info)

        if not self._stopping:
            engines.choose_move(engine, position, limits, report=report)

    def _send(self, number: int, failure: dict[str, object] | None = None) -> None:
        """Send the lines of a node to the windows that wait for them."""
        message = self._message(number, failure)
        for connection in {*self._asked, *self._reviewed}:
            if self._asked.get(connection) == number or connection in self._reviewed:
                connection.send(message)

    def _message(self, number: int, failure: dict[str, object] | None = None) -> dict[str, object]:
        lines = self._lines.get(number)
        running = self._now is not None and self._now[0] == number
        known = lines.as_json() if lines else {"lines": []}
        return {"is": "lines", "node": number, "running": running, "error": failure, **known}
