"""The full report of an error: message, source line with a caret, callers, activity, advice.

This file owns the layout and the suggestions for unknown names.  Everything that a report shows is
in the fields of the error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.location import blanks_of
from forthvm.core.status import Phase, Status
from forthvm.core.text.visible import visible_lines
from forthvm.core.text.wording import close_names, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.core.failure import ForthVMError
    from forthvm.core.location import Frame, Location

__all__ = [
    "MAX_SIMILAR",
    "excerpt",
    "format_error",
    "similar_names",
    "suggest",
    "suggestion_of",
]

MAX_SIMILAR = 3
"""The maximum number of names that are suggested."""
_SHOWN_CALLS = 12  # of more than 12 calls or loads, the 6 innermost and the 6 outermost are shown
_WIDTH = 100  # of a longer source line, only a part around the caret is shown
_AFTER_CARET = 20  # number of characters in this part from the caret on
_MIN_WIDTH = 24
_MARGIN = len("1234567 | ……")


def format_error(error: ForthVMError, columns: int | None = None) -> str:
    """Return the report as lines joined by newlines.

    Args:
        error: The error.
        columns: Width of the terminal, to which the source line is cut; None: 100.
    """
    lines = [str(error)]
    if error.location is not None:
        width = _WIDTH if columns is None else min(columns - _MARGIN, _WIDTH)
        lines += excerpt(error.location, max(width, _MIN_WIDTH))
    lines += _calls(error.trace, error.calls)
    activity = _activity(error)
    if activity:
        lines.append(f"  {activity}")
    lines += _loads(error.loads)
    lines += [f"  {hint}" for hint in error.hints]
    return visible_lines("\n".join(lines))


def _loads(loads: Sequence[Location]) -> list[str]:
    """Return the chain of loads, without the middle of a long one."""
    lines = [f"  loaded from {location}" for location in loads]
    hidden = len(lines) - _SHOWN_CALLS
    if hidden > 1:
        half = _SHOWN_CALLS // 2
        lines[half:-half] = [f"  … {hidden} more loads"]
    return lines


def excerpt(location: Location, width: int = _WIDTH) -> list[str]:
    """Return the source line of a location and a line with a caret; [] for a blank line."""
    if not location.text or location.text.isspace():
        return []
    number = f"{location.line:>7}"
    is_long = len(location.text) > width
    first = max(location.column - 1 - width + _AFTER_CARET, 0) if is_long else 0
    text = visible_lines(location.text[first : first + width + 1])
    indent = blanks_of(visible_lines(location.text[first : location.column - 1]))
    if first:
        text, indent = "…" + text, " " + indent
    if len(text) > width:
        text = text[:width] + "…"
    tail = "~" * min(location.length - 1, max(len(text) - len(indent) - 1, 0))
    return [f"{number} | {text}", f"{'':7} | {indent}^{tail}"]


def _calls(trace: Sequence[Frame], total: int) -> list[str]:
    """Return the lines of the open calls: those made by words, then those made by source texts."""
    innermost = [frame for frame in trace if frame.word is not None]
    outermost: list[Frame] = []
    hidden = total - len(trace)
    if hidden > 0:  # the error record does not contain the outermost calls
        innermost = innermost[:_SHOWN_CALLS]
        hidden = total - len(innermost) - sum(frame.word is None for frame in trace)
    elif len(innermost) > _SHOWN_CALLS:
        half = _SHOWN_CALLS // 2
        hidden = len(innermost) - 2 * half
        innermost, outermost = innermost[:half], innermost[-half:]
    width = max((len(frame.word or "") for frame in innermost + outermost), default=0)
    lines = [_call(frame, width) for frame in innermost]
    if hidden > 0:
        lines.append(f"  … {hidden} more calls")
    lines += [_call(frame, width) for frame in outermost]
    return lines + [_call(frame, width) for frame in trace if frame.word is None]


def _call(frame: Frame, width: int) -> str:
    """Return the line of one open call; names of words are padded to a width."""
    location = str(frame.location) if frame.location else ""
    if frame.word is None:
        return f"  called from {location or 'the host'}"
    return f"  called from {frame.word:<{width}} {location}".rstrip()


_ACTIVITY = {
    Phase.NEW_GAME: "while starting a new game",
    Phase.APPLY: "while applying a move",
    Phase.GAME_OVER: "while checking whether the game is over",
    Phase.NEXT_TURN: "while passing the turn on",
    Phase.EVALUATE: "while evaluating a position",
    Phase.SEARCH: "while searching",
}


_LIMITS = (Status.STEPS, Status.TIME, Status.MEMORY)


def _activity(error: ForthVMError) -> str:
    """Describe what the VM was doing when the error occurred; "" if unknown."""
    if error.phase is Phase.INTERPRET and error.status in _LIMITS and error.location:
        return f"while loading {error.location.file}"
    if error.phase is None or error.phase in (Phase.INTERPRET, Phase.CALL):
        return ""
    game = error.game_context
    if error.phase is Phase.GENERATE:
        player = f" of {game.player}" if game and game.player else ""
        piece = game.piece if game else None
        square = f"on {game.position}" if game and game.position else None
        details = " ".join(text for text in (piece, square) if text)
        return f"while generating moves{player}" + (f" ({details})" if details else "")
    player = f" ({game.player} to move)" if game and game.player else ""
    return _ACTIVITY[error.phase] + player


def suggest(name: str, words: Iterable[str]) -> str:
    """Return a sentence that suggests names similar to an unknown name; "" if there are none."""
    return suggestion_of(similar_names(name, words))


def suggestion_of(near: Sequence[str]) -> str:
    """Return the sentence that suggests names; "" without names."""
    return f"did you mean {joined([f'`{word}`' for word in near], 'or')}?" if near else ""


def similar_names(name: str, words: Iterable[str]) -> list[str]:
    """Return at most MAX_SIMILAR names that are similar to an unknown name, the best first.

    Names that differ only in letter case come first, because beginners often overlook that names
    are case-sensitive.
    """
    known = dict.fromkeys(words)
    folded: dict[str, list[str]] = {}
    for word in known:
        folded.setdefault(word.casefold(), []).append(word)
    key = name.casefold()
    near = list(folded.get(key, ()))
    for match in close_names(key, folded, MAX_SIMILAR, cutoff=0.72):
        near += [word for word in folded[match] if word not in near]
    return near[:MAX_SIMILAR]
