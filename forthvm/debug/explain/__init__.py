"""Where a legal move comes from: the word that produced it, and the path through that word.

It must not know why other moves are missing (forthvm/debug/why_not).
"""

from __future__ import annotations

from .question import Explanation, Origin, explain

__all__ = ["Explanation", "Origin", "explain"]
