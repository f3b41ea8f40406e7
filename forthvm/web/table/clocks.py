"""Clocks: the time that each player has for the game.

Owns the remaining times.  The caller passes the player whose clock runs, and the current time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from forthvm.core.reading import dict_of, number, record

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Clocks", "TimeControl"]

_FORM = re.compile(r"(\d{1,4}(?:\.\d{1,2})?)(?:\+(\d{1,4}(?:\.\d)?))?")
_MAX_MINUTES = 1440.0
_MAX_INCREMENT = 3600.0


@dataclass(frozen=True)
class TimeControl:
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
            ValueError: The text has another form, or the time is 0 or too long.
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
        running: The player whose clock runs; None if no clock runs.
    """

    def __init__(self, control: TimeControl, players: Iterable[str]) -> None:
        """Give each player the time of the control; no clock runs."""
        self.control = control
        self.running: str | None = None
        self._remaining = dict.fromkeys(players, control.initial)
        self._since = 0.0

    def run(self, player: str | None, now: float, *, turn_ended: bool = False) -> None:
        """Start the clock of a player, and stop the clock that ran before.

        Args:
            player: The player; None or a player without a clock stops all clocks.
            now: The time in seconds.
            turn_ended: Whether a move has ended the turn of the player whose clock ran; then the
                increment is added to this clock.
        """
        player = player if player in self._remaining else None
        if self.running is not None and self.running != player:
            remaining = self.remaining(self.running, now)
            self._remaining[self.running] = remaining + self.control.increment * turn_ended
        if self.running != player:
            self.running, self._since = player, now

    def remaining(self, player: str, now: float) -> float:
        """Return the remaining seconds of a player, at least 0."""
        used = now - self._since if player == self.running else 0.0
        return max(0.0, self._remaining[player] - used)

    def all_remaining(self, now: float) -> dict[str, float]:
        """Return the remaining seconds of each player."""
        return {player: self.remaining(player, now) for player in self._remaining}

    def expired(self, now: float) -> str | None:
        """Return the player whose clock has run out; None if there is none."""
        player = self.running
        return player if player is not None and not self.remaining(player, now) else None

    def as_json(self, now: float) -> dict[str, Any]:
        """Return the times for a file, without the running clock, which the position determines."""
        return {**vars(self.control), "left": self.all_remaining(now)}

    @classmethod
    def from_json(cls, saved: object) -> Clocks:
        """Return the clocks of a file; no clock runs.

        Raises:
            ValueError: The file is damaged.
        """
        fields = _read(saved)
        clocks = cls(TimeControl(fields["initial"], fields["increment"]), ())
        clocks._remaining = fields["left"]
        return clocks


_number = number(0)
_read = record({"initial": _number, "increment": _number, "left": dict_of(_number)})
