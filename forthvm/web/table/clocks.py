"""Clocks: the time that each player has for the game.

Owns the times.  It must not know positions, or what happens to a player without time; the caller
says whose clock runs, and what time it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from forthvm.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Clocks", "TimeControl"]

_FORM = re.compile(r"(\d{1,4}(?:\.\d{1,2})?)(?:\+(\d{1,4}(?:\.\d)?))?")
_MAX_MINUTES = 1440.0
_MAX_INCREMENT = 3600.0


class TimeControl(Value):
    """The time that each player gets.

    Attributes:
        initial: Seconds for the game.
        increment: Seconds added after each turn.

    >>> TimeControl.parse("5+3")
    TimeControl(initial=300.0, increment=3.0)
    """

    initial: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Return the time control for minutes, and seconds added after each turn (`5+3`).

        Raises:
            ValueError: The text has another form, or names no time or too much.
        """
        match = _FORM.fullmatch(text.strip())
        minutes, increment = (float(match[1]), float(match[2] or 0)) if match else (0.0, 0.0)
        if not 0 < minutes <= _MAX_MINUTES or increment > _MAX_INCREMENT:
            raise ValueError(
                f"{text!r} is not a time such as 5+3: minutes for the game (at most "
                f"{_MAX_MINUTES:g}), and seconds added after each turn (at most {_MAX_INCREMENT:g})"
            )
        return cls(60 * minutes, increment)

    def __str__(self) -> str:
        return f"{self.initial / 60:g}+{self.increment:g}"


class Clocks:
    """A clock for each player, of which at most one runs.

    Attributes:
        control: The time that each player got.
        running: The player whose clock runs; None if all stand still.
    """

    def __init__(self, control: TimeControl, players: Iterable[str]) -> None:
        """Give each player the time of the control; no clock runs."""
        self.control = control
        self.running: str | None = None
        self._left = dict.fromkeys(players, control.initial)
        self._since = 0.0

    def run(self, player: str | None, now: float, *, turn_ended: bool = False) -> None:
        """Let the clock of a player run, and stop the one that ran.

        Args:
            player: The player; None or a player without a clock stops all clocks.
            now: The time in seconds.
            turn_ended: Whether the turn of the player whose clock ran has ended by a move, so that
                time is added.
        """
        player = player if player in self._left else None
        if self.running is not None and self.running != player:
            left = self.left(self.running, now)
            self._left[self.running] = left + self.control.increment * turn_ended
        if self.running != player:
            self.running, self._since = player, now

    def left(self, player: str, now: float) -> float:
        """Return the seconds that a player has left, at least 0."""
        used = now - self._since if player == self.running else 0.0
        return max(0.0, self._left[player] - used)

    def all_left(self, now: float) -> dict[str, float]:
        """Return the seconds that each player has left."""
        return {player: self.left(player, now) for player in self._left}

    def expired(self, now: float) -> str | None:
        """Return the player whose clock has run out; None if it has not."""
        player = self.running
        return player if player is not None and not self.left(player, now) else None

    def as_json(self, now: float) -> dict[str, Any]:
        """Return the times for a file; which clock runs follows from the position."""
        return {**vars(self.control), "left": self.all_left(now)}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Clocks:
        """Return the clocks of a file; none runs.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: The file is damaged.
        """
        control = TimeControl(float(saved["initial"]), float(saved["increment"]))
        clocks = cls(control, ())
        clocks._left = {str(player): float(left) for player, left in saved["left"].items()}
        return clocks
