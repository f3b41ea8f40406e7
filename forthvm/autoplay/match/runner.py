"""The run of a match: plays and records the missing games.

Owns the main loop: the choice of the next game, the handling of lost workers, and the end of the
match by a sequential test.  Delegates the games to workers (executors.py), and their order to
schedule.py.

Results do not depend on the number of games played at the same time: seeds are derived from the
games' numbers, and a sequential test evaluates games in the order of their numbers.  A game with a
higher number than the game that decided the test stays in the file as a void game.
"""

from __future__ import annotations

import queue
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from forthvm._version import __version__
from forthvm.autoplay.match import schedule
from forthvm.autoplay.match.engine_specs import engine_spec, try_engine
from forthvm.autoplay.match.executors import make_workers
from forthvm.autoplay.match.game import Task, describe
from forthvm.autoplay.match.lost_games import LostGames
from forthvm.autoplay.match.networks import network_digests, refuse_changed_networks
from forthvm.autoplay.match.openings import Openings, starts_from_json, starts_to_json
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import MatchError, Settings
from forthvm.autoplay.results.foreign_code import check_permission, source_digests
from forthvm.autoplay.results.store import Store, StoreError
from forthvm.autoplay.statistics.sequential import SequentialTest
from forthvm.autoplay.untrusted_text import visible
from forthvm.core.errors import ForthVMError, Interrupted
from forthvm.core.text.advice import advice

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future

    from forthvm.autoplay.match.executors import Workers
    from forthvm.autoplay.match.running_game import Start
    from forthvm.autoplay.match.schedule import Pairing
    from forthvm.autoplay.results.foreign_code import Confirm
    from forthvm.autoplay.results.store import GameRow
    from forthvm.autoplay.statistics.summary import Summary

__all__ = ["Match", "Watcher"]

_TICK_SECONDS = 0.25
"""The maximum time in seconds between two calls of `Watcher.tick`."""
_UNCHANGED_ERRORS = (MatchError, StoreError, Interrupted)
"""Errors that `resume` raises unchanged; it adds the file's name to messages of other errors."""
_Running = dict[int, tuple[Task, "Future[GameRow]"]]
"""The games that are being played, by number."""
_Finished = queue.SimpleQueue[tuple[Task, "Future[GameRow]"]]


class Watcher(Protocol):
    """Receives the progress of a match."""

    def begun(self, match: Match) -> None:
        """The match begins or is resumed; `match.rows` are the games recorded earlier."""

    def recorded(self, row: GameRow) -> None:
        """A game was recorded."""

    def tick(self) -> None:
        """Called several times a second."""

    def note(self, text: str) -> None:
        """Show a message to the user."""


class _Silent:
    """A watcher that ignores everything."""

    def begun(self, match: Match) -> None:
        """Do nothing."""

    def recorded(self, row: GameRow) -> None:
        """Do nothing."""

    def tick(self) -> None:
        """Do nothing."""

    def note(self, text: str) -> None:
        """Do nothing."""


