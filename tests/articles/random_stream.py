"""The random stream of the original engine, in Python.

The source is axiom-observed.md, section g, a note of the original's behaviour.  This file owns the
arithmetic of the generator.
"""

from __future__ import annotations

import struct
from typing import Final

__all__ = ["RandomStream"]

# Modulus, multiplier and increment of the generator; length of its table.
_M: Final = 714025
_A: Final = 1366
_C: Final = 150889
_SLOTS: Final = 97
_RECIPROCAL: Final = struct.unpack("f", struct.pack("f", 1 / _M))[0]  # in single precision


class RandomStream:
    """`RAND-WITHIN` after `SEED!`: a congruential generator whose numbers a table shuffles."""

    def __init__(self, seed: int = 0) -> None:
        """Start the stream with a seed."""
        difference = _C - seed
        self._x = abs(difference - _M * int(difference / _M))
        self._table = []
        for _ in range(_SLOTS):
            self._table.append(self._step())
        self._y = self._step()

    def _step(self) -> int:
        self._x = (_A * self._x + _C) % _M
        return self._x

    def __call__(self, low: int, high: int) -> int:
        """Return the next random number from `low` to `high`, both included."""
        slot = _SLOTS * self._y // _M
        self._y = self._table[slot]
        self._table[slot] = self._step()
        return int(low + self._y * _RECIPROCAL * (high - low + 1))
