"""The legend: the meaning of the labels in a picture.

Owns the texts of the legend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from forthvm.render.labels import Labels
    from forthvm.render.scene_types import Scene, ScenePiece

__all__ = ["owner_notes", "store_notes", "type_notes"]


def owner_notes(
    scene: Scene, labels: Labels, pieces: Iterable[ScenePiece]
) -> list[tuple[int, str]]:
    """Return a note about the prefix or letter case of each owner of pieces, in the game's order.

    Each note comes with the index of the owner.  A prefix that is the owner's name needs no note.
    """
    notes = []
    for owner in sorted({piece.player for piece in pieces}):
        prefix, name = labels.prefixes[owner], scene.players[owner].name
        if prefix and prefix.removesuffix(".") != name:
            notes.append((owner, f"{prefix}={name}"))
        elif labels.by_case and not prefix:
            letters = "CAPITALS" if labels.is_upper_case(owner) else "small"
            notes.append((owner, f"{letters}={name}"))
    return notes


def type_notes(labels: Labels, types: Collection[str]) -> list[str]:
    """Return a note with the full name of each type in `types` whose label is an abbreviation."""
    return [
        f"{label}={name}" for name, label in labels.types.items() if name in types and label != name
    ]


def store_notes(scene: Scene) -> Iterator[str]:
    """Yield the stores of the players: `Store of White: Bishop, 2 Pawn`."""
    for player in scene.players:
        if player.store:
            counts = [(one.type, one.count) for one in player.store]
            pieces = [kind if count == 1 else f"{count} {kind}" for kind, count in counts]
            yield f"Store of {player.name}: {', '.join(pieces)}"
