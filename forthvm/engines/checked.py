"""Engines from outside: what they answer is checked before anybody relies on it.

Owns the wrapper around foreign objects and `ask`, the one way to get a move that is
certain to be legal.  It must not know particular engines.
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
        moves = moves_of(position, limits)  # before the engine can spoil the position
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
        EngineError: there is no move to ask for; or it answered with something that is no
            legal move, or failed, and whatever it raised is the cause.
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
        # What the VM answered, and what our engines say, says enough; a move that an engine
        # from outside could not make is nobody else's mistake.
        if error.status is not None or isinstance(error, EngineError):
            raise
        raise _failed(engine, ply, error) from error
    except (KeyboardInterrupt, Unwinding):  # nothing tells the first from the user's Ctrl-C
        raise
    except BaseException as error:
        raise _failed(engine, ply, error) from error
    try:
        return _checked(result, engine.name, moves, player)
    except (ForthVMError, KeyboardInterrupt, Unwinding):
        raise
    except BaseException as error:  # code of its own in its answer
        raise _failed(engine, ply, error) from error


def _checked(result: object, name: str, moves: MoveList, player: str) -> SearchResult:
    """An answer with a legal move, and nothing in it that runs an engine's code later."""
    if not isinstance(result, SearchResult):
        raise EngineError(f"engine {name!r} gave {repr_of(result)} instead of a SearchResult")
    move = _legal(result.move, moves, f"engine {name!r}", player)
    _refuse_rubbish(result, name)
    return dataclasses.replace(result, move=move, info=dict(result.info))


def _failed(engine: Engine, ply: int, error: BaseException) -> EngineError:
    did = "tried to end the process" if isinstance(error, SystemExit) else "failed"
    place = place_of(error)
    return EngineError(
        f"engine {engine.name!r} {did} at ply {ply}: {named(error)}",
        hints=(place,) if place else (),
    )


def _refuse_rubbish(result: SearchResult, name: str) -> None:
    """Fields that whoever prints or counts them could not use."""
    from forthvm.game import Move  # whoever has a result has imported it

    for field, kinds in _FIELDS.items():
        value = getattr(result, field)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise EngineError(f"engine {name!r} gave {field}={repr_of(value)} in its SearchResult")
    for move in result.pv:
        if not isinstance(move, Move):
            raise EngineError(f"engine {name!r} gave {repr_of(move)} in its pv, which is no Move")


_FIELDS: dict[str, tuple[type, ...]] = {
    "score": (int, type(None)),
    "pv": (tuple, list),
    "depth": (int,),
    "nodes": (int,),
    "time": (int, float),
    "info": (Mapping,),
}


def _legal(answer: object, moves: MoveList, who: str, player: str) -> Move:
    """The legal move that `answer` is, or names."""
    from forthvm.game import Move  # whoever has a position has imported it

    if isinstance(answer, Move) and answer in moves:
        return next(move for move in moves if move == answer)
    if isinstance(answer, str) and answer in moves.texts:
        return moves[moves.texts.index(answer)]
    told = repr_of(str(answer) if isinstance(answer, Move) else answer)
    raise EngineError(f"{who} played {told}, which is no legal move of {player}")


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
