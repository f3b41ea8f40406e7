"""Completion and hover: names of words with their stack effects, help and code.

Owns the choice of names at a position, and the text about a word.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.check.rules.text import CONTROL_WORDS
from forthvm.core.errors import ForthVMError
from forthvm.core.words import glossary
from forthvm.core.words.info import matching_names
from forthvm.syntax import Kind

from .documents import token_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.core.words.info import WordInfo
    from forthvm.syntax import Token

    from .documents import Document
    from .scripts import ScriptAnalysis

__all__ = ["complete", "description", "effect_of", "hover"]

_MAX_ITEMS = 120
_MAX_BEFORE = 20  # tokens before a position, with comments
_MAX_CODE_LINES = 30
_ITEM_KINDS = {
    "variable": lsp.CompletionItemKind.Variable,
    "constant": lsp.CompletionItemKind.Constant,
    "kernel": lsp.CompletionItemKind.Operator,
    "player": lsp.CompletionItemKind.EnumMember,
    "piece": lsp.CompletionItemKind.Class,
    "direction": lsp.CompletionItemKind.Event,
    "position": lsp.CompletionItemKind.EnumMember,
    "list": lsp.CompletionItemKind.Module,
}


_PLAYER, _TYPE, _POSITION = ("{player}", "{neutral}"), ("{piece}",), ("{position}",)
_DIRECTION, _MOVE_TYPE, _LIST = ("{direction}",), ("{move-type}",), ("{moves",)
_FOLLOWING: Mapping[str, Sequence[tuple[str, ...]]] = {
    "{move}": [(":",)],
    "{move-type}": [_MOVE_TYPE],
    "{move-priority}": [_MOVE_TYPE],
    "{moves}": [_LIST],
    "{drops}": [_LIST],
    "{turn}": [_PLAYER],
    "{for-player}": [_PLAYER],
    "{of-type}": [_MOVE_TYPE],
    "{search-engine}": [(":",)],
    "{setup}": [_PLAYER, _TYPE, _POSITION],
    "{symmetry}": [_DIRECTION, _DIRECTION],
    "{asymmetry}": [_DIRECTION, _DIRECTION],
    "{link}": [_DIRECTION, _POSITION, _POSITION],
    "{unlink}": [_DIRECTION, _POSITION],
}
"""The defining words of the names that the words of sections read from the text."""


@cache
def _library() -> Mapping[str, glossary.Entry]:
    return glossary.words(150)


def effect_of(document: Document, analysis: ScriptAnalysis | None, name: str) -> str:
    """Return the stack effect of a word; "" if it is unknown."""
    local = document.effects.get(name)
    if local:
        return local
    info = analysis.info(name) if analysis is not None else None
    if info is not None:
        return info.effect
    entry = _library().get(name)
    return entry.effect if entry is not None and analysis is None else ""


# --- completion ------------------------------------------------------------------------


def complete(
    document: Document, analysis: ScriptAnalysis | None, position: lsp.Position
) -> lsp.CompletionList:
    """Return the names that can complete the word before a position."""
    offset = document.offset(position)
    tokens = document.tokens
    index = bisect_right(tokens, offset - 1, key=lambda token: token.start) - 1
    token = tokens[index] if index >= 0 else None
    if token is not None and _is_text(token, offset):
        return lsp.CompletionList(is_incomplete=False, items=[])
    typed = ""
    start = offset
    before = token
    if token is not None and offset <= token.end:
        start, typed = token.start, document.text[token.start : offset]
        before = tokens[index - 1] if index else None
    replaced = document.range(start, offset)
    if token is not None and token.kind is Kind.NAME and typed:
        return lsp.CompletionList(is_incomplete=False, items=[])  # a new name
    names = _names(document, analysis, typed)
    if not _compiles_after(before):
        names = tuple(name for name in names if name not in CONTROL_WORDS)
    fitting = _fitting(document, analysis, tokens[: index + (start == offset)])
    first = matching_names(tuple(name for name in names if name in fitting), typed, _MAX_ITEMS)
    others = matching_names(names, typed, _MAX_ITEMS)
    chosen = [*dict.fromkeys([*first, *others])][:_MAX_ITEMS]
    local = document.effects
    items = [
        _item(name, number, _info(analysis, name), local.get(name, ""), replaced)
        for number, name in enumerate(chosen)
    ]
    return lsp.CompletionList(is_incomplete=len(chosen) >= _MAX_ITEMS or not typed, items=items)


def _fitting(
    document: Document, analysis: ScriptAnalysis | None, before: Sequence[Token]
) -> frozenset[str]:
    """Return the names of the kind that the last word of a section reads next, if any."""
    code = [token for token in before[-_MAX_BEFORE:] if token.kind is not Kind.COMMENT]
    for distance, token in enumerate(reversed(code)):
        following = () if token.compiling else _FOLLOWING.get(token.text, ())
        if distance < len(following):
            return _defined_by(document, analysis, following[distance])
    return frozenset()


def _defined_by(
    document: Document, analysis: ScriptAnalysis | None, makers: Sequence[str]
) -> frozenset[str]:
    """Return the names that some defining words define in the script, and in the document."""
    tokens = document.tokens
    found = {
        token.text
        for before, token in pairwise(tokens)
        if token.kind is Kind.NAME and before.text in makers
    }
    if analysis is not None:
        found |= {name for name, maker in analysis.definers.items() if maker in makers}
        if makers is _POSITION:
            found |= analysis.squares
    if makers == (":",):  # a move word takes and returns nothing
        found = {name for name in found if _is_move_word(effect_of(document, analysis, name))}
    return frozenset(found)


def _is_move_word(effect: str) -> bool:
    return not effect or effect.split() == ["(", "--", ")"]


def _compiles_after(token: Token | None) -> bool:
    """Whether the words after a token are compiled, since it is in a definition."""
    if token is None or token.text in (";", "["):
        return False
    return token.compiling or token.text in (":", "]")


def _is_text(token: Token, offset: int) -> bool:
    """Whether an offset is inside a comment or string."""
    if token.kind not in (Kind.COMMENT, Kind.STRING):
        return False
    if offset < token.end or not token.complete:
        return True
    return token.kind is Kind.COMMENT and token.text.startswith("\\") and offset == token.end


def _names(document: Document, analysis: ScriptAnalysis | None, typed: str) -> tuple[str, ...]:
    """Return all names, sorted by their lower-case forms."""
    known = analysis.names if analysis is not None else tuple(_library())
    own = {token.text for token in document.tokens if token.kind is Kind.NAME} - {typed}
    return tuple(sorted(own.union(known), key=lambda name: (name.lower(), name)))


def _info(analysis: ScriptAnalysis | None, name: str) -> WordInfo | glossary.Entry | None:
    return analysis.info(name) if analysis is not None else _library().get(name)


def _item(
    name: str,
    number: int,
    info: WordInfo | glossary.Entry | None,
    local_effect: str,
    replaced: lsp.Range,
) -> lsp.CompletionItem:
    kind = getattr(info, "kind", "word").split()[0]
    return lsp.CompletionItem(
        label=name,
        kind=_ITEM_KINDS.get(kind, lsp.CompletionItemKind.Function),
        detail=local_effect or (info.effect if info is not None else "") or None,
        documentation=(info.text if info is not None else "") or None,
        filter_text=name,
        sort_text=f"{number:04}",
        text_edit=lsp.TextEdit(replaced, name),
    )


# --- hover -----------------------------------------------------------------------------


def hover(
    document: Document,
    analysis: ScriptAnalysis | None,
    position: lsp.Position,
    costs: Mapping[str, str],
) -> lsp.Hover | None:
    """Return effect, help, decompiled code and cost of the word at a position.

    Args:
        document: The document.
        analysis: The last analysis of its script.
        position: The position.
        costs: For words that generate moves, a sentence about their cost.
    """
    token = token_at(document, document.offset(position))
    if token is None:
        return None
    text = description(document, analysis, token.text, costs)
    if not text:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, document.range(token.start, token.end))


def description(
    document: Document, analysis: ScriptAnalysis | None, name: str, costs: Mapping[str, str]
) -> str:
    """Return the text about a word in Markdown; "" for unknown words."""
    info = _info(analysis, name)
    effect = effect_of(document, analysis, name)
    if info is None and not effect:
        return ""
    parts = [_fenced(f"{name} {effect}".strip())]
    kind = getattr(info, "kind", "")
    immediate = ", immediate" if info is not None and info.immediate else ""
    if kind and (kind != "word" or immediate):
        parts.append(f"*{kind}{immediate}*")
    if info is not None and info.text:
        parts.append(_escaped(info.text))
    if name in costs:
        parts.append(costs[name])
    if analysis is not None and kind == "word":
        parts.append(_code(analysis, name))
    return "\n\n".join(part for part in parts if part)


def _code(analysis: ScriptAnalysis, name: str) -> str:
    """Return the decompiled code of a word."""
    word = analysis.find(name)
    if word is None or word.cfa in analysis.program.loaded.placeholder_xts:
        return ""
    try:
        code = analysis.program.loaded.vm.see(name)
    except ForthVMError:
        return ""
    lines = code.splitlines()
    if len(lines) > _MAX_CODE_LINES:
        lines = [*lines[:_MAX_CODE_LINES], "\\ ..."]
    return "compiled code:\n\n" + _fenced("\n".join(lines))


def _fenced(code: str) -> str:
    return f"```forthscript\n{code.replace('```', '` ` `')}\n```"


def _escaped(text: str) -> str:
    """Escape the characters that Markdown interprets."""
    return "".join(f"\\{c}" if c in "\\`*_<>[]#|~" else c for c in text)
