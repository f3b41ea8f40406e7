"""The server of the page of a library: search, thumbnails, and opening a game.

Owns the thread of the scan, and the messages to windows.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.reading import flag, integer, list_of, optional, record, text
from forthvm.core.text.visible import visible
from forthvm.library.search import Query, search
from forthvm.web.serving.access import Access
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.page_server import PageServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from forthvm.library.cache import Cache
    from forthvm.library.entry import Entry
    from forthvm.library.scan import Scan
    from forthvm.web.serving.connections import Connection

__all__ = ["LibraryServer"]

_REPORT_SECONDS = 1.0
"""The time between two messages about the progress of the scan."""
_MAX_ROWS = 100_000
_MAX_THUMBNAILS = 40
"""The number in one request; each is a message, of which few can be waiting."""
_SHOWN_TEXT = 200

_read_search = record(
    {
        "do": text(),
        "text": text(200),
        "players": optional(integer(0)),
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
        scan: Scan,
        entries: Iterator[Entry],
        cache: Cache,
        *,
        open_entry: Callable[[Entry, bool], str],
        recent: Callable[[Entry], bool] = lambda _: False,
    ) -> None:
        """Prepare the application.

        Args:
            scan: The scan, for its progress.
            entries: What the scan yields; it is consumed in a thread.
            cache: The cache of the scan, for thumbnails.
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
        }
        self._scan = scan
        self._iterator = entries
        self._cache = cache
        self._open_entry = open_entry
        self._is_recent = recent
        self._entries: list[Entry] = []  # the index is the number of a file in messages
        self._failure = ""
        self._thread = Thread(target=self._consume, name="forthvm library", daemon=True)
        self._reporter: asyncio.Task[None] | None = None

    def _is_key(self, key: str) -> bool:
        return secrets.compare_digest(key.encode(), self.key.encode())

    async def start(self) -> None:
        """Begin the scan."""
        self._thread.start()
        self._reporter = asyncio.create_task(self._report())

    async def close(self) -> None:
        """End the scan."""
        self._scan.stop()
        if self._reporter is not None:
            self._reporter.cancel()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    async def greet(self, connection: Connection) -> None:
        """Send the progress to a new window, and why a scan has ended early."""
        connection.send(self._progress())
        if self._failure and not self._thread.is_alive():
            connection.send(self._failure_message())
        connection.is_greeted = True

    def _consume(self) -> None:
        try:
            for entry in self._iterator:
                self._entries.append(entry)
        except Exception as error:  # the window must know that the list is incomplete
            self._failure = str(error) or type(error).__name__

    async def _report(self) -> None:
        """Send the progress until the scan has ended."""
        sent: object = None
        while True:
            running = self._thread.is_alive()
            message = self._progress()
            if message != sent:
                sent = message
                self.connections.broadcast(message)
            if not running:
                break
            await asyncio.sleep(_REPORT_SECONDS)
        if self._failure:
            self.connections.broadcast(self._failure_message())

    def _failure_message(self) -> dict[str, object]:
        return RequestError(
            "scan", f"The scan has ended: {self._failure}", reason=self._failure
        ).as_message()

    def _progress(self) -> dict[str, object]:
        return {
            "is": "progress",
            "done": self._scan.done,
            "found": self._scan.found,
            "files": len(self._entries),
            "running": self._thread.is_alive(),
        }

    # --- requests -------------------------------------------------------------------------

    async def _search(self, connection: Connection, request: Mapping[str, object]) -> None:
        fields = _read_search(request)
        rows = fields.pop("rows")
        del fields["do"]
        entries = list(self._entries)
        numbers = {id(entry): number for number, entry in enumerate(entries)}
        found = search(entries, Query(**fields))
        if not fields["text"]:
            found.sort(key=self._is_recent, reverse=True)  # stable
        connection.send(
            {
                "is": "found",
                "count": len(found),
                "total": len(entries),
                "rows": [self._row(numbers[id(entry)], entry) for entry in found[:rows]],
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
            "place": visible(Path(entry.archive or entry.path).name),
            "recent": self._is_recent(entry),
        }

    async def _send_thumbnails(self, connection: Connection, request: Mapping[str, object]) -> None:
        for number in _read_files(request["files"]):
            picture = self._cache.thumbnail(Path(self._entry(number).path))
            if picture is not None:
                with suppress(OSError, UnicodeDecodeError):
                    svg = picture.read_text(encoding="utf-8")
                    connection.send({"is": "thumbnail", "file": number, "svg": svg})

    async def _open(self, connection: Connection, request: Mapping[str, object]) -> None:
        entry = self._entry(integer(0)(request["file"]))
        again = flag(request["again"])
        try:
            address = await asyncio.get_running_loop().run_in_executor(
                None, self._open_entry, entry, again
            )
        except ForthVMError as error:
            raise RequestError("not-opened", str(error), reason=str(error)) from error
        connection.send({"is": "opened", "address": address})

    def _entry(self, number: int) -> Entry:
        """Return a file by its number.

        Raises:
            ValueError: There is no such file.
        """
        if number >= len(self._entries):
            raise ValueError(number)
        return self._entries[number]
