"""Where printed text goes: bytes from the VM become text for a function or stream.

This file owns decoding across chunk borders; it must not know who prints.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class TextStream(Protocol):
        """What of a text stream is used."""

        def write(self, text: str, /) -> object:
            """Write text."""


__all__ = ["Output"]


class Output:
    """Hands text on to its target: a function, a stream, or None for `sys.stdout`.

    `sys.stdout` is looked up at each write, so redirecting it works.
    """

    def __init__(
        self, target: Callable[[str], object] | TextStream | None, decode: Callable[[bytes], str]
    ) -> None:
        self.target = target
        self._decode = decode
        self._held = b""

    def feed(self, data: bytes) -> None:
        """Take bytes; a character cut off at their end waits for its rest."""
        data = self._held + data
        cut = _complete(data)
        self._held = data[cut:]
        self._write(data[:cut])

    def finish(self) -> None:
        """Hand on what waits; the run is over."""
        held, self._held = self._held, b""
        self._write(held)

    def _write(self, data: bytes) -> None:
        if not data:
            return
        text = self._decode(data)
        if self.target is None:
            sys.stdout.write(text)
        elif callable(self.target):
            self.target(text)
        else:
            self.target.write(text)


def _complete(data: bytes) -> int:
    """Length of data without an unfinished UTF-8 character at its end."""
    for back in range(1, min(4, len(data) + 1)):
        byte = data[-back]
        if byte >= 0xC0:  # noqa: PLR2004 - a lead byte; it says how many bytes follow
            need = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4  # noqa: PLR2004
            return len(data) - back if back < need else len(data)
        if byte < 0x80:  # noqa: PLR2004 - ASCII
            break
    return len(data)
