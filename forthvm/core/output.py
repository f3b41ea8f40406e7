"""Where printed text goes: bytes from the VM become text for a function or stream.

This file owns decoding across chunk borders, and redirection for a while; it must not know who
prints.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from .vm import VM

    class TextStream(Protocol):
        """What of a text stream is used."""

        def write(self, text: str, /) -> object:
            """Write text."""


__all__ = ["Output", "discard", "redirected"]


def discard(_text: str) -> None:
    """A target that drops all output."""


@contextmanager
def redirected(
    vm: VM, target: Callable[[str], object] | TextStream | None = discard
) -> Iterator[None]:
    """Send the output of a VM inside the block to another target; by default it is dropped."""
    output, vm.output = vm.output, target
    try:
        yield
    finally:
        vm.output = output


class Output:
    """Hands text on to its target: a function, a stream, or None for `sys.stdout`.

    `sys.stdout` is looked up at each write, so redirecting it works.

    Attributes:
        target: Where the text goes.
        limit: Bytes that may be printed until `restart`; None: any number.
    """

    def __init__(
        self, target: Callable[[str], object] | TextStream | None, decode: Callable[[bytes], str]
    ) -> None:
        self.target = target
        self.limit: int | None = None
        self._printed = 0
        self._decode = decode
        self._held = b""

    def feed(self, data: bytes) -> None:
        """Take bytes; a character cut off at their end waits for its rest.

        Raises:
            OutputLimitExceeded: They are more than may be printed; what fits was handed on.
        """
        if self.limit is not None:
            room = max(self.limit - self._printed, 0)
            self._printed += len(data)
            if len(data) > room:
                self._write(self._held + data[:room])
                self._held = b""
                raise self._exceeded()
        data = self._held + data
        cut = _complete(data)
        self._held = data[cut:]
        self._write(data[:cut])

    @property
    def is_exceeded(self) -> bool:
        """Whether the limit has been reached."""
        return self.limit is not None and self._printed > self.limit

    def restart(self) -> None:
        """Count from 0 again."""
        self._printed = 0

    def _exceeded(self) -> Exception:
        from .advice import advice  # only failures pay for the imports
        from .errors import OutputLimitExceeded

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
        held, self._held = self._held, b""
        self._write(held)

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
