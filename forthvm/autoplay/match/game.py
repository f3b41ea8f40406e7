"""One game of a match, from its task to its row.

Owns who is asked, what ends a game, and what happens when somebody fails.  It must not know
workers, files or schedules.

What may happen:

- OnIsGameOver ends it, or nobody has a move;
- the referee ends it (adjudication.py);
- an engine fails: it raises, answers with no legal move, uses up memory or time.  Its entrant
  forfeits, and all others share the win; or the game is void, where the match says so;
- the game's own script fails, or two configurations disagree: the game is void.
"""

from __future__ import annotations

import hashlib
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from forthvm.autoplay.match.adjudication import Referee
from forthvm.autoplay.match.clock import Clock, TimeControl
from forthvm.autoplay.match.engine_specs import engine_spec, is_native, make_engine
from forthvm.autoplay.match.settings import MatchError, derive_seed
from forthvm.autoplay.match.table import Disagreement, Start
from forthvm.autoplay.results.store import GameRow
from forthvm.autoplay.untrusted_text import in_a_line, in_lines, visible
from forthvm.core.errors import ForthVMError
from forthvm.engines import Limits, ask
from forthvm.engines.errors import UnknownEngineError, traceback_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.autoplay.match.settings import Entrant, Settings
    from forthvm.autoplay.match.table import Board, Table
    from forthvm.engines import Engine, SearchResult
    from forthvm.game import Position

__all__ = [
    "Abandoned",
    "End",
    "Observer",
    "Status",
    "Task",
    "describe",
    "failed_outcome",
    "longest_run",
    "play",
    "unplayed",
    "void_end",
]

_MOST_TEXT = 300
_MOST_FAULTS = 5
_ASIDE = 60.0
"""Seconds in which an engine must be made, or closed."""
_GRACE = 10.0
"""Seconds beyond its time after which an engine does not count as slow but as hanging."""


class Abandoned(Exception):  # noqa: N818 - somebody wanted it
    """The match was stopped in the middle of this game."""


