"""The analysis of a game: lengths, choices, draws, seats; exact results if it can be solved.

Owns the choice of the games to play, and the counts.  Delegates the formulas to formulas.py and
solving.py.

    analysis = analyse(Configuration(name="breakthrough", game="breakthrough"), games=200)
    analysis.length.mean                # plies
    analysis.summary.first_seat.score  # of the player who moves first
"""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from forthvm.autoplay.match.engine_specs import engine_spec, try_engine
from forthvm.autoplay.match.executors import make_workers
from forthvm.autoplay.match.game import Task
from forthvm.autoplay.match.lost_games import LostGames
from forthvm.autoplay.match.running_game import LoadedMatch, Start
from forthvm.autoplay.match.settings import (
    DEFAULT_OPENING_PLIES,
    Adjudication,
    Configuration,
    Entrant,
    MatchError,
    Settings,
    derive_seed,
)
from forthvm.autoplay.match.worker import play_task
from forthvm.autoplay.statistics.formulas import Distribution, Ratio, distribution, ratio
from forthvm.autoplay.statistics.summary import Summary, summarise
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS
from forthvm.core.output import discard
from forthvm.engines.registry import split_engine
from forthvm.study.position_graph import Unsolvable, explore
from forthvm.study.solving import Solution, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from forthvm.autoplay.match.executors import Workers
    from forthvm.autoplay.results.store import GameRow
    from forthvm.autoplay.statistics.repeats import Repeats
    from forthvm.game import Position

__all__ = ["DEFAULT_GAMES", "DEFAULT_GAME_SECONDS", "DEFAULT_POSITIONS", "Analysis", "analyse"]

DEFAULT_GAMES = 1000
"""The default number of games."""
DEFAULT_GAME_SECONDS = 20.0
"""The default time in seconds after which no further game is begun."""
DEFAULT_POSITIONS = 10_000
"""The default limit on the positions of a game to solve."""
_SOLVING_SECONDS = 30.0
"""The time limit of solving, in seconds for each 10,000 positions."""
_COMPARED_STARTS = 5
"""The number of initial positions that are compared, to detect a random initial position."""
_THIRDS = 3
_TICK = 0.25
"""The maximum time in seconds between two reports of the progress."""
_ENTRANT = "engine"
"""The name of the only entrant."""
_ADJUDICATED = "adjudicated: "
"""The first word of `GameRow.reason` if a game was cut off."""


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """The results of an analysis.

    A *choice* is a move of an engine.  A game is *cut off* at the limit of plies.  Shares are
    numbers from 0 to 1.

    Attributes:
        game: Name of the configuration.
        engine: The engine that played all seats.
        seed: The seed of the games.
        requested: The requested number of games; fewer are played if the time limit is reached.
        seconds_limit: Seconds after which no further game was begun; None for no limit.
        summary: The summary of the games that ended by the game's rules.
        played: Number of games that ended by the rules or were cut off.
        cut_off: Number of games that were cut off.
        max_plies: Plies after which games are cut off.
        void: Number of games in which the script or the engine failed; no other number counts them.
        faults: Reason and number of void games.
        lengths: The number of plies of each game, without the moves of `start`.
        length: The distribution of the lengths; None without games.
        branching: Legal moves per choice.
        branching_by_thirds: Legal moves per choice in each third of the plies of a game.
        forced: Share of choices with a single move.
        captures: Share of choices that take a piece.
        repeated_positions: Share of positions that occurred earlier in their game.
        repeats: The numbers of repeated games.
        seconds: Time spent on the games.
        solution: The solution; None if the game was not solved.
        unsolved_reason: The reason why the game was not solved; empty if it was solved.
        interrupted: Whether Ctrl-C ended the games.
    """

    game: str
    engine: str
    seed: int
    requested: int
    seconds_limit: float | None
    summary: Summary
    played: int
    cut_off: int
    max_plies: int
    void: int
    faults: tuple[tuple[str, int], ...]
    lengths: tuple[int, ...]
    length: Distribution | None
    branching: Ratio | None
    branching_by_thirds: tuple[Ratio | None, ...]
    forced: Ratio | None
    captures: Ratio | None
    repeated_positions: Ratio | None
    repeats: Repeats
    seconds: float
    solution: Solution | None
    unsolved_reason: str
    interrupted: bool


