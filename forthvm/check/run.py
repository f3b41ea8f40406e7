"""One definition followed over all its paths, with what lies on the stacks in general.

This file owns how each instruction changes a state and where states meet; it must not know
how summaries of other words are found and kept (analyser.py), nor what people are told.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from .cells import MOVE_TOKEN, RETURN_ADDRESS, UNKNOWN, Cell, derived, known
from .image import CREATED, DOES, IN_LINE_TEXT, VOCABULARY, Code
from .loops import Loops
from .primitives import ACTS, DEAD_ENDS, fold, kernel_effect
from .state import Loop, State, argument, merge
from .summary import Exit, Problem, Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .analyser import Analyser
    from .image import Image, Word
    from .summary import Key

__all__ = ["Run"]

_MOST_DEPTHS = 16  # that one place may be reached with

_Next = tuple[int, State]


class LostError(Exception):
    """The path cannot be followed any further."""


class Run:
    """The paths through one definition.

    Args:
        analyser: Answers what called words do.
        word: The word.
        start: Where its code begins.
        key: Its token and the arguments that are known.
    """

    def __init__(self, analyser: Analyser, word: Word, start: int, key: Key) -> None:
        self._analyser = analyser
        self._image: Image = analyser.image
        self._word = word
        self._start = start
        self._arguments = {
            number: Cell(values, number, frozenset({number})) for number, values in key[1]
        }
        self._states: dict[int, dict[tuple[object, ...], State]] = {}
        self._queue: list[tuple[int, int]] = []
        self._order = 0
        self._pending: dict[tuple[int, int], tuple[object, ...]] = {}
        self._exits: dict[tuple[int, bool], State] = {}
        self._need = 0
        self._acts: set[str] = set()
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
        if self._word.kind == DOES and not self._word.body <= self._start < self._word.end:
            holder = self._image.holder(self._start)
            return holder.end if holder else self._image.here
        return self._word.end

    # --- the walk --------------------------------------------------------------------

    def summary(self) -> Summary:
        """Follow all paths and sum them up."""
        if self._word.kind == DOES:
            self._arrive(self._start, State(cells=(known(self._word.body),)), 0)
        else:
            self._arrive(self._start, State(), 0)
        while self._queue:
            address, order = heapq.heappop(self._queue)
            key = self._pending.pop((address, order))
            self._visit(address, self._states[address][key])
        self._endless_loops()
        exits = () if self._unknown else tuple(self._ways_out())
        return Summary(
            need=self._need,
            exits=exits,
            acts=frozenset(self._acts),
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
        """Note loops that were entered and that no path leaves."""
        if not self._unknown:
            for closing in self._loops.endless(self._states):
                self._problem("endless", closing)

    def _ways_out(self) -> Iterator[Exit]:
        for (_, ends_caller), state in sorted(self._exits.items(), key=lambda item: item[0]):
            yield Exit(state.taken, state.cells, ends_caller)

    def _visit(self, address: int, state: State) -> None:
        code = self._image.code_at(address)
        if code is None or not self._start <= address < self._word_end():
            self._lose("it runs on past its end", address)
            return
        try:
            for target, after in self._step(state, code):
                self._loops.leave(address, target)
                self._arrive(target, after, address)
        except LostError as lost:
            self._lose(str(lost), address)

    def _lose(self, reason: str, address: int) -> None:
        if not self._unknown:
            self._unknown, self._where = reason, address

    def _arrive(self, address: int, state: State, source: int) -> None:
        if address in self._loops.heads:
            entered = dict(state.marks).get(address)
            if source >= address and entered is not None and entered != state.height:
                self._grow(state.height - entered, address, source)
                return
            marks = {**dict(state.marks), address: state.height}
        else:
            marks = dict(state.marks)
        inside = {h: d for h, d in marks.items() if h <= address <= self._loops.heads[h]}
        state = state._replace(marks=tuple(sorted(inside.items())))
        here = self._states.setdefault(address, {})
        key = state.key
        if key in here:
            joined = merge(here[key], state, self._analyser.tokens, self._arguments)
            if joined == here[key]:
                return
            state = joined
        elif len(here) >= _MOST_DEPTHS:
            self._lose("paths meet there with too many different depths", address)
            return
        here[key] = state
        self._order += 1
        self._pending[(address, self._order)] = key
        heapq.heappush(self._queue, (address, self._order))

    def _grow(self, delta: int, head: int, source: int) -> None:
        kind = "leak" if delta > 0 else "eat"
        self._problem(kind, source, delta, head)
        self._lose("a loop changes the depth in every round", source)

    def _problem(self, kind: str, address: int, one: int = 0, two: int = 0, name: str = "") -> None:
        self._problems.add(Problem(kind, address, one, two, name))

    # --- the parameter stack ---------------------------------------------------------

    def _pop(self, state: State, count: int) -> tuple[list[Cell], State]:
        """Take cells, the top last in the list."""
        state = self._touch(state, count)
        cut = len(state.cells) - count
        return list(state.cells[cut:]), state._replace(cells=state.cells[:cut])

    def _touch(self, state: State, count: int) -> State:
        """See to it that so many cells are there to be looked at."""
        missing = count - len(state.cells)
        if missing > 0:
            below = [
                argument(n, self._arguments)
                for n in range(state.taken + missing - 1, state.taken - 1, -1)
            ]
            state = state._replace(taken=state.taken + missing, cells=(*below, *state.cells))
        self._need = max(self._need, state.taken)
        return state

    # --- instructions ----------------------------------------------------------------

    def _step(self, state: State, code: Code) -> Iterator[_Next]:
        name = code.name
        word = self._image.by_cfa[code.cfa]
        if name in IN_LINE_TEXT:
            yield from self._text(state, code)
        elif word.primitive and name in _HANDLERS:
            yield from _HANDLERS[name](self, state, code)
        else:
            for after in self._call(state, word, code.address):
                yield code.next, after

    def _text(self, state: State, code: Code) -> Iterator[_Next]:
        if code.name == '(S")':
            state = state.push(known(code.address + 4))
        elif code.name == '(^")':
            self._acts.add("edit")
        elif code.name == '(ABORT")':
            self._loops.leave(code.address)
            (flag,), state = self._pop(state, 1)
            self._relevant |= flag.deps
            if flag.truth:
                return
        yield code.next, state

    def _literal(self, state: State, code: Code) -> Iterator[_Next]:
        yield code.next, state.push(known(self._analyser.canonical(code.operand)))

    def _compile(self, state: State, code: Code) -> Iterator[_Next]:
        self._acts.add("edit")
        self._compiled.add(code.operand)
        yield code.next, state

    def _branch(self, state: State, code: Code) -> Iterator[_Next]:
        yield self._target(code), state

    def _zero_branch(self, state: State, code: Code) -> Iterator[_Next]:
        (flag,), state = self._pop(state, 1)
        self._relevant |= flag.deps
        if flag.truth is not True:
            yield self._target(code), state
        if flag.truth is not False:
            yield code.next, state

    def _target(self, code: Code) -> int:
        if not self._start <= code.operand < self._word_end():
            raise LostError("a control structure is open: its jump leads nowhere")
        return code.operand

    def _do(self, state: State, code: Code) -> Iterator[_Next]:
        (limit, start), state = self._pop(state, 2)
        counts = self._loops.closings.get(code.next) == "(LOOP)"
        index = derived(limit, start)
        if counts and limit.value is not None and start.value is not None:
            index = index._replace(span=(start.value, max(limit.value - 1, start.value)))
        loop = Loop(limit, index, counts)
        yield code.next, state._replace(returns=(*state.returns, loop))

    def _loop(self, state: State, code: Code) -> Iterator[_Next]:
        if code.name == "(+LOOP)":
            _, state = self._pop(state, 1)
        if not state.returns or not isinstance(state.returns[-1], Loop):
            self._problem("unbalanced-loop", code.address)
            raise LostError("the loop ends with other things on the return stack")
        loop = state.returns[-1]
        span = loop.at.span
        if not (loop.counts and span is not None and span[0] == span[1]):
            yield self._target(code), state
        yield code.next, state._replace(returns=state.returns[:-1])

    def _leave(self, state: State, code: Code) -> Iterator[_Next]:
        if not state.returns or not isinstance(state.returns[-1], Loop):
            self._problem("no-loop", code.address, name=code.name)
        yield code.next, state

    def _index(self, state: State, code: Code) -> Iterator[_Next]:
        depth = {"I": 0, "J": 3, "K": 6}[code.name]
        flat = state.flat_returns()
        loops = [item for item in reversed(state.returns) if isinstance(item, Loop)]
        if depth >= len(flat):
            self._problem("no-loop", code.address, name=code.name)
            yield code.next, state.push(UNKNOWN)
            return
        if loops and all(flat[depth] is not loop.at for loop in loops):
            self._problem("covered-loop", code.address, name=code.name)
        yield code.next, state.push(flat[depth])

    def _to_return(self, state: State, code: Code) -> Iterator[_Next]:
        (cell,), state = self._pop(state, 1)
        if cell.value == RETURN_ADDRESS and state.popped:
            if state.returns:
                raise LostError("it moves its return address")
            yield code.next, state._replace(popped=False)
            return
        yield code.next, state._replace(returns=(*state.returns, cell))

    def _from_return(self, state: State, code: Code) -> Iterator[_Next]:
        if state.returns:
            item = state.returns[-1]
            if isinstance(item, Loop):
                self._problem("takes-loop", code.address, name=code.name)
                raise LostError("it takes a loop's data from the return stack")
            yield code.next, state._replace(returns=state.returns[:-1]).push(item)
        elif state.popped:
            raise LostError("it takes what its caller has on the return stack")
        else:
            yield code.next, state._replace(popped=True).push(known(RETURN_ADDRESS))

    def _copy_return(self, state: State, code: Code) -> Iterator[_Next]:
        flat = state.flat_returns()
        yield code.next, state.push(flat[0] if flat else known(RETURN_ADDRESS))

    def _return(self, state: State, code: Code) -> Iterator[_Next]:
        self._loops.leave(code.address)
        if state.returns:
            loops = any(isinstance(item, Loop) for item in state.returns)
            self._problem("left-on-return", code.address, len(state.flat_returns()), int(loops))
            raise LostError("it returns with things on the return stack")
        self._leave_word(state, ends_caller=state.popped)
        yield from ()

    def _leave_word(self, state: State, *, ends_caller: bool) -> None:
        key = (state.height, ends_caller)
        state = state._replace(marks=(), popped=False, returns=())
        if key in self._exits:
            state = merge(self._exits[key], state, self._analyser.tokens, self._arguments)
        self._exits[key] = state

    def _pick(self, state: State, code: Code) -> Iterator[_Next]:
        (number,), state = self._pop(state, 1)
        self._relevant |= number.deps
        at = number.value
        if at is None or not 0 <= at < 6144:  # noqa: PLR2004 - cells of the stack
            self._deep = True
            yield code.next, state.push(UNKNOWN)
            return
        state = self._touch(state, at + 1)
        yield code.next, state.push(state.cells[-1 - at])

    def _fetch(self, state: State, code: Code) -> Iterator[_Next]:
        (address,), state = self._pop(state, 1)
        self._relevant |= address.deps
        found = self._analyser.load(address)
        if address.value is not None:
            self._loads.add(address.value)
        elif address.region:
            self._loads.add(-address.region)
        yield code.next, state.push(found._replace(deps=found.deps | address.deps))

    def _store(self, state: State, code: Code) -> Iterator[_Next]:
        (value, address), state = self._pop(state, 2)
        self._relevant |= value.deps | address.deps
        for at in address.known or (() if not address.region else (-address.region,)):
            self._stores.add((at, value.known))
        yield code.next, state

    def _body_of(self, state: State, code: Code) -> Iterator[_Next]:
        (token,), state = self._pop(state, 1)
        self._relevant |= token.deps
        word = self._image.by_cfa.get(token.value) if token.value is not None else None
        cell = known(word.body) if word else derived(token)
        yield code.next, state.push(cell._replace(deps=token.deps))

    def _add(self, state: State, code: Code) -> Iterator[_Next]:
        given, state = self._pop(state, 2)
        cell = fold("+", given)[0]
        if cell.known is None:
            region = next((r for c in given if (r := self._analyser.region(c))), 0)
            cell = cell._replace(region=region)
        yield code.next, state.push(cell)

    # --- calls -----------------------------------------------------------------------

    def _execute(self, state: State, code: Code) -> Iterator[_Next]:
        (token,), state = self._pop(state, 1)
        self._relevant |= token.deps
        if token.known is None:
            if not self._analyser.is_direction_argument(self._word, token.param):
                self._acts.add("anything")
                raise LostError("it executes a token that is not known")
            self._assumed = True
            self._note_step(code)
            yield code.next, state.push(UNKNOWN)
            return
        for value in sorted(token.known):
            if value == MOVE_TOKEN:
                yield code.next, state
                continue
            word = self._image.by_cfa.get(value)
            if word is None:
                raise LostError("it executes what is no token")
            if self._analyser.canonical(value) in self._analyser.directions:
                self._note_step(code)
            for after in self._call(state, word, code.address):
                yield code.next, after

    def _note_step(self, code: Code) -> None:
        """Note a step by EXECUTE whose flag is dropped."""
        following = self._image.code_at(code.next)
        if following is not None and following.name == "DROP":
            self._problem("dropped-step", code.address)

    def _call(self, state: State, word: Word, address: int) -> Iterator[State]:
        self._acts |= ACTS.get(word.op, frozenset())
        if word.op in DEAD_ENDS and word.primitive:
            self._loops.leave(address)
            return
        if word.primitive:
            effect = kernel_effect(word.op)
            given, state = self._pop(state, len(effect.takes))
            if word.op == "$Exit":
                self._loops.leave(address)
                return
            yield state.push(*fold(word.op, given))
        elif word.kind == CREATED:
            yield state.push(known(word.body))
        elif word.kind == VOCABULARY:
            yield state
        elif self._analyser.canonical(word.cfa) in self._analyser.directions:
            yield state.push(UNKNOWN)
        elif word.name == ".moveCFA":
            _, state = self._pop(state, 1)
            yield state.push(known(MOVE_TOKEN))
        else:
            if word.kind == DOES and self._analyser.items(word) >= 0:
                state = self._touch(state, 1)
                self._check_index(state, word, address)
            yield from self._apply(state, word, address)

    def _check_index(self, state: State, word: Word, address: int) -> None:
        count = self._analyser.items(word)
        top = state.cells[-1]
        if top.value is not None:
            if not 0 <= top.value < count:
                self._problem("index", address, top.value, count, word.name)
        elif top.span is not None:
            low, high = top.span
            if low < 0 or high >= count:
                self._problem("index-span", address, low if low < 0 else high, count, word.name)

    def _apply(self, state: State, word: Word, address: int) -> Iterator[State]:
        analyser = self._analyser
        state, key, summary = self._context(state, word)
        self._calls.add(key)
        self._acts |= summary.acts
        if not summary.exits or "exit" in summary.acts or any(w.ends_caller for w in summary.exits):
            self._loops.leave(address)
        self._loads |= summary.loads
        self._deep |= summary.deep
        self._assumed |= summary.assumed
        if summary.unknown:
            declared = analyser.declared(word)
            if declared is None:
                raise LostError(f"it calls `{word.name}`, whose effect is not known")
            self._assumed |= not analyser.is_library(word)
            _, state = self._pop(state, declared.takes)
            for leaves in sorted(set(declared.leaves)):
                yield state.push(*[UNKNOWN] * leaves)
            return
        state = self._touch(state, summary.need)
        for way in summary.exits:
            given, after = self._pop(state, way.taken)
            after = after.push(*(_substitute(cell, given) for cell in way.cells))
            if not way.ends_caller:
                yield after
            elif any(isinstance(item, Loop) for item in after.returns):
                self._problem("exit-in-loop", address)
            elif after.returns or after.popped:
                self._problem("left-on-return", address, len(after.flat_returns()), 0)
            else:
                self._leave_word(after, ends_caller=False)

    def _context(self, state: State, word: Word) -> tuple[State, Key, Summary]:
        """The call as a key: with those arguments that are known and matter."""
        general = self._analyser.summary((word.cfa, ()))
        self._loads |= general.loads
        state = self._touch(state, general.need)
        key, summary = self._analyser.called(word, state.cells)
        for number in general.relevant | summary.relevant:
            if number < len(state.cells):
                self._relevant |= state.cells[-1 - number].deps
        return state, key, summary


def _substitute(cell: Cell, given: list[Cell]) -> Cell:
    """A cell that a called word leaves, with the caller's cells for its arguments."""
    if 0 <= cell.param < len(given) and (cell.known is None):
        return given[-1 - cell.param]
    deps: frozenset[int] = frozenset()
    for number in cell.deps:
        if number < len(given):
            deps |= given[-1 - number].deps
    return cell._replace(param=-1, deps=deps)


_HANDLERS: dict[str, Callable[[Run, State, Code], Iterator[_Next]]] = {
    "LIT": Run._literal,
    "COMPILE": Run._compile,
    "BRANCH": Run._branch,
    "0BRANCH": Run._zero_branch,
    "(DO)": Run._do,
    "(LOOP)": Run._loop,
    "(+LOOP)": Run._loop,
    "LEAVE": Run._leave,
    "I": Run._index,
    "J": Run._index,
    "K": Run._index,
    ">R": Run._to_return,
    "R>": Run._from_return,
    "R@": Run._copy_return,
    "R": Run._copy_return,
    "(;)": Run._return,
    "DOES>": Run._return,
    "PICK": Run._pick,
    "FPICK": Run._pick,
    "@": Run._fetch,
    "!": Run._store,
    "+": Run._add,
    "CFA>PFA": Run._body_of,
    "EXECUTE": Run._execute,
}
