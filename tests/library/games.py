"""Small games for the library."""

from __future__ import annotations

from tests.kit.boards import HEAPS

__all__ = ["ENDLESS", "HEAPS", "RULES", "scripts"]

RULES = """\
; Written by Ada Lovelace in one evening.
(game (title "Drops") (description "Put a man on each square.") (players Red Blue)
 (turn-order Red Blue)
 (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9)))))
 (piece (name man) (drops (add)))
 (board-setup (Red (man off 3)))
 (loss-condition (Red Blue) stalemated))
(variant (title "More drops") (board-setup (Red (man off 4))))
"""
"""A rule file with two variants and a board of three columns and two rows."""

ENDLESS = HEAPS.replace("( -- ) friend?", "( -- ) BEGIN 0 UNTIL friend?")
"""Generating the moves of this game never ends."""


def scripts(number: int) -> dict[str, str]:
    """Return the names and texts of games that differ in their summaries."""
    return {f"heaps-{at:03}.4th": f"\\ Game {at}\n{HEAPS}" for at in range(number)}
