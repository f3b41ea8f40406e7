"""The request by which a window chooses another set of pieces.

Owns its name and field.  Delegates reading pictures to forthvm.render.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.render.symbols import game_symbols
from forthvm.web.serving.fields import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.web.play.server import TableServer
    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler

__all__ = ["handlers"]


def handlers(server: TableServer) -> dict[str, Handler]:
    """Return the function that grants the request, by its name."""

    def symbols(piece_set: str) -> dict[str, object]:
        found = game_symbols(server.table.game, piece_set)
        return {key: symbol.as_json() for key, symbol in found.items()}

    async def pieces(connection: Connection, request: Mapping[str, object]) -> None:
        """Send the window a set of pieces."""
        name = text(request, "set")
        connection.send({"is": "symbols", "symbols": await server.run(lambda: symbols(name))})

    return {"pieces": pieces}
