"""Pipes that are read with a time limit, and written without waiting.

Each pipe has a thread, since no system call that waits for a pipe exists on all systems.
"""

from __future__ import annotations

import os
from contextlib import suppress
from queue import SimpleQueue
from threading import Condition, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import IO

__all__ = ["PipeReader", "PipeWriter"]

_CHUNK_BYTES = 1 << 16
_MAX_UNREAD_BYTES = 1 << 20
"""The number of bytes after which the thread waits until they have been read."""


class PipeReader:
    """The reading end of a pipe.  One thread may call `read`, any thread may call `wake`."""

    def __init__(self, pipe: IO[bytes], *, only_last: int | None = None) -> None:
        """Start to read.

        Args:
            pipe: The reading end without a buffer; it is closed at the end of the data.
            only_last: The number of last bytes that are kept for a late reader; None: all data are
                kept, and if there are very many, the writing process waits.
        """
        self._pipe = pipe
        self._only_last = only_last
        self._unread = bytearray()
        self._changed = Condition()
        self._ended = False
        self._woken = False
        self._discards = False
        self._thread = Thread(target=self._receive, name="forthvm pipe", daemon=True)
        self._thread.start()

    def read(self, seconds: float | None = None) -> bytes | None:
        """Wait for data and return all that were received.

        Args:
            seconds: The longest time to wait; None for no limit.

        Returns:
            b"" at the end of the data; None if the time is up, or `wake` was called.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._unread or self._ended or self._woken, seconds)
            if not self._unread:
                self._woken = False
                return b"" if self._ended else None
            data = bytes(self._unread)
            self._unread.clear()
            self._changed.notify_all()
            return data

    def wake(self) -> None:
        """Make a running call of `read`, or the next one, return None if there are no data."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def discard(self) -> None:
        """Drop all further data, so that the writing process need not wait."""
        with self._changed:
            self._discards = True
            self._changed.notify_all()

    def join(self, seconds: float) -> None:
        """Wait for the end of the data."""
        self._thread.join(seconds)

    def _receive(self) -> None:
        with self._pipe:
            while data := self._next_data():
                self._store(data)
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _next_data(self) -> bytes:
        try:
            return os.read(self._pipe.fileno(), _CHUNK_BYTES)
        except OSError:  # on Windows, at the end of the data
            return b""

    def _store(self, data: bytes) -> None:
        with self._changed:
            if self._only_last is None:
                self._changed.wait_for(self._has_room)
            if self._discards:
                return
            self._unread += data
            if self._only_last is not None:
                del self._unread[: -self._only_last]
            self._changed.notify_all()

    def _has_room(self) -> bool:
        return self._discards or len(self._unread) < _MAX_UNREAD_BYTES


class PipeWriter:
    """The writing end of a pipe."""

    def __init__(self, pipe: IO[bytes]) -> None:
        """Use the writing end without a buffer."""
        self._pipe = pipe
        self._unsent: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = Thread(target=self._send, name="forthvm pipe", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Write data as soon as the pipe has room; drop them if there is no reader."""
        self._unsent.put(data)

    def close(self) -> None:
        """Close the pipe after all data have been written; further calls do nothing."""
        self._unsent.put(None)

    def join(self, seconds: float) -> None:
        """Wait until the pipe is closed."""
        self._thread.join(seconds)

    def _send(self) -> None:
        with suppress(OSError), self._pipe:
            while (data := self._unsent.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[self._pipe.write(rest) :]
