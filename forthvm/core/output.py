"""Output of scripts: bytes from the VM become text for a function or stream.

This file owns decoding across chunk boundaries, the output limit, and temporary redirection.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .text.visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from .vm import VM

    class TextStream(Protocol):
        """The method of a text stream that Output needs."""

        def write(self, text: str, /) -> object:
            """Write text."""


__all__ = ["Output", "discard", "redirected"]


def discard(_text: str) -> None:
    """Drop output; used as a target."""


@contextmanager
def redirected(
    vm: VM, target: Callable[[str], object] | TextStream | None = discard
) -> Iterator[None]:
    """Send the output of a VM to another target inside a block; by default, drop it."""
    output, vm.output = vm.output, target
    try:
        yield
    finally:
        vm.output = output


class Output:
    """Passes text to its target: a function, a stream, or None for `sys.stdout`.

    `sys.stdout` is read at each write, so that it can be redirected.

    Attributes:
        target: Receives the text.
        limit: Bytes that may be printed until `restart`; None: unlimited.
    """

    def __init__(
        self, target: Callable[[str], object] | TextStream | None, decode: Callable[[bytes], str]
    ) -> None:
        self.target = target
        self.limit: int | None = None
        self._printed = 0
        self._decode = decode
        self._incomplete = b""  # first bytes of a character that is not complete yet

    def feed(self, data: bytes) -> None:
        """Write bytes; an incomplete character at the end waits for its remaining bytes.

        Raises:
            OutputLimitExceeded: The limit is exceeded; the bytes up to the limit were written.
        """
        if self.limit is not None:
            remaining = max(self.limit - self._printed, 0)
            self._printed += len(data)
            if len(data) > remaining:
                self._write(self._incomplete + data[:remaining])
                self._incomplete = b""
                raise self._exceeded()
        data = self._incomplete + data
        complete = _complete_length(data)
        self._incomplete = data[complete:]
        self._write(data[:complete])

    @property
    def is_exceeded(self) -> bool:
        """Whether the script printed more bytes than the limit allows."""
        return self.limit is not None and self._printed > self.limit

    def restart(self) -> None:
        """Reset the count of printed bytes."""
        self._printed = 0

    def _exceeded(self) -> Exception:
        from .errors import OutputLimitExceeded
        from .text.advice import advice  # needed only for errors

        return OutputLimitExceeded(
            f"output limit reached: the script printed more than {self.limit} bytes",
            hints=[
                advice(
                    python="raise the limit with Budget(output=…)",
                    command_line="raise the limit with --max-output BYTES (0: no limit)",
                )
            ],
        )

    def finish(self) -> None:
        """Write buffered output at the end of a run."""
        incomplete, self._incomplete = self._incomplete, b""
        self._write(incomplete)

    def _write(self, data: bytes) -> None:
        if not data:
            return
        text = self._decode(data)
        if self.target is None:
            sys.stdout.write(visible_lines(text))
        elif callable(self.target):
            self.target(text)
        else:
            self.target.write(text)


def _complete_length(data: bytes) -> int:
    """Return the length of data without an incomplete UTF-8 character at its end."""
    for distance in range(1, min(4, len(data) + 1)):
        byte = data[-distance]
        if byte >= 0xC0:  # a lead byte
            size = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(data) - distance if distance < size else len(data)
        if byte < 0x80:  # ASCII
            break
    return len(data)
