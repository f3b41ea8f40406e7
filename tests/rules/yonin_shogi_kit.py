"""Positions of Yonin Shogi for rule tests, in the squares of the rules page (5i is e1).

Owns how a test says a position and a move: `4h-5h`, `3d-3c+` for a promotion, `pawn*5e` for a
drop.  It must not know the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import forthvm
from tests.models import yonin_shogi as model
from tests.models.yonin_shogi import PLAYERS, SQUARES
from tests.models.yonin_shogi_positions import Translation, there

__all__ = ["CORNERS", "Play"]

CORNERS = {"9i": "South king", "9a": "West king", "1a": "North king", "1i": "East king"}
"""Kings out of the way: none attacks a square near the middle, nor another king."""


@cache
def _loaded(settings: tuple[tuple[str, str], ...]) -> Translation:
    return Translation(forthvm.load("yonin-shogi", settings=dict(settings)))


def _name(move: forthvm.Move) -> str:
    """A move as the tests write it."""
    assert move.to_square
    goal = there(move.to_square)
    if move.from_square is None:
        kind = move.text.split()[-2]
        return f"{kind}*{goal}"
    return f"{there(move.from_square)}-{goal}" + ("+" if " = " in move.text else "")


class Play:
    """A game from a position built for a test; pieces are written as in the model."""

    def __init__(
        self,
        pieces: Mapping[str, str],
        turn: str = "South",
        hands: Mapping[str, str] | None = None,
        out: Mapping[str, str] | None = None,
        **settings: str,
    ) -> None:
        """`out` names who was put out by whom."""
        chosen = {name.replace("_", "-"): value for name, value in settings.items()}
        self.both = _loaded(tuple(sorted(chosen.items())))
        gone = tuple(out or ())
        state = model.position(pieces, turn=turn, hands=hands, out=gone)
        self.position = self.both.begin(state, out)

    @property
    def moves(self) -> set[str]:
        """All legal moves."""
        found = [_name(move) for move in self.position.legal_moves]
        assert len(found) == len(set(found))
        return set(found)

    def of(self, square: str) -> set[str]:
        """Where the piece on that square may go, `+` for a promotion there."""
        return {move.partition("-")[2] for move in self.moves if move.startswith(square + "-")}

    def drops(self, kind: str) -> set[str]:
        """Where a piece of that kind may be dropped."""
        return {move.partition("*")[2] for move in self.moves if move.startswith(kind + "*")}

    def play(self, *moves: str) -> Play:
        """Makes moves, each of which must be legal."""
        for text in moves:
            (move,) = (one for one in self.position.legal_moves if _name(one) == text)
            self.position.push(move)
        return self

    @property
    def turn(self) -> str:
        """Whose turn it is; the game must not be over."""
        assert self.position.result is None
        return self.position.turn

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won the game, which must be over; nobody: a draw."""
        result = self.position.result
        assert result is not None
        return tuple(result.winners)

    def _view(self) -> tuple[tuple[str, ...], tuple[int, ...], tuple[bool, ...]]:
        found = self.both.view(self.position)
        assert isinstance(found, tuple)
        return found

    @property
    def board(self) -> dict[str, str]:
        """What stands where: `South gold facing West`, `inert gold`, `fallen`, `East king`."""
        return {square: what for square, what in zip(SQUARES, self._view()[0], strict=True) if what}

    def hand(self, player: str) -> dict[str, int]:
        """What a player holds."""
        kinds = model.KINDS
        at = PLAYERS.index(player) * len(kinds)
        counts = self._view()[1][at : at + len(kinds)]
        return {kind: count for kind, count in zip(kinds, counts, strict=True) if count}

    @property
    def living(self) -> tuple[str, ...]:
        """Who is still in the game."""
        return tuple(name for name, alive in zip(PLAYERS, self._view()[2], strict=True) if alive)
