"""The stack at each place of a definition, with the names from stack comments.

The names are part of the abstract cells, so they follow the words that move cells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from forthvm.check.text.comments import read_comment
from forthvm.check.text.lexer import COMMENT, lex
from forthvm.core.bindings.layout import COLON
from forthvm.core.errors import ForthVMError

from .cells import MAX_NAME, Cell
from .effects import WordAnalysis
from .instructions import DefinitionAnalysis
from .primitives import kernel_effect
from .summary import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from forthvm.check.text.comments import Declared
    from forthvm.core.vm import VM
    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word

    from .paths import Next, StateKey
    from .state import State

__all__ = ["Place", "Stack", "compiled_stacks", "stack_after", "stacks_of"]

Stack = tuple[str, ...]
_CONTINUES = frozenset({"BRANCH", "DOES>"})
"""Instructions after which the code in the text is reached on other paths only."""
_BODY = re.compile("addr|pfa|body")
"""In the name of an argument: it is the address of the body of the word."""


@dataclass(frozen=True, slots=True)
class Place:
    """An instruction, with the stack before and after it; None where the stack is not known.

    Attributes:
        position: The source position.
        before: The stack before the instruction.
        after: The stack after the instruction if the next one follows it; else the stack before the
            next one.
    """

    position: int
    before: Stack | None
    after: Stack | None = None


def stack_after(places: Sequence[Place], start: int, end: int) -> Stack | None:
    """Return the stack after the token between two positions."""
    for place, following in pairwise([*places, None]):
        if place is not None and place.position >= end:
            return place.before  # the token compiles nothing
        is_last = following is None or following.position >= end
        if place is not None and place.position >= start and is_last:
            return place.after
    return None


def stacks_of(words: WordAnalysis, word: Word) -> list[Place]:
    """Return the places of a colon definition, the last one at the end of its text."""
    codes = words.image.instructions(word.body, word.end)
    analyses = [_NamedStacks(words, word, word.body, _arguments(words.comments.of(word)))]
    for code in codes:
        if code.name == "DOES>":
            arguments = _arguments_of_action(_comment_after(words, code))
            analyses.append(_NamedStacks(words, word, code.next, arguments))
    before: dict[int, Stack | None] = {}
    after: dict[int, Stack | None] = {}
    for analysis in analyses:
        analysis.follow(before, after)
    places = [
        Place(
            words.image.source(code.address),
            before.get(code.address),
            before.get(code.next) if code.name in _CONTINUES else after.get(code.address),
        )
        for code in codes
    ]
    text = words.sources.text_at(words.image.source(word.cfa))
    if text is not None:
        end = codes[-1].next if codes else word.body
        places.append(Place(text.base + len(text.data), before.get(end)))
    return places


def compiled_stacks(
    vm: VM, definitions: Sequence[str], opaque: Iterable[int] = ()
) -> list[list[Place]]:
    """Return the stacks of definitions that are compiled after the words of a VM.

    Positions are indices of characters in a definition.  Of a definition that cannot be compiled,
    the list is empty; of the last one, it has the places up to the failure.  The VM is not changed.
    """
    before, texts = vm.snapshot(), list(vm.sources.texts)
    compiled: dict[int, int] = {}  # numbers of definitions, by source position
    try:
        for number, definition in enumerate(definitions):
            if _compile(vm, definition, keep_begin=number + 1 == len(definitions)):
                compiled[vm.sources.texts[-1].base] = number
        words = WordAnalysis(vm, opaque)
        found: list[list[Place]] = [[] for _ in definitions]
        for word in words.image.words:
            text = vm.sources.text_at(words.image.source(word.cfa))
            if word.kind == COLON and text is not None and text.base in compiled:
                found[compiled[text.base]] = [
                    replace(
                        place, position=len(text.decode(text.data[: place.position - text.base]))
                    )
                    for place in stacks_of(words, word)
                ]
    finally:
        vm.restore(before)
        vm.sources.texts[:] = texts
    return found


def _compile(vm: VM, definition: str, *, keep_begin: bool) -> bool:
    """Compile a definition, or what precedes the place at which that fails."""
    try:
        vm.interpret(definition, name="<definition>")
    except ForthVMError as error:
        place = error.location
        if not keep_begin or place is None:
            return False
        lines = definition.split("\n")[: place.line - 1]
        begin = definition[: sum(len(line) + 1 for line in lines) + place.column - 1]
        return "" < begin < definition and _compile(vm, begin, keep_begin=True)
    return True


# --- names of arguments ------------------------------------------------------------------------


def _arguments(declared: Declared | None) -> Stack | None:
    """Return the names of the arguments; None if the stack comment does not state them all."""
    if declared is None:
        return ()
    return declared.takes if declared.counted else None


def _arguments_of_action(declared: Declared | None) -> Stack | None:
    """Return the arguments of the code after DOES>: the address of the body is on top.

    The comment may describe the action, `( n addr -- n )`, or the new word, `( n -- n )`.
    """
    arguments = _arguments(declared)
    if arguments is None or (arguments and _BODY.search(arguments[-1])):
        return arguments
    return (*arguments, "addr")


def _comment_after(words: WordAnalysis, code: Code) -> Declared | None:
    """Return the stack comment after the token that compiled an instruction."""
    position = words.image.source(code.address)
    text = words.sources.text_at(position)
    if text is None:
        return None
    lexed = lex(text.data)
    index = lexed.index_by_offset.get(position - text.base, len(lexed.tokens))
    after = lexed.tokens[index + 1 : index + 2]
    is_comment = bool(after) and after[0].kind == COMMENT and after[0].opener == b"("
    return read_comment(text.decode(after[0].text)) if is_comment else None


class _NamedStacks(DefinitionAnalysis):
    """The analysis of a definition whose cells have names.

    Args:
        words: The analysis of all words.
        word: The definition.
        start: The address of its code, or of its code after DOES>.
        arguments: The names of its arguments, the top of the stack last; None if unknown.
    """

    def __init__(
        self, words: WordAnalysis, word: Word, start: int, arguments: Stack | None
    ) -> None:
        super().__init__(words.analyser, word, start, Call(word.cfa))
        self._comments = words.comments
        self._names = arguments
        self._after: dict[int, dict[StateKey, State]] = {}
        for number, name in enumerate(reversed(arguments or ())):
            self._arguments[number] = Cell(None, number, frozenset({number}), name=name)

    def follow(self, before: dict[int, Stack | None], after: dict[int, Stack | None]) -> None:
        """Add the stacks before and after each instruction that a path reaches."""
        self.summary()
        before |= {address: self._shown(states) for address, states in self._states.items()}
        after |= {address: self._shown(states) for address, states in self._after.items()}

    def _shown(self, states: Mapping[StateKey, State]) -> Stack | None:
        """Return the names of the cells in states; None if their depths differ."""
        if self._names is None or len(states) > 1:
            return None
        (state,) = states.values()
        hidden = len(self._names) - state.taken  # arguments that no word has accessed
        if hidden < 0:
            return None
        return (*self._names[:hidden], *(cell.name for cell in state.cells))

    # --- names of results --------------------------------------------------------------

    def _step(self, state: State, code: Code) -> Iterator[Next]:
        word = self._image.by_cfa[code.cfa]
        steps = super()._step(state, code)
        if code.name == "DUP":  # before a branch, the analysis passes over both
            (cell,), rest = self._take(state, 1)
            steps = iter([(code.next, rest.push(cell, cell))])
        for target, after in steps:
            named = self._named(after, word)
            if target == code.next:
                self._after.setdefault(code.address, {})[named.key] = named
            yield target, named

    def _call(self, state: State, word: Word, address: int) -> Iterator[State]:
        for after in super()._call(state, word, address):
            yield self._named(after, word)

    def _named(self, state: State, word: Word) -> State:
        """Return the state in which the cells that a word has pushed have names."""
        if all(cell.name for cell in state.cells):
            return state
        takes, leaves = self._effect(word)
        names = (*["x"] * (len(state.cells) - len(leaves)), *leaves)[-len(state.cells) :]
        is_constant = not takes and len(leaves) == 1 and word.op != "LIT"
        cells = []
        for cell, name in zip(state.cells, names, strict=True):
            if cell.name:
                cells.append(cell)
                continue
            value = self._shown_value(cell)
            shown = word.name if is_constant else value or name
            cells.append(cell._replace(name=shown[:MAX_NAME]))
        return state.with_cells(tuple(cells))

    def _effect(self, word: Word) -> tuple[Sequence[str], Sequence[str]]:
        """Return the names of arguments and results of a word."""
        if word.primitive:
            effect = kernel_effect(word.op)
            return effect.takes, effect.leaves
        declared = self._comments.of(word)
        if declared is not None:
            one_length = len({len(names) for names in declared.leaves}) == 1
            pairs = zip(*declared.leaves, strict=True) if one_length else ()
            return declared.takes, ["|".join(dict.fromkeys(names)) for names in pairs]
        return (), ("x",) if word.kind != COLON else ()

    def _shown_value(self, cell: Cell) -> str:
        """Return the only value that a cell can have: a number, or `'` and the name of a word."""
        if cell.made_by is not None and cell.made_by[0] == "step":
            return "?"
        if cell.value is None:
            return ""
        word = self._image.by_cfa.get(cell.value)
        return f"'{word.name}" if word is not None else str(cell.value)
