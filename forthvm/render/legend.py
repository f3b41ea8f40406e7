"""The legend: the meaning of the labels in a picture.

Owns the texts of the legend.  It must not know where the texts are shown.
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
    owners = dict.fromkeys(square.piece.owner for square in diagram.squares if square.piece)
    return sorted(owners, key=lambda owner: owner.index)


def owner_notes(labels: Labels, owners: Iterable[Owner]) -> list[tuple[Owner, str]]:
    """Return a note about the prefix or letter case of each owner whose prefix is not its name."""
    notes = []
    for owner in owners:
        prefix = labels.prefixes[owner.name]
        if prefix and prefix.removesuffix(".") != owner.name:
            notes.append((owner, f"{prefix}={owner.name}"))
        elif labels.by_case and not prefix:
            letters = "CAPITALS" if labels.is_upper_case(owner) else "small"
            notes.append((owner, f"{letters}={owner.name}"))
    return notes


def type_notes(labels: Labels, diagram: Diagram) -> list[str]:
    """Return a note with the full name of each type that is abbreviated on the board."""
    on_board = {square.piece.type for square in diagram.board if square.piece}
    pairs = ((labels.types.get(name, name), name) for name in diagram.types if name in on_board)
    return [f"{label}={name}" for label, name in pairs if label != name]
