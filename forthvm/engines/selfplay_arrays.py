"""Arrays of the caller of SelfPlay: boards are written to arrays, and evaluations are read.

Owns the accepted shapes and types.  Contiguous arrays of 32-bit floats are read without a copy;
other arrays are converted.
"""

from __future__ import annotations

import struct
import sys
from array import array
from math import nan
from typing import TYPE_CHECKING

from forthvm.engines.errors import EngineError, EngineOptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    Numbers = Buffer | Sequence[Sequence[float]]

__all__ = ["EvaluationRows", "cells_buffer"]

_SIZE = 4
"""Size of a cell, and of a float, in bytes."""
_FORMATS = "fdebBhHiIlLqQ?"
"""The format codes of numbers in the module `struct`."""
_NATIVE_ORDER = "@=<" if sys.byteorder == "little" else "@=>"


class EvaluationRows:
    """Rows of numbers from 0 to 1, one row for each position to evaluate.

    Args:
        what: Name of the numbers in messages.
        max_rows: Maximum number of rows.
        width: Number of columns of a row in a one-dimensional array.  Other arrays may have longer
            rows, or shorter rows that contain all used numbers.
    """

    def __init__(self, what: str, max_rows: int, width: int) -> None:
        self._what = what
        self._max_rows = max_rows
        self._width = width
        self._buffer: memoryview[float] | None = None
        self._numbers: memoryview[float] | None = None
        self._columns: Sequence[int] = ()
        self.stride = width

    def load(self, given: Numbers, rows: int) -> None:
        """Read the rows without checking their numbers.

        Raises:
            EngineError: There are not `rows` rows, or they are not numbers.
        """
        self._numbers = None
        view = _view_of(given)
        try:
            if view is None:
                self._copy_rows(given, rows)
            else:
                self._load_view(view, rows)
        except EngineError:
            self._numbers = None
            raise

    @property
    def numbers(self) -> memoryview[float]:
        """The numbers of all rows, each with `stride` numbers; missing numbers are NaN."""
        assert self._numbers is not None
        return self._numbers

    def check(self, row: int, columns: Sequence[int]) -> None:
        """Check the numbers in some columns of a row.

        Raises:
            EngineError: A column is missing, or a number is outside 0 to 1.
        """
        length = self._columns[row]
        if columns and max(columns) >= length:
            raise EngineError(f"expected {max(columns) + 1} {self._what}, not {length}")
        for column in columns:
            number = self.numbers[row * self.stride + column]
            if not 0 <= number <= 1:  # true for NaN
                raise EngineError(f"{self._what} must be from 0 to 1, not {number!r}")

    def release(self) -> None:
        """Drop the reference to the caller's array."""
        self._numbers = None

    # --- reading ----------------------------------------------------------------------

    def _load_view(self, view: memoryview, expected: int) -> None:
        rows, width = _shape(view, self._width)
        if rows != expected:
            self._raise_row_count(expected, rows)
        code = view.format.lstrip(_NATIVE_ORDER)
        if code not in _FORMATS or len(code) != 1:
            raise EngineError(f"{self._what}: an array of {view.format!r} does not hold numbers")
        self._columns = [width] * rows
        if view.format in {"f", "@f"} and view.c_contiguous and view.nbytes:
            self.stride = width
            self._numbers = view.cast("B").cast("f")
            return
        array_bytes, order = view.tobytes(), view.format[:-1] or "@"
        numbers, used = self._conversion_buffer(), min(width, self._width)
        for at in range(rows):
            offset = at * width * view.itemsize
            row = struct.unpack_from(f"{order}{used}{code}", array_bytes, offset)
            self._store_row(numbers, at, row)

    def _copy_rows(self, given: object, expected: int) -> None:
        numbers = self._conversion_buffer()
        try:
            rows = list(given)  # type: ignore[call-overload]  # a TypeError is handled below
            if len(rows) != expected:
                self._raise_row_count(expected, len(rows))
            self._columns = [len(row) for row in rows]
            for at, row in enumerate(rows):
                self._store_row(numbers, at, list(row[: self._width]))
        except (TypeError, ValueError, KeyError) as error:
            raise EngineError(f"{self._what} must be rows of numbers: {error}") from error

    def _store_row(self, numbers: memoryview[float], at: int, row: Sequence[float]) -> None:
        try:
            floats = array("f", row)
        except OverflowError:
            raise EngineError(f"{self._what} must be from 0 to 1, not {max(row)!r}") from None
        floats.extend([nan] * (self._width - len(row)))
        numbers[at * self._width : (at + 1) * self._width] = memoryview(floats)

    def _conversion_buffer(self) -> memoryview[float]:
        """Return the buffer for converted rows, after making it the source of `numbers`."""
        if self._buffer is None:
            self._buffer = memoryview(bytearray(_SIZE * self._max_rows * self._width)).cast("f")
        self._numbers = self._buffer
        self.stride = self._width
        return self._buffer

    def _raise_row_count(self, expected: int, given: int) -> None:
        raise EngineError(f"expected {self._what} for {expected} positions, not for {given}")


def _view_of(given: object) -> memoryview | None:
    """Return a view of an array's memory; None if `given` is not an array."""
    if isinstance(given, str | bytes | bytearray):
        return None
    try:
        return memoryview(given)  # type: ignore[arg-type]  # a TypeError is handled below
    except (TypeError, ValueError, BufferError):
        return None


def _shape(view: memoryview, width: int) -> tuple[int, int]:
    """Return the numbers of rows and columns; a one-dimensional array has rows of `width`."""
    match view.shape:
        case (numbers,) if numbers % width == 0:
            return numbers // width, width
        case (rows, columns):
            return rows, columns
    shape = " by ".join(map(str, view.shape or ("nothing",)))
    raise EngineError(f"expected rows of {width} numbers, not an array of {shape}")


def cells_buffer(given: object, cells: int) -> memoryview[int]:
    """Return a buffer of `cells` 32-bit integers: the caller's array, or a new one for None.

    Raises:
        EngineOptionError: The argument is not an array, or an array too small or of another type.
    """
    if given is None:
        return memoryview(array("i", bytes(_SIZE * cells)))
    view = _view_of(given)
    if view is None:
        raise EngineOptionError(f"expected an array for the boards, not {given!r}")
    suitable = view.format.lstrip(_NATIVE_ORDER) in {"i", "l"} and view.itemsize == _SIZE
    if not suitable or view.readonly or not view.c_contiguous or view.nbytes < cells * _SIZE:
        raise EngineOptionError(
            f"an array for the boards must be contiguous and writable, with at least {cells} "
            "integers of 32 bits"
        )
    return view.cast("B").cast("i")
