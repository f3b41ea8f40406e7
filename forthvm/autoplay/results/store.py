"""The results file of a match: an SQLite database, one transaction per game.

Owns the schema, the creation of the file, and the check that a file has this schema and values of
the right types; `Settings.from_match` checks the values of the table `match`.

Tables:

- `match(key, value)`: the settings of the match (`Settings.to_match`), and the time and program
  version with which it began; values are JSON documents;
- `games`: one row for each finished game, see `GameRow`.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from forthvm.autoplay.results.rows import COLUMNS, GameRow, json_text, read_row, row_values
from forthvm.autoplay.untrusted_text import in_a_line
from forthvm.core.errors import ForthVMError
from forthvm.core.reading import MAX_NUMBER, as_type, integer, parse_json, text
from forthvm.system.files import failure_reason, open_file, remove, rename
from forthvm.system.locks import FileLock, LockedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType
    from typing import Self

__all__ = [
    "SCHEMA_VERSION",
    "FileTakenError",
    "GameRow",
    "Store",
    "StoreError",
    "is_results_file",
]

SCHEMA_VERSION = 1
_BUSY_TIMEOUT = 30.0
"""Seconds to wait while another process writes."""
_MAX_BYTES = 64 * 1024 * 1024
"""The maximum size in bytes of a value in the database; a very long game needs 100 kB."""
_SIDE_FILE_ENDINGS = ("-wal", "-shm", "-journal")
"""Endings of the side files that SQLite writes beside a database, and reads when it is opened."""
_SETTINGS = (
    # A recorded game survives a power failure: `record` returns when the log is on the disk.
    "PRAGMA synchronous = FULL",
    # Files may be untrusted: their schema must not call functions with side effects.
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)

_DEFINITIONS = {name: f"{name} {column.definition}" for name, column in COLUMNS.items()}
_MATCH = "match (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS {_MATCH}",
    f"CREATE TABLE IF NOT EXISTS games ({', '.join(_DEFINITIONS.values())})",
)
_INSERT = (
    f"INSERT OR IGNORE INTO games ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
)


_MAX_PAGE = 1 << 16
"""The maximum size of a page of a database; the first page has its header and its schema."""
_DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""UnicodeDecodeError is raised when SQLite's message quotes a damaged schema."""
_MAX_ERROR_TEXT = 300
"""The maximum length of a quoted error message, which may contain data of the file."""


class StoreError(ForthVMError):
    """A results file cannot be used: it has another format, is damaged, or cannot be written."""


class FileTakenError(StoreError):
    """A match cannot use this file: it exists, a side file exists, or a process plays its match."""


def is_results_file(path: Path) -> bool:
    """Return whether a file begins like a results file.

    The file is not opened as a database: SQLite would change one that another program has left
    with a journal.

    Raises:
        OSError: The file cannot be read.
    """
    with os.fdopen(open_file(path, os.O_RDONLY), "rb") as file:
        page = file.read(_MAX_PAGE)
    # SQLite keeps the text of the statement, without IF NOT EXISTS.
    return page.startswith(b"SQLite format 3\0") and f"CREATE TABLE {_MATCH}".encode() in page


