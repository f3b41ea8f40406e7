"""`why-not MOVE` at the prompt of `forthvm run`.

Owns parsing the argument and choosing between the texts for players and for authors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.wording import unbroken, wrapped

if TYPE_CHECKING:
    from forthvm.game import Position

__all__ = ["why_not_lines"]

_AUTHORS_OPTION = "--script"


def why_not_lines(position: Position, argument: str, width: int) -> list[str]:
    """Returns the reason why a move is not legal; `--script` in the argument quotes the script.

    Raises:
        ForthVMError: the script fails.
    """
    words = argument.split()
    for_authors = _AUTHORS_OPTION in words
    text = " ".join(word for word in words if word != _AUTHORS_OPTION)
    if not text:
        return [f"MOVE is missing: why-not MOVE; why-not MOVE {_AUTHORS_OPTION} quotes the script."]
    from forthvm.debug.why_not.query import why_not

    try:
        explanation = why_not(position, text)
    except KeyboardInterrupt:  # ends the analysis, not the game
        return ["Stopped."]
    if for_authors:
        from forthvm.core.text.wording import wrap_report

        return list(wrap_report(str(explanation), width))
    from forthvm.debug.why_not.player_text import describe_for_players

    lines = describe_for_players(explanation, position)
    return [part for line in lines for part in wrapped(_with_unbroken_moves(line), width)]


def _with_unbroken_moves(line: str) -> str:
    """Returns a line in which quoted moves have non-breaking blanks."""
    parts = line.split("`")
    return "`".join(unbroken(part) if at % 2 else part for at, part in enumerate(parts))
