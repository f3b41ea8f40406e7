"""The error of requests that cannot be granted."""

from __future__ import annotations

__all__ = ["RequestError"]


class RequestError(Exception):
    """A request that cannot be granted; the text is for the person at the page."""
