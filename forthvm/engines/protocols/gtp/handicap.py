"""The points of handicap stones, in the order of GTP 2, section 4.1.1."""

from __future__ import annotations

__all__ = ["handicap_points"]

_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_LEAST_SIZE = 7
_LEAST_STONES = 2
_CORNERS = 4
_CENTRE_FROM = 5
"""From this number of stones on, an odd one is in the centre."""
_LARGE = 13
"""From this size on the stones are on the fourth line, on smaller boards on the third one."""


def handicap_points(size: int, stones: int) -> list[str]:
    """Return the points of a number of stones on a board with so many rows.

    Raises:
        ValueError: No such handicap is defined.

    >>> handicap_points(19, 3), handicap_points(9, 5)
    (['D4', 'Q16', 'D16'], ['C3', 'G7', 'C7', 'G3', 'E5'])
    """
    most = 0 if size < _LEAST_SIZE else 9 if size % 2 and size > _LEAST_SIZE else _CORNERS
    if not _LEAST_STONES <= stones <= most:
        possible = f"{_LEAST_STONES} to {most}" if most else "none"
        raise ValueError(f"invalid number of stones (possible: {possible})")
    low = 4 if size >= _LARGE else 3
    middle, high = (size + 1) // 2, size + 1 - low
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    centre = stones % 2 if stones >= _CENTRE_FROM else 0
    points = [*corners, *sides][: stones - centre] + [(middle, middle)] * centre
    return [f"{_COLUMNS[column - 1]}{row}" for column, row in points]
