"""Moves that a move word builds and does not add.

Owns running each move word with an `add-move` behind it, which adds what the word leaves
unfinished.  So a missing `add-move` is found by running the script, not by reading it.  It must
not know what the moves are wanted for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.debug.generation.traced_generation import TracedGeneration

__all__ = ["wrap_move_words"]

_NAME = "<unfinished moves>"


def wrap_move_words(traced: TracedGeneration) -> Mapping[int, int]:
    """Put an `add-move` behind each move word that the piece types list, in the VM's memory.

    Returns:
        The words as they were, by the execution tokens of those that stand in their places;
        empty where the library cannot compile them.
    """
    native, vm = traced.native, traced.position.game.vm
    add = vm.find("add-move")
    tokens = sorted({listing.word for listing in traced.lists})
    if add is None:
        return {}
    names = {token: f"$finished-{number}" for number, token in enumerate(tokens)}
    definitions = [f": {names[token]} [ {token} , {add} , ] ;" for token in tokens]
    data = native.codec.encode(f"[ DECIMAL {' '.join(definitions)} ")
    base = native.source_add(len(data))
    vm.sources.add(Text(_NAME, data, base, native.codec.encoding))
    try:
        native.interpret(data, base)
    except ForthVMError:  # a library without these words
        return {}
    wrappers = {token: vm.token(name) for token, name in names.items()}
    for listing in traced.lists:
        native.write_cell(listing.address, wrappers[listing.word])
    return {wrapper: token for token, wrapper in wrappers.items()}
