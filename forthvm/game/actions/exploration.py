"""Finds the form of a game's actions in random games.

Owns the decision which numbers a game needs.  Random games show which kinds of moves there are,
whether several moves have the same squares, and what tells these apart; they do not decide which
squares have numbers, because all have.  The layout of the numbers is that of space.py.
"""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.game.ending import ending_of
from forthvm.game.random_games import RandomGames

from .space import Form, Kind, Space, kind_of, movements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from forthvm.game.loaded import LoadedGame
    from forthvm.game.states import State

__all__ = ["explored"]

_MOST_MOVEMENTS = 1 << 18
"""A kind of moves with more movements has no numbers but spare ones: above 512 squares."""
_MOST_WITH_PLANES = 1 << 16
"""Types or choices are planes if there are at most so many numbers, else spare numbers."""
_MOST_TYPES = 2
"""New types are planes of moves if there are at most so many times as choices: as in chess, but not
in shogi, where each piece has a promoted type of its own."""
_MOST_POSITIONS = 5000
"""The maximum number of positions of all random games."""
_LEAST_SPARE = 4
_SQUARES, _MOVEMENT = 2 * CELL, 3 * CELL
"""The bytes of a description that contain from and to, and these with the new type."""


class _Kind:
    """What has been seen of one kind of moves.

    Attributes:
        squares: One more than the greatest index of a position; 0: there are no such moves.
        types: The new types.
        same_squares: The maximum number of moves of a position with the same squares.
        same_type: The maximum number of these with the same new type, too.
        same_end: The maximum number of moves of a position that end on the same square, without
            those that have a number of their own: on all but huge boards, the first of each
            movement.
    """

    def __init__(self) -> None:
        self.squares = 0
        self.types: set[int] = set()
        self.same_squares = 1
        self.same_type = 1
        self.same_end = 0

    @property
    def found(self) -> object:
        """What the form depends on, to see whether a game has shown something new."""
        return self.squares, len(self.types), self.same_squares, self.same_type

    def form(self, kind: Kind, positions: int, grid: int) -> tuple[Form, int]:
        """Return the form, and how many spare numbers moves with the same end need.

        Args:
            kind: The kind.
            positions: The number of positions.
            grid: The number of positions of the grid, which come first.
        """
        if not self.squares:
            return Form(0, (), 0), 0
        squares = grid if self.squares <= grid else positions
        squares = 1 if kind is Kind.OTHER else squares
        size = movements(kind, squares)
        if size > _MOST_MOVEMENTS:
            return Form(0, (), 0), self.same_end
        if self.same_squares == 1:
            return Form(squares, (), 1), 0
        types = tuple(sorted(self.types))
        few = kind is not Kind.MOVE or len(types) <= _MOST_TYPES * self.same_squares
        if self.same_type == 1 and few and size * len(types) <= _MOST_WITH_PLANES:
            return Form(squares, types, 1), 0
        if size * self.same_squares <= _MOST_WITH_PLANES:
            return Form(squares, (), self.same_squares), (self.same_squares + 1) // 2
        return Form(squares, (), 1), self.same_end


def explored(  # noqa: PLR0913 - keyword-only options of `Actions.renumber`
    game: LoadedGame, *, games: int, plies: int, seed: int, starts: Sequence[State], patience: int
) -> Space:
    """Return the space of a game's actions; `Actions.renumber` explains the arguments.

    Raises:
        ValueError: A number is not positive.
        ForthVMError: The script fails before any move.
    """
    if min(games, plies) < 1:
        raise ValueError(f"games and plies must be positive, not {games} and {plies}")
    survey = _Survey(len(game.positions))
    random_games = RandomGames(game, seed, starts)
    without_new = positions = 0
    for _ in range(games):
        before = survey.found
        for state in random_games.play(min(plies, max(_MOST_POSITIONS - positions, 1))):
            positions += 1
            if ending_of(game, state) is None and game.states.moves_of(state):
                survey.add(_descriptions(game, state))
        without_new = 0 if before != survey.found else without_new + 1
        if without_new >= max(patience, len(starts)) or positions >= _MOST_POSITIONS:
            break
    random_games.report()
    return _space_of(game, survey.kinds)


def _descriptions(game: LoadedGame, state: State) -> list[bytes]:
    """Return a description of each legal move."""
    states = game.states
    with states.lock:
        states.restore_listed(state)
        return states.native.describe_moves()


class _Survey:
    """What has been seen of all moves.  Descriptions are compared as bytes, for speed."""

    def __init__(self, positions: int) -> None:
        # How many of the moves with the same squares have a number of their own.
        self._own = 0 if positions * positions > _MOST_MOVEMENTS else 1
        self.kinds = {kind: _Kind() for kind in Kind}
        self._movements: set[bytes] = set()

    @property
    def found(self) -> list[object]:
        """What the forms depend on."""
        return [kind.found for kind in self.kinds.values()]

    def add(self, descriptions: Iterable[bytes]) -> None:
        """Add the moves of a position."""
        distinct = set(descriptions)
        squares = Counter([description[:_SQUARES] for description in distinct])
        for movement in {description[:_MOVEMENT] for description in distinct} - self._movements:
            self._movements.add(movement)
            source, target, new = array("i", movement)
            seen = self.kinds[kind_of(source, target)]
            seen.squares = max(seen.squares, source + 1, target + 1, 1)
            seen.types.add(new)
        if self._own and len(squares) == len(distinct):
            return
        several = {pair: count for pair, count in squares.items() if count > self._own}
        ends: Counter[tuple[Kind, int]] = Counter()
        for pair, count in several.items():
            source, target = array("i", pair)
            kind = kind_of(source, target)
            self.kinds[kind].same_squares = max(self.kinds[kind].same_squares, count)
            ends[kind, target if target >= 0 else source] += count - self._own
        for (kind, _), count in ends.items():
            self.kinds[kind].same_end = max(self.kinds[kind].same_end, count)
        movements_of = Counter(
            [each[:_MOVEMENT] for each in distinct if each[:_SQUARES] in several]
        )
        for movement, count in movements_of.items():
            source, target, _ = array("i", movement)
            seen = self.kinds[kind_of(source, target)]
            seen.same_type = max(seen.same_type, count)


def _space_of(game: LoadedGame, kinds: dict[Kind, _Kind]) -> Space:
    positions = len(game.positions)
    grid = game.tables.grid.rows * game.tables.grid.columns
    found = {kind: seen.form(kind, positions, grid) for kind, seen in kinds.items()}
    needed = sum(spare for _, spare in found.values())
    # Placements on squares, and passes, are all there is in the simplest games.
    simple = needed == 0 and all(
        form.planes <= 1 and (kind in (Kind.PLACE, Kind.OTHER) or not form.squares)
        for kind, (form, _) in found.items()
    )
    has_numbers = any(form.squares for form, _ in found.values())
    spare = 0 if simple and has_numbers else max(_LEAST_SPARE, 2 * needed)
    return Space(positions, tuple(form for form, _ in found.values()), spare)
