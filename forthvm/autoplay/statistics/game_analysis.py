"""What a game is like: lengths, choices, decisiveness, seats; exactly where it can be solved.

Owns which games are played for that and what is counted in them.  It must not know formulas
(formulas.py, solving.py) nor how numbers are shown.

    numbers = analyse(Configuration(name="breakthrough", game="breakthrough"), games=200)
    numbers.length.mean                # plies
    numbers.summary.first_seat.score   # of whoever begins
"""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from functools import partial
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from forthvm.autoplay.match.engine_specs import engine_spec, try_engine
from forthvm.autoplay.match.executors import make_crew
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.lost_games import Losses
from forthvm.autoplay.match.settings import (
    Adjudication,
    Configuration,
    Entrant,
    MatchError,
    Settings,
    derive_seed,
)
from forthvm.autoplay.match.table import Start, Table
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.statistics.formulas import Distribution, Ratio, distribution, ratio
from forthvm.autoplay.statistics.position_graph import Unsolvable, explore
from forthvm.autoplay.statistics.solving import Solution, solve
from forthvm.autoplay.statistics.summary import Summary, summarise
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS
from forthvm.core.output import discard
from forthvm.core.value import Value
from forthvm.engines.registry import split_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from forthvm.autoplay.match.executors import Crew
    from forthvm.autoplay.results.store import GameRow
    from forthvm.autoplay.statistics.repeats import Repeats
    from forthvm.game import Position

__all__ = ["GAMES", "POSITIONS", "SECONDS", "Numbers", "analyse"]

GAMES = 1000
"""Games, where nobody says how many."""
SECONDS = 20.0
"""After so many no further game is begun, where nobody says how many games."""
POSITIONS = 10_000
"""A game with more is not solved, where nobody says how many."""
_SOLVING = 10.0
"""Seconds for each 10,000 positions."""
_OPENING_PLIES = 2
_TRIES = 5
"""Beginnings that are compared to see whether the script draws them."""
_THIRDS = 3
_TICK = 0.25
_ENTRANT = "engine"
_CUT = "adjudicated: "


class Numbers(Value, kw_only=True):
    """What a game is like.

    Shares are of 1.  Ratios have intervals that take each game for one observation.

    Attributes:
        game: Name of the configuration.
        engine: What played all seats.
        seed: Of the games.
        wanted: Games that were asked for; fewer were played where time was up.
        limit: Seconds after which no game was begun; None: there was no such limit.
        summary: Of the games that the rules ended: seats, draws, reasons.
        played: Games, those of `summary` and those that were cut off.
        cut: Games that were cut off for their length.
        cut_at: Plies after which they are.
        void: Games in which the script or an engine failed; they count nowhere.
        faults: Why, with how often.
        lengths: Plies of each game played, from the position where it began.
        length: The same at a glance; None without games.
        branching: Legal moves a choice.
        thirds: The same in the first, second and last third of games' plies.
        forced: Share of choices with a single move.
        captures: Share of choices that take a piece.
        repeated: Share of positions that had come up before in their game.
        same: Games that are move by move like another.
        seconds: What playing took.
        exact: The game solved; None where that was not done.
        unsolved: Why not.
        interrupted: Playing was ended by Ctrl-C.
    """

    game: str
    engine: str
    seed: int
    wanted: int
    limit: float | None
    summary: Summary
    played: int
    cut: int
    cut_at: int
    void: int
    faults: tuple[tuple[str, int], ...]
    lengths: tuple[int, ...]
    length: Distribution | None
    branching: Ratio | None
    thirds: tuple[Ratio | None, ...]
    forced: Ratio | None
    captures: Ratio | None
    repeated: Ratio | None
    same: Repeats
    seconds: float
    exact: Solution | None
    unsolved: str
    interrupted: bool


class _Seen(NamedTuple):
    """What an observer saw of one game."""

    choices: tuple[int, ...] = (0,) * _THIRDS
    """By thirds of the game's plies."""
    moves: tuple[int, ...] = (0,) * _THIRDS
    forced: int = 0
    captures: int = 0
    positions: int = 0
    again: int = 0