class Store:
    """An open results file.

    Only one thread at a time may use it.  Several processes may have the same file open.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, lock: FileLock | None = None
    ) -> None:
        """Create a store; callers use `create` or `open`."""
        self._connection = connection
        self._lock = lock
        self._missing_columns: list[str] = []
        self.path = path

    @classmethod
    def create(cls, path: str | os.PathLike[str], match: Mapping[str, object]) -> Self:
        """Create and lock the file of a new match.

        Raises:
            FileTakenError: The file exists, or another process is creating it.
            StoreError: The file cannot be created.
        """
        path = Path(path)
        lock = _acquire_lock(path)
        try:
            _refuse_side_files(path)
            _reserve(path)
            try:
                _write_tables(path, match)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            return cls(_connect(path), path, lock)
        except OSError as error:
            lock.release()
            raise StoreError(f"cannot write {path}: {failure_reason(error)}") from error
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, play: bool = False) -> Self:
        """Open an existing file.

        Args:
            path: The file.
            play: Whether to lock the file, in order to continue the match.

        Raises:
            StoreError: The file does not exist, is not a results file, or has another schema; or
                another process plays this match.
        """
        path = Path(path)
        _refuse_irregular(path)
        if path.stat().st_size == 0:  # SQLite would fill it from a side file of an old match
            raise StoreError(f"{path} is not a results file (it is empty)")
        lock = _acquire_lock(path) if play else None
        store = None
        try:
            store = cls(_connect(path), path, lock)
            store._check_schema()
        except BaseException:
            if store is not None:
                store.close()
            elif lock is not None:
                lock.release()
            raise
        return store

    def _check_schema(self) -> None:
        """Raise StoreError if the database is not a results file of the known schema."""
        try:
            self._refuse_views_and_triggers()
            version = self.match().get("schema")
        except StoreError as error:
            reason = _error_text(error.__cause__ or error)
            raise StoreError(f"{self.path} is not a results file ({reason})") from error
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} has results of schema {version}; "
                f"this forthvm reads schema {SCHEMA_VERSION}"
            )
        with self._reading() as connection:
            names = {name for _, name, *_ in connection.execute("PRAGMA table_info(games)")}
        self._missing_columns = [
            name
            for name, column in COLUMNS.items()
            if column.default is not None and name not in names
        ]

    def _refuse_views_and_triggers(self) -> None:
        """Raise StoreError if there are views or triggers: a query could execute their code."""
        with self._reading() as connection:
            for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
                is_table = kind == "table" and str(sql).startswith("CREATE TABLE")
                if kind != "index" and not is_table:
                    raise ValueError(f"it has a {kind} {name!a}")

    # --- reading ------------------------------------------------------------------------

    def match(self) -> dict[str, object]:
        """Return the table `match`: the settings of the match, and data about its origin."""
        with self._reading() as connection:
            return _read_match(connection.execute("SELECT key, value FROM match"))

    def games(self) -> Iterator[GameRow]:
        """Yield all recorded games, ordered by number."""
        with self._reading() as connection:
            for row in connection.execute(f"{self._select} ORDER BY id"):
                yield read_row(row)

    def game(self, number: int) -> GameRow | None:
        """Return the game with this number; None if it is not recorded."""
        with self._reading() as connection:
            row = connection.execute(f"{self._select} WHERE id = ?", (number,)).fetchone()
            return None if row is None else read_row(row)

    @property
    def _select(self) -> str:
        """The SQL query for games, with the defaults of columns that old files lack."""
        names = [
            f"{column.default} AS {name}" if name in self._missing_columns else name
            for name, column in COLUMNS.items()
        ]
        return f"SELECT {', '.join(names)} FROM games"

    def numbers(self) -> set[int]:
        """Return the numbers of the recorded games."""
        with self._reading() as connection:
            numbers = {number for (number,) in connection.execute("SELECT id FROM games")}
            if not all(isinstance(number, int) and number > 0 for number in numbers):
                raise ValueError("the table games has numbers that are not positive integers")
            return numbers

    # --- writing ------------------------------------------------------------------------

    def record(self, row: GameRow) -> bool:
        """Write a game to the disk; if the game had been recorded before, do nothing.

        Returns:
            False if the game had already been recorded.

        Raises:
            StoreError: The game could not be written; earlier games are unchanged.
        """
        with self._writing() as connection:
            for name in self._missing_columns:
                connection.execute(f"ALTER TABLE games ADD COLUMN {_DEFINITIONS[name]}")
            inserted = connection.execute(_INSERT, row_values(row)).rowcount == 1
        self._missing_columns = []
        return inserted

    def void(self, numbers: list[int], reason: str) -> None:
        """Mark games as void; `reason` is inserted before the recorded reason of each game."""
        with self._writing() as connection:
            connection.executemany(
                "UPDATE games SET void = 1, reason = 'void: ' || ? || '; ' || reason "
                "WHERE id = ? AND void = 0",
                [(reason, number) for number in numbers],
            )

    def set_match_value(self, key: str, value: object) -> None:
        """Write one value of the table `match`."""
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO match (key, value) VALUES (?, ?)",
                (key, json_text(value)),
            )

    def close(self) -> None:
        """Close the file, into which SQLite merges its log, and release the lock."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        """Return the store; leaving the block closes it."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection
        except (sqlite3.Error, ValueError) as error:
            raise StoreError(f"cannot read {self.path}: {_error_text(error)}") from error
        except MemoryError as error:
            raise StoreError(f"cannot read {self.path}: out of memory") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Begin a transaction, which is committed after the block, or rolled back on failure."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except _DATABASE_ERRORS as error:
            _roll_back(connection)
            raise StoreError(f"cannot write {self.path}: {_error_text(error)}") from error
        except BaseException:  # also Ctrl-C before or after the block
            _roll_back(connection)
            raise


