"""Answers of `why_not`, made from the results of a search.

Owns the contents of an answer: its refusals, its move word, and move types that exclude the move.
It must not know how answers are chosen (question.py), nor how they are shown (author_text.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import TYPE_MASK
from forthvm.debug.type_names import UNRANKED, ranks, type_names

from .refusals import Answer, Caller, Refusal
from .wanted_move import Likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.debug.generation.traced_generation import Run, TracedGeneration

    from .search import Decision, Found

__all__ = ["Answers"]


class Answers:
    """Creates the answers of one query."""

    def __init__(self, traced: TracedGeneration) -> None:
        """Create answers about a traced generation."""
        self._traced = traced
        self._ranks = ranks(traced.native)
        self._types = type_names(traced.position.game)

    def of(self, found: Found) -> Answer:
        """Return the answer for inverted decisions, after repeating the trial with priorities."""
        inversions = [decision.inversion for decision in found.decisions]
        trial = self._traced.retry(inversions, any_type=found.any_type, whole=True)
        appears = not trial.failed and found.move in self._traced.texts(trial.moves)
        types = {self._traced.native.move_type(move) for move in trial.moves}
        listing = self._listing(found.run)
        better = None
        if not appears and listing is not None:
            better = self.better(listing, [*types, listing])
        answer = Answer(
            tuple(self._refusal(decision) for decision in found.decisions),
            found.move,
            exact=found.likeness is Likeness.EXACT,
            appears=appears,
            demanded=self.type_name(self._traced.demanded) if found.any_type else None,
            better=better,
        )
        return self.with_run(found.run, answer)

    def _listing(self, run: Run | None) -> int | None:
        """Return the move type with which the word of a run is listed."""
        if run is None:
            return None
        kind = run.piece & TYPE_MASK
        types = [
            one.type for one in self._traced.lists if one.word == run.word and one.piece == kind
        ]
        return types[0] if types else None

    def with_run(self, run: Run | None, answer: Answer) -> Answer:
        """Return the answer with the facts about its run."""
        if run is None:
            return answer
        places, game = self._traced.places, self._traced.position.game
        piece = game.roster.piece(run.piece)
        return answer.replace(
            type=answer.type or self.type_name(self._listing(run) or 0),
            word=places.name(run.word),
            word_place=places.word_place(run.word),
            square=game.square(run.square),
            piece=str(piece) if piece else None,
        )

    def _refusal(self, decision: Decision) -> Refusal:
        places, record = self._traced.places, decision.record
        cell = places.cell(record.ip)
        callers = (places.cell(address) for address in record.calls)
        return Refusal(
            kind="verify" if decision.verify else cell.written,
            place=cell.place,
            condition=places.condition(record.ip),
            value=record.top,
            word=cell.word,
            callers=tuple(
                Caller(one.word, one.place)
                for one in callers
                if one.word is not None and not self._traced.is_wrapper(one.address)
            ),
            direction=decision.direction,
            here=self._traced.position.game.square(record.position),
            round=decision.round,
            address=record.ip,
        )

    def type_name(self, kind: int) -> str | None:
        """Return the name of a move type; None for none."""
        return self._types.get(kind, f"#{kind}") if kind else None

    def better(self, kind: int, types: Sequence[int]) -> str | None:
        """Return the move type of higher priority that excludes moves of a type, or None."""
        table = self._ranks
        if table is None or not types:
            return None
        best = min(types, key=lambda one: table.get(one, UNRANKED))
        if table.get(best, UNRANKED) < table.get(kind, UNRANKED):
            return self.type_name(best)
        return None
