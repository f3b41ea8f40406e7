"""The source text of a word's definition.

Finds the text by the word's source position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, COLON, HOST
from forthvm.syntax import definition_at

if TYPE_CHECKING:
    from forthvm.core.vm import VM

__all__ = ["definition_text", "is_kernel_word"]


def is_kernel_word(vm: VM, cfa: int) -> bool:
    """Return whether a word is written in C."""
    kind = vm.native.primitive(cfa)
    # The cell after the code field of a service, a word in C of standard Forth, is negative.
    return kind < COLON or (kind == HOST and vm.native.read_cell(cfa + CELL) < 0)


def definition_text(vm: VM, cfa: int) -> str | None:
    """Return the source text of the definition of a word, None for a word in C."""
    if is_kernel_word(vm, cfa):
        return None
    position = vm.definition_position(cfa)
    text = vm.sources.text_at(position)
    if text is None:
        return None
    source = text.data.decode("latin-1")  # one character per byte, so that offsets agree
    start, end = definition_at(source, position - text.base)
    return text.decode(text.data[start:end])
