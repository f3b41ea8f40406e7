"""Standard output and standard error of the commands, which escape control characters.

Every command writes through these streams, so a command that prints a name, a move or a source
line need not escape it.  Pipes and files get the same text as a terminal, since users read them
later with `cat` or `less`.  Text that forthvm has coloured itself goes through `styled`, which
passes colours and escapes all other control characters.

Owns the streams and their set-up.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible_lines, visible_styled
from forthvm.system.console import prepare_stream, raise_if_reader_left

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TextIO

__all__ = ["VisibleStream", "silence_stdout", "styled", "visible_streams"]


class VisibleStream:
    """A text stream that escapes control characters and writes the result to `inner`."""

    def __init__(self, inner: TextIO, convert: Callable[[str], str] = visible_lines) -> None:
        self.inner = inner
        self._convert = convert

    def write(self, text: str) -> int:
        """Writes text with control characters as escapes.

        Raises:
            BrokenPipeError: The reader of the stream has exited.
            OSError: The system cannot write.
        """
        try:
            self.inner.write(self._convert(text))
        except OSError as error:
            raise_if_reader_left(error)
            raise
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Writes several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flushes the inner stream; raises the errors of `write`."""
        try:
            self.inner.flush()
        except OSError as error:
            raise_if_reader_left(error)
            raise

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - attributes of the inner stream
        return getattr(self.inner, name)


def styled(stream: TextIO) -> VisibleStream:
    """Returns a stream for text that forthvm has coloured: it passes colours only."""
    inner = stream.inner if isinstance(stream, VisibleStream) else stream
    return VisibleStream(inner, visible_styled)


@contextmanager
def visible_streams() -> Iterator[None]:
    """Replaces standard output and standard error by escaping streams while a command runs.

    Warnings of the library look like those of commands, without lines of Python.
    """
    _prepare_streams()
    original_streams, original_format = (sys.stdout, sys.stderr), warnings.formatwarning
    warnings.formatwarning = lambda message, *_, **__: f"warning: {message}\n"
    sys.stdout, sys.stderr = (
        stream if isinstance(stream, VisibleStream) else VisibleStream(stream)
        for stream in original_streams
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = original_streams
        warnings.formatwarning = original_format


def _prepare_streams() -> None:
    """Opens the null device for closed streams; characters that cannot be encoded become `?`."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - lives as long as the process
    if sys.stderr is None:
        sys.stderr = sys.stdout
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115 - lives as long as the process
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            prepare_stream(stream)


def silence_stdout() -> None:
    """Discards further output, after the reader of standard output has exited."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):  # stdout has no descriptor, as in tests
        pass
