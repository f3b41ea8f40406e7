"""Writes a position to a file: as JSON, or as a saved game of Zillions if the name ends in .zsg.

Owns the choice of the format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from forthvm.game.position import Position

__all__ = ["write_position"]


def write_position(position: Position, path: Path) -> None:
    """Write a position, with the moves that led to it.

    Raises:
        PositionError: The game does not come from a rule file, but the name ends in .zsg.
        OSError: The file cannot be written.
    """
    if path.suffix.lower() == ".zsg":
        path.write_bytes(position.to_zsg())
        return
    from .position_json import write_document

    path.write_text(write_document(position, full=True) + "\n", encoding="utf-8")
