"""Tells which blocks of a piece begin alike, so that they fail together.

A file often lists a block for each length of a line of pieces.  If the first of them ends because
the line is too short, the others need not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.zrf.code import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.zrf.code import Code, Instruction
    from forthvm.zrf.compiler.usage import GameUsage
    from forthvm.zrf.rules import Block

__all__ = ["alike_together", "failing_together"]


class _Node(dict["Instruction | Code", "_Node"]):
    """The blocks with a common beginning: their next instructions, in order of appearance."""

    def place(self, code: Code) -> tuple[int, ...]:
        """Enter a block and return its place: blocks that begin alike have adjacent places."""
        node, path = self, []
        for instruction in code.instructions:
            key = instruction.code if isinstance(instruction, Call) else instruction
            path.append(list(node).index(key) if key in node else len(node))
            node = node.setdefault(key, _Node())
        return tuple(path)


def alike_together(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return blocks in another order: those that begin alike follow each other."""
    root = _Node()
    return tuple(sorted(blocks, key=lambda block: root.place(block.code)))


def failing_together(code: Code, later: Sequence[Code], usage: GameUsage) -> list[int]:
    """Return, for each instruction before the first `add`, how many later blocks fail with it.

    Args:
        code: A block.
        later: The blocks after it, in order.
        usage: What code uses.
    """
    counts = []
    for index, instruction in enumerate(code.instructions):
        later = _with_instruction(later, index, instruction)
        if not later or usage.adds(instruction):
            break
        counts.append(len(later))
    return counts


def _with_instruction(
    blocks: Sequence[Code], index: int, instruction: Instruction
) -> Sequence[Code]:
    """Return the first blocks that have an instruction at an index."""
    for count, block in enumerate(blocks):
        if index >= len(block.instructions) or not _equal(block.instructions[index], instruction):
            return blocks[:count]
    return blocks


def _equal(one: Instruction, other: Instruction) -> bool:
    """Return whether two instructions do the same; false if that is not plain."""
    if isinstance(one, Call) and isinstance(other, Call):
        return one.code is other.code
    return one == other
