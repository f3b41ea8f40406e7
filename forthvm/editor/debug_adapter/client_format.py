"""The form of lines, columns and paths that the client asked for in `initialize`.

Owns the conversion to and from lines and columns that start at 1, and file paths.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from .arguments import Arguments

__all__ = ["ClientFormat", "utf16_length", "utf16_start"]


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units, in which the protocol counts columns."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_start(text: str, length: int) -> str:
    """Return the beginning of a text that has a length in UTF-16 code units."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * length].decode("utf-16-le", "ignore")


class ClientFormat:
    """Converts lines, columns and paths; by default they need no conversion."""

    def __init__(self) -> None:
        self._first_line = 1
        self._first_column = 1
        self._uses_uris = False

    def read(self, arguments: Arguments) -> None:
        """Read the arguments of `initialize`."""
        self._first_line = int(arguments.flag("linesStartAt1", default=True))
        self._first_column = int(arguments.flag("columnsStartAt1", default=True))
        self._uses_uris = arguments.text("pathFormat", "path") == "uri"

    def line(self, number: int) -> int:
        """Return a line number for the client."""
        return number - 1 + self._first_line

    def column(self, number: int) -> int:
        """Return a column number for the client."""
        return number - 1 + self._first_column

    def line_from(self, number: int) -> int:
        """Return a line number of the client as one that starts at 1."""
        return number + 1 - self._first_line

    def column_from(self, number: int) -> int:
        """Return a column number of the client as one that starts at 1."""
        return number + 1 - self._first_column

    def path(self, path: Path) -> str:
        """Return a path for the client."""
        return path.as_uri() if self._uses_uris else str(path)

    def path_from(self, text: str) -> Path:
        """Return a path of the client."""
        return Path(unquote(urlsplit(text).path)) if text.startswith("file:") else Path(text)
