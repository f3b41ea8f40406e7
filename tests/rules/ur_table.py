"""Positions of Ur for rule tests, with short notations of positions and moves.

Skiriuk's rules have stacks of pieces and a right to the next turn; Finkel's rules do not.
`k3:B,W+` lists the pieces on a square from the bottom up, with `+` for a promoted piece.
"""

from __future__ import annotations

from typing import Any

from tests.models import ur
from tests.models.ur import WHITE, Options, State
from tests.models.ur_setup import Reader, begin, load

__all__ = ["Table"]


class Table:
    """A game of Ur from a given position."""

    def __init__(  # noqa: PLR0913 - the parts of a position
        self,
        board: str,
        steps: int,
        mover: str = WHITE,
        *,
        reserve: tuple[int, int] = (0, 0),
        off: tuple[int, int] = (0, 0),
        right: str | None = None,
        passes: int = 0,
        options: Options | None = None,
    ) -> None:
        self.options = options or Options()
        game = load(self.options)
        pieces = ur.position(board, steps).board
        state = State(pieces, reserve, off, mover, steps, right, passes)
        self.reader = Reader(game, self.options)
        self.position = begin(game, state, self.options)

    @property
    def moves(self) -> list[str]:
        """The legal moves: `n3-o3`, `-l2` from the reserve, `k3-` off the board, or `pass`."""
        found = []
        for move in self.position.legal_moves:
            if move.is_pass:
                found.append("pass")
                continue
            source, target = move.from_square or "", move.to_square or ""
            found.append(f"{'' if source[1] in '15' else source}-{target}".removesuffix("h3"))
        return found

    def play(self, text: str) -> Table:
        """Make the first move with this notation."""
        self.position.push(self.position.legal_moves[self.moves.index(text)])
        return self

    def throw(self, steps: int) -> Table:
        """Make the four moves of the dice such that they show a number of steps."""
        finkel = self.options.rules == "finkel"
        white = steps if finkel or steps < 4 else 0
        dice = [f"white{number}" for number in range(1, white + 1)]
        dice += [f"black{number}" for number in range(1, 4)]
        if finkel:
            for number in range(4):
                colour = "white" if number < white else "black"
                self._push(colour)
        else:
            self.position.push(self.position.legal_moves[0])  # clear the dice
            for die in dice[:3]:
                self._push(die)
        assert self.reader.steps(self.position) == steps
        return self

    def _push(self, text: str) -> None:
        assert self.position.turn == "?Dice"
        found = next(move for move in self.position.legal_moves if text in move.text)
        self.position.push(found)

    def _view(self) -> tuple[Any, ...]:
        """Return board, reserve, pieces off the board, mover, throw, right and passes."""
        view = self.reader.view(self.position)
        assert isinstance(view, tuple)
        return view

    @property
    def board(self) -> str:
        """The pieces, in the order of the names of the squares."""
        stacks = self._view()[0]
        return " ".join(
            f"{square}:" + ",".join(piece.player[0] + "+" * piece.promoted for piece in stack)
            for square, stack in sorted(stacks)
        )

    @property
    def reserve(self) -> tuple[int, int]:
        """White's and Black's pieces in reserve."""
        reserve: tuple[int, int] = self._view()[1]
        return reserve

    @property
    def off(self) -> tuple[int, int]:
        """White's and Black's pieces off the board."""
        off: tuple[int, int] = self._view()[2]
        return off

    @property
    def right(self) -> str | None:
        """The player that has the right to the next turn."""
        player: str | None = self._view()[5]
        return player

    @property
    def winner(self) -> str | None:
        """The winner, empty for a draw, None while the game continues."""
        result = self.position.result
        if result is None:
            return None
        return result.winners[0] if result.winners else ""
