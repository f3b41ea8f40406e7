"""The stack in the editor: signature help, and hints at the ends of lines.

Owns the text of both.  Delegates the computation of the stack to stack.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from .stack import shown_stack, simulate
from .words import effect_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .documents import Document
    from .scripts import ScriptAnalysis
    from .stack import Step

__all__ = ["inlay_hints", "signature_help"]

_MAX_WORDS = 8
"""The maximum number of words in signature help."""


def inlay_hints(
    document: Document, analysis: ScriptAnalysis | None, wanted: lsp.Range
) -> list[lsp.InlayHint]:
    """Return the stack at the end of each line of definitions with several lines."""
    first, last = wanted.start.line, wanted.end.line
    hints: list[lsp.InlayHint] = []
    for definition in simulate(document.tokens, _effects(document, analysis)):
        steps = definition.steps
        if not definition.complete:
            continue
        lines = [document.position(step.token.start).line for step in steps]
        ends = [
            (line, step)
            for number, (line, step) in enumerate(zip(lines, steps, strict=True))
            if number + 1 < len(steps) and lines[number + 1] > line
        ]
        for line, step in ends:
            if first <= line <= last and step.stack is not None and step.token.compiling:
                hints.append(
                    lsp.InlayHint(
                        position=document.position(step.token.end),
                        label=shown_stack(step.stack),
                        padding_left=True,
                    )
                )
    return hints


def signature_help(
    document: Document, analysis: ScriptAnalysis | None, position: lsp.Position
) -> lsp.SignatureHelp | None:
    """Return the stack after each word of the line before a position, inside a definition."""
    offset = document.offset(position)
    start = document.starts[min(position.line, len(document.starts) - 1)]
    for definition in simulate(document.tokens, _effects(document, analysis)):
        steps = [step for step in definition.steps if step.token.end <= offset]
        if not definition.steps or definition.steps[-1].token.end < offset:
            if definition.complete or not steps:
                continue
        elif definition.steps[0].token.start > offset:
            break
        if not steps:
            continue
        shown = [step for step in steps if step.token.start >= start] or steps[-1:]
        shown = shown[-_MAX_WORDS:]
        last = shown[-1]
        effect = _effects(document, analysis)(last.token.text)
        label = f"{last.token.text} {effect}".strip()
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, _table(shown))
        signature = lsp.SignatureInformation(label=label, documentation=content, parameters=[])
        return lsp.SignatureHelp([signature], active_signature=0)
    return None


def _table(steps: list[Step]) -> str:
    """Return words with the stack after each of them, as a block of code."""
    width = max(len(step.token.text) for step in steps)
    lines = [
        f"{step.token.text:{width}}  {shown_stack(step.stack) if step.stack is not None else '?'}"
        for step in steps
    ]
    return "\n".join(["```forthscript", *lines, "```"])


def _effects(document: Document, analysis: ScriptAnalysis | None) -> Callable[[str], str]:
    known: dict[str, str] = {}

    def effect(name: str) -> str:
        if name not in known:
            known[name] = effect_of(document, analysis, name)
        return known[name]

    return effect
