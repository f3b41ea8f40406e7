"""The open documents, the files of their scripts, and the last analysis of each script.

Owns reading files that are not open.  It must not know the connection or threads: the analyses are
made elsewhere, from the contents that `unsaved` returns.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pygls.uris import from_fs_path, to_fs_path

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import replaced_contents
from forthvm.core.loading.source import read_script

from .documents import Document
from .scripts import script_games

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .scripts import ScriptAnalysis

__all__ = ["Workspace", "path_of", "uri_of"]


def path_of(uri: str) -> Path:
    """Return the path of a document; an untitled document gets one in the current folder."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    if path:
        return Path(path).resolve()
    name = Path(unquote(urlsplit(uri).path)).name or "untitled"
    return (Path.cwd() / name).resolve()


def uri_of(path: Path) -> str:
    """Return the identifier of a file."""
    return from_fs_path(str(path)) or path.as_uri()


class Workspace:
    """The state of the server.

    Attributes:
        documents: The open documents by path.
        analyses: The last analysis of the script of each open document, by the document's path.
        encoding: The unit of columns in positions.
        folders: The folders of the editor.
    """

    def __init__(self) -> None:
        self.documents: dict[Path, Document] = {}
        self.analyses: dict[Path, ScriptAnalysis] = {}
        self.encoding = "utf-16"
        self.folders: Sequence[Path] = ()

    def put(
        self, uri: str, text: str, version: int | None, language: str | None = None
    ) -> Document:
        """Add a document, or replace its version; without a language, it keeps the earlier one."""
        path = path_of(uri)
        earlier = self.documents.get(path)
        document = Document(uri, path, text, version, self.encoding)
        document.language = language or (earlier.language if earlier else "")
        self.documents[path] = document
        return document

    def remove(self, uri: str) -> None:
        """Forget a closed document."""
        path = path_of(uri)
        self.documents.pop(path, None)
        self.analyses.pop(path, None)

    def unsaved(self) -> Mapping[Path, bytes]:
        """Return the contents of the open documents by path."""
        return {path: document.data for path, document in list(self.documents.items())}

    def document(self, path: Path) -> Document | None:
        """Return a document that is open, or the file as a document; None if it is unreadable."""
        found = self.documents.get(path)
        if found is not None:
            return found
        try:
            data, encoding = read_script(path)
        except (ForthVMError, OSError):
            return None
        return Document(uri_of(path), path, data.decode(encoding, "replace"), None, self.encoding)

    def folders_above(self, path: Path) -> Sequence[Path]:
        """Return the folders with files that may load a file: its own, and those above it.

        The editor's folder is the last one, or else the folder above that of the file.
        """
        above = list(path.parents)
        depths = [above.index(folder) + 1 for folder in self.folders if folder in above]
        smallest = 1 if path.parent == Path.home() else 2
        return above[: max([smallest, *depths])]

    def script_games(self, document: Document) -> Iterator[list[Document]]:
        """Yield the documents of each game that contains a script, without the library."""
        contents = self.unsaved()
        folders = self.folders_above(document.path)
        with replaced_contents(contents):
            games = script_games(document.path, contents, folders)
        for files in games:
            found = (document if file == document.path else self.document(file) for file in files)
            yield [file for file in found if file is not None]

    def script_files(self, document: Document) -> Iterator[Document]:
        """Yield the documents of a document's script, the document itself first."""
        yield document
        analysis = self.analyses.get(document.path)
        if analysis is None:
            return
        files = dict.fromkeys([*analysis.paths.values(), *analysis.choice.files])
        for path in files:
            other = self.document(path) if path != document.path else None
            if other is not None:
                yield other
