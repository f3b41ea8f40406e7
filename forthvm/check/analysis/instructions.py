"""The effect of each instruction of a definition on the abstract state of the stacks.

This file owns one method for each kind of instruction, including calls.  Delegates the joining of
states to paths.py; analyser.py computes the summaries of other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import DOES, VARIABLE, WORD_LIST
from forthvm.core.words.code import IN_LINE_TEXT, Code

from .cells import MOVE_XT, RETURN_ADDRESS, UNKNOWN, Cell, IndexRange, derived, known_cell
from .paths import Next, UnknownPathError
from .primitives import (
    DEAD_ENDS,
    GAME_EFFECTS,
    TESTS_FOR_ZERO,
    kernel_effect,
    primitive_results,
)
from .state import Loop, State
from .summary import Call, Problem
from .uses import UsedCells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.words.dictionary import Word

    from .summary import Summary

__all__ = ["DefinitionAnalysis"]

_STACK_CELLS = 6144
#: The depth of each loop index on the return stack; each loop has three cells.
_INDEX_DEPTHS = {"I": 0, "J": 3, "K": 6}


class DefinitionAnalysis(UsedCells):
    """The analysis of one definition, instruction by instruction."""

    # --- instructions ----------------------------------------------------------------

    def _step(self, state: State, code: Code) -> Iterator[Next]:
        name = code.name
        word = self._image.by_cfa[code.cfa]
        if name in IN_LINE_TEXT:
            yield from self._in_line_text(state, code)
        elif word.primitive and name in _HANDLERS:
            self._note_use(state, word, code.address)
            yield from _HANDLERS[name](self, state, code)
        else:
            for after in self._call(state, word, code.address):
                yield code.next, after

    def _in_line_text(self, state: State, code: Code) -> Iterator[Next]:
        if code.name == '(S")':
            state = state.push(known_cell(code.address + 4))
        elif code.name == '(^")':
            self._game_effects.add("edit")
        elif code.name == '(ABORT")':
            self._loops.note_path(code.address)
            (flag,), state = self._pop(state, 1)
            self._relevant_arguments |= flag.source_arguments
            if flag.truth:
                return
        yield code.next, state

    def _literal(self, state: State, code: Code) -> Iterator[Next]:
        yield code.next, state.push(known_cell(self._analyser.canonical(code.operand)))

    def _compile(self, state: State, code: Code) -> Iterator[Next]:
        self._game_effects.add("edit")
        self._compiled_xts.add(code.operand)
        yield code.next, state

    def _branch(self, state: State, code: Code) -> Iterator[Next]:
        yield self._jump_target(code), state

    def _zero_branch(self, state: State, code: Code) -> Iterator[Next]:
        (flag,), state = self._take(state, 1)
        if self._is_empty_branch(code):
            self._note_dropped([flag])
        else:
            self._note_needed([flag])
            self._note_compared(flag)
        self._relevant_arguments |= flag.source_arguments
        if flag.truth is not False:
            yield code.next, state
        if flag.truth is not True:
            yield self._jump_target(code), state

    def _is_empty_branch(self, code: Code) -> bool:
        """Whether a 0BRANCH continues at the same instruction for all flags."""
        following = self._image.code_at(code.next)
        jumps = following is not None and following.name == "BRANCH"
        return code.operand in (code.next, following.operand if following and jumps else code.next)

    def _dup(self, state: State, code: Code) -> Iterator[Next]:
        """Execute DUP; with a following IF or `0= IF`, each path knows whether the cell is 0."""
        (cell,), rest = self._take(state, 1)
        test = self._image.code_at(code.next)
        negated = test is not None and test.name in TESTS_FOR_ZERO
        branch = self._image.code_at(test.next) if test is not None and negated else test
        if (
            cell.truth is not None
            or branch is None
            or branch.name != "0BRANCH"
            or branch.operand < branch.address
            or any(code.address < head <= branch.address for head in self._loops.last_jumps)
        ):
            yield code.next, rest.push(cell, cell)
            return
        self._note_needed([cell])
        self._note_compared(cell)
        self._relevant_arguments |= cell.source_arguments
        zero, other = cell._replace(values=frozenset({0})), cell._replace(is_true=True)
        yield self._jump_target(branch), rest.push(other if negated else zero)
        yield branch.next, rest.push(zero if negated else other)

    def _jump_target(self, code: Code) -> int:
        if not self._start <= code.operand < self._word_end():
            raise UnknownPathError("a control structure is open: its jump leads nowhere")
        return code.operand

    def _do(self, state: State, code: Code) -> Iterator[Next]:
        (limit, start), state = self._pop(state, 2)
        increment = self._loops.increments.get(code.next)
        index = derived(limit, start)
        if increment and limit.value is not None and start.value is not None:
            end = limit.value - 1 if increment < 0 else limit.value  # the first index too far
            iterations = max(-(-(end - start.value) // increment), 1)
            last = start.value + increment * (iterations - 1)
            index = index._replace(
                index_range=IndexRange(min(start.value, last), max(start.value, last)),
                loops=frozenset({code.address}),
            )
        loop = Loop(limit, index, increment)
        yield code.next, state._replace(return_items=(*state.return_items, loop))

    def _loop(self, state: State, code: Code) -> Iterator[Next]:
        if code.name == "(+LOOP)":
            _, state = self._pop(state, 1)
        if not state.return_items or not isinstance(state.return_items[-1], Loop):
            self._problems.add(Problem("unbalanced-loop", code.address))
            raise UnknownPathError("the loop ends with other cells on top of the return stack")
        loop = state.return_items[-1]
        index_range = loop.loop_index.index_range
        if index_range is None or index_range.low != index_range.high:
            yield self._jump_target(code), state
        yield code.next, state._replace(return_items=state.return_items[:-1])

    def _leave(self, state: State, code: Code) -> Iterator[Next]:
        if not state.return_items or not isinstance(state.return_items[-1], Loop):
            self._problems.add(Problem("no-loop", code.address, name=code.name))
        yield code.next, state

    def _index(self, state: State, code: Code) -> Iterator[Next]:
        depth = _INDEX_DEPTHS[code.name]
        cells = state.return_cells()
        loops = [item for item in reversed(state.return_items) if isinstance(item, Loop)]
        if depth >= len(cells):
            self._problems.add(Problem("no-loop", code.address, name=code.name))
            yield code.next, state.push(UNKNOWN)
            return
        if loops and all(cells[depth] is not loop.loop_index for loop in loops):
            self._problems.add(Problem("covered-loop", code.address, name=code.name))
        yield code.next, state.push(cells[depth])

    def _push_on_return_stack(self, state: State, code: Code) -> Iterator[Next]:
        (cell,), state = self._take(state, 1)
        if cell.value == RETURN_ADDRESS and state.popped_return_address:
            if state.return_items:
                raise UnknownPathError("it moves its return address")
            yield code.next, state._replace(popped_return_address=False)
            return
        yield code.next, state._replace(return_items=(*state.return_items, cell))

    def _pop_from_return_stack(self, state: State, code: Code) -> Iterator[Next]:
        if state.return_items:
            item = state.return_items[-1]
            if isinstance(item, Loop):
                self._problems.add(Problem("takes-loop", code.address, name=code.name))
                raise UnknownPathError("it pops a loop's data from the return stack")
            yield code.next, state._replace(return_items=state.return_items[:-1]).push(item)
        elif state.popped_return_address:
            raise UnknownPathError("it pops its caller's cells from the return stack")
        else:
            yield (
                code.next,
                state._replace(popped_return_address=True).push(known_cell(RETURN_ADDRESS)),
            )

    def _copy_from_return_stack(self, state: State, code: Code) -> Iterator[Next]:
        cells = state.return_cells()
        yield code.next, state.push(cells[0] if cells else known_cell(RETURN_ADDRESS))

    def _end_definition(self, state: State, code: Code) -> Iterator[Next]:
        self._loops.note_path(code.address)
        if state.return_items:
            loop_open = any(isinstance(item, Loop) for item in state.return_items)
            count = len(state.return_cells())
            self._problems.add(Problem("left-on-return", code.address, count, loop_open=loop_open))
            raise UnknownPathError("it returns with its own cells on the return stack")
        self._add_outcome(state, ends_caller=state.popped_return_address)
        yield from ()

    def _pick(self, state: State, code: Code) -> Iterator[Next]:
        (number,), state = self._pop(state, 1)
        self._relevant_arguments |= number.source_arguments
        depth = number.value
        if depth is None or not 0 <= depth < _STACK_CELLS:
            self._reads_unknown_depth = True
            yield code.next, state.push(UNKNOWN)
            return
        state = self._make_explicit(state, depth + 1)
        yield code.next, state.push(state.cells[-1 - depth])

    def _fetch(self, state: State, code: Code) -> Iterator[Next]:
        (address,), state = self._pop(state, 1)
        self._relevant_arguments |= address.source_arguments
        loaded = self._analyser.load(address)
        if address.value is not None:
            self._loaded_addresses.add(address.value)
        elif address.region_xt:
            self._loaded_addresses.add(-address.region_xt)
        yield (
            code.next,
            state.push(
                loaded._replace(source_arguments=loaded.source_arguments | address.source_arguments)
            ),
        )

    def _store(self, state: State, code: Code) -> Iterator[Next]:
        (value, address), state = self._pop(state, 2)
        self._relevant_arguments |= value.source_arguments | address.source_arguments
        # An unknown address in the data of a known word may be any address there.
        targets = address.values or ((-address.region_xt,) if address.region_xt else ())
        self._stores.update((target, value.values) for target in targets)
        yield code.next, state

    def _body_address(self, state: State, code: Code) -> Iterator[Next]:
        (xt,), state = self._pop(state, 1)
        self._relevant_arguments |= xt.source_arguments
        word = self._image.by_cfa.get(xt.value) if xt.value is not None else None
        cell = known_cell(word.body) if word else derived(xt)
        yield code.next, state.push(cell._replace(source_arguments=xt.source_arguments))

    def _add(self, state: State, code: Code) -> Iterator[Next]:
        arguments, state = self._pop(state, 2)
        cell = primitive_results("+", arguments)[0]
        if cell.values is None:
            region = next((r for c in arguments if (r := self._analyser.region(c))), 0)
            cell = cell._replace(region_xt=region)
        yield code.next, state.push(cell)

    # --- calls -----------------------------------------------------------------------

    def _execute(self, state: State, code: Code) -> Iterator[Next]:
        (xt,), state = self._pop(state, 1)
        self._relevant_arguments |= xt.source_arguments
        if xt.values is None:
            if not self._analyser.is_direction_argument(self._word, xt.argument_number):
                self._game_effects.add("anything")
                raise UnknownPathError("it executes a token that is not known")
            self._assumed = True
            yield code.next, state.push(Cell(made_by=("step", code.address)))
            return
        if not any(value == MOVE_XT or value in self._image.by_cfa for value in xt.values):
            self._note_executed(xt, code.address)
        for value in sorted(xt.values):
            if value == MOVE_XT:
                yield code.next, state
                continue
            word = self._image.by_cfa.get(value)
            if word is None:
                raise UnknownPathError("it executes a value that is not a token")
            for after in self._call(state, word, code.address):
                yield code.next, after

    def _note_executed(self, xt: Cell, address: int) -> None:
        """Record that a value is executed that is not a token, here or in the caller."""
        kind = "executed-argument" if xt.source_arguments else "executed"
        self._problems.add(Problem(kind, address, min(xt.values or (0,))))

    def _note_executed_arguments(self, state: State, summary: Summary, address: int) -> None:
        """Record the arguments that a called word executes and that are not tokens."""
        wrong = {p.number for p in summary.problems if p.kind == "executed-argument"}
        for cell in state.cells if wrong else ():
            if cell.value in wrong:
                self._note_executed(cell, address)

    def _call(self, state: State, word: Word, address: int) -> Iterator[State]:
        """Yield the states after the instruction at `address` calls a word, if it returns."""
        self._game_effects |= GAME_EFFECTS.get(word.op, frozenset())
        self._note_use(state, word, address)
        if word.op in DEAD_ENDS and word.primitive:
            self._loops.note_path(address)
            return
        if word.primitive:
            effect = kernel_effect(word.op)
            arguments, state = self._take(state, len(effect.takes))
            self._note_arguments(word, arguments)
            if word.op == "$Exit":
                self._loops.note_path(address)
                return
            yield state.push(*primitive_results(word.op, arguments))
        elif word.kind == VARIABLE:
            yield state.push(known_cell(word.body))
        elif word.kind == WORD_LIST:
            yield state
        elif self._analyser.is_direction(word.cfa):
            yield state.push(Cell(made_by=("step", address)))
        elif word.name == ".moveCFA":
            _, state = self._pop(state, 1)
            yield state.push(known_cell(MOVE_XT))
        else:
            if word.kind == DOES and self._analyser.items(word) >= 0:
                state = self._make_explicit(state, 1)
                self._check_index(state, word, address)
            yield from self._apply_summary(state, word, address)

    def _check_index(self, state: State, word: Word, address: int) -> None:
        """Record a problem if the top of the stack is out of the range of an array's indices."""
        count = self._analyser.items(word)
        top = state.cells[-1]
        if top.value is not None:
            if not 0 <= top.value < count:
                self._problems.add(Problem("index", address, top.value, count, name=word.name))
        elif top.index_range is not None:
            low, high = top.index_range
            if low < 0 or high >= count:
                index = low if low < 0 else high
                problem = Problem("index-span", address, index, count, name=word.name)
                self._index_problems.add((problem, top.loops))

    def _apply_summary(self, state: State, word: Word, address: int) -> Iterator[State]:
        """Yield the states after a call of a definition, one for each outcome in its summary."""
        analyser = self._analyser
        state, call, summary = self._resolve_call(state, word)
        self._calls.add(call)
        self._game_effects |= summary.game_effects
        if (
            not summary.outcomes
            or "exit" in summary.game_effects
            or any(outcome.ends_caller for outcome in summary.outcomes)
        ):
            self._loops.note_path(address)
        self._loaded_addresses |= summary.loaded_addresses
        self._reads_unknown_depth |= summary.reads_unknown_depth
        self._assumed |= summary.assumed
        self._note_executed_arguments(state, summary, address)
        if summary.unknown:
            declared = analyser.declared(word)
            if declared is None:
                raise UnknownPathError(f"it calls `{word.name}`, whose effect is not known")
            self._assumed |= not analyser.is_library(word)
            _, state = self._pop(state, declared.takes)
            for leaves in sorted(set(declared.leaves)):
                yield state.push(*[UNKNOWN] * leaves)
            return
        state = self._make_explicit(state, summary.required_cells)
        self._note_uses_of_call(state, word, summary, address)
        for outcome in summary.outcomes:
            arguments, after = self._take(state, outcome.taken)
            results = [_substitute(cell, arguments, address) for cell in outcome.cells]
            if analyser.position_arguments(word):  # what is on a position
                results = [cell._replace(loops=frozenset()) for cell in results]
            after = after.push(*(self._with_origin(cell, word) for cell in results))
            if not outcome.ends_caller:
                yield after
            elif any(isinstance(item, Loop) for item in after.return_items):
                self._problems.add(Problem("exit-in-loop", address))
            elif after.return_items or after.popped_return_address:
                self._problems.add(Problem("left-on-return", address, len(after.return_cells())))
            else:
                self._add_outcome(after, ends_caller=False)

    def _resolve_call(self, state: State, word: Word) -> tuple[State, Call, Summary]:
        """Return the state with explicit arguments, the kind of call and its summary."""
        general = self._analyser.summary(Call(word.cfa))
        self._loaded_addresses |= general.loaded_addresses
        state = self._make_explicit(state, general.required_cells)
        call, summary = self._analyser.resolve_call(word, state.cells)
        for number in general.relevant_arguments | summary.relevant_arguments:
            if number < len(state.cells):
                self._relevant_arguments |= state.cells[-1 - number].source_arguments
        return state, call, summary


