"""The effects of a move as sentences.

Owns the wording.
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
    from collections.abc import Iterator

    from forthvm.game import Move
    from forthvm.game.changes import Change

__all__ = ["effect_sentence", "visible_changes"]


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
