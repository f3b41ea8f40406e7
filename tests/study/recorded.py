"""Results files with chosen games, for the tests of the study package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from forthvm.autoplay import Configuration, Entrant, Settings, Store
from forthvm.autoplay.match.running_game import LoadedMatch
from forthvm.autoplay.results.foreign_code import source_digests
from tests.autoplay.results import row

SEATS = ("X", "O")


def write_games(
    path: Path,
    games: Sequence[tuple[str, Sequence[float]]],
    *,
    game: str | Path = "tictactoe",
    seed: int = 1,
    **columns: object,
) -> Path:
    """Write a results file with games of tic-tac-toe; return its path.

    Args:
        path: The new file.
        games: For each game the squares that are marked, separated by blanks, and the scores.
        game: The game.
        seed: The seed of the match.
        columns: Values of other columns of all games.
    """
    settings = Settings(
        configurations=(Configuration(name=Path(game).stem, game=str(game)),),
        entrants=(Entrant(name="A", spec="random"), Entrant(name="B", spec="random")),
        games=max(len(games), 1),
        seed=seed,
    )
    loaded_match = LoadedMatch(settings)
    match = {**settings.to_match(), "sources": source_digests(settings, loaded_match.games)}
    loaded_match.close()
    with Store.create(path, match) as store:
        for number, (squares, scores) in enumerate(games, start=1):
            moves = tuple(
                (SEATS[at % 2], f"{SEATS[at % 2]} mark {square}")
                for at, square in enumerate(squares.split())
            )
            seats = dict(zip(SEATS, ("A", "B") if number % 2 else ("B", "A"), strict=True))
            values: dict[str, object] = {
                "seed": 1000 + number,
                "pair": (number + 1) // 2,
                "moves": moves,
                "plies": len(moves),
                "game": settings.game,
            }
            store.record(replace(row(number, seats, scores), **(values | columns)))  # type: ignore[arg-type]
    return path
