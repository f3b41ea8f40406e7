"""The file of an endgame table.

Owns the format, and the check of everything that is read, because files may be untrusted.

A file consists of

- the line `forthvm endgame table 1`;
- a JSON object in one line: `game`, `digest` (SHA-256 of the sources), `seats`, `root`,
  `positions` (their number), and `sha256` of the rest;
- data compressed by zlib: for each position the difference of its key from the previous key (8
  bytes), then for each position the code of its result (4 bytes).  Keys are in ascending order.
  Numbers are little-endian; all first bytes precede all second bytes, and so on, which compresses
  better.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from array import array
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from forthvm.core import reading
from forthvm.core.text.visible import visible
from forthvm.study.errors import StudyError
from forthvm.study.keys import key_text
from forthvm.system.files import failure_reason, replace_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["DRAW", "MAX_POSITIONS", "Contents", "read_contents", "write_contents"]

DRAW = 0
"""The code of a draw; 2 d + 1 is a win in d plies, and 2 d + 2 a loss in d plies."""
MAX_POSITIONS = 50_000_000
"""The largest number of positions of a table."""
_MAGIC = b"forthvm endgame table 1\n"
_MAX_HEADER = 10_000
_MAX_TEXT = 1000
_KEY_BYTES, _CODE_BYTES = 8, 4
_COMPRESSED_SLACK = 1000
"""Bytes by which incompressible data may grow, besides a thousandth of their size."""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """The contents of a table.

    Attributes:
        game: The name of the game.
        digest: The digest of the game's sources.
        seats: The two players.
        root: The key of the position from which the table was built.
        keys: The keys of the positions in ascending order.
        codes: The code of each position's result.
    """

    game: str
    digest: str
    seats: tuple[str, ...]
    root: int
    keys: Sequence[int]
    codes: Sequence[int]


# --- writing ------------------------------------------------------------------------------------


def write_contents(path: Path, contents: Contents) -> None:
    """Write a file; an existing file is replaced only when the new one is complete.

    Raises:
        StudyError: The file cannot be written.
    """
    keys = contents.keys
    differences = [*keys[:1], *(after - before for before, after in pairwise(keys))]
    planes = _planes(differences, "Q") + _planes(contents.codes, "I")
    data = zlib.compress(planes, 9)
    header = {
        "game": contents.game,
        "digest": contents.digest,
        "seats": contents.seats,
        "root": key_text(contents.root),
        "positions": len(keys),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    try:
        replace_file(path, _MAGIC + json.dumps(header).encode() + b"\n" + data)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL byte
        raise StudyError(f"cannot write {path}: {failure_reason(error)}") from error


def _planes(numbers: Sequence[int], code: str) -> bytes:
    """Return numbers as bytes: first the lowest byte of each number, and so on."""
    data = array(code, numbers)
    if sys.byteorder == "big":
        data.byteswap()
    raw = data.tobytes()
    return b"".join(raw[at :: data.itemsize] for at in range(data.itemsize))


# --- reading ------------------------------------------------------------------------------------


def read_contents(path: Path, max_positions: int) -> Contents:
    """Read and check a file.

    Raises:
        StudyError: The file does not exist, is not a table, is damaged, or has too many positions.
    """
    try:
        if not path.is_file():
            kind = "is not a regular file" if path.exists() else "does not exist"
            raise StudyError(f"{path} {kind}")
        with path.open("rb") as file:
            if file.readline(len(_MAGIC)) != _MAGIC:
                raise StudyError(f"{path} is not an endgame table of this version of forthvm")
            try:
                header = _header(reading.parse_json(file.readline(_MAX_HEADER)))
            except ValueError as error:
                raise _damaged(path, f"its header: {error}") from None
            count = header["positions"]
            if count > max_positions:
                raise StudyError(
                    f"{path} has {count:,} positions, more than the limit of {max_positions:,}"
                )
            size = count * (_KEY_BYTES + _CODE_BYTES)
            limit = size + size // 1000 + _COMPRESSED_SLACK
            data = file.read(limit + 1)
    except OSError as error:
        raise StudyError(f"cannot read {path}: {failure_reason(error)}") from error
    if len(data) > limit or hashlib.sha256(data).hexdigest() != header["sha256"]:
        raise _damaged(path, "the data do not agree with their digest")
    raw = _decompressed(path, data, size)
    try:
        keys = array("Q", accumulate(_numbers(raw[: count * _KEY_BYTES], "Q")))
    except OverflowError:
        raise _damaged(path, "a key is too large") from None
    codes = _numbers(raw[count * _KEY_BYTES :], "I")
    if any(before >= after for before, after in pairwise(keys)):
        raise _damaged(path, "the keys are not in ascending order")
    if max(codes, default=0) > 2 * count + 2:
        raise _damaged(path, "a distance exceeds the number of positions")
    return Contents(
        game=visible(header["game"]),
        digest=header["digest"],
        seats=tuple(map(visible, header["seats"])),
        root=header["root"],
        keys=keys,
        codes=codes,
    )


def _hexadecimal(value: object) -> int:
    """Read a key, which is written as a text."""
    return reading.from_text(lambda digits: int(digits, 16), reading.integer(0, 2**64 - 1))(value)


_name = reading.text(_MAX_TEXT)
_header = reading.record(
    {
        "game": _name,
        "digest": _name,
        "seats": reading.tuple_of(_name, _name),
        "root": _hexadecimal,
        "positions": reading.integer(0, MAX_POSITIONS),
        "sha256": _name,
    }
)


def _decompressed(path: Path, data: bytes, size: int) -> bytes:
    """Return the decompressed data, which must have exactly `size` bytes."""
    decompressor = zlib.decompressobj()
    try:
        raw = decompressor.decompress(data, size + 1)
    except zlib.error as error:
        raise _damaged(path, str(error)) from error
    if len(raw) != size or not decompressor.eof or decompressor.unused_data:
        raise _damaged(path, "the data have another size than the header says")
    return raw


def _numbers(planes: bytes, code: str) -> array[int]:
    """Return the numbers whose bytes `_planes` returned."""
    numbers = array(code)
    width = numbers.itemsize
    count = len(planes) // width
    raw = bytearray(len(planes))
    for at in range(width):
        raw[at::width] = planes[at * count : (at + 1) * count]
    numbers.frombytes(raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _damaged(path: Path, problem: str) -> StudyError:
    return StudyError(f"{path} is damaged: {problem}")
