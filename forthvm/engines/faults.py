"""The rule for engines of a script that give no move: the game goes on with the first legal one.

Owns that rule and how it is told.  It must not know what engines do, nor print.
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
    """An engine's answer, or the first legal move where the script's engine gave none.

    What went wrong stands in `info["faults"]`, a text for each thing.  Engines that are no
    part of the script are not excused.

    Raises:
        Interrupted: somebody ended it.
        ForthVMError: another engine than the script's failed, or the position has no move.
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
