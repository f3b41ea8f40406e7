"""Parses the arguments of the command `go`: the limits of a search."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.engines.protocol import Limits, share_of_clock

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["read_go"]

_CLOCK_RESERVE = 0.05
"""Seconds that must remain on the clock after a move."""
_NO_LIMIT = 10.0**9
"""The time limit in seconds of an infinite search."""
_NUMBERS = {"depth", "nodes", "movetime", "movestogo", "byoyomi"}
_CLOCK = re.compile(r"(?:p\d+|[wb])(?:time|inc)|(?:opp)?(?:time|increment)|oppmovestogo")


def read_go(
    words: Sequence[str], clock: tuple[str, str] | None, *, units_in_second: int = 1000
) -> tuple[Limits, bool, list[str]]:
    """Return the limits, whether the search lasts until `stop`, and the unknown words.

    Args:
        words: The arguments of `go`.
        clock: The words before the remaining time and the increment of the player to move, such
            as `wtime` and `winc`; None for no clock.
        units_in_second: The unit of all times is a second divided by this number.

    Raises:
        ValueError: A limit is not a number, or is out of range.

    >>> limits, infinite, unknown = read_go("p1time 60000 p2time 9".split(), ("p1time", "p1inc"))
    >>> limits.time, infinite, unknown
    (2.0, False, [])
    """
    numbers: dict[str, int] = {}
    unknown: list[str] = []
    infinite = False
    arguments = iter(words)
    for word in arguments:
        if word == "infinite":
            infinite = True
        elif word in _NUMBERS or _CLOCK.fullmatch(word):
            text = next(arguments, "nothing")
            try:
                numbers[word] = int(text)
            except ValueError:
                raise ValueError(f"{word} must be an integer, not {text!r}") from None
        else:
            unknown.append(word)
    for key, number in numbers.items():
        if number < 0 and not key.endswith("time"):  # some hosts send negative remaining times
            raise ValueError(f"{key} must not be negative: {number}")
    move_time = max(0, numbers["movetime"]) / units_in_second if "movetime" in numbers else None
    time_word, increment_word = clock or ("", "")
    if {time_word, "byoyomi"} & numbers.keys():
        remaining = max(0, numbers.get(time_word, 0)) / units_in_second
        increment = numbers.get(increment_word, 0) / units_in_second
        # The time of each move after that of the clock.
        byoyomi = numbers.get("byoyomi", 0) / units_in_second
        clock_limit = share_of_clock(remaining, increment, numbers.get("movestogo")) + byoyomi
        clock_limit = max(0.001, min(clock_limit, remaining + byoyomi - _CLOCK_RESERVE))
        move_time = clock_limit if move_time is None else min(move_time, clock_limit)
    if infinite and move_time is None and not {"depth", "nodes"} & numbers.keys():
        move_time = _NO_LIMIT
    limits = Limits(time=move_time, depth=numbers.get("depth"), nodes=numbers.get("nodes"))
    return limits, infinite, unknown
