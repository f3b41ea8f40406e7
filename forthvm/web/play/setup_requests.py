"""The requests of the editor of positions: what can be changed, and a game from a new position.

Owns their names and fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.reading import integer as integer_of
from forthvm.core.reading import list_of, optional, text, tuple_of
from forthvm.core.text.visible import visible
from forthvm.game.pieces import MAX_ATTRIBUTE
from forthvm.web.serving.errors import RequestError
from forthvm.web.serving.fields import flag, integer
from forthvm.web.table.editable import Editable
from forthvm.web.table.variations import Variations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.table.shared_table import SharedTable
    from forthvm.web.table.table import Table

__all__ = ["handlers"]

_MOST_PIECES = 5000
_MOST_FIELDS = 1000
_pieces = list_of(
    tuple_of(integer_of(0), text(), text(), optional(integer_of(0, MAX_ATTRIBUTE))), _MOST_PIECES
)
_values = list_of(integer_of(-(2**31), 2**31 - 1), _MOST_FIELDS)


def handlers(shared: SharedTable) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name.

    The functions raise RequestError if a position cannot be played, ForthVMError if the script
    fails in it, and KeyError or ValueError if fields are missing, of another type or of another
    game; then nothing is changed.
    """
    table = shared.table

    async def edit(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer with what can be changed, and the position of a node."""
        number = integer(request, "node")
        found = await shared.run(lambda: _offered(table, number))
        connection.send({"is": "editable", **found})

    async def set_up(connection: Connection, request: Mapping[str, object]) -> None:
        """Begin a game in a position, or show it as the root of variations."""
        analyse = flag(request, "analyse")
        notes: list[str] = []
        await shared.change(lambda: notes.append(_set_up(table, request, analyse=analyse)))
        connection.send({"is": "set up", "note": notes[0], "analyse": analyse})
        if analyse:
            viewer, number = shared.viewer_of(connection), table.tree.root.number
            connection.send(await shared.run(lambda: shared.messages.view(number, viewer)))

    return {"edit": edit, "set up": set_up}


def _offered(table: Table, number: int) -> dict[str, object]:
    """Return what can be changed; in games with hidden pieces, the position is the start."""
    editable, start = Editable(table.game), table.game.start()
    now = start if table.has_secrets else table.tree.position_at(table.tree.node(number))
    return {
        **editable.as_json(now),
        "start": editable.setup_of(start),
        "now": editable.setup_of(now),
    }


def _set_up(table: Table, request: Mapping[str, object], *, analyse: bool) -> str:
    """Set up a position; return what people should know about it: "over", "stuck" or ""."""
    position = Editable(table.game).start(
        _pieces(request["pieces"]), integer(request, "turn"), _values(request["values"])
    )
    outcome = position.result
    if outcome and not analyse:
        reason = visible(outcome.reason)
        raise RequestError(
            "already-over", f"The game is over in this position: {reason}", reason=reason
        )
    note = "over" if outcome else "stuck" if position.is_stuck else ""
    table.set_up(Variations(position), analyse=analyse)
    return note
