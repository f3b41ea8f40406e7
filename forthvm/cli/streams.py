"""Standard output and error of the commands: untrusted text is made visible on its way out.

Every command writes through these streams, so a command that prints a name, a move or a quoted
source line needs no care of its own.  Pipes and files get the same text as a terminal does: they
are read with `cat` and `less` later.  Only text that forthvm has coloured itself goes
through `styled`, which passes colours on and nothing else.

Owns the streams and how the process begins with them.  It must not know what is printed.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible_lines, visible_styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TextIO

__all__ = ["VisibleStream", "silence_stdout", "styled", "visible_streams"]


class VisibleStream:
    """A text stream that makes control characters visible; the rest is the inner stream's."""

    def __init__(self, inner: TextIO, convert: Callable[[str], str] = visible_lines) -> None:
        self.inner = inner
        self._convert = convert

    def write(self, text: str) -> int:
        """Write text, control characters as escapes."""
        self.inner.write(self._convert(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand on what is buffered."""
        self.inner.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the inner stream has
        return getattr(self.inner, name)


def styled(stream: TextIO) -> VisibleStream:
    """The stream for text that forthvm has coloured: colours pass, all else is made visible."""
    inner = stream.inner if isinstance(stream, VisibleStream) else stream
    return VisibleStream(inner, visible_styled)


@contextmanager
def visible_streams() -> Iterator[None]:
    """Standard output and error as the commands use them, until the command has ended."""
    _prepare()
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        stream if isinstance(stream, VisibleStream) else VisibleStream(stream) for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _prepare() -> None:
    """What cannot be shown or read becomes `?`, never a traceback; closed streams are empty."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - lives as long as the process
    if sys.stderr is None:
        sys.stderr = sys.stdout
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115 - lives as long as the process
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def silence_stdout() -> None:
    """Have nothing more written: the reader of standard output has gone."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):  # a replaced stdout, as tests have
        pass
