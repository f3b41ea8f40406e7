"""Writes positions to files; the name of the file says in which format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .records.formats import format_of
from .records.recorded import game_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from .position import Position
    from .records.recorded import RecordedGame

__all__ = ["write_position"]


def write_position(
    position: Position,
    path: Path,
    *,
    tags: Mapping[str, str] | None = None,
    record: RecordedGame | None = None,
) -> None:
    """Write a position with its moves to a file.

    Args:
        position: The position.
        path: The file: a saved game of Zillions if its name ends in `.zsg`, a record of the game if
            it ends as those of records/formats.py, else JSON.
        tags: Tags of a record, such as the names of the players.
        record: The game that led to the position, with comments and variations; None: its moves.

    Raises:
        PositionError: The format cannot describe the game.
        OSError: The file cannot be written.
    """
    form = format_of(path)
    if form is not None:
        text = form.text_of(record or game_of(position, tags), position.game)
        path.write_text(text, encoding="utf-8")
    elif path.suffix.lower() == ".zsg":
        path.write_bytes(position.to_zsg())
    else:
        path.write_text(position._document(full=True) + "\n", encoding="utf-8")
