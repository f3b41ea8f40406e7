"""Small matches for tests, and a watcher of matches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from forthvm.autoplay import Configuration, Entrant, GameRow, Match, Settings

TICTACTOE = Configuration(name="tictactoe", game="tictactoe")


def spec(engine: type[object], **options: object) -> str:
    """Return the specification of an engine class of a test module."""
    text = ",".join(f"{name}={value}" for name, value in options.items())
    return f"{engine.__module__}:{engine.__name__}" + (f":{text}" if text else "")


def settings_of(
    *specs: str, games: int = 10, game: str | Path = "tictactoe", **options: object
) -> Settings:
    """Return settings with entrants A, B, C and so on, which use these engines.

    Games begin without random plies if `options` has no `opening_plies`.
    """
    path = Path(game)
    configuration = Configuration(name=path.stem, game=str(game))
    entrants = tuple(Entrant(name=chr(ord("A") + at), spec=each) for at, each in enumerate(specs))
    settings = Settings(
        configurations=(configuration,), entrants=entrants, games=games, opening_plies=0
    )
    return replace(settings, **options)  # type: ignore[arg-type]  # fields of Settings


def played(settings: Settings, path: Path, **options: object) -> list[GameRow]:
    """Play a match and return its games by number."""
    with Match.create(settings, path) as match:
        match.run(**options)  # type: ignore[arg-type]  # options of Match.run
        return sorted(match.rows, key=lambda row: row.id)


def without_times(rows: list[GameRow]) -> list[GameRow]:
    """Return games without the values that differ from run to run, and without the worker."""
    return [replace(row, seconds=0.0, finished_at="", thinking={}, worker="") for row in rows]


class Notes:
    """A watcher that keeps the messages."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.recorded_games = 0

    def begun(self, match: Match) -> None:
        """Do nothing."""

    def recorded(self, row: GameRow) -> None:
        self.recorded_games += 1

    def tick(self) -> None:
        """Do nothing."""

    def note(self, text: str) -> None:
        self.notes.append(text)
