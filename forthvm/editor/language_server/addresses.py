"""Identifiers of documents in the editor, and the paths of their files.

Owns symbolic links: the server knows each file by its resolved path, the editor by the path that it
has opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pygls.uris import from_fs_path, to_fs_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Addresses", "path_of", "uri_of"]


def path_of(uri: str) -> Path:
    """Return the path of a document; an untitled document gets one in the current folder."""
    return _opened_path(uri).resolve()


def _opened_path(uri: str) -> Path:
    path = to_fs_path(uri) if uri.startswith("file:") else None
    if path:
        return Path(path)
    name = Path(unquote(urlsplit(uri).path)).name or "untitled"
    return Path.cwd() / name


def uri_of(path: Path) -> str:
    """Return the identifier of a file."""
    return from_fs_path(str(path)) or path.as_uri()


class Addresses:
    """The paths under which the editor has opened folders and documents."""

    def __init__(self) -> None:
        self._folders: dict[Path, Path] = {}
        self._documents: dict[Path, Path] = {}

    def set_folders(self, uris: Iterable[str]) -> Sequence[Path]:
        """Note the folders of the editor; return their resolved paths."""
        self._folders = {path_of(uri): _opened_path(uri) for uri in uris}
        return [*self._folders]

    def note(self, uri: str) -> None:
        """Note a document; files near it have addresses that begin alike."""
        opened = _opened_path(uri)
        resolved = opened.resolve()
        while (
            opened.name == resolved.name and opened.parent.resolve() == resolved.parent != resolved
        ):
            opened, resolved = opened.parent, resolved.parent
        if opened != resolved:
            self._documents[resolved] = opened

    def uri_of(self, path: Path) -> str:
        """Return the identifier of a file by its resolved path."""
        for known in (self._folders, self._documents):
            for folder in (path, *path.parents):
                if folder in known:
                    return uri_of(known[folder] / path.relative_to(folder))
        return uri_of(path)
