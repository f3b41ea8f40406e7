"""The results of a match: one SQLite file, one transaction a game.

Owns the schema, how a file comes into being, and that what is read from it is of the right
shape.  It must not know how games are scheduled or played, nor what is counted.

Tables:

- `match(key, value)`: what is played, a row a setting, values as JSON (`Settings.to_json`,
  and `schema`, `forthvm`, `begun_at`, `digests`);
- `games`: a row a finished game, see `GameRow`; `id` is its number in the schedule, so that
  what is missing is known.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.autoplay.results.lock import Lock, LockedError
from forthvm.autoplay.results.match_table import read_match
from forthvm.autoplay.results.rows import COLUMNS, GameRow, json_text, read_row, row_values
from forthvm.autoplay.untrusted_text import in_a_line
from forthvm.core.errors import ForthVMError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType
    from typing import Self

__all__ = ["SCHEMA_VERSION", "FileTakenError", "GameRow", "Store", "StoreError"]

SCHEMA_VERSION = 1
_PATIENCE = 30.0
"""Seconds to wait for another process that writes."""
_MOST_BYTES = 64 * 1024 * 1024
"""Of one cell of the database; a long game has some 100 kB of moves."""
_LEFTOVERS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; it would be read into a new one of that name."""
_SETTINGS = (
    # A finished game outlasts a power failure: the log is on the disk when `record` returns.
    "PRAGMA synchronous = FULL",
    # Files come from elsewhere: no functions with side effects out of their schema.
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)

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
        faults TEXT NOT NULL DEFAULT '[]',
        traceback TEXT NOT NULL DEFAULT ''
    )
    """,
)
_ADDED = "traceback"
"""A column that files of earlier versions lack."""
_ADD = f"ALTER TABLE games ADD COLUMN {_ADDED} TEXT NOT NULL DEFAULT ''"
_WRITE = (
    f"INSERT OR IGNORE INTO games ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
)


_FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""The latter where SQLite quotes a damaged schema."""
_MOST_TEXT = 300


class StoreError(ForthVMError):
    """A file of results cannot be used: it is none, is damaged, or cannot be written."""


class FileTakenError(StoreError):
    """A new match cannot have this name: there is such a file, or what is left of one."""


class Store:
    """A file of results.

    One thread at a time.  Several processes may have the same file open: recording a game
    again changes nothing.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, lock: Lock | None = None
    ) -> None:
        """Made by `create` and `open`."""
        self._connection = connection
        self._lock = lock
        self._is_old = False
        self.path = path

    @classmethod
    def create(cls, path: Path, match: Mapping[str, object]) -> Self:
        """A new file for a match, which this process plays.

        Raises:
            FileTakenError: the file exists, or another process is making it.
            StoreError: it cannot be made.
        """
        lock = _locked(path)
        try:
            _refuse_leftovers(path)
            _reserve(path)
            try:
                _write(path, match)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            return cls(_connect(path), path, lock)
        except OSError as error:
            lock.release()
            raise StoreError(f"cannot write {path}: {error.strerror}") from error
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: Path, *, play: bool = False) -> Self:
        """An existing file.

        Args:
            path: The file.
            play: To go on with the match, which one process does at a time.

        Raises:
            StoreError: there is none, it is not a file of results, it is of another schema, or
                another process plays this match.
        """
        _refuse_irregular(path)
        if path.stat().st_size == 0:  # SQLite would read a log into it that was left there
            raise StoreError(f"{path} is no file of results (it is empty)")
        lock = _locked(path) if play else None
        store = None
        try:
            store = cls(_connect(path), path, lock)
            store._check()
        except BaseException:
            if store is not None:
                store.close()
            elif lock is not None:
                lock.release()
            raise
        return store

    def _check(self) -> None:
        """Refuses what is not a file of results that this version reads."""
        try:
            self._refuse_code()
            found = self.match().get("schema")
        except StoreError as error:
            why = _told(error.__cause__ or error)
            raise StoreError(f"{self.path} is no file of results ({why})") from error
        if found != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} has results of schema {found}; "
                f"this forthvm reads schema {SCHEMA_VERSION}"
            )
        with self._reading() as connection:
            names = [name for _, name, *_ in connection.execute("PRAGMA table_info(games)")]
        self._is_old = _ADDED not in names

    def _refuse_code(self) -> None:
        """Refuses views and triggers before anything is read: reading a view may never end."""
        with self._reading() as connection:
            for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
                table = kind == "table" and str(sql).startswith("CREATE TABLE")
                if kind != "index" and not table:
                    raise ValueError(f"it has a {kind} {name!a}")

    # --- reading ------------------------------------------------------------------------

    def match(self) -> dict[str, object]:
        """What is played: the table `match`."""
        with self._reading() as connection:
            return read_match(connection.execute("SELECT key, value FROM match"))

    def games(self) -> Iterator[GameRow]:
        """All recorded games by number."""
        with self._reading() as connection:
            for row in connection.execute(f"{self._select} ORDER BY id"):
                yield read_row(row)

    def game(self, number: int) -> GameRow | None:
        """One game, None where it is not recorded."""
        with self._reading() as connection:
            row = connection.execute(f"{self._select} WHERE id = ?", (number,)).fetchone()
            return None if row is None else read_row(row)

    @property
    def _select(self) -> str:
        """A query for games; a column that the file lacks is empty."""
        names = [f"'' AS {name}" if self._is_old and name == _ADDED else name for name in COLUMNS]
        return f"SELECT {', '.join(names)} FROM games"

    def numbers(self) -> set[int]:
        """Of the recorded games."""
        with self._reading() as connection:
            found = {number for (number,) in connection.execute("SELECT id FROM games")}
            if not all(isinstance(number, int) and number > 0 for number in found):
                raise ValueError("the table games has numbers that are not positive integers")
            return found

    # --- writing ------------------------------------------------------------------------

    def record(self, row: GameRow) -> bool:
        """Writes a game, safe from a killed process when this returns; False: it was there.

        Raises:
            StoreError: it could not be written; what was written before is sound.
        """
        with self._writing() as connection:
            if self._is_old:
                connection.execute(_ADD)
                self._is_old = False
            return connection.execute(_WRITE, row_values(row)).rowcount == 1

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
                (key, json_text(value)),
            )

    def close(self) -> None:
        """Closes the file; the log beside it goes into it."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

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
            raise StoreError(f"cannot read {self.path}: {_told(error)}") from error
        except MemoryError as error:
            raise StoreError(f"cannot read {self.path}: there is too little memory") from error

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
        except _FAILURES as error:
            _undo(connection)
            raise StoreError(f"cannot write {self.path}: {_told(error)}") from error


