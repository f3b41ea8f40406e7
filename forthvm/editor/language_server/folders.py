"""Names and files in the folders of the editor: workspace symbols, and renamed files.

Owns the search for scripts and rule files in the folders.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import Roots, find_file
from forthvm.syntax import Kind

from . import outline, rule_files
from .documents import RULE_FILE_SUFFIX, TEST_SUFFIXES, Document
from .names_in_tests import game_of, relative_name
from .rule_names import rule_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from .workspace import Workspace

__all__ = ["SUFFIXES", "renamed_files", "workspace_symbols"]

_GAME = re.compile(r"^game[ \t]+(\S(?:.*\S)?)", re.MULTILINE)
"""The line of a file with tests that names its game."""
_SOURCES = (".4th", RULE_FILE_SUFFIX)
SUFFIXES = (*_SOURCES, *TEST_SUFFIXES)
_MAX_FILES = 1000
_MAX_SYMBOLS = 300


def workspace_symbols(workspace: Workspace, query: str) -> list[lsp.WorkspaceSymbol]:
    """Return the definitions whose names contain the letters of a query, in this order."""
    found: list[lsp.WorkspaceSymbol] = []
    wanted = query.casefold()
    for document in workspace.files(_SOURCES):
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


def renamed_files(
    workspace: Workspace, renamed: Mapping[Path, Path], *, can_rename: bool
) -> lsp.WorkspaceEdit:
    """Return the edits of LOAD, `include` and `game` after files or folders were renamed.

    Files with tests that find a renamed game by its name are renamed with it.

    Args:
        workspace: The open documents and the folders of the editor.
        renamed: The new path of each renamed file or folder.
        can_rename: Whether the editor can rename files for an edit.
    """
    documents = [*workspace.files_beside(renamed, SUFFIXES, above=2)]
    tests = _tests_to_rename(documents, renamed) if can_rename else {}

    def new_path(path: Path) -> Path:
        for old, new in [*renamed.items(), *tests.items()]:
            if path == old or old in path.parents:
                return new / path.relative_to(old)
        return path

    changes = {}
    for document in documents:
        edits = [*_reference_edits(document, new_path)]
        if edits:
            changes[document.uri] = edits
    if not tests:
        return lsp.WorkspaceEdit(changes=changes)
    operations: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = [
        lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri), [*edits])
        for uri, edits in changes.items()
    ]
    operations += [
        lsp.RenameFile(workspace.uri_of(old), workspace.uri_of(new)) for old, new in tests.items()
    ]
    return lsp.WorkspaceEdit(document_changes=operations)


def _tests_to_rename(
    documents: Iterable[Document], renamed: Mapping[Path, Path]
) -> dict[Path, Path]:
    """Return the new paths of the files with tests that find a renamed game by its name."""
    found = {}
    for document in documents:
        game = game_of(document) if document.is_test_file else None
        if game is None or game not in renamed or document.path in renamed:
            continue
        if _is_beside(document.path, game):
            found[document.path] = renamed[game].with_suffix(document.path.suffix)
    return found


def _is_beside(path: Path, game: Path) -> bool:
    """Whether tests in a file are those of a game without naming it."""
    return path.with_suffix("") == game.with_suffix("")


def _reference_edits(
    document: Document, new_path: Callable[[Path], Path]
) -> Iterator[lsp.TextEdit]:
    folder, new_folder = document.path.parent, new_path(document.path).parent
    if document.is_test_file:
        yield from _game_edits(document, new_path)
        return
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


def _game_edits(document: Document, new_path: Callable[[Path], Path]) -> Iterator[lsp.TextEdit]:
    """Yield the edit of the line that names the game of a file with tests, or a new such line."""
    game = game_of(document)
    if game is None or not game.is_file():
        return
    new_game, new_test = new_path(game), new_path(document.path)
    if (new_game, new_test) == (game, document.path):
        return
    name = relative_name(new_game, new_test.parent)
    found = _GAME.search(document.text) if document.path.suffix.lower() == ".test" else None
    if found is not None and found[1] != name:
        yield lsp.TextEdit(document.range(*found.span(1)), name)
    elif (
        found is None and new_test.suffix.lower() == ".test" and not _is_beside(new_test, new_game)
    ):
        yield lsp.TextEdit(document.range(0, 0), f"game {name}\n\n")


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
