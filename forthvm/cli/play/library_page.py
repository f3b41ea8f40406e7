"""The page of the library, with which `forthvm board` begins if no game is named.

Owns the processes of the pages that it opens: each game has a table in a process of its own, so
that no script slows down the library.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from forthvm.cli import serving
from forthvm.cli.status import OK
from forthvm.core.failure import ForthVMError
from forthvm.system.files import failure_reason
from forthvm.system.processes import ChildProgram

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from forthvm.library.entry import Entry
    from forthvm.web.table.saved_tables import SavedTables

__all__ = ["OpenedPages", "run"]

_ADDRESS = re.compile(rb"http://\S+/\?key=\S+")
_START_SECONDS = 60.0
_MAX_ERROR = 2000  # bytes of the error output of a process


def run(args: argparse.Namespace, saved_tables: SavedTables) -> int:
    """Serves the page until Ctrl-C."""
    from forthvm.catalogue.bundled import list_games
    from forthvm.library.cache import Cache
    from forthvm.library.dropped import DroppedFiles
    from forthvm.library.folders import LibraryFolders
    from forthvm.library.user_library import UserLibrary
    from forthvm.web.library.server import LibraryServer

    names = {str(game.path): game.name for game in list_games()}
    library = UserLibrary(
        Cache.of_user(),
        LibraryFolders.of_user(),
        DroppedFiles.of_user(),
        given=tuple(args.library),
        games=tuple(map(Path, names)),
    )
    library.folders.all()  # if the file is damaged, the error appears before the page
    pages = OpenedPages(names, _games_of(saved_tables))
    server = LibraryServer(library, open_entry=pages.open, recent=pages.can_be_continued)
    try:
        serving.show_page(server, args, "library")
    finally:
        pages.close()
    return OK


def _games_of(saved_tables: SavedTables) -> set[str]:
    """Returns the names or paths of the games of saved tables."""
    games = (file.about.get("game") for file, _ in saved_tables.newest_first())
    return {str(game.get("game")) for game in games if isinstance(game, dict)}


class _Page:
    """The page of a file.

    Attributes:
        lock: Held while its process starts or ends.
        program: The process; None before it has started.
        address: The address of the page.
    """

    def __init__(self) -> None:
        """Begin without a process."""
        self.lock = Lock()
        self.program: ChildProgram | None = None
        self.address = ""


class OpenedPages:
    """The pages that were opened.  Any thread may use it."""

    def __init__(self, names: Mapping[str, str] | None = None, played: Iterable[str] = ()) -> None:
        """Begin without pages.

        Args:
            names: The names of the bundled games by path.
            played: The names or paths of games that have saved tables.
        """
        self._names = names or {}
        self._played = set(played)
        self._pages: dict[str, _Page] = {}
        self._is_closed = False

    def can_be_continued(self, entry: Entry) -> bool:
        """Whether a game has a saved table."""
        return self._game(entry) in self._played

    def open(self, entry: Entry, again: bool) -> str:
        """Returns the address of the page of a file; a page that is open is opened again.

        Args:
            entry: The file.
            again: Whether to continue the last table of a game.

        Raises:
            ForthVMError: The file cannot be opened.
        """
        if not entry.loads:
            raise ForthVMError(entry.reason)
        page = self._pages.setdefault(entry.path, _Page())
        with page.lock:
            if self._is_closed:
                raise ForthVMError("the library is closed")
            if page.program is not None:
                if not page.program.has_exited():
                    return page.address
                page.program.end()
            page.program, page.address = _started(self._command(entry, again))
        if entry.kind == "game":
            self._played.add(self._game(entry))
        return page.address

    def close(self) -> None:
        """Ends the processes, and those that are starting; tables are saved after each move."""
        self._is_closed = True
        for page in list(self._pages.values()):
            with page.lock:
                if page.program is not None:
                    page.program.end()

    def _game(self, entry: Entry) -> str:
        return self._names.get(entry.path, entry.path)

    def _command(self, entry: Entry, again: bool) -> list[str]:
        arguments = {
            "game": ["board", self._game(entry), *(["--resume"] if again else [])],
            "results": ["report", entry.path, "--serve"],
            "folder": ["board", "--library", entry.path],
        }
        rules = [entry.rules] if entry.rules else []
        words = arguments.get(entry.kind, ["board", *rules, "--position", entry.path])
        # The flag keeps the current folder out of `sys.path`.
        return [sys.executable, "-P", "-m", "forthvm", *words, "--no-browser"]


def _started(command: list[str]) -> tuple[ChildProgram, str]:
    """Returns the process of a page and the address of the page.

    Raises:
        ForthVMError: The process cannot start, or ends without an address.
    """
    try:
        program = ChildProgram(command, last_errors=_MAX_ERROR)
    except OSError as error:
        raise ForthVMError(f"its page did not start: {failure_reason(error)}") from error
    address = _printed_address(program)
    if not address:
        program.end()
        raise ForthVMError(_error_of(program) or "its page did not start")
    program.output.discard()
    return program, address


def _printed_address(program: ChildProgram) -> str:
    """Returns the address that a command prints; "" if it ends before, or does not print one."""
    output = b""
    deadline = time.monotonic() + _START_SECONDS
    while (seconds := deadline - time.monotonic()) > 0:
        data = program.output.read(seconds)
        if not data:
            break
        output += data
        # The address is complete if its line has ended.
        if (found := _ADDRESS.search(output)) is not None and b"\n" in output[found.end() :]:
            return found[0].decode()
    return ""


def _error_of(program: ChildProgram) -> str:
    """Returns the error message of a command that has ended."""
    if program.errors is None:
        return ""
    data = program.errors.read(1.0) or b""
    return data.decode("utf-8", "replace").strip().removeprefix("forthvm: ")
