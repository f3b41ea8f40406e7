"""Files that are dropped on a page: the request that brings them, and what is in them.

The request is a POST, since a message of a WebSocket could not contain them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from forthvm.core.reading import text
from forthvm.library.dropped import MAX_BODY, DropError
from forthvm.library.scan import Scan
from forthvm.web.serving.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from starlette.requests import Request

    from forthvm.library.cache import Cache
    from forthvm.library.dropped import DroppedFiles
    from forthvm.library.entry import Entry
    from forthvm.web.serving.access import Access

__all__ = ["Dropping"]

_REFUSED = 403
_SECONDS = 10.0
"""The time that a window waits; a library shows files while it reads the others."""


class Dropping:
    """Receives dropped files, and finds out what they are.

    Attributes:
        route: The request.
    """

    def __init__(
        self, dropped: DroppedFiles, cache: Cache, access: Access, allows: Callable[[str], bool]
    ) -> None:
        """Prepare.

        Args:
            dropped: Where the files are stored.
            cache: The cache of descriptions.
            access: Which requests are answered at all.
            allows: Whether the holder of a key may drop files.
        """
        self.route = Route("/drop", self._receive, methods=["POST"])
        self._dropped = dropped
        self._cache = cache
        self._access = access
        self._allows = allows
        self._scans: set[Scan] = set()

    def close(self) -> None:
        """End what is running."""
        for scan in list(self._scans):
            scan.stop()

    def folder(self, name: object) -> Path:
        """Return the folder of files that were dropped together.

        Raises:
            ValueError: There are no such files.
        """
        folder = self._dropped.folder_of(text()(name))
        if folder is None:
            raise ValueError(name)
        return folder

    async def entries(self, folder: Path) -> list[Entry]:
        """Return the entries of the files in a folder; none if it takes long to describe them.

        Raises:
            RequestError: There is nothing for a library.
        """
        scan = Scan(self._cache)
        self._scans.add(scan)
        run = asyncio.get_running_loop().run_in_executor
        task = run(None, lambda: list(scan.entries([folder])))
        try:
            in_time, _ = await asyncio.wait({task}, timeout=_SECONDS)
            scan.stop()
            found = await task
        finally:
            self._scans.discard(scan)
        if not in_time:
            return []
        if not found:
            raise RequestError(
                "nothing-dropped",
                "There is nothing in it that forthvm opens: rule files (.zrf) and scripts (.4th) "
                "with a game, saved games (.zsg), saved positions (.json), results files (.db).",
            )
        return found

    async def _receive(self, request: Request) -> Response:
        key = request.query_params.get("key", "")
        if not (self._access.admits_socket(request) and self._allows(key)):
            return Response(status_code=_REFUSED)
        try:
            name = await self._stored(request.stream())
        except DropError as error:
            return JSONResponse(
                RequestError("not-opened", str(error), reason=str(error)).as_message()
            )
        except ClientDisconnect:
            return Response(status_code=_REFUSED)  # the client is gone, so it is never sent
        return JSONResponse({"is": "stored", "drop": name})

    async def _stored(self, stream: AsyncIterator[bytes]) -> str:
        run = asyncio.get_running_loop().run_in_executor
        with self._dropped.body() as body:
            async for data in stream:
                body.write(data)
                if body.tell() > MAX_BODY:
                    raise DropError("the files are too large")
            body.seek(0)
            name = await run(None, self._dropped.store, body)
        await run(None, self._dropped.clean_up)
        return name
