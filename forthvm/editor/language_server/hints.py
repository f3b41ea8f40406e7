"""The stack in the editor: signature help, and hints at the ends of lines.

Owns the text of both; the analysis of the checks computes the stacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.check.analysis.stacks import compiled_stacks, stack_after
from forthvm.syntax import Kind

from .words import effect_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.check.analysis.stacks import Place, Stack
    from forthvm.syntax import Token

    from .documents import Document
    from .scripts import ScriptAnalysis

__all__ = ["inlay_hints", "signature_help"]

_MAX_WORDS = 8
"""The maximum number of words in signature help."""


@dataclass(frozen=True, slots=True)
class _Definition:
    """A colon definition in a document: its begin, its words, and its end; None without a `;`."""

    start: int
    words: list[Token]
    end: int | None


def _definitions(document: Document) -> Iterator[_Definition]:
    tokens = document.tokens
    starts = [n for n, t in enumerate(tokens) if t.text == ":" and t.kind is Kind.DEFINING]
    for first, limit in pairwise([*starts, len(tokens)]):
        body = [t for t in tokens[first + 2 : limit] if t.kind is not Kind.COMMENT]
        end = next((n for n, t in enumerate(body) if t.text == ";" and t.compiling), None)
        words = body if end is None else body[:end]
        yield _Definition(tokens[first].start, words, None if end is None else body[end].end)


def _stacks(
    document: Document,
    analysis: ScriptAnalysis | None,
    spans: Sequence[tuple[int, int]],
) -> list[list[Place]]:
    """Return the stacks in the definitions between pairs of offsets."""
    if analysis is None or not spans:
        return [[] for _ in spans]
    loaded = analysis.program.loaded
    texts = [document.text[start:end] for start, end in spans]
    return compiled_stacks(loaded.vm, texts, loaded.placeholder_xts)


def inlay_hints(
    document: Document, analysis: ScriptAnalysis | None, wanted: lsp.Range
) -> list[lsp.InlayHint]:
    """Return the stack at the end of each line of definitions with several lines."""
    shown: list[tuple[int, int, list[Token]]] = []
    for definition in _definitions(document):
        words = definition.words
        lines = [document.position(word.start).line for word in words]
        last_words = [
            word
            for word, line, next_line in zip(words, lines, lines[1:], strict=False)
            if line < next_line and wanted.start.line <= line <= wanted.end.line and word.compiling
        ]
        if last_words and definition.end is not None:
            shown.append((definition.start, definition.end, last_words))
    stacks = _stacks(document, analysis, [(start, end) for start, end, _ in shown])
    return [
        lsp.InlayHint(position=document.position(word.end), label=_shown(stack), padding_left=True)
        for (start, _, words), places in zip(shown, stacks, strict=True)
        for word in words
        if (stack := stack_after(places, word.start - start, word.end - start)) is not None
    ]


def signature_help(
    document: Document, analysis: ScriptAnalysis | None, position: lsp.Position
) -> lsp.SignatureHelp | None:
    """Return the stack after each word of the line before a position, inside a definition."""
    offset = document.offset(position)
    line_start = document.starts[min(position.line, len(document.starts) - 1)]
    for definition in _definitions(document):
        start, end = definition.start, definition.end
        before = [word for word in definition.words if word.end <= offset]
        if start > offset or not before or (end is not None and end <= offset):
            continue
        own_line = [word for word in before if word.start >= line_start] or before[-1:]
        (places,) = _stacks(document, analysis, [(start, before[-1].end)])
        steps = [
            (word.text, stack_after(places, word.start - start, word.end - start))
            for word, after in pairwise([*own_line, None])
            if word and (after is None or after.kind not in (Kind.QUOTED, Kind.STRING))
        ]
        last = before[-1].text
        label = f"{last} {effect_of(document, analysis, last)}".strip()
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, _table(steps[-_MAX_WORDS:]))
        signature = lsp.SignatureInformation(label=label, documentation=content, parameters=[])
        return lsp.SignatureHelp([signature], active_signature=0)
    return None


def _table(steps: Sequence[tuple[str, Stack | None]]) -> str:
    """Return words with the stack after each of them, as a block of code."""
    width = max(len(word) for word, _ in steps)
    lines = [
        f"{word:{width}}  {_shown(stack) if stack is not None else '?'}" for word, stack in steps
    ]
    return "\n".join(["```forthscript", *lines, "```"])


def _shown(stack: Stack) -> str:
    """Return a stack as text, the top last."""
    return " ".join(["(", *stack, ")"])
