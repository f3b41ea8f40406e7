"""Engines inside the VM: the search of the original engine, the script's engine, random moves.

Owns the translation of limits and results between Python and the VM.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from forthvm.core.bindings import NativeVM, ReportKind, SearchLimits
from forthvm.core.bindings.layout import HEADER
from forthvm.core.text.wording import counted
from forthvm.engines.errors import EngineError
from forthvm.engines.options import integer, parse_options, seconds
from forthvm.engines.protocol import Engine, Info, Limits, NotCopied, Reporter, SearchResult
from forthvm.engines.search.stopping import STOP_NOW, STOP_SOON, Stopper
from forthvm.engines.simple import checked_moves

if TYPE_CHECKING:
    from forthvm.core import records
    from forthvm.core.records import EngineResult
    from forthvm.game import Move, Position

__all__ = ["AxiomEngine", "ChanceEngine", "ScriptEngine", "vm_seconds"]

MAX_DEPTH = 60
"""The maximum depth in plies: the score of a win contains a distance of at most 63 plies."""

MAX_NODES = 2**62
"""The maximum of a node limit; sums of two such numbers do not overflow in C."""


def vm_seconds(limits: Limits) -> float:
    """Return the time limit for the C core, where 0 means no limit.

    A limit of 0 seconds is therefore raised to 1 millisecond.
    """
    return 0.0 if limits.seconds is None else max(limits.seconds, 0.001)


class _NativeEngine(NotCopied, Engine):
    """Base class of the engines inside the VM: options, defaults and stopping."""

    _readers: ClassVar[dict[str, Callable[[object], object]]] = {
        "depth": integer(1, MAX_DEPTH),
        "time": seconds,
        "nodes": integer(1, MAX_NODES),
        "variety": integer(0, 10),
    }
    _default_depth: ClassVar[int] = 3
    _stop_mode: ClassVar[int] = STOP_NOW
    in_place: ClassVar[bool] = True

    def __init__(self, **options: object) -> None:
        """Parse the options depth, time (seconds), nodes and variety (0 to 10)."""
        parsed = parse_options(self.name, options, self._readers)
        self._variety = int(str(parsed.pop("variety", 0)))
        self._limits = Limits(**parsed)  # type: ignore[arg-type]  # the readers check the types
        self._stopper = Stopper(self._stop_mode)

    def stop(self) -> None:
        """End the running search, which returns its best move so far."""
        self._stopper.stop()

    def _native_limits(self, limits: Limits | None) -> SearchLimits:
        """Return the limits for the VM."""
        merged = (limits or Limits()).with_defaults(self._limits)
        depth = merged.depth
        if depth is None:
            limited = merged.seconds is not None or merged.nodes is not None
            depth = MAX_DEPTH if limited else self._default_depth
        return SearchLimits(
            depth=min(depth, MAX_DEPTH),
            variety=self._variety,
            nodes=min(merged.nodes or 0, MAX_NODES),
            seconds=vm_seconds(merged),
        )

    @contextmanager
    def _in_memory(self, position: Position, report: Reporter | None) -> Iterator[NativeVM]:
        """Enter the position in its VM, and pass reports of the VM to `report`."""
        with position._in_memory() as native:
            before = native.host.report
            if report is not None:
                native.host.report = _listener(native, report)
            try:
                with self._stopper.running(native):
                    yield native
            finally:
                native.host.report = before


class AxiomEngine(_NativeEngine):
    """The alpha-beta search of the original engine, with its moves and scores at fixed depths.

    Without limits it searches 3 plies, as the original engine did.
    """

    name = "axiom"

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Search; if a limit ends the search early, return the best move so far."""
        start = time.perf_counter()
        self._stopper.begin()
        moves = checked_moves(position, limits)
        native_limits = self._native_limits(limits)
        with self._in_memory(position, report) as native:
            result = native.search_axiom(native_limits)
            addresses = native.move_list()
        index = addresses.index(result.best) if result.best in addresses else 0
        return _search_result(
            result, moves[index], time.perf_counter() - start, chosen=result.best in addresses
        )


