"""The rule for a script's engine that gives no move: the first legal move is played.

Owns that rule and its message.  It must not know how engines work, and does not print.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import EngineError, ForthVMError, Interrupted
from forthvm.engines.checked import ask
from forthvm.engines.protocol import SearchResult

if TYPE_CHECKING:
    from forthvm.engines.protocol import Engine, Limits, Reporter
    from forthvm.game import Position

__all__ = ["ask_or_first"]


def ask_or_first(
    engine: Engine,
    position: Position,
    limits: Limits | None = None,
    *,
    report: Reporter | None = None,
) -> SearchResult:
    """An engine's answer, or the first legal move if the script's engine gave none.

    `info["faults"]` has a text for each fault.  The rule applies only to the engine `script`;
    failures of other engines are raised.

    Raises:
        Interrupted: the search was interrupted.
        ForthVMError: an engine other than `script` failed, or the position has no move.
    """
    try:
        return ask(engine, position, limits, report=report)
    except Interrupted:
        raise
    except ForthVMError as failure:
        if engine.name != "script" or position.result is not None or position.is_stuck:
            raise
        move = position.legal_moves[0]
        text = str(failure) if isinstance(failure, EngineError) else failure.report()
        fault = f"{text}\n{position.turn} plays the first legal move, {str(move)!r}."
        return SearchResult(move=move, pv=(move,), info={"faults": (fault,)})
