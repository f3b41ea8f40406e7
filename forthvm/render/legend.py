"""The legend: the meaning of the labels in a picture.

Owns the texts of the legend.  It must not know where they are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.render.labels import Labels
    from forthvm.render.model import Diagram, Owner

__all__ = ["owner_notes", "owners_shown", "type_notes"]


def owners_shown(diagram: Diagram) -> list[Owner]:
    """Return the owners of the pieces in a picture, in the order of the game's players."""
    found = dict.fromkeys(square.piece.owner for square in diagram.squares if square.piece)
    return sorted(found, key=lambda owner: owner.index)


def owner_notes(labels: Labels, owners: Iterable[Owner]) -> list[tuple[Owner, str]]:
    """Return the mark of each owner whose mark differs from the owner's name."""
    notes = []
    for owner in owners:
        prefix = labels.prefixes[owner.name]
        if prefix and prefix.removesuffix(".") != owner.name:
            notes.append((owner, f"{prefix}={owner.name}"))
        elif labels.by_case and not prefix:
            case = "CAPITALS" if labels.is_first(owner) else "small"
            notes.append((owner, f"{case}={owner.name}"))
    return notes


def type_notes(labels: Labels, diagram: Diagram) -> list[str]:
    """Return the full name of each type that is abbreviated on the board."""
    used = {square.piece.type for square in diagram.board if square.piece}
    short = ((labels.types.get(name, name), name) for name in diagram.types if name in used)
    return [f"{label}={name}" for label, name in short if label != name]
