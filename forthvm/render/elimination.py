"""Which players are out of a game, while others continue.

Owns the rule: in a game of more than two players, a player is out who began with pieces that can
move and has none now.  The rule does not apply to games in which pieces are put on the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.game.tables import has_drops, types_with_moves

if TYPE_CHECKING:
    from forthvm.game import Game, Position

__all__ = ["Contest", "contest_of", "eliminated"]


@dataclass(frozen=True)
class Contest:
    """What decides about elimination.

    Attributes:
        movable: The types of pieces that can move.
        starters: The players who can be eliminated: they began with such pieces.
    """

    movable: frozenset[str]
    starters: frozenset[str]


_contests: WeakKeyDictionary[Game, Contest] = WeakKeyDictionary()
"""The result for each game; types and set-up do not change after loading."""


def contest_of(game: Game) -> Contest:
    """Return what decides about elimination in a game.

    Raises:
        ForthVMError: The script fails at the start of a game.
    """
    contest = _contests.get(game)
    if contest is None:
        native, starters = game._loaded.vm.native, frozenset[str]()
        numbers = types_with_moves(native)
        movable = frozenset(kind.name for kind in game.piece_types if kind.number in numbers)
        if len(game.contestants) > 2 and not has_drops(native):
            starters = _movers(game.start(), movable) & frozenset(game.contestants)
        contest = _contests[game] = Contest(movable, starters)
    return contest


def eliminated(position: Position) -> frozenset[str]:
    """Return the names of the players that are out.

    Raises:
        ForthVMError: The script fails at the start of a game.
    """
    contest = contest_of(position.game)
    if not contest.starters:
        return contest.starters
    return contest.starters - _movers(position, contest.movable)


def _movers(position: Position, movable: frozenset[str]) -> frozenset[str]:
    """Return the players that have turns for the owner of a piece that can move."""
    owners = {piece.player for _, piece in position.board.occupied() if piece.type in movable}
    return frozenset(turn.player for turn in position.game.turn_order if turn.for_player in owners)
