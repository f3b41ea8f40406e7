"""The loops of a definition: their first and last instructions, and whether a path leaves them.

This file must not know the stacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.words.code import JUMPS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from forthvm.core.words.code import Code

__all__ = ["Loops"]


class Loops:
    """Loops by the addresses of their heads.

    Attributes:
        heads: The address of the last jump back to each head.
        closings: The name of that jump: UNTIL is `0BRANCH`, REPEAT is `BRANCH`.
    """

    def __init__(self, codes: Iterable[Code]) -> None:
        self.heads: dict[int, int] = {}
        self.closings: dict[int, str] = {}
        self._left: set[int] = set()
        for code in codes:
            if code.name in JUMPS and code.operand <= code.address:
                last = self.heads.get(code.operand, 0)
                self.heads[code.operand] = max(last, code.address)
                self.closings[code.operand] = code.name

    def leave(self, address: int, target: int = -1) -> None:
        """Record that a path goes from an address to another one, or ends there."""
        for head, last in self.heads.items():
            if head <= address <= last and not head <= target <= last:
                self._left.add(head)

    def endless(self, reached: Container[int]) -> Iterator[int]:
        """Yield the last jumps of loops that are reached and never left; innermost loops only."""
        heads = [head for head in self.heads if head in reached and head not in self._left]
        for head in heads:
            last = self.heads[head]
            if not any(head < other <= last for other in heads):
                yield last
