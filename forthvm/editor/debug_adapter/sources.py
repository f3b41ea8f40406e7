"""Source files: the names in messages of the VM, and the paths of editors.

Owns the map between both, and the numbers of texts that are not on disk.  It must not know
sessions.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import RequestError

if TYPE_CHECKING:
    from forthvm.core.loading.source import Text
    from forthvm.debug.code_map import CodeMap, SourceFile

    from .messages import Json

__all__ = ["Sources"]


class Sources:
    """The source files of a loaded program."""

    def __init__(self, code: CodeMap, texts: list[Text]) -> None:
        self._code = code
        self._paths = {text.name: text.path for text in texts if text.path is not None}
        self._references: list[str] = []  # names of texts that are not on disk

    def file_at(self, path: str) -> SourceFile | None:
        """Return the loaded file with a path; None if it was not loaded."""
        wanted = Path(path).resolve()
        for file in self._code.files():
            found = self._path(file.name)
            if found is not None and found.resolve() == wanted:
                return file
        return None

    def source(self, name: str) -> Json:
        """Return a file as the protocol's Source."""
        path = self._path(name)
        shown = name.replace("\\", "/").rpartition("/")[2] or name
        if path is not None:
            return {"name": shown, "path": str(path)}
        if name not in self._references:
            self._references.append(name)
        return {"name": shown, "sourceReference": self._references.index(name) + 1}

    def content(self, reference: int) -> str:
        """Return the text of a file that is not on disk.

        Raises:
            RequestError: There is no such text.
        """
        if 1 <= reference <= len(self._references):
            return self._code.file_named(self._references[reference - 1]).content
        raise RequestError(f"there is no source {reference}")

    def all(self) -> list[Json]:
        """Return all loaded files."""
        return [self.source(name) for name in dict.fromkeys(f.name for f in self._code.files())]

    def _path(self, name: str) -> Path | None:
        path = self._paths.get(name)
        return path.absolute() if path is not None and path.is_file() else None
