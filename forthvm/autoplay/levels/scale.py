"""A scale of engines, and the choice of the next engine to measure.

Owns the translation of a strength, a number, into a specification, and the interpolation that
proposes a strength.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TARGET", "Measured", "Scale", "next_strength"]

TARGET = 100.0
"""The intended difference in Elo between neighbours."""
_SPREAD = 50.0
"""The distance from `TARGET`, in Elo, at which a measurement counts half."""
_LARGEST_STEP = 2.0
"""The maximum ratio of a step to the largest step tried before."""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Engines of growing strength: first fewer random moves, then more nodes.

    From strength 0 to 1 the share of random moves falls from 1 to 0.  Above 1 the number of nodes
    doubles with each unit.
    """

    engine: str = "negamax"
    unit: str = "nodes"
    """The option that limits the search."""
    base: int = 60
    """The value of the option up to strength 1."""
    options: str = "tt=1,net=none"
    """Further options of the engine."""
    top: int = 2000
    """The greatest value of the option that is measured."""

    @property
    def strongest(self) -> float:
        """The greatest strength."""
        return 1 + math.log2(self.top / self.base)

    def spec(self, strength: float) -> str:
        """Return the specification of the engine with a strength.

        >>> Scale().spec(0.25), Scale().spec(2)
        ('mixed:random=0.75,nodes=60,tt=1,net=none', 'mixed:nodes=120,tt=1,net=none')
        """
        share = round(1 - strength, 3)
        amount = _three_digits(self.base * 2 ** (strength - 1)) if strength > 1 else self.base
        texts = [
            "" if self.engine == "negamax" else f"engine={self.engine}",
            f"random={share}" if share > 0 else "",
            f"{self.unit}={amount}",
            self.options,
        ]
        return f"mixed:{','.join(filter(None, texts))}"


@dataclass(frozen=True)
class Measured:
    """A measured difference in Elo between an engine and the level below."""

    strength: float
    elo: float
    games: int


def next_strength(reference: float, step: float, measured: Sequence[Measured]) -> float:
    """Propose the strength of an engine that is `TARGET` Elo stronger than a level.

    The proposal assumes that Elo grows in proportion to the difference in strength.  Measurements
    near the target and those of many games count more.

    Args:
        reference: The strength of the level.
        step: The first difference in strength to try.
        measured: The engines that have played against the level.

    >>> next_strength(1.0, 0.1, [])
    1.1
    >>> round(next_strength(1.0, 0.1, [Measured(1.1, 50.0, 100)]), 6)
    1.2
    """
    if not measured:
        return reference + step
    weights = [each.games / (1 + ((each.elo - TARGET) / _SPREAD) ** 2) for each in measured]
    slopes = [each.elo / (each.strength - reference) for each in measured]
    slope = math.fsum(w * s for w, s in zip(weights, slopes, strict=True)) / math.fsum(weights)
    largest = _LARGEST_STEP * max(each.strength - reference for each in measured)
    return reference + (min(TARGET / slope, largest) if slope > 0 else largest)


def _three_digits(value: float) -> int:
    """Round to three significant digits.

    >>> _three_digits(12345)
    12300
    """
    return int(float(f"{value:.3g}"))