def _told(error: BaseException) -> str:
    return in_a_line(error, _MOST_TEXT)  # it may quote what is in the file


def _undo(connection: sqlite3.Connection) -> None:
    # Some failures, a full disk among them, have undone it already.
    if connection.in_transaction:
        connection.execute("ROLLBACK")


# --- a new file -------------------------------------------------------------------------------


def _locked(path: Path) -> Lock:
    try:
        return Lock(path)
    except LockedError:
        raise FileTakenError(
            f"{path}: another process plays this match",
            hints=("wait for it, or look at its results so far: forthvm report",),
        ) from None
    except OSError as error:
        raise StoreError(f"cannot open {path}-lock: {error.strerror}") from error


def _refuse_irregular(path: Path) -> None:
    """Refuses what SQLite cannot read: a name without a file, a folder, a pipe, a device."""
    if path.is_file():
        return
    if not os.path.lexists(path):
        raise StoreError(f"there is no file {path}")
    kinds = [
        (path.is_dir(), "a folder"),
        (path.is_fifo(), "a named pipe"),
        (path.is_socket(), "a socket"),
        (path.is_symlink() and not path.exists(), "a link to a file that does not exist"),
    ]
    kind = next((name for found, name in kinds if found), "a device")
    pipe = "SQLite reads files, not pipes: save the results to a file"
    raise StoreError(
        f"{path} is {kind}, not a file of results", hints=(pipe,) if path.is_fifo() else ()
    )


def _refuse_leftovers(path: Path) -> None:
    for ending in _LEFTOVERS:
        beside = path.with_name(path.name + ending)
        if os.path.lexists(beside) and (not path.exists() or path.stat().st_size == 0):
            raise FileTakenError(
                f"{beside} is left of another match, whose file is gone",
                hints=(f"remove it: rm {beside}", "or name another file: --out FILE"),
            )


def _reserve(path: Path) -> None:
    """Has the name for this match: a file of our own, or one that holds nothing.

    Others who make one at the same moment wait for the lock or fail here; nothing is written over.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        if not _is_blank(path):
            raise FileTakenError(
                f"{path} exists",
                hints=(f"go on with it: --resume {path}", "or name another file: --out FILE"),
            ) from None


def _is_blank(path: Path) -> bool:
    """Whether a file holds nothing: a match was killed before it began."""
    if path.is_symlink() or not path.is_file():
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


def _write(path: Path, match: Mapping[str, object]) -> None:
    """Puts the tables there, whole or not at all.

    What is killed in between leaves no file that cannot be resumed.
    """
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(number)
    draft = Path(name)
    store = Store(_connect(draft), draft)
    try:
        with store._writing() as connection:
            for statement in _SCHEMA:
                connection.execute(statement)
            rows = [("schema", SCHEMA_VERSION), *match.items()]
            connection.executemany(
                "INSERT INTO match (key, value) VALUES (?, ?)",
                [(key, json_text(value)) for key, value in rows],
            )
        # A log beside the file: readers do not wait for the writer, and whatever kills
        # this process, the file is what it was before the transaction.
        connection.execute("PRAGMA journal_mode = WAL")
        store.close()
        draft.chmod(path.stat().st_mode & 0o777)
        draft.replace(path)
    except sqlite3.Error as error:
        raise StoreError(f"cannot write {path}: {error}") from error
    finally:
        store.close()
        draft.unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
        for setting in _SETTINGS:
            connection.execute(setting)
    except _FAILURES as error:
        what = "is no file of results" if path.is_file() else "cannot be opened"
        raise StoreError(f"{path} {what} ({_told(error)})") from error
    return connection
