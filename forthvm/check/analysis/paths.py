"""Data-flow analysis of one definition: abstract states are propagated along all paths.

This file owns the work list, the join of states, and the data collected for the summary.  It must
not know the effects of instructions (instructions.py).
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import DOES

from .cells import Cell, known
from .loops import Loops
from .state import State, argument, merge
from .summary import Exit, Problem, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import DictionaryCopy, Word

    from .analyser import Analyser
    from .summary import Key

__all__ = ["Next", "Paths", "UnknownPathError"]

_MAX_STATES = 16  # different keys (such as depths) per address

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
        key: Its token and known arguments.
    """

    def __init__(self, analyser: Analyser, word: Word, start: int, key: Key) -> None:
        self._analyser = analyser
        self._image: DictionaryCopy = analyser.image
        self._word = word
        self._start = start
        self._arguments = {
            number: Cell(values, number, frozenset({number})) for number, values in key[1]
        }
        self._states: dict[int, dict[tuple[object, ...], State]] = {}  # by address and key
        self._queue: list[tuple[int, int]] = []  # (address, order) of states to visit
        self._order = 0  # number of states queued so far
        self._pending: dict[tuple[int, int], tuple[object, ...]] = {}  # keys of queued states
        self._exits: dict[tuple[int, bool], State] = {}  # by height and `ends_caller`
        # The attributes of the summary:
        self._need = 0
        self._game_effects: set[str] = set()
        self._relevant: set[int] = set()
        self._unknown = ""
        self._where = 0
        self._assumed = False
        self._deep = False
        self._problems: set[Problem] = set()
        self._stores: set[tuple[int, frozenset[int] | None]] = set()
        self._calls: set[Key] = set()
        self._compiled: set[int] = set()
        self._loads: set[int] = set()
        self._loops = Loops(self._image.instructions(start, self._word_end()))

    def _word_end(self) -> int:
        """Return the end of the code.

        The code of a `<BUILDS ... DOES>` word is in the definition of its defining word.
        """
        if self._word.kind == DOES and not self._word.body <= self._start < self._word.end:
            containing = self._image.word_at(self._start)
            return containing.end if containing else self._image.here
        return self._word.end

    # --- work list -------------------------------------------------------------------

    def summary(self) -> Summary:
        """Follow all paths and summarize them."""
        if self._word.kind == DOES:
            self._arrive(self._start, State(cells=(known(self._word.body),)), 0)
        else:
            self._arrive(self._start, State(), 0)
        while self._queue:
            address, order = heapq.heappop(self._queue)
            key = self._pending.pop((address, order))
            self._visit(address, self._states[address][key])
        self._endless_loops()
        exits = () if self._unknown else tuple(self._sorted_exits())
        return Summary(
            need=self._need,
            exits=exits,
            game_effects=frozenset(self._game_effects),
            relevant=frozenset(self._relevant),
            unknown=self._unknown,
            where=self._where,
            assumed=self._assumed,
            deep=self._deep,
            problems=frozenset(self._problems),
            stores=frozenset(self._stores),
            calls=frozenset(self._calls),
            compiled=frozenset(self._compiled),
            loads=frozenset(self._loads),
        )

    def _endless_loops(self) -> None:
        """Record a problem for each loop that is entered and that no path leaves."""
        if not self._unknown:
            for closing in self._loops.endless(self._states):
                self._problems.add(Problem("endless", closing))

    def _sorted_exits(self) -> Iterator[Exit]:
        for (_, ends_caller), state in sorted(self._exits.items(), key=lambda item: item[0]):
            yield Exit(state.taken, state.cells, ends_caller)

    def _visit(self, address: int, state: State) -> None:
        """Pass the states after an instruction to the addresses that execution can reach next."""
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
            self._unknown, self._where = reason, address

    def _arrive(self, address: int, state: State, source: int) -> None:
        """Join a state with the states at `address`; queue the address if its states changed.

        `source` is the address of the instruction from which execution continues at `address`.
        """
        last_jumps = self._loops.last_jumps
        if address in last_jumps:  # the address is the head of a loop
            entry_height = dict(state.marks).get(address)
            if source >= address and entry_height is not None and entry_height != state.height:
                self._record_imbalance(state.height - entry_height, source)
                return
            marks = {**dict(state.marks), address: state.height}
        else:
            marks = dict(state.marks)
        open_loops = (
            (head, height) for head, height in marks.items() if head <= address <= last_jumps[head]
        )
        state = state._replace(marks=tuple(sorted(open_loops)))
        states = self._states.setdefault(address, {})
        key = state.key
        if key in states:
            joined = merge(states[key], state, self._analyser.tokens, self._arguments)
            if joined == states[key]:
                return
            state = joined
        elif len(states) >= _MAX_STATES:
            self._set_unknown("paths with too many different stack depths join", address)
            return
        states[key] = state
        self._order += 1
        self._pending[(address, self._order)] = key
        heapq.heappush(self._queue, (address, self._order))

    def _record_imbalance(self, delta: int, source: int) -> None:
        """Record a loop whose iterations change the depth by `delta`; `source` is its jump back."""
        kind = "leak" if delta > 0 else "eat"
        self._problems.add(Problem(kind, source, delta))
        self._set_unknown("a loop changes the depth in every iteration", source)

    def _add_exit(self, state: State, *, ends_caller: bool) -> None:
        """Record the state in which a path leaves the definition."""
        key = (state.height, ends_caller)
        state = state._replace(marks=(), popped=False, return_items=())
        if key in self._exits:
            state = merge(self._exits[key], state, self._analyser.tokens, self._arguments)
        self._exits[key] = state

    @abstractmethod
    def _step(self, state: State, code: Code) -> Iterator[Next]:
        """Yield the next addresses after an instruction, and the states there.

        Raises:
            UnknownPathError: The path cannot be followed.
        """

    # --- the parameter stack ---------------------------------------------------------

    def _pop(self, state: State, count: int) -> tuple[list[Cell], State]:
        """Pop cells; return them, the top last, and the new state."""
        state = self._make_explicit(state, count)
        cut = len(state.cells) - count
        return list(state.cells[cut:]), state._replace(cells=state.cells[:cut])

    def _make_explicit(self, state: State, count: int) -> State:
        """Return the state with at least `count` explicit cells; missing ones are arguments."""
        missing = count - len(state.cells)
        if missing > 0:
            below = [
                argument(n, self._arguments)
                for n in range(state.taken + missing - 1, state.taken - 1, -1)
            ]
            state = state._replace(taken=state.taken + missing, cells=(*below, *state.cells))
        self._need = max(self._need, state.taken)
        return state
