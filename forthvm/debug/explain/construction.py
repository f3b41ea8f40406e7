"""The query `construction`: how a legal move is made, word by word.

Owns the query and its stages.  A stage is a token of the author's own source on the path to the
move, and what memory looks like before the token runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.trace import Reason
from forthvm.core.errors import ContextError
from forthvm.debug.generation.move_code import unfinished_move_code
from forthvm.debug.generation.time_limit import DEFAULT_SECONDS, TimeLimit
from forthvm.debug.generation.traced_generation import traced_generation
from forthvm.debug.generation.tracing import TraceControl, tracing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.bindings.trace import Record, TracePoint
    from forthvm.core.location import Location
    from forthvm.debug.generation.traced_generation import TracedGeneration
    from forthvm.game import Position

__all__ = ["Construction", "Stage", "construction"]

MAX_STAGES = 400
_MAX_ITEMS = 12  # of the stack


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A token of the source, before it runs.

    Attributes:
        location: Its source position.
        word: The word that contains it.
        calls: The words that called it, the innermost first.
        origin: The square for which the move word runs.
        here: The current square.
        stack: The topmost items of the parameter stack, the top last.
        depth: The number of items on the stack.
        code: The code of the move so far.
        changed: The squares that this code changes.
    """

    location: Location
    word: str
    calls: tuple[str, ...]
    origin: str
    here: str
    stack: tuple[int, ...]
    depth: int
    code: str
    changed: tuple[str, ...]


@dataclass(frozen=True)
class Construction:
    """The stages of a move, in order.

    Attributes:
        move: The text of the move.
        stages: The stages; the last token adds the move.
        omitted: The number of stages left out in the middle, because there are too many.
    """

    move: str
    stages: tuple[Stage, ...]
    omitted: int


def construction(
    position: Position, index: int, *, seconds: float = DEFAULT_SECONDS
) -> Construction:
    """Return how the legal move with an index is made.

    Args:
        position: The position.
        index: The index in the list of legal moves.
        seconds: The time limit of the query; 0 for no limit.

    Raises:
        IndexError: There is no such move.
        TimeLimitExceeded: The time is used up.
        ForthVMError: The script fails, or no word of the script makes the move.
    """
    text = position.legal_moves[index].text
    limit = TimeLimit(seconds)
    with (
        limit.applied(position._loaded.vm.native),
        traced_generation(position, limit) as traced,
    ):
        records = _path(traced, index, text)
        shown, omitted = _shortened(records)
        stages = _read_stages(traced, shown)
    return Construction(text, stages, omitted)


def _path(traced: TracedGeneration, index: int, text: str) -> list[Record]:
    """Return the tokens of the author's source that run before the move is added."""
    generation = traced.generate()
    addresses = traced.legal()
    if traced.texts(addresses)[index : index + 1] != (text,):
        raise ContextError("the script generates other moves when it is run again")
    places = {move: number for number, move in enumerate(generation.addresses)}
    number = places.get(addresses[index], -1)
    run = generation.run_of_move(number)
    if run is None:
        raise ContextError("no word of the script makes this move")
    records, _ = traced.follow(run, number - run.first_move)
    found: list[Record] = []
    for record in records:
        cell = traced.source_cells.cell(record.ip) if record.ip else None
        if cell is None or cell.location is None or cell.library:
            continue
        same = found and traced.source_cells.cell(found[-1].ip).location == cell.location
        if not same or len(found[-1].calls) != len(record.calls):  # else: code of the same token
            found.append(record)
    return found


def _shortened(records: list[Record]) -> tuple[list[Record], int]:
    """Return the first and last records, and how many are left out between them."""
    omitted = max(len(records) - MAX_STAGES, 0)
    half = MAX_STAGES // 2
    return (records[:half] + records[-half:] if omitted else records), omitted


def _read_stages(traced: TracedGeneration, records: Sequence[Record]) -> tuple[Stage, ...]:
    with tracing(_StageReader(traced, records)) as control:
        traced.generate_list(control)
    return tuple(control.stages)


class _StageReader(TraceControl):
    """Stops at each record and reads its stage."""

    def __init__(self, traced: TracedGeneration, records: Sequence[Record]) -> None:
        """Read the stages of records, which are in the order of execution."""
        super().__init__(traced)
        self.stages: list[Stage] = []
        self._waiting = list(reversed(records))

    def begin(self) -> None:
        """Stop at the first record."""
        assert self.trace is not None
        self.trace.restart()
        self._stop_at_next()

    def stop(self, point: TracePoint) -> None:
        """Read the stage at which the run has stopped."""
        if not point.reasons & Reason.TARGET or not self._waiting:
            return
        self.stages.append(self._stage(self._waiting.pop()))
        self._stop_at_next()

    def _stop_at_next(self) -> None:
        assert self.trace is not None
        self.trace.stop_at(self._waiting[-1].step if self._waiting else None)

    def _stage(self, record: Record) -> Stage:
        traced, native = self.traced, self.traced.native
        game, cells = traced.position.game, traced.source_cells
        cell = cells.cell(record.ip)
        assert cell.location is not None
        depth = max(native.depth(), 0)
        code, changed = unfinished_move_code(game, native, record.move)
        return Stage(
            location=cell.location,
            word=cell.word or "",
            calls=tuple(word for call in record.calls if call and (word := cells.cell(call).word)),
            origin=game._loaded.square(record.origin),
            here=game._loaded.square(record.position),
            stack=tuple(native.pick(at) for at in range(min(depth, _MAX_ITEMS) - 1, -1, -1)),
            depth=depth,
            code=code,
            changed=changed,
        )
