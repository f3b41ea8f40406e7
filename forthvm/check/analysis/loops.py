"""The loops of a definition: their first and last instructions, and whether a path leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.words.code import JUMPS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from forthvm.core.words.code import Code

__all__ = ["Loops"]


class Loops:
    """The loops of a definition.  The head of a loop is its first instruction.

    Attributes:
        last_jumps: For the address of each head, the address of the last jump back to it.
        increments: For the address of the head of each counted loop, the number by which its index
            increases in each iteration, if it is known.
    """

    def __init__(self, codes: Iterable[Code]) -> None:
        self.last_jumps: dict[int, int] = {}
        self.increments: dict[int, int] = {}
        self._exited: set[int] = set()
        before: Code | None = None
        for code in codes:
            if code.name in JUMPS and code.operand <= code.address:
                last = self.last_jumps.get(code.operand, 0)
                self.last_jumps[code.operand] = max(last, code.address)
                if code.name == "(LOOP)":
                    self.increments[code.operand] = 1
                elif code.name == "(+LOOP)" and before is not None and before.name == "LIT":
                    self.increments[code.operand] = before.operand
            before = code

    def note_path(self, address: int, target: int = -1) -> None:
        """Record the loops that a path from `address` to `target` leaves; -1: the path ends."""
        for head, last in self.last_jumps.items():
            if head <= address <= last and not head <= target <= last:
                self._exited.add(head)

    def endless(self, reached: Container[int]) -> Iterator[int]:
        """Yield the last jump of each loop that is reached and never left.

        Of nested loops that are never left, only the innermost one is yielded.
        """
        heads = [head for head in self.last_jumps if head in reached and head not in self._exited]
        for head in heads:
            last = self.last_jumps[head]
            if not any(head < other <= last for other in heads):
                yield last
