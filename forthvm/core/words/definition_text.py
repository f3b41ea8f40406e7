"""The text of a word's definition, as it stands in the source.

Owns finding it from the source positions of the word's cells.  It must not know compiled code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL, HEADER
from forthvm.syntax import definition_at

if TYPE_CHECKING:
    from forthvm.core.vm import VM

__all__ = ["definition_text"]


def definition_text(vm: VM, cfa: int) -> str | None:
    """Text of the definition of the word with that token, None where there is none."""
    for address in (cfa, cfa - HEADER, cfa + CELL):
        position = vm.native.source_at(address)
        text = vm.sources.text_at(position)
        if text is not None:
            source = text.data.decode("latin-1")  # one character a byte, so that offsets agree
            start, end = definition_at(source, position - text.base)
            return text.decode(text.data[start:end])
    return None