class Match:
    """A match and its results file.

    >>> import tempfile, pathlib
    >>> from forthvm.autoplay import Configuration, Entrant
    >>> settings = Settings(
    ...     configurations=(Configuration(name="tictactoe", game="tictactoe"),),
    ...     entrants=(Entrant(name="A", spec="negamax:depth=9"), Entrant(name="B", spec="random")),
    ...     games=4,
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Match.create(settings, pathlib.Path(folder) / "results.db") as match:
    ...         match.run(jobs=1)
    ...         sum(row.entrant_scores()["A"] for row in match.rows) >= 2
    True
    """

    def __init__(self, settings: Settings, store: Store, openings: Sequence[Start]) -> None:
        """Open a match; callers use `create` or `resume`.

        Raises:
            MatchError: The match cannot be played with these settings.
            ForthVMError: A game cannot be loaded, or an engine cannot be created.
        """
        self.settings = settings
        _ = settings.digest  # cached before the settings are copied to the workers
        self.store = store
        self.loaded_match = LoadedMatch(settings)
        self.seats = self.loaded_match.seats
        self.rows: list[GameRow] = list(store.games())
        """The recorded games, in the order in which they were recorded."""
        self.test = SequentialTest.of(settings, self.seats)
        _check_entrants(settings, self.loaded_match)
        _check_rows(self)
        self._scores = {row.id: _scores_by_entrant(settings, row) for row in self.rows}
        self._openings = Openings(settings, self.loaded_match, openings)
        self._lost_games = LostGames(settings, self.seats)

    @classmethod
    def create(
        cls, settings: Settings, path: str | os.PathLike[str], openings: Sequence[Start] = ()
    ) -> Match:
        """Create a match with a new results file.

        Args:
            settings: The match.
            path: The file, which must not exist.
            openings: Openings; pair 1 uses the first opening, and so on, repeatedly.

        Raises:
            StoreError: The file exists or cannot be written.
            MatchError, ForthVMError: As in the constructor.
        """
        openings = starts_from_json(openings)
        loaded_match = LoadedMatch(settings)
        _check_entrants(settings, loaded_match)
        settings = replace(settings, games=_number_of_games(settings, loaded_match.seats))
        # The next two calls only check the settings before the file is created.
        SequentialTest.of(settings, loaded_match.seats)
        Openings(settings, loaded_match, openings).of_pair(1)
        digests = [game.digest for game in loaded_match.games]
        store = Store.create(
            path,
            {
                **settings.to_match(),
                "seats": loaded_match.seats,
                "openings": starts_to_json(openings),
                "digests": digests,
                "sources": source_digests(settings, loaded_match.games),
                "networks": network_digests(settings, loaded_match.games),
                "forthvm": __version__,
                "begun_at": _now(),
            },
        )
        return cls(settings, store, openings)

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        *,
        games: int | None = None,
        confirm: Confirm | None = None,
    ) -> Match:
        """Open the results file of a match in order to continue it.

        Args:
            path: The results file.
            games: The new number of games of the match.
            confirm: Returns whether the match may run code that the file names: programs, Python
                modules and unknown scripts.  None refuses permission.

        Raises:
            StoreError: The file cannot be read, or another process plays this match.
            UntrustedError: The file names programs, modules or unknown scripts, and `confirm`
                refuses permission.
            MatchError: The scripts have changed, or the match already has more games.
        """
        store = Store.open(path, play=True)
        try:
            rows = store.match()
            settings = Settings.from_match(rows)
            check_permission(settings, rows, confirm)
            if games is not None:
                _extend(store, settings, games)
            return cls._resumed(store)
        except BaseException as error:
            store.close()
            if isinstance(error, ForthVMError) and not isinstance(error, _UNCHANGED_ERRORS):
                raise MatchError(f"{path} cannot be resumed: {describe(error)}") from error
            raise

    @classmethod
    def _resumed(cls, store: Store) -> Match:
        rows = store.match()
        match = cls(Settings.from_match(rows), store, starts_from_json(rows.get("openings")))
        complete = _number_of_games(match.settings, match.seats)
        if complete != match.games:
            raise MatchError(
                f"{match.games} games are not complete rounds of this tournament; "
                f"{complete} games are"
            )
        for game, digest in zip(
            match.loaded_match.games, _texts(rows.get("digests")), strict=False
        ):
            if game.digest != digest:
                raise MatchError(
                    f"{game.name} is not what it was when this match began: "
                    f"its sources have changed (digest {visible(digest[:12])}…, now "
                    f"{game.digest[:12]}…)"
                )
        refuse_changed_networks(
            rows.get("networks"), network_digests(match.settings, match.loaded_match.games)
        )
        return match

    def __enter__(self) -> Match:
        """Return the match; leaving the block closes its file."""
        return self

    def __exit__(self, *_failure: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the results file."""
        self.store.close()

    def summary(self) -> Summary:
        """Return the standings of the games that have been played."""
        from forthvm.autoplay.statistics.summary import summarise_store  # needed at the end

        return summarise_store(self.store.match(), self.store.games())

    @property
    def games(self) -> int:
        """The number of games of the match."""
        return self.settings.games

    def different_openings(self, limit: int) -> int:
        """Return the number of different openings; `limit` if there are as many or it is unknown.

        Engines that draw no random numbers play the same game whenever the opening is the same.
        """
        return self._openings.count_different(limit)

    @property
    def missing_games(self) -> int:
        """The number of games still to be played."""
        return 0 if self.accepted_hypothesis else self.games - len(self._scores)

    @property
    def accepted_hypothesis(self) -> str | None:
        """The hypothesis that the sequential test accepted; None without a decision or test."""
        return None if self.test is None else self.test.decision

    # --- playing ------------------------------------------------------------------------

    def run(
        self,
        *,
        jobs: int = 1,
        workers: str | None = None,
        executor: str | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        """Play the missing games.

        Args:
            jobs: The number of games that are played at the same time.
            workers: `threads` or `processes`; None to choose by the engines.
            executor: `dask=ADDRESS` for a cluster.
            watcher: Receives the progress.

        Raises:
            StoreError: A game could not be recorded; games recorded earlier are safe.
            MatchError: The workers cannot play the games.
            KeyboardInterrupt: Ctrl-C was pressed; recorded games are safe.
        """
        watcher = watcher or _Silent()
        watcher.begun(self)
        self._begin_test()
        if self.missing_games > 0:
            jobs = min(jobs, self.missing_games)
            with _abandon_at_end(
                make_workers(self.settings, jobs=jobs, kind=workers, executor=executor)
            ) as pool:
                self._play(pool, watcher)
        self._void_games_after_the_decision()

    def _play(self, pool: Workers, watcher: Watcher) -> None:
        running: _Running = {}
        try:
            self._play_games(pool, running, watcher)
        except (KeyboardInterrupt, Interrupted, MatchError):
            pool.abandon()
            for _, future in running.values():
                if future.done() and not future.cancelled() and future.exception() is None:
                    self._record(future.result(), watcher)
            raise

    def _play_games(self, pool: Workers, running: _Running, watcher: Watcher) -> None:
        finished: _Finished = queue.SimpleQueue()
        tasks = self._tasks()
        while True:
            if self.accepted_hypothesis is not None:
                return
            if finished.empty():  # games that end together are followed by games sent together
                self._submit_next(pool, tasks, running, finished)
                pool.flush()
            if not running:
                return
            try:
                task, future = finished.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                watcher.tick()
                continue
            row = self._result_of(task, future, watcher)
            if row is None:
                self._submit(pool, task, running, finished)
                continue
            self._record(row, watcher)
            del running[task.number]
            watcher.tick()

    def _submit_next(
        self, pool: Workers, tasks: Iterator[Task], running: _Running, finished: _Finished
    ) -> None:
        """Submit as many games as the workers can take."""
        while len(running) < pool.capacity and (task := next(tasks, None)) is not None:
            if task is _UNKNOWN_TASK:
                if not running:
                    raise MatchError("the next round depends on games that are not being played")
                return
            self._submit(pool, task, running, finished)

    def _submit(self, pool: Workers, task: Task, running: _Running, finished: _Finished) -> None:
        def report_end(future: Future[GameRow]) -> None:
            finished.put((task, future))

        try:
            future = pool.submit(self.settings, task)
        except RuntimeError as error:
            raise MatchError(f"the workers accept no more games: {error}") from error
        running[task.number] = task, future
        future.add_done_callback(report_end)

    def _begin_test(self) -> None:
        """Begin the sequential test with the recorded games."""
        self.test = SequentialTest.of(self.settings, self.seats)
        if self.test is not None:
            for row in sorted(self.rows, key=lambda row: row.id):
                self.test.add(row)

    def _tasks(self) -> Iterator[Task]:
        """Yield the missing games; `_UNKNOWN_TASK` while the next game depends on others."""
        settings = self.settings
        names = [entrant.name for entrant in settings.entrants]
        pairings = schedule.pairings(
            settings.schedule, len(names), len(self.seats), self.games, self._scores
        )
        for pairing in pairings:
            if pairing is None:
                yield _UNKNOWN_TASK
            elif pairing.number not in self._scores:
                yield self._task(pairing, names)

    def _task(self, pairing: Pairing, names: Sequence[str]) -> Task:
        return Task(
            number=pairing.number,
            seats=tuple(names[entrant] for entrant in pairing.seats),
            pair=pairing.pair,
            start=self._openings.of_pair(pairing.pair),
        )

    def _result_of(self, task: Task, future: Future[GameRow], watcher: Watcher) -> GameRow | None:
        """Return the row of a game; None if the game must be repeated.

        Raises:
            MatchError: The match cannot continue; the game has no result.
        """
        try:
            row = future.result()
        except (Exception, CancelledError) as error:
            return self._lost_games.resolve(task, error, watcher.note)
        return row

    def _record(self, row: GameRow, watcher: Watcher) -> None:
        if not self.store.record(row):
            # Another process recorded this game first; its row is the result.
            row = self.store.game(row.id) or row
        if row.id in self._scores:
            return
        self.rows.append(row)
        self._scores[row.id] = _scores_by_entrant(self.settings, row)
        if self.test is not None:
            self.test.add(row)
        watcher.recorded(row)

    def _void_games_after_the_decision(self) -> None:
        """Mark the games with higher numbers than the deciding game as void."""
        if self.test is None or self.test.decided_by is None:
            return
        deciding = self.test.decided_by
        later = [row.id for row in self.rows if row.id > deciding and not row.void]
        if later:
            self.store.void(later, f"played after game {deciding} had decided the test")
            self.rows = list(self.store.games())


_UNKNOWN_TASK = Task(number=0, seats=(), pair=0)
"""Yielded in place of a game whose entrants depend on games that have not ended."""


@contextmanager
def _abandon_at_end(pool: Workers) -> Iterator[Workers]:
    """Abandon the workers at the end of the block, when games may still be running."""
    try:
        yield pool
    finally:
        pool.abandon()


# --- checks -------------------------------------------------------------------------------------


def _check_entrants(settings: Settings, loaded_match: LoadedMatch) -> None:
    """Check the number of entrants; create and close each engine, to find errors early."""
    seats, count = loaded_match.seats, len(settings.entrants)
    if settings.schedule == "fixed" and count not in {1, len(seats)}:
        raise MatchError(f"fixed seats: {len(seats)} entrants for {', '.join(seats)}, not {count}")
    if settings.schedule == "swiss" and count < len(seats):
        raise MatchError(f"a Swiss tournament needs at least {len(seats)} entrants, not {count}")
    if settings.adjudication.win_score and len(seats) != 2:
        raise MatchError(f"a game of {len(seats)} is not adjudicated by scores")
    for entrant in settings.entrants:
        game = loaded_match.games[entrant.configuration]
        for player in seats:
            spec = engine_spec(entrant, game, player, limited=True)
            try_engine(spec)


def _check_rows(match: Match) -> None:
    """Check that the recorded games belong to this match."""
    seats, names = set(match.seats), {entrant.name for entrant in match.settings.entrants}
    for row in match.rows:
        if set(row.seats) != seats or not names.issuperset(row.seats.values()):
            raise MatchError(f"game {row.id} was not played by the entrants of this match")


def _number_of_games(settings: Settings, seats: Sequence[str]) -> int:
    """Return the number of games, which a Swiss tournament rounds down to complete rounds."""
    if settings.schedule != "swiss":
        return settings.games
    rounds, games_per_round = schedule.swiss_rounds(
        len(settings.entrants), len(seats), settings.games
    )
    return rounds * games_per_round


def _scores_by_entrant(settings: Settings, row: GameRow) -> dict[int, float]:
    """Return the score of each entrant in a game, by the entrant's index."""
    if row.void:
        return {}
    names = {entrant.name: at for at, entrant in enumerate(settings.entrants)}
    return {names[name]: score for name, score in row.entrant_scores().items() if name in names}


def _extend(store: Store, settings: Settings, games: int) -> None:
    more = replace(settings, games=games)
    if more.games < settings.games:
        option = advice(python="games=", command_line="-n ")
        raise MatchError(
            f"{store.path} has a match of {settings.games} games; {option}{games} cannot be less"
        )
    store.set_match_value("games", games)


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, list) else []


def _now() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="seconds")
