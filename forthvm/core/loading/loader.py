"""Loads texts and files into a VM, and implements the word LOAD.

This file owns the stack of texts being loaded, the folders that LOAD searches (files.py decides
which files it may read), and the limits on loaded texts.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.text.advice import advice

from .files import Roots, find_file, is_same_file, shown_name
from .library import find_bundled, games_folder, library_folder
from .library_cache import find_entry
from .source import SourceTable, Text, read_script, require_content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.core.bindings import NativeVM
    from forthvm.core.errors import ScriptFileNotFound

    from .library import Library
    from .source import Original

__all__ = ["MAX_LOADS", "MAX_TEXT_BYTES", "Loader"]

#: Maximum size of all files of one VM in bytes; equal files count once.
MAX_TEXT_BYTES = 32 * 1024 * 1024

#: Maximum number of LOADs in one run: in a text of the host and the files that it loads.
MAX_LOADS = 10_000


def _contain_file(texts: Iterable[Text], path: Path) -> bool:
    """Whether one of the texts was read from a file."""
    return any(text.path is not None and is_same_file(text.path, path) for text in texts)


class Loader:
    """Loads texts into one VM.

    LOAD searches the folder of the file that contains the LOAD, then `main_folder`,
    `library_folder` and `include`, and then the bundled games.

    Attributes:
        table: Every loaded text, by source position.
        main_folder: Folder of the main script.
        library_folder: Folder of the library.
        include: Absolute paths of further folders.
        bundled: Whether the library is the bundled library, not a user's own.
        run_standard: Interprets texts in standard Forth; None: texts are in ForthScript.
    """

    def __init__(self, native: NativeVM, include: Sequence[Path] = ()) -> None:
        self.table = SourceTable()
        self.include = tuple(include)
        self.main_folder: Path | None = None
        self.library_folder: Path | None = None
        self._native = native
        self._open_texts: list[Text] = []
        self._host_folder: Path | None = None  # the argument `folder` of `interpret`
        # For each open text, by its base: the offset at which the search for its next LOAD begins.
        self._after_load: dict[int, int] = {}
        self._in_library = False
        self.bundled = False
        self._contents: dict[bytes, bytes] = {}  # contents of files, shared by equal files
        self._content_bytes = 0
        self._load_count = 0
        self.run_standard: Callable[[Text], None] | None = None
        self._uses_standard = False  # False while the library's files in ForthScript are loaded
        self._repeated: list[Text] = []  # texts of an earlier run, in the order of loading

    def repeat(self, first: int) -> dict[Path, bytes]:
        """Repeat an earlier run: give the texts loaded next the positions of the earlier texts.

        Args:
            first: The index in the table of the first text of the earlier run.

        Returns:
            The contents of the earlier files, for `replaced_contents`.
        """
        self._repeated = self.table.texts[first:]
        paths = ((text.path, text.data) for text in self._repeated)
        return {path.resolve(): data for path, data in paths if path is not None}

    def load_library(self, library: Library, *, checked: bool, cached: bool) -> None:
        """Load the files of the library; their texts have `Text.library` set.

        Args:
            library: The library.
            checked: Whether the VM runs in checked mode.
            cached: Whether the cache of library images may be used for the bundled library.
        """
        if library.folder is None:
            return
        self.library_folder = library.folder
        self.bundled = not library.own
        entry = find_entry(library, checked=checked) if cached and self.bundled else None
        texts = entry.restore(self._native) if entry is not None else None
        if texts is None:
            self._interpret_library(library)
            if entry is not None:
                entry.save(self._native, self.table.texts)
            return
        for text in texts:
            self.table.add(text)
        self._uses_standard = bool(library.standard)

    def _interpret_library(self, library: Library) -> None:
        self._in_library = True
        try:
            for path in library.files:
                self._load(path, main=False)
            self._uses_standard = bool(library.standard)
            for path in library.standard:
                self._load(path, main=False)
            if library.standard:
                self._native.interpret(b"$user-order", 0)
        finally:
            self._in_library = False

    def interpret(self, data: bytes, name: str, folder: Path | None = None) -> None:
        """Interpret bytes that do not come from a file.

        Args:
            data: The text.
            name: The name of the text in messages.
            folder: The folder that a LOAD in the text searches first.
        """
        self._restart_load_count()
        outer_folder = self._host_folder
        self._host_folder = folder if not self._open_texts else None
        try:
            self._run(self._register(name, data, self._native.codec.encoding))
        finally:
            self._host_folder = outer_folder

    def load(self, path: Path) -> None:
        """Load a main script for the host.

        Raises:
            ScriptFileError: The file cannot be read as a script.
            ForthVMError: The script fails.
        """
        self._load(path, main=True)

    def load_compiled(self, path: Path, data: bytes, original: Original) -> None:
        """Load a main script that was compiled from a file.

        Args:
            path: The file.
            data: The script, in UTF-8.
            original: The file, and the files that it includes.

        Raises:
            ForthVMError: The script fails.
        """
        self._restart_load_count()
        self.main_folder = path.absolute().parent
        name = f"{shown_name(path)} (compiled)"
        self._run(Text(name, data, self._reserve(data), original=original), main=True)

    def _load(self, path: Path, *, main: bool) -> None:
        """Load a main script or a file of the library."""
        # A main script may be in any folder, since the user chose it.  A file of a user's library
        # may be a link, which must not lead out of the roots.
        data, encoding = self._read(path, None if main or self.bundled else self._roots())
        require_content(path, data)
        shown, path = shown_name(path), path.absolute()  # the current folder may change
        if main:
            self._restart_load_count()
            self.main_folder = path.parent
            if encoding != "utf-8":
                self._native.codec.encoding = encoding
        self._run(self._register(shown, data, encoding, path), main=main)

    def _restart_load_count(self) -> None:
        """Reset the count of LOADs, unless a text is being interpreted."""
        if not self._open_texts:
            self._load_count = 0

    def on_load(self, name: bytes) -> None:
        """Execute the word LOAD: find the file and interpret it.

        The main files of the library, such as axiom.4th, are not loaded again: they would define a
        second set of game words, but the host uses the first.

        Raises:
            ScriptFileError: There is no such file, or it cannot or may not be read.
            LimitExceeded: There are too many LOADs.
        """
        load_position = self._load_position(name)
        try:
            self._count_load()
            folder = self._folder_for(load_position)
            path = self._find(name, folder)
            if self._is_loaded_library(path):
                return
            data, encoding = self._read(path, self._roots(folder))
        except ForthVMError as error:
            # All errors but one are reported at LOAD.  A missing file is reported by the bindings
            # at the token read last: the name of the file.
            if not isinstance(error, FileNotFoundError):
                error.location = self.table.locate(load_position)
                error.loads = self.table.loads(load_position)
            raise
        text = self._register(shown_name(path), data, encoding, path, load_position)
        loading_text = self.table.text_at(load_position)
        if loading_text is not None and loading_text.original is not None:
            text = text.replace(library=True)  # the compiler's words, not those of an author
        self._run(text)

    def _is_loaded_library(self, path: Path) -> bool:
        """Whether a file is one of the library's main files, which have been loaded before."""
        library = (text for text in self.table.texts if text.library and not text.load_position)
        return not self._in_library and _contain_file(library, path)

    def open_included(self, name: bytes, position: int, *, again: bool) -> Text | None:
        """Find a file that a standard Forth includes, and register its text.

        Args:
            name: The name of the file.
            position: Source position of the line that includes it.
            again: Whether the file is included even if it has been included before.

        Returns:
            None if it has been included before.

        Raises:
            ScriptFileError: There is no such file, or it cannot or may not be read.
        """
        self._count_load()
        current = self.table.text_at(position)
        own = [current.path.parent] if current is not None and current.path is not None else []
        folders = list(dict.fromkeys([*own, *self._folders(self._host_folder)]))
        path = find_file(name, folders, self._roots(self._host_folder))
        if path is None:
            raise self._missing(name, folders)
        if not again and any(text.path == path.absolute() for text in self.table.texts):
            return None
        data, encoding = self._read(path, self._roots(self._host_folder))
        text = self._register(shown_name(path), data, encoding, path.absolute(), position)
        self._add(text)
        return text

    def register_text(self, name: str, data: bytes) -> Text:
        """Register the text of a file that a standard Forth has opened itself."""
        self._count_load()
        text = self._register(name, data, self._native.codec.encoding)
        self.table.add(text)
        return text

    def _count_load(self) -> None:
        self._load_count += 1
        if self._load_count > MAX_LOADS:
            from forthvm.core.errors import LimitExceeded

            raise LimitExceeded(
                f"too many LOADs: more than {MAX_LOADS:,} in one run",
                hints=["is there a file that is loaded many times and that loads other files?"],
            )

    def _folder_for(self, position: int) -> Path | None:
        """Return the folder that the host passed to `interpret`, None if LOAD must not search it.

        LOAD may search the folder if LOAD is in the host's text, or in a file that the host's text
        loads from the folder.  A LOAD that a word executes must not search the folder.

        Args:
            position: Source position of the LOAD, 0 if a word executes it.
        """
        folder = self._host_folder
        if folder is None or not position:
            return None
        if len(self._open_texts) == 1:
            return folder
        loaded_file = self._open_texts[1]  # the file that the host's text is loading
        inside = loaded_file.path is not None and Roots([folder]).allows(loaded_file.path)
        return folder if loaded_file.load_position and inside else None

    def _find(self, name: bytes, folder: Path | None) -> Path:
        """Return the path of a file that LOAD names."""
        folders = self._folders(folder)
        path = find_file(name, folders, self._roots(folder)) or find_bundled(name)
        if path is None:
            raise self._missing(name, folders)
        if _contain_file(self._open_texts, path):
            from forthvm.core.errors import LoadCycleError

            raise LoadCycleError(f"{shown_name(path)} loads itself", path=str(path))
        return path

    def _roots(self, host_folder: Path | None = None) -> Roots:
        folders = (
            self.main_folder,
            self.library_folder,
            *self.include,
            library_folder(),
            games_folder(),
            host_folder,
        )
        return Roots(folder for folder in folders if folder is not None)

    def _read(self, path: Path, roots: Roots | None) -> tuple[bytes, str]:
        """Read a script; equal files share one bytes object."""
        data, encoding = read_script(path, roots)
        known = self._contents.get(data)
        if known is not None:
            return known, encoding
        if self._content_bytes + len(data) > MAX_TEXT_BYTES:
            from forthvm.core.errors import ScriptTooLarge

            raise ScriptTooLarge(
                f"too much source text: with {shown_name(path)} the files loaded have more than "
                f"{MAX_TEXT_BYTES >> 20} MiB",
                path=str(path),
                hints=["load fewer files, or smaller ones"],
            )
        self._contents[data] = data
        self._content_bytes += len(data)
        return data, encoding

    def _register(
        self,
        name: str,
        data: bytes,
        encoding: str,
        path: Path | None = None,
        load_position: int = 0,
    ) -> Text:
        """Reserve source positions for a text and return the text."""
        if self._in_library and path is not None and self.bundled:
            name = f"<library>/{path.name}"  # the installation path would not help readers
        base = self._reserve(data)
        return Text(name, data, base, encoding, path, load_position, self._in_library)

    def _reserve(self, data: bytes) -> int:
        """Reserve source positions for a text; return the first."""
        if self._repeated and self._repeated[0].data == data:
            return self._repeated.pop(0).base
        self._repeated.clear()
        return self._native.source_add(len(data))

    def _add(self, text: Text) -> None:
        if self.table.text_at(text.base) is None:  # else it is repeated
            self.table.add(text)

    def _run(self, text: Text, *, main: bool = False) -> None:
        """Interpret a text."""
        self._add(text)
        self._open_texts.append(text)
        try:
            if self._uses_standard and self.run_standard is not None:
                self.run_standard(text)
            else:
                self._native.interpret(text.data, text.base, main=main)
        finally:
            self._open_texts.pop()
            self._after_load.pop(text.base, None)

    def _folders(self, host_folder: Path | None) -> list[Path]:
        """Return the folders that LOAD searches, in order."""
        own = [text.path.parent for text in self._open_texts[-1:] if text.path is not None]
        folders = (*own, host_folder, self.main_folder, self.library_folder, *self.include)
        return list(dict.fromkeys(folder for folder in folders if folder is not None))

    def _load_position(self, name: bytes) -> int:
        """Return the source position of the current `LOAD name`, 0 if a word executes it."""
        if not self._open_texts:
            return 0
        text = self._open_texts[-1]
        position = self.table.find_load(text, name, self._after_load.get(text.base, 0))
        if position:
            self._after_load[text.base] = position - text.base + len(name)
        return position

    def _missing(self, name: bytes, searched: Sequence[Path]) -> ScriptFileNotFound:
        """Return the error for a file that is in none of the searched folders."""
        shown = self._native.codec.decode(name)
        folders = ", ".join(
            "<library>" if self.bundled and folder == self.library_folder else shown_name(folder)
            for folder in searched
        )
        from forthvm.core.errors import ScriptFileNotFound

        return ScriptFileNotFound(
            f"LOAD: no file `{shown}`",
            path=shown,
            detail=shown,
            hints=[
                f"searched {folders} and the bundled games"
                if folders
                else "there is no folder to search: "
                + advice(python="include=[DIR]", command_line="--include DIR")
            ],
        )
