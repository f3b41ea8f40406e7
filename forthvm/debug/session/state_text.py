"""The state of a stopped run as lines of text.

Owns the layout: source position, stack with names, callers, changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import report
from forthvm.debug.session.cell_text import text_with_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location

    from .breakpoints import Breakpoint
    from .state import State
    from .watchpoints import Watchpoint

__all__ = ["caller_lines", "excerpt", "point_lines", "stack_line", "stack_lines", "stop_lines"]

_CONTEXT_LINES = 4  # source lines before and after the current line
_MAX_SHOWN_ITEMS = 12  # stack items in one line
_MAX_SHOWN_CALLS = 12  # innermost calls, and as many outermost calls


def stop_lines(state: State, width: int = 80) -> list[str]:
    """Return the lines written at each stop: reason, source position, source line and stack."""
    lines = [f"{_reason(state)} (step {state.step})"]
    lines += [f"  {c.number}: {c.name}: {c.old} -> {c.new}" for c in state.changes]
    if state.changes and state.changed_at is not None:
        lines.append(f"  changed by {_token(state.changed_at)} at {state.changed_at}")
    if state.error is not None:
        lines.append(f"  {state.error.short_message()}")
    if state.note:
        lines.append(f"  {state.note}")
    if state.ended:
        if state.error is not None and state.error.location is not None:
            lines += [f"{state.error.location}", *report.excerpt(state.error.location)]
        if state.error is None and state.result not in (None, ()):
            lines.append(_cut(f"  result: {_result(state.result)}", width))
    else:
        lines += _location_lines(state, width)
    lines.append(_cut(stack_line(state), width))
    return lines


def stack_line(state: State) -> str:
    """Return one line with the stack, the top last, with the names of items if known."""
    if not state.stack:
        return "stack: empty" if state.depth >= 0 else f"stack: {-state.depth} below empty"
    items = [f"{name}={value}" if name else value for name, value in _items(state)]
    shown = items[-_MAX_SHOWN_ITEMS:]
    hidden = state.depth - len(shown)
    return "stack: " + (f"… {hidden} more, then " if hidden else "") + " ".join(shown)


def stack_lines(state: State) -> list[str]:
    """Return the stack with one item per line, the top first."""
    if not state.stack:
        return [stack_line(state)]
    pairs = _items(state)[::-1]
    width = max(len(name) for name, _ in pairs)
    return [
        f"{at:>3}  {name:<{width}}  {value}" if width else f"{at:>3}  {value}"
        for at, (name, value) in enumerate(pairs)
    ]


def _items(state: State) -> list[tuple[str, str]]:
    """Return the names and the values of the stack's items; tokens have the names of words."""
    items = zip(state.names, state.stack, state.words, strict=True)
    return [(name, text_with_word(cell, word)) for name, cell, word in items]


def caller_lines(state: State, *, show_files: bool = True) -> list[str]:
    """Return the open calls, innermost first; `show_files` adds the names of source files."""
    if not state.callers:
        return ["no word is open"]

    def describe(location: Location | None) -> str:
        if location is None:
            return ""
        return str(location) if show_files else f"{location.line}:{location.column}"

    locations = [
        describe(state.location),
        *(describe(caller.location) for caller in state.callers[:-1]),
    ]
    width = min(max(len(caller.word) for caller in state.callers), 24)
    lines = [
        f"#{at:<2} {caller.word:<{width}} {location}".rstrip()
        for at, (caller, location) in enumerate(zip(state.callers, locations, strict=True))
    ]
    hidden = len(lines) - 2 * _MAX_SHOWN_CALLS
    if hidden > 0:
        innermost, outermost = lines[:_MAX_SHOWN_CALLS], lines[-_MAX_SHOWN_CALLS:]
        lines = [*innermost, f"… {hidden} more calls", *outermost]
    outermost_location = state.callers[-1].location
    if outermost_location is None:
        lines.append(f"called by the host: {state.phase}")
    else:
        lines.append(f"called from {describe(outermost_location)}")
    return lines


def excerpt(
    source_lines: Sequence[str], location: Location, context: int = _CONTEXT_LINES
) -> list[str]:
    """Return the source lines around a location, with its line and token marked.

    `context` is the number of lines before and after its line.
    """
    first = max(location.line - context, 1)
    last = min(location.line + context, len(source_lines))
    width = len(str(last))
    lines = []
    for number in range(first, last + 1):
        mark = "=>" if number == location.line else "  "
        lines.append(f"{mark} {number:>{width}} | {source_lines[number - 1].rstrip()}".rstrip())
        if number == location.line:
            lines.append(f"   {'':>{width}} | {location.indent}^{'~' * (location.length - 1)}")
    return lines


def point_lines(breakpoints: Sequence[Breakpoint], watches: Sequence[Watchpoint]) -> list[str]:
    """Return the breakpoints and watchpoints, with their counts."""
    lines = []
    for point in breakpoints:
        parts = [
            f"{point}{_off_mark(enabled=point.enabled)}",
            point.where,
            f"reached {point.hits} times",
        ]
        lines.append("  ".join(filter(None, parts)))
    lines += [
        f"{watch.number}: watch {watch.text}{watch.conditions}{_off_mark(enabled=watch.enabled)}"
        f"  changed {watch.hits} times"
        for watch in watches
    ]
    return lines or ["no breakpoints, and nothing is watched"]


def _off_mark(*, enabled: bool) -> str:
    return "" if enabled else " (off)"


def _reason(state: State) -> str:
    numbers = ", ".join(map(str, state.breakpoints))
    descriptions = {
        "entry": "the beginning",
        "step": "stopped",
        "breakpoint": f"breakpoint {numbers}",
        "watch": "changed" if state.changes else "about to change",
        "failure": "failure",
        "pause": "paused",
        "start": "back at the beginning",
    }
    if state.ended:
        return "ended with a failure" if state.error is not None else "the end"
    return descriptions.get(state.reason, state.reason)


def _location_lines(state: State, width: int) -> list[str]:
    inside = f" in {state.word}" if state.word else ""
    if state.location is None:
        return [f"{state.token}{inside}, which has no source"]
    location = state.location
    heading = f"{location}{inside}"
    if not state.callers:
        heading = f"{location}: {state.token} is run by the host"
    prefix = f"{location.line:>6} | "
    text, indent = location.text, location.indent
    columns = max(width - len(prefix), 20)
    if len(text) > columns:
        first_column = max(len(indent) - columns // 2, 0)
        text, indent = text[first_column:][:columns], indent[first_column:]
    marked = min(location.length, max(columns - len(indent), 1))
    carets = "^" + "~" * (marked - 1)
    return [heading, prefix + text.rstrip(), " " * 6 + " | " + indent + carets]


def _token(location: Location) -> str:
    return location.text[location.column - 1 :][: location.length]


def _result(result: object) -> str:
    if isinstance(result, tuple):
        return (
            ", ".join(map(str, result))
            if any(isinstance(r, str) for r in result)
            else (" ".join(map(str, result)))
        )
    return str(result)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(width - 1, 1)] + "…"
