"""The open documents, the files of their scripts, and the last analysis of each script.

Owns reading files that are not open.  The analyses are made elsewhere, from the contents that
`unsaved` returns.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.authors_files import walk
from forthvm.core.loading.files import replaced_contents
from forthvm.core.loading.source import read_script

from .addresses import Addresses, path_of
from .documents import Document
from .scripts import script_games

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .scripts import ScriptAnalysis

__all__ = ["Workspace"]

_MAX_FILES = 1000


class Workspace:
    """The state of the server.

    Attributes:
        documents: The open documents by path; of several for one file, the last that has changed.
        analyses: The last analysis of the script of each open document, by the document's path;
            also of the scripts that open files with tests belong to.
        encoding: The unit of columns in positions.
        folders: The folders of the editor.
    """

    def __init__(self) -> None:
        self.documents: dict[Path, Document] = {}
        self.analyses: dict[Path, ScriptAnalysis] = {}
        self.encoding = "utf-16"
        self.folders: Sequence[Path] = ()
        self._addresses = Addresses()
        self._opened: dict[Path, dict[str, Document]] = {}  # by path and uri, the last change last

    def set_folders(self, uris: Iterable[str]) -> None:
        """Note the folders of the editor."""
        self.folders = self._addresses.set_folders(uris)

    def put(
        self, uri: str, text: str, version: int | None, language: str | None = None
    ) -> Document:
        """Add a document, or replace its version; without a language, it keeps the earlier one."""
        path = path_of(uri)
        self._addresses.note(uri)
        opened = self._opened.setdefault(path, {})
        earlier = opened.pop(uri, None)
        language = language or (earlier.language if earlier else "")
        document = Document(uri, path, text, version, self.encoding, language=language)
        opened[uri] = self.documents[path] = document
        return document

    def remove(self, uri: str) -> Document | None:
        """Forget a closed document; return one that is still open for the same file."""
        path = path_of(uri)
        opened = self._opened.get(path, {})
        opened.pop(uri, None)
        if opened:
            self.documents[path] = [*opened.values()][-1]
            return self.documents[path]
        self._opened.pop(path, None)
        self.documents.pop(path, None)
        self.analyses.pop(path, None)
        return None

    def keep_analysis(self, path: Path, analysis: ScriptAnalysis) -> None:
        """Keep an analysis of a document unless there is a later one; in any thread."""
        earlier = self.analyses.get(path)
        if earlier is None or earlier.began <= analysis.began:
            self.analyses[path] = analysis

    def forget_games_with(self, changed: Path) -> list[Path]:
        """Forget the analyses of scripts that are not open and contain a changed file.

        Returns:
            The open files with tests, which may belong to these scripts.
        """
        closed = [
            path
            for path, analysis in list(self.analyses.items())
            if path not in self.documents and changed in analysis.paths.values()
        ]
        for path in closed:
            self.analyses.pop(path, None)
        tests = [path for path, one in list(self.documents.items()) if one.is_test_file]
        return [path for path in tests if closed or path.parent == changed.parent]

    def with_text(self, document: Document) -> list[Document]:
        """Return the documents that are open for the file of a document and have its text."""
        opened = self._opened.get(document.path, {})
        return [one for one in list(opened.values()) if one.text == document.text]

    def with_uri(self, uri: str) -> Document | None:
        """Return the document with an identifier: an open one, or a file."""
        path = path_of(uri)
        return self._opened.get(path, {}).get(uri) or self.document(path)

    def uri_of(self, path: Path) -> str:
        """Return the identifier under which the editor knows a file."""
        document = self.documents.get(path)
        return document.uri if document is not None else self._addresses.uri_of(path)

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
        return Document(
            self.uri_of(path), path, data.decode(encoding, "replace"), None, self.encoding
        )

    def files_beside(
        self, paths: Iterable[Path], suffixes: tuple[str, ...], *, above: int = 1
    ) -> Iterator[Document]:
        """Yield the open documents and the files with one of some suffixes that may name others.

        Args:
            paths: The others.
            suffixes: The suffixes.
            above: Without folders of the editor, the number of folders above a path in which files
                are searched.
        """
        folders = [parent for path in paths for parent in [*path.parents][:above]]
        beside = [*map(_entries, folders)] if self.folders else []
        found = [path for path in chain(*beside) if path.suffix.lower() in suffixes]
        yield from self._files(found + _paths_below(self.folders or folders, suffixes), suffixes)

    def files(self, suffixes: tuple[str, ...]) -> Iterator[Document]:
        """Yield the open documents and the editor's files with one of some suffixes."""
        yield from self._files(_paths_below(self.folders, suffixes), suffixes)

    def _files(self, paths: Iterable[Path], suffixes: tuple[str, ...]) -> Iterator[Document]:
        opened = dict(list(self.documents.items()))
        for path in dict.fromkeys([*opened, *paths]):
            document = opened.get(path)
            try:
                found = document or _saved(
                    path, self.uri_of(path), self.encoding, path.stat().st_mtime_ns
                )
            except OSError:
                continue
            if found is not None and found.path.suffix.lower() in suffixes:
                yield found

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


def _entries(folder: Path) -> list[Path]:
    try:
        return [path.resolve() for path in folder.iterdir()]
    except OSError:
        return []


def _paths_below(folders: Iterable[Path], suffixes: tuple[str, ...]) -> list[Path]:
    found: dict[Path, None] = {}
    for folder in folders:
        for parent, names in walk(folder):
            for name in names:
                if name.lower().endswith(suffixes):
                    found[(parent / name).resolve()] = None
            if len(found) >= _MAX_FILES:
                return [*found]
    return [*found]


@lru_cache(maxsize=_MAX_FILES)
def _saved(path: Path, uri: str, encoding: str, _modified: int) -> Document | None:
    try:
        data, codec = read_script(path, padded=True)
    except (ForthVMError, OSError):
        return None
    return Document(uri, path, data.decode(codec, "replace"), None, encoding)
