"""Rules on names: unused, hidden, defined twice, similar to hooks.  Owns findings 5xx and W409."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from forthvm.check.program import HOOKS
from forthvm.check.text.lexer import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Definition, Program

__all__ = ["name_rules"]

#: Defining words whose words must be used by the script.  Other defining words, such as {piece},
#: define words that the host uses.
_MUST_BE_USED = frozenset(
    {":", "CONSTANT", "VARIABLE", "CREATE", "DEFER", "[]", "TIMER", "FVARIABLE", "FCONSTANT"}
    | {"{variable}", "{array}", "{carray}"}
)
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


def _uses(program: Program) -> Counter[str]:
    """Count the occurrences of each name in the texts, except in its own definition."""
    uses: Counter[str] = Counter()
    for script in program.scripts:
        for index, token in enumerate(script.tokens):
            if token.kind != NAME:
                name = script.word(index)
                # `name;` also counts as a use of `name`: the blank may be missing.
                uses.update(program.loaded.glued_names.get(name) or {name, name.removesuffix(";")})
    for definition in program.definitions:
        if definition.defining_word == ":":
            inside = (definition.script.word(n) for n in range(definition.at + 1, definition.end))
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
        if definition.name.partition("=")[1]:  # a setting: the host runs it by its name
            continue
        if _is_used_by_host(program, definition):
            continue
        text = f"nothing uses `{definition.name}`"
        yield program.finding_at_token("W501", text, definition.script, definition.token)


def _is_used_by_host(program: Program, definition: Definition) -> bool:
    """Whether the host may use the word: its name begins with `$` or is that of a built-in word."""
    return definition.name.startswith("$") or definition.name in program.built_in


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
                yield program.finding_at_token("W409", text, definition.script, definition.token)
                break


def _calls_itself(definition: Definition) -> bool:
    inside = range(definition.at + 1, definition.end)
    return any(definition.script.word(n) == definition.name for n in inside)


def _hidden_words(program: Program) -> Iterator[Finding]:
    builtin = program.built_in - set(HOOKS) - _OFTEN_REDEFINED
    for definition in program.definitions:
        if definition.name in builtin and not (
            definition.defining_word == ":" and _calls_itself(definition)
        ):
            text = f"`{definition.name}` hides the built-in word of that name"
            yield program.finding_at_token("W502", text, definition.script, definition.token)


def _defined_twice(program: Program) -> Iterator[Finding]:
    first: dict[tuple[str, str], Definition] = {}
    for definition in program.definitions:
        if definition.defining_word not in _MUST_BE_USED:
            continue
        key = (definition.script.text.name, definition.name)
        older = first.setdefault(key, definition)
        if older is definition or (definition.defining_word == ":" and _calls_itself(definition)):
            continue
        location = program.locate(older.script.text.base + older.token.start)
        line = f", line {location.line}" if location else ""
        text = f"`{definition.name}` is defined twice (first{line})"
        yield program.finding_at_token("W503", text, definition.script, definition.token)
