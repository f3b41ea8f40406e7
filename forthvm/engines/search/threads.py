"""Parallel searches: additional threads, each with a VM.

Owns the clones of a game and the lifetime of the threads.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.engines.search.stopping import CONTINUE, STOP_NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.bindings import NativeVM
    from forthvm.game import Game, Position

    Work = Callable[[NativeVM, int], None]

__all__ = ["MAX_THREADS", "SearchThreads"]

MAX_THREADS = 256


class SearchThreads:
    """Threads that search in parallel with the calling thread."""

    def __init__(self, size: int) -> None:
        """Create the object for `size` threads; one of them is the calling thread."""
        self.size = size
        self._clones: WeakKeyDictionary[Game, list[Game]] = WeakKeyDictionary()

    @contextmanager
    def running(self, position: Position, work: Work) -> Iterator[None]:
        """Run `work` in the other threads during the block, and stop them at its end.

        The arguments of `work` are a VM that contains the position, and the number of the thread,
        from 1.

        Raises:
            Exception: A thread failed.
        """
        threads = [
            _SearchThread(position.copy(game=clone), work, number)
            for number, clone in enumerate(self._games(position.game), start=1)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            for thread in threads:
                thread.end()
        for thread in threads:
            if thread.failure is not None:
                raise thread.failure

    def _games(self, game: Game) -> list[Game]:
        clones = self._clones.setdefault(game, [])
        while len(clones) < self.size - 1:
            clones.append(game.clone())
        return clones


class _SearchThread(Thread):
    def __init__(self, position: Position, work: Work, number: int) -> None:
        super().__init__(name=f"forthvm search {number}", daemon=True)
        self._position = position
        self._work = work
        self._number = number
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            with self._position._in_memory() as native:
                native.engine_stop(CONTINUE)  # clears the request that ended the last search
                self._work(native, self._number)
        except BaseException as failure:  # raised again in the calling thread
            self.failure = failure

    def end(self) -> None:
        """Stop the search and wait for the end of the thread."""
        native = self._position._loaded.vm.native
        while self.is_alive():  # a request before the search begins has no effect
            native.engine_stop(STOP_NOW)
            self.join(0.002)
