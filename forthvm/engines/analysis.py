"""Analysis: runs an engine in another thread, and iterates over the reports of the engine.

Owns the thread.
"""

from __future__ import annotations

from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Self

from forthvm.engines.checked import choose_move
from forthvm.engines.protocol import check_limits
from forthvm.engines.registry import get
from forthvm.game.position import check_position
from forthvm.system.interrupts import next_item, wait_for_thread

if TYPE_CHECKING:
    from types import TracebackType

    from forthvm.engines.protocol import Engine, Info, Limits, SearchResult
    from forthvm.game import Position

__all__ = ["Analysis", "analyse"]


def analyse(
    engine: Engine | str | object, position: Position, limits: Limits | None = None
) -> Analysis:
    """Start an engine on a position and iterate over its reports.

    The engine runs in another thread, on a copy of the position in another VM, so the caller may
    change the position meanwhile.  Leaving the `with` block stops the engine and waits for its
    result.  Therefore the engine must support `stop`, or the search needs limits.

    Args:
        engine: An engine, or any argument that `get` accepts.
        position: The position to analyse.
        limits: The limits of the search; None to search until the engine is stopped.

    Raises:
        EngineError: `get` cannot create an engine from the argument.

    >>> import forthvm
    >>> with analyse("negamax:depth=5", forthvm.load("tictactoe").start()) as analysis:
    ...     depths = [info.depth for info in analysis]
    >>> depths, str(analysis.result.move)
    ([1, 2, 3, 4, 5], 'X mark b2')
    """
    check_position(position, "analyse")
    check_limits(limits, "analyse")
    return Analysis(get(engine), position, limits)


class Analysis:
    """A running engine.  Iteration yields its reports; leaving the `with` block stops it."""

    def __init__(self, engine: Engine, position: Position, limits: Limits | None) -> None:
        """Start the engine; callers use `analyse`, which checks its arguments."""
        self._engine = engine
        self._reports: SimpleQueue[Info | None] = SimpleQueue()
        self._result: SearchResult | None = None
        self._failure: BaseException | None = None
        self._position = position
        searched = position.copy(game=position.game.clone())
        self._thread = Thread(
            target=self._search, args=(searched, limits), name="forthvm analysis", daemon=True
        )
        self._thread.start()

    def _search(self, position: Position, limits: Limits | None) -> None:
        try:
            self._result = choose_move(self._engine, position, limits, report=self._reports.put)
        except BaseException as failure:  # raised again in the caller's thread
            self._failure = failure
        finally:
            self._reports.put(None)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info:
        """Wait for the next report.

        Raises:
            Exception: The engine failed.
        """
        info = next_item(self._reports)
        if info is None:
            self._reports.put(None)  # for later calls
            self._raise_failure()
            raise StopIteration
        return info

    @property
    def result(self) -> SearchResult:
        """Wait for the engine's result; its moves belong to the copy of the position.

        Raises:
            Exception: The engine failed.
        """
        wait_for_thread(self._thread)
        self._raise_failure()
        assert self._result is not None
        return self._result

    def stop(self) -> SearchResult:
        """Stop the engine and return its result."""
        self._stop_and_wait()
        return self.result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._stop_and_wait()

    def _stop_and_wait(self) -> None:
        while self._thread.is_alive():
            self._engine.stop()
            self._thread.join(0.005)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure
