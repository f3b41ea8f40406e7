"""The requests for games as files and texts: saving a game, and opening one.

Owns their names and fields.

Texts come from strangers and may have thousands of variations.  A text is read in a thread of its
own, and its moves are made in parts, so that the table is used meanwhile; only the complete tree
replaces that of the table.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

from forthvm.web.serving.fields import integer, text
from forthvm.web.table.game_files import file_in, file_of, position_in
from forthvm.web.table.game_texts import GameText, replaying, start_of, text_in
from forthvm.web.table.position_link import document_in, is_link
from forthvm.web.table.tree_records import adding
from forthvm.web.table.variations import Variations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game import Position
    from forthvm.game.records.recorded import RecordedGame
    from forthvm.web.serving.connections import Connection
    from forthvm.web.serving.page_server import Handler
    from forthvm.web.table.shared_table import SharedTable

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

    def found_in(request: Mapping[str, object]) -> Position | GameText:
        """Return what a file or a text contains: a link, a position or games."""
        current, choice = table.position, shared.choice
        if "text" not in request:
            data = b64decode(text(request, "data"), validate=True)
            return file_in(text(request, "name"), data, current, choice)
        given = text(request, "text")
        if is_link(given):
            return position_in("the link", document_in(given), current, choice)
        return text_in(given, current.game)

    async def opened(found: GameText) -> tuple[RecordedGame, Position, bool]:
        """Return the first game, the position at its end, and whether other games follow."""
        run = asyncio.get_running_loop().run_in_executor
        record, has_others = await run(None, found.first_game)
        position = await shared.run(lambda: start_of(record, table.game, shared.choice))
        await shared.run_in_parts(replaying(record, position))
        return record, position, has_others

    async def load(connection: Connection, request: Mapping[str, object]) -> None:
        """Continue the game of a file or a text; with `check`, answer whether this is possible."""
        found = await shared.run(lambda: found_in(request))
        record, has_others = None, False
        if isinstance(found, GameText):
            record, found, has_others = await opened(found)
        if "check" in request:
            connection.send({"is": "checked", "check": integer(request, "check")})
            return
        # a game that was resigned, for example, is analysed
        analyse = bool(record and record.result != "*" and not found.result)
        tree = await shared.run(lambda: Variations(found))
        if record is not None:
            await shared.run_in_parts(adding(tree, record))
        await shared.change(lambda: table.set_up(tree, analyse=analyse))
        connection.send({"is": "loaded", "has_others": has_others})

    return {"save": save, "load": load}
