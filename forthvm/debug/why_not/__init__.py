"""Why a move is not legal: which `verify` refused it, or what else.

Owns the question, the search for the refusing decisions, and the answer as text and JSON.
"""

from __future__ import annotations

from .question import Answer, Caller, Refusal, WhyNot, why_not

__all__ = ["Answer", "Caller", "Refusal", "WhyNot", "why_not"]
