"""The server of a results file: its statistics and games, even while the match is being played.

Owns the threads, and the messages to windows.

One thread reads the file, another makes the moves of recorded games, so that neither waits for the
other.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from forthvm.autoplay.results.store import Store
from forthvm.core.errors import ForthVMError
from forthvm.core.reading import MAX_NUMBER
from forthvm.engines.errors import describe_error
from forthvm.render.steps import SceneSteps
from forthvm.web.report.heat_map import heat_blocks
from forthvm.web.report.messages import (
    error_message,
    game_message,
    games_message,
    report_message,
    steps_messages,
    unknown_game_message,
)
from forthvm.web.report.replays import Replays
from forthvm.web.report.results_file import read_results, state_of_file
from forthvm.web.serving.access import Access
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.fields import integer
from forthvm.web.serving.page_server import PageServer

if TYPE_CHECKING:
    from asyncio import Task
    from collections.abc import Callable, Coroutine, Iterator, Mapping
    from pathlib import Path

    from forthvm.autoplay.report.blocks import Block
    from forthvm.web.report.messages import Message
    from forthvm.web.report.results_file import Results
    from forthvm.web.serving.connections import Connection

__all__ = ["ReportServer"]

_T = TypeVar("_T")

_PAUSE = 1.0
"""The minimum number of seconds between two checks of the file."""
_SHARE = 0.1
"""The maximum share of time for reading the file, so that the running match is hardly slowed."""


class ReportServer(PageServer):
    """Serves a results file to browsers that know its key.

    Attributes:
        key: The key that an address must contain.
    """

    def __init__(self, path: Path, *, trust: bool = False) -> None:
        """Prepare the application.

        Args:
            path: The results file.
            trust: Whether to load scripts that have changed, or have no digest in the file.
        """
        super().__init__("report.html", Access(self._is_key))
        self.key = secrets.token_urlsafe(16)
        self.handlers["replay"] = self._request_replay
        self._path = path
        self._trust = trust
        self._reader = ThreadPoolExecutor(1, "results")
        self._replayer = ThreadPoolExecutor(1, "replays")
        self._results: Results | None = None
        self._replays: Replays | None = None
        self._greetings: dict[object, Message] = {}
        """The messages with which a new window begins, by the values of `is`."""
        self._follower: Task[None] | None = None
        self._senders: dict[Connection, Task[None]] = {}
        """The tasks that send recorded games to windows."""

    def _is_key(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.key.encode())

    async def start(self) -> None:
        """Follow the results file."""
        self._follower = _begin(self._follow(), self._publish)

    async def close(self) -> None:
        """End all work."""
        for task in (self._follower, *self._senders.values()):
            if task is not None:
                task.cancel()
        self._reader.shutdown(wait=False, cancel_futures=True)
        self._replayer.shutdown(wait=False, cancel_futures=True)

    async def greet(self, connection: Connection) -> None:
        """Send the current messages to a new window."""
        for message in list(self._greetings.values()):
            connection.send(message)
        connection.is_greeted = True

    async def window_closed(self, connection: Connection) -> None:
        """End the replay for a closed window."""
        if connection in self._senders:
            self._senders.pop(connection).cancel()

    def _publish(self, message: Message) -> None:
        """Send a message to all windows, also to those that open later."""
        self._greetings[message["is"]] = message
        self.connections.broadcast(message)

    # --- the file -------------------------------------------------------------------------

    async def _follow(self) -> None:
        """Read the file whenever it has changed."""
        state: object = None
        while True:
            begun = time.monotonic()
            new_state = state_of_file(self._path)
            if new_state != state:
                state = new_state
                await self._update()
            await asyncio.sleep(max(_PAUSE, (time.monotonic() - begun) / _SHARE))

    async def _update(self) -> None:
        """Read the file and send what has changed."""
        try:
            results = await _run(self._reader, lambda: read_results(self._path))
        except (ForthVMError, OSError) as error:
            self._publish(error_message(error))
            return
        self._greetings.pop("error", None)
        before, self._results = self._results, results
        if before is None or before.match != results.match:
            before = None
            self._publish(report_message(results.blocks, finished=results.is_finished))
            self._publish(await _run(self._replayer, lambda: self._load(results.match)))
        self._publish_games(before, results)
        heat = await _run(self._replayer, lambda: self._heat(results))
        blocks = (*results.blocks, *heat)
        self._publish(report_message(blocks, finished=results.is_finished))

    def _publish_games(self, before: Results | None, results: Results) -> None:
        """Send the list of games, or what has changed in it."""
        old, new, total = before.games if before else {}, results.games, results.total
        whole = games_message(new.values(), total=total, whole=True)
        self._greetings["games"] = whole
        if old and old.keys() <= new.keys():
            changed = [game for number, game in new.items() if old.get(number) != game]
            self.connections.broadcast(games_message(changed, total=total, whole=False))
        else:
            self.connections.broadcast(whole)

    # --- recorded games -------------------------------------------------------------------

    def _load(self, match: Mapping[str, object]) -> Message:
        """Load the game of a match; return the message about it."""
        self._replays = None
        try:
            self._replays = Replays(match, trust=self._trust)
        except (ForthVMError, OSError) as error:
            return unknown_game_message(error)
        return game_message(self._replays.game)

    def _heat(self, results: Results) -> tuple[Block, ...]:
        replays = self._replays
        if replays is None:
            return ()
        return tuple(heat_blocks(replays.game, replays.first_scene.board, results.texts))

    async def _request_replay(self, connection: Connection, request: Mapping[str, object]) -> None:
        """Begin to send a recorded game in place of the previous one."""
        number = integer(request, "game")
        await self.window_closed(connection)
        self._senders[connection] = _begin(self._send_replay(connection, number), connection.send)

    async def _send_replay(self, connection: Connection, number: int) -> None:
        try:
            messages = await _run(self._replayer, lambda: self._steps(number))
            while (message := await _run(self._replayer, lambda: next(messages, None))) is not None:
                connection.send(message)
        except RequestError as error:
            connection.send(error.as_message())
        except (ForthVMError, OSError) as error:
            connection.send(error_message(error))

    def _steps(self, number: int) -> Iterator[Message]:
        with Store.open(self._path) as store:
            row = store.game(number) if 0 < number <= MAX_NUMBER else None
        if row is None or self._replays is None:
            text = f"There is no game {number} that can be shown."
            raise RequestError("no-game", text, number=number)
        return steps_messages(self._replays, row, SceneSteps())


def _begin(work: Coroutine[None, None, None], send: Callable[[Message], object]) -> Task[None]:
    """Begin a task; if it fails, its error is sent to the windows and logged."""

    def report_failure(task: Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            send(error_message(RuntimeError(f"the report failed: {describe_error(error)}")))
            task.get_loop().call_exception_handler(
                {"message": "a task of the report failed", "exception": error, "task": task}
            )

    task = asyncio.create_task(work)
    task.add_done_callback(report_failure)
    return task


async def _run(executor: ThreadPoolExecutor, function: Callable[[], _T]) -> _T:
    """Run a function in a thread."""
    return await asyncio.get_running_loop().run_in_executor(executor, function)
