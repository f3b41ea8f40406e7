"""Call hierarchy of rule files: macros, and the pieces, games and files that call them.

Owns the callers: the innermost macro, piece, variant or game around a call, else the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from .rule_families import family
from .rule_files import OUTLINE_KINDS, scope, title
from .rule_names import rule_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .documents import Document
    from .rule_names import Name, RuleList
    from .workspace import Workspace

__all__ = ["incoming", "outgoing", "prepare"]

_CALLERS = frozenset({"define", "piece", "variant", "game"})


def _item(document: Document, one: RuleList | None) -> lsp.CallHierarchyItem:
    """Return a list that can be a caller as an item of the protocol; None is the file."""
    if one is None:
        return lsp.CallHierarchyItem(
            name=document.path.name,
            kind=lsp.SymbolKind.File,
            uri=document.uri,
            range=document.whole(),
            selection_range=document.range(0, 0),
        )
    name = title(one)
    return lsp.CallHierarchyItem(
        name=name.text,
        kind=OUTLINE_KINDS[one.head],
        uri=document.uri,
        range=document.range(one.start, one.end),
        selection_range=document.range(name.start, name.end),
        detail=f"{one.head}, {document.path.name}",
    )


def _calls(document: Document) -> Iterator[tuple[Name, RuleList | None]]:
    """Yield the heads of lists, which are the names that can be calls, each with its caller."""
    for one in rule_names(document.text).lists:
        if one.head:
            caller = one.parent
            while caller is not None and caller.head not in _CALLERS:
                caller = caller.parent
            yield one.names[0], caller


def _macros(workspace: Workspace, document: Document) -> dict[str, list[lsp.CallHierarchyItem]]:
    """Return the macros in all files of the game by name."""
    found: dict[str, list[lsp.CallHierarchyItem]] = {}
    for other in family(workspace, document):
        for name, definitions in rule_names(other.text).definitions.items():
            items = [_item(other, one.list) for one in definitions if one.kind == "macro"]
            if items:
                found.setdefault(name, []).extend(items)
    return found


def prepare(
    workspace: Workspace, document: Document, position: lsp.Position
) -> list[lsp.CallHierarchyItem]:
    """Return the definitions of the macro at a position."""
    name = rule_names(document.text).at(document.offset(position))
    return _macros(workspace, document).get(name.text, []) if name is not None else []


def incoming(
    workspace: Workspace, document: Document, name: str
) -> list[lsp.CallHierarchyIncomingCall]:
    """Return the callers of a macro in all files where its name means the same."""
    found = []
    for other in scope(workspace, document, name).documents:
        places: dict[RuleList | None, list[lsp.Range]] = {}
        for called, caller in _calls(other):
            if called.text == name:
                places.setdefault(caller, []).append(other.range(called.start, called.end))
        found += [
            lsp.CallHierarchyIncomingCall(_item(other, caller), ranges)
            for caller, ranges in places.items()
        ]
    return found


def outgoing(
    workspace: Workspace, document: Document, item: lsp.CallHierarchyItem
) -> list[lsp.CallHierarchyOutgoingCall]:
    """Return the macros that a macro, piece, game or file calls."""
    macros = _macros(workspace, document)
    found: dict[str, list[lsp.Range]] = {}
    for called, caller in _calls(document):
        if (
            called.text in macros
            and _item(document, caller).selection_range == item.selection_range
        ):
            place = document.range(called.start, called.end)
            found.setdefault(called.text, []).append(place)
    return [
        lsp.CallHierarchyOutgoingCall(macros[name][-1], ranges) for name, ranges in found.items()
    ]
