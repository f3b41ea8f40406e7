"""Findings about a missing `;` or a missing blank.

This file owns the messages and locations of these findings.  A word is *glued* to the next word if
the blank between them is missing, as in `jump;`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.check.finding import Finding
from forthvm.core.loading.source import line_number

from .lexer import NAME, WORD, lex
from .repairs import is_glued_to_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.core.loading.source import SourceTable, Text
    from forthvm.core.location import Location

    from .unfinished import Unfinished
    from .words import Token

__all__ = ["missing_blank", "missing_ends", "open_at_end"]


def missing_blank(name: str, parts: tuple[str, ...], location: Location | None) -> Finding:
    """Return the finding for a name that lacks a blank."""
    message = f"a blank is missing in `{name}`: it is read as one name"
    return Finding("E105", message, location, hints=(f"write `{' '.join(parts)}`",))


def missing_ends(
    text: Text, data: bytes, table: SourceTable, is_known: Callable[[str], bool], *, main: bool
) -> Iterator[Finding]:
    """Yield a finding for each definition in which the `;` is missing or glued to a word.

    A definition that is open at the end of the main script is left out: the VM warns of it.  `data`
    is the text without its damaged parts.
    """
    tokens = lex(data).tokens
    defined = {text.decode(token.text) for token in tokens if token.kind == NAME}

    def known(name: str) -> bool:
        return name in defined or is_known(name)

    def locate(token: Token) -> Location | None:
        return table.locate(text.base + token.start)

    for definition in lex(data).unfinished:
        name = text.decode(definition.name.text)
        glued = next(
            (
                token
                for token in tokens
                if definition.name.end <= token.start < definition.end
                and token.kind == WORD
                and (token == definition.last or is_glued_to_end(text.decode(token.text), known))
                and _ends_with_semicolon(text.decode(token.text), known)
            ),
            None,
        )
        if glued is not None:
            word = text.decode(glued.text)
            finding = missing_blank(word, (word[:-1], ";"), locate(glued))
            message = f"{finding.message}, and `{name}` has no `;`"
            yield replace(finding, message=message, word=name)
        elif definition.next_words or not main:
            message = (
                f"the definition of `{name}` has no `;` before {_text_after(text, definition)}"
            )
            yield Finding(
                "E312", message, locate(definition.name), name, (_advice(text, definition),)
            )


def _ends_with_semicolon(word: str, known: Callable[[str], bool]) -> bool:
    """Whether a word is no name, but would be followed by `;` with a blank in it."""
    return word.endswith(";") and word != ";" and not known(word)


def open_at_end(text: Text, table: SourceTable) -> Finding | None:
    """Return the finding for a definition that is still open at the end of a text."""
    for definition in lex(text.data).unfinished:
        if not definition.next_words:
            name = text.decode(definition.name.text)
            message = (
                f"the definition of `{name}` has no `;` before {_text_after(text, definition)}"
            )
            location = table.locate(text.base + definition.name.start)
            return Finding("W310", message, location, name, (_advice(text, definition),))
    return None


def _text_after(text: Text, definition: Unfinished) -> str:
    """Describe the text that follows a definition without `;`."""
    if not definition.next_words:
        return "the end of the file"
    return f"line {line_number(text.data, definition.end)}, where `{definition.next_words}` begins"


def _advice(text: Text, definition: Unfinished) -> str:
    line = line_number(text.data, definition.last.start)
    last = text.decode(definition.last.text)
    return f"its last word is `{last}`, in line {line}: write `;` after it"
