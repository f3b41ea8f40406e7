"""The engine `level`: plays at a level of the game.

Owns the creation of the level's engine, which needs the game.  Delegates the tables of levels to
levels.py.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, ClassVar

from forthvm.engines.errors import EngineOptionError
from forthvm.engines.levels import level_of
from forthvm.engines.options import integer, parse_options
from forthvm.engines.protocol import Engine, NotCopied
from forthvm.engines.simple import checked_moves

if TYPE_CHECKING:
    from forthvm.engines.protocol import Limits, Reporter, SearchResult
    from forthvm.game import Position

__all__ = ["LevelEngine"]


class LevelEngine(NotCopied, Engine):
    """Plays at a level of the game; `levels_of` lists the levels of a game.

    Options:
        number: the number of the level; in a specification it follows the colon: `level:3`.
        seed: seed of all random numbers.  Without this option the games differ from run to run.
    """

    name = "level"
    _readers: ClassVar = {"number": integer(1), "seed": integer(-(2**63))}

    def __init__(self, **options: object) -> None:
        """Parse the options; the level's engine is created when it first moves, for the game."""
        parsed = parse_options(self.name, options, self._readers)
        if "number" not in parsed:
            raise EngineOptionError("engine 'level' needs the number of a level, as in level:3")
        self._number = parsed["number"]
        self._random = random.Random(parsed.get("seed"))
        self._spec = ""
        self._inner: Engine | None = None

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Call the level's engine.

        Raises:
            EngineOptionError: The game does not have the level.
        """
        checked_moves(position, limits)
        return self._engine_for(position).play(position, limits, report=report)

    def _engine_for(self, position: Position) -> Engine:
        from forthvm.engines.registry import get  # the registry imports engines when needed

        spec = level_of(position.game, self._number).spec
        if self._inner is None or spec != self._spec:
            self.close()
            self._spec, self._inner = spec, get(spec, seed=self._random.randrange(2**32))
        return self._inner

    def stop(self) -> None:
        """End a running search."""
        if self._inner is not None:
            self._inner.stop()

    def new_game(self) -> None:
        """Let the level's engine discard its data."""
        if self._inner is not None:
            self._inner.new_game()

    def close(self) -> None:
        """Close the level's engine."""
        if self._inner is not None:
            self._inner.close()
