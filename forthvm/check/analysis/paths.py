"""Data-flow analysis of one definition: abstract states are propagated along all paths.

This file owns the queue of states to visit, and the data collected for the summary.
instructions.py has the effects of instructions.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import DOES

from .cells import Cell, known_cell
from .loops import Loops
from .state import State, argument, merge
from .summary import Outcome, Problem, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import DictionaryCopy, Word

    from .analyser import Analyser
    from .cells import Origin
    from .summary import Call, Use

__all__ = ["Next", "Paths", "StateKey", "UnknownPathError"]

_MAX_STATES = 16  # states with different keys at one address

StateKey = tuple[object, ...]
Next = tuple[int, State]
"""An address, and the state with which it is reached."""


class UnknownPathError(Exception):
    """A path cannot be followed any further."""


class Paths(ABC):
    """The paths through one definition.

    Args:
        analyser: Provides the summaries of called words.
        word: The definition to analyse.
        start: Address of its code.
        call: The kind of call, with the known arguments of the definition.
    """

    def __init__(self, analyser: Analyser, word: Word, start: int, call: Call) -> None:
        self._analyser = analyser
        self._image: DictionaryCopy = analyser.image
        self._word = word
        self._start = start
        self._arguments = {
            number: Cell(values, number, frozenset({number}))
            for number, values in call.known_arguments
        }
        self._states: dict[int, dict[StateKey, State]] = {}  # by address and key
        self._queue: list[tuple[int, int, StateKey]] = []  # address, order and key
        self._order = 0  # the number of states queued so far
        self._outcomes: dict[tuple[int, bool], State] = {}  # by height and `ends_caller`
        # The attributes of the summary:
        self._required_cells = 0
        self._game_effects: set[str] = set()
        self._relevant_arguments: set[int] = set()
        self._unknown = ""
        self._unknown_at = 0
        self._assumed = False
        self._reads_unknown_depth = False
        self._problems: set[Problem] = set()
        self._stores: set[tuple[int, frozenset[int] | None]] = set()
        self._calls: set[Call] = set()
        self._compiled_xts: set[int] = set()
        self._uses: set[Use] = set()
        self._dropped: set[Origin] = set()
        self._needed: set[Origin] = set()  # cells with these origins are not only dropped
        self._compared: set[Origin] = set()
        self._compared_loops: set[int] = set()
        self._index_problems: set[tuple[Problem, frozenset[int]]] = set()  # with the loops
        self._loaded_addresses: set[int] = set()
        self._loops = Loops(self._image.instructions(start, self._word_end()))

    def _word_end(self) -> int:
        """Return the end of the code.

        The code of a `<BUILDS ... DOES>` word is in the definition of its defining word.
        """
        if self._word.kind == DOES and not self._word.body <= self._start < self._word.end:
            containing = self._image.word_at(self._start)
            return containing.end if containing else self._image.here
        return self._word.end

    # --- the queue -------------------------------------------------------------------

    def summary(self) -> Summary:
        """Follow all paths and summarize them."""
        if self._word.kind == DOES:
            self._arrive(self._start, State(cells=(known_cell(self._word.body),)), 0)
        else:
            self._arrive(self._start, State(), 0)
        while self._queue:
            address, _, key = heapq.heappop(self._queue)
            self._visit(address, self._states[address][key])
        self._endless_loops()
        self._index_problems_without_comparison()
        ignored = self._dropped - self._needed
        self._problems |= {Problem("dropped-step", at) for kind, at in ignored if kind == "step"}
        outcomes = () if self._unknown else tuple(self._sorted_outcomes())
        return Summary(
            required_cells=self._required_cells,
            outcomes=outcomes,
            game_effects=frozenset(self._game_effects),
            relevant_arguments=frozenset(self._relevant_arguments),
            unknown=self._unknown,
            unknown_at=self._unknown_at,
            assumed=self._assumed,
            reads_unknown_depth=self._reads_unknown_depth,
            problems=frozenset(self._problems),
            stores=frozenset(self._stores),
            calls=frozenset(self._calls),
            compiled_xts=frozenset(self._compiled_xts),
            uses=frozenset(self._uses),
            ignored_arguments=_argument_numbers(ignored),
            compared_arguments=_argument_numbers(self._compared),
            loaded_addresses=frozenset(self._loaded_addresses),
        )

    def _endless_loops(self) -> None:
        """Record a problem for each loop that paths reach but no path leaves."""
        if not self._unknown:
            for closing in self._loops.endless(self._states):
                self._problems.add(Problem("endless", closing))

    def _index_problems_without_comparison(self) -> None:
        """Record the problems with indices that no comparison may prevent."""
        for problem, loops in self._index_problems:
            if not loops & self._compared_loops:
                self._problems.add(problem)

    def _sorted_outcomes(self) -> Iterator[Outcome]:
        for (_, ends_caller), state in sorted(self._outcomes.items(), key=lambda item: item[0]):
            yield Outcome(state.taken, state.cells, ends_caller)

    def _visit(self, address: int, state: State) -> None:
        """Execute an instruction; pass its results to the addresses that can follow."""
        code = self._image.code_at(address)
        if code is None or not self._start <= address < self._word_end():
            self._set_unknown("execution continues past its end", address)
            return
        try:
            for target, after in self._step(state, code):
                self._loops.note_path(address, target)
                self._arrive(target, after, address)
        except UnknownPathError as error:
            self._set_unknown(str(error), address)

    def _set_unknown(self, reason: str, address: int) -> None:
        """Record the first reason for an unknown effect."""
        if not self._unknown:
            self._unknown, self._unknown_at = reason, address

    def _arrive(self, address: int, state: State, source: int) -> None:
        """Join a state with the states at `address`; queue the joined state if it is new.

        `source` is the address of the instruction before `address` on the path.
        """
        last_jumps = self._loops.last_jumps
        if state.loop_heights or address in last_jumps:
            loop_heights = dict(state.loop_heights)
            if address in last_jumps:  # the address is the head of a loop
                entry_height = loop_heights.get(address)
                if source >= address and entry_height is not None and entry_height != state.height:
                    self._record_imbalance(state.height - entry_height, source)
                    return
                loop_heights[address] = state.height
            open_loops = (
                (head, height)
                for head, height in loop_heights.items()
                if head <= address <= last_jumps[head]
            )
            state = state._replace(loop_heights=tuple(sorted(open_loops)))
        states = self._states.setdefault(address, {})
        key = state.key
        if key in states:
            joined = merge(states[key], state, self._analyser.xts, self._arguments)
            if joined == states[key]:
                return
            state = joined
        elif len(states) >= _MAX_STATES:
            self._set_unknown("paths with too many different stack depths join", address)
            return
        states[key] = state
        self._order += 1
        heapq.heappush(self._queue, (address, self._order, key))

    def _record_imbalance(self, delta: int, source: int) -> None:
        """Record a loop in which each iteration changes the depth of the stack by `delta`.

        `source` is the address of the jump back to the head of the loop.
        """
        kind = "leak" if delta > 0 else "eat"
        self._problems.add(Problem(kind, source, delta))
        self._set_unknown("a loop changes the depth in every iteration", source)

    def _add_outcome(self, state: State, *, ends_caller: bool) -> None:
        """Record the state in which a path leaves the definition."""
        self._note_needed(state.cells)
        key = (state.height, ends_caller)
        state = state._replace(loop_heights=(), popped_return_address=False, return_items=())
        if key in self._outcomes:
            state = merge(self._outcomes[key], state, self._analyser.xts, self._arguments)
        self._outcomes[key] = state

    @abstractmethod
    def _step(self, state: State, code: Code) -> Iterator[Next]:
        """Yield the addresses that can follow an instruction, and the states there.

        Raises:
            UnknownPathError: The path cannot be followed.
        """

    # --- the parameter stack ---------------------------------------------------------

    def _pop(self, state: State, count: int) -> tuple[list[Cell], State]:
        """Pop cells that the word needs; return them, the top last, and the new state."""
        cells, state = self._take(state, count)
        self._note_needed(cells)
        return cells, state

    def _take(self, state: State, count: int) -> tuple[list[Cell], State]:
        """Pop cells, which may be moved or dropped; return them, the top last, and the state."""
        state = self._make_explicit(state, count)
        if not count:
            return [], state
        return list(state.cells[-count:]), state.with_cells(state.cells[:-count])

    def _note_needed(self, cells: Iterable[Cell]) -> None:
        self._needed |= {cell.origin for cell in cells if cell.origin is not None}

    def _make_explicit(self, state: State, count: int) -> State:
        """Return the state with at least `count` explicit cells."""
        missing = count - len(state.cells)
        if missing > 0:
            below = [
                argument(n, self._arguments)
                for n in range(state.taken + missing - 1, state.taken - 1, -1)
            ]
            state = state._replace(taken=state.taken + missing, cells=(*below, *state.cells))
        self._required_cells = max(self._required_cells, state.taken)
        return state


def _argument_numbers(origins: Iterable[Origin]) -> frozenset[int]:
    return frozenset(number for kind, number in origins if kind == "argument")
