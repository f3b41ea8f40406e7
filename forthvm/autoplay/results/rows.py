"""A game as a row of the table `games`: the meaning and the valid values of its columns.

Owns the columns, their form in the database, and the check of all values that are read from a file,
because a file may be damaged or edited.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from forthvm.autoplay.untrusted_text import in_lines, visible
from forthvm.core.reading import (
    MAX_NUMBER,
    Reader,
    ReadError,
    dict_of,
    integer,
    list_of,
    number,
    parse_json,
    text,
    tuple_of,
)

__all__ = [
    "COLUMNS",
    "Column",
    "GameRow",
    "json_text",
    "read_row",
    "row_values",
]

T = TypeVar("T")
_MAX_PLIES = 2**31

_INTEGER, _REAL, _TEXT = "INTEGER NOT NULL", "REAL NOT NULL", "TEXT NOT NULL"


def json_text(value: object) -> str:
    """Return a value as JSON; unprintable characters and lone surrogates are escaped."""
    document = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return document if document.isprintable() else json.dumps(value, separators=(",", ":"))


def _object_text(value: Mapping[str, object]) -> str:
    return json_text(dict(value))


def _faults_text(faults: Sequence[str]) -> str:
    return json_text([visible(fault) for fault in faults])


# --- reading values -----------------------------------------------------------------------------


def _json(read: Reader[T]) -> Reader[T]:
    """Return a reader of a value as JSON."""
    return lambda value: read(parse_json(_text(value)))


def _visible_text(value: object) -> str:
    """Return a text for display, with control characters escaped."""
    return visible(_text(value))


def _lines(value: object) -> str:
    return in_lines(_text(value))


def _flag(value: object) -> bool:
    return bool(integer(0, 1)(value))


def _seats(value: object) -> dict[str, str]:
    seats = _json(dict_of(_visible_text))(value)
    if not seats:
        raise ReadError("expected at least one seat")
    return seats


_text = text()
_count = integer(0, MAX_NUMBER)
_number = number(0, MAX_NUMBER)
_moves = _json(list_of(tuple_of(_text, _text)))


# --- columns ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """The form of a field of `GameRow` in the database."""

    type: str
    """The type and constraint in SQL."""
    read: Callable[[object], object]
    """Check and convert a value from the database."""
    write: Callable[[Any], object]
    """Convert a value for the database."""
    default: str | None
    """The default in SQL.  Files of earlier versions may lack the columns that have a default."""

    @property
    def definition(self) -> str:
        """Type, constraint and default in SQL."""
        return self.type if self.default is None else f"{self.type} DEFAULT {self.default}"


def _column(
    type: str,
    read: Callable[[object], object],
    write: Callable[[Any], object] = lambda value: value,
    default: str | None = None,
) -> dict[str, Column]:
    """Return the metadata of a field of `GameRow`."""
    return {"column": Column(type, read, write, default)}


@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A finished game: a row of the table `games`.

    The metadata of each field describe its column in the database.
    """

    id: int = field(metadata=_column("INTEGER PRIMARY KEY", integer(1, MAX_NUMBER)))
    """The number in the schedule, which starts at 1."""
    seed: int = field(metadata=_column(_INTEGER, _count))
    """The seed of the game's random numbers; the games of a pair share it."""
    seats: Mapping[str, str] = field(metadata=_column(_TEXT, _seats, _object_text))
    """The entrant of each player who can win, in order of turns."""
    outcome: Mapping[str, float] = field(
        metadata=_column(_TEXT, _json(dict_of(number(0, 1))), _object_text)
    )
    """The score of each player in `seats`; the scores add up to 1.  Empty if void."""
    reason: str = field(metadata=_column(_TEXT, _visible_text, visible))
    """`OnIsGameOver: …`, `adjudicated: …`, `resignation: …`, `forfeit: …` or `void: …`."""
    plies: int = field(metadata=_column(_INTEGER, integer(0, _MAX_PLIES)))
    moves: tuple[tuple[str, str], ...] = field(metadata=_column(_TEXT, _moves, json_text))
    """Player and text of each move, including the opening and the moves of chance players."""
    seconds: float = field(metadata=_column(_REAL, _number))
    """Wall-clock time of the game."""
    finished_at: str = field(metadata=_column(_TEXT, _visible_text))
    """The time at which the game ended, in UTC (ISO 8601)."""
    game: str = field(metadata=_column(_TEXT, _visible_text))
    """The name of the configuration; the names of two configurations are joined by ` : `."""
    opening: tuple[tuple[str, str], ...] = field(
        default=(), metadata=_column(_TEXT, _moves, json_text)
    )
    """The moves of the opening, in the form of `moves`."""
    pair: int = field(default=0, metadata=_column(_INTEGER, _count))
    """The number of the pair; its games share opening and random seed."""
    nodes: Mapping[str, int] = field(
        default_factory=dict, metadata=_column(_TEXT, _json(dict_of(_count)), _object_text)
    )
    """The number of nodes that the engine of each player reported."""
    thinking: Mapping[str, float] = field(
        default_factory=dict, metadata=_column(_TEXT, _json(dict_of(_number)), _object_text)
    )
    """The thinking time of each player in seconds."""
    branching: float = field(default=0.0, metadata=_column(_REAL, _number))
    """The mean number of legal moves in the positions in which an engine chose."""
    digest: str = field(default="", metadata=_column(_TEXT, _text))
    """A digest of the moves: games with the same moves have equal digests."""
    void: bool = field(default=False, metadata=_column(_INTEGER, _flag, int, "0"))
    """Whether the game does not count."""
    faults: tuple[str, ...] = field(
        default=(), metadata=_column(_TEXT, _json(list_of(_visible_text)), _faults_text, "'[]'")
    )
    """Errors that did not end the game."""
    traceback: str = field(default="", metadata=_column(_TEXT, _lines, in_lines, "''"))
    """The shortened traceback of the exception if an engine in Python failed."""
    worker: str = field(default="", metadata=_column(_TEXT, _visible_text, visible, "''"))
    """The name of the worker of a cluster that played the game; empty for this computer."""

    def entrant_scores(self) -> dict[str, float]:
        """Return the score of each entrant, summed over its seats."""
        scores: dict[str, float] = {}
        for player, entrant in self.seats.items():
            scores[entrant] = scores.get(entrant, 0.0) + self.outcome.get(player, 0.0)
        return scores


COLUMNS: Mapping[str, Column] = {each.name: each.metadata["column"] for each in fields(GameRow)}
"""The columns by name, in order."""


def row_values(row: GameRow) -> tuple[object, ...]:
    """Return the values of the columns, in order."""
    return tuple(column.write(getattr(row, name)) for name, column in COLUMNS.items())


def read_row(values: Sequence[object]) -> GameRow:
    """Return the game from the values of a row.

    Raises:
        ValueError: A column has an invalid value.
    """
    by_column = dict(zip(COLUMNS, values, strict=True))
    for name, column in COLUMNS.items():
        try:
            by_column[name] = column.read(by_column[name])
        except ValueError as error:
            raise ValueError(f"game {by_column['id']}, column {name}: {error}") from error
    row = GameRow(**by_column)  # type: ignore[arg-type]  # the readers' types
    if not row.outcome.keys() <= row.seats.keys():
        raise ValueError(f"game {row.id}, column outcome: it names players without a seat")
    return row
