"""A game as a row of the table `games`: the meaning and the valid values of its columns.

Owns the columns, their form in the database, and the check of all values that are read from a file,
because a file may be damaged or edited.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from forthvm.autoplay.untrusted_text import in_lines, visible

__all__ = [
    "COLUMNS",
    "MAX_NUMBER",
    "Column",
    "GameRow",
    "json_text",
    "parse_json",
    "read_row",
    "row_values",
]

MAX_NUMBER = 2**62
"""The maximum number in a results file, so that sums of numbers stay finite."""
_MAX_PLIES = 2**31

_INTEGER, _REAL, _TEXT = "INTEGER NOT NULL", "REAL NOT NULL", "TEXT NOT NULL"


def json_text(value: object) -> str:
    """Return a value as JSON; unprintable characters and lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isprintable() else json.dumps(value, separators=(",", ":"))


def _object_text(value: Mapping[str, object]) -> str:
    return json_text(dict(value))


def _faults_text(faults: Sequence[str]) -> str:
    return json_text([visible(fault) for fault in faults])


# --- reading values -----------------------------------------------------------------------------


def parse_json(value: object) -> object:
    """Parse a JSON document.

    Raises:
        ValueError: The text is not valid JSON, or nested too deeply.
    """
    try:
        return json.loads(_text(value))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {_shown(value)}")
    return value


def _visible_text(value: object) -> str:
    """Return a text for display, with control characters escaped."""
    return visible(_text(value))


def _integer(low: int, high: int = MAX_NUMBER) -> Callable[[object], int]:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"expected an integer from {low} to {high}, not {_shown(value)}")
        return value

    return read


def _number(high: float = MAX_NUMBER) -> Callable[[object], float]:
    def read(value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueError(f"expected a number, not {_shown(value)}")
        if not 0 <= value <= high:  # also true for NaN
            raise ValueError(f"expected a number from 0 to {high}, not {_shown(value)}")
        return value

    return read


def _object_of(parse_value: Callable[[object], object]) -> Callable[[object], dict[str, object]]:
    def read(value: object) -> dict[str, object]:
        parsed = parse_json(value)
        if not isinstance(parsed, dict):
            raise ValueError(f"expected a JSON object, not {_shown(parsed)}")
        return {str(key): parse_value(each) for key, each in parsed.items()}

    return read


def _seats(value: object) -> dict[str, object]:
    seats = _object_of(_visible_text)(value)
    if not seats:
        raise ValueError("expected at least one seat")
    return seats


def _moves(value: object) -> tuple[tuple[str, str], ...]:
    parsed = parse_json(value)
    if not isinstance(parsed, list):
        raise ValueError(f"expected a JSON list, not {_shown(parsed)}")
    for move in parsed:
        if not (isinstance(move, list) and list(map(type, move)) == [str, str]):
            raise ValueError(f"expected a player and a move text, not {_shown(move)}")
    return tuple(map(tuple, parsed))


def _faults(value: object) -> tuple[str, ...]:
    parsed = parse_json(value)
    if not isinstance(parsed, list):
        raise ValueError(f"expected a JSON list, not {_shown(parsed)}")
    return tuple(map(_visible_text, parsed))


def _lines(value: object) -> str:
    return in_lines(_text(value))


def _flag(value: object) -> bool:
    return bool(_integer(0, 1)(value))


def _shown(value: object) -> str:
    text = visible(ascii(value) if isinstance(value, bytes) else repr(value)[:200])
    return text if len(text) <= 60 else f"{text[:60]}…"  # fits in a line


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

    id: int = field(metadata=_column("INTEGER PRIMARY KEY", _integer(1)))
    """The number in the schedule, which starts at 1."""
    seed: int = field(metadata=_column(_INTEGER, _integer(0)))
    """The seed of the game's random numbers; the games of a pair share it."""
    seats: Mapping[str, str] = field(metadata=_column(_TEXT, _seats, _object_text))
    """The entrant of each player who can win, in order of turns."""
    outcome: Mapping[str, float] = field(
        metadata=_column(_TEXT, _object_of(_number(1)), _object_text)
    )
    """The score of each player in `seats`; the scores add up to 1.  Empty if void."""
    reason: str = field(metadata=_column(_TEXT, _visible_text, visible))
    """`OnIsGameOver: …`, `adjudicated: …`, `forfeit: …` or `void: …`."""
    plies: int = field(metadata=_column(_INTEGER, _integer(0, _MAX_PLIES)))
    moves: tuple[tuple[str, str], ...] = field(metadata=_column(_TEXT, _moves, json_text))
    """Player and text of each move, including the opening and the moves of chance players."""
    seconds: float = field(metadata=_column(_REAL, _number()))
    """Wall-clock time of the game."""
    finished_at: str = field(metadata=_column(_TEXT, _visible_text))
    """The time at which the game ended, in UTC (ISO 8601)."""
    game: str = field(metadata=_column(_TEXT, _visible_text))
    """The name of the configuration; the names of two configurations are joined by ` : `."""
    opening: tuple[tuple[str, str], ...] = field(
        default=(), metadata=_column(_TEXT, _moves, json_text)
    )
    """The moves of the opening, in the form of `moves`."""
    pair: int = field(default=0, metadata=_column(_INTEGER, _integer(0)))
    """The number of the pair; its games share opening and random seed."""
    nodes: Mapping[str, int] = field(
        default_factory=dict, metadata=_column(_TEXT, _object_of(_integer(0)), _object_text)
    )
    """The number of nodes that the engine of each player reported."""
    thinking: Mapping[str, float] = field(
        default_factory=dict, metadata=_column(_TEXT, _object_of(_number()), _object_text)
    )
    """The thinking time of each player in seconds."""
    branching: float = field(default=0.0, metadata=_column(_REAL, _number()))
    """The mean number of legal moves in the positions in which an engine chose."""
    digest: str = field(default="", metadata=_column(_TEXT, _text))
    """A digest of the moves: games with the same moves have equal digests."""
    void: bool = field(default=False, metadata=_column(_INTEGER, _flag, int, "0"))
    """Whether the game does not count."""
    faults: tuple[str, ...] = field(
        default=(), metadata=_column(_TEXT, _faults, _faults_text, "'[]'")
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
