"""Answers about rule files of Zillions (.zrf): findings, outline, names and macros.

Owns a scanner that also reads unfinished texts.  It must not know the connection.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types as lsp

from forthvm.check.rule_files import check_rule_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check import Finding

    from .documents import Document

__all__ = [
    "complete",
    "definition",
    "findings",
    "folding_ranges",
    "highlights",
    "hover",
    "references",
    "symbols",
]

_TOKEN = re.compile(r'(?P<comment>;[^\n]*)|(?P<string>"[^"]*"?)|(?P<name>[^\s();"]+)|[()]')
_OUTLINE = {
    "define": lsp.SymbolKind.Function,
    "game": lsp.SymbolKind.Module,
    "variant": lsp.SymbolKind.Module,
    "board": lsp.SymbolKind.Namespace,
    "board-setup": lsp.SymbolKind.Namespace,
    "piece": lsp.SymbolKind.Class,
    "include": lsp.SymbolKind.File,
}
_MAX_SHOWN_LINES = 30


class _Name(NamedTuple):
    text: str
    start: int
    end: int


class _List(NamedTuple):
    """A list: its range, its nesting, and the texts of its first names."""

    start: int
    end: int
    depth: int
    names: tuple[_Name, ...]

    @property
    def head(self) -> str:
        return self.names[0].text if self.names else ""


def findings(document: Document) -> list[Finding]:
    """Return the findings in a rule file.

    Raises:
        ScriptFileError: The file cannot be read.
    """
    if not document.text.strip():
        return []
    found = check_rule_file(document.path, ())
    return [
        finding
        for finding in found
        if finding.location is not None
        and finding.location.file.replace("\\", "/").endswith(document.path.name)
    ]


# --- scanning --------------------------------------------------------------------------


def _names(document: Document) -> Iterator[_Name]:
    for match in _TOKEN.finditer(document.text):
        if match.lastgroup == "name":
            yield _Name(match.group(), match.start(), match.end())


def _lists(document: Document) -> list[_List]:
    """Return the lists in the order of their ends; a list without an end ends with the text."""
    found: list[_List] = []
    opened: list[tuple[int, list[_Name]]] = []
    for match in _TOKEN.finditer(document.text):
        if match.lastgroup in ("name", "string"):
            if opened and len(opened[-1][1]) < 3:  # noqa: PLR2004 - head, name, one more
                opened[-1][1].append(_Name(match.group(), match.start(), match.end()))
        elif match.group() == "(":
            opened.append((match.start(), []))
        elif match.group() == ")" and opened:
            start, names = opened.pop()
            found.append(_List(start, match.end(), len(opened), tuple(names)))
    while opened:
        start, names = opened.pop()
        found.append(_List(start, len(document.text), len(opened), tuple(names)))
    return found


def _name_at(document: Document, position: lsp.Position) -> _Name | None:
    offset = document.offset(position)
    return next((n for n in _names(document) if n.start <= offset <= n.end), None)


def _macros(document: Document) -> dict[str, _List]:
    """Return the definitions of macros by name."""
    return {
        one.names[1].text: one
        for one in _lists(document)
        if one.head == "define" and len(one.names) > 1
    }


# --- answers ---------------------------------------------------------------------------


def symbols(document: Document) -> list[lsp.DocumentSymbol]:
    """Return the outline: macros, games and variants with their boards and pieces."""
    top: list[lsp.DocumentSymbol] = []
    parents: list[tuple[_List, list[lsp.DocumentSymbol]]] = []
    titles = {one.start: one.names[1].text for one in _lists(document) if _is_title(one)}
    for one in sorted(_lists(document), key=lambda item: item.start):
        kind = _OUTLINE.get(one.head)
        if kind is None:
            continue
        while parents and parents[-1][0].end <= one.start:
            parents.pop()
        symbol = lsp.DocumentSymbol(
            name=_title(one, titles),
            detail=one.head,
            kind=kind,
            range=document.range(one.start, one.end),
            selection_range=document.range(one.names[0].start, one.names[0].end),
        )
        (parents[-1][1] if parents else top).append(symbol)
        children: list[lsp.DocumentSymbol] = []
        symbol.children = children
        parents.append((one, children))
    return top


def _is_title(one: _List) -> bool:
    return one.head in ("title", "name") and len(one.names) > 1


def _title(one: _List, titles: dict[int, str]) -> str:
    """Return the title of a game, the name of a piece or macro, or the head of another list."""
    if one.head in ("define", "include") and len(one.names) > 1:
        return one.names[1].text.strip('"') or one.head
    if one.head in ("game", "variant", "piece"):
        inside = [start for start in titles if one.start < start < one.end]
        if inside:
            return titles[min(inside)].strip('"') or one.head
    return one.head


def folding_ranges(document: Document) -> list[lsp.FoldingRange]:
    """Return the lists of several lines."""
    ranges: dict[int, int] = {}
    for one in _lists(document):
        first, last = document.position(one.start).line, document.position(one.end - 1).line
        if first < last:
            ranges[first] = max(last, ranges.get(first, last))
    return [lsp.FoldingRange(first, last) for first, last in sorted(ranges.items())]


def complete(document: Document, position: lsp.Position) -> lsp.CompletionList:
    """Return the names of the file, macros first."""
    offset = document.offset(position)
    for match in _TOKEN.finditer(document.text):
        if match.lastgroup in ("comment", "string") and match.start() < offset < match.end():
            return lsp.CompletionList(is_incomplete=False, items=[])
    typed = _name_at(document, position)
    start = typed.start if typed is not None else offset
    replaced = document.range(start, offset)
    macros = _macros(document)
    names = {name.text for name in _names(document) if typed is None or name.start != typed.start}
    items = [
        lsp.CompletionItem(
            label=name,
            kind=lsp.CompletionItemKind.Function
            if name in macros
            else lsp.CompletionItemKind.Keyword,
            detail="macro" if name in macros else None,
            sort_text=f"{int(name not in macros)}{name}",
            text_edit=lsp.TextEdit(replaced, name),
        )
        for name in sorted(names)
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


def hover(document: Document, position: lsp.Position) -> lsp.Hover | None:
    """Return the text of the macro at a position."""
    name = _name_at(document, position)
    macro = _macros(document).get(name.text) if name is not None else None
    if name is None or macro is None:
        return None
    lines = document.text[macro.start : macro.end].splitlines()[:_MAX_SHOWN_LINES]
    code = "\n".join(lines).replace("```", "` ` `")
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, f"```zrf\n{code}\n```")
    return lsp.Hover(content, document.range(name.start, name.end))


def definition(document: Document, position: lsp.Position) -> list[lsp.Location]:
    """Return the definition of the macro at a position."""
    name = _name_at(document, position)
    macro = _macros(document).get(name.text) if name is not None else None
    if macro is None:
        return []
    place = macro.names[1]
    return [lsp.Location(document.uri, document.range(place.start, place.end))]


def references(document: Document, position: lsp.Position) -> list[lsp.Location]:
    """Return all occurrences of the name at a position."""
    return [lsp.Location(document.uri, found.range) for found in highlights(document, position)]


def highlights(document: Document, position: lsp.Position) -> list[lsp.DocumentHighlight]:
    """Return all occurrences of the name at a position."""
    name = _name_at(document, position)
    if name is None:
        return []
    return [
        lsp.DocumentHighlight(document.range(other.start, other.end))
        for other in _names(document)
        if other.text == name.text
    ]
