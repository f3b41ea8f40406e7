"""The results of a match: one SQLite file, one transaction a game.

Owns the schema and what may be written.  It must not know how games are scheduled or played,
nor what is counted.

Tables:

- `match(key, value)`: what is played, a row a setting, values as JSON (`Settings.to_json`,
  and `schema`, `forthvm`, `begun_at`, `digests`);
- `games`: a row a finished game, see `GameRow`; `id` is its number in the schedule, so that
  what is missing is known.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.autoplay.text import visible
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from types import TracebackType
    from typing import Self

__all__ = ["SCHEMA_VERSION", "GameRow", "Store", "StoreError"]

SCHEMA_VERSION = 1
_PATIENCE = 30.0
"""Seconds to wait for another process that writes."""

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS match (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY,
        seed INTEGER NOT NULL,
        seats TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        plies INTEGER NOT NULL,
        moves TEXT NOT NULL,
        seconds REAL NOT NULL,
        finished_at TEXT NOT NULL,
        game TEXT NOT NULL,
        opening TEXT NOT NULL,
        pair INTEGER NOT NULL,
        nodes TEXT NOT NULL,
        thinking TEXT NOT NULL,
        branching REAL NOT NULL,
        digest TEXT NOT NULL,
        void INTEGER NOT NULL DEFAULT 0,
        faults TEXT NOT NULL DEFAULT '[]'
    )
    """,
)
_COLUMNS = (
    "id",
    "seed",
    "seats",
    "outcome",
    "reason",
    "plies",
    "moves",
    "seconds",
    "finished_at",
    "game",
    "opening",
    "pair",
    "nodes",
    "thinking",
    "branching",
    "digest",
    "void",
    "faults",
)
_READ = f"SELECT {', '.join(_COLUMNS)} FROM games"
_WRITE = (
    f"INSERT OR IGNORE INTO games ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
)


class StoreError(ForthVMError):
    """A file of results cannot be used: it is none, is another match's, or cannot be written."""


@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A game as it was played: a row of the table `games`."""

    id: int
    """Its number in the schedule, from 1."""
    seed: int
    """Of the game's own random numbers; games of a pair share it."""
    seats: Mapping[str, str]
    """Player of the game to entrant, in order of turns."""
    outcome: Mapping[str, float]
    """Player to score: the winners share 1, in a draw all do.  Empty in a void game."""
    reason: str
    """`OnIsGameOver: …`, `adjudicated: …`, `forfeit: …` or `void: …`."""
    plies: int
    moves: tuple[tuple[str, str], ...]
    """Player and text, opening and chance players' moves included."""
    seconds: float
    """Wall-clock time of the game."""
    finished_at: str
    """UTC, ISO 8601."""
    game: str
    """Configuration; two that play each other are joined by ` : `."""
    opening: tuple[tuple[str, str], ...] = ()
    """The first moves, which nobody chose, likewise."""
    pair: int = 0
    """Games with the same opening and the same luck share this number."""
    nodes: Mapping[str, int] = field(default_factory=dict)
    """Player to what the engine says it visited."""
    thinking: Mapping[str, float] = field(default_factory=dict)
    """Player to seconds."""
    branching: float = 0.0
    """Legal moves, the mean over positions in which an engine was asked."""
    digest: str = ""
    """Of the moves: equal games have equal ones."""
    void: bool = False
    """It does not count."""
    faults: tuple[str, ...] = ()
    """What went wrong without ending the game."""

    def entrant_scores(self) -> dict[str, float]:
        """Score of each entrant, summed over his seats."""
        scores: dict[str, float] = {}
        for player, entrant in self.seats.items():
            scores[entrant] = scores.get(entrant, 0.0) + self.outcome.get(player, 0.0)
        return scores


