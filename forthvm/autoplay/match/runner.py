"""A match from its first game to its last: what is missing is played and recorded.

Owns the order of things: which game next, what to do when a worker is lost, when a test has
decided.  It must not know how games are played, shown or counted.

Results depend on the match alone, not on how many games are played side by side: seeds follow
from numbers, and a sequential test is fed by number.  Games beyond the one that decided it are
kept and do not count.
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
from forthvm.autoplay.match.executors import Crew, make_crew
from forthvm.autoplay.match.game import Task, describe
from forthvm.autoplay.match.lost_games import Losses
from forthvm.autoplay.match.openings import Openings, starts_from_json, starts_to_json
from forthvm.autoplay.match.settings import MatchError, Settings
from forthvm.autoplay.match.table import Table
from forthvm.autoplay.results.foreign_code import confirmed, sources_of
from forthvm.autoplay.results.store import Store, StoreError
from forthvm.autoplay.statistics.sequential import SequentialTest
from forthvm.autoplay.untrusted_text import visible
from forthvm.core.errors import ForthVMError, Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from forthvm.autoplay.match.schedule import Pairing
    from forthvm.autoplay.match.table import Start
    from forthvm.autoplay.results.foreign_code import Confirm
    from forthvm.autoplay.results.store import GameRow

__all__ = ["Match", "Watcher"]

_TICK = 0.25
"""Seconds after which the watcher hears something, even if no game has ended."""
_OWN = (MatchError, StoreError, Interrupted)
"""What says by itself that a file cannot be used; all else is a mistake in what it names."""
_PAIR = 2


class Watcher(Protocol):
    """Whoever shows how a match goes on."""

    def begun(self, match: Match) -> None:
        """Games are about to be played; `match.rows` has those there are."""

    def recorded(self, row: GameRow) -> None:
        """A game has been recorded."""

    def tick(self) -> None:
        """A moment has passed."""

    def note(self, text: str) -> None:
        """Something that people should know."""


class _Silent:
    """Shows nothing."""

    def begun(self, match: Match) -> None:
        """Is not shown."""

    def recorded(self, row: GameRow) -> None:
        """Is not shown."""

    def tick(self) -> None:
        """Is not shown."""

    def note(self, text: str) -> None:
        """Is not shown."""


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
        """Made by `create` and `resume`.

        Raises:
            MatchError: nobody could play it.
            ForthVMError: a game cannot be loaded or an engine not made.
        """
        self.settings = settings
        _ = settings.digest  # worked out once; it goes to the workers with the settings
        self.store = store
        self.table = Table(settings)
        self.seats = self.table.seats
        self.given = tuple(openings)
        self.rows: list[GameRow] = list(store.games())
        """What has been played, in the order in which it was recorded."""
        self.test = SequentialTest.of(settings, self.seats)
        _check(settings, self.table)
        _check_rows(self)
        self._scores = {row.id: _by_entrant(settings, row) for row in self.rows}
        self._openings = Openings(settings, self.table, openings)
        self._losses = Losses(settings, self.seats)

    @classmethod
    def create(cls, settings: Settings, path: Path, openings: Sequence[Start] = ()) -> Match:
        """A new match with a new results file.

        Args:
            settings: What is played.
            path: The file, which must not exist.
            openings: Positions to begin with, in turns.

        Raises:
            StoreError: the file exists or cannot be written.
            MatchError, ForthVMError: as the match itself.
        """
        table = Table(settings)
        _check(settings, table)
        settings = replace(settings, games=_whole(settings, table.seats))
        SequentialTest.of(settings, table.seats)
        Openings(settings, table, openings).start(1)  # a first look
        digests = [game.digest for game in table.games]
        store = Store.create(
            path,
            {
                **settings.to_match(),
                "seats": table.seats,
                "openings": starts_to_json(openings),
                "digests": digests,
                "sources": sources_of(settings, table.games),
                "forthvm": __version__,
                "begun_at": _now(),
            },
        )
        return cls(settings, store, openings)

    @classmethod
    def resume(
        cls, path: Path, *, games: int | None = None, confirm: Confirm | None = None
    ) -> Match:
        """A match that was begun.

        Args:
            path: Its results file.
            games: Make the match so long.
            confirm: Is given what the file would run (programs, Python modules, unknown scripts),
                a line each, and says whether it may; None: it may not.

        Raises:
            StoreError: the file cannot be read, or another process plays this match.
            UntrustedError: it names programs or modules, and `confirm` does not allow them.
            MatchError: the games have been changed since, or it is longer already.
        """
        store = Store.open(path, play=True)
        try:
            rows = store.match()
            settings = Settings.from_match(rows)
            confirmed(settings, rows, confirm)
            if games is not None:
                _extend(store, settings, games)
            return cls._resumed(store)
        except BaseException as error:
            store.close()
            if isinstance(error, ForthVMError) and not isinstance(error, _OWN):
                raise MatchError(f"{path} cannot be resumed: {describe(error)}") from error
            raise

    @classmethod
    def _resumed(cls, store: Store) -> Match:
        rows = store.match()
        match = cls(Settings.from_match(rows), store, starts_from_json(rows.get("openings")))
        whole = _whole(match.settings, match.seats)
        if whole != match.games:
            raise MatchError(
                f"{match.games} games are no whole rounds of this tournament: {whole} would be"
            )
        for game, before in zip(match.table.games, _texts(rows.get("digests")), strict=False):
            if game.digest != before:
                raise MatchError(
                    f"{game.name} is not what it was when this match began: "
                    f"its sources have changed (digest {visible(before[:12])}…, now "
                    f"{game.digest[:12]}…)"
                )
        return match

    def __enter__(self) -> Match:
        """The match itself; leaving the block closes its file."""
        return self

    def __exit__(self, *_failure: object) -> None:
        """Closes the file."""
        self.close()

    def close(self) -> None:
        """Closes the results file."""
        self.store.close()

    @property
    def games(self) -> int:
        """How many games the match has."""
        return self.settings.games

    @property
    def missing(self) -> int:
        """How many games are still to be played."""
        return 0 if self.decided else self.games - len(self._scores)

    @property
    def decided(self) -> str | None:
        """What the sequential test has accepted, None while it goes on or where there is none."""
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
        """Plays what is missing.

        Args:
            jobs: Games side by side.
            workers: `threads` or `processes`; None: as the engines need it.
            executor: `dask=ADDRESS` for workers elsewhere.
            watcher: Hears of every game.

        Raises:
            StoreError: a game could not be recorded; those before it are safe.
            MatchError: no worker can play.
            KeyboardInterrupt: somebody ended it; what is recorded is safe.
        """
        watcher = watcher or _Silent()
        watcher.begun(self)
        if self.test is not None:
            for row in sorted(self.rows, key=lambda row: row.id):
                self.test.add(row)
        if self.missing > 0:
            jobs = min(jobs, self.missing)
            with _at_work(
                make_crew(self.settings, jobs=jobs, kind=workers, executor=executor)
            ) as crew:
                self._play(crew, watcher)
        self._void_overshoot()

    def _play(self, crew: Crew, watcher: Watcher) -> None:
        finished: queue.SimpleQueue[tuple[Task, Future[GameRow]]] = queue.SimpleQueue()
        running = 0
        tasks = self._tasks()
        waiting = None
        while not self.decided:
            while running < crew.capacity and (waiting := next(tasks, None)) is not None:
                if waiting is _NOT_YET:
                    break
                self._submit(crew, waiting, finished)
                running += 1
            if not running:
                if waiting is _NOT_YET:
                    raise MatchError("the next round depends on games that nobody plays")
                return
            try:
                task, future = finished.get(timeout=_TICK)
            except queue.Empty:
                watcher.tick()
                continue
            row = self._settled(crew, task, future, watcher)
            if row is None:
                self._submit(crew, task, finished)
                continue
            running -= 1
            self._record(row, watcher)
            watcher.tick()

    def _submit(
        self, crew: Crew, task: Task, finished: queue.SimpleQueue[tuple[Task, Future[GameRow]]]
    ) -> None:
        def done(future: Future[GameRow]) -> None:
            finished.put((task, future))

        try:
            future = crew.submit(self.settings, task)
        except RuntimeError as error:
            raise MatchError(f"the workers take no more games: {error}") from error
        future.add_done_callback(done)

    def _tasks(self) -> Iterator[Task]:
        """The games that are missing; `_NOT_YET` where the next depend on others."""
        settings = self.settings
        names = [entrant.name for entrant in settings.entrants]
        found = schedule.pairings(
            settings.schedule, len(names), len(self.seats), self.games, self._scores
        )
        for pairing in found:
            if pairing is None:
                yield _NOT_YET
            elif pairing.number not in self._scores:
                yield self._task(pairing, names)

    def _task(self, pairing: Pairing, names: Sequence[str]) -> Task:
        return Task(
            number=pairing.number,
            seats=tuple(names[each] for each in pairing.seats),
            pair=pairing.pair,
            start=self._openings.start(pairing.pair),
        )

    def _settled(
        self, crew: Crew, task: Task, future: Future[GameRow], watcher: Watcher
    ) -> GameRow | None:
        """The row of a game; None: it is to be played again.

        Raises:
            MatchError: the harness failed; the game has no result.
        """
        try:
            return future.result()
        except (Exception, CancelledError) as error:
            return self._losses.settle(crew, task, error, watcher.note)

    def _record(self, row: GameRow, watcher: Watcher) -> None:
        if not self.store.record(row):
            # Another process plays the same match; what it has recorded is the result.
            row = self.store.game(row.id) or row
        if row.id in self._scores:
            return
        self.rows.append(row)
        self._scores[row.id] = _by_entrant(self.settings, row)
        if self.test is not None:
            self.test.add(row)
        watcher.recorded(row)

    def _void_overshoot(self) -> None:
        """Games beyond the one that decided the test do not count."""
        if self.test is None or self.test.decided_by is None:
            return
        last = self.test.decided_by
        beyond = [row.id for row in self.rows if row.id > last and not row.void]
        if beyond:
            self.store.void(beyond, f"played after game {last} had decided the test")
            self.rows = list(self.store.games())


_NOT_YET = Task(number=0, seats=(), pair=0)


@contextmanager
def _at_work(crew: Crew) -> Iterator[Crew]:
    """Workers for a while; whatever comes out of the block, they end with it."""
    try:
        yield crew
    except BaseException:
        crew.abandon()
        raise
    crew.abandon()  # the match is over; where a test ended it, games are still being played


# --- checks -------------------------------------------------------------------------------------


def _check(settings: Settings, table: Table) -> None:
    """Whether all can sit down; engines are made once, so that mistakes show at once."""
    seats, many = table.seats, len(settings.entrants)
    if settings.schedule == "fixed" and many not in {1, len(seats)}:
        raise MatchError(f"fixed seats: {len(seats)} entrants for {', '.join(seats)}, not {many}")
    if settings.schedule == "swiss" and many < len(seats):
        raise MatchError(f"a Swiss tournament needs at least {len(seats)} entrants, not {many}")
    if settings.adjudication.win_score and len(seats) != _PAIR:
        raise MatchError(f"a game of {len(seats)} is not adjudicated by scores")
    for entrant in settings.entrants:
        game = table.games[entrant.configuration]
        for player in seats:
            spec = engine_spec(entrant, game, player, limited=True)
            try_engine(spec)


def _check_rows(match: Match) -> None:
    """Whether the recorded games are games of this match."""
    seats, names = set(match.seats), {entrant.name for entrant in match.settings.entrants}
    for row in match.rows:
        if set(row.seats) != seats or not names.issuperset(row.seats.values()):
            raise MatchError(f"game {row.id} was not played by the entrants of this match")


def _whole(settings: Settings, seats: Sequence[str]) -> int:
    """Games that can be played: a Swiss tournament has whole rounds."""
    if settings.schedule != "swiss":
        return settings.games
    rounds, each = schedule.swiss_rounds(len(settings.entrants), len(seats), settings.games)
    return rounds * each


def _by_entrant(settings: Settings, row: GameRow) -> dict[int, float]:
    """Scores by place in the list of entrants."""
    if row.void:
        return {}
    names = {entrant.name: at for at, entrant in enumerate(settings.entrants)}
    return {names[name]: score for name, score in row.entrant_scores().items() if name in names}


def _extend(store: Store, settings: Settings, games: int) -> None:
    if games < settings.games:
        raise MatchError(
            f"{store.path} has a match of {settings.games} games; -n {games} cannot be less"
        )
    store.set("games", games)


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def _now() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="seconds")
