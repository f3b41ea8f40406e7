"""The request by which a window chooses other pictures for the pieces.

Owns its name and field.  Delegates reading pictures to forthvm.render.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.render.symbols import game_symbols, picture_sets
from forthvm.web.serving.fields import integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.web.play.server import TableServer
    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler

__all__ = ["handlers"]


def handlers(server: TableServer) -> dict[str, Handler]:
    """Return the function that grants the request, by its name."""

    def symbols(number: int) -> dict[str, object]:
        game = server.table.game
        chosen = number if 0 <= number < picture_sets(game) else None
        return {key: one.as_json() for key, one in game_symbols(game, chosen).items()}

    async def pictures(connection: Connection, request: Mapping[str, object]) -> None:
        """Send the window a set of a rule file's pictures; -1: drawings instead."""
        number = integer(request, "set")
        connection.send({"is": "symbols", "symbols": await server.run(lambda: symbols(number))})

    return {"pictures": pictures}
