"""The names of the items on the stack of a stopped program.

Owns finding the definition in its source; the language server's simulation follows the names of
its stack comments through the words before the place.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from forthvm.core.words.info import describe
from forthvm.editor.language_server.stack import comment_of, simulate
from forthvm.syntax import Kind
from forthvm.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location
    from forthvm.debug import Session, State
    from forthvm.syntax import Token

__all__ = ["stack_names"]


def stack_names(session: Session, state: State) -> tuple[str, ...]:
    """Return the names of the shown items, the top last; "" where the name is not known.

    Of items with the same name, only the topmost one has it.
    """
    unknown = ("",) * len(state.stack)
    if state.location is None or not state.callers:
        return unknown
    names = _names_at(session, state.location)
    if names is None:  # nothing of the word has run
        names = state.names
    if len(names) > len(unknown):
        return unknown  # a stack comment is wrong
    above = {name: at for at, name in enumerate(names) if not _is_number(name)}
    unique = tuple(name if above.get(name) == at else "" for at, name in enumerate(names))
    return (*unknown[len(names) :], *unique)


def _names_at(session: Session, place: Location) -> tuple[str, ...] | None:
    """Return the names before a token runs; None if it is the first one of its definition."""
    file = session.code.find_file(place.file)
    if file is None or file.name.lower().endswith(".zrf"):
        return ()
    tokens = _tokens(file.content)
    lines = file.content.split("\n")
    offset = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
    body = _definition(tokens, offset)
    effects = _effects(session, body)
    definition = next(simulate(body, lambda name: effects.get(name, "")), None)
    if definition is None:
        return ()
    before = [step for step in definition.steps if step.token.end <= offset]
    return (before[-1].stack or ()) if before else None


@lru_cache(maxsize=8)
def _tokens(text: str) -> tuple[Token, ...]:
    return tuple(tokenize(text))


def _definition(tokens: Sequence[Token], offset: int) -> Sequence[Token]:
    """Return the tokens of the colon definition that contains an offset; none outside of one."""
    start = end = 0
    for at, token in enumerate(tokens):
        if token.text == ":" and token.kind is Kind.DEFINING and token.start <= offset:
            start = at
        if token.start > offset and token.text == ";":
            end = at + 1
            break
    return tokens[start : end or len(tokens)]


def _effects(session: Session, tokens: Sequence[Token]) -> dict[str, str]:
    """Return the stack effects of the words that tokens name."""
    vm = session.target.vm

    def read() -> dict[str, str]:
        found = {}
        for name in {token.text for token in tokens}:
            xt = vm.find(name)
            if xt is not None:
                found[name] = describe(vm, name, xt).effect
        return found

    effects = session.call(read)
    if len(tokens) > 1 and (comment := comment_of(tokens, 1)):
        effects[tokens[1].text] = comment
    return effects


def _is_number(name: str) -> bool:
    return name.lstrip("+-").isdecimal()
