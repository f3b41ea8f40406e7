"""The file that a script with `$gameLog ON` writes.

This module owns the name, the creation and the size limit of the log file.  Scripts are untrusted,
so no existing file is changed: each log is a new file in the folder that the user chose.
"""

from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING
from weakref import finalize

from forthvm.system.files import failure_reason, open_file

from .failure import ForthVMError
from .loading.files import is_device

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MAX_LOG_BYTES", "GameLog", "log_name"]

#: Bytes of one log; further output is dropped.
MAX_LOG_BYTES = 16 * 1024 * 1024

_MAX_FILES = 1000  # logs of one game in one folder
_MAX_NAME = 100  # characters; file systems allow 255 bytes
_UNSAFE = re.compile(r"[^\w()\[\]'+. -]+")
_OPEN_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL  # fails for an existing file and for a link


def log_name(title: str, number: int = 1) -> str:
    """Return the file name of a game's log: safe characters only, without a folder.

    >>> log_name("Splut"), log_name("Splut", 2), log_name("../.etc")
    ('Splut.log', 'Splut-2.log', 'etc.log')
    """
    plain = _UNSAFE.sub("_", title).strip(" ._-")[:_MAX_NAME] or "game"
    if is_device(plain):
        plain = f"game-{plain}"
    return f"{plain}.log" if number == 1 else f"{plain}-{number}.log"


class GameLog:
    """A log file, created by the first write.

    Attributes:
        path: The file, None before the first write.
    """

    def __init__(self, folder: Path, title: str, *, limit: int = MAX_LOG_BYTES) -> None:
        self.path: Path | None = None
        self._descriptor: int | None = None
        self._folder = folder
        self._title = title
        self._limit = limit
        self._size = 0
        self._full = False

    def write(self, text: str) -> None:
        """Append text; do nothing if the log is full.

        Raises:
            ForthVMError: The file cannot be written.
        """
        if self._full:
            return
        data = text.encode("utf-8", errors="replace")
        remaining = self._limit - self._size
        try:
            self._append(data[:remaining])
        except OSError as error:
            raise ForthVMError(
                f"cannot write the game's log in {self._folder}: {failure_reason(error)}"
            ) from error
        self._size += len(data[:remaining])
        if len(data) > remaining:
            self._full = True
            warnings.warn(
                f"the game's log {self.path} is full ({self._limit:,} bytes): "
                "further output of the script is dropped",
                RuntimeWarning,
                stacklevel=2,
            )

    def _append(self, data: bytes) -> None:
        if self._descriptor is None:
            self._descriptor = self._create()
            finalize(self, os.close, self._descriptor)
        while data:
            data = data[os.write(self._descriptor, data) :]

    def _create(self) -> int:
        """Create a file under the first unused name; return its descriptor."""
        for attempt in range(1, _MAX_FILES + 1):
            path = self._folder / log_name(self._title, attempt)
            try:
                descriptor = open_file(path, _OPEN_NEW, 0o600)
            except FileExistsError:
                continue
            self.path = path
            return descriptor
        raise ForthVMError(
            f"the folder {self._folder} has {_MAX_FILES:,} logs of this game already",
            hints=["remove old ones, or choose another folder"],
        )
