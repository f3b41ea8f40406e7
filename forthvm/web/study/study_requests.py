"""The requests for the lines of an engine.

Owns the names and fields of these requests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.web.serving.fields import integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.study.analysis import Analysis
    from forthvm.web.table.shared_table import SharedTable

__all__ = ["handlers"]

_MAX_MOVES = 64  # of a line


def handlers(shared: SharedTable, analysis: Analysis) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name."""

    async def analyse(connection: Connection, request: Mapping[str, object]) -> None:
        analysis.ask(connection, integer(request, "node"))

    async def stop_analysis(connection: Connection, _: Mapping[str, object]) -> None:
        analysis.forget(connection)

    async def review(connection: Connection, _: Mapping[str, object]) -> None:
        """Analyse each position of the game for a moment."""
        analysis.review(connection, await shared.run(shared.table.tree.game_numbers))

    async def follow(connection: Connection, request: Mapping[str, object]) -> None:
        """Add the first moves of a line as a variation, and show its last position."""
        number, rank, count = (integer(request, name) for name in ("node", "line", "moves"))
        texts = analysis.moves(number, rank, min(max(count, 1), _MAX_MOVES))
        node = await shared.change_tree(lambda: shared.table.tree.add_texts(number, texts))
        connection.send(
            await shared.run(
                lambda: shared.messages.view(node.number, shared.viewer_of(connection))
            )
        )

    return {
        "analyse": analyse,
        "stop analysis": stop_analysis,
        "review": review,
        "follow": follow,
    }
