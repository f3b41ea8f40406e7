"""The requests for games as files and texts: saving a game, and opening one.

Owns their names and fields.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

from forthvm.web.serving.fields import integer, text
from forthvm.web.table.game_files import file_in, file_of, position_in
from forthvm.web.table.game_texts import Opened, text_in
from forthvm.web.table.position_link import document_in, is_link
from forthvm.web.table.tree_records import add_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.table.shared_table import SharedTable
    from forthvm.web.table.table import Table

__all__ = ["handlers"]


def handlers(shared: SharedTable) -> dict[str, Handler]:
    """Return the function that grants each request, by the request's name.

    The functions raise RequestError or ForthVMError if a file or a text cannot be read or written,
    and KeyError or ValueError if fields are missing or of another type; then nothing is changed.
    """
    table = shared.table

    async def save(connection: Connection, request: Mapping[str, object]) -> None:
        """Answer with the game as a file."""
        form = text(request, "as")
        name, data = await shared.run(lambda: file_of(table.position, form))
        connection.send({"is": "saved", "name": name, "data": b64encode(data).decode()})

    def opened(request: Mapping[str, object]) -> Opened:
        """Return what a file or a text contains: a link, a position or a game."""
        current, choice = table.position, shared.choice
        if "text" not in request:
            data = b64decode(text(request, "data"), validate=True)
            return file_in(text(request, "name"), data, current, choice)
        given = text(request, "text")
        if is_link(given):
            return Opened(position_in("the link", document_in(given), current, choice))
        return text_in(given, current, choice)

    async def load(connection: Connection, request: Mapping[str, object]) -> None:
        """Continue the game of a file or a text; with `check`, answer whether this is possible."""
        found = await shared.run(lambda: opened(request))
        if "check" in request:
            connection.send({"is": "checked", "check": integer(request, "check")})
            return
        await shared.change(lambda: _continue_from(table, found))
        connection.send({"is": "loaded", "has_others": found.has_others})

    return {"save": save, "load": load}


def _continue_from(table: Table, found: Opened) -> None:
    """Continue the game of a file or a text; one that was resigned, for example, is analysed."""
    record, result = found.record, found.position.result
    table.set_up(found.position, analyse=bool(record and record.result != "*" and not result))
    if record:
        add_record(table.tree, record)
