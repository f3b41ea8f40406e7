"""Drawings that the author of a game puts beside the script, in the folder `symbols`.

Owns which file belongs to which piece.  A file is drawn only if it passes the check of
fragments.py: a drawing cannot bring scripts or links into a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ScriptRefused
from forthvm.core.loading.files import Roots, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["FOLDER", "OwnDrawings"]

FOLDER = "symbols"
_SUFFIX = ".svg"
_MAX_FILES = 2000
_MAX_BYTES = 64 << 10


class OwnDrawings:
    """The drawings of one author.

    Attributes:
        keys: The key of the drawing of each piece, by type and player.
    """

    def __init__(self, game_folder: Path, types: Sequence[str], players: Sequence[str]) -> None:
        """Find the files: `TYPE.svg` for all players, `PLAYER-TYPE.svg` for one."""
        self.keys: dict[tuple[str, str], str] = {}
        self._roots = Roots([game_folder])
        self._files: dict[str, Path] = {}
        self._refused: list[str] = []
        files = dict(_files(game_folder / FOLDER))
        if not files:
            return
        for kind in types:
            for player in players:
                for name in (f"{player}-{kind}".casefold(), kind.casefold()):
                    if name in files and (kind, player) not in self.keys:
                        key = f"own/{name}"
                        self.keys[kind, player] = key
                        self._files[key] = files[name]

    def read(self, key: str) -> str | None:
        """Return the fragment with a key; None if it cannot be shown."""
        from forthvm.render.symbols.fragments import FragmentError, fragment_of, parse_drawing

        path = self._files[key]
        try:
            data = read_file(path, _MAX_BYTES + 1, self._roots)
            if len(data) > _MAX_BYTES:
                raise FragmentError(f"the drawing has more than {_MAX_BYTES >> 10} KB")
            return fragment_of(parse_drawing(data.decode("utf-8")))
        except (OSError, UnicodeDecodeError, ScriptRefused, FragmentError) as error:
            self._refused.append(f"{FOLDER}/{path.name} cannot be shown: {error}")
            return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about the drawings read so far that cannot be shown."""
        return tuple(self._refused)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the drawings in a folder, by name without suffix in lower case."""
    try:
        paths = [path for path, _ in zip(folder.iterdir(), range(_MAX_FILES), strict=False)]
    except OSError:
        return
    for path in sorted(paths):
        if path.suffix.casefold() == _SUFFIX:
            yield path.stem.casefold(), path
