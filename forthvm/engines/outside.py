"""Engines from outside: what they answer is checked before anybody relies on it.

Owns the wrapper around foreign objects and `ask`, the one way to get a move that is
certain to be legal.  It must not know particular engines.
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.engines.errors import EngineError
from forthvm.engines.protocol import Engine, Limits, Reporter, SearchResult
from forthvm.engines.simple import moves_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.game import Move, MoveList, Position

__all__ = ["ObjectEngine", "adapt", "ask"]


def adapt(engine: object) -> Engine:
    """`engine` itself where it is one, else a wrapper around its `play`.

    Raises:
        EngineError: it has no `play`.
    """
    if isinstance(engine, Engine):
        return engine
    return ObjectEngine(engine)


class ObjectEngine(Engine):
    """An object with `play(position, limits)` as an engine.

    It may answer with a SearchResult, a Move or a move text.
    """

    def __init__(self, inner: object) -> None:
        """Wraps `inner`.

        Raises:
            EngineError: it has no `play` that takes a position.
        """
        play = getattr(inner, "play", None)
        if not callable(play):
            raise EngineError(f"{inner!r} is no engine: it has no method play")
        self._inner = inner
        self._play: Callable[..., object] = play
        self._room = _room_for_limits(play)
        self.name = str(getattr(inner, "name", type(inner).__name__))

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Asks the object; a move text is looked up among the legal moves."""
        moves = moves_of(position)  # before the engine can spoil the position
        player = position.turn
        start = time.perf_counter()
        answer = self._play(position, limits) if self._room else self._play(position)
        if isinstance(answer, SearchResult):
            return answer
        move = _legal(answer, moves, f"engine {self.name!r}", player)
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)

    def stop(self) -> None:
        """Passes the wish on where the object can take it."""
        stop = getattr(self._inner, "stop", None)
        if callable(stop):
            stop()

    def close(self) -> None:
        """Closes the object where it can be closed."""
        close = getattr(self._inner, "close", None)
        if callable(close):
            close()


def ask(
    engine: Engine,
    position: Position,
    limits: Limits | None = None,
    *,
    report: Reporter | None = None,
) -> SearchResult:
    """An engine's answer, its move checked to be legal.

    An engine from outside gets a copy, so that even one that pushes and forgets to pop
    leaves the game as it was.

    Raises:
        EngineError: it answered with something that is no legal move, or failed.
    """
    board = position if engine.in_place else position.copy()
    try:
        result = engine.play(board, limits, report=report)
    except ForthVMError:
        raise
    except Exception as error:
        raise EngineError(f"engine {engine.name!r} failed: {error!r}") from error
    if not isinstance(result, SearchResult):
        raise EngineError(f"engine {engine.name!r} gave {result!r} instead of a SearchResult")
    move = _legal(result.move, position.legal_moves, f"engine {engine.name!r}", position.turn)
    return dataclasses.replace(result, move=move)


def _legal(answer: object, moves: MoveList, who: str, player: str) -> Move:
    """The legal move that `answer` is, or names."""
    for move in moves:
        if move is answer or move == answer:
            return move
    if isinstance(answer, str) and answer in moves.texts:
        return moves[moves.texts.index(answer)]
    raise EngineError(f"{who} played {str(answer)!r}, which is no legal move of {player}")


def _room_for_limits(play: Callable[..., object]) -> bool:
    """Whether `play` takes a second argument."""
    import inspect  # slow to start; our own engines do not need it

    try:
        inspect.signature(play).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # built in, and without a signature
        return True
    return True
