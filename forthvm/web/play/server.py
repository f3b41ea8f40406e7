"""The server of a table, on which all windows play.

Owns which requests each window may make.  The handler of a request either changes the table for all
windows (`SharedTable.change`), or sends an answer to the window that made the request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.web.play import file_requests, play_requests, setup_requests, share_requests
from forthvm.web.play.engine_seats import EngineSeats
from forthvm.web.serving.access import LOOPBACK_NAMES, Access
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.page_server import MAX_REQUEST, PageServer
from forthvm.web.study import explanation_requests, study_requests, tree_requests
from forthvm.web.study.analysis import Analysis
from forthvm.web.study.study_thread import StudyThread
from forthvm.web.table.shared_table import SharedTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.catalogue.bundled import BundledGame
    from forthvm.web.serving.connections import Connection
    from forthvm.web.table.table import Table

__all__ = ["MAX_UPLOAD", "TableServer"]

MAX_UPLOAD = 4 << 20
"""The maximum length of a request of the owner in characters; that of a long game is 100,000."""

_FOR_ALL = frozenset({"look", "pieces", "picture", "replay", "text"})
"""Requests that all windows may make."""
_FOR_PLAYERS = frozenset(
    {"play", "type", "undo", "step back", "move now", "offer", "answer", "resign", "why not"}
    | {"save", "link"}
)
"""Requests that all players may make; requests that are in neither set are only for the owner."""
_NOT_REVEALING = frozenset(
    {"new", "load", "dropped", "options", "seat", "renew", "redo", "edit", "set up"}
    | (_FOR_ALL | _FOR_PLAYERS) - {"save", "link", "replay", "text", "why not"}
)
"""Requests whose answers do not reveal hidden pieces of other players."""
_ADVICE = (
    "If it contains a position (#position=...), paste it on your own board under Share, or run\n"
    "    forthvm board --position LINK\n"
)


class TableServer(PageServer):
    """Serves one table to browsers that know one of its keys.

    Attributes:
        table: The table; another thread may be using it.
        shared: The table with its windows.
        engines: Makes the moves of engines and of chance.
        analysis: The engine that analyses positions for windows.
        studies: The thread that explains positions to windows.
    """

    def __init__(
        self,
        table: Table,
        names: Iterable[str] = LOOPBACK_NAMES,
        others: Iterable[BundledGame] = (),
    ) -> None:
        """Prepare the application.

        Args:
            table: The table.
            names: The names under which browsers may address the server.
            others: Games that are offered besides the bundled and installed ones.
        """
        super().__init__(
            "index.html",
            Access(lambda key: table.seats.viewer_of(key) is not None, names, _ADVICE),
        )
        self.table = table
        self.shared = shared = SharedTable(table, others, self.connections)
        self.engines = EngineSeats(shared)
        self.analysis = Analysis(shared)
        self.studies = StudyThread(shared)
        shared.changed = self._table_changed
        for requests in (
            play_requests.handlers(shared, self.engines),
            file_requests.handlers(shared),
            setup_requests.handlers(shared),
            tree_requests.handlers(shared),
            study_requests.handlers(shared, self.analysis),
            explanation_requests.handlers(shared, self.studies),
            share_requests.handlers(shared),
        ):
            self.handlers |= requests

    def _table_changed(self, ends_search: bool) -> None:
        self.analysis.update()  # a game with a guest may have begun
        if ends_search:
            self.engines.discard()
        self.engines.drive()

    async def start(self) -> None:
        """Let engines and chance move."""
        await self.shared.start()
        self.engines.drive()

    async def close(self) -> None:
        """End the searches of engines, and the thread of the position."""
        await self.engines.close()
        await self.analysis.close()
        self.studies.close()
        self.shared.close()

    async def greet(self, connection: Connection) -> None:
        """Send the board, the moves and the state of the table to a new window."""
        await self.shared.greet(connection)
        if self.engines.thinking:
            connection.send(self.engines.thinking)
        self.engines.drive()

    def check_request(self, connection: Connection, name: str) -> None:
        """Raise RequestError if a window may not make the requests with a name."""
        viewer = self.shared.viewer_of(connection)
        if self.shared.has_secrets and name not in _NOT_REVEALING:
            raise RequestError("secret", "This would reveal hidden pieces before the game ends.")
        if viewer.is_owner or name in _FOR_ALL:
            return
        if not viewer.players:
            raise RequestError("watcher", "With this link you can only watch.")
        if name not in _FOR_PLAYERS:
            raise RequestError("owner-only", "Only the owner of the table may do this.")

    def longest_request(self, connection: Connection) -> int:
        """Return the number of characters that a request may have; the owner sends whole games."""
        viewer = self.table.seats.viewer_of(connection.key)
        return MAX_UPLOAD if viewer is not None and viewer.is_owner else MAX_REQUEST

    async def window_closed(self, connection: Connection) -> None:
        """End the work for a window that is closed."""
        self.analysis.forget(connection)
        self.studies.forget(connection)
        self.shared.send_absent()

    async def after_request(self) -> None:
        """Let engines and chance move."""
        self.engines.drive()
