"""Rules on games: sections, lists of moves, and the effects of move words and hooks.

Owns the findings W401 to W411 and W702.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.check.analysis.primitives import GAME_EFFECTS
from forthvm.check.program import HOOKS
from forthvm.check.text.lexer import NAME, WORD, lex
from forthvm.core.bindings.layout import DOES, VARIABLE
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import read_script
from forthvm.game.definition.playable import what_is_missing

from .stack import move_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Definition, Program, Script
    from forthvm.check.text.lexer import Token
    from forthvm.core.words.code import Code
    from forthvm.core.words.dictionary import Word

__all__ = ["game_rules", "reachable_game_effects"]

_RANDOM = frozenset({"{random}", "RAND-WITHIN", "FRAND"})
_SEEDS = frozenset({"SEED!", "RANDOMIZE"})


def game_rules(program: Program) -> Iterator[Finding]:
    """Check the game that the script defines."""
    yield from _move_word_effects(program)
    yield from _misplaced_verify(program)
    yield from _unused_lists(program)
    yield from _unused_types(program)
    for script in program.scripts:
        yield from _section_order(program, script)
    yield from _missing_seed(program)
    yield from _nothing_moves(program)
    for word in program.own_words:
        if word.kind not in (VARIABLE, DOES):
            yield from _array_bounds(program, word)


# --- words -----------------------------------------------------------------------------------


def reachable_game_effects(program: Program, word: Word) -> frozenset[str]:
    """Return the game effects of a word and of all words that it can reach in the call graph.

    Every execution token in the code of a word counts as a call.
    """
    image = program.image
    visited: set[int] = set()
    todo = [word]
    effects: set[str] = set()
    while todo:
        current = todo.pop()
        if current.cfa in visited:
            continue
        visited.add(current.cfa)
        if current.cfa in program.loaded.placeholders:
            effects |= {"anything"}  # the real word is unknown
        effects |= GAME_EFFECTS.get(current.name, frozenset())
        if current.primitive or current.name in GAME_EFFECTS:
            continue
        start = current.does if current.kind == DOES and current.does > 0 else current.body
        containing = image.word_at(start)
        for code in image.instructions(start, containing.end if containing else image.here):
            for token in (code.cfa, code.operand):
                if token in image.by_cfa:
                    todo.append(image.by_cfa[token])
        if current.kind == DOES and image.cell(current.body) in image.by_cfa:
            todo.append(image.by_cfa[image.cell(current.body)])
    return frozenset(effects)


def _move_word_effects(program: Program) -> Iterator[Finding]:
    """Find move words that add no move or an empty one, or that generate moves themselves."""
    for word in move_words(program):
        if not program.is_in_script(word.cfa) or word.cfa in program.loaded.placeholders:
            continue
        effects = program.words.game_effects(word)
        possible = effects | reachable_game_effects(program, word)
        if "anything" not in possible:
            if "add" not in possible:
                text = f"the move word `{word.name}` never adds a move"
                # A word that never returns is not reported: if it loops forever, W313 reports it.
                if program.words.effect(word).returns:
                    yield program.finding_at_cell("W401", text, word.cfa, word=word.name)
            elif "edit" not in possible:
                text = f"the move word `{word.name}` adds a move that changes nothing"
                yield program.finding_at_cell("W404", text, word.cfa, word=word.name)
        if "generate" in effects:
            text = f"the move word `{word.name}` generates moves, which destroys its own move"
            yield program.finding_at_cell("W405", text, word.cfa, word=word.name)
        elif "count" in effects:
            text = f"the move word `{word.name}` reads the list of moves while it is generated"
            yield program.finding_at_cell("W405", text, word.cfa, word=word.name)


def _misplaced_verify(program: Program) -> Iterator[Finding]:
    """Find hooks that run verify, and words that run verify when a move is applied."""
    for word in program.own_words:
        newest = program.image.find(word.name)
        if word.name not in HOOKS or newest is not word:
            continue
        if "exit" in program.words.game_effects(word):
            text = f"verify may end `{word.name}` early and leave a wrong number of cells"
            yield program.finding_at_cell("W406", text, word.cfa, word=word.name)
    run_by_moves = {
        token
        for word in program.own_words
        for summary in program.words.summaries(word)
        for token in summary.compiled
    }
    for token in sorted(run_by_moves):
        called = program.image.by_cfa.get(token)
        if called is None or called.cfa not in program.own_tokens:
            continue
        if "exit" in program.words.game_effects(called):
            text = (
                f"`{called.name}` runs when a move is applied: "
                "verify would leave the move incomplete"
            )
            yield program.finding_at_cell("W406", text, called.cfa, word=called.name)


# --- sections --------------------------------------------------------------------------------


def _preceding_words(program: Program) -> dict[str, set[str]]:
    """Return, for each word of the texts, the words that occur directly before it."""
    preceding: dict[str, set[str]] = {}
    for script in program.scripts:
        for index in range(len(script.tokens)):
            preceding.setdefault(script.word(index), set()).add(script.word(index - 1))
    return preceding


def _unused_lists(program: Program) -> Iterator[Finding]:
    """Find lists of moves that no piece has."""
    before = _preceding_words(program)
    has_pieces_section = any("{pieces" in before[name] or name == "{pieces" for name in before)
    for definition in program.definitions:
        if (
            definition.defining_word == "{moves"
            and has_pieces_section
            and before.get(definition.name, set()) <= {"{moves"}
        ):
            is_in_loaded_file = definition.script is not program.scripts[0]
            if is_in_loaded_file or _sibling_uses(definition):
                continue  # other scripts may load the same file and use the list
            text = f"no piece has the moves `{definition.name}`"
            yield program.finding_at_token("W402", text, definition.script, definition.token)


def _sibling_uses(definition: Definition) -> bool:
    """Whether another script of the folder uses a name without defining it."""
    path = definition.script.text.path
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
    before = _preceding_words(program)
    named = {definition.name for definition in program.definitions}
    reported: set[str] = set()
    for script in program.scripts:
        for index, token in enumerate(script.tokens):
            name = script.word(index)
            if script.word(index - 1) not in ("{move-priority}", "{of-type}"):
                continue
            if "{move-type}" in before[name] or name in named or name in reported:
                continue
            reported.add(name)
            text = f"no move has the type `{name}`"
            yield program.finding_at_token("W403", text, script, token)


class _Order:
    """Checks the order of the sections of a text, token by token."""

    def __init__(self, program: Program, script: Script) -> None:
        self._program = program
        self._script = script
        self._first_type: Token | None = None  # the first {of-type}
        self._variable = self._position = ""  # the last names since {board

    def check_token(self, index: int) -> Iterator[Finding]:
        """Check the token at an index; the indexes must ascend."""
        script, word = self._script, self._script.word(index)
        token = script.tokens[index]
        if word == "{of-type}":
            self._first_type = self._first_type or token
        elif word in ("{variable}", "{array}", "{carray}"):
            self._variable = script.word(index + 1)
        elif word == "{board":
            if self._first_type is not None:
                text = "{board deletes the move types: move the turn order after the board"
                yield self._found(text, self._first_type)
            self._variable = self._position = ""
        elif word == "{position}":
            self._position = script.word(index + 1)
            if self._variable:
                text = f"the position `{self._position}` overlaps the variable `{self._variable}`"
                yield self._found(f"{text} before it", token)
        elif word == "{grid}" and (self._variable or self._position):
            name = self._variable or self._position
            yield self._found(f"{{grid}} overwrites `{name}`, which is before it", token)

    def _found(self, text: str, token: Token) -> Finding:
        return self._program.finding_at_token("W407", text, self._script, token)


def _section_order(program: Program, script: Script) -> Iterator[Finding]:
    order = _Order(program, script)
    for index, token in enumerate(script.tokens):
        if not token.compiled:
            yield from order.check_token(index)


def _missing_seed(program: Program) -> Iterator[Finding]:
    """Find a script that uses random numbers without setting a seed."""
    words = {script.word(n) for script in program.scripts for n in range(len(script.tokens))}
    if words & _SEEDS:
        return
    for script in program.scripts:
        for index, token in enumerate(script.tokens):
            if script.word(index) in _RANDOM:
                text = "the script never seeds the random numbers: every game has the same ones"
                yield program.finding_at_token("I408", text, script, token)
                return


def _nothing_moves(program: Program) -> Iterator[Finding]:
    """Find a script with a board and some sections of a game in which nothing can move."""
    own = {word.name for word in program.own_words}
    scripts = program.scripts
    sections = {script.word(n) for script in scripts for n in range(len(script.tokens))}
    if not program.loaded.complete or not sections & {"{pieces", "{turn-order"}:
        return  # the file is only a part of a game
    missing = what_is_missing(program.loaded.vm.native, own.__contains__)
    if missing:
        script = scripts[0]
        token = next((t for t in script.tokens if t.text.startswith(b"{board")), script.tokens[0])
        text = f"nothing can ever move: the script has {missing}"  # such as "no players"
        yield program.finding_at_token("W411", text, script, token)


# --- arrays ------------------------------------------------------------------------------------


def _array_bounds(program: Program, word: Word) -> Iterator[Finding]:
    """Find `v @ LIMIT <` in a word with `v @ array`, where LIMIT exceeds the array's size."""
    image, analyser = program.image, program.words.analyser
    codes = image.instructions(word.body, word.end)
    bounds: dict[int, list[int]] = {}
    uses: dict[int, tuple[int, Code, Word]] = {}
    for first, second, third, fourth in zip(
        codes, codes[1:], codes[2:], [*codes[3:], None], strict=False
    ):
        variable = image.by_cfa[first.cfa]
        if variable.kind != VARIABLE or second.name != "@":
            continue
        array = image.by_cfa[third.cfa]
        limit = _constant(program, third)
        if array.kind == DOES and (count := analyser.items(array)) >= 0:
            uses.setdefault(first.cfa, (count, third, array))
        elif limit is not None and fourth is not None and fourth.name == "<":
            bounds.setdefault(first.cfa, []).append(limit)
    for token, (count, code, array) in uses.items():
        if bounds.get(token) and min(bounds[token]) > count:
            name, limit = image.by_cfa[token].name, min(bounds[token])
            text = f"`{name}` may reach {limit - 1}, and `{array.name}` has {count} items"
            yield program.finding_at_cell("W702", text, code.address, word=word.name)


def _constant(program: Program, code: Code) -> int | None:
    """Return the number that an instruction pushes, if it is a literal or a constant."""
    if code.name == "LIT":
        return code.operand
    word = program.image.by_cfa[code.cfa]
    if word.kind == DOES and program.image.defining_word(word) == "CONSTANT":
        return program.image.cell(word.body)
    return None
