"""A Pygments lexer for ForthScript, registered under `forthscript`.

Owns the mapping from token kinds to Pygments tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pygments import token as t
from pygments.lexer import Lexer

from .tokens import Kind, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygments.token import _TokenType

__all__ = ["TYPES", "ForthScriptLexer"]

TYPES: dict[Kind, _TokenType] = {
    Kind.COMMENT: t.Comment,
    Kind.STRING: t.String,
    Kind.DEFINING: t.Keyword.Declaration,
    Kind.NAME: t.Name.Function,
    Kind.QUOTED: t.Name.Label,
    Kind.CONTROL: t.Keyword,
    Kind.SECTION: t.Keyword.Namespace,
    Kind.ITEM: t.Name.Decorator,
    Kind.NUMBER: t.Number,
    Kind.KERNEL: t.Name.Builtin,
    Kind.WORD: t.Name,
}


class ForthScriptLexer(Lexer):  # type: ignore[misc]  # Pygments has no types
    """A lexer of ForthScript, the language of the Axiom engine's board games."""

    name = "ForthScript"
    aliases: ClassVar[list[str]] = ["forthscript", "axiom"]
    filenames: ClassVar[list[str]] = ["*.4th"]
    alias_filenames: ClassVar[list[str]] = ["*.fs", "*.fth"]
    mimetypes: ClassVar[list[str]] = ["text/x-forthscript"]
    url = "https://en.wikipedia.org/wiki/Axiom_Development_Kit"
    priority = 0.1  # *.4th may be any Forth

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield tokens with their offsets, including blanks, as Pygments requires."""
        offset = 0
        for token in tokenize(text):
            if token.start > offset:
                yield offset, t.Whitespace, text[offset : token.start]
            yield token.start, TYPES[token.kind], text[token.start : token.end]
            offset = token.end
        if offset < len(text):
            yield offset, t.Whitespace, text[offset:]

    def analyse_text(text: str) -> float:  # noqa: N805 - Pygments makes it static
        """Return the probability that a text is ForthScript, judged by its sections."""
        return 0.9 if "{board" in text or "{pieces" in text else 0.0
