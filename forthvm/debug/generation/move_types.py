"""Names and priorities of move types, read from the source and the tables of a game.

Owns the search for the names and the reading of the priority table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.syntax import tokenize

if TYPE_CHECKING:
    from forthvm.core.bindings import NativeVM
    from forthvm.game import Game

__all__ = ["UNRANKED", "ranks", "type_names"]

UNRANKED = 1000
"""The rank of move types that {move-priorities} does not name."""

_MAX_TYPES = 128
_TYPE_WORDS = frozenset({"{move-type}", "{move-priority}", "{of-type}"})


def type_names(game: Game) -> dict[int, str]:
    """Return the names of the move types by number.

    The names are those of the constants that follow `{move-type}` and similar words in the script.
    """
    vm = game._loaded.vm
    names: dict[int, str] = {}
    for _, data in vm.texts:
        previous = ""
        for token in tokenize(data.decode("latin-1")):
            constant_xt = vm.find(token.text) if previous in _TYPE_WORDS else None
            if constant_xt is not None:
                number = vm.native.read_cell(vm.native.body(constant_xt))
                names.setdefault(number, token.text)
            previous = token.text
    return names


def ranks(native: NativeVM) -> dict[int, int] | None:
    """Return the rank of each move type, 1 for the best; None without {move-priorities}."""
    table = native.variable("$move-priorities")
    if not table:
        return None
    return {kind: native.read_cell(table + CELL * kind) for kind in range(1, _MAX_TYPES)}
