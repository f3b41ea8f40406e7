"""Games and results files for the tests of statistics and reports.

Owns the creation of rows with arbitrary values, and of results files of short matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from forthvm.autoplay.match.game import Task, play
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.match.settings import Adjudication, Configuration, Entrant, Settings
from forthvm.autoplay.results.foreign_code import source_digests
from forthvm.autoplay.results.store import GameRow, Store
from forthvm.engines import Engine


def row(
    number: int,
    seats: dict[str, str],
    scores: Sequence[float],
    moves: str = "",
    **columns: object,
) -> GameRow:
    """Return a row without playing a game.

    Args:
        number: The number of the game.
        seats: The entrant of each player.
        scores: The score of each player.
        moves: The texts of the moves, separated by blanks; the players move in turn.
        columns: Values of other columns.
    """
    texts = moves.split()
    players = list(seats)
    played_moves = tuple((players[at % len(players)], text) for at, text in enumerate(texts))
    values: dict[str, object] = {
        "id": number,
        "seed": 0,
        "seats": seats,
        "outcome": dict(zip(seats, scores, strict=False)),
        "reason": "OnIsGameOver: it is over",
        "plies": len(played_moves),
        "moves": played_moves,
        "seconds": 1.0,
        "finished_at": "2026-01-01T00:00:00.000+00:00",
        "game": "made-up",
        "digest": moves,
    }
    return GameRow(**values | columns)  # type: ignore[arg-type]


def duel(number: int, score: float, *, swapped: bool = False, **columns: object) -> GameRow:
    """Return a game of A and B with A's score; A has the first seat unless `swapped`."""
    seats = {"X": "B", "O": "A"} if swapped else {"X": "A", "O": "B"}
    scores = (1 - score, score) if swapped else (score, 1 - score)
    return row(number, seats, scores, **columns)  # type: ignore[arg-type]


class NullStatus:
    """A status that ignores all reports."""

    def engine_started(self, engine: Engine | None, seat: int, ply: int, seconds: float) -> None:
        """Ignore the start of an engine."""

    def moves_changed(self, moves: Sequence[tuple[str, str]]) -> None:
        """Ignore new moves."""

    def no_engine_running(self, ply: int) -> None:
        """Ignore the end of an engine."""


def write_random_match(
    path: Path,
    game: str,
    names: Sequence[str] = ("A", "B"),
    *,
    games: int = 2,
    max_plies: int = 40,
) -> Settings:
    """Write a results file of games with random moves and exchanged seats; return its settings."""
    settings = Settings(
        configurations=(Configuration(name=game, game=game),),
        entrants=tuple(Entrant(name=name, spec="random") for name in names),
        games=games,
        adjudication=Adjudication(max_plies=max_plies),
    )
    loaded_match = LoadedMatch(settings)
    match = {**settings.to_match(), "sources": source_digests(settings, loaded_match.games)}
    with Store.create(path, match) as store:
        for number in range(1, games + 1):
            seats = tuple(
                names[(at + number - 1) % len(names)] for at in range(len(loaded_match.seats))
            )
            pair = (number + 1) // 2
            store.record(play(settings, loaded_match, Task(number, seats, pair), NullStatus()))
    loaded_match.close()
    return settings
