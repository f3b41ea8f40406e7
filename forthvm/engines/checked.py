"""Calls of engines with checks of their results.

Owns `choose_move`, which guarantees that the result has a legal move, and the wrapper that makes an
Engine of another object with a method `play`.
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

from forthvm.core.arguments import check
from forthvm.core.errors import ForthVMError
from forthvm.core.failure import Unwinding
from forthvm.core.text.visible import shown
from forthvm.engines.errors import (
    EngineError,
    EvaluatorError,
    describe_error,
    user_code_location,
)
from forthvm.engines.protocol import Engine, Limits, Reporter, SearchResult
from forthvm.engines.result_fields import checked_reporter, plain_result
from forthvm.engines.simple import checked_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.game import Move, MoveList, Position

__all__ = ["ObjectEngine", "adapt", "choose_move", "prepare"]


def adapt(engine: object) -> Engine:
    """Return `engine` if it is an Engine, else a wrapper around its method `play`.

    Raises:
        EngineError: The object has no method `play`.
    """
    if isinstance(engine, Engine):
        return engine
    return ObjectEngine(engine)


class ObjectEngine(Engine):
    """An engine that calls the method `play(position, limits)` of an object.

    The method may return a SearchResult, a Move or a move text.
    """

    def __init__(self, inner: object) -> None:
        """Wrap an object.

        Raises:
            EngineError: The object has no method `play`.
        """
        play = getattr(inner, "play", None)
        if not callable(play):
            raise EngineError(f"{inner!r} is not an engine: it has no method play")
        self._inner = inner
        self._play: Callable[..., object] = play
        self._accepts_limits = _accepts_limits(play)
        self.name = str(getattr(inner, "name", type(inner).__name__))

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Call the object's `play`; convert a Move or a move text to a SearchResult."""
        moves = checked_moves(position, limits)  # read before the object changes the position
        player = position.turn
        start = time.perf_counter()
        returned = self._play(position, limits) if self._accepts_limits else self._play(position)
        if isinstance(returned, SearchResult):
            return returned
        move = _legal(returned, moves, f"engine {self.name!r}", player)
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)

    def stop(self) -> None:
        """Call the object's `stop`, if it has one."""
        stop = getattr(self._inner, "stop", None)
        if callable(stop):
            stop()

    def close(self) -> None:
        """Call the object's `close`, if it has one."""
        close = getattr(self._inner, "close", None)
        if callable(close):
            close()


def choose_move(
    engine: Engine,
    position: Position,
    limits: Limits | None = None,
    *,
    report: Reporter | None = None,
) -> SearchResult:
    """Call an engine, and return its result after checking that the move is legal.

    Numbers in the result and in the reports become plain integers and floats.

    Unless the engine is `in_place`, its argument is a copy of the position: an engine may then push
    moves without popping them.

    Raises:
        EngineError: The position has no legal move, the engine did not return a legal move, a field
            of its result or of a report has no valid value, or the engine raised an exception,
            which is the cause.
        ForthVMError: The script failed.
    """
    expected = "an engine, such as engines.get('random') or get(a class with a method play) returns"
    check(engine, Engine, "choose_move", expected)
    moves, player, ply = checked_moves(position, limits), position.turn, position.ply
    searched = position if engine.in_place else position.copy()
    report = None if report is None else checked_reporter(report, engine.name)
    try:
        result = engine.play(searched, limits, report=report)
    except EvaluatorError as error:
        error.set_context(engine.name, ply)
        raise
    except ForthVMError as error:
        # Errors of the script and of engines are raised unchanged.  Other errors, for example an
        # illegal move, come from a mistake in the engine.
        if error.status is not None or isinstance(error, EngineError):
            raise
        raise _failed(engine, ply, error) from error
    except (KeyboardInterrupt, Unwinding):  # KeyboardInterrupt may be the user's Ctrl-C
        raise
    except BaseException as error:
        raise _failed(engine, ply, error) from error
    try:
        return _checked(result, engine.name, position, moves, player)
    except (ForthVMError, KeyboardInterrupt, Unwinding):
        raise
    except BaseException as error:  # reading the result may run code of the engine
        raise _failed(engine, ply, error) from error


def prepare(engine: Engine, position: Position) -> None:
    """Let an engine get ready for a game that begins at a position, of which it gets a copy.

    Raises:
        EngineError: The engine raised an exception, which is the cause.
    """
    try:
        engine.prepare(position.copy())
    except (ForthVMError, KeyboardInterrupt, Unwinding):
        raise
    except BaseException as error:
        raise _failed(engine, position.ply, error) from error


def _checked(
    result: object, name: str, position: Position, moves: MoveList, player: str
) -> SearchResult:
    """Return a copy of the result, with a move of the list and checked fields."""
    from forthvm.game import Move  # imported already if there is a position

    if isinstance(result, str | Move):
        result = SearchResult(move=_legal(result, moves, f"engine {name!r}", player))
    if not isinstance(result, SearchResult):
        raise EngineError(f"engine {name!r} returned {shown(result)} instead of a SearchResult")
    move = _legal(result.move, moves, f"engine {name!r}", player)
    plain = plain_result(result, name)
    return dataclasses.replace(plain, move=move, pv=_line(position, plain.pv, name))


def _failed(engine: Engine, ply: int, error: BaseException) -> EngineError:
    action = "tried to end the process" if isinstance(error, SystemExit) else "failed"
    location = user_code_location(error)
    return EngineError(
        f"engine {engine.name!r} {action} at ply {ply}: {describe_error(error)}",
        hints=(location,) if location else (),
    )


def _line(position: Position, pv: Sequence[object], name: str) -> tuple[Move, ...]:
    """Return the moves of a principal variation, in which an engine may return texts.

    Raises:
        EngineError: An item is neither a Move nor the text of a legal move.
    """
    from forthvm.game import Move  # imported already if there is a result

    moves: list[Move] = []
    for item in pv:
        if isinstance(item, Move):
            moves.append(item)
            continue
        after = position.copy()
        try:
            for move in moves:
                after.push(move)
            moves.append(after.parse(item))  # type: ignore[arg-type]  # parse checks the type
        except (ForthVMError, TypeError) as error:
            raise EngineError(
                f"engine {name!r} returned {shown(item)} in its pv, which is no legal move"
            ) from error
    return tuple(moves)


def _legal(chosen: object, moves: MoveList, engine: str, player: str) -> Move:
    """Return the legal move that an engine chose by returning a Move or the text of a move."""
    from forthvm.core.errors import AmbiguousMoveError, MoveError
    from forthvm.game import Move  # imported already if there is a position

    problem = ""
    if isinstance(chosen, Move) and chosen in moves:
        return next(move for move in moves if move == chosen)
    if isinstance(chosen, str):
        try:
            return moves.find(chosen)
        except AmbiguousMoveError as error:
            problem = f": {error}"
        except MoveError:
            pass
    text = shown(str(chosen) if isinstance(chosen, Move) else chosen)
    raise EngineError(f"{engine} played {text}, which is not a legal move of {player}{problem}")


def _accepts_limits(play: Callable[..., object]) -> bool:
    """Whether `play` accepts a second argument."""
    import inspect  # slow to import; the built-in engines do not need it

    try:
        inspect.signature(play).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # a built-in function without a signature
        return True
    return True
