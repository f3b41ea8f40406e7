"""The engine `mixed`: another engine, with a share of random moves.

Owns the choice of random moves and of the other engine's seed.  Delegates the other moves to that
engine.  The levels of games (levels.py) are specifications of this engine.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from forthvm.engines.options import integer, number, parse_options
from forthvm.engines.protocol import Engine, NotCopied
from forthvm.engines.simple import RandomEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.engines.protocol import Limits, Reporter, SearchResult
    from forthvm.game import Position

__all__ = ["MIXABLE", "MixedEngine"]

MIXABLE = ("negamax", "paranoid", "maxn", "brs", "mcts")
"""The engines that accept a seed, so that each game is different."""


def _read_engine(value: object) -> str:
    if value not in MIXABLE:
        raise ValueError(f"expected one of {', '.join(MIXABLE)}, not {value!r}")
    return str(value)


def _read_share(value: object) -> float:
    share = number(value)
    if share > 1:
        raise ValueError(f"expected a number from 0 to 1, not {value!r}")
    return share


_READERS: dict[str, Callable[[object], object]] = {
    "engine": _read_engine,
    "random": _read_share,
    "seed": integer(-(2**63)),
}
_SEEDS = 2**32
"""The number of seeds of the engines in `MIXABLE`."""


class MixedEngine(NotCopied, Engine):
    """Plays a random legal move with a fixed probability, else the move of another engine.

    Options:
        engine: the other engine, one of `MIXABLE`; default negamax.
        random: the probability of a random move, from 0 to 1; default 0.
        seed: seed of all random numbers, including those of the other engine.  Without this option
            the games differ from run to run.

    All other options are options of the other engine.
    """

    name = "mixed"

    def __init__(self, **options: object) -> None:
        """Parse the options and create the other engine."""
        from forthvm.engines.registry import get  # the registry imports engines when needed

        own = {key: options.pop(key) for key in _READERS if key in options}
        parsed = parse_options(self.name, own, _READERS)
        inner = str(parsed.get("engine", "negamax"))
        self._share = float(str(parsed.get("random", 0.0)))
        seed = parsed.get("seed")
        self._draws = random.Random(None if seed is None else int(str(seed)))
        # A seed of 0 would be the fixed move order of negamax.
        self._inner = get(inner, **options, seed=self._draws.randrange(1, _SEEDS))
        self._random = RandomEngine(seed=self._draws.randrange(_SEEDS))

    def play(
        self, position: Position, limits: Limits | None = None, *, report: Reporter | None = None
    ) -> SearchResult:
        """Choose a random move or call the other engine."""
        engine = self._random if self._draws.random() < self._share else self._inner
        return engine.play(position, limits, report=report)

    def stop(self) -> None:
        """End the search of the other engine."""
        self._inner.stop()

    def new_game(self) -> None:
        """Let the other engine discard its data."""
        self._inner.new_game()

    def close(self) -> None:
        """Close the other engine."""
        self._inner.close()
