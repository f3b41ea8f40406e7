"""The texts that a browser loads: those of the library, and those of a game.

Owns which files of the library a page has.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.loading.library import GAME_PARTS, library_folder
from forthvm.system.files import decoded_name

if TYPE_CHECKING:
    from forthvm.game import Game

__all__ = ["library_texts", "main_and_texts"]

_LIBRARY_FILES = (
    *("core.4th", "axiom.4th", "axiom-sections.4th"),
    *(decoded_name(name) for name in GAME_PARTS),
    "zrf*.4th",
)
"""The files of the library that a page loads, or that scripts and converted rule files load."""


def library_texts() -> list[dict[str, str]]:
    """Return name and text of each file of the library."""
    folder = library_folder()
    return [
        {"name": path.name, "text": path.read_text(encoding="utf-8")}
        for pattern in _LIBRARY_FILES
        for path in sorted(folder.glob(pattern))
    ]


def main_and_texts(game: Game) -> tuple[str, list[dict[str, str]]]:
    """Return the name of a game's script, and name and text of all its files."""
    texts = [text for text in game._loaded.vm.sources.texts if not text.library]
    files = [{"name": Path(text.name).name, "text": text.data.decode("utf-8")} for text in texts]
    return files[0]["name"], files
