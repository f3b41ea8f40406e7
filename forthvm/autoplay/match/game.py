"""One game of a match: plays a task and returns the row for the results file.

Owns the loop over the engines' moves, the ends of a game, and the handling of failures.  A seat is
a player who can win; each seat has an entrant.

A game ends in one of these ways:

- OnIsGameOver reports a result, or no player has a move;
- it is adjudicated (adjudication.py);
- an engine resigns: the other players share the win;
- an engine fails: it raises an exception, returns an illegal move, or exceeds its memory or time.
  The engine's entrant forfeits and the other entrants share the win; with the setting
  `on_failure="void"`, the game is void;
- the script fails, or the two configurations of the match disagree about the player to move, the
  result or the legal moves: the game is void.
"""

from __future__ import annotations

import hashlib
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from forthvm.autoplay.match.adjudication import Referee, Verdict
from forthvm.autoplay.match.clock import Clock
from forthvm.autoplay.match.engine_specs import engine_spec, is_native, make_engine
from forthvm.autoplay.match.running_game import Disagreement, Start
from forthvm.autoplay.match.settings import MatchError, TimeControl, derive_seed
from forthvm.autoplay.results.store import GameRow
from forthvm.autoplay.untrusted_text import in_a_line, in_lines, visible
from forthvm.core.errors import ForthVMError
from forthvm.engines import Limits, choose_move
from forthvm.engines.checked import prepare
from forthvm.engines.errors import Resignation, UnknownEngineError, traceback_of
from forthvm.engines.registry import runs_program, split_engine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.autoplay.match.running_game import LoadedMatch, RunningGame
    from forthvm.autoplay.match.settings import Entrant, Settings
    from forthvm.engines import Engine, SearchResult
    from forthvm.engines.protocols.client import ProgramEngine
    from forthvm.game import Position

__all__ = [
    "Abandoned",
    "End",
    "Observer",
    "Status",
    "Task",
    "describe",
    "forfeit_or_void",
    "lost_game_row",
    "play",
    "run_time_limit",
    "void_end",
]

_MAX_ERROR_LENGTH = 300
"""The maximum length of an error message in a row."""
_MAX_FAULTS = 5
"""The maximum number of faults, which are errors that did not end the game, in a row."""
_ENGINE_SETUP_SECONDS = 60.0
"""The time limit in seconds for creating an engine, and for closing it."""
_MAX_GRACE_SECONDS = 10.0
"""The maximum time by which an engine may exceed its limit without counting as hanging."""


class Abandoned(Exception):  # noqa: N818 - a request to stop, not an error
    """The match was stopped during this game."""


class Status(Protocol):
    """Receives the status of a game, for the thread or process that supervises the worker."""

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """An engine starts to think; it counts as hanging after `seconds` without a result.

        Args:
            engine: The engine; None while an engine is being created or closed.
            seat: The index of the engine's seat.
            ply: The number of moves made so far.
            seconds: The time limit.
        """

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """The list of moves of the game changed; it is empty at the beginning."""

    def no_engine_running(self, ply: int) -> None:
        """No engine is thinking.

        Raises:
            Abandoned: The match was stopped.
        """


class Observer(Protocol):
    """Observes a game while it is played."""

    def position_reached(self, position: Position) -> None:
        """A new position was reached."""

    def move_chosen(self, position: Position, index: int) -> None:
        """An engine chose the move with this index in the list; the move is not made yet."""


@dataclass(frozen=True)
class Task:
    """A game to play."""

    number: int
    """The number of the game in the schedule."""
    seats: tuple[str, ...]
    """The name of the entrant in each seat."""
    pair: int
    """The number of the pair, whose games have the same opening and random seed."""
    start: Start = Start()  # noqa: RUF009 - immutable


