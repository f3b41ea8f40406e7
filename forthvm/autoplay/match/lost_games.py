"""The handling of games whose workers failed.

Owns the decision to repeat the game, to count it as a forfeit, to make it void, or to end the
match.

An engine that hangs forfeits.  If a worker dies, its game is played once more.  If the second
worker dies too, an engine that was thinking both times forfeits.  A script that hangs makes the
game void.  Any other failure ends the match, and the game has no result.  A game that is lost with
a machine of a cluster is not lost in this sense: dask repeats it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.autoplay.match.game import describe, forfeit_or_void, lost_game_row, void_end
from forthvm.autoplay.match.pool import WorkerLost
from forthvm.autoplay.match.settings import MatchError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.autoplay.match.game import End, Task
    from forthvm.autoplay.match.settings import Settings
    from forthvm.autoplay.results.rows import GameRow

__all__ = ["LostGames"]

_MAX_ATTEMPTS = 2
"""The number of attempts to play a game whose workers die."""


class LostGames:
    """Records the lost games of a match, and decides whether a lost game is repeated."""

    def __init__(self, settings: Settings, seats: Sequence[str]) -> None:
        """Create an object without lost games.

        Args:
            settings: The match.
            seats: The players who can win, in order of turns.
        """
        self._settings = settings
        self._seats = tuple(seats)
        self._attempts: dict[int, int] = {}
        """By number of the game: the number of failed attempts to play it."""
        self._first_thinking_seats: dict[int, int] = {}
        """By number of the game: the index of the seat whose engine was thinking when the first
        worker died; -1 if no engine was thinking."""

    def resolve(
        self, task: Task, error: BaseException, note: Callable[[str], object]
    ) -> GameRow | None:
        """Return the row of a lost game; None if the game must be repeated.

        Args:
            task: The game.
            error: The exception of the game's future.
            note: Called with a message if the game must be repeated.

        Raises:
            MatchError: The match cannot continue.
        """
        if isinstance(error, WorkerLost):
            return self._after_loss(task, error, note)
        raise MatchError(f"game {task.number} cannot be played: {describe(error)}") from error

    def _may_repeat(self, task: Task) -> bool:
        attempts = self._attempts[task.number] = self._attempts.get(task.number, 0) + 1
        return attempts < _MAX_ATTEMPTS

    def _after_loss(
        self, task: Task, lost: WorkerLost, note: Callable[[str], object]
    ) -> GameRow | None:
        seat, ply = lost.report.seat, lost.report.ply
        if lost.hung and seat >= 0:
            end = self._failed(task, seat, f"it did not answer in time at ply {ply} and was ended")
        elif lost.hung:
            end = void_end(f"its worker {lost.reason} at ply {ply}")
        elif self._may_repeat(task):
            self._first_thinking_seats[task.number] = seat
            note(f"game {task.number} is played again: its worker {lost.reason}")
            return None
        elif seat >= 0 and self._first_thinking_seats.get(task.number) == seat:
            reason = f"its worker {lost.reason} while it was thinking at ply {ply}, twice"
            end = self._failed(task, seat, reason)
        else:
            raise MatchError(
                f"game {task.number} cannot be played: its worker {lost.reason} at ply {ply}, "
                "while no engine was thinking"
            )
        report = lost.report
        return lost_game_row(
            self._settings, self._seats, task, end, moves=report.moves, seconds=report.seconds
        )

    def _failed(self, task: Task, seat: int, reason: str) -> End:
        seating = dict(zip(self._seats, task.seats, strict=True))
        return forfeit_or_void(self._settings, seating, self._seats[seat], reason)
