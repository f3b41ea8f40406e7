"""Profiles: what a piece of play costs, per word and per source line.

Owns the measuring and the formats of a profile.
"""

from __future__ import annotations

from .measure import LineCost, Profile, WordCost, profile

__all__ = ["LineCost", "Profile", "WordCost", "profile"]
