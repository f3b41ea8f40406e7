"""Time controls and clocks.

Owns the remaining time of a player, the limits of each move, and the check whether the player
is out of time.  It must not measure time; game.py does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from forthvm.engines.protocol import Limits

__all__ = ["Clock", "TimeControl"]

_TEXT = re.compile(
    r"(?:(?P<moves>\d+)/)?(?P<base>\d+(?:\.\d*)?|\.\d+)(?:\+(?P<increment>\d+(?:\.\d*)?|\.\d+))?"
)


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """The time that a player has; unlimited by default."""

    move: float | None = None
    """Seconds for each move."""
    base: float | None = None
    """Seconds on the clock at the start of the game."""
    increment: float = 0.0
    """Seconds added after each of the player's moves."""
    moves: int = 0
    """The number of moves after which `base` is added again; 0 for never."""
    margin: float | None = None
    """Seconds by which an engine may exceed a limit.  None selects 0.1 for `base`, and
    1 + `move` / 2 for `move`: a script's engine may use this time before it is interrupted."""

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit."""
        return self.move is None and self.base is None

    @classmethod
    def parse(cls, text: str, *, margin: float | None = None) -> TimeControl:
        """Parse `BASE`, `BASE+INCREMENT` or `MOVES/BASE+INCREMENT`, in seconds.

        Raises:
            ValueError: The text has another form.

        >>> TimeControl.parse("40/60+0.5")
        TimeControl(move=None, base=60.0, increment=0.5, moves=40, margin=None)
        """
        match = _TEXT.fullmatch(text.strip())
        if match is None or not float(match["base"]):
            raise ValueError(f"{text!r} is not a clock: expected [MOVES/]SECONDS[+INCREMENT]")
        return cls(
            base=float(match["base"]),
            increment=float(match["increment"] or 0),
            moves=int(match["moves"] or 0),
            margin=margin,
        )

    def __str__(self) -> str:
        if self.base is not None:
            moves = f"{self.moves}/" if self.moves else ""
            return f"{moves}{self.base:g}+{self.increment:g} s"
        return "no limit" if self.move is None else f"{self.move:g} s a move"


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
