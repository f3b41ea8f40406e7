"""A small Python model of the VM's arithmetic, numbers and random stream.

It implements the descriptions of the original engine in axiom-reference.md (section 3) and
axiom-observed.md (sections a and g).  It is independent of the C core and must not import forthvm.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

__all__ = [
    "BINARY",
    "UNARY",
    "DivisionByZeroError",
    "RandomStream",
    "divide",
    "number_text",
    "parse_number",
    "star_slash",
    "wrap",
]

INT_MIN = -(2**31)
INT_MAX = 2**31 - 1


class DivisionByZeroError(Exception):
    """Division by zero, or a quotient that does not fit into a cell."""


def wrap(number: int) -> int:
    """Convert an integer to a 32-bit two's complement cell."""
    return (number + 2**31) % 2**32 - 2**31


def flag(truth: bool) -> int:
    """Return -1 for true and 0 for false."""
    return -1 if truth else 0


def divide(a: int, b: int) -> tuple[int, int]:
    """Return remainder and quotient, truncated towards zero.

    Raises:
        DivisionByZeroError: b is 0, or the quotient does not fit into a cell.
    """
    if b == 0 or (a == INT_MIN and b == -1):
        raise DivisionByZeroError
    quotient = abs(a) // abs(b)
    if (a < 0) != (b < 0):
        quotient = -quotient
    return a - quotient * b, quotient


def star_slash(a: int, b: int, c: int) -> tuple[int, int]:
    """Return the results of `*/MOD`: the product wraps before the division."""
    return divide(wrap(a * b), c)


BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: wrap(a + b),
    "-": lambda a, b: wrap(a - b),
    "*": lambda a, b: wrap(a * b),
    "/": lambda a, b: divide(a, b)[1],
    "MOD": lambda a, b: divide(a, b)[0],
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "XOR": lambda a, b: a ^ b,
    "=": lambda a, b: flag(a == b),
    "<>": lambda a, b: flag(a != b),
    "<": lambda a, b: flag(a < b),
    ">": lambda a, b: flag(a > b),
    "<=": lambda a, b: flag(a <= b),
    ">=": lambda a, b: flag(a >= b),
    "MAX": max,
    "MIN": min,
}

UNARY: dict[str, Callable[[int], int]] = {
    "1+": lambda a: wrap(a + 1),
    "1-": lambda a: wrap(a - 1),
    "2+": lambda a: wrap(a + 2),
    "2-": lambda a: wrap(a - 2),
    "2*": lambda a: wrap(2 * a),
    "2/": lambda a: divide(a, 2)[1],
    "NEGATE": lambda a: wrap(-a),
    "ABS": lambda a: wrap(abs(a)),
    "INVERT": lambda a: ~a,
    "NOT": lambda a: flag(a == 0),
    "0=": lambda a: flag(a == 0),
    "0<>": lambda a: flag(a != 0),
    "0<": lambda a: flag(a < 0),
    "0>": lambda a: flag(a > 0),
    "CELLS": lambda a: wrap(4 * a),
}

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def parse_number(token: str, base: int) -> int | None:
    """Return the value of a token in a number base; None if the token is not a number."""
    sign, digits = 1, token
    if token[:1] in {"-", "+"}:
        sign, digits = (-1 if token[0] == "-" else 1), token[1:]
    if not digits or any(digit not in _DIGITS[:base] for digit in digits.upper()):
        return None
    number = 0
    for digit in digits.upper():
        number = number * base + _DIGITS.index(digit)
    number *= sign
    return number if INT_MIN <= number <= INT_MAX else None


def number_text(number: int, base: int) -> str:
    """Return the text that `.` prints, without the blank; only decimal numbers have a sign."""
    if base == 10:
        return str(number)
    remaining, text = number % 2**32, ""
    while True:
        remaining, digit = divmod(remaining, base)
        text = _DIGITS[digit] + text
        if remaining == 0:
            return text


class RandomStream:
    """The original's random numbers: a congruential generator with a shuffle table."""

    M, A, C, SLOTS = 714025, 1366, 150889, 97
    """Modulus, multiplier and increment of the generator; length of the table."""
    UNIT: float = struct.unpack("f", struct.pack("f", 1 / 714025))[0]
    """1 / M, rounded to single precision."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._start()

    def _start(self) -> None:
        self.x = abs(divide(wrap(self.C - self.seed), self.M)[0])
        self.table = [self._step() for _ in range(self.SLOTS)]
        self.y = self._step()

    def _step(self) -> int:
        self.x = (self.A * self.x + self.C) % self.M
        return self.x

    def unit(self) -> float:
        """Return the next number, from 0 to 1: y * UNIT, not rounded to single precision.

        If the seed is negative, each call restarts the stream.
        """
        if self.seed < 0:
            self._start()
        slot = self.SLOTS * self.y // self.M
        self.y = self.table[slot]
        self.table[slot] = self._step()
        return self.y * self.UNIT

    def within(self, low: int, high: int) -> int:
        """Return the result of RAND-WITHIN."""
        return low + int(self.unit() * (high - low + 1))

    def frand(self) -> int:
        """Return the result of FRAND: the value in single precision, as a cell."""
        cell: int = struct.unpack("<i", struct.pack("<f", self.unit()))[0]
        return cell
