"""`why-not MOVE` at the prompt of `forthvm run`.

Owns reading the argument and choosing the answer for players or for authors.
"""

from __future__ import annotations

from forthvm.core.wording import unbroken, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from forthvm.game import Position

__all__ = ["why_not_lines"]

_FOR_AUTHORS = "--script"


def why_not_lines(position: Position, argument: str, width: int) -> list[str]:
    """Why a move is not legal, for a player; with `--script`, where the script says so.

    Raises:
        ForthVMError: the script fails.
    """
    words = argument.split()
    for_authors = _FOR_AUTHORS in words
    text = " ".join(word for word in words if word != _FOR_AUTHORS)
    if not text:
        return [f"Which move?  why-not MOVE; why-not MOVE {_FOR_AUTHORS} quotes the script."]
    from forthvm.debug.why_not import why_not

    try:
        answer = why_not(position, text)
    except KeyboardInterrupt:  # the question is given up, not the game
        return ["Stopped."]
    if for_authors:
        from forthvm.debug.layout import broken

        return list(broken(str(answer), width))
    from forthvm.debug.players_text import describe_for_players

    lines = describe_for_players(answer, position)
    return [part for line in lines for part in wrapped(_glued(line), width)]


def _glued(line: str) -> str:
    """A line whose quoted moves are not broken at their blanks."""
    parts = line.split("`")
    return "`".join(unbroken(part) if at % 2 else part for at, part in enumerate(parts))
