"""Moves that a move word builds but does not add.

Owns the wrappers that run `add-move` after each move word.
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
    native, vm = traced.native, traced.position._loaded.vm
    add_move = vm.find("add-move")
    move_words = sorted({entry.word for entry in traced.list_entries})
    if add_move is None:
        return {}
    names = {xt: f"$finished-{number}" for number, xt in enumerate(move_words)}
    definitions = [f": {names[xt]} [ {xt} , {add_move} , ] ;" for xt in move_words]
    data = native.codec.encode(f"[ DECIMAL {' '.join(definitions)} ")
    base = native.source_add(len(data))
    vm.sources.add(Text(_TEXT_NAME, data, base, native.codec.encoding))
    try:
        native.interpret(data, base)
    except ForthVMError:  # the library lacks a word of the definitions
        return {}
    wrappers = {xt: vm.token(name) for xt, name in names.items()}
    for entry in traced.list_entries:
        native.write_cell(entry.address, wrappers[entry.word])
    return {wrapper: xt for xt, wrapper in wrappers.items()}
