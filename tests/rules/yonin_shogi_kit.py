"""Helpers for rule tests of Yonin Shogi: start from a position, list and make moves.

Squares are named as on the rules page (5i is e1).  Owns the notation of moves in tests: `4h-5h`,
`3d-3c+` for a promotion, `pawn*5e` for a drop.
"""

from __future__ import annotations

from collections.abc import Mapping

import forthvm
from tests.kit.games import loaded_with
from tests.models import yonin_shogi as model
from tests.models.yonin_shogi import PLAYERS, SQUARES
from tests.models.yonin_shogi_positions import Translation, page_square

__all__ = ["CORNERS", "Play", "words"]

CORNERS = {"9i": "South king", "9a": "West king", "1a": "North king", "1i": "East king"}
"""Kings in the corners, which attack neither each other nor squares near the middle."""


def _name(move: forthvm.Move) -> str:
    """Return the notation of a move."""
    assert move.to_square
    goal = page_square(move.to_square)
    if move.from_square is None:
        kind = move.text.split()[-2]
        return f"{kind}*{goal}"
    return f"{page_square(move.from_square)}-{goal}" + ("+" if " = " in move.text else "")


class Play:
    """A game from a position of a test; pieces are written as in the model."""

    def __init__(
        self,
        pieces: Mapping[str, str],
        turn: str = "South",
        hands: Mapping[str, str] | None = None,
        out: Mapping[str, str] | None = None,
        **settings: str,
    ) -> None:
        """Start a game; `out` maps each eliminated player to the player that eliminated it."""
        self.translation = Translation(loaded_with("yonin-shogi", **settings))
        state = model.position(pieces, turn=turn, hands=hands, out=tuple(out or ()))
        self.position = self.translation.begin(state, out)

    @property
    def moves(self) -> set[str]:
        """The notations of all legal moves."""
        found = [_name(move) for move in self.position.legal_moves]
        assert len(found) == len(set(found))
        return set(found)

    def of(self, square: str) -> set[str]:
        """Return the goals of the piece on a square, with `+` for a promotion."""
        return {move.partition("-")[2] for move in self.moves if move.startswith(square + "-")}

    def drops(self, kind: str) -> set[str]:
        """Return the squares on which a kind of piece may be dropped."""
        return {move.partition("*")[2] for move in self.moves if move.startswith(kind + "*")}

    def play(self, *moves: str) -> Play:
        """Make moves, which must be legal."""
        for text in moves:
            (move,) = (move for move in self.position.legal_moves if _name(move) == text)
            self.position.push(move)
        return self

    @property
    def turn(self) -> str:
        """The player to move; the game must not be over."""
        assert self.position.result is None
        return self.position.turn

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners, empty for a draw; the game must be over."""
        result = self.position.result
        return tuple(result.winners)

    def _view(self) -> tuple[tuple[str, ...], tuple[int, ...], tuple[bool, ...]]:
        found = self.translation.view(self.position)
        assert isinstance(found, tuple)
        return found

    @property
    def board(self) -> dict[str, str]:
        """The pieces by square, such as `East king` and `South gold facing West`.

        `fallen` is the king of an eliminated player, `inert gold` a piece of an eliminated player
        that no other player has taken over.
        """
        names = self._view()[0]
        return {square: name for square, name in zip(SQUARES, names, strict=True) if name}

    def hand(self, player: str) -> dict[str, int]:
        """Return the pieces in a player's hand."""
        kinds = model.KINDS
        first = PLAYERS.index(player) * len(kinds)
        counts = self._view()[1][first : first + len(kinds)]
        return {kind: count for kind, count in zip(kinds, counts, strict=True) if count}

    @property
    def living(self) -> tuple[str, ...]:
        """The players that are not eliminated."""
        return tuple(name for name, alive in zip(PLAYERS, self._view()[2], strict=True) if alive)


def words(text: str) -> set[str]:
    """Return the words of a text, which are names of squares or texts of moves."""
    return set(text.split())