class _Failure(Exception):  # noqa: N818 - caught by `_Game.play`
    """An engine failed and loses the game."""

    def __init__(self, player: str, text: str, error: BaseException | None = None) -> None:
        super().__init__(text)
        self.player = player
        self.text = text
        self.traceback = "" if error is None else in_lines(traceback_of(error))


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game: the score of each seat, the reason, and whether the game is void."""

    scores: dict[str, float]
    reason: str
    void: bool = False


# --- engines --------------------------------------------------------------------------------


def run_time_limit(settings: Settings) -> float:
    """Return the time limit for runs in a VM: the longest time that any engine may use."""
    controls = [entrant.time or settings.time for entrant in settings.entrants]
    return max(_seconds_until_hung(Clock(control), settings.hang) for control in controls)


def _seconds_until_hung(clock: Clock, hang_seconds: float) -> float:
    limit = clock.max_seconds
    return hang_seconds if limit is None else limit + min(hang_seconds, _MAX_GRACE_SECONDS)


class _Seat:
    """A player of one game with its engine and clock."""

    def __init__(
        self, number: int, player: str, entrant: Entrant, settings: Settings, engine: Engine
    ) -> None:
        self.number = number
        self.player = player
        self.entrant = entrant
        self.engine = engine
        self.is_native = is_native(entrant.spec)
        self._program = _program_of(engine, entrant.spec)
        self.clock = Clock(entrant.time or settings.time)
        self.thinking_seconds = 0.0
        self.nodes = 0
        self._settings = settings

    def limits(self) -> Limits | None:
        """Return the limits of the engine for its next move; None if there are none."""
        settings = self._settings
        limits = replace(self.clock.limits, depth=settings.depth, nodes=settings.nodes)
        return None if limits.unlimited else limits

    def choose_move(self, running_game: RunningGame, status: Status) -> SearchResult:
        """Call the engine to choose a move.

        Raises:
            Resignation: The engine resigned.
            _Failure: The engine failed or exceeded its time.
        """
        position = running_game.positions[self.entrant.configuration]
        limits = self.limits()
        hang_seconds = _seconds_until_hung(self.clock, self._settings.hang)
        if self._program is not None:
            self._program.hang_seconds = hang_seconds
        status.engine_started(self.engine, self.number, position.ply, hang_seconds)
        began = time.perf_counter()
        try:
            if self.is_native:  # built-in engines return legal moves, and `push` checks the index
                searched = position if self.engine.in_place else position.copy()
                result = self.engine.play(searched, limits)
            else:
                result = choose_move(self.engine, position, limits)
        except Abandoned:
            raise
        except BaseException as error:
            # Ctrl-C does not interrupt this thread: even a KeyboardInterrupt comes from the engine.
            self.thinking_seconds += time.perf_counter() - began
            status.no_engine_running(position.ply)
            if isinstance(error, Resignation):
                raise
            raise _Failure(self.player, describe(error), error) from error
        seconds = time.perf_counter() - began
        status.no_engine_running(position.ply)
        self.thinking_seconds += seconds
        self.nodes += result.nodes
        max_seconds = self.clock.max_seconds
        if not self.clock.spend(seconds):
            raise _Failure(
                self.player, f"out of time: {seconds:.3f} s used, {max_seconds:.3f} s left"
            )
        return result


def _program_of(engine: Engine, spec: str) -> ProgramEngine | None:
    if not runs_program(split_engine(spec)[0]):
        return None
    from forthvm.engines.protocols.client import ProgramEngine  # imported already

    assert isinstance(engine, ProgramEngine)
    return engine


def describe(error: BaseException) -> str:
    """Return the message of an error in one line."""
    message = in_a_line(error, _MAX_ERROR_LENGTH)
    if isinstance(error, ForthVMError):
        return message
    kind = visible(type(error).__name__)
    return f"{kind}: {message}" if message else kind


# --- a game ---------------------------------------------------------------------------------


def play(
    settings: Settings,
    loaded_match: LoadedMatch,
    task: Task,
    status: Status,
    observer: Observer | None = None,
) -> GameRow:
    """Play a game.

    Args:
        settings: The match.
        loaded_match: The loaded configurations.
        task: The game.
        status: Receives the status of the game.
        observer: Receives the positions of the game and the engines' moves.

    Raises:
        Abandoned: `status` stopped the game.
        MatchError: An engine is not installed on this machine.
    """
    if not all(is_native(entrant.spec) for entrant in settings.entrants):
        _seed_python(derive_seed(settings.seed, "python", task.number))
    game = _Game(settings, loaded_match, task, status, observer)
    try:
        end = game.play()
    finally:
        game.close()
    return game.row(end.scores, end.reason, end.void)


class _Game:
    def __init__(
        self,
        settings: Settings,
        loaded_match: LoadedMatch,
        task: Task,
        status: Status,
        observer: Observer | None,
    ) -> None:
        self._settings = settings
        self._observer = observer
        self._loaded_match = loaded_match
        self._task = task
        self._status = status
        self._began = time.perf_counter()
        self._seats: dict[str, _Seat] = {}
        self._running_game: RunningGame | None = None
        self._chosen_moves = 0  # the number of moves that engines chose
        self._legal_moves = 0  # the number of legal moves when they chose, summed over the moves
        self._faults: dict[str, None] = {}
        self._traceback = ""

    def play(self) -> End:
        """Play the game to its end."""
        task, settings = self._task, self._settings
        self._status.moves_changed(())
        try:
            for number, player in enumerate(self._loaded_match.seats):
                self._seats[player] = self._create_seat(number, player)
            running_game = self._loaded_match.begin(settings.pair_seed(task.pair), task.start)
            self._running_game = running_game
            for seat in self._seats.values():
                self._prepare(seat, running_game.positions[seat.entrant.configuration])
            return self._play_moves(running_game)
        except _Failure as failure:
            self._traceback = failure.traceback
            return forfeit_or_void(settings, self._seating, failure.player, failure.text)
        except MatchError:  # ends the match
            raise
        except Disagreement as disagreement:
            return void_end(str(disagreement))
        except ForthVMError as error:
            ply = 0 if self._running_game is None else self._running_game.first_position.ply
            self._status.no_engine_running(ply)  # raises Abandoned if the match was stopped
            return void_end(f"the game failed at ply {ply}: {describe(error)}")

    def _create_seat(self, number: int, player: str) -> _Seat:
        settings, name = self._settings, self._task.seats[number]
        entrant = next(entrant for entrant in settings.entrants if entrant.name == name)
        control: TimeControl = entrant.time or settings.time
        limited = not (control.unlimited and settings.depth is None and settings.nodes is None)
        spec = engine_spec(
            entrant, self._loaded_match.games[entrant.configuration], player, limited=limited
        )
        self._status.engine_started(None, number, 0, _ENGINE_SETUP_SECONDS)
        try:
            engine = make_engine(spec, settings.seed, "engine", self._task.number, player)
        except UnknownEngineError as error:  # the engine is installed only on another machine
            raise MatchError(f"{name}: {error}") from error
        except BaseException as error:
            reason = describe(error.__cause__ or error)
            raise _Failure(player, f"its engine cannot be created: {reason}", error) from error
        self._status.no_engine_running(0)
        return _Seat(number, player, entrant, settings, engine)

    def _prepare(self, seat: _Seat, position: Position) -> None:
        """Let an engine get ready, which may start a program, before its clock runs."""
        self._status.engine_started(seat.engine, seat.number, position.ply, self._settings.hang)
        try:
            prepare(seat.engine, position)
        except BaseException as error:
            self._status.no_engine_running(position.ply)
            raise _Failure(seat.player, describe(error), error) from error
        self._status.no_engine_running(position.ply)

    def _play_moves(self, running_game: RunningGame) -> End:
        referee = Referee(self._settings.adjudication, self._loaded_match.seats)
        status = self._status
        while True:
            if self._observer is not None:
                self._observer.position_reached(running_game.first_position)
            status.moves_changed(running_game.moves)
            end = _end_by_rules(running_game, referee, self._loaded_match.seats)
            if end is not None:
                return end
            status.no_engine_running(running_game.first_position.ply)
            if running_game.pass_if_stuck():
                continue
            if running_game.is_chance_node:
                running_game.push_chance()
                continue
            verdict = self._push_choice(running_game, referee)
            if verdict is not None:
                return _shared_win(self._loaded_match.seats, verdict)

    def _push_choice(self, running_game: RunningGame, referee: Referee) -> Verdict | None:
        """Make the move that the engine of the player to move chooses.

        Returns:
            The verdict if the game ends by the engines' scores or because the engine resigns.
        """
        seat = self._seats[running_game.turn]
        position = running_game.positions[seat.entrant.configuration]
        self._chosen_moves += 1
        self._legal_moves += len(position.legal_moves)
        try:
            result = seat.choose_move(running_game, self._status)
        except Resignation:
            others = tuple(player for player in self._seats if player != seat.player)
            return Verdict(others, f"resignation: {seat.entrant.name} ({seat.player})")
        faults = result.info.get("faults", ())
        if isinstance(faults, tuple):
            for fault in faults:
                self._faults.setdefault(in_a_line(fault, _MAX_ERROR_LENGTH))
        if self._observer is not None:
            self._observer.move_chosen(position, result.move.index)
        running_game.push(position, result.move.index)
        return referee.check_scores(seat.player, result.score, running_game.first_position.ply)

    @property
    def _seating(self) -> dict[str, str]:
        return dict(zip(self._loaded_match.seats, self._task.seats, strict=True))

    def row(self, scores: Mapping[str, float], reason: str, void: bool) -> GameRow:
        """Return the row of the game for the results file."""
        running_game = self._running_game
        moves = self._task.start.moves if running_game is None else tuple(running_game.moves)
        seats = self._seats
        return GameRow(
            id=self._task.number,
            seed=self._settings.pair_seed(self._task.pair),
            seats=self._seating,
            outcome=dict(scores),
            reason=reason,
            plies=len(moves),
            moves=moves,
            seconds=round(time.perf_counter() - self._began, 6),
            finished_at=_time_text(),
            game=self._settings.game,
            opening=self._task.start.moves,
            pair=self._task.pair,
            nodes={player: seat.nodes for player, seat in seats.items()},
            thinking={player: round(seat.thinking_seconds, 6) for player, seat in seats.items()},
            branching=round(self._legal_moves / self._chosen_moves, 3)
            if self._chosen_moves
            else 0.0,
            digest=_moves_digest(moves),
            void=void,
            faults=tuple(self._faults)[:_MAX_FAULTS],
            traceback=self._traceback,
        )

    def close(self) -> None:
        """Close the engines.  The game is over, so an exception is only recorded as a fault."""
        for seat in self._seats.values():
            if not seat.is_native:
                ply = 0 if self._running_game is None else self._running_game.first_position.ply
                with suppress(Abandoned):
                    self._status.engine_started(None, seat.number, ply, _ENGINE_SETUP_SECONDS)
            try:
                seat.engine.close()
            except BaseException as error:
                name = visible(seat.entrant.name)
                self._faults.setdefault(
                    f"{name}'s engine failed when it was closed: {describe(error)}"
                )
                self._traceback = self._traceback or in_lines(traceback_of(error))


def _shared_win(seats: Sequence[str], verdict: Verdict) -> End:
    """Return the end of a game in which the winners, or all seats in a draw, share one point.

    In a game of one player there is no draw to share: a puzzle that is not solved scores 0.
    """
    winning = [player for player in seats if player in verdict.winners]
    if not winning and len(seats) > 1:
        winning = list(seats)
    scores = {player: (1 / len(winning) if player in winning else 0.0) for player in seats}
    return End(scores, verdict.reason)


def _end_by_rules(running_game: RunningGame, referee: Referee, seats: Sequence[str]) -> End | None:
    """Return the end of a game by its own rules, its length or repetition; None if it goes on.

    Raises:
        Disagreement: The two configurations of the match have different results.
    """
    outcome = running_game.outcome
    if outcome is not None:
        return _shared_win(seats, Verdict(outcome.winners, f"OnIsGameOver: {outcome.reason}"))
    verdict = referee.check_position(running_game.first_position)
    return None if verdict is None else _shared_win(seats, verdict)


def forfeit_or_void(settings: Settings, seating: Mapping[str, str], player: str, text: str) -> End:
    """Return the end of a game in which the engine of `player` failed."""
    loser = f"{seating[player]} ({player})"
    # An entrant with several seats loses in all its seats.
    winners = [other for other, entrant in seating.items() if entrant != seating[player]]
    if settings.on_failure == "void" or not winners:
        return void_end(f"{loser}: {text}")
    scores = {seat: (1 / len(winners) if seat in winners else 0.0) for seat in seating}
    return End(scores, f"forfeit: {loser}: {text}")


def lost_game_row(  # noqa: PLR0913 - two parameters are keyword-only
    settings: Settings,
    players: tuple[str, ...],
    task: Task,
    end: End,
    *,
    moves: tuple[tuple[str, str], ...] = (),
    seconds: float = 0.0,
) -> GameRow:
    """Return the row of a game that was lost with its worker.

    Args:
        settings: The match.
        players: The seats of the game.
        task: The game.
        end: The end of the game.
        moves: The moves that the worker reported.
        seconds: The duration of the game.
    """
    moves = max(moves, task.start.moves, key=len)
    return GameRow(
        id=task.number,
        seed=settings.pair_seed(task.pair),
        seats=dict(zip(players, task.seats, strict=True)),
        outcome=end.scores,
        reason=end.reason,
        plies=len(moves),
        moves=moves,
        seconds=round(seconds, 6),
        finished_at=_time_text(),
        game=settings.game,
        opening=task.start.moves,
        pair=task.pair,
        digest=_moves_digest(moves),
        void=end.void,
    )


def void_end(text: str) -> End:
    """Return the end of a void game."""
    return End({}, f"void: {text}", void=True)


def _time_text() -> str:
    """Return the current time in the form of `GameRow.finished_at`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _moves_digest(moves: tuple[tuple[str, str], ...]) -> str:
    """Return `GameRow.digest`."""
    text = "\n".join(f"{player}\t{move}" for player, move in moves)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _seed_python(seed: int) -> None:
    """Make engines that use the global random generators of Python reproducible."""
    import random

    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)
