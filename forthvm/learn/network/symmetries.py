"""The symmetries of a game: turned boards on which it remains the same game.

What is learned about a place then holds for those that take its place.  A reflection or rotation of
the board is a symmetry if random games can be followed on the turned board: each move has a legal
move with the turned result, and the games end alike.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.learn.observations.places import places_of
from forthvm.learn.observations.symmetry import turned_boards
from forthvm.learn.observations.variables import groups_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.bindings import NetworkInputs
    from forthvm.game import Game, Move, Position

__all__ = ["feature_maps"]

_GAMES = 3
_MAX_PLIES = 1000
"""The number of games that are followed on a turned board, and the maximum plies of each."""


def feature_maps(game: Game, inputs: NetworkInputs) -> list[list[int]]:
    """Return for each symmetry the feature that takes the place of each feature.

    The first one is the identity.

    Raises:
        ForthVMError: The script fails.
    """
    identity = list(range(inputs.features))
    maps = [identity]
    places = places_of(game.start(), frozenset())
    if places.board is not None:
        for squares in turned_boards(places, places.board, range(len(game.positions))):
            turned = _TurnedBoard(game, squares)
            if all(turned.follows_game(seed) for seed in range(_GAMES)):
                found = _feature_map(inputs, turned.cells)
                if sorted(found) == identity:  # a damaged file may have any places and numbers
                    maps.append(found)
    return maps


def _feature_map(inputs: NetworkInputs, cells: Sequence[int]) -> list[int]:
    found = list(range(inputs.features))
    counts = [ranges or inputs.types * inputs.owner_kinds for _, _, ranges in inputs.numbers]
    for cell, other in enumerate(cells):
        at, to = inputs.places[cell], inputs.places[other]  # those of the first view
        if at >= 0 and to >= 0:
            found[at : at + counts[cell]] = range(to, to + counts[cell])
    return found


class _TurnedBoard:
    """A board on which each square takes the place of another one."""

    def __init__(self, game: Game, squares: Sequence[int]) -> None:
        self._game = game
        self._squares = squares
        self._names = {
            name: game.positions[to] for name, to in zip(game.positions, squares, strict=True)
        }
        groups = groups_of(game, len(squares), game.contestants or game.players)
        self.cells = [*squares, *range(len(squares), game._loaded.tables.board_cells)]
        """For each cell of the board the cell that takes its place."""
        for group in groups:
            if group.kind == "squares" and group.width == CELL:
                for at, offset in enumerate(group.offsets):
                    self.cells[offset // CELL] = group.offsets[squares[at]] // CELL
        self._numbers_of_squares = {
            offset // CELL for group in groups if group.kind == "square" for offset in group.offsets
        }

    def follows_game(self, seed: int) -> bool:
        """Whether a random game can be played on the turned board, too."""
        choices = random.Random(seed)
        position, turned = self._game.start(), self._game.start()
        position.seed(seed)
        turned.seed(seed)
        for _ in range(_MAX_PLIES):
            if not self._is_turned(position, turned):
                return False
            if position.result is not None:
                break
            if position.is_stuck:
                position.push_pass()
                turned.push_pass()
                continue
            move = choices.choice(position.legal_moves)
            position.push(move)
            if not self._follow(turned, move, self._turned(position)):
                return False
        return True

    def _is_turned(self, position: Position, turned: Position) -> bool:
        return (
            turned.cells == self._turned(position)
            and turned.player_index == position.player_index
            and turned.result == position.result
            and len(turned.legal_moves) == len(position.legal_moves)
        )

    def _turned(self, position: Position) -> tuple[int, ...]:
        """Return the cells of a position on the turned board."""
        cells = position.cells
        found = list(cells)
        for at, to in enumerate(self.cells):
            is_square = at in self._numbers_of_squares and 0 < cells[at] <= len(self._squares)
            found[to] = self._squares[cells[at] - 1] + 1 if is_square else cells[at]
        return tuple(found)

    def _follow(self, position: Position, move: Move, cells: tuple[int, ...]) -> bool:
        """Make the move that gives these cells; return False if there is none.

        Args:
            position: The position on the turned board.
            move: The move on the other board; most moves on the turned board have its text with
                other squares, and are tried first.
            cells: The cells after the move.
        """
        text = " ".join(self._names.get(word, word) for word in str(move).split())
        for followed in sorted(position.legal_moves, key=lambda one: str(one) != text):
            position.push(followed)
            if position.cells == cells:
                return True
            position.pop()
        return False
