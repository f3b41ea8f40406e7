"""Rules on the names of definitions: the findings 5xx and W409.

A definition *hides* a word if it has the name of that word.
"""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from forthvm.check.program import HOOKS
from forthvm.check.text.lexer import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Definition, Program, ScriptFile

__all__ = ["name_rules"]

#: If a word is defined by one of these words, the script must use it.  Words that other defining
#: words define, such as {piece}, are used by the host.
_MUST_BE_USED = frozenset(
    {":", "CONSTANT", "VARIABLE", "CREATE", "DEFER", "[]", "TIMER", "FVARIABLE", "FCONSTANT"}
    | {"{variable}", "{array}", "{carray}"}
)
#: The ratio of SequenceMatcher from which a name counts as similar to that of a hook.
_MIN_SIMILARITY = 0.9
#: Words that only some versions of the library have, so that scripts define their own.
_OFTEN_REDEFINED = frozenset({"[]"})


def name_rules(program: Program) -> Iterator[Finding]:
    """Check every name that the script defines."""
    uses = _uses(program)
    yield from _unused(program, uses)
    yield from _similar_to_hooks(program, uses)
    yield from _hidden_words(program)
    yield from _defined_twice(program)
    for file in program.files:
        yield from _positions_with_one_name(program, file)


def _uses(program: Program) -> Counter[str]:
    """Count the uses of each name, except in its own definition."""
    uses = Counter(
        word
        for file in program.files
        for word, token in zip(file.words, file.tokens, strict=True)
        if token.kind != NAME  # the token does not define the name
    )
    for definition in program.definitions:
        if definition.defining_word == ":":
            inside = (
                definition.file.word(n)
                for n in range(definition.name_index + 1, definition.end_index)
            )
            uses[definition.name] -= sum(word == definition.name for word in inside)
    return uses


def _unused(program: Program, uses: Counter[str]) -> Iterator[Finding]:
    for definition in program.definitions:
        if (
            definition.defining_word not in _MUST_BE_USED
            or uses[definition.name] > 0
            or definition.name in HOOKS
        ):
            continue
        if definition.name.partition("=")[1]:  # `option=value` is a setting, which the host runs
            continue
        if _may_be_used_by_library(program, definition) or _is_in_library(program, definition):
            continue
        text = f"nothing uses `{definition.name}`"
        yield program.finding_at_token("W501", text, definition.file, definition.token)


def _is_in_library(program: Program, definition: Definition) -> bool:
    """Whether a word is defined in a file of the library that the script loads, such as zrf.4th."""
    path, folder = definition.file.text.path, program.loaded.vm.loader.library_folder
    return path is not None and folder is not None and path.resolve().parent == folder.resolve()


def _may_be_used_by_library(program: Program, definition: Definition) -> bool:
    """Whether the kernel or the library may use the word by its name.

    They use words whose names begin with `$`, and built-in words, which scripts may redefine.
    """
    return definition.name.startswith("$") or definition.name in program.built_in_names


def _similar_to_hooks(program: Program, uses: Counter[str]) -> Iterator[Finding]:
    for definition in program.definitions:
        name = definition.name
        if (
            definition.defining_word != ":"
            or name in HOOKS
            or uses[name] > 0
            or not name[:1].isalpha()
        ):
            continue
        for hook in HOOKS:
            differs_only_in_case = name.casefold() == hook.casefold()
            similar = (
                name[:2] == "On" and SequenceMatcher(None, name, hook).ratio() >= _MIN_SIMILARITY
            )
            if differs_only_in_case or similar:
                text = f"`{name}` is not a hook; the host calls `{hook}`"
                yield program.finding_at_token("W409", text, definition.file, definition.token)
                break


def _extends_hidden_word(definition: Definition) -> bool:
    """Whether a colon definition calls the older word of the same name, in order to extend it."""
    if definition.defining_word != ":":
        return False
    inside = range(definition.name_index + 1, definition.end_index)
    return any(definition.file.word(n) == definition.name for n in inside)


def _hidden_words(program: Program) -> Iterator[Finding]:
    names = program.built_in_names - set(HOOKS) - _OFTEN_REDEFINED
    for definition in program.definitions:
        if definition.name in names and not _extends_hidden_word(definition):
            text = f"`{definition.name}` hides the built-in word of that name"
            yield program.finding_at_token("W502", text, definition.file, definition.token)


def _defined_twice(program: Program) -> Iterator[Finding]:
    """W503: a definition has the name of an older one, which FORGET has not removed."""
    image = program.image
    positions = {image.source(word.cfa) for word in program.own_words}
    first: dict[tuple[str, str], Definition] = {}
    for definition in program.definitions:
        if definition.defining_word not in _MUST_BE_USED:
            continue
        if definition.file.text.base + definition.token.start not in positions:
            continue
        key = (definition.file.text.name, definition.name)
        older = first.setdefault(key, definition)
        if older is definition or _extends_hidden_word(definition):
            continue
        location = program.locate(older.file.text.base + older.token.start)
        line = f", line {location.line}" if location else ""
        text = f"`{definition.name}` is defined twice (first{line})"
        yield program.finding_at_token("W503", text, definition.file, definition.token)


def _positions_with_one_name(program: Program, file: ScriptFile) -> Iterator[Finding]:
    """W504: a position has the name of another position of the board."""
    named: set[str] = set()
    for index, token in enumerate(file.tokens):
        word = file.word(index)
        if word == "{board":
            named = set()
        elif word == "{grid}":
            named |= _grid_names(file.word(index - 2), file.word(index - 1))
        elif token.kind == NAME and file.word(index - 1) == "{position}":
            if word in named:
                message = f"another position has this name: `{word}` means only one of them"
                yield program.finding_at_token("W504", message, file, token)
            named.add(word)


def _grid_names(rows: str, columns: str) -> set[str]:
    """Return the names of the positions of a grid, if its size is written as two numbers."""
    if not (rows.isdecimal() and columns.isdecimal()):
        return set()
    letters = "abcdefghijklmnopqrstuvwxyz"[: int(columns)]
    return {f"{letter}{row}" for letter in letters for row in range(1, min(int(rows), 99) + 1)}
