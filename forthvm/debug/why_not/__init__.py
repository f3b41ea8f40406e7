"""The query `why_not`: the reason why a move is not legal, such as the `verify` that refused it.

Owns the query, the search for the refusing decisions, and the result as text and JSON.
"""

from __future__ import annotations

from .query import Answer, Caller, Refusal, WhyNot, why_not

__all__ = ["Answer", "Caller", "Refusal", "WhyNot", "why_not"]
