"""Positions of a database as a data frame and as a Parquet file.

Owns the columns.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from forthvm.study.errors import StudyError, data_frame, optional_module
from forthvm.study.keys import key_text
from forthvm.system.files import failure_reason, removed_after_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas

    from forthvm.study.database_query import Occurrence

__all__ = ["frame_of", "write_parquet"]

_BATCH_ROWS = 10_000
_TYPES = {
    "key": "string",
    "game": "int64",
    "number": "int64",
    "file": "string",
    "ply": "int64",
    "turn": "string",
    "ended": "bool_",
    "move": "string",
    "pieces": "string",
    "board": "string",
}
"""The columns, with the names of pyarrow's types.  A key is 16 hexadecimal digits, and `pieces` is
a JSON object.  The columns `score NAME` and `entrant NAME` of each seat follow."""


def frame_of(seats: Sequence[str], found: Iterator[Occurrence]) -> pandas.DataFrame:
    """Return positions as a data frame.

    Raises:
        StudyError: pandas is not installed.
    """
    return data_frame(_columns(seats, list(found)))


def write_parquet(path: Path, seats: Sequence[str], found: Iterator[Occurrence]) -> int:
    """Write positions to a new file; return their number.

    Raises:
        StudyError: pyarrow is not installed, or the file exists or cannot be written.
    """
    arrow = optional_module("pyarrow", "Parquet")
    parquet = optional_module("pyarrow.parquet", "Parquet")
    fields = [(name, getattr(arrow, kind)()) for name, kind in _TYPES.items()]
    fields += [(f"score {seat}", arrow.float64()) for seat in seats]
    fields += [(f"entrant {seat}", arrow.string()) for seat in seats]
    schema = arrow.schema(fields)
    count = 0
    try:
        with (
            removed_after_error(path),
            path.open("xb") as file,
            parquet.ParquetWriter(file, schema) as writer,
        ):
            while rows := list(islice(found, _BATCH_ROWS)):
                writer.write_table(arrow.table(_columns(seats, rows), schema=schema))
                count += len(rows)
    except FileExistsError:
        raise StudyError(f"{path} exists") from None
    except OSError as error:
        raise StudyError(f"cannot write {path}: {failure_reason(error)}") from error
    return count


def _columns(seats: Sequence[str], rows: Sequence[Occurrence]) -> dict[str, list[object]]:
    """Return the columns by name, in the order of the schema."""
    columns: dict[str, list[object]] = {}
    for name in _TYPES:
        columns[name] = [getattr(row, name) for row in rows]
    columns["key"] = [key_text(row.key) for row in rows]
    columns["pieces"] = [json.dumps(row.pieces, sort_keys=True) for row in rows]
    for seat in seats:
        columns[f"score {seat}"] = [row.scores[seat] for row in rows]
    for seat in seats:
        columns[f"entrant {seat}"] = [row.entrants[seat] for row in rows]
    return columns
