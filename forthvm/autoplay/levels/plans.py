"""The choices by which each bundled game was measured.

Owns the first strength, the scale and the rules of adjudication of each game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.autoplay.levels.scale import Scale

if TYPE_CHECKING:
    from forthvm.game import Game

__all__ = ["Plan", "plan_for"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a game is measured."""

    scale: Scale = field(default_factory=Scale)
    first: float = 0.1
    """The strength of level 1."""
    step: float = 0.1
    """The difference in strength that is tried first."""
    max_plies: int = 400
    """The number of plies after which a game is a draw."""
    repetition: int = 4
    """The number of occurrences of a position after which a game is a draw."""
    opening_plies: int = 2
    """The number of random moves at the start of each game."""


_PLANS = {
    "breakthrough": Plan(),
    "chess": Plan(),
    "chess-los-alamos": Plan(),
    "draughts": Plan(max_plies=300),
    "reversi": Plan(),
    "rithmomachia": Plan(),
    "splut-duel": Plan(),
    "splut": Plan(max_plies=1000),
    "thud": Plan(),
    "tictactoe": Plan(scale=Scale(base=20), opening_plies=1),
    # Luck decides most games of Ur, so a longer search gains little.
    "ur": Plan(step=0.45, max_plies=4000),
    "yonin-shogi": Plan(max_plies=1000),
}
"""The plans of the bundled games."""
_PLAYOUTS = Plan(scale=Scale(engine="mcts", unit="playouts", base=20, options="net=none"))
"""The plan of games without evaluation, which negamax cannot play well."""


def plan_for(game: Game) -> Plan:
    """Return the plan of a game."""
    return _PLANS.get(game.name) or (Plan() if game._loaded.evaluates else _PLAYOUTS)
