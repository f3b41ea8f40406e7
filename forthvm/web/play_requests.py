"""The requests by which people change the table: moves, taking back, seats.

Owns the names and fields of these requests.  It must not know how the table grants them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.web.fields import integer, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.web.connections import Connection
    from forthvm.web.page_server import Handler
    from forthvm.web.server import TableServer

__all__ = ["handlers"]


def handlers(server: TableServer) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name.

    The functions raise RequestError if the table refuses the request, and KeyError or TypeError if
    fields are missing or of another type.
    """
    table = server.table

    async def play(connection: Connection, request: Mapping[str, object]) -> None:
        node, move = integer(request, "node"), integer(request, "move")
        await server.change(lambda: table.play(server.viewer_of(connection), node, move))

    async def undo(_: Connection, __: Mapping[str, object]) -> None:
        await server.change(table.undo)

    async def redo(_: Connection, __: Mapping[str, object]) -> None:
        await server.change(table.redo)

    async def new(_: Connection, __: Mapping[str, object]) -> None:
        await server.change(table.restart)

    async def seat(_: Connection, request: Mapping[str, object]) -> None:
        player, spec = text(request, "player"), text(request, "by")
        await server.change(lambda: table.seats.give(player, spec))

    async def renew(_: Connection, request: Mapping[str, object]) -> None:
        player = text(request, "player")
        await server.change(lambda: table.seats.renew_key(player), stop_engine=False)

    return {"play": play, "undo": undo, "redo": redo, "new": new, "seat": seat, "renew": renew}
