"""Parses the arguments of the command `go`: the limits of a search."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.engines.protocol import Limits, share_of_clock
from forthvm.engines.protocols.server import MOVE_RESERVE, NO_LIMIT, without_reserve

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["read_go"]

_COUNTS = {"depth", "nodes", "movestogo"}
_NUMBERS = _COUNTS | {"movetime", "byoyomi"}
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{0,9})?")
_CLOCK = re.compile(r"(?:p\d+|[wb])(?:time|inc)|(?:opp)?(?:time|increment)|oppmovestogo")


def read_go(
    words: Sequence[str], clock: tuple[str, str] | None, *, units_in_second: int = 1000
) -> tuple[Limits, bool, list[str]]:
    """Return the limits, whether the search lasts until `stop`, and what is ignored.

    Unknown words are ignored, and so are limits without a valid number.

    Args:
        words: The arguments of `go`.
        clock: The words before the remaining time and the increment of the player to move, such
            as `wtime` and `winc`; None for no clock.
        units_in_second: The unit of all times is a second divided by this number.

    >>> read_go("p1time 60000 depth 0".split(), ("p1time", "p1inc"))
    (Limits(time=2.0, ...), False, ['depth 0'])
    """
    numbers: dict[str, float] = {}
    ignored: list[str] = []
    infinite = False
    arguments = iter(words)
    for word in arguments:
        if word == "infinite":
            infinite = True
        elif word in _NUMBERS or _CLOCK.fullmatch(word):
            text = next(arguments, "")
            number = float(text) if _NUMBER.fullmatch(text) else None
            if text == "infinite":  # in UCCI
                infinite = True
            elif number is None or (word in _COUNTS and number < 1):
                ignored.append(f"{word} {text}".rstrip())
            else:
                numbers[word] = max(0.0, number)  # some hosts send negative remaining times
        else:
            ignored.append(word)

    def count(word: str) -> int | None:
        return int(numbers[word]) if word in numbers else None

    move_time = None
    if "movetime" in numbers:
        move_time = without_reserve(numbers["movetime"] / units_in_second, MOVE_RESERVE)
    time_word, increment_word = clock or ("", "")
    if {time_word, "byoyomi"} & numbers.keys():
        remaining = numbers.get(time_word, 0) / units_in_second
        increment = numbers.get(increment_word, 0) / units_in_second
        # The time of each move after that of the clock.
        byoyomi = numbers.get("byoyomi", 0) / units_in_second
        clock_limit = share_of_clock(remaining, increment, count("movestogo")) + byoyomi
        clock_limit = min(clock_limit, without_reserve(remaining + byoyomi))
        move_time = clock_limit if move_time is None else min(move_time, clock_limit)
    if infinite and move_time is None and not {"depth", "nodes"} & numbers.keys():
        move_time = NO_LIMIT
    return Limits(time=move_time, depth=count("depth"), nodes=count("nodes")), infinite, ignored
