"""Output of the program, as events.

Owns collecting what a script prints in small parts.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .messages import Connection

__all__ = ["ProgramOutput"]

_MAX_COLLECTED = 4096  # characters


class ProgramOutput:
    """Sends the output of the program in whole lines; any thread may write."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._parts: list[str] = []
        self._length = 0
        self._lock = threading.Lock()

    def write(self, text: str) -> None:
        """Add output; it is sent at the end of a line, or if there is much."""
        with self._lock:
            self._parts.append(text)
            self._length += len(text)
            if text.endswith("\n") or self._length > _MAX_COLLECTED:
                self._send()

    def flush(self) -> None:
        """Send what was collected."""
        with self._lock:
            self._send()

    def _send(self) -> None:
        text = "".join(self._parts)
        self._parts.clear()
        self._length = 0
        if text:
            self._connection.event("output", {"category": "stdout", "output": text})
