"""The execution path through a move word, built from the log of executed tokens.

Owns the choice of the tokens on the path: the tokens of words that are still open (have not
returned) when the move is added, and every `verify`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.core.bindings.trace import Record
    from forthvm.core.location import Location
    from forthvm.debug.generation.traced_generation import TracedGeneration
    from forthvm.debug.source_map.source_cells import Cell

__all__ = ["Line", "Step", "execution_path", "source_lines"]

# The library's words that add to the code of the move.
_EDITS = frozenset(
    ["move", "capture", "capture-at", "drop", "drop-piece", "drop-piece-at", "create", "create-at"]
    + [f"create-{what}{suffix}" for what in ("player", "piece-type") for suffix in ("", "-at")]
    + ["create-player-piece-type", "create-player-piece-type-at", "remove-from-reserve"]
    + ["change-type", "change-type-at", "change-owner", "change-owner-at"]
    + ["partial", "partial-move-type", "COMPILE", "COMPILE-LITERAL"]
)
_LOOPS = frozenset({"(LOOP)", "(+LOOP)"})


@dataclass(frozen=True)
class Step:
    """A token on the path.

    Attributes:
        kind: `call` (a call that is still open when the move is added), `help` (a call that has
            returned when the move is added), `direction`, `verify`, `if` (also WHILE and UNTIL),
            `loop`, `edit`, `add-move`, or `token` for any other token.
        word: The name of the word that was run; for `if` and `loop` the token in the source.
        location: The source position of the token; None without source.
        inside: The word that contains the token.
        depth: The number of open calls in the move word.
        condition: For `verify` and `if`, the source text of the condition.
        value: For `verify` and `if` the flag tested, for `direction` the flag returned; else None.
        here: The name of the current board position after the token; None for open calls.
        ran: The number of tokens executed in the called word and its callees.
    """

    kind: str
    word: str
    location: Location | None
    inside: str | None
    depth: int
    condition: str = ""
    value: int | None = None
    here: str | None = None
    ran: int = 0


@dataclass(frozen=True)
class Line:
    """A source line on the path, with the number of tokens executed in it."""

    file: str
    line: int
    source: str
    tokens: int


def execution_path(traced: TracedGeneration, records: Sequence[Record]) -> tuple[Step, ...]:
    """Return the path to the last record, which is the `add-move`."""
    return tuple(_PathBuilder(traced, records).steps())


def source_lines(traced: TracedGeneration, counts: Mapping[int, int]) -> tuple[Line, ...]:
    """Return the executed source lines, sorted; `counts` maps cells to numbers of executions."""
    totals: dict[tuple[str, int, str], int] = {}
    for address, count in counts.items():
        location = traced.source_cells.cell(address).location
        if location is not None:
            key = (location.file, location.line, location.text.strip())
            totals[key] = totals.get(key, 0) + count
    return tuple(Line(*key, totals[key]) for key in sorted(totals))


class _PathBuilder:
    """Selects records of a log and converts them to steps."""

    def __init__(self, traced: TracedGeneration, records: Sequence[Record]) -> None:
        self.traced = traced
        self.records = records
        self.calls_at_end = records[-1].calls

    def steps(self) -> Iterator[Step]:
        for index, record in enumerate(self.records):
            if not record.ip or self._is_execute(index):
                continue
            is_open_at_end = _ends_with(self.calls_at_end, record.calls)
            if is_open_at_end or record.word in self.traced.verify_words:
                yield self._step(index, record)

    def _is_execute(self, index: int) -> bool:
        """Whether the record is an EXECUTE; the next record is the word that EXECUTE runs."""
        record = self.records[index]
        next_record = self.records[min(index + 1, len(self.records) - 1)]
        return (
            next_record.step == record.step + 1
            and next_record.ip == record.ip
            and next_record.word != record.word
        )

    def _step(self, index: int, record: Record) -> Step:
        cell = self.traced.source_cells.cell(record.ip)
        after, ran = self._record_after_call(index, record)
        kind = self._kind(record, cell, ran, returned=after is not None)
        condition, value = "", None
        if kind in ("verify", "if"):
            condition, value = self.traced.source_cells.condition(record.ip), record.top
        elif kind == "direction" and after is not None:
            value = after.top
        return Step(
            kind,
            cell.source_token if kind in ("if", "loop") else self._name(record),
            cell.location,
            cell.word,
            max(len(record.calls) - 1, 0),
            condition,
            value,
            self.traced.position._loaded.square(after.position) if after is not None else None,
            ran,
        )

    def _record_after_call(self, index: int, record: Record) -> tuple[Record | None, int]:
        """Return the first record after a token's call, and the number of tokens run in the call.

        The record is None if the call is still open at the end of the log.
        """
        depth = len(record.calls)
        for next_index in range(index + 1, len(self.records)):
            other = self.records[next_index]
            if len(other.calls) <= depth:
                return other, other.step - record.step - 1
        return None, self.records[-1].step - record.step - 1

    def _name(self, record: Record) -> str:
        name = self.traced.source_cells.name(record.word)
        return self.traced.source_cells.name(record.top) if name == "EXECUTE" else name

    def _kind(self, record: Record, cell: Cell, ran: int, *, returned: bool) -> str:
        traced = self.traced
        name = traced.source_cells.name(record.word)
        kinds = (  # the first kind that applies is the result
            (record.word in traced.add_move_words, "add-move"),
            (record.word in traced.verify_words, "verify"),
            (record.word in traced.directions, "direction"),
            (record.word == traced.branch_word, "if"),
            (name in _LOOPS, "loop"),
            (name in _EDITS, "edit"),
            (not returned and record is not self.records[-1], "call"),
            (ran > 0, "help"),
        )
        return next((kind for applies, kind in kinds if applies), "token")


def _ends_with(calls: tuple[int, ...], last_calls: tuple[int, ...]) -> bool:
    return len(last_calls) <= len(calls) and calls[len(calls) - len(last_calls) :] == last_calls
