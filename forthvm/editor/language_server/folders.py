"""Names and files in the folders of the editor: workspace symbols, and renamed files.

Owns the search for scripts and rule files in the folders.  It must not know the analysis of
scripts.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.authors_files import walk
from forthvm.core.loading.files import Roots, find_file
from forthvm.core.loading.source import read_script
from forthvm.syntax import Kind

from . import outline, rule_files
from .documents import RULE_FILE_SUFFIX, Document
from .rule_names import rule_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from .workspace import Workspace

__all__ = ["SUFFIXES", "renamed_files", "workspace_symbols"]

SUFFIXES = (".4th", RULE_FILE_SUFFIX)
_MAX_FILES = 1000
_MAX_SYMBOLS = 300


def _files(folders: Sequence[Path]) -> list[Path]:
    """Return the scripts and rule files below folders."""
    found: dict[Path, None] = {}
    for folder in folders:
        for parent, names in walk(folder):
            for name in names:
                if name.lower().endswith(SUFFIXES):
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


def _documents(workspace: Workspace, folders: Sequence[Path]) -> Iterator[Document]:
    """Yield the open documents and those in folders; in any thread."""
    opened = dict(list(workspace.documents.items()))
    for path in dict.fromkeys([*opened, *_files(folders)]):
        document = opened.get(path)
        try:
            found = document or _saved(
                path, workspace.uri_of(path), workspace.encoding, path.stat().st_mtime_ns
            )
        except OSError:
            continue
        if found is not None:
            yield found


def workspace_symbols(workspace: Workspace, query: str) -> list[lsp.WorkspaceSymbol]:
    """Return the definitions whose names contain the letters of a query, in this order."""
    found: list[lsp.WorkspaceSymbol] = []
    wanted = query.casefold()
    for document in _documents(workspace, workspace.folders):
        for symbol, container in _symbols(document):
            if _contains(symbol.name.casefold(), wanted):
                location = lsp.Location(document.uri, symbol.selection_range)
                found.append(
                    lsp.WorkspaceSymbol(
                        name=symbol.name,
                        kind=symbol.kind,
                        location=location,
                        container_name=container or document.path.name,
                    )
                )
                if len(found) >= _MAX_SYMBOLS:
                    return found
    return found


@lru_cache(maxsize=_MAX_FILES)
def _symbols(document: Document) -> list[tuple[lsp.DocumentSymbol, str]]:
    """Return the symbols of a document, each with the name of the symbol that contains it."""
    top = rule_files.symbols(document) if document.is_rule_file else outline.symbols(document)
    found: list[tuple[lsp.DocumentSymbol, str]] = []
    pending = [(symbol, "") for symbol in reversed(top)]
    while pending:
        symbol, container = pending.pop()
        found.append((symbol, container))
        pending += [(child, symbol.name) for child in reversed(symbol.children or ())]
    return found


def _contains(name: str, letters: str) -> bool:
    remaining = iter(name)
    return all(letter in remaining for letter in letters)


# --- renamed files ---------------------------------------------------------------------


def renamed_files(workspace: Workspace, renamed: Mapping[Path, Path]) -> lsp.WorkspaceEdit:
    """Return the edits of LOAD and `include` after files or folders were renamed.

    Args:
        workspace: The open documents and the folders of the editor.
        renamed: The new path of each renamed file or folder.
    """
    beside = [parent for path in renamed for parent in (path.parent, path.parent.parent)]

    def new_path(path: Path) -> Path:
        for old, new in renamed.items():
            if path == old or old in path.parents:
                return new / path.relative_to(old)
        return path

    changes = {}
    for document in _documents(workspace, workspace.folders or beside):
        edits = [*_reference_edits(document, new_path)]
        if edits:
            changes[document.uri] = edits
    return lsp.WorkspaceEdit(changes=changes)


def _reference_edits(
    document: Document, new_path: Callable[[Path], Path]
) -> Iterator[lsp.TextEdit]:
    folder, new_folder = document.path.parent, new_path(document.path).parent
    for name, start, end in _file_names(document):
        try:
            found = find_file(name.encode("utf-8", "replace"), [folder], Roots([folder]))
        except (ForthVMError, OSError):
            continue
        if found is None:
            continue
        target = new_path(found.resolve())
        if target == found.resolve() and new_folder == folder:
            continue
        if not target.is_relative_to(new_folder):
            continue  # LOAD and `include` read only below the folder of the file
        text = target.relative_to(new_folder).as_posix()
        if text != name and (document.is_rule_file or len(text.split()) == 1):
            yield lsp.TextEdit(document.range(start, end), text)


def _file_names(document: Document) -> Iterator[tuple[str, int, int]]:
    """Yield the names of files that a document loads or includes, with their offsets."""
    if document.is_rule_file:
        for one in rule_names(document.text).lists:
            if one.head == "include" and len(one.names) > 1 and one.names[1].kind == "string":
                name = one.names[1]
                yield name.text, name.start + 1, name.start + 1 + len(name.text)
        return
    before = ""
    for token in document.tokens:
        if token.kind is Kind.QUOTED and before == "LOAD":
            yield token.text, token.start, token.end
        if token.kind is not Kind.COMMENT:
            before = token.text
