"""Classifies scripts by their texts: games, parts that games load, copies of the library.

No script is loaded or run.  A script that cannot be classified, for example because it loads a
missing file, counts as a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import Roots, find_file
from forthvm.core.loading.library import REPLACES_SECTIONS, find_bundled
from forthvm.core.loading.source import read_script
from forthvm.syntax.tokens import Kind, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Scripts"]

_SECTIONS = frozenset({b"{board", b"{players", b"{turn-order", b"{pieces"})
"""Sections that every game has, in its own text or in a file that it loads."""
_FILLS = frozenset({b"{board-setup", b"{drops}"} | {name.encode() for name in REPLACES_SECTIONS})
"""Words that put pieces on the board or moves into the list; every game has one of them."""
_LIBRARY_WORDS = frozenset({b"CONSTANT", b"{board", b"$symmetries", b"axiomFence"})
"""Words that only the library defines."""
_LIBRARY_FILES = frozenset({"core.4th", "axiom.4th"})
_DEFINING_WORDS = frozenset({b":", b"VARIABLE"})


@dataclass(frozen=True)
class _Contents:
    """Facts from the text of a script.

    Attributes:
        marks: The tokens of _SECTIONS and _FILLS that the text contains.
        loads: Names of the files that the script loads.
        defines_library: Whether the script defines words of the library.
    """

    marks: frozenset[bytes]
    loads: tuple[bytes, ...]
    defines_library: bool


_NOTHING = _Contents(frozenset(), (), defines_library=False)


class Scripts:
    """A set of scripts and the files that they load; each file is read once.

    Args:
        paths: The scripts.
        include: Further folders that LOAD searches.
    """

    def __init__(self, paths: Iterable[Path], include: Iterable[Path] = ()) -> None:
        self._paths = tuple(dict.fromkeys(path.resolve() for path in paths))
        self._folders = tuple(dict.fromkeys(path.parent for path in self._paths))
        self._include = tuple(include)
        self._contents: dict[Path, _Contents] = {}
        self._loads: dict[Path, tuple[Path | None, ...]] = {}
        self._loaders: dict[Path, list[Path]] | None = None

    def loaders(self) -> dict[Path, list[Path]]:
        """Return the files that the scripts load, each with the scripts that load it."""
        if self._loaders is None:
            self._loaders = self._find_loaders()
        return self._loaders

    def _find_loaders(self) -> dict[Path, list[Path]]:
        found: dict[Path, list[Path]] = {}
        for path in self._paths:
            for loaded in dict.fromkeys(self._loaded(path)):
                if loaded is not None and loaded != path:
                    found.setdefault(loaded, []).append(path)
        return found

    def parts(self) -> dict[Path, list[Path]]:
        """Return the scripts that are parts of games, each with the scripts that load it."""
        paths = set(self._paths)
        return {
            path: loaders
            for path, loaders in self.loaders().items()
            if path in paths and not self.is_game(path)
        }

    def is_game(self, path: Path) -> bool:
        """Return whether a script, with the files it loads, has all sections of a game."""
        marks: set[bytes] = set()
        for file in self.with_loaded(path.resolve()):
            if file is None:
                return True  # the missing file may contain the other sections
            marks |= self._read(file).marks
        return marks >= _SECTIONS and bool(marks & _FILLS)

    def is_library(self, path: Path) -> bool:
        """Return whether a script is a copy of a library file, judged by its words or its name."""
        if path.name.casefold() in _LIBRARY_FILES and not self.is_game(path):
            return path.resolve() not in self.loaders()  # a game loads its own part `core.4th`
        return self._read(path.resolve()).defines_library

    def with_loaded(self, path: Path) -> Iterator[Path | None]:
        """Yield a script and the files that it loads, also indirectly; None for a missing file."""
        seen: set[Path | None] = set()
        pending: list[Path | None] = [path]
        while pending:
            file = pending.pop()
            if file not in seen:
                seen.add(file)
                yield file
                pending += self._loaded(file) if file is not None else ()

    def _loaded(self, path: Path) -> tuple[Path | None, ...]:
        """Return the files that a script loads, None for each file that is not found."""
        if path not in self._loads:
            folders = [path.parent, *self._include]
            names = self._read(path).loads
            self._loads[path] = tuple(_found(name, folders, self._roots_of(path)) for name in names)
        return self._loads[path]

    def _roots_of(self, path: Path) -> Roots:
        """Return the folders below which a script may load files."""
        if path.parent in self._folders:
            return self._roots
        return Roots([path.parent, *self._include, *self._folders])

    @cached_property
    def _roots(self) -> Roots:
        return Roots([*self._include, *self._folders])

    def _read(self, path: Path) -> _Contents:
        """Return the facts about a file, which is read once."""
        if path not in self._contents:
            try:
                data, _ = read_script(path)
            except ForthVMError:
                data = b""
            self._contents[path] = _analysed(data) if data else _NOTHING
        return self._contents[path]


@lru_cache(maxsize=256)  # a server lists the games for each window
def _analysed(data: bytes) -> _Contents:
    """Return the facts from the text of a script."""
    # Texts are bytes, so that file names in any encoding are preserved.
    tokens = [
        token.text.encode("latin-1")
        for token in tokenize(data.decode("latin-1"))
        if token.kind not in (Kind.COMMENT, Kind.STRING)
    ]
    pairs = list(pairwise(tokens))
    return _Contents(
        marks=frozenset(tokens) & (_SECTIONS | _FILLS),
        loads=tuple(next_token for token, next_token in pairs if token == b"LOAD"),
        defines_library=any(
            token in _DEFINING_WORDS and next_token in _LIBRARY_WORDS for token, next_token in pairs
        ),
    )


def _found(name: bytes, folders: list[Path], roots: Roots) -> Path | None:
    """Return the file that LOAD finds for a name, None if there is none."""
    try:
        found = find_file(name, folders, roots) or find_bundled(name)
    except ForthVMError:
        return None
    return found.resolve() if found is not None else None
