"""The uses of a word: the cells that contain its execution token.

Owns the search through the dictionary.  The search does not decode definitions: a cell counts if
the VM knows its source position, that is, if a token of a loaded text compiled the cell.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import HEADER

if TYPE_CHECKING:
    from forthvm.core.location import Location
    from forthvm.core.vm import VM

__all__ = ["Use", "uses"]


@dataclass(frozen=True)
class Use:
    """One use of a word.

    Attributes:
        address: The cell that contains the execution token.
        word: The word that contains the cell: a definition, or a table such as a list of moves.
        location: The token of the source that compiled the cell.
    """

    address: int
    word: str
    location: Location


def uses(vm: VM, name: str) -> tuple[Use, ...]:
    """Return the known uses of a word, in the order of the dictionary.

    Raises:
        UndefinedWord: There is no such word.
    """
    native = vm.native
    token = vm.token(name)
    token_bytes = token.to_bytes(4, sys.byteorder)
    base = _oldest(vm)
    memory = native.read(base, native.here() - base)
    found = []
    offset = memory.find(token_bytes)
    while offset >= 0:
        address = base + offset
        location = vm.location_of(address)
        nfa = native.word_at(address) if location is not None else 0
        if nfa and location is not None and address >= nfa + HEADER:
            found.append(Use(address, native.name(nfa), location))
        offset = memory.find(token_bytes, offset + 1)
    return tuple(found)


def _oldest(vm: VM) -> int:
    """Return the header of the oldest word, the first of the dictionary."""
    nfa = older = vm.native.latest()
    while older:
        nfa, older = older, vm.native.previous(older)
    return nfa
