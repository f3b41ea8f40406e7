"""Untrusted engines: their answers are checked before they are used.

Owns the wrapper around foreign objects and `ask`, the one function whose result has a legal
move for certain.  It must not know particular engines.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.failure import Unwinding
from forthvm.engines.errors import EngineError, EvaluatorError, named, place_of, repr_of
from forthvm.engines.protocol import Engine, Limits, Reporter, SearchResult
from forthvm.engines.simple import moves_of
from forthvm.game.arguments import check

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.game import Move, MoveList, Position

__all__ = ["ObjectEngine", "adapt", "ask"]


def adapt(engine: object) -> Engine:
    """`engine` itself if it is an Engine, else a wrapper around its method `play`.

    Raises:
        EngineError: the object has no method `play`.
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
            EngineError: the object has no method `play`.
        """
        play = getattr(inner, "play", None)
        if not callable(play):
            raise EngineError(f"{inner!r} is not an engine: it has no method play")
        self._inner = inner
        self._play: Callable[..., object] = play
        self._takes_limits = _takes_limits(play)
        self.name = str(getattr(inner, "name", type(inner).__name__))

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Asks the object; a move text is looked up among the legal moves."""
        moves = moves_of(position, limits)  # before the engine can change the position
        player = position.turn
        start = time.perf_counter()
        answer = self._play(position, limits) if self._takes_limits else self._play(position)
        if isinstance(answer, SearchResult):
            return answer
        move = _legal(answer, moves, f"engine {self.name!r}", player)
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)

    def stop(self) -> None:
        """Calls the object's `stop`, if it has one."""
        stop = getattr(self._inner, "stop", None)
        if callable(stop):
            stop()

    def close(self) -> None:
        """Calls the object's `close`, if it has one."""
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

    The engine gets a copy of the position unless it is `in_place`, so an engine that pushes
    moves without popping them does not change the game.

    Raises:
        EngineError: the position has no legal move, the engine answered with something other
            than a legal move, or it failed; the exception it raised is the cause.
        ForthVMError: the script failed.
    """
    check(engine, Engine, "ask", "an engine, such as engines.get('random') gives")
    moves, player, ply = moves_of(position, limits), position.turn, position.ply
    board = position if engine.in_place else position.copy()
    try:
        result = engine.play(board, limits, report=report)
    except EvaluatorError as error:
        error.asked(engine.name, ply)
        raise
    except ForthVMError as error:
        # Errors of the VM and of our engines are clear as they are.  Other errors, for example
        # a refused move, are faults of the engine.
        if error.status is not None or isinstance(error, EngineError):
            raise
        raise _failed(engine, ply, error) from error
    except (KeyboardInterrupt, Unwinding):  # KeyboardInterrupt may be the user's Ctrl-C
        raise
    except BaseException as error:
        raise _failed(engine, ply, error) from error
    try:
        return _checked(result, engine.name, moves, player)
    except (ForthVMError, KeyboardInterrupt, Unwinding):
        raise
    except BaseException as error:  # the answer may run code of the engine
        raise _failed(engine, ply, error) from error


def _checked(result: object, name: str, moves: MoveList, player: str) -> SearchResult:
    """The answer with a legal move and fields that do not run code of the engine later."""
    if not isinstance(result, SearchResult):
        raise EngineError(f"engine {name!r} gave {repr_of(result)} instead of a SearchResult")
    move = _legal(result.move, moves, f"engine {name!r}", player)
    _check_fields(result, name)
    return dataclasses.replace(result, move=move, info=dict(result.info))


def _failed(engine: Engine, ply: int, error: BaseException) -> EngineError:
    did = "tried to end the process" if isinstance(error, SystemExit) else "failed"
    place = place_of(error)
    return EngineError(
        f"engine {engine.name!r} {did} at ply {ply}: {named(error)}",
        hints=(place,) if place else (),
    )


def _check_fields(result: SearchResult, name: str) -> None:
    """Refuses fields of the wrong type."""
    from forthvm.game import Move  # imported already if there is a result

    for field, kinds in _FIELDS.items():
        value = getattr(result, field)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise EngineError(f"engine {name!r} gave {field}={repr_of(value)} in its SearchResult")
    for move in result.pv:
        if not isinstance(move, Move):
            raise EngineError(
                f"engine {name!r} gave {repr_of(move)} in its pv, which is not a Move"
            )


_FIELDS: dict[str, tuple[type, ...]] = {
    "score": (int, type(None)),
    "pv": (tuple, list),
    "depth": (int,),
    "nodes": (int,),
    "time": (int, float),
    "info": (Mapping,),
}


def _legal(answer: object, moves: MoveList, who: str, player: str) -> Move:
    """The legal move that `answer` is or names."""
    from forthvm.game import Move  # imported already if there is a position

    if isinstance(answer, Move) and answer in moves:
        return next(move for move in moves if move == answer)
    if isinstance(answer, str) and answer in moves.texts:
        return moves[moves.texts.index(answer)]
    shown = repr_of(str(answer) if isinstance(answer, Move) else answer)
    raise EngineError(f"{who} played {shown}, which is not a legal move of {player}")


def _takes_limits(play: Callable[..., object]) -> bool:
    """Whether `play` takes a second argument."""
    import inspect  # slow to import; our own engines do not need it

    try:
        inspect.signature(play).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # a built-in function without a signature
        return True
    return True
