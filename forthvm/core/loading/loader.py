"""Loading texts and files into a VM, and the LOAD word's host side.

This file owns the chain of texts being loaded, where LOAD looks (files.py says what it may
read), and the limits of what is loaded; it must not know what a library or a game is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.advice import advice
from forthvm.core.failure import ForthVMError

from .files import Roots, find_file, shown_name
from .library import find_bundled, games_folder
from .library_cache import find_image
from .source import SourceTable, Text, read_script, require_content

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.core.bindings import NativeVM
    from forthvm.core.errors import ScriptFileNotFound

    from .library import Library

__all__ = ["MAX_LOADS", "MAX_TEXT_BYTES", "Loader"]

#: Bytes of files that one VM keeps; a file that is loaded again is kept once.
MAX_TEXT_BYTES = 32 * 1024 * 1024

#: Files that one text of the host's may load, directly or through others.
MAX_LOADS = 10_000


class Loader:
    """Loads into one VM.

    Attributes:
        table: Every text that was loaded, by source position.
        main: Folder of the main script; LOAD looks there after the loading file's own.
        library: Folder of the library; LOAD looks there next.
        include: Further folders, by their absolute paths; LOAD looks there next, and among the
            bundled games last.
    """

    def __init__(self, native: NativeVM, include: Sequence[Path] = ()) -> None:
        self.table = SourceTable()
        self.include = tuple(include)
        self.main: Path | None = None
        self.library: Path | None = None
        self._native = native
        self._open: list[Text] = []
        self._typed: Path | None = None  # folder of the text that the host interprets
        self._seen: dict[int, int] = {}  # per open text: offset behind its last LOAD
        self._in_library = False
        self.bundled = False
        self._kept: dict[bytes, bytes] = {}  # the bytes of files, once for equal files
        self._kept_bytes = 0
        self._loads = 0

    def load_library(self, library: Library, *, checked: bool, kept: bool) -> None:
        """Load the files of the library, which do not count as texts of the script.

        kept: Ours may come from the image of an earlier time, and is kept as one.
        """
        if library.folder is None:
            return
        self.library = library.folder
        self.bundled = not library.own
        image = find_image(library, checked=checked) if kept and self.bundled else None
        texts = image.restore(self._native) if image is not None else None
        if image is None or texts is None:
            self._interpret_library(library.files)
            if image is not None:
                image.keep(self._native, self.table.texts)
            return
        for text in texts:
            self.table.add(text)

    def _interpret_library(self, files: Iterable[Path]) -> None:
        self._in_library = True
        try:
            for path in files:
                self._load(path, main=False)
        finally:
            self._in_library = False

    def interpret(self, data: bytes, name: str, folder: Path | None = None) -> None:
        """Interpret bytes that do not come from a file.

        folder: Where a LOAD that stands in them looks first, as if they were a file there.
        """
        self._begin()
        before = self._typed
        self._typed = folder if not self._open else None
        try:
            self._run(self._text(name, data, self._native.codec.encoding))
        finally:
            self._typed = before

    def load(self, path: Path) -> None:
        """Load a main script for the host.

        Raises:
            ScriptFileError: It cannot be read as a script.
            ForthVMError: What it does fails.
        """
        self._load(path, main=True)

    def _load(self, path: Path, *, main: bool) -> None:
        data, encoding = self._read(path, None if main or self.bundled else self._roots())
        require_content(path, data)
        shown, path = shown_name(path), path.absolute()  # the current folder may change
        if main:
            self._begin()
            self.main = path.parent
            if encoding != "utf-8":
                self._native.codec.encoding = encoding
        self._run(self._text(shown, data, encoding, path), main=main)

    def _begin(self) -> None:
        """Count LOADs anew for a text that the host interprets."""
        if not self._open:
            self._loads = 0

    def on_load(self, name: bytes) -> None:
        """Serve the LOAD word: find the file and interpret it.

        Raises:
            ScriptFileError: There is no such file, or it cannot or may not be read.
            LimitExceeded: There are too many LOADs.
        """
        loader = self._place_of_load(name)
        try:
            self._count()
            typed = self._typed_folder(loader)
            path = self._find(name, typed)
            data, encoding = self._read(path, self._roots(typed))
        except ForthVMError as error:
            if not isinstance(error, FileNotFoundError):  # that is shown at the file's name
                error.location = self.table.locate(loader)
                error.loads = self.table.loads(loader)
            raise
        self._run(self._text(shown_name(path), data, encoding, path, loader))

    def _count(self) -> None:
        self._loads += 1
        if self._loads > MAX_LOADS:
            from forthvm.core.errors import LimitExceeded

            raise LimitExceeded(
                f"too many LOADs: more than {MAX_LOADS:,} in one run",
                hints=["does a file that is loaded often load others?"],
            )

    def _typed_folder(self, place: int) -> Path | None:
        """The folder of the text that the host interprets, for a LOAD that stands in it.

        The same for files in that folder that such a LOAD reads; not for words of a script
        that run LOAD by themselves.
        """
        folder = self._typed
        if folder is None or not place:
            return None
        if len(self._open) == 1:
            return folder
        first = self._open[1]
        inside = first.path is not None and Roots([folder]).allow(first.path)
        return folder if first.loader and inside else None

    def _find(self, name: bytes, typed: Path | None) -> Path:
        folders = self._folders(typed)
        path = find_file(name, folders, self._roots(typed)) or find_bundled(name)
        if path is None:
            raise self._missing(name, folders)
        if any(text.path is not None and text.path.samefile(path) for text in self._open):
            from forthvm.core.errors import LoadCycleError

            raise LoadCycleError(f"{shown_name(path)} loads itself", path=str(path))
        return path

    def _roots(self, typed: Path | None = None) -> Roots:
        folders = (self.main, self.library, *self.include, games_folder(), typed)
        return Roots(folder for folder in folders if folder is not None)

    def _read(self, path: Path, roots: Roots | None) -> tuple[bytes, str]:
        """Read a script; files with equal bytes share them."""
        data, encoding = read_script(path, roots)
        kept = self._kept.get(data)
        if kept is not None:
            return kept, encoding
        if self._kept_bytes + len(data) > MAX_TEXT_BYTES:
            from forthvm.core.errors import ScriptTooLarge

            raise ScriptTooLarge(
                f"too much source text: with {shown_name(path)} the files loaded have more than "
                f"{MAX_TEXT_BYTES >> 20} MiB",
                path=str(path),
                hints=["load fewer files, or smaller ones"],
            )
        self._kept[data] = data
        self._kept_bytes += len(data)
        return data, encoding

    def _text(
        self, name: str, data: bytes, encoding: str, path: Path | None = None, loader: int = 0
    ) -> Text:
        if self._in_library and path is not None and self.bundled:
            name = f"<library>/{path.name}"  # the installation path is of no use to readers
        base = self._native.source_add(len(data))
        return Text(name, data, base, encoding, path, loader, self._in_library)

    def _run(self, text: Text, *, main: bool = False) -> None:
        self.table.add(text)
        self._open.append(text)
        try:
            self._native.interpret(text.data, text.base, main=main)
        finally:
            self._open.pop()
            self._seen.pop(text.base, None)

    def _folders(self, typed: Path | None) -> list[Path]:
        beside = [text.path.parent for text in self._open[-1:] if text.path is not None]
        folders = (*beside, typed, self.main, self.library, *self.include)
        return list(dict.fromkeys(folder for folder in folders if folder is not None))

    def _place_of_load(self, name: bytes) -> int:
        if not self._open:
            return 0
        text = self._open[-1]
        place = self.table.find_load(text, name, self._seen.get(text.base, 0))
        if place:
            self._seen[text.base] = place - text.base + len(name)
        return place

    def _missing(self, name: bytes, looked: Sequence[Path]) -> ScriptFileNotFound:
        shown = self._native.codec.decode(name)
        folders = ", ".join(
            "<library>" if self.bundled and folder == self.library else shown_name(folder)
            for folder in looked
        )
        from forthvm.core.errors import ScriptFileNotFound

        return ScriptFileNotFound(
            f"LOAD: no file `{shown}`",
            path=shown,
            detail=shown,
            hints=[
                f"looked in {folders} and among the bundled games"
                if folders
                else "there is no folder to look in: "
                + advice(python="include=[DIR]", command_line="--include DIR")
            ],
        )
