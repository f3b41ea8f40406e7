"""Many positions of a game, stepped together without the GIL."""

from __future__ import annotations

from .environments import Vector, vector

__all__ = ["Vector", "vector"]