@dataclass(frozen=True, slots=True)
class _GameCounts:
    """The counts of one game."""

    choices: tuple[int, ...] = (0,) * _THIRDS
    """The number of choices in each third of the game's plies."""
    moves: tuple[int, ...] = (0,) * _THIRDS
    """The number of legal moves at the choices of each third."""
    forced: int = 0
    """The number of choices with a single move."""
    captures: int = 0
    """The number of choices that take a piece."""
    positions: int = 0
    """The number of positions in the game."""
    repeated: int = 0
    """The number of positions that occurred earlier in the game."""


class _Observer:
    """Counts choices and positions of one game while it is played."""

    def __init__(self, skipped_plies: int) -> None:
        self._skipped_plies = skipped_plies
        self._choices: list[tuple[int, int]] = []
        """Ply and number of legal moves of each choice; the first ply after the start is 0."""
        self._captures = 0
        self._positions = 0
        self._seen_positions: set[int] = set()

    def position_reached(self, position: Position) -> None:
        self._positions += 1
        # adjudication.py defines equal positions in the same way.
        self._seen_positions.add(hash((position.cells, position._turn_index, position.is_partial)))

    def move_chosen(self, position: Position, index: int) -> None:
        moves = position.legal_moves
        self._choices.append((position.ply - self._skipped_plies, len(moves)))
        self._captures += bool(moves[index].captures)

    def counts(self, plies: int) -> _GameCounts:
        """Return the counts of a game that had `plies` plies."""
        choices, moves = [0] * _THIRDS, [0] * _THIRDS
        for ply, count in self._choices:
            third = min(ply * _THIRDS // max(plies, 1), _THIRDS - 1)
            choices[third] += 1
            moves[third] += count
        return _GameCounts(
            tuple(choices),
            tuple(moves),
            sum(count == 1 for _, count in self._choices),
            self._captures,
            self._positions,
            self._positions - len(self._seen_positions),
        )


def _play_counted(
    skipped_plies: int, settings: Settings, task: Task
) -> tuple[GameRow, _GameCounts]:
    """Play a game in a worker, and count its choices after the first `skipped_plies` plies."""
    observer = _Observer(skipped_plies)
    row = play_task(settings, task, observer)
    return row, observer.counts(row.plies - skipped_plies)


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
    solve_up_to: int = DEFAULT_POSITIONS,
    max_seconds: float = DEFAULT_SECONDS,
    max_memory: int = DEFAULT_MEMORY >> 20,
    watch: Callable[[str], object] | None = None,
) -> Analysis:
    """Let an engine play a game against itself, and solve the game if it is small.

    The games depend on the seed but not on the number of jobs.  The number of games that are
    finished within the time limit may vary.

    Args:
        configuration: The game.
        engine: The engine that plays all seats.
        games: The number of games; None for at most 1,000 games, or no games if `engine` is
            `random` and the solution has exact numbers for random play.
        seconds: The time after which no further game is begun; None for no limit if `games` is
            given, else 20 seconds.
        seed: The seed of all random numbers.
        jobs: The number of games that are played at the same time.
        start: The start of all games.
        max_plies: The number of plies after which a game is cut off.
        opening_plies: The number of random plies at the start of each game.  The default is 0 for
            `random`, else 2, because most engines are deterministic.
        solve_up_to: The number of positions up to which the game is solved; 0 for never.
        max_seconds: The time limit of each run of the script; 0 for no limit.
        max_memory: The limit of the script's image in mebibytes; 0 for the maximum.
        watch: Called from time to time with a short text about the progress.

    Raises:
        MatchError: The game cannot be played with these settings, or is over at its start.
        ForthVMError: The game cannot be loaded, or the engine cannot be created.
    """
    if opening_plies is None:
        opening_plies = 0 if split_engine(engine)[0] == "random" else DEFAULT_OPENING_PLIES
    if games is None and seconds is None:
        seconds = DEFAULT_GAME_SECONDS
    settings = Settings(
        configurations=(configuration,),
        entrants=(Entrant(name=_ENTRANT, spec=engine),),
        games=DEFAULT_GAMES if games is None else games,
        schedule="fixed",
        seed=seed,
        opening_plies=opening_plies,
        adjudication=Adjudication(max_plies=max_plies + len(start.moves)),
        max_seconds=max_seconds,
        max_memory=max_memory,
    )
    loaded_match = LoadedMatch(settings)
    _check_engine_and_start(settings, loaded_match, start)
    solution, unsolved = _try_to_solve(settings, loaded_match, start, solve_up_to, watch)
    games_of_analysis = _Games(settings, loaded_match, start, seconds, watch)
    if games is not None or not _replaces_games(solution, engine):
        games_of_analysis.run(jobs)
    return games_of_analysis.analysis(solution, unsolved)


