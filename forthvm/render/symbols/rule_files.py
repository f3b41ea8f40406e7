"""The pictures that a rule file (.zrf) has for its pieces and its board.

Owns which file belongs to which piece.  Delegates finding and reading files to pictures.py.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.render.symbols.pictures import PictureError, PictureFolder
from forthvm.zrf.pictures import picture_folders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from forthvm.game import Game
    from forthvm.render.symbols.pictures import Picture
    from forthvm.zrf.rules import Rules

__all__ = ["BOARD", "RuleFilePictures"]

_SHOWN_NAMES = 6  # of missing files
_REMEDY = "put them into a folder Images beside the file, or name their folder by --include"

BOARD = "picture/board"
"""The key of the picture of the board."""


class RuleFilePictures:
    """The pictures of one game or variant.

    A rule file may name several files for a piece, one for each set of pictures.

    Attributes:
        keys: The key of the picture of each piece, by type and player.
        sets: The number of sets; 0 if no file was found.
    """

    def __init__(self, game: Game, rules: Rules) -> None:
        """Find the files."""
        self.keys: dict[tuple[str, str], str] = {}
        self._folder = PictureFolder(picture_folders(game.path, game._loaded.options.include))
        self._files: dict[str, list[Path | None]] = {}
        self._missing: list[str] = []
        self._damaged: dict[str, str] = {}
        for key, names in _names(rules):
            files = [self._folder.find(name) for name in names]
            self._missing += [name for name, path in zip(names, files, strict=True) if path is None]
            if any(files):
                self._files[key] = files
        self.sets = max(map(len, self._files.values()), default=0)
        for piece in rules.pieces:
            for player in piece.images:
                key = _key(player, piece.name)
                if key in self._files:
                    self.keys[visible(piece.name), visible(player)] = key

    @cached_property
    def board_size(self) -> tuple[int, int] | None:
        """Width and height of the picture of the board in pixels; None if there is none."""
        if BOARD not in self._files:
            return None
        try:
            return self._folder.size(self._file(BOARD, 0))
        except PictureError as error:
            self._damaged[BOARD] = str(error)
            return None

    def read(self, key: str, number: int) -> Picture | None:
        """Return the picture with a key in a set; None if its file cannot be shown."""
        try:
            return self._folder.read(self._file(key, number))
        except PictureError as error:
            self._damaged[key] = str(error)
            return None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that were found."""
        return tuple(path for files in self._files.values() for path in files if path is not None)

    @property
    def is_complete(self) -> bool:
        """Whether all files were found."""
        return not self._missing

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about missing files, and about files read so far that cannot be shown."""
        names = self.missing
        shown = ", ".join(names[:_SHOWN_NAMES])
        more = len(names) - _SHOWN_NAMES
        shown += f" and {more} more" if more > 0 else ""
        missing = [f"pictures are missing: {shown}; {_REMEDY}"] if names else []
        return (*missing, *self.damaged)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of missing files."""
        return tuple(dict.fromkeys(map(visible, self._missing)))

    @property
    def damaged(self) -> tuple[str, ...]:
        """Notes about files read so far that cannot be shown."""
        return tuple(dict.fromkeys(map(visible, self._damaged.values())))

    def _file(self, key: str, number: int) -> Path:
        """Return the file in a set, or in the last set; if it is missing, the first file found."""
        files = self._files[key]
        path = files[min(number, len(files) - 1)] or next(filter(None, files))
        assert path is not None, key
        return path


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