def _error_text(error: BaseException) -> str:
    return in_a_line(error, _MAX_ERROR_TEXT)


def _roll_back(connection: sqlite3.Connection) -> None:
    # After some errors, such as a full disk, SQLite has rolled back already.
    if connection.in_transaction:
        connection.execute("ROLLBACK")


# --- a new file -------------------------------------------------------------------------------


def _acquire_lock(path: Path) -> FileLock:
    # Not the database itself: closing our descriptor of it would release SQLite's locks.
    try:
        return FileLock(path.with_name(f"{path.name}-lock"))
    except LockedError:
        raise FileTakenError(
            f"{path}: another process plays this match",
            hints=("wait for it, or read its results so far: forthvm report",),
        ) from None
    except OSError as error:
        raise StoreError(f"cannot open {path}-lock: {failure_reason(error)}") from error


def _refuse_irregular(path: Path) -> None:
    """Raise StoreError unless the path is that of a regular file."""
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
        f"{path} is {kind}, not a results file", hints=(pipe,) if path.is_fifo() else ()
    )


def _refuse_side_files(path: Path) -> None:
    for ending in _SIDE_FILE_ENDINGS:
        side_file = path.with_name(path.name + ending)
        if os.path.lexists(side_file) and (not path.exists() or path.stat().st_size == 0):
            raise FileTakenError(
                f"{side_file} is left over from another match, whose results file is gone",
                hints=(f"remove it: rm {side_file}", "or name another file: --out FILE"),
            )


def _reserve(path: Path) -> None:
    """Create the file to reserve its name for this match, or reuse an empty file.

    If two processes reserve the same name concurrently, one of them fails here or at the lock.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        if not _is_blank(path):
            raise FileTakenError(
                f"{path} exists",
                hints=(
                    f"continue it: --resume {path}, or Match.resume",
                    "or name another file: --out FILE",
                ),
            ) from None


def _is_blank(path: Path) -> bool:
    """Whether a file has no tables because its match was killed before it began."""
    if path.is_symlink() or not path.is_file():
        return False
    if path.stat().st_size == 0:
        return True
    connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT)
    try:
        count: tuple[int] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        return False
    finally:
        connection.close()
    return count[0] == 0


def _write_tables(path: Path, match: Mapping[str, object]) -> None:
    """Write the tables to a temporary file and rename the file.

    A process that is killed meanwhile therefore leaves no incomplete results file.
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
        store.match()  # what the reader refuses must not be written
        # With a write-ahead log, readers do not wait for the writer, and a transaction of a killed
        # process has no effect.
        connection.execute("PRAGMA journal_mode = WAL")
        store.close()
        draft.chmod(path.stat().st_mode & 0o777)
        rename(draft, path)
    except sqlite3.Error as error:
        raise StoreError(f"cannot write {path}: {error}") from error
    finally:
        store.close()
        remove(draft)


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT, isolation_level=None)
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_BYTES)
            for setting in _SETTINGS:
                connection.execute(setting)
        except BaseException:
            connection.close()  # Windows does not remove or replace open files
            raise
    except _DATABASE_ERRORS as error:
        problem = "is not a results file" if path.is_file() else "cannot be opened"
        raise StoreError(f"{path} {problem} ({_error_text(error)})") from error
    return connection


_TYPES: dict[str, Any] = {
    "schema": int,
    "forthvm": str,
    "begun_at": str,
    "game": str,
    "configurations": list[dict[str, object]],
    "entrants": list[dict[str, object]],
    "games": Annotated[int, integer(1, MAX_NUMBER)],
    "schedule": str,
    "seed": int,
    "options": dict[str, object],
    "openings": list[dict[str, object]],
    "seats": list[str],
    "digests": list[str],
    "sources": list[dict[str, str]],
}
"""The type of each value.  `digests` has the digest of each configuration's sources; `sources` has,
for each configuration, the digests of its files by path."""


def _read_match(rows: Iterable[tuple[object, object]]) -> dict[str, object]:
    """Return the values by key, with checked types.  A value with an unknown key may have any type.

    Raises:
        ValueError: A value has the wrong type or is out of range.
    """
    entries: dict[str, object] = {}
    for key, document in rows:
        name = str(key)
        try:
            entries[name] = as_type(_TYPES.get(name, object))(parse_json(text()(document)))
        except ValueError as error:
            raise ValueError(f"match, {name!a}: {error}") from error
    if entries.get("seats") == []:
        raise ValueError("match, 'seats': expected at least one seat")
    return entries