class ScriptEngine(_NativeEngine):
    """The engine that the script names for the player to move (`OnSearch`).

    Changes that the engine makes to memory and random streams become part of the position, as in
    the original.  The engine reports its nodes by `Nodes!`.  When a limit is reached,
    `SearchStatus@` returns #StopSoon, then #StopNow.  Then the engine has half its time limit, but
    at least a quarter of a second, to end before it is interrupted.
    """

    name = "script"
    _stop_mode: ClassVar[int] = STOP_SOON

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Run the script's engine; return the last move that it passed to BestMove!.

        The move is returned even if the engine fails or is interrupted later.  `info["faults"]` has
        a text for each fault.

        Raises:
            EngineError: The engine never called BestMove!, or passed an illegal move to it.
            ForthVMError: The engine failed or was interrupted before it passed a legal move.
        """
        start = time.perf_counter()
        self._stopper.begin()
        moves = checked_moves(position, limits)
        texts = moves.texts
        native_limits = self._native_limits(limits)
        with self._in_memory(position, report) as native:
            result = native.engine_run(native_limits)
            addresses = native.move_list()
            if result.failure is None:
                position._adopt()
        engine_text = f"the script's engine for {position.turn}"
        if result.best in texts:
            index = texts.index(result.best)
        elif result.move in addresses:
            index = addresses.index(result.move)
        else:
            problem = (
                f"chose {result.best!r}, which is not a legal move"
                if result.best
                else "ended without calling BestMove!"
            )
            raise result.failure or EngineError(f"{engine_text} {problem}")
        move = position.legal_moves[index]
        faults = tuple(f"{engine_text} {fault}" for fault in _faults(result))
        info: dict[str, object] = {"faults": faults} if faults else {}
        return _search_result(result, move, time.perf_counter() - start, **info)


def _search_result(
    result: records.SearchResult | EngineResult, move: Move, elapsed: float, **info: object
) -> SearchResult:
    """Return the result of an engine that chose `move` in `elapsed` seconds."""
    return SearchResult(
        move=move,
        score=result.score,
        pv=(move,),
        depth=result.depth,
        nodes=result.nodes,
        time=elapsed,
        info={"stopped": result.stopped, **info},
    )


def _faults(result: EngineResult) -> Iterator[str]:
    """Yield the faults of a script's engine, each as a text that follows the engine's name."""
    if result.failure is not None:
        yield f"failed after it had chosen {result.best!r}:\n{result.failure.report()}"
    if result.items > 0:
        yield f"left {counted(result.items, 'number')} on the stack (dropped)"
    if result.items < 0:
        yield f"took {counted(-result.items, 'number')} of its caller from the stack"
    if result.boards:
        yield f"did not free {counted(result.boards, 'cloned board')}: $DeallocateBoard is missing"
    if result.lists:
        yield f"did not free {counted(result.lists, 'move list')}: $DeallocateMoves is missing"
    if result.turned:
        yield "changed whose turn it is (restored)"


class ChanceEngine(ScriptEngine):
    """Plays for a chance player with the random numbers of the game.

    If the script names an engine for the player, as `{random}` does, that engine chooses the move;
    else the move is drawn from the game's first random stream.  The random stream is part of the
    position, so a saved position continues with the same moves.
    """

    name = "chance"

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Draw a move; this advances the random stream of `position`."""
        count = len(checked_moves(position, limits))
        player = position.game.player_details[position.player_index]
        if player.engine not in {"", _DEFAULT_ENGINE}:
            return super().play(position, limits, report=report)
        start = time.perf_counter()
        self._stopper.begin()
        with self._in_memory(position, report) as native:
            draw = native.find(_DRAW_WORD)
            if not draw:
                raise EngineError(f"the library has no {_DRAW_WORD}: cannot draw a move")
            depth = native.depth()
            native.push(0)
            native.push(count - 1)
            native.execute(draw + HEADER)
            index = native.pop()
            if native.depth() != depth or not 0 <= index < count:
                raise EngineError(f"{_DRAW_WORD} returned {index}, not 0 to {count - 1}")
            position._adopt()
        move = position.legal_moves[index]
        return SearchResult(move=move, pv=(move,), time=time.perf_counter() - start)


_DEFAULT_ENGINE = "$NegamaxMove"
"""The engine word of players for whom the script names no engine."""
_DRAW_WORD = "RAND-WITHIN"
"""The library's word ( low high -- n ) for a random number."""


def _listener(native: NativeVM, report: Reporter) -> Callable[[int, bytes, int], None]:
    """Return a function that converts each report of the VM to an Info and calls `report`."""

    def listen(kind: int, text: bytes, value: int) -> None:
        match ReportKind(kind):
            case ReportKind.CURRENT:
                report(Info(current=native.codec.decode(text)))
            case ReportKind.BEST:
                report(Info(best=native.codec.decode(text)))
            case ReportKind.SCORE:
                report(Info(score=value))
            case ReportKind.NODES:
                report(Info(nodes=value))
            case ReportKind.DEPTH:
                report(Info(depth=value))
            case ReportKind.LINE:  # reported only by the searches of minimax.py
                pass

    return listen
