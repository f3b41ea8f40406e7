"""Profiles of scripts: tokens and time per word and per source line.

Owns the measurement and the output formats of a profile.
"""

from __future__ import annotations

from .measure import LineCost, Profile, WordCost, profile

__all__ = ["LineCost", "Profile", "WordCost", "profile"]
