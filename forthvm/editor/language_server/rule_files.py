"""Answers about rule files of Zillions (.zrf): findings, outline, names, completion and renaming.

Owns the meaning of the names in the files of a game.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.check.rule_files import check_rule_file

from .names_in_tests import in_tests
from .navigation import RenameError, renaming
from .outline import encoded_tokens
from .rule_families import family, games_with, included_file, main_file
from .rule_keywords import CONTROL, KEYWORDS, is_keyword
from .rule_names import rule_names
from .scopes import Scope, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check import Finding

    from .documents import Document
    from .rule_names import Definition, Name, RuleList
    from .workspace import Workspace

__all__ = [
    "OUTLINE_KINDS",
    "complete",
    "definition",
    "definitions_of",
    "description",
    "findings",
    "folding_ranges",
    "highlights",
    "hover",
    "occurrences",
    "references",
    "references_of",
    "renamable",
    "rename",
    "rename_name",
    "require_renamable",
    "scope",
    "selections",
    "semantic_tokens",
    "symbols",
    "title",
]

OUTLINE_KINDS = {
    "define": lsp.SymbolKind.Function,
    "game": lsp.SymbolKind.Module,
    "variant": lsp.SymbolKind.Module,
    "board": lsp.SymbolKind.Namespace,
    "board-setup": lsp.SymbolKind.Namespace,
    "piece": lsp.SymbolKind.Class,
    "zone": lsp.SymbolKind.Namespace,
    "include": lsp.SymbolKind.File,
}
"""The lists that the outline shows, by their first name."""
_COMPLETION_KINDS = {
    "macro": lsp.CompletionItemKind.Function,
    "piece": lsp.CompletionItemKind.Class,
    "zone": lsp.CompletionItemKind.Module,
    "player": lsp.CompletionItemKind.EnumMember,
    "direction": lsp.CompletionItemKind.Event,
    "position": lsp.CompletionItemKind.EnumMember,
    "attribute": lsp.CompletionItemKind.Property,
    "move type": lsp.CompletionItemKind.Enum,
}
_TOKEN_TYPES = {
    "macro": "function",
    "piece": "class",
    "zone": "namespace",
    "player": "enumMember",
    "direction": "decorator",
    "position": "enumMember",
    "attribute": "property",
    "move type": "type",
}
_PARAMETER = re.compile(r"\$\d+")
_NEW_NAME = re.compile(r'[^\s\x00();"$]+')
_NUMBER = re.compile(r"[+-]?\d+")
_MAX_SHOWN_LINES = 30


def findings(workspace: Workspace, document: Document) -> list[Finding]:
    """Return the findings in a rule file.

    A file without games is checked with one that includes it.

    Raises:
        ScriptFileError: The file cannot be read.
    """
    if not document.text.strip():
        return []
    found = check_rule_file(main_file(workspace, document), ())
    return [
        finding
        for finding in found
        if finding.location is not None
        and finding.location.file.replace("\\", "/").endswith(document.path.name)
    ]


def _definitions(
    workspace: Workspace, document: Document, name: str
) -> list[tuple[Document, Definition]]:
    return [
        (other, one)
        for other in family(workspace, document)
        for one in rule_names(other.text).definitions.get(name, ())
    ]


def _name_at(workspace: Workspace, document: Document, position: lsp.Position) -> str:
    """Return the name at a position, without the prefix `not-` of an attribute; "" if none."""
    found = rule_names(document.text).at(document.offset(position))
    if found is None or found.kind != "name":
        return ""
    plain = found.text.removeprefix("not-")
    negated = plain != found.text and _definitions(workspace, document, plain)
    return plain if negated else found.text


def occurrences(document: Document, name: str) -> list[tuple[int, int]]:
    """Return the offsets of the occurrences of a name, also after `not-`."""
    return [
        (found.end - len(name), found.end)
        for found in rule_names(document.text).names
        if found.text in (name, f"not-{name}")
    ]


# --- outline ---------------------------------------------------------------------------


def symbols(document: Document) -> list[lsp.DocumentSymbol]:
    """Return the outline: macros, games and variants with their boards and pieces."""
    top: list[lsp.DocumentSymbol] = []
    parents: list[tuple[RuleList, list[lsp.DocumentSymbol]]] = []
    for one in rule_names(document.text).lists:
        kind = OUTLINE_KINDS.get(one.head)
        if kind is None:
            continue
        while parents and parents[-1][0].end <= one.start:
            parents.pop()
        name = title(one)
        children: list[lsp.DocumentSymbol] = []
        symbol = lsp.DocumentSymbol(
            name=name.text or one.head,
            detail=one.head,
            kind=kind,
            range=document.range(one.start, one.end),
            selection_range=document.range(name.start, name.end),
            children=children,
        )
        (parents[-1][1] if parents else top).append(symbol)
        parents.append((one, children))
    return top


def title(one: RuleList) -> Name:
    """Return the title of a game, the name of a piece, zone or macro, or the head of a list."""
    if one.head in ("define", "include"):
        return one.names[1] if len(one.names) > 1 else one.names[0]
    inner = one.child("title") or one.child("name")
    if one.head != "board" and inner is not None and len(inner.names) > 1:
        return inner.names[1]
    return one.names[0]


def folding_ranges(document: Document) -> list[lsp.FoldingRange]:
    """Return the lists and comments of several lines."""
    ranges: dict[int, int] = {}
    names = rule_names(document.text)
    for one in names.lists:
        first, last = document.position(one.start).line, document.position(one.end - 1).line
        if first < last:
            ranges[first] = max(last, ranges.get(first, last))
    comments = [token.start for token in names.tokens if token.kind == "comment"]
    return [
        *(lsp.FoldingRange(first, last) for first, last in sorted(ranges.items())),
        *_comment_blocks(document, comments),
    ]


def _comment_blocks(document: Document, starts: list[int]) -> Iterator[lsp.FoldingRange]:
    lines = [document.position(start).line for start in starts]
    first = 0
    for index, line in enumerate(lines):
        if index + 1 == len(lines) or lines[index + 1] > line + 1:
            if lines[first] < line:
                kind = lsp.FoldingRangeKind.Comment
                yield lsp.FoldingRange(lines[first], line, kind=kind)
            first = index + 1


def selections(document: Document, offset: int) -> list[tuple[int, int]]:
    """Return the name and the lists around an offset, the innermost first."""
    names = rule_names(document.text)
    found = names.at(offset)
    own = [(found.start, found.end)] if found is not None else []
    return [*own, *((one.start, one.end) for one in names.enclosing(offset))]


def semantic_tokens(workspace: Workspace, document: Document) -> list[int]:
    """Return the tokens, encoded as the protocol requires."""
    kinds: dict[str, str] = {}
    for other in family(workspace, document):
        for name, found in rule_names(other.text).definitions.items():
            kinds.setdefault(name, _TOKEN_TYPES[found[0].kind])
    names = rule_names(document.text)
    defined = {one.name.start for found in names.definitions.values() for one in found}

    def kind_of(token: Name) -> str:
        if token.kind != "name":
            return token.kind
        if _PARAMETER.fullmatch(token.text):
            return "parameter"
        if _NUMBER.fullmatch(token.text):
            return "number"
        kind = kinds.get(token.text) or kinds.get(token.text.removeprefix("not-"), "")
        if is_keyword(token.text) and (token.first or not kind):
            return "keyword" if token.text in CONTROL else "operator"
        return kind or "variable"

    return encoded_tokens(
        document, ((t.start, t.end, kind_of(t), t.start in defined) for t in names.tokens)
    )


# --- completion and hover --------------------------------------------------------------


def complete(
    workspace: Workspace, document: Document, position: lsp.Position
) -> lsp.CompletionList:
    """Return the names of the file and the keywords; after a bracket, macros and keywords first."""
    offset = document.offset(position)
    names = rule_names(document.text)
    typed = next((t for t in names.tokens if t.start < offset <= t.end), None)
    if typed is not None and typed.kind != "name":
        inside = offset < typed.end or typed.kind == "comment"
        if inside:
            return lsp.CompletionList(is_incomplete=False, items=[])
        typed = None
    start = typed.start if typed is not None else offset
    first = document.text[:start].rstrip().endswith("(")
    known: dict[str, str] = {}
    for other in family(workspace, document):
        for name, found in rule_names(other.text).definitions.items():
            if typed is None or found[0].name.start != start or other is not document:
                known.setdefault(name, found[0].kind)
    replaced = document.range(start, offset)
    items = [
        *(_item(name, kind, (kind == "macro") != first, replaced) for name, kind in known.items()),
        *(_item(name, "keyword", not first, replaced) for name in KEYWORDS if name not in known),
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _item(name: str, kind: str, later: bool, replaced: lsp.Range) -> lsp.CompletionItem:
    form, meaning = KEYWORDS[name] if kind == "keyword" else (kind, "")
    return lsp.CompletionItem(
        label=name,
        kind=_COMPLETION_KINDS.get(kind, lsp.CompletionItemKind.Keyword),
        detail=form,
        documentation=meaning or None,
        filter_text=name,
        sort_text=f"{int(later)}{name}",
        text_edit=lsp.TextEdit(replaced, name),
    )


def hover(workspace: Workspace, document: Document, position: lsp.Position) -> lsp.Hover | None:
    """Return the definition of the name at a position, or the meaning of a keyword."""
    name = _name_at(workspace, document, position)
    found = rule_names(document.text).at(document.offset(position))
    if not name or found is None:
        return None
    text = "" if found.first and is_keyword(name) else description(workspace, document, name)
    if not text and is_keyword(name):
        negated = name not in KEYWORDS
        form, meaning = KEYWORDS[name.removeprefix("not-") if negated else name]
        text = f"```zrf\n{form}\n```\n\n" + (f"not: {meaning}" if negated else meaning)
    if not text:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, document.range(found.start, found.end))


def description(workspace: Workspace, document: Document, name: str) -> str:
    """Return the definition of a name in Markdown; "" if there is none."""
    for other, one in _definitions(workspace, document, name):
        lines = other.text[one.list.start : one.list.end].splitlines()[:_MAX_SHOWN_LINES]
        code = "\n".join(lines).replace("```", "` ` `")
        return f"*{one.kind}*\n\n```zrf\n{code}\n```"
    return ""


# --- places ----------------------------------------------------------------------------


def definition(
    workspace: Workspace, document: Document, position: lsp.Position
) -> list[lsp.Location]:
    """Return the definitions of the name at a position, or the file that is included."""
    found = rule_names(document.text).at(document.offset(position))
    if found is not None and found.kind == "string":
        around = rule_names(document.text).enclosing(found.start)[:1]
        included = [one.head for one in around] == ["include"]
        path = included_file(document.path, found.text) if included else None
        start = lsp.Position(0, 0)
        return [lsp.Location(workspace.uri_of(path), lsp.Range(start, start))] if path else []
    return definitions_of(workspace, document, _name_at(workspace, document, position))


def definitions_of(workspace: Workspace, document: Document, name: str) -> list[lsp.Location]:
    """Return the definitions of a name."""
    return [
        lsp.Location(other.uri, other.range(one.name.start, one.name.end))
        for other, one in _definitions(workspace, document, name)
    ]


def scope(workspace: Workspace, document: Document, name: str) -> Scope:
    """Return where a name has the meaning that it has in a document."""
    return scope_of(
        document,
        lambda file: games_with(workspace, file),
        lambda file: bool(occurrences(file, name)),
    )


def references(
    workspace: Workspace, document: Document, position: lsp.Position, *, declaration: bool
) -> list[lsp.Location]:
    """Return the occurrences of the name at a position in all files where it means the same."""
    name = _name_at(workspace, document, position)
    return references_of(workspace, document, name, declaration=declaration) if name else []


def references_of(
    workspace: Workspace, document: Document, name: str, *, declaration: bool
) -> list[lsp.Location]:
    """Return the occurrences of a name in all files where it means the same."""
    where = scope(workspace, document, name)
    return [
        lsp.Location(other.uri, other.range(start, end))
        for other, start, end in _places(workspace, where, name)
        if declaration or other.is_test_file or start not in _definition_starts(other, name)
    ]


def _places(workspace: Workspace, where: Scope, name: str) -> Iterator[tuple[Document, int, int]]:
    """Yield the occurrences of a name in the files of games and in their tests."""
    for other in where.documents:
        for start, end in occurrences(other, name):
            yield other, start, end
    known = (one for file in where.files for one in rule_names(file.text).definitions)
    yield from in_tests(workspace, where.files, name, known)


def _definition_starts(document: Document, name: str) -> set[int]:
    return {one.name.start for one in rule_names(document.text).definitions.get(name, ())}


def highlights(
    workspace: Workspace, document: Document, position: lsp.Position
) -> list[lsp.DocumentHighlight]:
    """Return the occurrences in the document of the name at a position."""
    name = _name_at(workspace, document, position)
    return [
        lsp.DocumentHighlight(document.range(start, end))
        for start, end in (occurrences(document, name) if name else ())
    ]


# --- renaming --------------------------------------------------------------------------


def renamable(
    workspace: Workspace, document: Document, position: lsp.Position
) -> tuple[str, lsp.Range]:
    """Return the name at a position and its range, if it can be changed.

    Raises:
        RenameError: It cannot.
    """
    name = _name_at(workspace, document, position)
    found = rule_names(document.text).at(document.offset(position))
    if not name or found is None:
        raise RenameError("there is no name here")
    require_renamable(workspace, document, name)
    return name, document.range(found.end - len(name), found.end)


def require_renamable(workspace: Workspace, document: Document, name: str) -> None:
    """Check that a name can be changed.

    Raises:
        RenameError: It cannot.
    """
    if is_keyword(name):
        raise RenameError(f"`{name}` is a keyword")
    where = scope(workspace, document, name)
    defined = [
        one for file in where.files for one in rule_names(file.text).definitions.get(name, ())
    ]
    if not defined:
        raise RenameError(f"`{name}` is not defined in the file")
    kinds = {one.kind for one in defined}
    if len(kinds) > 1:
        raise RenameError(f"`{name}` has several meanings: {', '.join(sorted(kinds))}")
    if any(one.name.text != name for one in defined):
        raise RenameError(f"`{name}` is a square of a grid")
    _require_written(where, name)


def _require_written(where: Scope, name: str) -> None:
    """Raise an error if a macro may compose a name from its arguments, as in `rank$1`."""
    for other in where.files:
        for token in rule_names(other.text).names:
            parts = _PARAMETER.split(token.text)
            if len(parts) > 1 and any(parts):
                pattern = ".+".join(re.escape(part) for part in parts)
                if re.fullmatch(pattern, name):
                    raise RenameError(f"a macro may compose `{name}`: `{token.text}`")


def rename(
    workspace: Workspace, document: Document, position: lsp.Position, new_name: str
) -> lsp.WorkspaceEdit:
    """Return the edits that rename the name at a position in all files where it means the same.

    Raises:
        RenameError: The name cannot be changed, or the new name is not free.
    """
    name, _ = renamable(workspace, document, position)
    return rename_name(workspace, document, name, new_name)


def rename_name(
    workspace: Workspace, document: Document, name: str, new_name: str
) -> lsp.WorkspaceEdit:
    """Return the edits that rename something in all files where the name means the same.

    Raises:
        RenameError: The name cannot be changed, or the new name is not free.
    """
    require_renamable(workspace, document, name)
    where = scope(workspace, document, name)
    if not _NEW_NAME.fullmatch(new_name) or _NUMBER.fullmatch(new_name):
        raise RenameError("a name is one word without blanks, brackets, quotes, `;` and `$`")
    used = any(
        occurrences(file, new_name) or new_name in rule_names(file.text).definitions
        for file in where.files
    )
    if used or is_keyword(new_name):
        raise RenameError(f"the name `{new_name}` is in use")
    return renaming(_places(workspace, where, name), new_name)
