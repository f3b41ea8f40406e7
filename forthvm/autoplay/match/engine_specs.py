"""The specification of the engine that plays for an entrant, and the engine's seed.

Owns the default engine of entrants, and the derivation of an engine's seed from the game's number.
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
"""The node limit of `negamax` in a match without limits, as in `forthvm run`."""
_DEFAULT_ENGINES = frozenset({"", "$NegamaxMove"})
"""Engine words of a script that are replaced by `negamax`."""


def engine_spec(entrant: Entrant, game: Game, player: str, *, limited: bool) -> str:
    """Return the specification of an engine: the entrant's, else the script's, else `negamax`.

    Args:
        entrant: The entrant.
        game: The entrant's configuration.
        player: The player for whom the entrant plays.
        limited: Whether the match limits time, depth or nodes.
    """
    if entrant.spec:
        return entrant.spec
    engine_word = next(detail.engine for detail in game.player_details if detail.name == player)
    if engine_word not in _DEFAULT_ENGINES:
        return "script"
    return "negamax" if limited else f"negamax:nodes={_DEFAULT_NODES}"


def make_engine(spec: str, *seed: object) -> Engine:
    """Create an engine.

    Args:
        spec: The specification of the engine.
        seed: Values from which the engine's seed is derived, together with a seed in the
            specification.  Without values, the seed in the specification is used.

    Raises:
        EngineError: The engine is unknown, or its options are invalid.
    """
    return get_for_game(spec, partial(derive_seed, *seed)) if seed else get(spec)


def try_engine(spec: str) -> None:
    """Create and close an engine, to find errors before the first game.

    Raises:
        EngineError: As in `make_engine`.
    """
    engine = make_engine(spec)
    try:
        engine.close()
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass


def is_native(spec: str) -> bool:
    """Whether an engine runs in C, so that threads can run several at the same time."""
    if not spec:
        return True
    name, options = split_engine(spec)
    return name in BUILT_IN and "evaluator" not in options
