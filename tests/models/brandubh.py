"""Brandubh in plain Python, by the rules in the README of the script.

It does not use forthvm or a script.  Squares are pairs (column, row) with a1 = (0, 0).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["ATTACKERS", "DEFENDERS", "START", "State"]

Square = tuple[int, int]
Piece = tuple[str, str]

ATTACKERS: Final = "Attackers"
DEFENDERS: Final = "Defenders"
_SIZE: Final = 7
_THRONE: Final = (3, 3)
_CORNERS: Final = {(x, y) for x in (0, _SIZE - 1) for y in (0, _SIZE - 1)}
_STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
_THIRD: Final = 3
"""The occurrence of a position that ends the game."""


@dataclass(frozen=True)
class State:
    """A position: owner and type of the pieces by square, and the positions of the game so far."""

    pieces: Mapping[Square, Piece]
    turn: str = ATTACKERS
    earlier: Counter[object] = field(default_factory=Counter)

    def owners(self) -> dict[str, str]:
        """The owner of each square that is not empty, by the name of the square."""
        return {_name(square): owner for square, (owner, _) in self.pieces.items()}

    def legal(self) -> dict[str, State]:
        """The states after each legal move, by the text of the move without its captures."""
        found = {}
        for square, (owner, kind) in self.pieces.items():
            if owner == self.turn:
                for target in self._targets(square, kind):
                    found[f"{kind} {_name(square)} - {_name(target)}"] = self._after(square, target)
        return found

    def winner(self) -> str | None:
        """The winner, an empty text for a draw, None while the game continues."""
        king = self._king()
        if king is None:
            return ATTACKERS
        if king in _CORNERS:
            return DEFENDERS
        if not self.legal():
            return _other(self.turn)
        return "" if self.earlier[self._key()] + 1 >= _THIRD else None

    def _key(self) -> object:
        return frozenset(self.pieces.items()), self.turn

    def _king(self) -> Square | None:
        return next((s for s, (_, kind) in self.pieces.items() if kind == "king"), None)

    def _targets(self, square: Square, kind: str) -> Iterator[Square]:
        for step in _STEPS:
            target = _beyond(square, step)
            while _inside(target) and target not in self.pieces:
                if kind == "king" or target not in {_THRONE, *_CORNERS}:
                    yield target
                target = _beyond(target, step)

    def _after(self, square: Square, target: Square) -> State:
        pieces = dict(self.pieces)
        pieces[target] = pieces.pop(square)
        captured = [
            prey
            for step in _STEPS
            if pieces.get(prey := _beyond(target, step), (self.turn, ""))[0] != self.turn
            and _is_captured(pieces, prey, step)
        ]
        for prey in captured:
            del pieces[prey]
        return State(pieces, _other(self.turn), self.earlier + Counter([self._key()]))


def _is_captured(pieces: Mapping[Square, Piece], prey: Square, step: Square) -> bool:
    """Whether a piece is captured by an enemy that has moved beside it."""
    owner, kind = pieces[prey]
    around = {_beyond(prey, other) for other in _STEPS}
    if kind == "king" and (prey == _THRONE or _THRONE in around):
        return all(
            (square in pieces and pieces[square][0] != owner)
            or (square == _THRONE and square not in pieces)
            for square in around
        )
    behind = _beyond(prey, step)
    if behind in pieces:
        return pieces[behind][0] != owner
    return behind in _CORNERS or behind == _THRONE


def _beyond(square: Square, step: Square) -> Square:
    return square[0] + step[0], square[1] + step[1]


def _inside(square: Square) -> bool:
    return min(square) >= 0 and max(square) < _SIZE


def _other(player: str) -> str:
    return DEFENDERS if player == ATTACKERS else ATTACKERS


def _name(square: Square) -> str:
    column, row = square
    return "abcdefg"[column] + str(row + 1)


_ARMS: Final = [(3, 6), (3, 5), (3, 1), (3, 0), (0, 3), (1, 3), (5, 3), (6, 3)]
_GUARDS: Final = [(3, 4), (3, 2), (2, 3), (4, 3)]
START: Final = State(
    dict.fromkeys(_ARMS, (ATTACKERS, "attacker"))
    | dict.fromkeys(_GUARDS, (DEFENDERS, "defender"))
    | {_THRONE: (DEFENDERS, "king")}
)
