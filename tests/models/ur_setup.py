"""Converts between positions of the Ur scripts and states of the model.

Owns the layout of reserves, covered pieces, dice and the right to the next turn in the scripts
(rules page, section 3, and the README of the scripts).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from itertools import zip_longest

import forthvm
from tests.models.ur import BLACK, WHITE, Options, Piece, State

__all__ = ["Reader", "begin", "expected_view", "load"]

# For each square that can hold a stack, the column of squares that store its covered pieces.
_COVERED = {"j2": "a", "j4": "b", "l2": "c", "l4": "d", "o3": "e", "k3": "f", "n3": "g"}
# The squares of these columns; the first one stores the lowest piece.
_BELOW = {base: tuple(f"{column}{row}" for row in (2, 3, 4)) for base, column in _COVERED.items()}
_OWN = (*"ijkl", *"op")  # columns of the rows that only one player uses
_PLAYED = [f"{column}{row}" for row in (2, 4) for column in _OWN] + [f"{c}3" for c in "ijklmnop"]
_RESERVES = {
    WHITE: [f"{column}1" for column in "ijklmno"],
    BLACK: [f"{column}5" for column in "ijklmno"],
}
_DICE = ("r2", "r3", "r4", "r5")


@cache
def load(options: Options) -> forthvm.Game:
    """The game with given options, loaded once and shared by all tests."""
    return forthvm.load(
        "ur",
        settings={
            "rules": options.rules,
            "right": options.right,
            "reserve-moves": options.reserve_moves,
            "first-throw": options.first_throw,
            "double-pass": options.double_pass,
        },
    )


class Reader:
    """Reads positions of one game; for speed, it finds the indices of the squares only once."""

    def __init__(self, game: forthvm.Game, options: Options) -> None:
        at = game._loaded.position_index
        self.options = options
        self.roster = game._loaded.roster
        self.played = [
            (square, at[square], [at[name] for name in _BELOW.get(square, ())])
            for square in _PLAYED
        ]
        self.reserves = [[at[name] for name in _RESERVES[player]] for player in (WHITE, BLACK)]
        self.dice = [at[name] for name in _DICE]
        # For each turn of the turn order, the player of this turn or, if ?Dice throws in it, the
        # player that moves after the throw.
        self.movers = [
            next(turn.player for turn in (game.turn_order * 2)[index:] if turn.player != "?Dice")
            for index in range(len(game.turn_order))
        ]

    def view(self, position: forthvm.Position) -> Hashable:
        """The visible part of a position, to be compared with `expected_view` of a state."""
        cells = position.cells
        board = []
        for square, top, below in self.played:
            if cells[top]:
                pieces = [self._piece(cells[index]) for index in (*below, top) if cells[index]]
                # No gap below a covered piece.
                assert all(cells[index] for index in below[: len(pieces) - 1]), square
                board.append((square, tuple(pieces)))
            else:
                assert not any(cells[index] for index in below), square
        reserve = tuple(sum(cells[index] != 0 for index in squares) for squares in self.reserves)
        mover = self.movers[position._turn_index]
        return (
            frozenset(board),
            reserve,
            position.variables.array("off", 2),
            mover,
            self.steps(position) if position.turn == mover else None,
            self._right(cells),
            position.variables["passes"],
        )

    def _piece(self, cell: int) -> Piece:
        piece = self.roster.piece(cell)
        assert piece.player is not None
        return Piece(piece.player, piece.type == "promoted")

    def _right(self, cells: tuple[int, ...]) -> str | None:
        piece = self.roster.piece(cells[self.dice[3]])
        return piece.player if piece is not None and piece.type == "right" else None

    def steps(self, position: forthvm.Position) -> int:
        """The number of steps thrown, with Skiriuk's three dice or Finkel's four."""
        finkel = self.options.rules == "finkel"
        types = []
        for square in self.dice[: 4 if finkel else 3]:
            piece = self.roster.piece(position.cells[square])
            types.append(piece.type)
        white = sum(kind.startswith("white") for kind in types)
        assert white + sum(kind.startswith("black") for kind in types) == len(types)
        return white if finkel or white else 4  # Skiriuk counts a throw without white dice as 4


def expected_view(state: State) -> Hashable:
    """The value that `Reader.view` should return for a state of the model."""
    return (
        frozenset(state.board.items()),
        state.reserve,
        state.off,
        state.mover,
        state.steps,
        state.right,
        state.passes,
    )


def begin(game: forthvm.Game, state: State, options: Options) -> forthvm.Position:
    """The position of the script for a state after the throw."""
    assert state.steps is not None
    pieces = []
    for square, stack in state.board.items():
        *covered, top = stack
        targets = [*zip_longest(covered, _BELOW.get(square, ())[: len(covered)]), (top, square)]
        for piece, target in targets:
            pieces.append((piece.player, "promoted" if piece.promoted else "plain", target))
    for player, count in zip((WHITE, BLACK), state.reserve, strict=True):
        pieces += [(player, "plain", square) for square in _RESERVES[player][:count]]
    finkel = options.rules == "finkel"
    white = state.steps if finkel or state.steps < 4 else 0  # number of white dice
    for number, square in enumerate(_DICE[: 4 if finkel else 3]):
        kind = f"white{min(number, 2) + 1}" if number < white else f"black{min(number, 2) + 1}"
        pieces.append(("?Dice", kind, square))
    if state.right:
        pieces.append((state.right, "right", "r5"))
    return game.start(
        setup=pieces,
        turn=state.mover,
        variables={"off[0]": state.off[0], "off[1]": state.off[1], "passes": state.passes},
    )
