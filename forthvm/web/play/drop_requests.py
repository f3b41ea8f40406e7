"""Opening other files from the page of a table: files that the owner drops on it.

Owns the requests.  The files are opened in pages of their own; the table stays.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.library.entry import Entry
from forthvm.web.library.dropping import Dropping
from forthvm.web.serving.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.library.cache import Cache
    from forthvm.library.dropped import DroppedFiles
    from forthvm.web.play.server import TableServer
    from forthvm.web.serving.connections import Connection

__all__ = ["offer_dropping"]


def offer_dropping(
    server: TableServer,
    dropped: DroppedFiles,
    cache: Cache,
    open_entry: Callable[[Entry, bool], str],
) -> None:
    """Let the owner drop files on the page of a table.

    Args:
        server: The server of the table.
        dropped: Where the files are stored.
        cache: The cache of descriptions.
        open_entry: As for `LibraryServer`; of a folder, it returns the address of a library.
    """

    def is_owner(key: str) -> bool:
        viewer = server.table.seats.viewer_of(key)
        return viewer is not None and viewer.is_owner

    dropping = Dropping(dropped, cache, server.access, is_owner)

    async def open_dropped(connection: Connection, request: Mapping[str, object]) -> None:
        folder = dropping.folder(request["drop"])
        entries = await dropping.entries(folder)
        loading = [entry for entry in entries if entry.loads]
        several = Entry(path=str(folder), kind="folder", title="")
        entry = loading[0] if len(loading) == 1 else several
        run = asyncio.get_running_loop().run_in_executor
        try:
            if entries and not loading:
                raise ForthVMError(entries[0].reason)
            address = await run(None, open_entry, entry, False)
        except ForthVMError as error:
            raise RequestError("not-opened", str(error), reason=str(error)) from error
        connection.send({"is": "opened", "address": address})

    server.routes.append(dropping.route)
    server.handlers["dropped"] = open_dropped
    server.closing.append(dropping.close)