def _substitute(cell: Cell, arguments: list[Cell], address: int) -> Cell:
    """Return a result of a called word as a cell of the caller.

    Args:
        cell: The result.
        arguments: The cells that the caller passed, the top last.
        address: The address of the call.
    """
    if 0 <= cell.argument_number < len(arguments) and cell.values is None:
        return arguments[-1 - cell.argument_number]
    sources = [arguments[-1 - n] for n in cell.source_arguments if n < len(arguments)]
    computed = derived(*sources)
    made_by = cell.made_by
    if made_by is not None and made_by[0] == "step":
        made_by = ("step", address)
    return cell._replace(
        argument_number=-1,
        source_arguments=computed.source_arguments,
        index_range=None,
        loops=computed.loops,
        made_by=made_by,
    )


_HANDLERS: dict[str, Callable[[DefinitionAnalysis, State, Code], Iterator[Next]]] = {
    "LIT": DefinitionAnalysis._literal,
    "COMPILE": DefinitionAnalysis._compile,
    "DUP": DefinitionAnalysis._dup,
    "BRANCH": DefinitionAnalysis._branch,
    "0BRANCH": DefinitionAnalysis._zero_branch,
    "(DO)": DefinitionAnalysis._do,
    "(LOOP)": DefinitionAnalysis._loop,
    "(+LOOP)": DefinitionAnalysis._loop,
    "LEAVE": DefinitionAnalysis._leave,
    "I": DefinitionAnalysis._index,
    "J": DefinitionAnalysis._index,
    "K": DefinitionAnalysis._index,
    ">R": DefinitionAnalysis._push_on_return_stack,
    "R>": DefinitionAnalysis._pop_from_return_stack,
    "R@": DefinitionAnalysis._copy_from_return_stack,
    "R": DefinitionAnalysis._copy_from_return_stack,
    "(;)": DefinitionAnalysis._end_definition,
    "DOES>": DefinitionAnalysis._end_definition,
    "PICK": DefinitionAnalysis._pick,
    "FPICK": DefinitionAnalysis._pick,
    "@": DefinitionAnalysis._fetch,
    "!": DefinitionAnalysis._store,
    "+": DefinitionAnalysis._add,
    "CFA>PFA": DefinitionAnalysis._body_address,
    "EXECUTE": DefinitionAnalysis._execute,
}
