"""Rules on names: unused, hidden, defined twice, similar to events.  Owns findings 5xx and W409."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from forthvm.check.program import EVENTS
from forthvm.check.text.lexer import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Definition, Program

__all__ = ["name_rules"]

#: Defining words for words that only scripts use; the host uses the items of sections, too.
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
    yield from _near_events(program, uses)
    yield from _hidden(program)
    yield from _twice(program)


def _uses(program: Program) -> Counter[str]:
    """Count the occurrences of each name in the texts, except in its own definition."""
    uses: Counter[str] = Counter()
    for script in program.scripts:
        for index, token in enumerate(script.tokens):
            if token.kind != NAME:
                name = script.word(index)
                uses.update(program.loaded.glued_names.get(name) or {name, name.removesuffix(";")})
    for found in program.definitions:
        if found.defining_word == ":":
            inside = (found.script.word(n) for n in range(found.at + 1, found.end))
            uses[found.name] -= sum(word == found.name for word in inside)
    return uses


def _unused(program: Program, uses: Counter[str]) -> Iterator[Finding]:
    for found in program.definitions:
        if found.defining_word not in _MUST_BE_USED or uses[found.name] > 0 or found.name in EVENTS:
            continue
        if found.name.partition("=")[1]:  # a setting: the host runs it by its name
            continue
        if _is_used_by_host(program, found):
            continue
        text = f"nothing uses `{found.name}`"
        yield program.at_token("W501", text, found.script, found.token)


def _is_used_by_host(program: Program, found: Definition) -> bool:
    """Whether the host uses words of that name, which a script may redefine."""
    return found.name.startswith("$") or found.name in program.built_in


def _near_events(program: Program, uses: Counter[str]) -> Iterator[Finding]:
    for found in program.definitions:
        name = found.name
        if found.defining_word != ":" or name in EVENTS or uses[name] > 0 or not name[:1].isalpha():
            continue
        for event in EVENTS:
            same = name.casefold() == event.casefold()
            close = (
                name[:2] == "On" and SequenceMatcher(None, name, event).ratio() >= _MIN_SIMILARITY
            )
            if same or close:
                text = f"`{name}` is not an event; the host calls `{event}`"
                yield program.at_token("W409", text, found.script, found.token)
                break


def _calls_itself(found: Definition) -> bool:
    inside = range(found.at + 1, found.end)
    return any(found.script.word(n) == found.name for n in inside)


def _hidden(program: Program) -> Iterator[Finding]:
    builtin = program.built_in - set(EVENTS) - _OFTEN_REDEFINED
    for found in program.definitions:
        if found.name in builtin and not (found.defining_word == ":" and _calls_itself(found)):
            text = f"`{found.name}` hides the built-in word of that name"
            yield program.at_token("W502", text, found.script, found.token)


def _twice(program: Program) -> Iterator[Finding]:
    first: dict[tuple[str, str], Definition] = {}
    for found in program.definitions:
        if found.defining_word not in _MUST_BE_USED:
            continue
        key = (found.script.text.name, found.name)
        older = first.setdefault(key, found)
        if older is found or (found.defining_word == ":" and _calls_itself(found)):
            continue
        location = program.locate(older.script.text.base + older.token.start)
        line = f", line {location.line}" if location else ""
        text = f"`{found.name}` is defined twice (first{line})"
        yield program.at_token("W503", text, found.script, found.token)
