"""Time controls and clocks.

Owns how much time a player has, what an engine is told, and when a flag falls.  It must not
measure: whoever asks the engine does, around nothing but the engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from forthvm.engines.protocol import share_of_clock

__all__ = ["Clock", "TimeControl"]

_TEXT = re.compile(
    r"(?:(?P<moves>\d+)/)?(?P<base>\d+(?:\.\d*)?|\.\d+)(?:\+(?P<increment>\d+(?:\.\d*)?|\.\d+))?"
)


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """How much time a player has; nothing given: as much as he likes."""

    move: float | None = None
    """Seconds for each move."""
    base: float | None = None
    """Seconds on the clock at the start of the game."""
    increment: float = 0.0
    """Seconds added after each of his moves."""
    moves: int = 0
    """After so many moves `base` is added again; 0: never."""
    margin: float | None = None
    """Seconds beyond that are forgiven.  None: 0.1 on a clock; for each move a second and half
    its time, since a script's engine may use a quarter of a second or half its time more."""

    @property
    def unlimited(self) -> bool:
        """No time is set."""
        return self.move is None and self.base is None

    @classmethod
    def parse(cls, text: str, *, margin: float | None = None) -> TimeControl:
        """A clock from `BASE`, `BASE+INCREMENT` or `MOVES/BASE+INCREMENT`, in seconds.

        Raises:
            ValueError: it is no such text.

        >>> TimeControl.parse("40/60+0.5")
        TimeControl(move=None, base=60.0, increment=0.5, moves=40, margin=None)
        """
        match = _TEXT.fullmatch(text.strip())
        if match is None or not float(match["base"]):
            raise ValueError(f"{text!r} is no clock: expected [MOVES/]SECONDS[+INCREMENT]")
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
        """Wound up."""
        self.control = control
        self.remaining = control.base
        """Seconds left; None where there is no clock."""
        self.moves = 0

    @property
    def allotted(self) -> float | None:
        """Seconds that an engine is told for this move; None: no limit.

        From a clock: a thirtieth of what is left, or its share up to the next time control,
        and most of the increment; never more than nine tenths of what is left.
        """
        control = self.control
        if self.remaining is None:
            return control.move
        to_go = control.moves - self.moves % control.moves if control.moves else None
        share = share_of_clock(self.remaining, control.increment, to_go)
        wanted = min(share, 0.9 * self.remaining)
        return max(0.001, wanted if control.move is None else min(wanted, control.move))

    @property
    def longest(self) -> float | None:
        """Seconds that this move may take before the flag falls, the margin included."""
        control = self.control
        limits = []
        if self.remaining is not None:
            limits.append(self.remaining + (0.1 if control.margin is None else control.margin))
        if control.move is not None:
            forgiven = 1.0 + control.move / 2 if control.margin is None else control.margin
            limits.append(control.move + forgiven)
        return min(limits, default=None)

    def spend(self, seconds: float) -> bool:
        """Book a move; False: the flag has fallen."""
        longest = self.longest
        if longest is not None and seconds > longest:
            return False
        self.moves += 1
        if self.remaining is not None:
            control = self.control
            self.remaining = max(0.0, self.remaining - seconds) + control.increment
            if control.moves and self.moves % control.moves == 0:
                self.remaining += control.base or 0.0
        return True
