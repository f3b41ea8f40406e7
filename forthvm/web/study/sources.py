"""The source files of a game, as the owner of a table may read them.

Owns the names of the files in messages.  A request can name only the files of which the game
itself consists, and no file of the library.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible, visible_lines
from forthvm.debug.source_map.code_map import CodeMap
from forthvm.web.serving.errors import RequestError

if TYPE_CHECKING:
    from forthvm.core.location import Location
    from forthvm.debug.source_map.code_map import SourceFile
    from forthvm.game import Game

__all__ = ["Sources"]

_MAX_TEXT = 2_000_000


class Sources:
    """The source files of a game."""

    def __init__(self, game: Game) -> None:
        """List the files."""
        self._folder = game.path.parent
        own = (file for file in CodeMap(game._loaded.vm).files() if not file.library)
        self._files = {self._shown(file.name): file for file in own}

    def place(self, location: Location | None) -> dict[str, object] | None:
        """Return a source position with its line; None outside the game's own files."""
        if location is None or self._shown(location.file) not in self._files:
            return None
        return {
            "file": self._shown(location.file),
            "line": location.line,
            "column": location.column,
            "length": location.length,
            "source": visible_lines(location.text),
        }

    def text(self, name: str) -> dict[str, object]:
        """Return a file.

        Raises:
            RequestError: The game has no such file.
        """
        file: SourceFile | None = self._files.get(name)
        if file is None:
            raise RequestError("no-file", "The game has no such file.")
        return {"file": name, "text": visible_lines(file.content[:_MAX_TEXT])}

    def _shown(self, name: str) -> str:
        """Return the name of a file: its path from the folder of the script, or its last part."""
        path = Path(name)
        if path.is_absolute() and path.is_relative_to(self._folder):
            return visible(path.relative_to(self._folder).as_posix())
        return visible(path.name)
