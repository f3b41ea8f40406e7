"""The error for rules that the compiler cannot translate yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.zrf.source import Origin

__all__ = ["NotSupportedError"]


class NotSupportedError(Exception):
    """Rules that cannot be compiled yet, with their place if it is known."""

    def __init__(self, what: str, origin: Origin | None = None) -> None:
        place = f"{origin.place}: " if origin is not None else ""
        super().__init__(f"{place}not supported yet: {what}")
        self.what = what
        self.origin = origin
