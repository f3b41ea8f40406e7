"""The fallback if a script's engine fails: the first legal move.

Owns the fallback and its message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import EngineError, ForthVMError, Interrupted
from forthvm.engines.checked import choose_move
from forthvm.engines.protocol import SearchResult

if TYPE_CHECKING:
    from forthvm.engines.protocol import Engine, Limits, Reporter
    from forthvm.game import Position

__all__ = ["choose_move_or_first"]


def choose_move_or_first(
    engine: Engine,
    position: Position,
    limits: Limits | None = None,
    *,
    report: Reporter | None = None,
) -> SearchResult:
    """Return the result of an engine, or the first legal move if the engine `script` fails.

    `info["faults"]` of the result has a text for each fault.

    Raises:
        Interrupted: The search was interrupted.
        ForthVMError: An engine other than `script` failed, or the position has no legal move.
    """
    try:
        return choose_move(engine, position, limits, report=report)
    except Interrupted:
        raise
    except ForthVMError as failure:
        if engine.name != "script" or position.result is not None or position.is_stuck:
            raise
        move = position.legal_moves[0]
        text = str(failure) if isinstance(failure, EngineError) else failure.report()
        fault = f"{text}\n{position.turn} plays the first legal move, {str(move)!r}."
        return SearchResult(move=move, pv=(move,), info={"faults": (fault,)})
