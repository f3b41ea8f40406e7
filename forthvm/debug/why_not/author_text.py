"""A result of `why_not` as text for authors of scripts.

Owns the layout.  It must not know how results are determined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .refusals import Answer, Refusal, WhyNot

__all__ = ["describe"]


def describe(answer: WhyNot) -> Iterator[str]:
    """Yield the lines of a result."""
    text = f"`{answer.text}`"
    heading = f"Is {text} legal?" if answer.kind == "legal" else f"Why not {text}?"
    yield f"{heading} {answer.player} is to move."
    yield f"{answer.kind}: {answer.summary}"
    if answer.location is not None:
        yield f"  {answer.location}"
        if answer.kind == "undecided":
            yield from (f"  {line}" for line in excerpt(answer.location))
    if answer.tried:
        yield "inverted without effect:"
        yield from (f"  {decision}" for decision in answer.tried)
    for number, explanation in enumerate(answer.answers, start=1):
        yield ""
        yield from _explanation(explanation, number if len(answer.answers) > 1 else 0)
    if answer.near and answer.kind not in ("legal", "refused"):
        yield f"legal: {', '.join(f'`{move}`' for move in answer.near)}"


def _explanation(answer: Answer, number: int) -> Iterator[str]:
    head = f"{number}. " if number else ""
    if answer.word is None:
        yield f"{head}Before any move word runs, in OnGenerateMoves:"
    else:
        run = f" for {answer.piece} on {answer.square}" if answer.piece else ""
        yield f"{head}{answer.word}{run}" + (f"  [{answer.type}]" if answer.type else "")
        if answer.word_location is not None:
            yield f"  {answer.word_location}"
    for refusal in answer.refusals:
        yield from _refusal(refusal)
    if answer.refusals or answer.unfinished:
        yield f"  -> {_outcome(answer)}"


def _refusal(refusal: Refusal) -> Iterator[str]:
    flag = {0: "FALSE", -1: "TRUE"}.get(refusal.value, str(refusal.value))
    last = f", {refusal.direction} taken last" if refusal.direction else ""
    location = refusal.location or "somewhere"
    yield f"  {location}: {refusal.kind} finds {flag} on {refusal.here}{last}"
    if refusal.location is not None:
        yield from (f"  {line}" for line in excerpt(refusal.location))
    chain = [caller.word for caller in refusal.callers]
    if chain:
        yield f"  in {refusal.word}, called by {', '.join(chain)}"


def _outcome(answer: Answer) -> str:
    condition = _condition(answer)
    if answer.appears:
        text = f"{condition}, `{answer.move}` is in the list"
    else:
        text = f"{condition}, `{answer.move}` is generated"
    if answer.demanded:
        text += f", but only moves of type {answer.demanded} are made now"
    if answer.better:
        text += f", but moves of type {answer.better} come first"
    return text


def _condition(answer: Answer) -> str:
    """Return the change of the script's decisions that generates the move."""
    added = f"with `add-move` after `{answer.word}`" if answer.unfinished else ""
    if not answer.refusals:
        return added
    condition = "if skipped" if answer.refusals[0].kind == "verify" else "if inverted"
    if len(answer.refusals) > 1:
        condition = "if all of these are inverted"
    return f"{condition}, and {added}" if added else condition
