"""Assembles the text of a script, and records from which rules its parts come.

Owns lines, indentation and the source map.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.zrf.source import Origin

__all__ = ["Script", "Span", "Writer", "shown_file"]

_INDENT = "    "
_WIDTH = 96


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a script, in bytes, that was compiled from one form of the rule file."""

    start: int
    end: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Script:
    """A compiled game.

    Attributes:
        text: In UTF-8.
        spans: The origins of compiled move code and goals, in ascending order.
        sections: The origins of all parts of the text, each with the offset where it begins.
    """

    text: bytes
    spans: tuple[Span, ...]
    sections: tuple[tuple[int, Origin], ...] = ()

    def origin_at(self, offset: int) -> Origin | None:
        """Return the origin of the byte at an offset, None outside of compiled move code."""
        at = bisect_right(self.spans, offset, key=lambda span: span.start) - 1
        if at >= 0 and offset < self.spans[at].end:
            return self.spans[at].origin
        return None

    def section_at(self, offset: int) -> Origin | None:
        """Return the origin of the part that contains an offset; None before the first part."""
        at = bisect_right(self.sections, offset, key=lambda section: section[0]) - 1
        return self.sections[at][1] if at >= 0 else None


class Writer:
    """Collects lines of a script."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0
        self._spans: list[Span] = []
        self._sections: list[tuple[int, Origin]] = []
        self._depth = 0

    def line(self, text: str = "", origin: Origin | None = None) -> None:
        """Append a line; `origin` is that of all its words."""
        data = text.encode() if text else b""
        indent = (_INDENT * self._depth).encode() if text else b""
        start = self._length + len(indent)
        if origin is not None and data:
            self._spans.append(Span(start, start + len(data), origin))
        self._parts += [indent, data, b"\n"]
        self._length = start + len(data) + 1

    def end_of_definition(self) -> None:
        """Append the end of a definition; its origin is that of the words before it."""
        self.line(";", self._spans[-1].origin if self._spans else None)

    def wrapped(self, words: Iterable[str]) -> None:
        """Append words in as many lines as they need."""
        row: list[str] = []
        width = 0
        for word in words:
            if row and width + len(word) > _WIDTH:
                self.line(" ".join(row))
                row, width = [], 0
            row.append(word)
            width += len(word) + 1
        if row:
            self.line(" ".join(row))

    def section(self, origin: Origin | None) -> None:
        """Begin a part whose lines, as far as they have no origin of their own, have this one."""
        if origin is not None:
            self._sections.append((self._length, origin))

    def title(self, text: str) -> None:
        """Append a heading."""
        self.line()
        self.line(f"\\ --- {text} ".ljust(_WIDTH, "-"))
        self.line()

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent the lines of a block."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def finish(self) -> Script:
        """Return the script."""
        return Script(b"".join(self._parts), tuple(self._spans), tuple(self._sections))


def shown_file(path: str) -> str:
    """Return the name of a file for a comment; one that is not UTF-8 contains surrogates."""
    return visible(path.replace("\\", "/").rsplit("/", 1)[-1])