def _replaces_games(solution: Solution | None, engine: str) -> bool:
    """Whether a solution contains the exact value of every number that games estimate."""
    is_complete = solution is not None and solution.all_games is not None
    return is_complete and split_engine(engine)[0] == "random"


def _check_engine_and_start(settings: Settings, loaded_match: LoadedMatch, start: Start) -> None:
    """Create and close the engines, to find errors early; check that the game is not over."""
    game = loaded_match.games[0]
    for player in loaded_match.seats:
        spec = engine_spec(settings.entrants[0], game, player, limited=False)
        try_engine(spec)
    outcome = loaded_match.begin(settings.pair_seed(1), start).outcome
    if outcome is not None:
        raise MatchError(f"the game is over: {outcome}")


# --- playing --------------------------------------------------------------------------------


class _Games:
    """The games of an analysis, within the time limit."""

    def __init__(
        self,
        settings: Settings,
        loaded_match: LoadedMatch,
        start: Start,
        seconds: float | None,
        watch: Callable[[str], object] | None,
    ) -> None:
        self._settings = settings
        self._loaded_match = loaded_match
        self._start = start
        self._limit = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._watch = watch
        self._interrupted = False
        self._seconds = 0.0
        self._results: dict[int, tuple[GameRow, _GameCounts]] = {}
        self._lost_games = LostGames(settings, loaded_match.seats)

    def run(self, jobs: int) -> None:
        """Play the games until all have ended, the time limit is reached, or Ctrl-C is pressed."""
        began = time.perf_counter()
        work = partial(_play_counted, len(self._start.moves))
        workers = make_workers(self._settings, jobs=min(jobs, self._settings.games))
        tasks = self._tasks()
        running: dict[Future[tuple[GameRow, _GameCounts]], Task] = {}
        try:
            while True:
                while len(running) < workers.capacity and (task := next(tasks, None)) is not None:
                    running[workers.submit(self._settings, task, work)] = task
                if not running:
                    break
                done, _ = wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
                for future in done:
                    task = running.pop(future)
                    result = self._result_of(workers, task, future)
                    if result is None:
                        running[workers.submit(self._settings, task, work)] = task
                    else:
                        self._results[task.number] = result
                self._report_progress()
        except KeyboardInterrupt:
            self._interrupted = True
        finally:
            workers.abandon()
        self._seconds = time.perf_counter() - began

    def _tasks(self) -> Iterator[Task]:
        for number in range(1, self._settings.games + 1):
            # The first game is played even if the time limit has been reached.
            if number > 1 and self._deadline is not None and time.monotonic() > self._deadline:
                return
            yield Task(
                number=number,
                seats=(_ENTRANT,) * len(self._loaded_match.seats),
                pair=number,
                start=self._opening(number),
            )

    def _opening(self, number: int) -> Start:
        """Return the start with random plies; if these would end the game, the start alone."""
        plies = self._settings.opening_plies
        if not plies:
            return self._start
        seed = self._settings.pair_seed(number)
        running_game = self._loaded_match.begin(seed, self._start)
        random = Random(derive_seed(seed, "opening"))
        length = len(self._start.moves) + plies
        while len(running_game.moves) < length and running_game.outcome is None:
            if running_game.pass_if_stuck():
                continue
            if running_game.is_chance_node:
                running_game.push_chance()
            else:
                position = running_game.first_position
                running_game.push(position, random.randrange(len(position.legal_moves)))
        if running_game.outcome is not None:
            return self._start
        return replace(self._start, moves=tuple(running_game.moves))

    def _result_of(
        self, workers: Workers, task: Task, future: Future[tuple[GameRow, _GameCounts]]
    ) -> tuple[GameRow, _GameCounts] | None:
        """Return the row and the counts of a game; None if the game must be repeated."""
        try:
            return future.result()
        except (Exception, CancelledError) as error:
            row = self._lost_games.resolve(task, error, self._watch or discard)
            return None if row is None else (row, _GameCounts())

    def _report_progress(self) -> None:
        if self._watch is not None:
            self._watch(f"{len(self._results):,} games played")

    def analysis(self, exact: Solution | None, unsolved: str) -> Analysis:
        """Return the results of the games played so far."""
        settings, skipped_plies = self._settings, len(self._start.moves)
        played = [self._results[number] for number in sorted(self._results)]
        valid = [(row, counts) for row, counts in played if not row.void]
        ended = [row for row, _ in valid if not row.reason.startswith(_ADJUDICATED)]
        lengths = tuple(row.plies - skipped_plies for row, _ in valid)
        game_counts = [counts for _, counts in valid]
        choices = [sum(counts.choices) for counts in game_counts]

        def per_choice(numbers: list[int]) -> Ratio | None:
            return ratio(zip(numbers, choices, strict=True))

        return Analysis(
            game=settings.game,
            engine=settings.entrants[0].spec,
            seed=settings.seed,
            requested=settings.games,
            seconds_limit=self._limit,
            summary=summarise(ended),
            played=len(valid),
            cut_off=len(valid) - len(ended),
            max_plies=settings.adjudication.max_plies - skipped_plies,
            void=len(played) - len(valid),
            faults=summarise(row for row, _ in played if row.void).reasons,
            lengths=lengths,
            length=distribution(lengths),
            branching=per_choice([sum(counts.moves) for counts in game_counts]),
            branching_by_thirds=tuple(
                ratio((counts.moves[third], counts.choices[third]) for counts in game_counts)
                for third in range(_THIRDS)
            ),
            forced=per_choice([counts.forced for counts in game_counts]),
            captures=per_choice([counts.captures for counts in game_counts]),
            repeated_positions=ratio((counts.repeated, counts.positions) for counts in game_counts),
            repeats=summarise(row for row, _ in valid).repeats,
            seconds=self._seconds,
            solution=exact,
            unsolved_reason=unsolved,
            interrupted=self._interrupted,
        )


# --- solving ----------------------------------------------------------------------------------


def _try_to_solve(
    settings: Settings,
    loaded_match: LoadedMatch,
    start: Start,
    max_positions: int,
    watch: Callable[[str], object] | None,
) -> tuple[Solution | None, str]:
    """Return the solution, or None and the reason why the game is not solved."""
    if not max_positions:
        return None, "it was not tried"
    if watch is not None:
        watch("checking whether the game can be solved")
    starts = [
        loaded_match.begin(settings.pair_seed(at), start).first_position
        for at in range(1, _COMPARED_STARTS + 1)
    ]
    if any(position.cells != starts[0].cells for position in starts):
        return None, "its initial position is random"
    try:
        seconds = _SOLVING_SECONDS * max(1.0, max_positions / DEFAULT_POSITIONS)
        graph = explore(starts[-1], max_positions=max_positions, seconds=seconds)
    except Unsolvable as reason:
        return None, str(reason)
    return solve(graph), ""
