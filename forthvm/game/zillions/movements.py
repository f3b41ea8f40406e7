"""The changes of moves of rule files, as players see them: pieces move and change.

The library for rule files stores most moves as edits: squares become empty or get a piece.  Owns
the conversion of these edits to movements, by means of the move's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.game.commentary.changes import (
    Captured,
    Change,
    Created,
    Moved,
    OwnerChanged,
    TypeChanged,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.game.definition.pieces import Piece
    from forthvm.game.move_text.notation import Part

__all__ = ["with_movements"]


def with_movements(
    changes: Sequence[Change], before: Mapping[str, Piece | None], parts: Sequence[Part]
) -> tuple[Change, ...]:
    """Return the changes of a move with its movements in place of the edits that make them.

    Args:
        changes: The edits.
        before: The pieces on the squares of the edits before the move.
        parts: The parts of the move's text.
    """
    created = {change.square: change.piece for change in changes if isinstance(change, Created)}
    movements = [
        part.squares
        for part in parts
        if part.kind == "move" and part.squares[1] in created and before.get(part.squares[0])
    ]
    sources, targets = {source for source, _ in movements}, {target for _, target in movements}
    found: list[Change] = []
    for source, target in movements:
        replaced = None if target in sources else before.get(target)
        found.append(Moved(source, target, before[source], replaced))
        found += _became(target, before[source], created[target])
    for change in changes:
        match change:
            case Captured(square=square) if square in sources:
                pass
            case Created(square=square) if square in targets:
                pass
            case Created(square=square, piece=piece):
                found += [*_became(square, before.get(square), piece)] or [change]
            case _:
                found.append(change)
    return tuple(found)


def _became(square: str, old: Piece | None, new: Piece | None) -> Iterator[Change]:
    """Yield the changes of type and owner of a piece that stays on a square or moves to it."""
    if old is None or new is None:
        return
    if old.type != new.type and old.player != new.player:
        return  # another piece
    if old.type != new.type:
        yield TypeChanged(square, new.type)
    if old.player != new.player:
        yield OwnerChanged(square, new.player)
