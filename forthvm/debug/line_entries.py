"""The cells of a definition at which a line is entered in its middle.

Owns the decision which jumps enter a line.  It must not know files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.words.code import ENDS, JUMPS, LiveMemory, decode, instructions

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.bindings import NativeVM

__all__ = ["line_entries"]

_DOES = "DOES>"
_LEAVES = frozenset({"BRANCH", "EXIT", _DOES, *ENDS})
"""Words after which the next cell is not executed."""


def line_entries(
    native: NativeVM, start: int, end: int, is_same_line: Callable[[int, int], bool]
) -> list[int]:
    """Return the cells at which code outside a line enters it, such as the words after ELSE.

    Loops that begin in the middle of a line, after other words of the line, are left out: each
    pass through such a line begins with its first cell.

    Args:
        native: The VM.
        start: The address of the definition's first cell.
        end: The address after its last cell.
        is_same_line: Whether two cells were compiled from the same line.
    """
    memory = LiveMemory(native)
    entries = []
    before = ""  # the word before an instruction
    falls_through = set()  # instructions that are executed after the one before them
    jumps = []
    for code in instructions(lambda address: decode(memory, address), start, end):
        if before == _DOES:
            entries.append(code.address)
        if before not in _LEAVES:
            falls_through.add(code.address)
        if code.name in JUMPS:
            jumps.append((code.address, code.operand))
        before = code.name
    for source, target in jumps:
        is_loop = target <= source and target in falls_through
        if start <= target < end and not is_loop and not is_same_line(source, target):
            entries.append(target)
    return entries
