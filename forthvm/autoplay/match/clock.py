"""The clock of a player in a game.

Owns the remaining time of a player, the limits of each move, and the check whether the player
is out of time.  It must not measure time; game.py does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from forthvm.engines.protocol import Limits

if TYPE_CHECKING:
    from forthvm.autoplay.match.settings import TimeControl

__all__ = ["Clock"]


class Clock:
    """The clock of one player in one game."""

    def __init__(self, control: TimeControl) -> None:
        """Create a clock with the full time."""
        self.control = control
        self.remaining = control.base
        """Seconds left for the game; None if the time for the game is not limited."""
        self.moves = 0
        """The number of moves made with this clock."""

    @property
    def limits(self) -> Limits:
        """The limits of time that an engine is given for the next move."""
        control = self.control
        limits = Limits(
            time=control.move,
            clock=self.remaining,
            increment=control.increment or None,
            moves=control.moves - self.moves % control.moves if control.moves else None,
        )
        if self.remaining is None:
            return limits
        return replace(limits, time=max(0.001, limits.seconds or 0.0))

    @property
    def max_seconds(self) -> float | None:
        """The seconds after which the next move is too late, margin included; None for never."""
        control = self.control
        limits = []
        if self.remaining is not None:
            limits.append(self.remaining + (0.1 if control.margin is None else control.margin))
        if control.move is not None:
            margin = 1.0 + control.move / 2 if control.margin is None else control.margin
            limits.append(control.move + margin)
        return min(limits, default=None)

    def spend(self, seconds: float) -> bool:
        """Subtract the time of a move; return False if the move was too late."""
        max_seconds = self.max_seconds
        if max_seconds is not None and seconds > max_seconds:
            return False
        self.moves += 1
        if self.remaining is not None:
            control = self.control
            self.remaining = max(0.0, self.remaining - seconds) + control.increment
            if control.moves and self.moves % control.moves == 0:
                self.remaining += control.base or 0.0
        return True
