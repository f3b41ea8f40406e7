"""Call hierarchy and code lenses of scripts.

Owns the definitions as callers: from `:` to `;`, or the text outside of definitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.syntax import Kind

from .documents import token_at
from .navigation import scope
from .rule_names import rule_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from forthvm.syntax import Token

    from .documents import Document
    from .workspace import Workspace

__all__ = ["RUN_TESTS", "SHOW_BOARD", "incoming", "lenses", "outgoing", "prepare"]

SHOW_BOARD = "forthvm.showBoard"
"""The client's command for the lens at a board setup; its argument is the identifier."""
RUN_TESTS = "forthvm.runTests"
"""The client's command for the lens of a game with tests; its argument is the path."""
_TEST_SUFFIXES = (".test", ".perft")


@dataclass(frozen=True, slots=True)
class _Caller:
    """A definition, or the text outside of definitions, with the names in it."""

    item: lsp.CallHierarchyItem
    tokens: list[Token]


def _callers(document: Document) -> Iterator[_Caller]:
    ends = {group[0][0]: group[-1][1] for group in document.structure.groups}
    outside: list[Token] = []
    inside: _Caller | None = None
    end = 0
    tokens = document.tokens
    for index, token in enumerate(tokens):
        if inside is not None and token.start >= end:
            yield inside
            inside = None
        before = tokens[index - 1] if index else None
        if token.kind is Kind.NAME and before is not None and before.text == ":":
            if inside is not None:
                yield inside
            end = ends.get(before.start, len(document.text))
            inside = _Caller(_item(document, token, (before.start, end)), [])
        elif token.kind not in (Kind.NAME, Kind.COMMENT, Kind.STRING):
            (inside.tokens if inside is not None else outside).append(token)
    if inside is not None:
        yield inside
    if outside:
        start = document.range(0, 0)
        yield _Caller(
            lsp.CallHierarchyItem(
                name=document.path.name,
                kind=lsp.SymbolKind.File,
                uri=document.uri,
                range=document.whole(),
                selection_range=start,
            ),
            outside,
        )


def _item(document: Document, name: Token, span: tuple[int, int]) -> lsp.CallHierarchyItem:
    return lsp.CallHierarchyItem(
        name=name.text,
        kind=lsp.SymbolKind.Function,
        uri=document.uri,
        range=document.range(span[0], max(span[1], name.end)),
        selection_range=document.range(name.start, name.end),
        detail=document.effects.get(name.text) or document.path.name,
    )


def _definitions(
    workspace: Workspace, document: Document
) -> dict[str, list[lsp.CallHierarchyItem]]:
    """Return the definitions in all files of a script by name."""
    found: dict[str, list[lsp.CallHierarchyItem]] = {}
    for other in workspace.script_files(document):
        for caller in _callers(other):
            if caller.item.kind is lsp.SymbolKind.Function:
                found.setdefault(caller.item.name, []).append(caller.item)
    return found


def prepare(
    workspace: Workspace, document: Document, position: lsp.Position
) -> list[lsp.CallHierarchyItem]:
    """Return the definitions of the word at a position."""
    token = token_at(document, document.offset(position))
    return _definitions(workspace, document).get(token.text, []) if token is not None else []


def incoming(
    workspace: Workspace, document: Document, name: str
) -> list[lsp.CallHierarchyIncomingCall]:
    """Return the definitions that call a word, and the files that run it while they load."""
    calls = []
    for other in scope(workspace, document, name).documents:
        for caller in _callers(other):
            places = [t for t in caller.tokens if t.text == name]
            if places:
                ranges = [other.range(place.start, place.end) for place in places]
                calls.append(lsp.CallHierarchyIncomingCall(caller.item, ranges))
    return calls


def outgoing(
    workspace: Workspace, document: Document, item: lsp.CallHierarchyItem
) -> list[lsp.CallHierarchyOutgoingCall]:
    """Return the definitions of the script that a word or file calls."""
    definitions = _definitions(workspace, document)
    start = item.selection_range.start
    callers = (c for c in _callers(document) if c.item.selection_range.start == start)
    caller = next((c for c in callers if c.item.name == item.name), None)
    found: dict[str, list[lsp.Range]] = {}
    for token in caller.tokens if caller is not None else ():
        if token.text in definitions:
            found.setdefault(token.text, []).append(document.range(token.start, token.end))
    return [
        lsp.CallHierarchyOutgoingCall(target, ranges)
        for name, ranges in found.items()
        for target in definitions[name][-1:]
    ]


# --- lenses ----------------------------------------------------------------------------


def lenses(document: Document, commands: Collection[str]) -> list[lsp.CodeLens]:
    """Return the code lenses whose commands the client has: the board, and the tests of a game."""
    found = []
    if SHOW_BOARD in commands:
        command = lsp.Command("Show the board", SHOW_BOARD, arguments=[document.uri])
        found += [
            lsp.CodeLens(document.range(start, start), command) for start in _setups(document)
        ]
    tested = any(document.path.with_suffix(suffix).exists() for suffix in _TEST_SUFFIXES)
    if RUN_TESTS in commands and tested:
        command = lsp.Command("Run the tests", RUN_TESTS, arguments=[str(document.path)])
        found.append(lsp.CodeLens(document.range(0, 0), command))
    return found


def _setups(document: Document) -> list[int]:
    """Return the offsets at which first positions are set up."""
    if document.is_rule_file:
        lists = rule_names(document.text).lists
        return [one.start for one in lists if one.head == "board-setup"]
    return [token.start for token in document.tokens if token.text == "{board-setup"]
