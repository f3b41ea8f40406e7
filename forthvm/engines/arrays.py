"""Arrays of the caller: boards of leaves are written to them, rewards and priors read from them.

Owns which shapes and types are accepted.  Contiguous arrays of 32-bit floats are read without a
copy, other arrays are converted.  It must not know search trees or games.
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
"""The bits of 1.0.  The bits of a float from 0 to 1, read as an unsigned number, do not exceed
this: negative floats have the sign bit set, and infinity and NaN are greater."""
_CODES = "fdebBhHiIlLqQ?"
_NATIVE = "@=<" if sys.byteorder == "little" else "@=>"


class Answers:
    """A row of numbers from 0 to 1 for each position that waits for an evaluation.

    Args:
        what: Name of the numbers in messages.
        most: Maximum number of rows.
        width: Numbers in a row.  A row may be longer, or shorter if fewer numbers are needed.
    """

    def __init__(self, what: str, most: int, width: int) -> None:
        self._what = what
        self._most = most
        self._width = width
        self._own: memoryview[float] | None = None
        self._numbers: memoryview[float] | None = None
        self._stride = width

    def take(self, given: Numbers, counts: Sequence[int]) -> None:
        """Read the rows; `counts` says how many numbers of each row are used.

        Raises:
            EngineError: not one row for each position, or numbers outside 0 to 1.
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
        """The first `count` numbers of a row."""
        assert self._numbers is not None
        return self._numbers[at * self._stride : at * self._stride + count]

    def forget(self) -> None:
        """Release the caller's array."""
        self._numbers = None

    # --- reading and checking ---------------------------------------------------------

    def _take_view(self, view: memoryview, counts: Sequence[int]) -> None:
        rows, width = _shape(view, self._width)
        if rows != len(counts):
            self._wrong_rows(len(counts), rows)
        if counts and width < max(counts):
            self._too_short(max(counts), width)
        code = view.format.lstrip(_NATIVE)
        if code not in _CODES or len(code) != 1:
            raise EngineError(f"{self._what}: an array of {view.format!r} does not hold numbers")
        self._stride = width
        if view.format in {"f", "@f"} and view.c_contiguous and view.nbytes:
            self._numbers = view.cast("B").cast("f")
            return
        data, order = view.tobytes(), view.format[:-1] or "@"
        numbers = self._own_memory()
        self._stride = self._width
        for at, count in enumerate(counts):
            row = struct.unpack_from(f"{order}{count}{code}", data, at * width * view.itemsize)
            self._put(numbers, at, row)

    def _copy_rows(self, given: object, counts: Sequence[int]) -> None:
        numbers = self._own_memory()
        self._stride = self._width
        try:
            rows = list(given)  # type: ignore[call-overload]  # a TypeError is handled below
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

    def _own_memory(self) -> memoryview[float]:
        """Memory for converted rows, allocated when first needed."""
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
                if not 0 <= number <= 1:  # refuses NaN, accepts -0.0
                    raise EngineError(f"{self._what} must be from 0 to 1, not {number!r}")

    def _wrong_rows(self, wanted: int, given: int) -> None:
        raise EngineError(f"expected {self._what} for {wanted} positions, not for {given}")

    def _too_short(self, wanted: int, given: int) -> None:
        raise EngineError(f"expected {wanted} {self._what}, not {given}")


def _viewed(given: object) -> memoryview | None:
    """The memory of an array, None if `given` is not an array."""
    if isinstance(given, str | bytes | bytearray):
        return None
    try:
        return memoryview(given)  # type: ignore[arg-type]  # a TypeError is handled below
    except (TypeError, ValueError, BufferError):
        return None


def _shape(view: memoryview, width: int) -> tuple[int, int]:
    """Number of rows and their width; an array of one dimension is split into rows of `width`."""
    match view.shape:
        case (numbers,) if numbers % width == 0:
            return numbers // width, width
        case (rows, columns):
            return rows, columns
    shape = " by ".join(map(str, view.shape or ("nothing",)))
    raise EngineError(f"expected rows of {width} numbers, not an array of {shape}")


def room_for_cells(given: object, cells: int) -> memoryview[int]:
    """Memory for `cells` 32-bit integers: the caller's array, or a new one for None.

    Raises:
        EngineOptionError: not an array, too small, or of another type.
    """
    if given is None:
        return memoryview(array("i", bytes(_SIZE * cells)))
    view = _viewed(given)
    if view is None:
        raise EngineOptionError(f"expected an array for the boards, not {given!r}")
    right = view.format.lstrip(_NATIVE) in {"i", "l"} and view.itemsize == _SIZE
    if not right or view.readonly or not view.c_contiguous or view.nbytes < cells * _SIZE:
        raise EngineOptionError(
            f"an array for the boards must be contiguous, writable and have room for {cells} "
            "integers of 32 bits"
        )
    return view.cast("B").cast("i")
