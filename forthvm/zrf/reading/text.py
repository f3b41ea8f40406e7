"""The text of a rule file, and the lines and columns in it.

Owns the decoding of a file and the resolution of offsets.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from forthvm.core.loading.files import shown_name
from forthvm.core.loading.source import read_script
from forthvm.core.location import Location
from forthvm.zrf.source import Place

if TYPE_CHECKING:
    from pathlib import Path

    from forthvm.core.loading.files import Roots

__all__ = ["RuleText"]


class RuleText:
    """The decoded text of one rule file.

    Attributes:
        name: The file's name in messages.
        path: The file; None for a text that was not read from a file.
        text: The text; line ends are LF.
    """

    def __init__(self, text: str, name: str, path: Path | None = None) -> None:
        self.text = text
        self.name = name
        self.path = path
        self._starts = [0]
        while end := text.find("\n", self._starts[-1]) + 1:
            self._starts.append(end)

    @classmethod
    def read(cls, path: Path, roots: Roots | None = None) -> RuleText:
        """Read a file.

        Lines end with LF, CR LF or, in a file without any LF, with CR.  Bytes that are not UTF-8
        are read as Windows-1251 if they look like Russian, else as Windows-1252.  Zero bytes at the
        end are dropped.

        Raises:
            ScriptFileError: The file cannot be read, or is no text.
        """
        data, encoding = read_script(path, roots, padded=True)
        if encoding == "latin-1":
            encoding = "cp1252"
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        return cls(data.decode(encoding, errors="replace"), shown_name(path), path)

    def place(self, offset: int) -> Place:
        """Return the place of an offset."""
        line = bisect_right(self._starts, offset)
        return Place(self.name, line, offset - self._starts[line - 1] + 1)

    def location(self, place: Place, length: int = 1) -> Location:
        """Return a place in this text with its source line, for error messages."""
        start = self._starts[place.line - 1]
        end = self._starts[place.line] - 1 if place.line < len(self._starts) else len(self.text)
        return Location(
            file=place.file,
            line=place.line,
            column=place.column,
            text=self.text[start:end].rstrip("\r"),
            length=length,
        )
