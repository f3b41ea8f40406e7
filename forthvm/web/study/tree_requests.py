"""The requests about the tree of moves: looking at its positions, variations, comments.

Owns the names and fields of these requests.

A window can show the position of any node without disturbing the game.  A move made in such a
position is a variation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.game import HistoryEntry
from forthvm.game.notation import HOST_PASS
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.fields import integer, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.table.shared_table import SharedTable
    from forthvm.web.table.variations import Variations

__all__ = ["handlers"]


def handlers(shared: SharedTable) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name."""
    table = shared.table

    async def look(connection: Connection, request: Mapping[str, object]) -> None:
        await show(connection, integer(request, "node"))

    async def show(connection: Connection, number: int) -> None:
        connection.send(
            await shared.run(lambda: shared.messages.view(number, shared.viewer_of(connection)))
        )

    async def vary(connection: Connection, request: Mapping[str, object]) -> None:
        number, index = integer(request, "node"), integer(request, "move")
        node = await shared.change_tree(lambda: _vary(table.tree, number, index))
        await show(connection, node)

    def on_node(change: Callable[[Variations, int], None]) -> Handler:
        """Return the handler of a change that needs only a node."""

        async def handle(_: Connection, request: Mapping[str, object]) -> None:
            number = integer(request, "node")
            await shared.change_tree(lambda: change(table.tree, number))

        return handle

    async def comment(_: Connection, request: Mapping[str, object]) -> None:
        number, words = integer(request, "node"), text(request, "text")
        await shared.change_tree(lambda: table.tree.comment(number, words))

    async def judge(_: Connection, request: Mapping[str, object]) -> None:
        number, glyph = integer(request, "node"), text(request, "glyph")
        await shared.change_tree(lambda: table.tree.judge(number, glyph))

    async def play_from(connection: Connection, request: Mapping[str, object]) -> None:
        number = integer(request, "node")
        await shared.change(lambda: table.play_from(shared.viewer_of(connection), number))

    return {
        "look": look,
        "vary": vary,
        "delete": on_node(lambda tree, number: tree.delete(number)),
        "promote": on_node(lambda tree, number: tree.promote(number)),
        "comment": comment,
        "judge": judge,
        "play from": play_from,
    }


def _vary(tree: Variations, number: int, index: int) -> int:
    """Add the legal move with an index, or a pass, to a node; return the number of its node."""
    position = tree.position_at(tree.node(number))
    moves = position.legal_moves
    if index == HOST_PASS and position.is_stuck:
        entry = HistoryEntry(position.turn, "Pass", HOST_PASS)
    elif 0 <= index < len(moves):
        entry = moves[index].entry
    else:
        raise RequestError("not-legal", "This is not a legal move.")
    return tree.add(number, [entry]).number