class Store:
    """A file of results.

    One thread at a time.  Several processes may have the same file open: whoever records a
    game second changes nothing.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Made by `create` and `open`."""
        self._connection = connection
        self.path = path

    @classmethod
    def create(cls, path: Path, match: Mapping[str, object]) -> Self:
        """A new file for a match.

        Raises:
            StoreError: it exists, or cannot be made.
        """
        if path.exists() and not _is_blank(path):
            raise StoreError(
                f"{path} exists",
                hints=(f"go on with it: --resume {path}", "or name another file: --out FILE"),
            )
        # Whole or not at all: what is killed in between leaves no file that cannot be resumed.
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        store = cls(_connect(draft), draft)
        try:
            with store._writing() as connection:
                for statement in _SCHEMA:
                    connection.execute(statement)
                rows = [("schema", SCHEMA_VERSION), *match.items()]
                connection.executemany(
                    "INSERT INTO match (key, value) VALUES (?, ?)",
                    [(key, _json(value)) for key, value in rows],
                )
            store.close()
            draft.replace(path)
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}") from error
        finally:
            store.close()
            draft.unlink(missing_ok=True)
        connection = _connect(path)
        try:
            # A log beside the file: readers do not wait for the writer, and whatever kills
            # this process, the file is what it was before the transaction.
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as error:
            connection.close()
            raise StoreError(f"cannot write {path}: {error}") from error
        return cls(connection, path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """An existing file.

        Raises:
            StoreError: there is none, it is no file of results, or of another schema.
        """
        if not path.is_file():
            raise StoreError(f"there is no file {path}")
        store = None
        try:
            store = cls(_connect(path), path)
            found = store.match().get("schema")
        except StoreError as error:
            if store is not None:
                store.close()
            raise StoreError(f"{path} is no file of results ({error.__cause__})") from error
        if found != SCHEMA_VERSION:
            store.close()
            raise StoreError(
                f"{path} has results of schema {found}; this forthvm reads schema {SCHEMA_VERSION}"
            )
        return store

    # --- reading ------------------------------------------------------------------------

    def match(self) -> dict[str, object]:
        """What is played: the table `match`."""
        with self._reading() as connection:
            return {
                key: json.loads(value)
                for key, value in connection.execute("SELECT key, value FROM match")
            }

    def games(self) -> Iterator[GameRow]:
        """All recorded games by number."""
        with self._reading() as connection:
            for row in connection.execute(f"{_READ} ORDER BY id"):
                yield _row(row)

    def game(self, number: int) -> GameRow | None:
        """One game, None where it is not recorded."""
        with self._reading() as connection:
            row = connection.execute(f"{_READ} WHERE id = ?", (number,)).fetchone()
        return None if row is None else _row(row)

    def numbers(self) -> set[int]:
        """Of the recorded games."""
        with self._reading() as connection:
            return {number for (number,) in connection.execute("SELECT id FROM games")}

    # --- writing ------------------------------------------------------------------------

    def record(self, row: GameRow) -> bool:
        """Writes a game, safe from a killed process when this returns; False: it was there.

        Raises:
            StoreError: it could not be written; what was written before is sound.
        """
        with self._writing() as connection:
            return connection.execute(_WRITE, _values(row)).rowcount == 1

    def forget(self, number: int) -> None:
        """Removes a game that is to be played again."""
        with self._writing() as connection:
            connection.execute("DELETE FROM games WHERE id = ?", (number,))

    def void(self, numbers: list[int], why: str) -> None:
        """Has games not count, for a reason that comes before theirs."""
        with self._writing() as connection:
            connection.executemany(
                "UPDATE games SET void = 1, reason = 'void: ' || ? || '; ' || reason "
                "WHERE id = ? AND void = 0",
                [(why, number) for number in numbers],
            )

    def set(self, key: str, value: object) -> None:
        """Writes a row of `match`."""
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO match (key, value) VALUES (?, ?)",
                (key, _json(value)),
            )

    def close(self) -> None:
        """Closes the file; the log beside it goes into it."""
        self._connection.close()

    def __enter__(self) -> Self:
        """The store itself; leaving the block closes it."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Closes it."""
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection
        except (sqlite3.Error, ValueError) as error:
            raise StoreError(f"cannot read {self.path}: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; none of it happened if it fails."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                _undo(connection)
                raise
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            _undo(connection)
            raise StoreError(f"cannot write {self.path}: {error}") from error


def _undo(connection: sqlite3.Connection) -> None:
    # Some failures, a full disk among them, have undone it already.
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _is_blank(path: Path) -> bool:
    """Whether a file holds nothing: a match was killed before it began."""
    if not path.is_file():
        return False
    if path.stat().st_size == 0:
        return True
    connection = sqlite3.connect(path, timeout=_PATIENCE)
    try:
        found: tuple[int] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        return False
    finally:
        connection.close()
    return found[0] == 0


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as error:
        raise StoreError(f"cannot open {path}: {error}") from error
    return connection


def _json(value: object) -> str:
    """Readable where that can be: what no UTF-8 can say, such as half a pair, is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isprintable() else json.dumps(value, separators=(",", ":"))


def _values(row: GameRow) -> tuple[object, ...]:
    """The columns of a row, in order."""
    return (
        row.id,
        row.seed,
        _json(dict(row.seats)),
        _json(dict(row.outcome)),
        visible(row.reason),
        row.plies,
        _json(row.moves),
        row.seconds,
        row.finished_at,
        row.game,
        _json(row.opening),
        row.pair,
        _json(dict(row.nodes)),
        _json(dict(row.thinking)),
        row.branching,
        row.digest,
        int(row.void),
        _json([visible(fault) for fault in row.faults]),
    )


def _row(values: tuple[object, ...]) -> GameRow:
    found = dict(zip(_COLUMNS, values, strict=True))
    for column in ("seats", "outcome", "nodes", "thinking"):
        found[column] = json.loads(str(found[column]))
    for column in ("moves", "opening"):
        found[column] = tuple((player, text) for player, text in json.loads(str(found[column])))
    # Files of others, and of earlier versions, may have anything.
    found["reason"] = visible(str(found["reason"]))
    found["faults"] = tuple(visible(str(each)) for each in json.loads(str(found["faults"])))
    found["void"] = bool(found["void"])
    return GameRow(**found)  # type: ignore[arg-type]  # the schema's types
