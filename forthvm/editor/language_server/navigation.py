"""Definitions, references and renaming, across the files of a script.

Owns finding names in texts; a reference is a token with the name outside comments and strings.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.check.program import HOOKS
from forthvm.check.text.lexer import DEFINE_IF_NEW
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import Roots, find_file
from forthvm.core.loading.library import find_bundled
from forthvm.syntax import Kind
from forthvm.syntax.tokens import STRINGS

from .documents import Document, token_at
from .names_in_tests import in_tests
from .scopes import Scope, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from forthvm.syntax import Token

    from .scripts import ScriptAnalysis
    from .workspace import Workspace

__all__ = [
    "RenameError",
    "definition",
    "definitions_of",
    "highlights",
    "references",
    "references_of",
    "renamable",
    "rename",
    "rename_name",
    "renaming",
    "require_renamable",
    "scope",
]


class RenameError(Exception):
    """The name cannot be changed; the message says why."""


def definition(
    workspace: Workspace, document: Document, position: lsp.Position
) -> list[lsp.Location]:
    """Return the definitions of the name at a position, or the file that LOAD reads."""
    offset = document.offset(position)
    token = token_at(document, offset)
    if token is None:
        return []
    if _reader(document, token) == "LOAD":
        path = _loaded_file(workspace, document, token.text)
        start = lsp.Position(0, 0)
        return [lsp.Location(workspace.uri_of(path), lsp.Range(start, start))] if path else []
    return definitions_of(workspace, document, token.text, offset)


def definitions_of(
    workspace: Workspace, document: Document, name: str, offset: int = sys.maxsize
) -> list[lsp.Location]:
    """Return the definitions of a name in a script; in its document, the last before an offset."""
    own = _definitions(document, name)
    earlier = [one for one in own if one.start <= offset]
    if earlier or own:
        return [_location(document, (earlier or own)[-1])]
    found = [
        _location(other, one)
        for other in workspace.script_files(document)
        if other is not document
        for one in _definitions(other, name)
    ]
    return found or _in_library(workspace, document, name)


def _reader(document: Document, token: Token) -> str:
    """Return the word that reads a quoted name; "" for other tokens."""
    if token.kind is not Kind.QUOTED:
        return ""
    index = document.tokens.index(token)
    return document.tokens[index - 1].text if index else ""


def _loaded_file(workspace: Workspace, document: Document, name: str) -> Path | None:
    folders = [document.path.parent]
    analysis = workspace.analyses.get(document.path)
    if analysis is not None:
        folders.append(analysis.choice.main.parent)
    encoded = name.encode("utf-8", "replace")
    try:
        return find_file(encoded, folders, Roots(folders)) or find_bundled(encoded)
    except (ForthVMError, OSError):
        return None


def _definitions(document: Document, name: str) -> list[Token]:
    return [t for t in document.tokens if t.kind is Kind.NAME and t.text == name]


def _defining_words(document: Document, name: str) -> list[str]:
    """Return the words before the definitions of a name."""
    pairs = zip(document.tokens, document.tokens[1:], strict=False)
    return [before.text for before, t in pairs if t.kind is Kind.NAME and t.text == name]


def _location(document: Document, token: Token) -> lsp.Location:
    return lsp.Location(document.uri, document.range(token.start, token.end))


def _in_library(workspace: Workspace, document: Document, name: str) -> list[lsp.Location]:
    """Return the definition of a word of the library."""
    analysis = workspace.analyses.get(document.path)
    word = analysis.find(name) if analysis is not None else None
    if analysis is None or word is None:
        return []
    position = analysis.program.image.source(word.cfa)
    text = analysis.program.loaded.table.text_at(position)
    if text is None or text.path is None:
        return []
    offset = position - text.base
    source = Document(workspace.uri_of(text.path), text.path, text.decode(text.data))
    start = len(text.decode(text.data[:offset]))
    token = token_at(source, start)  # `board}` defines the names of the squares of a grid
    end = token.end if token is not None else start
    return [lsp.Location(source.uri, source.range(start, end))]


# --- references ------------------------------------------------------------------------


def _occurrences(document: Document, name: str) -> Iterator[Token]:
    """Yield the tokens with a name, except names of files."""
    before = ""
    for token in document.tokens:
        is_text = token.kind in (Kind.COMMENT, Kind.STRING)
        if token.text == name and not is_text and not (before == "LOAD" and _is_quoted(token)):
            yield token
        if token.kind is not Kind.COMMENT:
            before = token.text


def _is_quoted(token: Token) -> bool:
    return token.kind is Kind.QUOTED


def scope(workspace: Workspace, document: Document, name: str) -> Scope:
    """Return where a name has the meaning that it has in a document."""
    return scope_of(document, workspace.script_games, lambda file: _mentions(file, name))


def _mentions(document: Document, name: str) -> bool:
    return next(_occurrences(document, name), None) is not None


def references(
    workspace: Workspace, document: Document, position: lsp.Position, *, declaration: bool
) -> list[lsp.Location]:
    """Return the occurrences of the name at a position in all files where it means the same."""
    token = token_at(document, document.offset(position))
    if token is None or _reader(document, token) == "LOAD":
        return []
    return references_of(workspace, document, token.text, declaration=declaration)


def references_of(
    workspace: Workspace, document: Document, name: str, *, declaration: bool
) -> list[lsp.Location]:
    """Return the occurrences of a name of a script in all files where it means the same."""
    where = scope(workspace, document, name)
    found = [
        _location(other, one)
        for other in where.documents
        for one in _occurrences(other, name)
        if declaration or one.kind is not Kind.NAME
    ]
    tests = _in_tests(workspace, document, where, name)
    return found + [lsp.Location(test.uri, test.range(*place)) for test, *place in tests]


def _in_tests(
    workspace: Workspace, document: Document, where: Scope, name: str
) -> Iterator[tuple[Document, int, int]]:
    analysis = workspace.analyses.get(document.path)
    known = analysis.names if analysis is not None else ()
    return in_tests(workspace, where.files, name, known)


def highlights(document: Document, position: lsp.Position) -> list[lsp.DocumentHighlight]:
    """Return the partners of a control word, else the occurrences of the name in the document."""
    offset = document.offset(position)
    token = token_at(document, offset)
    if token is None:
        return []
    partners = document.structure.partners(token.start)
    if partners:
        return [lsp.DocumentHighlight(document.range(*partner)) for partner in partners]
    return [
        lsp.DocumentHighlight(document.range(found.start, found.end))
        for found in _occurrences(document, token.text)
    ]


# --- renaming --------------------------------------------------------------------------


def renamable(workspace: Workspace, document: Document, position: lsp.Position) -> Token:
    """Return the token at a position if its name can be changed.

    Raises:
        RenameError: It cannot, or it is ambiguous to which definition an occurrence refers.
    """
    token = token_at(document, document.offset(position))
    if token is None:
        raise RenameError("there is no name here")
    require_renamable(workspace, document, token.text)
    return token


def require_renamable(workspace: Workspace, document: Document, name: str) -> None:
    """Check that a name of a script can be changed.

    Raises:
        RenameError: It cannot, or it is ambiguous to which definition an occurrence refers.
    """
    analysis = workspace.analyses.get(document.path)
    if analysis is None:
        raise RenameError("the script has not been analysed")
    if name in HOOKS:
        raise RenameError(f"the engine calls `{name}` by its name")
    if name in analysis.program.built_in_names:
        raise RenameError(f"`{name}` is a built-in word")
    counts = []
    for game in scope(workspace, document, name).games:
        found = [reader for file in game for reader in _defining_words(file, name)]
        shared = DEFINE_IF_NEW.intersection(found)
        counts.append(sum(reader not in shared for reader in found) + len(shared))
    if max(counts) != 1:
        reason = "is not defined in the script" if not max(counts) else "has several definitions"
        raise RenameError(f"`{name}` {reason}")


def rename(
    workspace: Workspace, document: Document, position: lsp.Position, new_name: str
) -> lsp.WorkspaceEdit:
    """Return the edits that rename the word at a position in all files where it means the same.

    Raises:
        RenameError: The name cannot be changed, or the new name is not free.
    """
    token = renamable(workspace, document, position)
    return rename_name(workspace, document, token.text, new_name)


def rename_name(
    workspace: Workspace, document: Document, name: str, new_name: str
) -> lsp.WorkspaceEdit:
    """Return the edits that rename a word of a script in all files where it means the same.

    Raises:
        RenameError: The name cannot be changed, or the new name is not free.
    """
    require_renamable(workspace, document, name)
    where = scope(workspace, document, name)
    _require_free(where, workspace.analyses[document.path], new_name)
    places = [
        (other, found.start, found.end)
        for other in where.documents
        for found in _occurrences(other, name)
    ]
    return renaming([*places, *_in_tests(workspace, document, where, name)], new_name)


def renaming(places: Iterable[tuple[Document, int, int]], new_name: str) -> lsp.WorkspaceEdit:
    """Return the edits that replace parts of documents by a new name."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    for document, start, end in places:
        edit = lsp.TextEdit(document.range(start, end), new_name)
        changes.setdefault(document.uri, []).append(edit)
    return lsp.WorkspaceEdit(changes=changes)


def _require_free(where: Scope, analysis: ScriptAnalysis, name: str) -> None:
    """Raise an error if a new name is not a name, or has a meaning already."""
    if not name or name.split() != [name] or name in STRINGS or not name.isprintable():
        raise RenameError("a name is one word without blanks")
    if name.lstrip("+-").isdigit():
        raise RenameError(f"`{name}` is a number")
    used = any(_mentions(file, name) for file in where.files)
    if used or analysis.find(name) is not None:
        raise RenameError(f"the name `{name}` is in use")
