"""The requests for pictures and texts: other pieces, and what people share.

Owns the names and fields of these requests, and the limit of a replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import PositionError
from forthvm.core.text.visible import visible
from forthvm.render import svg
from forthvm.render.replay_svg import replay_svg
from forthvm.render.symbols import game_symbols
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.fields import integer, text
from forthvm.web.table.game_texts import game_text
from forthvm.web.table.position_link import link_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game import Position
    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.table.shared_table import SharedTable

__all__ = ["handlers"]

_MOST_PLIES = 1000


def handlers(shared: SharedTable) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name."""
    table = shared.table

    def position_at(number: int) -> Position:
        return table.tree.position_at(table.tree.node(number))

    async def picture(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer with the position of a node, as the viewer sees it; the page makes the PNG."""
        number, form = integer(request, "node"), text(request, "as")
        if form not in ("svg", "png"):
            raise RequestError("no-format", "There is no such format.")
        viewer = shared.viewer_of(connection)

        def draw() -> str:
            title, perspective = table.game.title, table.perspective_of(viewer)
            return svg(position_at(number), title=title, for_player=perspective)

        name = f"{table.game.name}.{form}"
        connection.send({"is": "picture", "as": form, "name": name, "svg": await shared.run(draw)})

    async def replay(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer with the game up to a node as an animated picture."""
        number, name = integer(request, "node"), f"{table.game.name}-replay.svg"
        drawn = await shared.make(("replay", number), lambda: _replay_of(position_at(number)))
        connection.send({"is": "replay", "name": name, "svg": drawn})

    async def link(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer with the text of a link to the position of a node."""
        number = integer(request, "node")
        found = await shared.run(lambda: link_text(position_at(number).to_json()))
        connection.send({"is": "link", "position": found})

    async def as_text(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer with the position of a node, or the game, as text."""
        number, form = integer(request, "node"), text(request, "as")
        if form not in ("position", "game"):
            raise RequestError("no-format", "There is no such format.")
        found = await (
            shared.make("game", lambda: game_text(table))
            if form == "game"
            else shared.run(lambda: position_at(number).to_fen())
        )
        connection.send({"is": "text", "as": form, "text": found})

    async def pieces(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer with another set of pieces."""
        name = text(request, "set")
        found = await shared.run(lambda: game_symbols(table.game, name))
        symbols = {key: symbol.as_json() for key, symbol in found.items()}
        connection.send({"is": "symbols", "symbols": symbols})

    return {"picture": picture, "replay": replay, "link": link, "text": as_text, "pieces": pieces}


def _replay_of(position: Position) -> str:
    """Return the game that led to a position as an animated picture.

    Raises:
        RequestError: The game is too long.
        ForthVMError: The game was loaded, and its moves cannot be made again.
    """
    if position.ply > _MOST_PLIES:
        raise RequestError(
            "long-replay", f"A replay has at most {_MOST_PLIES} moves.", most=_MOST_PLIES
        )
    title = visible(position.game.title)
    try:
        return replay_svg(position, title=title)
    except PositionError:  # the game was loaded: random numbers before its moves are unknown
        again = position.game._begin(position._setup)
        for entry in position.history:
            again.push(entry)
        if again.cells != position.cells:
            raise
        return replay_svg(again, title=title)
