"""The requests for explanations: threats, refused moves, how moves are made, and their source.

Owns the names and fields of these requests.  Delegates finding the answers to explanations.py.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.web.serving.errors import RequestError, script_error
from forthvm.web.serving.fields import integer, text, texts_of
from forthvm.web.study.explanations import code_of, construction_of, refusal_of, threats_in
from forthvm.web.study.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.game import Position
    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.study.study_thread import StudyThread
    from forthvm.web.table.shared_table import SharedTable

__all__ = ["handlers"]


def handlers(shared: SharedTable, studies: StudyThread) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name."""
    requests = _Requests(shared, studies)
    return {
        "threats": requests.threats,
        "why not": requests.why_not,
        "code": requests.code,
        "construct": requests.construct,
        "source": requests.source,
    }


class _Requests:
    """The requests of all windows."""

    def __init__(self, shared: SharedTable, studies: StudyThread) -> None:
        self._shared = shared
        self._studies = studies
        self._tasks: set[asyncio.Task[None]] = set()

    async def threats(self, connection: Connection, request: Mapping[str, object]) -> None:
        self._explain(connection, "threats", integer(request, "node"), threats_in)

    async def why_not(self, connection: Connection, request: Mapping[str, object]) -> None:
        number, squares = integer(request, "node"), texts_of(request, "squares")
        code = self._shared.viewer_of(connection).is_owner

        def explanation(position: Position) -> dict[str, object]:
            return refusal_of(position, squares, code=code)

        self._explain(connection, "why not", number, explanation)

    async def code(self, connection: Connection, request: Mapping[str, object]) -> None:
        number, square = integer(request, "node"), text(request, "square")
        self._explain(connection, "code", number, lambda position: code_of(position, square))

    async def construct(self, connection: Connection, request: Mapping[str, object]) -> None:
        number, move = integer(request, "node"), text(request, "move")
        self._explain(
            connection, "construction", number, lambda position: construction_of(position, move)
        )

    async def source(self, connection: Connection, request: Mapping[str, object]) -> None:
        name, game = text(request, "file"), self._shared.table.game
        connection.send(
            {"is": "source", **await self._shared.run(lambda: Sources(game).text(name))}
        )

    def _explain(
        self,
        connection: Connection,
        kind: str,
        number: int,
        function: Callable[[Position], dict[str, object]],
    ) -> None:
        """Send an explanation when it is found; until then, the server reads further requests."""

        async def answer() -> None:
            try:
                found = await self._studies.explain(connection, kind, number, function)
            except RequestError as error:
                connection.send(error.as_message())
            except ForthVMError as error:
                connection.send(script_error(error))
            else:
                if found is not None:
                    connection.send({"is": kind, "node": number, **found})

        task = asyncio.create_task(answer())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
