"""The file that a script with `$gameLog ON` writes.

This file owns the name, the making and the size of the file.  A script may come from a stranger:
the file is always a new one, in the folder that the user chose.  It must not know the VM.
"""

from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING
from weakref import finalize

from .failure import ForthVMError
from .loading.files import is_device

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MAX_LOG_BYTES", "GameLog", "log_name"]

#: Bytes of one log; what a script prints beyond is dropped.
MAX_LOG_BYTES = 16 * 1024 * 1024

_MOST_FILES = 1000  # with the same name, but for their numbers
_MOST_NAME = 100  # characters; file systems take 255 bytes
_UNSAFE = re.compile(r"[^\w()\[\]'+. -]+")
_NEW = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL  # never an existing file, never through a link
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)


def log_name(title: str, number: int = 1) -> str:
    """Give the name of a game's log, a plain file name whatever the game is called.

    >>> log_name("Splut"), log_name("Splut", 2), log_name("../.etc")
    ('Splut.log', 'Splut-2.log', 'etc.log')
    """
    plain = _UNSAFE.sub("_", title).strip(" ._-")[:_MOST_NAME] or "game"
    if is_device(plain):
        plain = f"game-{plain}"
    return f"{plain}.log" if number == 1 else f"{plain}-{number}.log"


class GameLog:
    """A log that comes into being when something is written to it.

    Attributes:
        path: The file, None before the first write.
    """

    def __init__(self, folder: Path, title: str, *, limit: int = MAX_LOG_BYTES) -> None:
        self.path: Path | None = None
        self._number: int | None = None  # of the open file: its name may be another's later
        self._folder = folder
        self._title = title
        self._limit = limit
        self._size = 0
        self._full = False

    def write(self, text: str) -> None:
        """Append text; nothing once the log is full.

        Raises:
            ForthVMError: The file cannot be written.
        """
        if self._full:
            return
        data = text.encode("utf-8", errors="replace")
        room = self._limit - self._size
        try:
            self._append(data[:room])
        except OSError as error:
            raise ForthVMError(
                f"cannot write the game's log in {self._folder}: {error.strerror}"
            ) from error
        self._size += len(data[:room])
        if len(data) > room:
            self._full = True
            warnings.warn(
                f"the game's log {self.path} is full ({self._limit:,} bytes): "
                "what the script prints from now on is dropped",
                RuntimeWarning,
                stacklevel=2,
            )

    def _append(self, data: bytes) -> None:
        if self._number is None:
            self._number = self._create()
            finalize(self, os.close, self._number)
        while data:
            data = data[os.write(self._number, data) :]

    def _create(self) -> int:
        """Make the first file of the game's name that does not exist yet."""
        for attempt in range(1, _MOST_FILES + 1):
            path = self._folder / log_name(self._title, attempt)
            try:
                number = os.open(path, _NEW, 0o600)
            except FileExistsError:
                continue
            self.path = path
            return number
        raise ForthVMError(
            f"the folder {self._folder} has {_MOST_FILES:,} logs of this game already",
            hints=["remove old ones, or choose another folder"],
        )
