"""The query `explain`: the move word that added a legal move, and the path through that word.

forthvm/debug/why_not tells why other moves are missing.
"""

from __future__ import annotations

from .query import Explanation, Origin, explain

__all__ = ["Explanation", "Origin", "explain"]
