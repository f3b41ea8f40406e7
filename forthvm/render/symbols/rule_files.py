"""The pictures that a rule file (.zrf) has for its pieces and its board.

Owns which file belongs to which piece.  It must not know how files are found and read
(pictures.py), nor scenes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.render.symbols.pictures import PictureError, PictureFolder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from forthvm.game import Game
    from forthvm.render.symbols.pictures import Picture
    from forthvm.zrf.rules import Rules

__all__ = ["BOARD", "RuleFilePictures"]

BOARD = "picture/board"
"""The key of the picture of the board."""


class RuleFilePictures:
    """The pictures of one game or variant.

    Attributes:
        keys: The key of the picture of each piece, by type and player.
    """

    def __init__(self, game: Game, rules: Rules) -> None:
        """Find the files."""
        self.keys: dict[tuple[str, str], str] = {}
        self._folder = PictureFolder([game.path.absolute().parent, *game.options.include])
        self._files: dict[str, Path] = {}
        self._missing: list[str] = []
        self._damaged: dict[str, str] = {}
        for key, names in _names(rules):
            path = self._first_found(names)
            if path is not None:
                self._files[key] = path
        for piece in rules.pieces:
            for player in piece.images:
                key = _key(player, piece.name)
                if key in self._files:
                    self.keys[visible(piece.name), visible(player)] = key

    @cached_property
    def board_size(self) -> tuple[int, int] | None:
        """Width and height of the picture of the board in pixels; None if there is none."""
        path = self._files.get(BOARD)
        if path is None:
            return None
        try:
            return self._folder.size(path)
        except PictureError as error:
            self._damaged[BOARD] = str(error)
            return None

    def read(self, key: str) -> Picture | None:
        """Return the picture with a key; None if its file cannot be shown."""
        try:
            return self._folder.read(self._files[key])
        except PictureError as error:
            self._damaged[key] = str(error)
            return None

    @property
    def notes(self) -> tuple[str, ...]:
        """The files that are missing, and those read so far that cannot be shown."""
        missing = [f"the picture {visible(name)} is missing" for name in self._missing]
        return tuple(dict.fromkeys([*missing, *map(visible, self._damaged.values())]))

    def _first_found(self, names: tuple[str, ...]) -> Path | None:
        """Return the first file of several sets that exists; the first set is the usual one."""
        for name in names:
            path = self._folder.find(name)
            if path is not None:
                return path
        self._missing += names[:1]
        return None


def _names(rules: Rules) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield keys with the file names of all sets."""
    if rules.board.images:
        yield BOARD, rules.board.images
    for piece in rules.pieces:
        for player, names in piece.images.items():
            if names:
                yield _key(player, piece.name), names


def _key(player: str, kind: str) -> str:
    return f"picture/{visible(player)}/{visible(kind)}"
