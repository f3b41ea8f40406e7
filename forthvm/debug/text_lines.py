"""The tokens of a text that are compiled or interpreted when the text is loaded.

Owns the decision which tokens these are, from the text alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.syntax.tokens import Kind, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["COMPILED", "INTERPRETED", "code_tokens"]

COMPILED = "compiled"
INTERPRETED = "interpreted"

_WITHOUT_CODE = (Kind.COMMENT, Kind.NAME, Kind.QUOTED, Kind.STRING)


def code_tokens(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the offset of each token with code, and whether it is compiled or interpreted.

    A colon has no code of its own, because a breakpoint on it belongs to its definition; a number
    that is interpreted runs no word.
    """
    text = data.decode("ascii", errors="replace")  # one character for each byte
    for token in tokenize(text):
        if token.kind in _WITHOUT_CODE or token.text == ":":
            continue
        if token.compiling:
            yield token.start, COMPILED
        elif token.kind is not Kind.NUMBER:
            yield token.start, INTERPRETED
