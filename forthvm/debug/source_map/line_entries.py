"""The cells of a definition at which a line is entered in its middle.

Owns the decision which jumps enter a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.words.code import ENDS, JUMPS, LiveMemory, decode, instructions

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.core.bindings import NativeVM

__all__ = ["LineEntry", "line_entries"]

_DOES = "DOES>"
_LEAVES = frozenset({"BRANCH", "EXIT", _DOES, *ENDS})
"""Words after which the next cell is not executed."""


@dataclass(frozen=True, slots=True)
class LineEntry:
    """A cell at which code outside a line enters it, such as the word after ELSE.

    Attributes:
        address: The address of the cell.
        before: The address of the word of the same line after which the cell is executed, too; 0
            if there is none, or if that word is a jump.
        starts_call: Whether a call begins with the cell: it is the code after DOES>.
    """

    address: int
    before: int = 0
    starts_call: bool = False


def line_entries(
    native: NativeVM, start: int, end: int, is_same_line: Callable[[int, int], bool]
) -> list[LineEntry]:
    """Return the cells at which code outside a line enters it.

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
    name, address = "", start  # of the instruction before
    words_before = {}  # by instruction that is executed after the one before it: its address, or 0
    jumps = []
    for code in instructions(lambda at: decode(memory, at), start, end):
        if name == _DOES:
            entries.append(LineEntry(code.address, starts_call=True))
        if name not in _LEAVES:
            words_before[code.address] = 0 if name in JUMPS else address
        if code.name in JUMPS:
            jumps.append((code.address, code.operand))
        name, address = code.name, code.address
    for source, target in jumps:
        is_loop = target <= source and target in words_before
        if start <= target < end and not is_loop and not is_same_line(source, target):
            before = words_before.get(target, 0)
            same_line = before != 0 and is_same_line(before, target)
            entries.append(LineEntry(target, before if same_line else 0))
    return entries
