"""A bounded search for decisions that, when inverted, let a missing move be added.

Owns the order and the limits of the search.  Each trial generates the moves from the same memory,
so every solution has generated its move.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from forthvm.debug.generation.tracing import Inversion

from .requested_move import Similarity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.core.bindings.trace import Record
    from forthvm.debug.generation.traced_generation import Generation, Run, TracedGeneration

    from .requested_move import RequestedMove

__all__ = ["Decision", "Search", "Solution"]

MAX_TRIALS = 400
MAX_STEPS = 1_200_000
"""The limits of one query: the number of generations, and the total of their steps.  A query that
reaches a limit takes about a second.  The limits are not times, so that a query has the same result
on every machine."""
_MIN_TRIALS = 40
"""The number of generations that a query may run even if they exceed `MAX_STEPS`; the time limit
ends slow queries."""
_MAX_INVERSIONS = 6  # of different decisions in one solution; repetitions are not counted
_MAX_SOLUTIONS = 4
_MAX_CHILDREN = 300  # the maximum number of decisions that extend one node

# The costs of inverting a decision: the higher the cost, the less likely the decision refuses the
# move.  Scripts refuse moves by `verify`; an IF in an auxiliary word often has another purpose.
_VERIFY_COST = 1.0
_BRANCH_COST = 1.6
_COST_PER_CALL_LEVEL = 0.4
_NEXT_BRANCH_COST = 0.8  # for an IF or the end of a loop in a word that has an inverted decision
_REPETITION_COST = 0.05
"""The cost of inverting a decision again on another square: a slide over several pieces."""
_OTHER_SQUARE_COST = 1.2
_UNNAMED_SQUARE_COST = 3.0
_HOOK_COST = 4.0  # for a decision in OnGenerateMoves
_MAX_COST = 7.0
_COST_TOLERANCE = 0.7
"""A solution is reported if its cost exceeds that of the best solution by at most this amount."""

_TRUE = -1


@dataclass(frozen=True)
class Decision:
    """A decision that was inverted.

    Attributes:
        record: The log record of its token.
        is_verify: Whether it is a `verify`; otherwise it is an IF, WHILE or UNTIL.
        direction: The last direction taken before the decision; None without one.
        round: Which run of the cell it was in the generation: 1 for the first.
    """

    record: Record
    is_verify: bool
    direction: str | None
    round: int

    @property
    def inversion(self) -> Inversion:
        """The inversion of this decision."""
        return _inversion(self.record, is_verify=self.is_verify)


@dataclass(frozen=True)
class Solution:
    """Decisions that, when inverted, let a move be added.

    Attributes:
        run: The run of the move word; None for OnGenerateMoves.
        decisions: The decisions in the order of execution.
        move: The text of the added move.
        similarity: The similarity of this text to the requested text.
        any_type: Whether words of all move types had to be run.
        cost: The total cost; the higher it is, the less likely these decisions are the reason.
    """

    run: Run | None
    decisions: tuple[Decision, ...]
    move: str
    similarity: Similarity
    any_type: bool
    cost: float


class _Node:
    """An inverted decision, linked to the previously inverted decision (`previous`).

    `records` are the tokens that were logged since the previous inverted decision or, without one,
    since the beginning of the run.  `index` is the index of this decision in `records`.
    """

    __slots__ = ("index", "previous", "records", "run")

    def __init__(
        self, run: Run | None, previous: _Node | None, records: Sequence[Record], index: int
    ) -> None:
        self.run = run
        self.previous = previous
        self.records = records
        self.index = index

    @property
    def record(self) -> Record:
        return self.records[self.index]

    def path(self) -> list[_Node]:
        """Return the inverted decisions, from the first to this decision."""
        nodes: list[_Node] = []
        node: _Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.previous
        return nodes[::-1]


class Search:
    """A search for decisions that starts from one generation.

    Attributes:
        trials: The number of generations that were run.
        steps: The total number of steps of these generations.
        complete: Whether all combinations of decisions were tried.
        solutions: The solutions, the most likely first.
        similar_solution: The best solution whose move is only similar to the requested move.
        reached: The indices of the board positions at which a move word tested something.
        tried: The records of inverted decisions by cell, in the order of the first trials.
    """

    def __init__(
        self,
        traced: TracedGeneration,
        generation: Generation,
        requested: RequestedMove,
        *,
        any_type: bool = False,
        max_trials: int = MAX_TRIALS,
    ) -> None:
        """Prepare a search for `requested` with at most `max_trials` trials."""
        self.trials = 0
        self.tried: dict[int, Record] = {}
        self.reached: set[int] = set()
        self._max_steps = max(MAX_STEPS, _MIN_TRIALS * generation.steps)
        self.steps = 0
        self.complete = not traced.omits_branches
        self.solutions: list[Solution] = []
        self.similar_solution: Solution | None = None
        self._traced = traced
        self._generation = generation
        self._requested = requested
        self._any_type = any_type
        self._max_trials = max_trials
        self._push_count = count()  # orders nodes of equal cost
        self._heap: list[tuple[float, int, _Node]] = []

    def run(self, only_word: str | None = None) -> None:
        """Search until there are solutions, or a limit is reached.

        Args:
            only_word: The name of the move word to search; None for all move words.
        """
        for run, cost in self._starts(only_word):
            records = run.records if run is not None else self._generation.records_before_runs
            self._expand(run, None, records, cost)
        while self._heap:
            cost, _, node = heappop(self._heap)
            if self.solutions and (
                cost > self.solutions[0].cost + _COST_TOLERANCE
                or len(self.solutions) >= _MAX_SOLUTIONS
            ):
                return
            if (
                self.trials >= self._max_trials
                or self.steps >= self._max_steps
                or self._traced.limit.is_over
            ):
                self.complete = False
                return
            self._try_node(cost, node)

    def _starts(self, only_word: str | None) -> Iterator[tuple[Run | None, float]]:
        """Yield the runs to search, each with its initial cost; None for OnGenerateMoves."""
        index = self._traced.position._loaded.position_index
        squares = [index[name] for name in self._requested.squares]
        for run in self._generation.runs:
            if only_word not in (None, self._traced.source_cells.name(run.word)):
                continue
            if not squares or run.square == squares[0]:
                yield run, 0.0
            else:
                yield run, _OTHER_SQUARE_COST if run.square in squares else _UNNAMED_SQUARE_COST
        if self._generation.records_before_runs and only_word is None:
            yield None, _HOOK_COST

    def _try_node(self, cost: float, node: _Node) -> None:
        """Run a generation with a node's inversions, and evaluate the result."""
        self.trials += 1
        traced, requested, run = self._traced, self._requested, node.run
        path = node.path()
        inversions = [
            _inversion(step.record, is_verify=step.record.word in traced.verify_words)
            for step in path
        ]
        self.tried.setdefault(node.record.ip, node.record)
        trial = traced.retry(inversions, any_type=self._any_type)
        self.steps += traced.native.steps()
        if trial.failed:
            self.complete = False
            return
        self.complete = self.complete and not trial.log_full
        addresses = trial.moves
        if run is not None:  # consider only moves added by this run
            additional = len(addresses) - len(self._generation.moves)
            end = run.first_move + run.move_count + max(additional, 0)
            addresses = addresses[run.first_move : end]
        best = max(traced.texts(addresses), key=requested.similarity, default="")
        similarity = requested.similarity(best)
        if similarity >= Similarity.SQUARES:
            self._add(self._solution(path, best, similarity, cost))
            return
        best_so_far = self.similar_solution
        if similarity > (best_so_far.similarity if best_so_far is not None else Similarity.OTHER):
            self.similar_solution = self._solution(path, best, similarity, cost)
        self._expand(run, node, trial.records, cost)

    def _solution(
        self, path: Sequence[_Node], move: str, similarity: Similarity, cost: float
    ) -> Solution:
        decisions = self._decisions(path)
        return Solution(path[0].run, decisions, move, similarity, self._any_type, cost)

    def _add(self, solution: Solution) -> None:
        """Add a solution unless a subset of its decisions is a solution already."""
        cells = {decision.record.ip for decision in solution.decisions}
        for other in self.solutions:
            other_cells = {decision.record.ip for decision in other.decisions}
            if other.run is solution.run and other_cells <= cells:
                return
        self.solutions.append(solution)

    def _expand(
        self, run: Run | None, node: _Node | None, records: Sequence[Record], cost: float
    ) -> None:
        """Push the decisions that can be inverted next onto the heap."""
        path = [step.record for step in node.path()] if node is not None else []
        choices = []
        self.reached.update(record.position for record in records)
        for index, record in enumerate(records):
            inversion_cost = self._inversion_cost(record, path, is_last=index == len(records) - 1)
            if inversion_cost is None:
                continue
            if cost + inversion_cost <= _MAX_COST:
                choices.append((cost + inversion_cost, index))
            else:
                self.complete = False
        self.complete = self.complete and len(choices) <= _MAX_CHILDREN
        for total, index in sorted(choices)[:_MAX_CHILDREN]:
            heappush(self._heap, (total, next(self._push_count), _Node(run, node, records, index)))

    def _inversion_cost(
        self, record: Record, path: Sequence[Record], *, is_last: bool
    ) -> float | None:
        """Return the cost of inverting a decision; None for tokens that are not decisions."""
        is_verify = record.word in self._traced.verify_words
        if is_verify:
            if record.top != 0 or not is_last:
                return None
        elif record.word != self._traced.branch_word:
            return None
        earlier = [other for other in path if other.ip == record.ip]
        if earlier and all(
            other.position != record.position and bool(other.top) == bool(record.top)
            for other in earlier
        ):
            return _REPETITION_COST
        if len({other.ip for other in path}) >= _MAX_INVERSIONS:
            return _MAX_COST
        if is_verify:
            return _VERIFY_COST
        follows = any(other.calls == record.calls for other in path)
        by_depth = _BRANCH_COST + _COST_PER_CALL_LEVEL * max(len(record.calls) - 1, 0)
        return _NEXT_BRANCH_COST if follows else by_depth

    # --- facts about a decision -----------------------------------------------------------

    def _decisions(self, path: Sequence[_Node]) -> tuple[Decision, ...]:
        traced = self._traced
        generation, run = self._generation, path[0].run
        earlier_records: list[Record] = []
        if run is not None:
            earlier_records += generation.records_before_runs
            for earlier_run in generation.runs[: run.number]:
                earlier_records += earlier_run.records
        run_start = len(earlier_records)
        decisions = []
        for node in path:
            earlier_records += node.records[: node.index]
            record = node.record
            decisions.append(
                Decision(
                    record,
                    record.word in traced.verify_words,
                    self._direction(earlier_records[run_start:], record),
                    1 + sum(earlier.ip == record.ip for earlier in earlier_records),
                )
            )
            earlier_records.append(record)
        return tuple(decisions)

    def _direction(self, records: Sequence[Record], decision: Record) -> str | None:
        """Return the last direction taken by a word that is still open at the decision."""
        for record in reversed(records):
            name = self._traced.directions.get(record.word)
            calls = record.calls
            if name is not None and calls == decision.calls[len(decision.calls) - len(calls) :]:
                return name
        return None


def _inversion(record: Record, *, is_verify: bool) -> Inversion:
    """Return the inversion of the decision in a log record."""
    return Inversion(record.step, _TRUE if is_verify or record.top == 0 else 0)
