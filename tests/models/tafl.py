"""Brandubh and tablut in plain Python, by the rules in the READMEs of the scripts.

It does not use forthvm or a script.  Squares are pairs (column, row) with a1 = (0, 0).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["ATTACKERS", "BRANDUBH", "DEFENDERS", "TABLUT", "Rules", "State"]

Square = tuple[int, int]
Piece = tuple[str, str]

ATTACKERS: Final = "Attackers"
DEFENDERS: Final = "Defenders"
_STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
_THIRD: Final = 3
"""The occurrence of a position that ends the game."""


@dataclass(frozen=True)
class Rules:
    """What differs between the games.

    Attributes:
        size: The number of rows and of columns.
        marked_corners: The corners are hostile, only the king may stop there, and he wins there;
            otherwise he wins on every square of the edge.
        siege: The throne with the king on it is hostile to a defender if attackers are on the
            three other sides.
    """

    size: int
    marked_corners: bool
    siege: bool

    @property
    def throne(self) -> Square:
        """The square in the middle."""
        return self.size // 2, self.size // 2

    @property
    def corners(self) -> frozenset[Square]:
        """The marked corners."""
        ends = (0, self.size - 1) if self.marked_corners else ()
        return frozenset((x, y) for x in ends for y in ends)

    def is_refuge(self, square: Square) -> bool:
        """Whether the king wins on a square."""
        at_edge = [number in (0, self.size - 1) for number in square]
        return all(at_edge) if self.marked_corners else any(at_edge)

    def contains(self, square: Square) -> bool:
        """Whether a pair is a square of the board."""
        return min(square) >= 0 and max(square) < self.size

    def start(self) -> State:
        """The first position."""
        return State(self, _START[self.size])


@dataclass(frozen=True)
class State:
    """A position: owner and type of the pieces by square, and the positions of the game so far."""

    rules: Rules
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
        if self.rules.is_refuge(king):
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
            while self.rules.contains(target) and target not in self.pieces:
                if kind == "king" or target not in {self.rules.throne, *self.rules.corners}:
                    yield target
                target = _beyond(target, step)

    def _after(self, square: Square, target: Square) -> State:
        pieces = dict(self.pieces)
        pieces[target] = pieces.pop(square)
        captured = [
            prey
            for step in _STEPS
            if pieces.get(prey := _beyond(target, step), (self.turn, ""))[0] != self.turn
            and _is_captured(self.rules, pieces, prey, step)
        ]
        for prey in captured:
            del pieces[prey]
        return State(self.rules, pieces, _other(self.turn), self.earlier + Counter([self._key()]))


def _is_captured(rules: Rules, pieces: Mapping[Square, Piece], prey: Square, step: Square) -> bool:
    """Whether a piece is captured by an enemy that has moved beside it."""
    owner, kind = pieces[prey]
    throne, around = rules.throne, {_beyond(prey, other) for other in _STEPS}
    if kind == "king" and (prey == throne or throne in around):
        return all(
            (square in pieces and pieces[square][0] != owner)
            or (square == throne and square not in pieces)
            for square in around
        )
    behind = _beyond(prey, step)
    if behind == throne and behind in pieces and owner == DEFENDERS and rules.siege:
        sides = [pieces.get(_beyond(throne, side), ("", ""))[0] for side in _STEPS]
        return sides.count(ATTACKERS) == len(_STEPS) - 1
    if behind in pieces:
        return pieces[behind][0] != owner
    return behind in rules.corners or behind == throne


def _beyond(square: Square, step: Square) -> Square:
    return square[0] + step[0], square[1] + step[1]


def _other(player: str) -> str:
    return DEFENDERS if player == ATTACKERS else ATTACKERS


def _name(square: Square) -> str:
    column, row = square
    return "abcdefghi"[column] + str(row + 1)


def _start(*rows: str) -> dict[Square, Piece]:
    """Return the pieces of a diagram, whose first row is the uppermost."""
    kinds = {
        "a": (ATTACKERS, "attacker"), "d": (DEFENDERS, "defender"), "k": (DEFENDERS, "king")
    }  # fmt: skip
    return {
        (x, y): kinds[letter]
        for y, row in enumerate(reversed(rows))
        for x, letter in enumerate(row)
        if letter in kinds
    }


_START: Final = {
    7: _start(
        "...a...",
        "...a...",
        "...d...",
        "aadkdaa",
        "...d...",
        "...a...",
        "...a...",
    ),
    9: _start(
        "...aaa...",
        "....a....",
        "....d....",
        "a...d...a",
        "aaddkddaa",
        "a...d...a",
        "....d....",
        "....a....",
        "...aaa...",
    ),
}

BRANDUBH: Final = Rules(7, marked_corners=True, siege=False)
TABLUT: Final = Rules(9, marked_corners=False, siege=True)
