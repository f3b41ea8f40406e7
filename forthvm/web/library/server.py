"""The server of the page of a library: search, thumbnails, folders, and opening a game.

Owns the messages to windows.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import expand_user
from forthvm.core.reading import flag, integer, list_of, optional, record, text
from forthvm.core.text.visible import visible
from forthvm.library.search import Query, search
from forthvm.system.files import failure_reason
from forthvm.web.library.dropping import Dropping
from forthvm.web.library.listing import Listing
from forthvm.web.library.texts import GameTexts
from forthvm.web.serving.access import Access
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.page_server import PageServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from forthvm.library.entry import Entry
    from forthvm.library.user_library import UserLibrary
    from forthvm.web.serving.connections import Connection

__all__ = ["LibraryServer"]

_REPORT_SECONDS = 1.0
"""The time between two messages about the progress of the scan."""
_MAX_ROWS = 100_000
_MAX_THUMBNAILS = 40
"""The number in one request; each is a message, of which few can be waiting."""
_SHOWN_TEXT = 200
_MAX_PATH = 4000

T = TypeVar("T")

_read_search = record(
    {
        "do": text(),
        "text": text(200),
        "players": optional(integer(0)),
        "board": optional(text(20)),
        "kind": optional(text()),
        "loads": optional(flag),
        "chance": optional(flag),
        "hidden": optional(flag),
        "rows": integer(0, _MAX_ROWS),
    }
)
_read_files = list_of(integer(0), _MAX_THUMBNAILS)


class LibraryServer(PageServer):
    """Serves a library to browsers that know its key.

    Attributes:
        key: The key that an address must contain.
    """

    def __init__(
        self,
        library: UserLibrary,
        *,
        open_entry: Callable[[Entry, bool], str],
        recent: Callable[[Entry], bool] = lambda _: False,
    ) -> None:
        """Prepare the application.

        Args:
            library: The library.
            open_entry: Opens a file, or continues it if the second argument is true, and returns
                the address of its page.  It raises ForthVMError if this is not possible.
            recent: Whether a game was played before and can be continued.
        """
        super().__init__("library.html", Access(self._is_key))
        self.key = secrets.token_urlsafe(16)
        self.handlers |= {
            "search": self._search,
            "thumbnails": self._send_thumbnails,
            "open": self._open,
            "texts": self._send_texts,
            "dropped": self._open_dropped,
            "add folder": self._add_folder,
            "forget folder": self._forget_folder,
            "scan": self._scan_again,
        }
        self._listing = Listing(library.scan)
        self._cache = library.cache
        self._folders = library.folders
        self._dropped = library.dropped
        self._dropping = Dropping(library.dropped, library.cache, self.access, self._is_key)
        self.routes.append(self._dropping.route)
        self._texts = GameTexts()
        self.closing += [self._dropping.close, self._texts.close]
        self._newest: Path | None = None  # the folder of what was dropped last
        self._open_entry = open_entry
        self._is_recent = recent
        self._reporter: asyncio.Task[None] | None = None
        self._beginning = asyncio.Lock()

    def _is_key(self, key: str) -> bool:
        return secrets.compare_digest(key.encode(), self.key.encode())

    async def start(self) -> None:
        """Begin the scan."""
        await self._begin()

    async def close(self) -> None:
        """End the scan."""
        if self._reporter is not None:
            self._reporter.cancel()
        await _in_thread(self._listing.stop)

    async def greet(self, connection: Connection) -> None:
        """Send the folders and the progress to a new window, and why a scan has ended early."""
        connection.send(self._folders_message())
        connection.send(self._listing.progress())
        if self._listing.failure:
            connection.send(self._failure_message())
        connection.is_greeted = True

    async def _begin(self) -> None:
        """Begin a scan, and report it; two windows may ask at the same time."""
        async with self._beginning:
            if self._reporter is not None:
                self._reporter.cancel()
            await _in_thread(self._listing.start)
            self._reporter = asyncio.create_task(self._report())

    async def _report(self) -> None:
        """Send the progress until the scan has ended."""
        sent: object = None
        while True:
            running = self._listing.is_scanning
            message = self._listing.progress()
            if message != sent:
                sent = message
                self.connections.broadcast(message)
            if not running:
                break
            await asyncio.sleep(_REPORT_SECONDS)
        if self._listing.failure:
            self.connections.broadcast(self._failure_message())

    def _failure_message(self) -> dict[str, object]:
        reason = self._listing.failure
        return RequestError("scan", f"The scan has ended: {reason}", reason=reason).as_message()

    def _folders_message(self) -> dict[str, object]:
        try:
            folders = self._folders.all()
        except ForthVMError:  # the scan says why
            folders = ()
        return {"is": "folders", "folders": [visible(str(folder)) for folder in folders]}

    # --- requests -------------------------------------------------------------------------

    async def _search(self, connection: Connection, request: Mapping[str, object]) -> None:
        fields = _read_search(request)
        rows = fields.pop("rows")
        del fields["do"]
        numbered = self._listing.numbered()
        numbers = {id(entry): number for number, entry in numbered}
        found = search([entry for _, entry in numbered], Query(**fields))
        if not fields["text"]:
            found.sort(key=self._is_recent, reverse=True)  # stable
        newest = self._newest
        if newest is not None:
            found.sort(key=lambda entry: not _is_below(entry, newest))
        connection.send(
            {
                "is": "found",
                "count": len(found),
                "total": len(numbered),
                "rows": [
                    self._row(numbers[id(entry)], self._listing.with_rules(entry))
                    for entry in found[:rows]
                ],
            }
        )

    def _row(self, number: int, entry: Entry) -> dict[str, object]:
        return {
            "file": number,
            "title": visible(entry.title),
            "kind": entry.kind,
            "author": visible(entry.author),
            "description": visible(entry.description[:_SHOWN_TEXT]),
            "players": len(entry.players),
            "chance": entry.chance,
            "hidden": entry.hidden,
            "columns": entry.columns,
            "rows": entry.rows,
            "squares": entry.squares,
            "variants": entry.variants,
            "reason": visible(entry.reason),
            "place": visible(Path(entry.path).name),
            "archive": visible(Path(entry.archive).name),
            "recent": self._is_recent(entry),
        }

    async def _send_thumbnails(self, connection: Connection, request: Mapping[str, object]) -> None:
        for number in _read_files(request["files"]):
            picture = self._cache.thumbnail(Path(self._listing[number].path))
            if picture is not None:
                with suppress(OSError, UnicodeDecodeError):
                    svg = picture.read_text(encoding="utf-8")
                    connection.send({"is": "thumbnail", "file": number, "svg": svg})

    async def _send_texts(self, connection: Connection, request: Mapping[str, object]) -> None:
        """Send what is known about a file, and the texts about the rules of a game."""
        entry = self._listing[integer(0)(request["file"])]
        with _refused():
            texts = await _in_thread(self._texts.of, entry)
        connection.send(
            {
                "is": "texts",
                "title": visible(entry.title),
                "path": visible(entry.archive or entry.path),
                "inside": visible(Path(entry.path).name) if entry.archive else "",
                "players": [visible(player) for player in entry.players],
                "texts": texts,
            }
        )

    async def _open(self, connection: Connection, request: Mapping[str, object]) -> None:
        entry = self._listing[integer(0)(request["file"])]
        await self._open_page(connection, entry, again=flag(request["again"]))

    async def _open_page(self, connection: Connection, entry: Entry, *, again: bool) -> None:
        self._dropped.keep(Path(entry.archive or entry.path))
        with _refused():
            address = await _in_thread(self._open_entry, self._listing.with_rules(entry), again)
        connection.send({"is": "opened", "address": address})

    async def _open_dropped(self, connection: Connection, request: Mapping[str, object]) -> None:
        """Open the dropped file; several files are listed."""
        folder = self._newest = self._dropping.folder(request["drop"])
        entries = await self._dropping.entries(folder)
        for entry in entries:
            self._listing.add(entry)
        if not entries:  # it takes long
            await self._begin()
        loading = [entry for entry in entries if self._listing.with_rules(entry).loads]
        connection.send({"is": "dropped", "opens": len(loading) == 1})
        if not loading and entries:
            reason = visible(entries[0].reason)
            raise RequestError("not-opened", reason, reason=reason)
        if len(loading) == 1:
            await self._open_page(connection, loading[0], again=False)

    async def _add_folder(self, _: Connection, request: Mapping[str, object]) -> None:
        folder = _checked_folder(text(_MAX_PATH)(request["path"]))
        with _refused():
            self._folders.add(folder)
        await self._begin_with_folders()

    async def _forget_folder(self, _: Connection, request: Mapping[str, object]) -> None:
        name = text()(request["path"])
        with _refused():
            for folder in self._folders.all():
                if visible(str(folder)) == name:
                    self._folders.remove(folder)
        await self._begin_with_folders()

    async def _scan_again(self, _: Connection, __: Mapping[str, object]) -> None:
        with _refused():
            await self._begin()

    async def _begin_with_folders(self) -> None:
        self.connections.broadcast(self._folders_message())
        with _refused():
            await self._begin()


def _is_below(entry: Entry, folder: Path) -> bool:
    return Path(entry.archive or entry.path).is_relative_to(folder)


def _checked_folder(path: str) -> Path:
    """Return the folder whose path the owner typed or pasted.

    Raises:
        RequestError: There is no such folder, or its files cannot be listed.
    """
    typed = path.strip()
    if typed[:1] == typed[-1:] == '"':  # as Windows copies paths
        typed = typed[1:-1]
    try:
        folder = expand_user(typed)
        if not folder.is_absolute():
            raise RequestError("folder-path", "Type the whole path of the folder.")
        next(folder.iterdir(), None)
    except (OSError, ValueError) as error:
        reason = failure_reason(error)
        raise RequestError(
            "no-folder", f"{typed} cannot be read: {reason}", path=visible(typed), reason=reason
        ) from error
    return folder


@contextmanager
def _refused() -> Iterator[None]:
    """Turn an error of the block into a refusal of the request."""
    try:
        yield
    except ForthVMError as error:
        raise RequestError("not-opened", str(error), reason=str(error)) from error


async def _in_thread(function: Callable[..., T], *arguments: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, function, *arguments)
