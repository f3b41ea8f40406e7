"""The files that belong to a rule file of Zillions: those that it includes, and its includers.

Owns reading `include`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import Roots, find_file
from forthvm.core.loading.source import read_script

from .documents import RULE_FILE_SUFFIX
from .rule_names import rule_names
from .scopes import outermost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from .documents import Document
    from .workspace import Workspace

__all__ = ["family", "games_with", "included_file", "including", "main_file"]

_INCLUSION = re.compile(r'\(\s*include\s+"([^"\n]*)"')
_MAX_FILES = 200


def _included(path: Path, text: str) -> list[Path]:
    """Return the files that a file includes."""
    found = (included_file(path, match[1]) for match in _INCLUSION.finditer(text))
    return [one for one in found if one is not None]


@lru_cache(maxsize=2 * _MAX_FILES)
def _saved_inclusions(path: Path, _modified: int) -> tuple[Path, ...]:
    try:
        data, encoding = read_script(path, padded=True)
    except (ForthVMError, OSError):
        return ()
    return tuple(_included(path, data.decode(encoding, "replace")))


def _inclusions(workspace: Workspace, path: Path) -> Sequence[Path]:
    """Return the files that a file of the workspace includes."""
    document = workspace.documents.get(path)
    if document is not None:
        return _included(path, document.text)
    try:
        return _saved_inclusions(path, path.stat().st_mtime_ns)
    except OSError:
        return ()


def included_file(path: Path, name: str) -> Path | None:
    """Return the file that `include` finds for a name in a file."""
    folders = [path.parent]
    try:
        found = find_file(name.encode("utf-8", "replace"), folders, Roots(folders))
    except (ForthVMError, OSError):
        return None
    return found.resolve() if found is not None else None


def _includers(workspace: Workspace, path: Path) -> list[Path]:
    """Return the files that include a file, in its folder and those above."""
    found: list[Path] = []
    for folder in workspace.folders_above(path):
        try:
            found += sorted(folder.glob("*.[zZ][rR][fF]"))
        except OSError:
            continue
    paths = [other.resolve() for other in found[:_MAX_FILES]]
    return [other for other in paths if path in _inclusions(workspace, other) and other != path]


def main_file(workspace: Workspace, document: Document) -> Path:
    """Return the file to check for a file: itself if it has games, else one that includes it."""
    if any(one.head == "game" for one in rule_names(document.text).lists):
        return document.path
    return outermost(document.path, lambda path: _includers(workspace, path))[0]


def including(workspace: Workspace, path: Path) -> list[Path]:
    """Return the open rule files that belong to the same game as a file."""
    if path.suffix.lower() != RULE_FILE_SUFFIX:
        return []
    document = workspace.document(path)
    related = {one.path for one in family(workspace, document)} if document is not None else set()
    return [other for other in workspace.documents if other in related and other != path]


def games_with(workspace: Workspace, document: Document) -> Iterator[list[Document]]:
    """Yield the files of each game that contains a file: an outermost file and its inclusions."""
    for main in outermost(document.path, lambda path: _includers(workspace, path)):
        found: dict[Path, Document] = {}
        pending = [main]
        while pending and len(found) < _MAX_FILES:
            path = pending.pop()
            other = document if path == document.path else workspace.document(path)
            if path not in found and other is not None:
                found[path] = other
                pending += _inclusions(workspace, path)
        yield [*found.values()]


def family(workspace: Workspace, document: Document) -> list[Document]:
    """Return a document and the other files of all games that contain it."""
    found = {document.path: document}
    for game in games_with(workspace, document):
        found |= {other.path: other for other in game}
    return [*found.values()]
