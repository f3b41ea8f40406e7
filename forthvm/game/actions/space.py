"""The space of a game's actions: which numbers there are, and what each of them means.

Owns the layout of the numbers, which native/encoding/action_space.c computes, too: a block for each
kind of movement, and spare numbers for moves that have none in a block.  exploration.py finds the
form of a game's space.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from forthvm.core.bindings import ActionBlock, ActionFinder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["EMPTY", "Form", "Kind", "Movement", "Space", "kind_of", "movement_text", "movements"]

EMPTY = -1
"""No position, in movements."""


class Kind(IntEnum):
    """The kinds of main movements, by the positions that they have; as `fvm_action_kind`."""

    MOVE = 0  # from and to
    PLACE = 1  # only to
    REMOVE = 2  # only from
    OTHER = 3  # neither, as passes


@dataclass(frozen=True)
class Movement:
    """The main movement of moves.

    Attributes:
        source: The index of the position from which a piece disappears, else EMPTY.
        target: The index of the position on which a piece appears, else EMPTY.
        type: The number of the type of the piece on `target`, if it is a new one; else 0.
    """

    source: int
    target: int
    type: int


def kind_of(source: int, target: int) -> Kind:
    """Return the kind of a movement."""
    if source >= 0:
        return Kind.MOVE if target >= 0 else Kind.REMOVE
    return Kind.PLACE if target >= 0 else Kind.OTHER


@dataclass(frozen=True)
class Form:
    """What tells the moves of one kind apart.

    Attributes:
        squares: The number of positions, from the first one; 1 for OTHER; 0: there are no numbers
            for such moves.
        types: The new types that tell moves with the same squares apart; empty if none do.
        choices: Else the number of moves with the same squares.
    """

    squares: int
    types: tuple[int, ...]
    choices: int

    @property
    def planes(self) -> int:
        """How many numbers each movement has."""
        return len(self.types) or self.choices


@dataclass(frozen=True)
class Space:
    """The numbers of a game's actions.

    Attributes:
        positions: The number of positions of the board.
        forms: By kind, the form of its numbers.
        spare: The number of spare numbers for each position, and for moves without a position.
    """

    positions: int
    forms: tuple[Form, ...]
    spare: int

    @property
    def blocks(self) -> tuple[ActionBlock, ...]:
        """The numbers of each kind."""
        blocks, start = [], 0
        for kind, form in zip(Kind, self.forms, strict=True):
            blocks.append(ActionBlock(start, form.squares, form.planes, form.types))
            start += movements(kind, form.squares) * form.planes
        return tuple(blocks)

    @property
    def spare_start(self) -> int:
        """The first spare number."""
        return sum(
            movements(kind, form.squares) * form.planes
            for kind, form in zip(Kind, self.forms, strict=True)
        )

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.spare_start + self.spare * (self.positions + 1)

    def finder(self) -> ActionFinder:
        """Return a finder of the numbers of moves."""
        return ActionFinder(self.blocks, self.positions, self.spare_start, self.spare)

    def meaning(self, number: int) -> tuple[Movement, int, bool]:
        """Return a movement, the index of a choice, and whether the number is a spare one.

        A spare number has the position as `target`.
        """
        spare = number - self.spare_start
        if spare >= 0:
            rank, slot = divmod(spare, self.positions + 1)
            return Movement(EMPTY, EMPTY if slot == self.positions else slot, 0), rank, True
        blocks = self.blocks
        kind = max(kind for kind in Kind if blocks[kind].start <= number and self._has(kind))
        block = blocks[kind]
        plane, index = divmod(number - block.start, movements(kind, block.squares))
        source, target = {
            Kind.MOVE: divmod(index, block.squares),
            Kind.PLACE: (EMPTY, index),
            Kind.REMOVE: (index, EMPTY),
            Kind.OTHER: (EMPTY, EMPTY),
        }[kind]
        if block.types:
            return Movement(source, target, block.types[plane]), 0, False
        return Movement(source, target, 0), plane, False

    def text(
        self, number: int, square: Callable[[int], str], type_name: Callable[[int], str]
    ) -> str:
        """Return what a number means, for people."""
        movement, choice, is_spare = self.meaning(number)
        if is_spare:
            name = "no square" if movement.target == EMPTY else square(movement.target)
            return f"{name}, spare {choice + 1}"
        text = movement_text(movement, square, type_name)
        return f"{text}, choice {choice + 1}" if choice else text

    def on_squares(self, squares: Sequence[int]) -> list[int]:
        """Return for each number the one with each position replaced; -1 if there is none."""
        images: list[int] = []
        for kind, block in zip(Kind, self.blocks, strict=True):
            moved = [at if at < block.squares else EMPTY for at in squares[: block.squares]]
            if kind is Kind.MOVE:
                indices = [
                    EMPTY if EMPTY in (source, target) else source * block.squares + target
                    for source in moved
                    for target in moved
                ]
            else:
                indices = moved if kind is not Kind.OTHER else [0]
            for plane in range(block.planes):
                start = block.start + plane * len(indices)
                images += [EMPTY if index == EMPTY else start + index for index in indices]
        for rank in range(self.spare):
            start = self.spare_start + rank * (self.positions + 1)
            images += [start + slot for slot in (*squares, self.positions)]
        return images

    def __str__(self) -> str:
        """Return the form as text, such as `6 x 6 moves x 5 types + 28 spare`."""
        parts = []
        for kind, form in zip(Kind, self.forms, strict=True):
            if not self._has(kind):
                continue
            text = _KIND_TEXTS[kind].format(form.squares)
            if form.planes > 1:
                text += f" x {form.planes} {'types' if form.types else 'choices'}"
            parts.append(text)
        if self.spare:
            parts.append(f"{self.spare * (self.positions + 1)} spare")
        return " + ".join(parts)

    def _has(self, kind: Kind) -> bool:
        return self.forms[kind].squares > 0


_KIND_TEXTS = {
    Kind.MOVE: "{0} x {0} moves",
    Kind.PLACE: "{0} placements",
    Kind.REMOVE: "{0} removals",
    Kind.OTHER: "passes",
}


def movements(kind: Kind, squares: int) -> int:
    """Return how many movements between squares there are."""
    if kind is Kind.MOVE:
        return squares * squares
    return squares


def movement_text(
    movement: Movement, square: Callable[[int], str], type_name: Callable[[int], str]
) -> str:
    """Return the text of a movement, such as `a7 - a8 = queen`."""
    kind = type_name(movement.type) if movement.type else ""
    match kind_of(movement.source, movement.target):
        case Kind.MOVE:
            text = f"{square(movement.source)} - {square(movement.target)}"
            return f"{text} = {kind}" if kind else text
        case Kind.PLACE:
            return f"{kind} {square(movement.target)}".lstrip()
        case Kind.REMOVE:
            return f"x {square(movement.source)}"
    return "pass"
