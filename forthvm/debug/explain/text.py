"""An explanation as text, and the effects of a move as sentences.

Owns the layout and the wording.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.game.changes import (
    Called,
    Captured,
    Continued,
    Created,
    Moved,
    OwnerChanged,
    TypeChanged,
)
from forthvm.zrf.compiler.names import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.game import Move
    from forthvm.game.changes import Change

    from .execution_path import Step
    from .query import Explanation, Origin

__all__ = ["describe", "effect_sentence", "visible_changes"]

_MAX_STEPS = 60  # the maximum number of steps that are shown of a path
_HIDDEN_KINDS = frozenset({"token", "help", "loop"})


def describe(explanation: Explanation) -> Iterator[str]:
    """Yield the lines of an explanation."""
    origins = explanation.origins
    count = f", {len(origins)} times in the list" if len(origins) > 1 else ""
    yield f"`{explanation.move}` ({explanation.player} to move{count})"
    for number, origin in enumerate(origins, start=1):
        if number > 1:
            yield ""
        yield from _origin_lines(origin, number if len(origins) > 1 else 0)


def _origin_lines(origin: Origin, number: int) -> Iterator[str]:
    """Yield the lines of an origin; `number` is 0 if it is the only origin."""
    prefix = f"{number}. " if number else ""
    if origin.word is None:
        yield f"{prefix}a pass that is added because there is no other move ($passTurnForced)"
    else:
        run = f" for {origin.piece} on {origin.square}" if origin.piece else ""
        yield f"{prefix}{origin.word}{run}" + (f"  {origin.location}" if origin.location else "")
    facts = []
    if origin.table is not None:
        facts.append(f"in {origin.table} ({{{origin.list}}})")
    if origin.type is not None:
        facts.append(f"of type {origin.type}")
    if origin.rank is not None:
        facts.append(f"priority {origin.rank}")
    if origin.order:
        facts.append(f"after {origin.order} other moves of the same run")
    if facts:
        yield f"  {', '.join(facts)}"
    yield from _path_lines(_own_steps(origin))
    yield f"  code: {origin.code or '(nothing)'}"
    for change in origin.changes:
        yield f"    {change}"


def _own_steps(origin: Origin) -> Sequence[Step]:
    """Return the steps; of a rule file, only those that stand in it and not in the library."""
    if origin.location is None or not origin.location.file.lower().endswith(".zrf"):
        return origin.path
    return [
        step
        for step in origin.path
        if step.location is None or not step.location.file.lower().endswith(".4th")
    ]


def _path_lines(path: Sequence[Step]) -> Iterator[str]:
    shown = [step for step in path if step.kind not in _HIDDEN_KINDS]
    hidden = max(len(shown) - _MAX_STEPS, 0)
    half = _MAX_STEPS // 2
    lines = [_place_and_text(step) for step in shown]
    if hidden:
        lines[half:-half] = [("", f"… {hidden + _MAX_STEPS - 2 * half} more")]
    width = max((len(place) for place, _ in lines), default=0)
    for place, text in lines:
        yield f"  {place:{width}}  {text}"


def _place_and_text(step: Step) -> tuple[str, str]:
    """Return the source position of a step, without the folder, and its indented text."""
    place = ""
    if step.location is not None:
        name = step.location.file.replace("\\", "/").rpartition("/")[2]
        place = f"{name}:{step.location.line}:{step.location.column}"
    return place, "  " * step.depth + _step_text(step)


def _step_text(step: Step) -> str:
    if step.kind == "direction":
        result = f"to {step.here}" if step.value else "leads nowhere"
        return f"{step.word}: {result}"
    if step.kind == "verify":
        return f"{_condition_prefix(step)}verify: {'passed' if step.value else 'refused'}"
    if step.kind == "if":
        return f"{_condition_prefix(step)}{step.word}: {'true' if step.value else 'false'}"
    return step.word


def _condition_prefix(step: Step) -> str:
    return f"{step.condition} " if step.condition else ""


def visible_changes(move: Move) -> Iterator[Change]:
    """Yield the changes that players can see: without calls of the library for rule files."""
    for change in move.changes:
        if not (isinstance(change, Called) and change.word.startswith(PREFIX)):
            yield change


def effect_sentence(change: Change) -> str:  # noqa: PLR0911 - a sentence for each kind
    """Return an effect of a move as a sentence without a full stop."""
    match change:
        case Moved(source, target, piece, replaced):
            text = f"{piece} goes from {source} to {target}"
            return f"{text}, replacing {replaced}" if replaced else text
        case Created(square, piece):
            return f"{piece} appears on {square}"
        case Captured(square, piece):
            return f"{piece or 'the piece'} is captured on {square}"
        case TypeChanged(square, kind):
            return f"the piece on {square} becomes a {kind}"
        case OwnerChanged(square, player):
            return f"the piece on {square} is now owned by {player or 'no player'}"
        case Continued(kind):
            return "the same player continues" + (f", with moves of type {kind}" if kind else "")
        case Called(word, args):
            return " ".join([*map(str, args), word]) + " runs"
        case _:
            return "the turn is passed"
