"""The query `explain`: the move word that added a legal move, and the path through that word.

It must not know why other moves are missing (forthvm/debug/why_not).
"""

from __future__ import annotations

from .query import Explanation, Origin, explain

__all__ = ["Explanation", "Origin", "explain"]
