"""Describes what most blocks touch, whatever stands on the board: steps, then perhaps a slide.

Owns the description, which is much shorter than the sets of positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.zrf.code import Neighbor
from forthvm.zrf.compiler.paths import Loop, Move, Path, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Walk", "walk_of"]


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps, then a slide as far as the board goes.

    Attributes:
        steps: The directions of the steps.
        slide: The direction of the slide; "" for none.
    """

    steps: tuple[str, ...]
    slide: str = ""


def walk_of(path: Path) -> Walk:
    """Return the walk with which a path begins, up to its first slide.

    What else the path does is ignored, so the walk may touch other positions than the path.
    """
    steps: list[str] = []
    for direction, slides in _moves(path):
        if slides:
            while steps and steps[-1] == direction:
                steps.pop()
            return Walk(tuple(steps), direction)
        steps.append(direction)
    return Walk(tuple(steps))


def _moves(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the directions of steps and slides."""
    for step in path.steps:
        match step:
            case Run(path=inner):
                yield from _moves(inner)
            case Move(square=Neighbor(direction=direction)):
                yield direction, False
            case Loop(body=body):
                for direction, _ in _moves(body):
                    yield direction, True
                    break
