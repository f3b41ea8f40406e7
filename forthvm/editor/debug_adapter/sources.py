"""Source files: the names of texts in the VM, and the paths and numbers of the client.

Owns the map between both.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import RequestError
from .client_format import utf16_length

if TYPE_CHECKING:
    from forthvm.core.location import Location

    from .arguments import Arguments
    from .client_format import ClientFormat
    from .debuggee import Debuggee
    from .messages import Json

__all__ = ["Sources"]


class Sources:
    """The source files of the launched program."""

    def __init__(self, debuggee: Debuggee, client_format: ClientFormat) -> None:
        self._debuggee = debuggee
        self._format = client_format
        self._references: list[str] = []  # the names of texts that are not on disk

    def wanted(self, arguments: Arguments) -> Path | str:
        """Return the file that a request names: a path, or the name of a text that is not on disk.

        Raises:
            RequestError: The request names no file.
        """
        source = arguments.object("source")
        reference = source.integer("sourceReference", 0)
        if reference:
            return self._name(reference)
        return self._format.path_from(source.text("path"))

    def source(self, name: str) -> Json:
        """Return a file as the protocol's Source."""
        shown = name.replace("\\", "/").rpartition("/")[2] or name
        body: Json = {"name": shown}
        path = self._path(name)
        if path is not None:
            body["path"] = self._format.path(path)
        else:
            if name not in self._references:
                self._references.append(name)
            body["sourceReference"] = self._references.index(name) + 1
        if self.is_library(name):
            body |= {"origin": "library", "presentationHint": "deemphasize"}
        return body

    def span(self, location: Location) -> Json:
        """Return lines and columns of a token."""
        line, start = self._format.line(location.line), location.column - 1
        before, token = location.text[:start], location.text[start:][: location.length]
        column = self._format.column(location.column + utf16_length(before) - len(before))
        length = location.length + utf16_length(token) - len(token)
        return {"line": line, "column": column, "endLine": line, "endColumn": column + length}

    def place(self, location: Location) -> Json:
        """Return the file, line and column of a token, as for the protocol's event `output`."""
        span = self.span(location)
        file = self.source(location.file)
        return {"source": file, "line": span["line"], "column": span["column"]}

    def is_library(self, name: str) -> bool:
        """Whether a file is part of the library, or was written by a compiler of rule files."""
        files = self._debuggee.session.code.files()
        return any(file.library for file in files if file.name == name)

    def content(self, reference: int) -> str:
        """Return the text of a file that is not on disk.

        Raises:
            RequestError: There is no such text.
        """
        return self._debuggee.session.code.file_named(self._name(reference)).content

    def all(self) -> list[Json]:
        """Return all loaded files."""
        names = dict.fromkeys(file.name for file in self._debuggee.session.code.files())
        return [self.source(name) for name in names]

    def _name(self, reference: int) -> str:
        if not 1 <= reference <= len(self._references):
            raise RequestError(f"there is no source with number {reference}")
        return self._references[reference - 1]

    def _path(self, name: str) -> Path | None:
        path = self._debuggee.session.code.path_of(name)
        return path.absolute() if path is not None and path.is_file() else None
