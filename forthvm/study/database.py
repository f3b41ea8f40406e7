"""Position databases: all positions of recorded games in an SQLite file.

Owns what is stored, and the results of queries.  Delegates the schema to database_file.py, the
meaning of conditions to database_query.py, and other forms of results to database_export.py.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm import render
from forthvm.core.text.visible import visible
from forthvm.game import Position
from forthvm.study.database_file import Info, create_file, number, open_file, short, signed, text
from forthvm.study.database_query import (
    Conditions,
    Occurrence,
    PositionSummary,
    occurrence_of,
    pieces_in,
    sql_of,
    wanted_pieces,
)
from forthvm.study.errors import StudyError
from forthvm.study.keys import key_text, position_key
from forthvm.study.replays import recorded_games

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self, Unpack

    import pandas

    from forthvm.core.budget import Budget
    from forthvm.game import Game
    from forthvm.study.replays import RecordedGame

__all__ = ["PositionDatabase"]


class PositionDatabase:
    """The positions of recorded games in an SQLite file.

    Positions are identified by `forthvm.study.position_key`.  Only one thread at a time may use a
    database.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use a connection; callers use `create` or `open`."""
        self.path = path
        self._connection = connection
        self._info: Info | None = None

    @classmethod
    def create(  # noqa: PLR0913 - keyword-only options, each of them documented
        cls,
        path: Path | str,
        files: Iterable[Path | str] | Path | str,
        *,
        plies: int | None = None,
        boards: bool = True,
        documents: bool = False,
        trust: bool = False,
        budget: Budget | None = None,
    ) -> Self:
        """Create a database of the games in results files, without void games.

        Args:
            path: The new file.
            files: A results file of `forthvm autoplay`, or several of the same game.
            plies: The number of plies of each game; None for all.
            boards: Whether to store each board as text.
            documents: Whether to store each position as a saved position, which `restore`
                needs; a document has 1 to 20 kB.
            trust: Whether to load scripts that have changed since the match or have no digest.
            budget: The limits of the script; None for those of the match.

        Raises:
            StudyError: The file exists or cannot be written, or the games cannot be replayed; then
                no file is left.
            ForthVMError: A results file or a script cannot be read.
        """
        target = Path(path)
        database = cls(target, create_file(target))
        try:
            database._fill(files, _Options(plies, boards, documents), trust, budget)
        except BaseException:
            database.close()
            target.unlink(missing_ok=True)
            raise
        return database

    @classmethod
    def open(cls, path: Path | str, *, write: bool = False) -> Self:
        """Open a database.  The file may be untrusted.

        Args:
            path: The file.
            write: Whether `add` will be called.

        Raises:
            StudyError: The file does not exist, is not a position database, or is damaged.
        """
        target = Path(path)
        database = cls(target, open_file(target, write=write))
        try:
            with database._errors("read"):
                database._info = Info.read(database._connection)
        except BaseException:
            database.close()
            raise
        return database

    def add(
        self,
        files: Iterable[Path | str] | Path | str,
        *,
        trust: bool = False,
        budget: Budget | None = None,
    ) -> int:
        """Add the games of results files that are not yet in the database.

        The options of `create` apply.  If a game cannot be added, the database is unchanged.

        Returns:
            The number of games added.

        Raises:
            StudyError: The games are of another game, cannot be replayed, or cannot be written.
            ForthVMError: A results file or a script cannot be read.
        """
        info = self.info
        options = _Options(info.plies, info.boards, info.documents)
        return self._fill(files, options, trust, budget)

    # --- writing ------------------------------------------------------------------------------

    def _fill(
        self,
        files: Iterable[Path | str] | Path | str,
        options: _Options,
        trust: bool,
        budget: Budget | None,
    ) -> int:
        if options.plies is not None and options.plies < 0:
            raise ValueError(f"plies: expected a non-negative integer, not {options.plies}")
        paths = [Path(files)] if isinstance(files, str | Path) else [Path(each) for each in files]
        count = 0
        with self._errors("write"), self._transaction():
            for recorded in recorded_games(paths, trust=trust, budget=budget):
                if self._info is None:
                    self._info = _info_of(recorded, options)
                    self._info.write(self._connection)
                elif self._info.digest != recorded.game.digest:
                    raise StudyError(
                        f"{self.path} has positions of {self.game}; {recorded.file} has games of "
                        f"{visible(recorded.game.name)} with other rules, settings or versions"
                    )
                count += self._add_game(recorded, options)
            if self._info is None:
                names = ", ".join(map(str, paths)) or "no files"
                raise StudyError(f"{names}: there are no games that count")
        return count

    def _add_game(self, recorded: RecordedGame, options: _Options) -> int:
        """Write a game unless the database has it; return the number of games added."""
        row, connection = recorded.row, self._connection
        values = (recorded.match, row.id, recorded.file.name, row.seed, row.plies, row.reason)
        cursor = connection.execute(
            "INSERT OR IGNORE INTO games (match, number, file, seed, plies, reason) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            values,
        )
        if cursor.rowcount == 0:
            return 0
        game = cursor.lastrowid
        connection.executemany(
            "INSERT INTO seats VALUES (?, ?, ?, ?)",
            [
                (game, seat, row.seats.get(seat, ""), score)
                for seat, score in zip(recorded.seats, recorded.scores, strict=True)
            ],
        )
        for ply in recorded.plies(options.plies):
            key = signed(position_key(ply.position))
            if not connection.execute("SELECT 1 FROM positions WHERE key = ?", (key,)).fetchone():
                connection.execute(
                    "INSERT INTO positions VALUES (?, ?, ?, ?, ?, ?)",
                    (key, *_described(ply.position, options)),
                )
            connection.execute(
                "INSERT INTO occurrences VALUES (?, ?, ?, ?)", (game, ply.number, key, ply.move)
            )
        return 1

    # --- reading ------------------------------------------------------------------------------

    @property
    def info(self) -> Info:
        """What the database contains."""
        assert self._info is not None  # only while `create` runs
        return self._info

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.info.game

    @property
    def seats(self) -> tuple[str, ...]:
        """The players who can win, in the order of their first turns."""
        return self.info.seats

    @property
    def games(self) -> int:
        """The number of games."""
        return self._count("games")

    def __len__(self) -> int:
        """Return the number of different positions."""
        return self._count("positions")

    def _count(self, table: str) -> int:
        with self._errors("read"):
            count: int = self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return count

    def occurrences(
        self, *, limit: int | None = None, **conditions: Unpack[Conditions]
    ) -> Iterator[Occurrence]:
        """Yield the positions of games that meet conditions, by game and ply.

        Args:
            limit: The maximum number of positions.
            conditions: The conditions (`Conditions`).

        Raises:
            StudyError: A condition names an unknown player or square, or the file is damaged.
        """
        query, parameters = sql_of(self.info, conditions)
        wanted = wanted_pieces(self.info, conditions)
        if limit is not None and limit < 0:
            raise ValueError(f"limit: expected a non-negative integer, not {limit}")
        return self._occurrences(query, parameters, wanted, limit)

    def _occurrences(
        self,
        query: str,
        parameters: Sequence[object],
        wanted: Mapping[str, str | None],
        limit: int | None,
    ) -> Iterator[Occurrence]:
        last_game: object = None  # rows are ordered by game
        seats: tuple[dict[str, str], dict[str, float]] = {}, {}
        count = 0
        with self._errors("read"):
            for row in self._connection.execute(query, parameters):
                if limit is not None and count >= limit:
                    return
                pieces = pieces_in(row[4])
                if any(pieces.get(square) != piece for square, piece in wanted.items()):
                    continue
                if row[7] != last_game:
                    last_game, seats = row[7], self._seats_of(row[7])
                count += 1
                yield occurrence_of(row, pieces, *seats)

    def positions(
        self, *, limit: int | None = None, **conditions: Unpack[Conditions]
    ) -> list[PositionSummary]:
        """Return the different positions that meet conditions, with the results of their games.

        The positions of most games come first.

        Args:
            limit: The maximum number of positions.
            conditions: The conditions (`Conditions`).

        Raises:
            StudyError: A condition names an unknown player or square, or the file is damaged.
        """
        first: dict[int, Occurrence] = {}
        games: dict[int, dict[int, Mapping[str, float]]] = {}
        for found in self.occurrences(**conditions):
            known = first.setdefault(found.key, found)
            if found.ply < known.ply:
                first[found.key] = found
            games.setdefault(found.key, {})[found.game] = found.scores
        keys = sorted(first, key=lambda key: (-len(games[key]), first[key].ply))
        return [
            PositionSummary(
                key=key,
                ply=first[key].ply,
                turn=first[key].turn,
                ended=first[key].ended,
                pieces=first[key].pieces,
                board=first[key].board,
                games=len(games[key]),
                scores=_averages(self.seats, list(games[key].values())),
            )
            for key in keys[:limit]
        ]

    def restore(self, game: Game, key: int) -> Position:
        """Return a stored position, in a game that has been loaded.

        Raises:
            StudyError: The position is unknown, or was stored without its document.
            PositionError: The document does not fit the game.
        """
        with self._errors("read"):
            row = self._connection.execute(
                "SELECT document FROM positions WHERE key = ?", (signed(key),)
            ).fetchone()
        if row is None:
            raise StudyError(f"{self.path} has no position {key_text(key)}")
        if row[0] is None:
            raise StudyError(f"{self.path} was created without documents=True")
        return Position.from_json(game, str(row[0]))

    def to_frame(
        self, *, limit: int | None = None, **conditions: Unpack[Conditions]
    ) -> pandas.DataFrame:
        """Return the positions of games that meet conditions as a data frame of pandas.

        Raises:
            StudyError: As `occurrences`; or pandas is not installed.
        """
        from forthvm.study.database_export import frame_of

        return frame_of(self.seats, self.occurrences(limit=limit, **conditions))

    def to_parquet(
        self,
        path: str | os.PathLike[str],
        *,
        limit: int | None = None,
        **conditions: Unpack[Conditions],
    ) -> int:
        """Write the positions of games that meet conditions to a new Parquet file.

        Returns:
            The number of rows.

        Raises:
            StudyError: As `occurrences`; or pyarrow is not installed, or the file exists or cannot
                be written.
        """
        from forthvm.study.database_export import write_parquet

        return write_parquet(Path(path), self.seats, self.occurrences(limit=limit, **conditions))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        """Return the database; leaving the block closes it."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    # --- internal -----------------------------------------------------------------------------

    def _seats_of(self, game: object) -> tuple[dict[str, str], dict[str, float]]:
        """Return the entrant and the score of each seat of a game."""
        entrants, scores = {}, {}
        for seat, entrant, score in self._connection.execute(
            "SELECT seat, entrant, score FROM seats WHERE game = ?", (game,)
        ):
            entrants[text(seat)] = visible(text(entrant))
            scores[text(seat)] = number(score)
        if scores.keys() != set(self.seats):
            raise ValueError(f"game {game} has other seats")
        return {seat: entrants[seat] for seat in self.seats}, {
            seat: scores[seat] for seat in self.seats
        }

    @contextmanager
    def _errors(self, verb: str) -> Iterator[None]:
        """Turn errors of the database, and of values in it, into StudyError."""
        try:
            yield
        except StudyError:
            raise
        except (sqlite3.Error, UnicodeDecodeError, RecursionError, OverflowError) as error:
            raise StudyError(f"cannot {verb} {self.path}: {short(error)}") from error
        except ValueError as error:
            if verb == "write":
                raise
            raise StudyError(f"{self.path} is damaged: {short(error)}") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        info = self._info
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            self._info = info
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


# --- values -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of `create`."""

    plies: int | None
    boards: bool
    documents: bool


def _info_of(recorded: RecordedGame, options: _Options) -> Info:
    game = recorded.game
    return Info(
        game=visible(game.name),
        digest=game.digest,
        players=game.players,
        seats=recorded.seats,
        squares=tuple(game._loaded.position_index),
        **asdict(options),
    )


def _described(
    position: Position, options: _Options
) -> tuple[str, bool, str, str | None, str | None]:
    """Return the columns of a position after its key."""
    pieces = {square: str(piece) for square, piece in position.board.items() if piece is not None}
    without_history = Position(position.game, position._state)  # its board shows no last move
    return (
        position.turn,
        position.result is not None,
        json.dumps(pieces),
        render.text(without_history) if options.boards else None,
        position.to_json() if options.documents else None,
    )


def _averages(seats: Sequence[str], scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {seat: sum(each[seat] for each in scores) / len(scores) for seat in seats}