class _Observer:
    """Counts in one game."""

    def __init__(self, skipped: int) -> None:
        self._skipped = skipped
        self._choices: list[tuple[int, int]] = []
        self._captures = 0
        self._positions = 0
        self._known: set[int] = set()

    def arrived(self, position: Position) -> None:
        self._positions += 1
        # What a referee takes for the same position (adjudication.py).
        self._known.add(hash((position.cells, position.turn_index, position.is_partial)))

    def chosen(self, position: Position, index: int) -> None:
        moves = position.legal_moves
        self._choices.append((position.ply - self._skipped, len(moves)))
        self._captures += bool(moves[index].captures)

    def seen(self, plies: int) -> _Seen:
        """What it comes to, in a game of so many plies."""
        choices, moves = [0] * _THIRDS, [0] * _THIRDS
        for ply, count in self._choices:
            third = min(ply * _THIRDS // max(plies, 1), _THIRDS - 1)
            choices[third] += 1
            moves[third] += count
        return _Seen(
            tuple(choices),
            tuple(moves),
            sum(count == 1 for _, count in self._choices),
            self._captures,
            self._positions,
            self._positions - len(self._known),
        )


def _observed(skipped: int, settings: Settings, task: Task) -> tuple[GameRow, _Seen]:
    """Plays a game and looks on, from ply `skipped` on; what workers run."""
    observer = _Observer(skipped)
    row = play_task(settings, task, observer)
    return row, observer.seen(row.plies - skipped)


def analyse(  # noqa: PLR0913 - keyword-only options, each of them documented
    configuration: Configuration,
    *,
    engine: str = "random",
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    jobs: int = 1,
    start: Start = Start(),  # noqa: B008 - immutable
    max_plies: int = 2000,
    opening_plies: int | None = None,
    solve_up_to: int = POSITIONS,
    max_seconds: float = DEFAULT_SECONDS,
    max_memory: int = DEFAULT_MEMORY >> 20,
    watch: Callable[[str], object] | None = None,
) -> Numbers:
    """What a game is like, by games of an engine against itself, and exactly if it is small.

    The games are the same for the same seed, however many are played side by side; only how many
    there is time for differs.

    Args:
        configuration: The game.
        engine: Plays all seats.
        games: How many; None: 1,000, or as many as are begun in 20 seconds, or none where the
            game is solved and its random play known exactly.
        seconds: After which no further game is begun; None: never, if `games` is given.
        seed: Of everything drawn by lot.
        jobs: Games side by side.
        start: Where all games begin.
        max_plies: Longer games are cut off.
        opening_plies: Random plies that each game begins with; None: 2, since most engines
            would play the same game for ever, but 0 for `random`.
        solve_up_to: Positions up to which the game is solved; 0: it is not tried.
        max_seconds: Which the script may take for each question; 0: no limit.
        max_memory: Mebibytes that the script's image may have; 0: as many as can be.
        watch: Hears now and then what is being done.

    Raises:
        MatchError: nobody could play it so, or it is over where it begins.
        ForthVMError: the game cannot be loaded, or the engine not made.
    """
    if opening_plies is None:
        opening_plies = 0 if split_engine(engine)[0] == "random" else _OPENING_PLIES
    if games is None and seconds is None:
        seconds = SECONDS
    settings = Settings(
        configurations=(configuration,),
        entrants=(Entrant(name=_ENTRANT, spec=engine),),
        games=GAMES if games is None else games,
        schedule="fixed",
        seed=seed,
        opening_plies=opening_plies,
        adjudication=Adjudication(max_plies=max_plies + len(start.moves)),
        max_seconds=max_seconds,
        max_memory=max_memory,
    )
    table = Table(settings)
    _check(settings, table, start)
    solved = _solved(settings, table, start, solve_up_to, watch)
    match = _Play(settings, table, start, seconds, watch)
    if games is not None or not _says_all(solved[0], engine):
        match.run(jobs)
    return match.numbers(*solved)


def _says_all(solution: Solution | None, engine: str) -> bool:
    """Whether a solution tells exactly what games could tell about."""
    known = solution is not None and solution.course is not None
    return known and split_engine(engine)[0] == "random"


def _check(settings: Settings, table: Table, start: Start) -> None:
    """Engines are made once, so that mistakes show at once."""
    game = table.games[0]
    for player in table.seats:
        spec = engine_spec(settings.entrants[0], game, player, limited=False)
        try_engine(spec)
    outcome = table.begin(settings.pair_seed(1), start).outcome
    if outcome is not None:
        raise MatchError(f"the game is over: {outcome}")


# --- playing --------------------------------------------------------------------------------


class _Play:
    """The games, as far as there is time for them."""

    def __init__(
        self,
        settings: Settings,
        table: Table,
        start: Start,
        seconds: float | None,
        watch: Callable[[str], object] | None,
    ) -> None:
        self._settings = settings
        self._table = table
        self._start = start
        self._limit = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._watch = watch
        self._interrupted = False
        self._seconds = 0.0
        self._found: dict[int, tuple[GameRow, _Seen]] = {}
        self._losses = Losses(settings, table.seats)

    def run(self, jobs: int) -> None:
        """Plays them, to the end or to Ctrl-C."""
        began = time.perf_counter()
        work = partial(_observed, len(self._start.moves))
        crew = make_crew(self._settings, jobs=min(jobs, self._settings.games))
        tasks = self._tasks()
        running: dict[Future[tuple[GameRow, _Seen]], Task] = {}
        try:
            while True:
                while len(running) < crew.capacity and (task := next(tasks, None)) is not None:
                    running[crew.submit(self._settings, task, work)] = task
                if not running:
                    break
                done, _ = wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
                for future in done:
                    task = running.pop(future)
                    found = self._settled(crew, task, future)
                    if found is None:
                        running[crew.submit(self._settings, task, work)] = task
                    else:
                        self._found[task.number] = found
                self._tell()
        except KeyboardInterrupt:
            self._interrupted = True
            crew.abandon()
        except BaseException:
            crew.abandon()
            raise
        else:
            crew.close()
        self._seconds = time.perf_counter() - began

    def _tasks(self) -> Iterator[Task]:
        for number in range(1, self._settings.games + 1):
            # One game there is, whatever it takes.
            if number > 1 and self._deadline is not None and time.monotonic() > self._deadline:
                return
            yield Task(
                number=number,
                seats=(_ENTRANT,) * len(self._table.seats),
                pair=number,
                start=self._opening(number),
            )

    def _opening(self, number: int) -> Start:
        """The beginning of a game: random plies, unless they would end it."""
        plies = self._settings.opening_plies
        if not plies:
            return self._start
        seed = self._settings.pair_seed(number)
        board = self._table.begin(seed, self._start)
        lots = Random(derive_seed(seed, "opening"))
        most = len(self._start.moves) + plies
        while len(board.moves) < most and board.outcome is None:
            if board.pass_if_stuck():
                continue
            if board.is_lot:
                board.draw()
            else:
                board.push(board.main, lots.randrange(len(board.main.legal_moves)))
        if board.outcome is not None:
            return self._start
        return self._start.replace(moves=tuple(board.moves))

    def _settled(
        self, crew: Crew, task: Task, future: Future[tuple[GameRow, _Seen]]
    ) -> tuple[GameRow, _Seen] | None:
        """A game and what was seen of it; None: it is to be played again."""
        try:
            return future.result()
        except (Exception, CancelledError) as error:
            row = self._losses.settle(crew, task, error, self._watch or discard)
            return None if row is None else (row, _Seen())

    def _tell(self) -> None:
        if self._watch is not None:
            self._watch(f"{len(self._found):,} games played")

    def numbers(self, exact: Solution | None, unsolved: str) -> Numbers:
        """What the games come to."""
        settings, skipped = self._settings, len(self._start.moves)
        played = [self._found[number] for number in sorted(self._found)]
        good = [(row, seen) for row, seen in played if not row.void]
        ended = [row for row, _ in good if not row.reason.startswith(_CUT)]
        lengths = tuple(row.plies - skipped for row, _ in good)
        seen = [each for _, each in good]
        totals = [sum(each.choices) for each in seen]

        def of_choices(numbers: list[int]) -> Ratio | None:
            return ratio(zip(numbers, totals, strict=True))

        return Numbers(
            game=settings.game,
            engine=settings.entrants[0].spec,
            seed=settings.seed,
            wanted=settings.games,
            limit=self._limit,
            summary=summarise(ended),
            played=len(good),
            cut=len(good) - len(ended),
            cut_at=settings.adjudication.max_plies - skipped,
            void=len(played) - len(good),
            faults=summarise(row for row, _ in played if row.void).reasons,
            lengths=lengths,
            length=distribution(lengths),
            branching=of_choices([sum(each.moves) for each in seen]),
            thirds=tuple(
                ratio((each.moves[third], each.choices[third]) for each in seen)
                for third in range(_THIRDS)
            ),
            forced=of_choices([each.forced for each in seen]),
            captures=of_choices([each.captures for each in seen]),
            repeated=ratio((each.again, each.positions) for each in seen),
            same=summarise(row for row, _ in good).repeats,
            seconds=self._seconds,
            exact=exact,
            unsolved=unsolved,
            interrupted=self._interrupted,
        )


# --- solving ----------------------------------------------------------------------------------


def _solved(
    settings: Settings,
    table: Table,
    start: Start,
    most: int,
    watch: Callable[[str], object] | None,
) -> tuple[Solution | None, str]:
    """The solution, or why there is none."""
    if not most:
        return None, "it was not tried"
    if watch is not None:
        watch("looking whether the game can be solved")
    begun = [table.begin(settings.pair_seed(at), start).main for at in range(1, _TRIES + 1)]
    if any(position.cells != begun[0].cells for position in begun):
        return None, "it begins otherwise each time"
    try:
        graph = explore(begun[-1], most=most, seconds=_SOLVING * max(1.0, most / POSITIONS))
    except Unsolvable as why:
        return None, str(why)
    return solve(graph), ""
