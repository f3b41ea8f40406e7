"""Rules on games: sections, lists of moves, hooks and arrays.

Owns the findings W402, W403, W406 to W411 and W702.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.check.analysis.primitives import GAME_EFFECTS
from forthvm.check.program import HOOKS
from forthvm.check.text.lexer import NAME, WORD, lex
from forthvm.core.bindings.layout import DOES, VARIABLE
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import read_script
from forthvm.game.tables import what_is_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Definition, Program, ScriptFile
    from forthvm.check.text.lexer import Token
    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word

__all__ = ["game_rules", "reachable_game_effects", "reachable_words"]

_RANDOM = frozenset({"{random}", "RAND-WITHIN", "FRAND"})
_SEEDS = frozenset({"SEED!", "RANDOMIZE"})


def game_rules(program: Program) -> Iterator[Finding]:
    """Check the game that the script defines."""
    yield from _misplaced_verify(program)
    yield from _unused_lists(program)
    yield from _unused_types(program)
    for file in program.files:
        yield from _section_order(program, file)
    yield from _missing_seed(program)
    yield from _nothing_moves(program)
    for word in program.own_words:
        if word.kind not in (VARIABLE, DOES):
            yield from _array_bounds(program, word)


# --- words -----------------------------------------------------------------------------------


def reachable_words(program: Program, words: Iterable[Word]) -> Iterator[Word]:
    """Yield words and all words that they may call.

    Every xt in the code of a word counts as a call, except in the words of `GAME_EFFECTS`.
    """
    image = program.image
    visited: set[int] = set()
    todo = list(words)
    while todo:
        current = todo.pop()
        if current.cfa in visited:
            continue
        visited.add(current.cfa)
        yield current
        if current.primitive or current.name in GAME_EFFECTS:
            continue
        start = current.does if current.kind == DOES and current.does > 0 else current.body
        containing = image.word_at(start)
        for code in image.instructions(start, containing.end if containing else image.here):
            for xt in (code.cfa, code.operand):
                if xt in image.by_cfa:
                    todo.append(image.by_cfa[xt])
        if current.kind == DOES and image.cell(current.body) in image.by_cfa:
            todo.append(image.by_cfa[image.cell(current.body)])


def reachable_game_effects(program: Program, word: Word) -> frozenset[str]:
    """Return the game effects (`GAME_EFFECTS`) of a word and of all words that it may call."""
    effects: set[str] = set()
    for current in reachable_words(program, [word]):
        if current.cfa in program.loaded.placeholder_xts:
            effects |= {"anything"}  # the script lacks the word, or its definition is unreadable
        effects |= GAME_EFFECTS.get(current.name, frozenset())
    return frozenset(effects)


def _misplaced_verify(program: Program) -> Iterator[Finding]:
    """Find hooks that run verify, and words that a move runs and that run verify."""
    for word in program.own_words:
        newest = program.image.find(word.name)
        if word.name not in HOOKS or newest is not word:
            continue
        if "exit" in program.analysis.game_effects(word):
            text = f"verify may end `{word.name}` early and leave a wrong number of cells"
            yield program.finding_at_cell("W406", text, word.cfa, word=word.name)
    run_by_moves = {
        xt
        for word in program.own_words
        for summary in program.analysis.summaries(word)
        for xt in summary.compiled_xts
    }
    for xt in sorted(run_by_moves):
        called = program.image.by_cfa.get(xt)
        if called is None or called.cfa not in program.own_xts:
            continue
        if "exit" in program.analysis.game_effects(called):
            text = (
                f"`{called.name}` runs when a move is applied: "
                "verify would leave the move incomplete"
            )
            yield program.finding_at_cell("W406", text, called.cfa, word=called.name)


# --- sections --------------------------------------------------------------------------------


def _preceding_words(program: Program) -> dict[str, set[str]]:
    """Return, for each word in the files, the words that occur directly before it."""
    preceding: dict[str, set[str]] = {}
    for file in program.files:
        for before, word in set(zip(["", *file.words], file.words, strict=False)):
            preceding.setdefault(word, set()).add(before)
    return preceding


def _unused_lists(program: Program) -> Iterator[Finding]:
    """Find lists of moves that no piece has."""
    preceding = _preceding_words(program)
    has_pieces_section = "{pieces" in preceding
    for definition in program.definitions:
        if (
            definition.defining_word == "{moves"
            and has_pieces_section
            and preceding.get(definition.name, set()) <= {"{moves"}
        ):
            is_in_loaded_file = definition.file is not program.files[0]
            if is_in_loaded_file or _sibling_uses(definition):
                continue  # another script may load the file and use the list
            text = f"no piece has the moves `{definition.name}`"
            yield program.finding_at_token("W402", text, definition.file, definition.token)


def _sibling_uses(definition: Definition) -> bool:
    """Whether another script in the folder uses the defined name without defining it."""
    path = definition.file.text.path
    name = definition.token.text
    if path is None:
        return False
    for sibling in sorted(path.parent.glob("*.4th")):
        if sibling.name == path.name:
            continue
        try:
            data, _ = read_script(sibling)
        except ForthVMError:
            continue
        if name in data:
            kinds = {token.kind for token in lex(data).tokens if token.text == name}
            if WORD in kinds and NAME not in kinds:
                return True
    return False


def _unused_types(program: Program) -> Iterator[Finding]:
    """Find names of move types that no move has."""
    preceding = _preceding_words(program)
    named = {definition.name for definition in program.definitions}
    reported: set[str] = set()
    for file in program.files:
        for index, token in enumerate(file.tokens):
            name = file.word(index)
            if file.word(index - 1) not in ("{move-priority}", "{of-type}"):
                continue
            if "{move-type}" in preceding[name] or name in named or name in reported:
                continue
            reported.add(name)
            text = f"no move has the type `{name}`"
            yield program.finding_at_token("W403", text, file, token)


class _SectionOrder:
    """Checks the order of the sections of a file, token by token."""

    def __init__(self, program: Program, file: ScriptFile) -> None:
        self._program = program
        self._file = file
        self._first_type: Token | None = None  # the first {of-type}
        # The last names that {variable} and {position} defined after {board.
        self._variable = self._position = ""

    def check_token(self, index: int) -> Iterator[Finding]:
        """Check the token at an index; the indices must ascend."""
        file, word = self._file, self._file.word(index)
        token = file.tokens[index]
        if word == "{of-type}":
            self._first_type = self._first_type or token
        elif word in ("{variable}", "{array}", "{carray}"):
            self._variable = file.word(index + 1)
        elif word == "{board":
            if self._first_type is not None:
                text = "{board deletes the move types: move the turn order after the board"
                yield self._found(text, self._first_type)
            self._variable = self._position = ""
        elif word == "{position}":
            self._position = file.word(index + 1)
            if self._variable:
                text = f"the position `{self._position}` overlaps the variable `{self._variable}`"
                yield self._found(f"{text} before it", token)
        elif word == "{grid}" and (self._variable or self._position):
            name = self._variable or self._position
            yield self._found(f"{{grid}} overwrites `{name}`, which is before it", token)

    def _found(self, text: str, token: Token) -> Finding:
        return self._program.finding_at_token("W407", text, self._file, token)


def _section_order(program: Program, file: ScriptFile) -> Iterator[Finding]:
    order = _SectionOrder(program, file)
    for index, token in enumerate(file.tokens):
        if not token.in_definition:
            yield from order.check_token(index)


def _missing_seed(program: Program) -> Iterator[Finding]:
    """Find a script that uses random numbers without setting a seed."""
    words = {word for file in program.files for word in file.words}
    if words & _SEEDS:
        return
    for file in program.files:
        for index, token in enumerate(file.tokens):
            if file.word(index) in _RANDOM:
                text = "the script never seeds the random numbers: every game has the same ones"
                yield program.finding_at_token("I408", text, file, token)
                return


def _nothing_moves(program: Program) -> Iterator[Finding]:
    """Find a game in which nothing can move."""
    own_names = {word.name for word in program.own_words}
    files = program.files
    sections = {word for file in files for word in file.words}
    if not program.loaded.complete or not sections & {"{pieces", "{turn-order"}:
        return  # the file is only a part of a game
    missing = what_is_missing(program.loaded.vm.native, own_names.__contains__)
    if missing:
        file = files[0]
        token = next((t for t in file.tokens if t.text.startswith(b"{board")), file.tokens[0])
        text = f"nothing can ever move: the script has {missing}"  # a text such as "no {players"
        yield program.finding_at_token("W411", text, file, token)


# --- arrays ------------------------------------------------------------------------------------


def _array_bounds(program: Program, word: Word) -> Iterator[Finding]:
    """Find an index variable `v` that is compared only with limits above the size of an array.

    The word contains `v @ array` and `v @ LIMIT <`, and every LIMIT exceeds the number of items.
    """
    image, analyser = program.image, program.analysis.analyser
    codes = image.instructions(word.body, word.end)
    limits_by_variable: dict[int, list[int]] = {}
    uses_by_variable: dict[int, tuple[int, Code, Word]] = {}
    for first, second, third, fourth in zip(
        codes, codes[1:], codes[2:], [*codes[3:], None], strict=False
    ):
        variable = image.by_cfa[first.cfa]
        if variable.kind != VARIABLE or second.name != "@":
            continue
        array = image.by_cfa[third.cfa]
        limit = _constant(program, third)
        if array.kind == DOES and (count := analyser.items(array)) >= 0:
            uses_by_variable.setdefault(first.cfa, (count, third, array))
        elif limit is not None and fourth is not None and fourth.name == "<":
            limits_by_variable.setdefault(first.cfa, []).append(limit)
    for variable_xt, (count, code, array) in uses_by_variable.items():
        limits = limits_by_variable.get(variable_xt)
        if limits and min(limits) > count:
            name = image.by_cfa[variable_xt].name
            text = f"`{name}` may reach {min(limits) - 1}, and `{array.name}` has {count} items"
            yield program.finding_at_cell("W702", text, code.address, word=word.name)


def _constant(program: Program, code: Code) -> int | None:
    """Return the number that a literal or a constant pushes; None for other instructions."""
    if code.name == "LIT":
        return code.operand
    word = program.image.by_cfa[code.cfa]
    if word.kind == DOES and program.image.defining_word(word) == "CONSTANT":
        return program.image.cell(word.body)
    return None
