"""The answers of `why_not`, created from the solutions of a search.

Owns the contents of an answer: its refusals, its move word, and the move types that exclude the
move.  query.py chooses the answers, and author_text.py displays them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.debug.generation.move_types import UNRANKED, ranks, type_names

from .refusals import Answer, Caller, Refusal
from .requested_move import Similarity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.debug.generation.traced_generation import Run, TracedGeneration

    from .search import Decision, Solution

__all__ = ["Answers"]


class Answers:
    """Creates the answers of one query."""

    def __init__(self, traced: TracedGeneration) -> None:
        """Create answers about a traced generation."""
        self._traced = traced
        self._ranks = ranks(traced.native)
        self._types = type_names(traced.position.game)

    def from_solution(self, solution: Solution) -> Answer:
        """Repeat the trial of a solution with priorities, and return the answer."""
        inversions = [decision.inversion for decision in solution.decisions]
        trial = self._traced.retry(inversions, any_type=solution.any_type, priorities=True)
        appears = not trial.failed and solution.move in self._traced.texts(trial.moves)
        types = {self._traced.native.move_type(move) for move in trial.moves}
        listed_type = self._listed_type(solution.run)
        better = None
        if not appears and listed_type is not None:
            better = self.better_type(listed_type, [*types, listed_type])
        answer = Answer(
            tuple(self._refusal(decision) for decision in solution.decisions),
            solution.move,
            exact=solution.similarity is Similarity.EXACT,
            appears=appears,
            demanded=self.type_name(self._traced.demanded_type) if solution.any_type else None,
            better=better,
        )
        return self.with_run(solution.run, answer)

    def _listed_type(self, run: Run | None) -> int | None:
        """Return the move type with which a run's word is listed; None if it is not listed."""
        if run is None:
            return None
        piece_type = run.piece & TYPE_MASK
        types = [
            entry.move_type
            for entry in self._traced.list_entries
            if entry.word == run.word and entry.piece_type == piece_type
        ]
        return types[0] if types else None

    def with_run(self, run: Run | None, answer: Answer) -> Answer:
        """Return the answer with the word, piece, square and type of a run, unless it is None."""
        if run is None:
            return answer
        source_cells, game = self._traced.source_cells, self._traced.position.game
        piece = game._loaded.roster.piece(run.piece)
        return replace(
            answer,
            type=answer.type or self.type_name(self._listed_type(run) or 0),
            word=source_cells.name(run.word),
            word_location=source_cells.word_location(run.word),
            square=game._loaded.square(run.square),
            piece=str(piece) if piece else None,
        )

    def _refusal(self, decision: Decision) -> Refusal:
        source_cells, record = self._traced.source_cells, decision.record
        cell = source_cells.cell(record.ip)
        callers = (source_cells.cell(address) for address in record.calls)
        return Refusal(
            kind="verify" if decision.is_verify else cell.source_token,
            location=cell.location,
            condition=source_cells.condition(record.ip),
            value=record.top,
            word=cell.word,
            callers=tuple(
                Caller(caller.word, caller.location)
                for caller in callers
                if caller.word is not None and not self._traced.is_wrapper(caller.address)
            ),
            direction=decision.direction,
            here=self._traced.position._loaded.square(record.position),
            round=decision.round,
            address=record.ip,
        )

    def type_name(self, kind: int) -> str | None:
        """Return the name of a move type; None for number 0, which means no type."""
        return self._types.get(kind, f"#{kind}") if kind else None

    def better_type(self, kind: int, types: Sequence[int]) -> str | None:
        """Return the name of the best of `types` if its priority is higher than that of `kind`."""
        ranks_by_type = self._ranks
        if ranks_by_type is None or not types:
            return None
        best = min(types, key=lambda number: ranks_by_type.get(number, UNRANKED))
        if ranks_by_type.get(best, UNRANKED) < ranks_by_type.get(kind, UNRANKED):
            return self.type_name(best)
        return None
