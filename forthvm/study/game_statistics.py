"""Perft counts and statistics of random games, for several games beside each other.

Owns the choice of the figures and their form as a data frame.  Delegates playing and counting games
to game_analysis.py.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.autoplay.match.running_game import load_configuration
from forthvm.autoplay.match.settings import Configuration
from forthvm.core.budget import DEFAULT_MEMORY, DEFAULT_SECONDS, script_budget
from forthvm.game import find_game
from forthvm.game.perft import perft
from forthvm.study.errors import data_frame
from forthvm.study.game_analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas

    from forthvm.autoplay.statistics.formulas import Ratio
    from forthvm.game import Game

__all__ = ["GameStatistics", "StatisticsTable", "statistics"]

_MAX_PERFT = 1_000_000
"""The default limit on the expected number of move sequences of a perft count."""


@dataclass(frozen=True, kw_only=True)
class GameStatistics:
    """The figures of a game.  Moves of chance players and passes are plies, but not choices."""

    game: str
    players: int
    """The number of players who can win."""
    positions: int
    """The number of board positions, including positions that are not drawn."""
    perft: tuple[int, ...]
    """The number of move sequences of 1 ply, 2 plies and so on."""
    games: int
    """The number of random games."""
    cut_off: int
    """The number of games that were cut off after `max_plies` plies."""
    plies: float
    """The mean length of a game in plies."""
    plies_deviation: float
    """The standard deviation of the length."""
    plies_min: int
    plies_median: float
    plies_max: int
    moves: float
    """The mean number of legal moves of a choice."""
    moves_early: float
    """The same in the first third of the games' plies."""
    moves_midway: float
    """The same in the second third."""
    moves_late: float
    """The same in the last third."""
    forced: float
    """The share of choices with a single move."""
    captures: float
    """The share of choices that capture."""
    first_score: float
    """The mean score of the player who moves first, in the games that were not cut off."""
    draws: float
    """The share of draws among the games that were not cut off."""


class StatisticsTable(list[GameStatistics]):
    """The figures of several games: a list with a method for pandas."""

    def to_frame(self) -> pandas.DataFrame:
        """Return the figures as a data frame with a row for each game.

        The counts of perft are the columns `perft_1`, `perft_2` and so on; counts that were not
        computed are missing values.

        Raises:
            StudyError: pandas is not installed.
        """
        columns: dict[str, list[object]] = {}
        depths = max((len(row.perft) for row in self), default=0)
        for field in dataclasses.fields(GameStatistics):
            if field.name != "perft":
                columns[field.name] = [getattr(row, field.name) for row in self]
                continue
            for depth in range(1, depths + 1):
                columns[f"perft_{depth}"] = [
                    row.perft[depth - 1] if depth <= len(row.perft) else None for row in self
                ]
        frame = data_frame(columns)
        counts = [name for name in columns if name.startswith("perft_")]
        return frame.astype(dict.fromkeys(counts, "Int64"))


def statistics(  # noqa: PLR0913 - keyword-only options, each of them documented
    games: Iterable[str | os.PathLike[str] | Configuration] | str,
    *,
    playouts: int = 100,
    seed: int = 1,
    max_plies: int = 2000,
    perft_depth: int = 3,
    perft_limit: int = _MAX_PERFT,
    max_seconds: float = DEFAULT_SECONDS,
    max_memory: int = DEFAULT_MEMORY >> 20,
) -> StatisticsTable:
    """Return perft counts and statistics of random games for each of several games.

    The figures depend on the seed only.

    Args:
        games: Names of bundled games, paths of scripts, or configurations of `forthvm.autoplay`,
            for example with settings or a variant; or one name.
        playouts: The number of random games of each game.
        seed: The seed of the random games.
        max_plies: The number of plies after which a random game is cut off.
        perft_depth: The number of perft counts.
        perft_limit: The limit on the number of move sequences that a count is expected to have;
            this and deeper counts are left out.
        max_seconds: The time limit of each run of a script; 0 for no limit.
        max_memory: The limit of a script's image in mebibytes; 0 for the maximum.

    Raises:
        ValueError: A number is out of range.
        ForthVMError: A game cannot be loaded or played.

    >>> table = statistics(["tictactoe"], playouts=10)
    >>> table[0].perft, table[0].games
    ((9, 72, 504), 10)
    """
    for name, value, low in (
        ("playouts", playouts, 1),
        ("max_plies", max_plies, 1),
        ("perft_depth", perft_depth, 0),
        ("perft_limit", perft_limit, 0),
    ):
        if value < low:
            raise ValueError(f"{name}: expected an integer from {low}, not {value}")
    named = [games] if isinstance(games, str) else games
    table = StatisticsTable()
    for configuration in map(_configuration, named):
        budget = script_budget(call_seconds=max_seconds, mebibytes=max_memory)
        analysis = analyse(
            configuration,
            games=playouts,
            seed=seed,
            max_plies=max_plies,
            solve_up_to=0,
            max_seconds=max_seconds,
            max_memory=max_memory,
        )
        game = load_configuration(configuration, seed=seed, budget=budget)
        length, summary = analysis.length, analysis.summary
        scores = [standing.score for standing in summary.seats]
        table.append(
            GameStatistics(
                game=configuration.name,
                players=len(game.contestants),
                positions=len(game.positions),
                perft=_perft_counts(game, perft_depth, perft_limit),
                games=analysis.played,
                cut_off=analysis.cut_off,
                plies=length.mean if length else 0.0,
                plies_deviation=length.deviation if length else 0.0,
                plies_min=int(length.least) if length else 0,
                plies_median=length.median if length else 0.0,
                plies_max=int(length.greatest) if length else 0,
                moves=_value(analysis.branching),
                moves_early=_value(analysis.branching_by_thirds[0]),
                moves_midway=_value(analysis.branching_by_thirds[1]),
                moves_late=_value(analysis.branching_by_thirds[2]),
                forced=_value(analysis.forced),
                captures=_value(analysis.captures),
                first_score=scores[0] if scores and summary.counted else float("nan"),
                draws=summary.drawn / summary.counted if summary.counted else float("nan"),
            )
        )
        game.close()
    return table


def _configuration(game: str | os.PathLike[str] | Configuration) -> Configuration:
    if isinstance(game, Configuration):
        return game
    if not isinstance(game, str | os.PathLike):
        raise TypeError(f"expected the name or path of a game, not {type(game).__name__}")
    name, path = find_game(game)
    return Configuration(name=name, game=name if name == game else str(Path(path).absolute()))


def _perft_counts(game: Game, depth: int, limit: int) -> tuple[int, ...]:
    """Return the perft counts whose expected size is within the limit."""
    start = game.start()
    counts = [1]
    growth = 1.0  # the last factor by which the count grew
    while len(counts) <= depth and counts[-1] * growth <= limit:
        counts.append(perft(start, len(counts)))
        if not counts[-1]:
            break
        growth = counts[-1] / counts[-2]
    return tuple(counts[1:])


def _value(ratio: Ratio | None) -> float:
    return float("nan") if ratio is None else ratio.value
