"""The SQLite file of a position database: its schema, and opening files that may be untrusted.

Tables:

- `info(name, value)`: the format, and the fields of `Info`; values are JSON;
- `games(id, match, number, file, seed, plies, reason)`: one row for each game; `match` is a digest
  that identifies the match;
- `seats(game, seat, entrant, score)`: who played each seat of a game, and the score;
- `positions(key, turn, ended, pieces, board, document)`: one row for each different position.
  `key` is signed, `pieces` a JSON object of squares and pieces, `board` a text or NULL, `document`
  a saved position or NULL;
- `occurrences(game, ply, key, move)`: the positions of each game, with the moves made in them.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forthvm.core import reading
from forthvm.core.text.visible import visible
from forthvm.study.errors import StudyError
from forthvm.system.files import failure_reason

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

__all__ = [
    "Info",
    "create_file",
    "integer",
    "number",
    "open_file",
    "short",
    "signed",
    "text",
    "unsigned",
]

_FORMAT = "forthvm positions 1"
_MAX_BYTES = 64 * 1024 * 1024
"""The maximum size of a value in bytes."""
_TABLES = {
    "info": "CREATE TABLE info (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "games": (
        "CREATE TABLE games (id INTEGER PRIMARY KEY, match TEXT NOT NULL, number INTEGER NOT NULL, "
        "file TEXT NOT NULL, seed INTEGER NOT NULL, plies INTEGER NOT NULL, reason TEXT NOT NULL, "
        "UNIQUE (match, number))"
    ),
    "seats": (
        "CREATE TABLE seats (game INTEGER NOT NULL REFERENCES games, seat TEXT NOT NULL, "
        "entrant TEXT NOT NULL, score REAL NOT NULL, PRIMARY KEY (game, seat)) WITHOUT ROWID"
    ),
    "positions": (
        "CREATE TABLE positions (key INTEGER PRIMARY KEY, turn TEXT NOT NULL, "
        "ended INTEGER NOT NULL, pieces TEXT NOT NULL, board TEXT, document TEXT)"
    ),
    "occurrences": (
        "CREATE TABLE occurrences (game INTEGER NOT NULL REFERENCES games, ply INTEGER NOT NULL, "
        "key INTEGER NOT NULL REFERENCES positions, move TEXT, PRIMARY KEY (game, ply)) "
        "WITHOUT ROWID"
    ),
}
_INDEXES = ("CREATE INDEX occurrences_by_key ON occurrences (key)",)
_SIGN = 1 << 63
_MAX_ERROR_TEXT = 200
integer, number, text = reading.integer(), reading.number(), reading.text()
"""Readers of the values of columns."""


@dataclass(frozen=True, kw_only=True)
class Info:
    """What a database contains.

    Attributes:
        game: The name of the game.
        digest: The digest of its sources.
        players: All players.
        seats: The players who can win, in the order of their first turns.
        squares: The names of the board positions.
        plies: The number of plies of each game; None for all.
        boards: Whether boards are stored as text.
        documents: Whether saved positions are stored.
    """

    game: str
    digest: str
    players: tuple[str, ...]
    seats: tuple[str, ...]
    squares: tuple[str, ...]
    plies: int | None
    boards: bool
    documents: bool

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the table `info`."""
        rows = {"format": _FORMAT, **vars(self)}
        connection.executemany(
            "INSERT INTO info VALUES (?, ?)",
            [(name, json.dumps(value)) for name, value in rows.items()],
        )

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Self:
        """Read the table `info`.

        Raises:
            ValueError: The values are invalid.
        """
        rows = connection.execute("SELECT name, value FROM info").fetchall()
        found = {text(name): reading.parse_json(text(value)) for name, value in rows}
        if found.pop("format", None) != _FORMAT:
            raise ValueError("it has another format")
        info = reading.as_type(cls)(found)
        return replace(info, game=visible(info.game))


def short(value: object) -> str:
    """Return the beginning of a text for a message, with control characters escaped."""
    return visible(str(value)[:_MAX_ERROR_TEXT])


def signed(key: int) -> int:
    """Return a key as a signed integer of 64 bits, which SQLite can store."""
    key = unsigned(key)
    return key - (key & _SIGN) * 2


def unsigned(key: int) -> int:
    """Return the key that `signed` converted."""
    return key % (_SIGN * 2)


def create_file(path: Path) -> sqlite3.Connection:
    """Create a file with empty tables.

    Raises:
        StudyError: The file exists or cannot be created.
    """
    try:
        path.open("xb").close()
    except FileExistsError:
        raise StudyError(f"{path} exists") from None
    except OSError as error:
        raise StudyError(f"cannot write {path}: {failure_reason(error)}") from error
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for statement in (*_TABLES.values(), *_INDEXES):
            connection.execute(statement)
    except sqlite3.Error as error:  # for instance a full disk
        connection.close()
        path.unlink()
        raise StudyError(f"cannot write {path}: {short(error)}") from error
    return connection


def open_file(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a file and check its schema.

    Raises:
        StudyError: The file does not exist or has another schema.
    """
    if not path.is_file():
        kind = "is not a regular file" if path.exists() else "does not exist"
        raise StudyError(f"{path} {kind}")
    if path.stat().st_size == 0:  # SQLite would fill it from a side file
        raise StudyError(f"{path} is not a position database (it is empty)")
    connection = None
    try:
        mode = "rw" if write else "ro"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None
        )
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_BYTES)
        # The schema of an untrusted file must not call functions with side effects.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        found = {
            str(name): str(sql)
            for name, sql in connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
            )
        }
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if connection is not None:
            connection.close()
        raise StudyError(f"{path} is not a position database ({short(error)})") from error
    expected = _TABLES | {"occurrences_by_key": _INDEXES[0]}
    if found != expected:
        connection.close()
        raise StudyError(f"{path} is not a position database of this version of forthvm")
    return connection
