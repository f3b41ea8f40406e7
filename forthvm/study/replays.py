"""Recorded games of results files, replayed move by move.

Owns the choice of the games that count, and the checks that a file may be replayed and that its
games are of one game.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.autoplay.match.openings import ListedOpenings
from forthvm.autoplay.match.running_game import (
    Disagreement,
    RunningGame,
    Start,
    begin_position,
    load_configuration,
    seats_of,
)
from forthvm.autoplay.match.settings import Settings
from forthvm.autoplay.results.foreign_code import refuse_changed_scripts
from forthvm.autoplay.results.store import Store
from forthvm.study.errors import StudyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from forthvm.autoplay.results.store import GameRow
    from forthvm.core.budget import Budget
    from forthvm.game import Game, Position

__all__ = ["Ply", "RecordedGame", "recorded_games"]


_FIXED = ("begun_at", "configurations", "entrants", "seed", "options", "openings")
"""The values of the table `match` that identify a match; they do not change while it is played."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A position of a replayed game, with the move that was made in it."""

    number: int
    """The number of moves made before."""
    position: Position
    """The position.  It changes when the next ply is read; `copy` keeps it."""
    move: str | None
    """The text of the move; None in the last position of the game."""


class RecordedGame:
    """A recorded game that can be replayed.

    Attributes:
        file: The results file.
        row: The record.
        game: The loaded game; all records of a call of `recorded_games` share it.
        match: A text that identifies the match.
        seats: The players who can win, in the order of their first turns.
    """

    def __init__(self, file: Path, row: GameRow, game: Game, start: Start, match: str) -> None:
        """Store the arguments; only `recorded_games` creates recorded games."""
        self.file = file
        self.match = match
        self.row = row
        self.game = game
        self.seats = seats_of(game)
        self._start = start

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each seat."""
        return tuple(self.row.outcome.get(seat, 0.0) for seat in self.seats)

    def plies(self, limit: int | None = None) -> Iterator[Ply]:
        """Yield the positions of the game, up to the position after `limit` moves.

        Raises:
            StudyError: A recorded move is not legal.
            ForthVMError: The script fails.
        """
        row = self.row
        position = begin_position(self.game, row.seed, self._start.setup)
        running_game = RunningGame([position], row.seed)
        moves = row.moves[:limit]
        for number, (player, text) in enumerate(moves):
            yield Ply(number, position, text)
            try:
                running_game.push_recorded(player, text)
            except Disagreement as error:
                raise StudyError(
                    f"{self.file}, game {row.id}: the game differs from its record: {error}"
                ) from error
        last = row.moves[len(moves)][1] if len(moves) < len(row.moves) else None
        yield Ply(len(moves), position, last)


def recorded_games(
    files: Iterable[Path], *, trust: bool = False, budget: Budget | None = None
) -> Iterator[RecordedGame]:
    """Yield the games of results files, without void games.

    If a match has two configurations, the games are replayed in the first one.

    Args:
        files: The results files.
        trust: Whether to load scripts that have changed since the match or have no digest.
        budget: The limits of the script; None for those of the match.

    Raises:
        StudyError: The files have results of different games.
        StoreError: A file is not a results file, or is damaged.
        UntrustedError: A script has changed, and `trust` is false.
        MatchError: A file has invalid settings.
        ForthVMError: The game cannot be loaded.
    """
    first: tuple[Path, Game] | None = None
    for file in files:
        with Store.open(file) as store:
            match = store.match()
            settings = Settings.from_match(match)
            if not trust:
                refuse_changed_scripts(settings, match)
            game = load_configuration(
                settings.configurations[0], seed=settings.seed, budget=budget or settings.budget
            )
            if first is None:
                first = file, game
            elif game._loaded.identity != first[1]._loaded.identity:
                raise StudyError(
                    f"{file} has games of {game.name}, but {first[0]} has games of "
                    f"{first[1].name}" + _same_name_note(game, first[1])
                )
            identity = _identity(match)
            openings = ListedOpenings.of_match(match)
            for row in store.games():
                if row.void:
                    continue
                if not row.outcome.keys() <= set(seats_of(game)):
                    raise StudyError(
                        f"{file}, game {row.id}: {game.name} has no player "
                        f"{', '.join(sorted(row.outcome.keys() - set(seats_of(game))))}"
                    )
                start = openings.of_pair(row.pair)
                yield RecordedGame(file, row, first[1], start, identity)


def _same_name_note(game: Game, other: Game) -> str:
    return " with other rules, settings or versions" if game.name == other.name else ""


def _identity(match: Mapping[str, object]) -> str:
    """Return a text that identifies a match, also after more of its games have been recorded."""
    fixed = [match.get(name) for name in _FIXED]
    return hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()[:32]
