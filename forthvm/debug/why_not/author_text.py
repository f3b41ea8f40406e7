"""A result of `why_not` as text for authors of scripts.

Owns the layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .refusals import Answer, Refusal, WhyNot

__all__ = ["describe"]


def describe(result: WhyNot) -> Iterator[str]:
    """Yield the lines of a result."""
    text = f"`{result.text}`"
    heading = f"Is {text} legal?" if result.kind == "legal" else f"Why not {text}?"
    yield f"{heading} {result.player} is to move."
    yield f"{result.kind}: {result.summary}"
    if result.location is not None:
        yield f"  {result.location}"
        if result.kind == "undecided":
            yield from (f"  {line}" for line in excerpt(result.location))
    if result.tried:
        yield "inverted without effect:"
        yield from (f"  {decision}" for decision in result.tried)
    for number, answer in enumerate(result.answers, start=1):
        yield ""
        yield from _answer_lines(answer, number if len(result.answers) > 1 else 0)
    if result.near and result.kind not in ("legal", "refused"):
        yield f"legal: {', '.join(f'`{move}`' for move in result.near)}"


def _answer_lines(answer: Answer, number: int) -> Iterator[str]:
    """Yield the lines of an answer; `number` is 0 if it is the only answer."""
    prefix = f"{number}. " if number else ""
    if answer.word is None:
        yield f"{prefix}Before any move word runs, in OnGenerateMoves:"
    else:
        run = f" for {answer.piece} on {answer.square}" if answer.piece else ""
        yield f"{prefix}{answer.word}{run}" + (f"  [{answer.type}]" if answer.type else "")
        if answer.word_location is not None:
            yield f"  {answer.word_location}"
    for refusal in answer.refusals:
        yield from _refusal_lines(refusal)
    if answer.refusals or answer.unfinished:
        yield f"  -> {_outcome(answer)}"


def _refusal_lines(refusal: Refusal) -> Iterator[str]:
    flag = {0: "FALSE", -1: "TRUE"}.get(refusal.value, str(refusal.value))
    last_direction = f", {refusal.direction} taken last" if refusal.direction else ""
    location = refusal.location or "somewhere"
    yield f"  {location}: {refusal.kind} finds {flag} on {refusal.here}{last_direction}"
    if refusal.location is not None:
        yield from (f"  {line}" for line in excerpt(refusal.location))
    callers = [caller.word for caller in refusal.callers]
    if callers:
        yield f"  in {refusal.word}, called by {', '.join(callers)}"


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
    """Return a clause with the changes of the script that generate the move."""
    added = f"with `add-move` after `{answer.word}`" if answer.unfinished else ""
    if not answer.refusals:
        return added
    condition = "if skipped" if answer.refusals[0].kind == "verify" else "if inverted"
    if len(answer.refusals) > 1:
        condition = "if all of these are inverted"
    return f"{condition}, and {added}" if added else condition
