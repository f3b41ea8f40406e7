"""Small matches, for the tests of everything that plays them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from forthvm.autoplay import Configuration, Entrant, GameRow, Match, Settings

TICTACTOE = Configuration(name="tictactoe", game="tictactoe")


def spec(engine: type[object], **options: object) -> str:
    """How an engine of a test module is named."""
    text = ",".join(f"{name}={value}" for name, value in options.items())
    return f"{engine.__module__}:{engine.__name__}" + (f":{text}" if text else "")


def settings_of(
    *specs: str, games: int = 10, game: str | Path = "tictactoe", **options: object
) -> Settings:
    """Entrants A, B, C … with these engines."""
    path = Path(game)
    configuration = Configuration(name=path.stem, game=str(game))
    entrants = tuple(Entrant(name=chr(ord("A") + at), spec=each) for at, each in enumerate(specs))
    settings = Settings(configurations=(configuration,), entrants=entrants, games=games)
    return replace(settings, **options)  # type: ignore[arg-type]  # fields of Settings


def played(settings: Settings, path: Path, **options: object) -> list[GameRow]:
    """The games of a match by number."""
    with Match.create(settings, path) as match:
        match.run(**options)  # type: ignore[arg-type]  # options of Match.run
        return sorted(match.rows, key=lambda row: row.id)


def timeless(rows: list[GameRow]) -> list[GameRow]:
    """Games without what differs from one time to the next."""
    return [replace(row, seconds=0.0, finished_at="", thinking={}) for row in rows]
