"""The levels of a game: engine specifications, the weakest first.

Owns the tables of the bundled games (level_tables/*.json) and the levels of other games, which were
not measured.  autoplay/levels measures levels.

A level limits nodes or playouts, never seconds, so that it does not depend on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.loading.library import games_folder
from forthvm.engines.errors import EngineOptionError
from forthvm.engines.network import network_file

if TYPE_CHECKING:
    from forthvm.game import Game

__all__ = [
    "MAX_GAP",
    "MIN_GAP",
    "TABLES",
    "Gap",
    "Level",
    "level_of",
    "levels_of",
    "table_names",
    "unmeasured_levels",
]

MIN_GAP, MAX_GAP = 60.0, 140.0
"""The range of the difference in Elo between neighbours: 100 plus or minus 40."""
TABLES = Path(__file__).with_name("level_tables")
"""The folder of the tables, one for each measured game."""


@dataclass(frozen=True)
class Gap:
    """The measured difference in Elo between a level and the level below.

    Attributes:
        elo: The difference.
        low: Lower end of the 95 % interval.
        high: Upper end of the interval.
        games: The number of games between the two levels.
    """

    elo: float
    low: float
    high: float
    games: int

    @property
    def is_confirmed(self) -> bool:
        """Whether the whole interval lies in the range of differences between neighbours."""
        return self.low >= MIN_GAP and self.high <= MAX_GAP


@dataclass(frozen=True)
class Level:
    """A level of a game.

    Attributes:
        number: The number of the level; level 1 is the weakest.
        spec: The specification of the engine, for `engines.get`.
        elo: The sum of the gaps from level 1 to this level; None if it was not measured.
        gap: The difference from the level below; None for level 1 and if not measured.
    """

    number: int
    spec: str
    elo: float | None = None
    gap: Gap | None = None


def levels_of(game: Game, *, evaluates: bool | None = None) -> tuple[Level, ...]:
    """Return the levels of a game, the weakest first.

    A game without a table has only levels that were not measured, with `elo` None.

    Args:
        game: The game.
        evaluates: Whether the engine can evaluate positions; default: by the script, or by the
            file of a network beside the game.
    """
    if game.path.is_relative_to(games_folder()) and game.name in table_names():
        return _read(game.name)
    if evaluates is None:
        evaluates = game._loaded.evaluates or network_file(game).is_file()
    return unmeasured_levels(evaluates)


def unmeasured_levels(evaluates: bool) -> tuple[Level, ...]:
    """Return the levels of games without a table, whose positions can be evaluated or not."""
    specs = _NEGAMAX_SPECS if evaluates else _MCTS_SPECS
    return tuple(Level(number, spec) for number, spec in enumerate(specs, 1))


def level_of(game: Game, number: int) -> Level:
    """Return a level of a game.

    Raises:
        EngineOptionError: The game has no such level; the message says which levels it has.
    """
    levels = levels_of(game)
    if not 1 <= number <= len(levels):
        raise EngineOptionError(f"{game.name} has the levels 1 to {len(levels)}, not {number}")
    return levels[number - 1]


@cache
def table_names() -> frozenset[str]:
    """Return the names of the games that have a table."""
    return frozenset(path.stem for path in TABLES.glob("*.json"))


@cache
def _read(name: str) -> tuple[Level, ...]:
    import json  # needed only for games with a table

    rows = json.loads((TABLES / f"{name}.json").read_text("utf-8"))["levels"]
    elo = 0.0
    levels = [Level(1, rows[0]["spec"], elo)]
    for number, row in enumerate(rows[1:], 2):
        gap = Gap(**row["gap"])
        elo += gap.elo
        levels.append(Level(number, row["spec"], elo, gap))
    return tuple(levels)


_SHARES = (0.9, 0.7, 0.5, 0.3, 0.15)
"""The shares of random moves in the lower levels of games without a table."""
_NEGAMAX_SPECS = (
    *(f"mixed:random={share},nodes=100,tt=1" for share in _SHARES),
    *(f"mixed:nodes={nodes},tt=1" for nodes in (100, 400, 1600, 6400)),
)
_MCTS_SPECS = (
    *(f"mixed:engine=mcts,random={share},playouts=30" for share in _SHARES),
    *(f"mixed:engine=mcts,playouts={playouts}" for playouts in (30, 100, 300, 1000)),
)
"""The levels of games without evaluation, which negamax cannot play well."""
