"""International and Russian draughts in plain Python, with their draws.

Owns the rules of the README of the bundled games.  It does not use forthvm or a script.  Squares
are (column, row) with a1 = (0, 0), which is dark; White starts below and moves first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

__all__ = [
    "INTERNATIONAL",
    "RUSSIAN",
    "Rules",
    "State",
    "capture_text",
    "dark_squares",
    "move_of",
    "name_of",
    "start",
]

Square = tuple[int, int]
Capture = tuple[Square, frozenset[Square], bool]
"""The last square, the captured pieces, and whether the piece is a king at the end."""
WHITE, BLACK = "White", "Black"
_WAYS = tuple(product((-1, 1), (-1, 1)))
_PART = re.compile(r"([-x]) ([a-j]\d+)")


@dataclass(frozen=True)
class Rules:
    """What differs between the games."""

    size: int
    rows: int
    """The rows of men of each player."""
    majority: bool
    """Whether the captures of the most pieces are compulsory."""
    crowns_in_passing: bool
    quiet_plies: int


INTERNATIONAL = Rules(10, 4, majority=True, crowns_in_passing=False, quiet_plies=50)
RUSSIAN = Rules(8, 3, majority=False, crowns_in_passing=True, quiet_plies=30)


def name_of(square: Square) -> str:
    """Return the name of a square."""
    return f"{'abcdefghij'[square[0]]}{square[1] + 1}"


def move_of(text: str) -> str:
    """Return origin, target and captured squares of the text of a move, without its way."""
    origin = text.split()[1]
    signs: dict[str, list[str]] = {"-": [], "x": []}
    for sign, square in _PART.findall(text):
        signs[sign].append(square)
    return capture_text(origin, signs["-"][-1], signs["x"])


def capture_text(origin: str, target: str, captured: list[str]) -> str:
    """Return a move as `move_of` does."""
    return "x".join([f"{origin}-{target}", *sorted(captured)])


def _next(square: Square, way: tuple[int, int]) -> Square:
    return square[0] + way[0], square[1] + way[1]


@dataclass(frozen=True)
class State:
    """A position; `pieces` maps squares to owner and `man` or `king`."""

    rules: Rules
    pieces: Mapping[Square, tuple[str, str]]
    turn: str = WHITE
    quiet: int = 0
    steady: int = 0
    on_road: int = 0
    ending: int = 0
    ending_kind: int = 0
    earlier: tuple[object, ...] = ()
    """What occurred before, without this position."""
    seen: dict[str, State] = field(default_factory=dict, compare=False)

    def owners(self) -> dict[str, str]:
        """Return the owners of the squares that are not empty."""
        return {name_of(square): owner for square, (owner, _) in self.pieces.items()}

    def _exists(self, square: Square) -> bool:
        return all(0 <= each < self.rules.size for each in square)

    def _is_far(self, square: Square) -> bool:
        return square[1] == (self.rules.size - 1 if self.turn == WHITE else 0)

    # --- captures -------------------------------------------------------------------------------

    def _jumps(
        self, square: Square, taken: frozenset[Square], origin: Square, flies: bool
    ) -> Iterator[tuple[Square, list[Square]]]:
        """Yield each piece that can be captured next, with the squares behind it."""

        def is_free(at: Square) -> bool:
            return self._exists(at) and (at == origin or at not in self.pieces)

        for way in _WAYS:
            victim = _next(square, way)
            while flies and is_free(victim):
                victim = _next(victim, way)
            if self.pieces.get(victim, (self.turn,))[0] == self.turn or victim in taken:
                continue
            behind = [_next(victim, way)]
            while flies and is_free(behind[-1]):
                behind.append(_next(behind[-1], way))
            behind = [at for at in behind if is_free(at)]
            if behind:
                yield victim, behind

    def _captures(
        self, square: Square, taken: frozenset[Square], origin: Square, flies: bool
    ) -> Iterator[Capture]:
        """Yield the complete captures that go on from a square."""
        for victim, behind in self._jumps(square, taken, origin, flies):
            further: list[Capture] = []
            for target in behind:
                crowned = flies or (self.rules.crowns_in_passing and self._is_far(target))
                further += self._captures(target, taken | {victim}, origin, crowned)
            for target in behind if not further else ():
                crowned = flies or self._is_far(target)
                yield target, taken | {victim}, crowned
            yield from further

    def _all_captures(self) -> set[tuple[Square, Capture]]:
        found = {
            (square, capture)
            for square, (owner, kind) in self.pieces.items()
            if owner == self.turn
            for capture in self._captures(square, frozenset(), square, kind == "king")
        }
        most = max((len(capture[1]) for _, capture in found), default=0)
        if self.rules.majority:
            found = {each for each in found if len(each[1][1]) == most}
        return found

    def _steps(self) -> Iterator[tuple[Square, Capture]]:
        for square, (owner, kind) in self.pieces.items():
            ahead = 1 if self.turn == WHITE else -1
            for way in _WAYS if owner == self.turn else ():
                target = _next(square, way)
                while self._exists(target) and target not in self.pieces:
                    if kind == "king":
                        yield square, (target, frozenset(), True)
                    elif way[1] == ahead:
                        yield square, (target, frozenset(), self._is_far(target))
                    if kind == "man":
                        break
                    target = _next(target, way)

    def legal(self) -> Mapping[str, State]:
        """Return the states after each legal move, by its text as `move_of` writes it."""
        if not self.seen:
            for origin, (target, captured, is_king) in self._all_captures() or self._steps():
                squares = [name_of(at) for at in captured]
                text = capture_text(name_of(origin), name_of(target), squares)
                assert text not in self.seen
                self.seen[text] = self._after(origin, target, captured, is_king)
        return self.seen

    # --- the state after a move, and the end ----------------------------------------------------

    def _after(
        self, origin: Square, target: Square, captured: frozenset[Square], is_king: bool
    ) -> State:
        kind = self.pieces[origin][1]
        pieces = {at: piece for at, piece in self.pieces.items() if at not in {origin, *captured}}
        pieces[target] = self.turn, "king" if is_king else "man"
        after = State(
            self.rules,
            pieces,
            BLACK if self.turn == WHITE else WHITE,
            quiet=0 if captured or kind == "man" else self.quiet + 1,
            steady=0 if captured or is_king != (kind == "king") else self.steady + 1,
            earlier=(*self.earlier, self._key()),
        )
        ending_kind = after._ending_kind()
        return replace(
            after,
            on_road=self.on_road + 1 if after._is_on_road() else 0,
            ending_kind=ending_kind,
            ending=self.ending + 1 if ending_kind == self.ending_kind else 0,
        )

    def _key(self) -> object:
        return self.turn, frozenset(self.pieces.items())

    def _count(self, owner: str) -> tuple[int, int]:
        """Return the numbers of a player's kings and pieces."""
        found = Counter(kind for each, kind in self.pieces.values() if each == owner)
        return found["king"], found.total()

    def _stronger(self) -> tuple[str, int]:
        """Return the player against a lone king, and its number of pieces if one is a king."""
        for weak, strong in ((WHITE, BLACK), (BLACK, WHITE)):
            if self._count(weak) == (1, 1):
                kings, pieces = self._count(strong)
                return strong, pieces if kings else 0
        return "", 0

    def _ending_kind(self) -> int:
        return {1: 5, 2: 5, 3: 16}.get(self._stronger()[1], 0)

    def _is_on_road(self) -> bool:
        strong, pieces = self._stronger()
        road = {(n, n) for n in range(self.rules.size)}
        return pieces == 3 and any(
            at in road and owner != strong for at, (owner, _) in self.pieces.items()
        )

    def winner(self) -> str | None:
        """Return the winner, an empty text for a draw, None while the game continues."""
        if not self.legal():
            return BLACK if self.turn == WHITE else WHITE
        is_third = self.earlier.count(self._key()) >= 2
        if is_third or self.quiet >= self.rules.quiet_plies or self._is_counted_out():
            return ""
        return None

    def _is_counted_out(self) -> bool:
        if self.rules.size == INTERNATIONAL.size:
            return bool(self.ending_kind) and self.ending >= 2 * self.ending_kind
        if self.on_road > 10:
            return True
        white, black = self._count(WHITE), self._count(BLACK)
        if not (white[0] and black[0]):
            return False
        limits = {2: 5, 3: 5, 4: 30, 5: 30, 6: 60, 7: 60}
        limit = limits.get(white[1] + black[1])
        return limit is not None and self.steady >= 2 * limit


def dark_squares(rules: Rules) -> list[Square]:
    """Return the squares in the order of their numbers, from above."""
    n = rules.size
    return [(x, y) for y in reversed(range(n)) for x in range(n) if (x + y) % 2 == 0]


def start(rules: Rules) -> State:
    """Return the first position."""
    squares = dark_squares(rules)
    pieces = {at: (WHITE, "man") for at in squares if at[1] < rules.rows}
    pieces |= {at: (BLACK, "man") for at in squares if at[1] >= rules.size - rules.rows}
    return State(rules, pieces)
