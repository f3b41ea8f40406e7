"""Moves that a move word builds but does not add.

Owns the wrappers that run `add-move` after each move word, so that a missing `add-move` is found
by running the script.  It must not know the purpose of the moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError
from forthvm.core.loading.source import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.debug.generation.traced_generation import TracedGeneration

__all__ = ["wrap_move_words"]

_TEXT_NAME = "<unfinished moves>"


def wrap_move_words(traced: TracedGeneration) -> Mapping[int, int]:
    """Replace each listed move word in memory by a wrapper that also runs `add-move`.

    Returns:
        The original words by the execution tokens of their wrappers; empty if the library cannot
        compile wrappers.
    """
    native, vm = traced.native, traced.position.game.vm
    add_move = vm.find("add-move")
    tokens = sorted({listing.word for listing in traced.listings})
    if add_move is None:
        return {}
    names = {token: f"$finished-{number}" for number, token in enumerate(tokens)}
    definitions = [f": {names[token]} [ {token} , {add_move} , ] ;" for token in tokens]
    data = native.codec.encode(f"[ DECIMAL {' '.join(definitions)} ")
    base = native.source_add(len(data))
    vm.sources.add(Text(_TEXT_NAME, data, base, native.codec.encoding))
    try:
        native.interpret(data, base)
    except ForthVMError:  # a library without these words
        return {}
    wrappers = {token: vm.token(name) for token, name in names.items()}
    for listing in traced.listings:
        native.write_cell(listing.address, wrappers[listing.word])
    return {wrapper: token for token, wrapper in wrappers.items()}
