"""Arrays of other people's: what leaves are written to, and what their answers are read from.

Owns which shapes and types are taken and what is refused.  Answers that are 32-bit floats in
an array without gaps are used where they lie; all else is copied.  It must not know trees or
games.
"""

from __future__ import annotations

import struct
import sys
from array import array
from typing import TYPE_CHECKING

from forthvm.engines.errors import EngineError, EngineOptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    Numbers = Buffer | Sequence[Sequence[float]]

__all__ = ["Answers", "room_for_cells"]

_SIZE = 4
"""Bytes of a cell, and of a float."""
_ONE = 0x3F800000
"""The bits of 1.0.  Of floats taken as unsigned numbers, 0 to 1 are those up to this one: all
below 0 have the sign bit set, and infinities and what is no number come after it."""
_CODES = "fdebBhHiIlLqQ?"
_NATIVE = "@=<" if sys.byteorder == "little" else "@=>"


class Answers:
    """A row of numbers from 0 to 1 for each position that waits.

    Args:
        what: They are, for messages.
        most: Rows at most.
        width: Numbers of a row; a row may be longer or, where less matters, shorter.
    """

    def __init__(self, what: str, most: int, width: int) -> None:
        self._what = what
        self._most = most
        self._width = width
        self._own: memoryview[float] | None = None
        self._numbers: memoryview[float] | None = None
        self._stride = width

    def take(self, given: Numbers, counts: Sequence[int]) -> None:
        """Look at answers; `counts` says how many numbers of each row matter.

        Raises:
            EngineError: not a row for each position, or numbers that are not 0 to 1.
        """
        try:
            self._numbers = None
            view = _viewed(given)
            if view is None:
                self._copy_rows(given, counts)
            else:
                self._take_view(view, counts)
            self._check(counts)
        except EngineError:
            self._numbers = None
            raise

    def row(self, at: int, count: int) -> memoryview[float]:
        """The first numbers of a row that was taken."""
        assert self._numbers is not None
        return self._numbers[at * self._stride : at * self._stride + count]

    def forget(self) -> None:
        """Let go of the caller's array."""
        self._numbers = None

    # --- inside -----------------------------------------------------------------------

    def _take_view(self, view: memoryview, counts: Sequence[int]) -> None:
        rows, width = _shape(view, self._width)
        if rows != len(counts):
            self._wrong_rows(len(counts), rows)
        if counts and width < max(counts):
            self._too_short(max(counts), width)
        code = view.format.lstrip(_NATIVE)
        if code not in _CODES or len(code) != 1:
            raise EngineError(f"{self._what}: an array of {view.format!r} holds no numbers")
        self._stride = width
        if view.format in {"f", "@f"} and view.c_contiguous and view.nbytes:
            self._numbers = view.cast("B").cast("f")
            return
        data, order = view.tobytes(), view.format[:-1] or "@"
        numbers = self._room()
        self._stride = self._width
        for at, count in enumerate(counts):
            row = struct.unpack_from(f"{order}{count}{code}", data, at * width * view.itemsize)
            self._put(numbers, at, row)

    def _copy_rows(self, given: object, counts: Sequence[int]) -> None:
        numbers = self._room()
        self._stride = self._width
        try:
            rows = list(given)  # type: ignore[call-overload]  # what is none is refused below
            if len(rows) != len(counts):
                self._wrong_rows(len(counts), len(rows))
            for at, (count, row) in enumerate(zip(counts, rows, strict=True)):
                if len(row) < count:
                    self._too_short(count, len(row))
                self._put(numbers, at, list(row[:count]))
        except (TypeError, ValueError, KeyError) as error:
            raise EngineError(f"{self._what} must be rows of numbers: {error}") from error

    def _put(self, numbers: memoryview[float], at: int, row: Sequence[float]) -> None:
        try:
            floats = array("f", row)
        except OverflowError:
            raise EngineError(f"{self._what} must be from 0 to 1, not {max(row)!r}") from None
        numbers[at * self._width : at * self._width + len(row)] = memoryview(floats)

    def _room(self) -> memoryview[float]:
        """Its own room, made when somebody needs it."""
        if self._own is None:
            self._own = memoryview(bytearray(_SIZE * self._most * self._width)).cast("f")
        self._numbers = self._own
        return self._own

    def _check(self, counts: Sequence[int]) -> None:
        numbers = self._numbers
        if numbers is None or not counts:
            return
        bits = numbers.cast("B").cast("I")
        for at, count in enumerate(counts):
            start = at * self._stride
            if max(bits[start : start + count]) <= _ONE:
                continue
            for number in self.row(at, count):
                if not 0 <= number <= 1:  # so written that NaN fails it; -0.0 does not
                    raise EngineError(f"{self._what} must be from 0 to 1, not {number!r}")

    def _wrong_rows(self, wanted: int, given: int) -> None:
        raise EngineError(f"{wanted} positions wait, not the {given} that got {self._what}")

    def _too_short(self, wanted: int, given: int) -> None:
        raise EngineError(f"{wanted} {self._what} are wanted, not {given}")


def _viewed(given: object) -> memoryview | None:
    """The array's memory, None where it is no array."""
    if isinstance(given, str | bytes | bytearray):
        return None
    try:
        return memoryview(given)  # type: ignore[arg-type]  # that is the question
    except (TypeError, ValueError, BufferError):
        return None


def _shape(view: memoryview, width: int) -> tuple[int, int]:
    """Rows and their width; an array of one dimension has rows of the width that is wanted."""
    match view.shape:
        case (numbers,) if numbers % width == 0:
            return numbers // width, width
        case (rows, columns):
            return rows, columns
    shape = " by ".join(map(str, view.shape or ("nothing",)))
    raise EngineError(f"expected rows of {width} numbers, not an array of {shape}")


def room_for_cells(given: object, cells: int) -> memoryview[int]:
    """Memory for so many 32-bit numbers: the caller's array, or an own one for None.

    Raises:
        EngineOptionError: it is no array, too small, or of other numbers.
    """
    if given is None:
        return memoryview(array("i", bytes(_SIZE * cells)))
    view = _viewed(given)
    if view is None:
        raise EngineOptionError(f"expected an array for the boards, not {given!r}")
    right = view.format.lstrip(_NATIVE) in {"i", "l"} and view.itemsize == _SIZE
    if not right or view.readonly or not view.c_contiguous or view.nbytes < cells * _SIZE:
        raise EngineOptionError(
            f"an array for the boards needs room for {cells} whole numbers of 32 bits, without "
            "gaps and not read-only"
        )
    return view.cast("B").cast("i")