class Status(Protocol):
    """Where a game says what it is doing, for whoever watches over it."""

    def thinking(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """An engine is at work; it is hanging if it has not answered after `seconds`.

        None: the engine is being made, or closed, and cannot be stopped.
        """

    def made(self, moves: Sequence[tuple[str, str]]) -> None:
        """All moves of the game so far; none: it begins."""

    def playing(self, ply: int) -> None:
        """No engine is asked.

        Raises:
            Abandoned: nobody wants the game any more.
        """


class Observer(Protocol):
    """Looks on while a game is played."""

    def arrived(self, position: Position) -> None:
        """A position has come up."""

    def chosen(self, position: Position, index: int) -> None:
        """An engine has chosen the move with this place in the list; it is not made yet."""


@dataclass(frozen=True)
class Task:
    """A game to be played."""

    number: int
    seats: tuple[str, ...]
    """Entrant of each player who can win, in order of turns."""
    pair: int
    start: Start = Start()  # noqa: RUF009 - immutable


class _Failure(Exception):  # noqa: N818 - told, not raised further
    """An engine has lost the game by itself."""

    def __init__(self, player: str, text: str, error: BaseException | None = None) -> None:
        super().__init__(text)
        self.player = player
        self.text = text
        self.traceback = "" if error is None else in_lines(traceback_of(error))


class End(NamedTuple):
    """How a game ended."""

    scores: dict[str, float]
    reason: str
    void: bool = False


# --- engines --------------------------------------------------------------------------------


def longest_run(settings: Settings) -> float:
    """Seconds after which whatever runs in a VM is given up."""
    controls = [entrant.time or settings.time for entrant in settings.entrants]
    return max(_deadline(Clock(control), settings.hang) for control in controls)


def _deadline(clock: Clock, hang: float) -> float:
    longest = clock.longest
    return hang if longest is None else longest + min(hang, _GRACE)


class _Seat:
    """A player in one game, and what plays for him."""

    def __init__(
        self, number: int, player: str, entrant: Entrant, settings: Settings, engine: Engine
    ) -> None:
        self.number = number
        self.player = player
        self.entrant = entrant
        self.engine = engine
        self.trusted = is_native(entrant.spec)
        self.clock = Clock(entrant.time or settings.time)
        self.thinking = 0.0
        self.nodes = 0
        self._settings = settings
        self._limits = Limits(
            time=self.clock.control.move,
            depth=settings.depth,
            nodes=settings.nodes,
            increment=self.clock.control.increment or None,
        )

    def limits(self) -> Limits | None:
        """What the engine is told for its next move."""
        if self.clock.remaining is not None:
            return replace(self._limits, time=self.clock.allotted)
        return None if self._limits.unlimited else self._limits

    def ask(self, board: Board, status: Status) -> SearchResult:
        """The engine's answer, in time.

        Raises:
            _Failure: there is none.
        """
        position = board.positions[self.entrant.configuration]
        limits = self.limits()
        status.thinking(
            self.engine, self.number, position.ply, _deadline(self.clock, self._settings.hang)
        )
        began = time.perf_counter()
        try:
            if self.trusted:  # what ask() checks is certain, and checked again by push
                asked = position if self.engine.in_place else position.copy()
                result = self.engine.play(asked, limits)
            else:
                result = ask(self.engine, position, limits)
        except Abandoned:
            raise
        except BaseException as error:  # KeyboardInterrupt too: a real one comes to the runner
            self.thinking += time.perf_counter() - began
            status.playing(position.ply)
            raise _Failure(self.player, describe(error), error) from error
        seconds = time.perf_counter() - began
        status.playing(position.ply)
        self.thinking += seconds
        self.nodes += result.nodes
        longest = self.clock.longest
        if not self.clock.spend(seconds):
            raise _Failure(self.player, f"out of time: {seconds:.3f} s used, {longest:.3f} s left")
        return result


def describe(error: BaseException) -> str:
    """An error in a line."""
    said = in_a_line(error, _MOST_TEXT)
    if isinstance(error, ForthVMError):
        return said
    kind = visible(type(error).__name__)
    return f"{kind}: {said}" if said else kind


# --- a game ---------------------------------------------------------------------------------


def play(
    settings: Settings, table: Table, task: Task, status: Status, observer: Observer | None = None
) -> GameRow:
    """Plays a game.

    Args:
        settings: The match.
        table: Where.
        task: Which game.
        status: Hears what is done.
        observer: Sees positions and choices.

    Raises:
        Abandoned: `status` says so.
        MatchError: an engine is not installed where the game is played.
    """
    if not all(is_native(entrant.spec) for entrant in settings.entrants):
        _seed_python(derive_seed(settings.seed, "python", task.number))
    game = _Game(settings, table, task, status, observer)
    try:
        end = game.play()
    finally:
        game.close()
    return game.row(*end)


class _Game:
    def __init__(
        self,
        settings: Settings,
        table: Table,
        task: Task,
        status: Status,
        observer: Observer | None,
    ) -> None:
        self._settings = settings
        self._observer = observer
        self._table = table
        self._task = task
        self._status = status
        self._began = time.perf_counter()
        self._seats: dict[str, _Seat] = {}
        self._board: Board | None = None
        self._asked = 0
        self._choices = 0
        self._faults: dict[str, None] = {}
        self._traceback = ""

    def play(self) -> End:
        """How it ends."""
        task, settings = self._task, self._settings
        self._status.made(())
        try:
            for number, player in enumerate(self._table.seats):
                self._seats[player] = self._seat(number, player)
            board = self._table.begin(settings.pair_seed(task.pair), task.start)
            self._board = board
            return self._moves(board)
        except _Failure as failure:
            self._traceback = failure.traceback
            return failed_outcome(settings, self._seating, failure.player, failure.text)
        except MatchError:  # the harness, not the game
            raise
        except Disagreement as found:
            return End({}, f"void: {found}", void=True)
        except ForthVMError as error:
            ply = 0 if self._board is None else self._board.main.ply
            self._status.playing(ply)  # it may have been stopped
            return End({}, f"void: the game failed at ply {ply}: {describe(error)}", void=True)

    def _seat(self, number: int, player: str) -> _Seat:
        settings, name = self._settings, self._task.seats[number]
        entrant = next(each for each in settings.entrants if each.name == name)
        control: TimeControl = entrant.time or settings.time
        limited = not (control.unlimited and settings.depth is None and settings.nodes is None)
        spec = engine_spec(
            entrant, self._table.games[entrant.configuration], player, limited=limited
        )
        self._status.thinking(None, number, 0, _ASIDE)
        try:
            engine = make_engine(spec, settings.seed, "engine", self._task.number, player)
        except UnknownEngineError as error:  # it was there when the match began
            raise MatchError(f"{name}: {error}") from error
        except BaseException as error:
            why = describe(error.__cause__ or error)
            raise _Failure(player, f"its engine cannot be made: {why}", error) from error
        self._status.playing(0)
        return _Seat(number, player, entrant, settings, engine)

    def _moves(self, board: Board) -> End:
        referee = Referee(self._settings.adjudication, self._table.seats)
        status = self._status
        while True:
            if self._observer is not None:
                self._observer.arrived(board.main)
            status.made(board.moves)
            outcome = board.outcome
            if outcome is not None:
                return End(self._shares(outcome.winners), f"OnIsGameOver: {outcome.reason}")
            verdict = referee.arrived(board.main)
            if verdict is not None:
                return End(self._shares(verdict[0]), verdict[1])
            status.playing(board.main.ply)
            if board.pass_if_stuck():
                continue
            if board.is_lot:
                board.draw()
                continue
            verdict = self._chosen(board, referee)
            if verdict is not None:
                return End(self._shares(verdict[0]), verdict[1])

    def _chosen(self, board: Board, referee: Referee) -> tuple[tuple[str, ...], str] | None:
        """Has an engine make a move."""
        seat = self._seats[board.turn]
        position = board.positions[seat.entrant.configuration]
        self._asked += 1
        self._choices += len(position.legal_moves)
        result = seat.ask(board, self._status)
        faults = result.info.get("faults", ())
        if isinstance(faults, tuple):
            for fault in faults:
                self._faults.setdefault(in_a_line(fault, _MOST_TEXT))
        if self._observer is not None:
            self._observer.chosen(position, result.move.index)
        board.push(position, result.move.index)
        return referee.chosen(seat.player, result.score, board.main.ply)

    @property
    def _seating(self) -> dict[str, str]:
        return dict(zip(self._table.seats, self._task.seats, strict=True))

    def _shares(self, winners: tuple[str, ...]) -> dict[str, float]:
        """Winners share the point; nobody: all do."""
        seats = self._table.seats
        who = [player for player in seats if player in winners] or list(seats)
        return {player: (1 / len(who) if player in who else 0.0) for player in seats}

    def row(self, scores: Mapping[str, float], reason: str, void: bool) -> GameRow:
        """The game as it is recorded."""
        board = self._board
        moves = self._task.start.moves if board is None else tuple(board.moves)
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
            finished_at=_now(),
            game=self._settings.game,
            opening=self._task.start.moves,
            pair=self._task.pair,
            nodes={player: seat.nodes for player, seat in seats.items()},
            thinking={player: round(seat.thinking, 6) for player, seat in seats.items()},
            branching=round(self._choices / self._asked, 3) if self._asked else 0.0,
            digest=_digest(moves),
            void=void,
            faults=tuple(self._faults)[:_MOST_FAULTS],
            traceback=self._traceback,
        )

    def close(self) -> None:
        """Lets the engines go.  An exception changes no result, for the game is over."""
        for seat in self._seats.values():
            if not seat.trusted:
                ply = 0 if self._board is None else self._board.main.ply
                with suppress(Abandoned):
                    self._status.thinking(None, seat.number, ply, _ASIDE)
            try:
                seat.engine.close()
            except BaseException as error:
                who = visible(seat.entrant.name)
                self._faults.setdefault(
                    f"{who}'s engine failed when it was closed: {describe(error)}"
                )
                self._traceback = self._traceback or in_lines(traceback_of(error))


