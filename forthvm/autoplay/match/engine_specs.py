"""Which engine plays for an entrant, and with which seed.

Owns the default of players without an engine, and how the seed of an engine follows from the game.
It must not know positions, clocks or workers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from forthvm.autoplay.match.settings import derive_seed
from forthvm.engines import get
from forthvm.engines.registry import BUILT_IN, get_for_game, split_engine

if TYPE_CHECKING:
    from forthvm.autoplay.match.settings import Entrant
    from forthvm.engines import Engine
    from forthvm.game import Game

__all__ = ["engine_spec", "is_native", "make_engine", "try_engine"]

_DEFAULT_NODES = 1500
"""For `negamax` where the match has no limit, as `forthvm run` has it."""
_NEVER_NAMED = frozenset({"", "$NegamaxMove"})


def engine_spec(entrant: Entrant, game: Game, player: str, *, limited: bool) -> str:
    """What plays for a player: what the entrant names, else the script, else `negamax`.

    Args:
        entrant: Who sits there.
        game: The configuration that is played.
        player: The seat.
        limited: The match says how long engines think.
    """
    if entrant.spec:
        return entrant.spec
    named = next(one.engine for one in game.player_details if one.name == player)
    if named not in _NEVER_NAMED:
        return "script"
    return "negamax" if limited else f"negamax:nodes={_DEFAULT_NODES}"


def make_engine(spec: str, *seed: object) -> Engine:
    """A new engine.

    Args:
        spec: Its specification.
        seed: What its random numbers follow from, besides the seed in the specification: an
            engine with a seed draws other numbers in each game.  Nothing: it is made as written.

    Raises:
        EngineError: there is none of that name, or it does not take its options.
    """
    return get_for_game(spec, partial(derive_seed, *seed)) if seed else get(spec)


def try_engine(spec: str) -> None:
    """Makes an engine and lets it go, so that mistakes show before the first game.

    Raises:
        EngineError: as `make_engine`.
    """
    engine = make_engine(spec)
    try:
        engine.close()
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass


def is_native(spec: str) -> bool:
    """Whether it runs in C, so that threads can do it side by side."""
    if not spec:
        return True
    name, options = split_engine(spec)
    return name in BUILT_IN and "evaluator" not in options
