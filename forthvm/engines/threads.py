"""Searches side by side: other threads, each with a VM of its own.

Owns the clones of a game and the life of the threads.  It must not know what they search.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.bindings import NativeVM
    from forthvm.game import Game, Position

    Work = Callable[[NativeVM, int], None]

__all__ = ["MAX_THREADS", "Crew"]

MAX_THREADS = 256

_GO_ON, _STOP = 0, 2


class Crew:
    """Threads that help one that searches."""

    def __init__(self, size: int) -> None:
        """`size` threads in all, the one that is helped among them."""
        self.size = size
        self._clones: WeakKeyDictionary[Game, list[Game]] = WeakKeyDictionary()

    @contextmanager
    def at_work(self, position: Position, work: Work) -> Iterator[None]:
        """Others search while the block runs, and stop when it ends.

        `work` gets a VM, the position in it, and a number that is no other thread's.

        Raises:
            Exception: whatever went wrong in one of them.
        """
        helpers = [
            _Helper(position.copy(game=clone), work, number)
            for number, clone in enumerate(self._games(position.game), start=1)
        ]
        for helper in helpers:
            helper.start()
        try:
            yield
        finally:
            for helper in helpers:
                helper.end()
        for helper in helpers:
            if helper.failure is not None:
                raise helper.failure

    def _games(self, game: Game) -> list[Game]:
        clones = self._clones.setdefault(game, [])
        while len(clones) < self.size - 1:
            clones.append(game.clone())
        return clones


class _Helper(Thread):
    def __init__(self, position: Position, work: Work, number: int) -> None:
        super().__init__(name=f"forthvm search {number}", daemon=True)
        self._position = position
        self._work = work
        self._number = number
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            with self._position.enter() as native:
                native.engine_stop(_GO_ON)  # the wish that ended the last search
                self._work(native, self._number)
        except BaseException as failure:  # it is raised where somebody can see it
            self.failure = failure

    def end(self) -> None:
        """Stop, and wait for it: a stop may come before the search has begun."""
        native = self._position.game.vm.native
        while self.is_alive():
            native.engine_stop(_STOP)
            self.join(0.002)
