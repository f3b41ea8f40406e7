"""Outline, folding and semantic tokens of a script.

Owns the mapping of tokens to kinds of the protocol.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.syntax import Kind
from forthvm.syntax.tokens import SECTIONS

from .documents import LINE_END, comment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.syntax import Token

    from .documents import Document

__all__ = ["LEGEND", "encoded_tokens", "folding_ranges", "selections", "semantic_tokens", "symbols"]

_TYPES = {
    Kind.COMMENT: "comment",
    Kind.STRING: "string",
    Kind.DEFINING: "keyword",
    Kind.NAME: "function",
    Kind.QUOTED: "variable",
    Kind.CONTROL: "keyword",
    Kind.SECTION: "namespace",
    Kind.ITEM: "decorator",
    Kind.NUMBER: "number",
    Kind.KERNEL: "operator",
    Kind.WORD: "function",
}
_RULE_TYPES = ("parameter", "class", "enumMember", "property", "type")
"""Further types, which only rule files have."""
_TYPE_NAMES = tuple(dict.fromkeys([*_TYPES.values(), *_RULE_TYPES]))
LEGEND = lsp.SemanticTokensLegend(
    token_types=list(_TYPE_NAMES), token_modifiers=[lsp.SemanticTokenModifiers.Definition.value]
)
_SYMBOL_KINDS = {
    ":": lsp.SymbolKind.Function,
    "VARIABLE": lsp.SymbolKind.Variable,
    "FVARIABLE": lsp.SymbolKind.Variable,
    "CONSTANT": lsp.SymbolKind.Constant,
    "FCONSTANT": lsp.SymbolKind.Constant,
    "[]": lsp.SymbolKind.Array,
    "CREATE": lsp.SymbolKind.Array,
    "{player}": lsp.SymbolKind.EnumMember,
    "{neutral}": lsp.SymbolKind.EnumMember,
    "{piece}": lsp.SymbolKind.Class,
    "{direction}": lsp.SymbolKind.Event,
    "{position}": lsp.SymbolKind.EnumMember,
    "{moves": lsp.SymbolKind.Namespace,
    "{variable}": lsp.SymbolKind.Variable,
    "{array}": lsp.SymbolKind.Array,
    "{carray}": lsp.SymbolKind.Array,
}
_SECTION_WORDS = frozenset(f"{{{name}" for name in SECTIONS)


def symbols(document: Document) -> list[lsp.DocumentSymbol]:
    """Return the outline: sections with the names in them, and all other definitions."""
    ends = _group_ends(document)
    top: list[lsp.DocumentSymbol] = []
    siblings = top
    section_end = -1
    tokens = document.tokens
    for index, token in enumerate(tokens):
        if token.start >= section_end:
            siblings = top
        if token.kind is Kind.SECTION and token.text in _SECTION_WORDS:
            section_end = ends.get(token.start, token.end)
            name = token.text[1:]
            if token.text == "{moves" and index + 1 < len(tokens):
                name = f"{name} {tokens[index + 1].text}"
            span = (token.start, section_end)
            section = _symbol(document, name, lsp.SymbolKind.Namespace, span, token)
            section.children = siblings = []
            top.append(section)
        elif token.kind is Kind.NAME and index and tokens[index - 1].text != "{moves":
            before = tokens[index - 1]
            kind = _SYMBOL_KINDS.get(before.text, lsp.SymbolKind.Function)
            span = (before.start, ends.get(before.start, token.end))
            symbol = _symbol(document, token.text, kind, span, token)
            symbol.detail = comment_of(tokens, index) or before.text
            siblings.append(symbol)
    return top


def _symbol(
    document: Document, name: str, kind: lsp.SymbolKind, span: tuple[int, int], name_token: Token
) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=name,
        kind=kind,
        range=document.range(span[0], max(span[1], name_token.end)),
        selection_range=document.range(name_token.start, name_token.end),
    )


def _group_ends(document: Document) -> dict[int, int]:
    """Return the end of every closed structure, by its start."""
    return {group[0][0]: group[-1][1] for group in document.structure.groups}


def folding_ranges(document: Document) -> list[lsp.FoldingRange]:
    """Return the structures and comments of several lines."""
    ranges = [
        lsp.FoldingRange(first, last)
        for group in document.structure.groups
        if (first := document.position(group[0][0]).line)
        < (last := document.position(group[-1][0]).line)
    ]
    return [*ranges, *_comment_blocks(document)]


def _comment_blocks(document: Document) -> Iterator[lsp.FoldingRange]:
    """Yield the blocks of comments: consecutive lines, and comments of several lines."""
    first = last = -2
    before = -1  # the line in which the previous token ends
    for token in document.tokens:
        start, end = document.position(token.start).line, document.position(token.end).line
        if token.kind is Kind.COMMENT and start > before:
            if start > last + 1:
                if first < last:
                    yield lsp.FoldingRange(first, last, kind=lsp.FoldingRangeKind.Comment)
                first = start
            last = end
        before = end
    if first < last:
        yield lsp.FoldingRange(first, last, kind=lsp.FoldingRangeKind.Comment)


def semantic_tokens(document: Document) -> list[int]:
    """Return the tokens, encoded as the protocol requires."""
    return encoded_tokens(
        document,
        ((t.start, t.end, _TYPES[t.kind], t.kind is Kind.NAME) for t in document.tokens),
    )


def encoded_tokens(document: Document, tokens: Iterable[tuple[int, int, str, bool]]) -> list[int]:
    """Encode tokens: start, end, type, and whether the token defines a name."""
    data: list[int] = []
    last_line = last_character = 0
    for start, end, kind, defines in tokens:
        for piece_start, piece_end in _pieces(document, start, end):
            position = document.position(piece_start)
            length = document.position(piece_end).character - position.character
            same_line = position.line == last_line and bool(data)
            data += [
                position.line - last_line,
                position.character - (last_character if same_line else 0),
                length,
                _TYPE_NAMES.index(kind),
                int(defines),
            ]
            last_line, last_character = position.line, position.character
    return data


def _pieces(document: Document, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a token at line ends."""
    while start < end:
        line_end = LINE_END.search(document.text, start, end)
        piece_end = end if line_end is None else line_end.start()
        if start < piece_end:
            yield start, piece_end
        start = piece_end + 1


def selections(document: Document, offset: int) -> list[tuple[int, int]]:
    """Return the token, structures and definition around an offset, the innermost first."""
    tokens = document.tokens
    index = bisect_right(tokens, offset, key=lambda token: token.start) - 1
    own = [(tokens[index].start, tokens[index].end)] if index >= 0 else []
    spans = [(group[0][0], group[-1][1]) for group in document.structure.groups]
    around = [(start, end) for start, end in [*own, *spans] if start <= offset <= end]
    return sorted(set(around), key=lambda span: span[1] - span[0])