def failed_outcome(settings: Settings, seating: Mapping[str, str], player: str, text: str) -> End:
    """What becomes of a game whose engine for `player` has failed."""
    who = f"{seating[player]} ({player})"
    # An entrant who sits in several seats loses with all of them.
    others = [each for each, entrant in seating.items() if entrant != seating[player]]
    if settings.on_failure == "void" or not others:
        return End({}, f"void: {who}: {text}", void=True)
    scores = {each: (1 / len(others) if each in others else 0.0) for each in seating}
    return End(scores, f"forfeit: {who}: {text}")


def unplayed(  # noqa: PLR0913 - the last ones by name
    settings: Settings,
    players: tuple[str, ...],
    task: Task,
    end: End,
    *,
    moves: tuple[tuple[str, str], ...] = (),
    seconds: float = 0.0,
) -> GameRow:
    """The row of a game that was lost with its worker.

    Args:
        settings: The match.
        players: Seats of the game.
        task: Which game.
        end: What becomes of it.
        moves: Those that the worker told; the opening's are known anyway.
        seconds: How long it was played.
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
        finished_at=_now(),
        game=settings.game,
        opening=task.start.moves,
        pair=task.pair,
        digest=_digest(moves),
        void=end.void,
    )


def void_end(text: str) -> End:
    """A game that does not count."""
    return End({}, f"void: {text}", void=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _digest(moves: tuple[tuple[str, str], ...]) -> str:
    text = "\n".join(f"{player}\t{move}" for player, move in moves)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _seed_python(seed: int) -> None:
    """Start the random numbers that engines in Python share, so that games repeat."""
    import random

    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)
