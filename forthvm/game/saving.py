"""Writes positions to files; the name of the file says in which format."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from .position import Position

__all__ = ["write_position"]


def write_position(
    position: Position, path: Path, *, tags: Mapping[str, str] | None = None
) -> None:
    """Write a position with its moves to a file.

    Args:
        position: The position.
        path: The file: a saved game of Zillions if its name ends in `.zsg`, a PGN if it ends in
            `.pgn`, else JSON.
        tags: Tags of a PGN, such as the names of the players.

    Raises:
        PositionError: The format cannot describe the game.
        OSError: The file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix == ".zsg":
        path.write_bytes(position.to_zsg())
    elif suffix == ".pgn":
        from .pgn import game_of, text_of

        path.write_text(text_of(game_of(position, tags)), encoding="utf-8")
    else:
        path.write_text(position._document(full=True) + "\n", encoding="utf-8")
