"""The saved form of a table: its moves, seats, clocks, offer and end, as JSON.

Owns the document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.reading import as_type, dict_of, optional, text
from forthvm.game import HistoryEntry
from forthvm.game.document.reading import read_setup
from forthvm.web.table.clocks import Clocks
from forthvm.web.table.endings import Ending
from forthvm.web.table.offers import Offer
from forthvm.web.table.variations import Variations, checked_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.game import Position
    from forthvm.web.table.table import Table

__all__ = ["document_of", "restore"]


def document_of(table: Table) -> dict[str, Any]:
    """Return a table as JSON."""
    return {
        "tree": table.tree.as_json(),
        "seats": table.seats.as_json(),
        "clocks": table.clocks and table.clocks.as_json(table.now()),
        "left": table.departed,
        "ending": table.ending and vars(table.ending),
        "offer": table.offer and vars(table.offer),
    }


def restore(table: Table, document: Mapping[str, Any]) -> str:
    """Give a table the seats, clocks and moves of a saved one.

    If the script has changed since the table was saved, the moves of the game are made again as far
    as they are legal, and variations are lost.

    Args:
        table: A table of the same game.
        document: What `document_of` returned.

    Returns:
        What could not be restored, in words; "" if everything was.

    Raises:
        KeyError, ValueError: The document is damaged.
    """
    table.seats.restore(document["seats"])
    saved = document["clocks"]
    table.clocks = None if saved is None else Clocks.from_json(saved)
    table.departed = dict_of(text())(document["left"])
    table.ending = optional(as_type(Ending))(document["ending"])
    missing = ""
    try:
        table.tree = Variations.from_json(table.game, document["tree"])
    except PositionError as error:
        position = _made_again(table, checked_fields(document["tree"]))
        table.tree = Variations(position)
        missing = f"{error}; {position.ply} moves of the game could be made again"
    table.changed()
    offer = optional(as_type(Offer))(document.get("offer"))  # absent from files of earlier versions
    if not missing:
        table.offer = offer
    return missing


def _made_again(table: Table, tree: Mapping[str, Any]) -> Position:
    """Return the position after the first of the saved moves, up to one that is not legal."""
    nodes = {node["number"]: node for node in tree["nodes"]}
    line, number = [], tree["played"]
    while number in nodes:
        line.append(nodes.pop(number))
        number = line[-1]["parent"]
    try:
        position = table.game._begin(read_setup(table.game._loaded, tree["start"]))
    except (ForthVMError, ValueError):  # the script has other names now
        position = table.game.start()
    try:
        for node in reversed(line):
            position.push(HistoryEntry(node["player"], node["move"], node["index"]))
    except ForthVMError:
        table.ending = None
        table.departed = {}
    return position
