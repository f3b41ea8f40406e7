"""Helpers for rule tests of Splut!: start a game from a position, list and make steps.

Owns the notation: a step is written as the list of its changes, sorted by square.  `c5-d5 d5-e5`
is a push; `d5-e5 e5-h5 h5x` is a throw that removes the piece on h5.
"""

from __future__ import annotations

from collections.abc import Mapping

import forthvm
from tests.kit.games import loaded_with
from tests.models.splut import NAMES, STONES

__all__ = ["Play"]


def _squares(position: forthvm.Position) -> dict[str, str]:
    """Return the pieces by square, such as `South troll` or `sstone`."""
    found = {}
    for square in NAMES:
        piece = position.board[square]
        if piece is not None:
            found[square] = piece.type if piece.type in STONES else f"{piece.player} {piece.type}"
    return found


def _change(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return the notation of a step; no two pieces have the same name."""
    squares = {piece: square for square, piece in after.items()}
    changes = []
    for square, piece in before.items():
        if piece not in squares:
            changes.append(f"{square}x")
        elif squares[piece] != square:
            changes.append(f"{square}-{squares[piece]}")
    return " ".join(sorted(changes))


class Play:
    """A game from the start, or from a test's position before a turn of three steps."""

    def __init__(
        self,
        pieces: Mapping[str, str] | None = None,
        turn: str | None = None,
        game: str = "splut",
        **settings: str | int,
    ) -> None:
        """Start a game; pieces are written as `South troll` or `sstone`.

        At the start no team counts as the last mover of a stone.
        """
        # `preset` changes the other settings, so it comes first.
        order = dict(sorted(settings.items(), key=lambda item: (item[0] != "preset", item[0])))
        setup = None
        if pieces is not None:
            setup = [("?Cleaner", "broom", "shed")]
            for square, piece in pieces.items():
                team, _, kind = piece.partition(" ")
                setup.append((team, kind, square) if kind else ("Nobody", piece, square))
        self.position = loaded_with(game, **order).start(setup=setup, turn=turn)

    @property
    def board(self) -> dict[str, str]:
        """The pieces by square."""
        return _squares(self.position)

    def _steps(self) -> list[tuple[str, tuple[forthvm.Move, ...]]]:
        """Return each step with its moves; a throw in two partial moves has two."""
        position, before, found = self.position, self.board, []
        for move in list(position.legal_moves):
            position.push(move)
            if position.is_partial:
                for second in list(position.legal_moves):
                    position.push(second)
                    found.append((_change(before, _squares(position)), (move, second)))
                    position.pop()
            else:
                found.append((_change(before, _squares(position)), (move,)))
            position.pop()
        return found

    @property
    def steps(self) -> set[str]:
        """All legal steps."""
        found = [name for name, _ in self._steps()]
        assert len(found) == len(set(found))
        return set(found)

    def of(self, square: str) -> set[str]:
        """Return the steps in which the piece on a square moves."""
        return {
            step
            for step in self.steps
            if any(change.startswith(f"{square}-") for change in step.split())
        }

    @property
    def levitable_stones(self) -> set[str]:
        """The stones that the wizard to move can levitate."""
        board = self.board
        wizard = f"{self.position.turn} wizard"
        (wizard_square,) = (square for square, piece in board.items() if piece == wizard)
        return {
            board[change[:2]]
            for step in self.of(wizard_square)
            for change in step.split()
            if board[change[:2]] in STONES
        }

    def play(self, *steps: str) -> Play:
        """Make steps, which must be legal."""
        for text in steps:
            ((_, moves),) = [step for step in self._steps() if step[0] == text]
            for move in moves:
                self.position.push(move)
        return self

    def play_forced(self) -> list[str]:
        """Make all forced moves (passes, cleanings); return the player of each."""
        found = []
        while self.position.result is None:
            if self.position.is_stuck:
                found.append(self.position.turn)
                self.position.push_pass()
            elif self.steps == {""}:
                found.append(self.position.turn)
                self.position.push(self.position.legal_moves[0])
            else:
                break
        return found

    @property
    def turn(self) -> str:
        """The player to move; the game must not be over."""
        assert self.position.result is None
        return self.position.turn

    @property
    def winner(self) -> str:
        """The winner, empty for a draw; the game must be over."""
        result = self.position.result
        return "".join(result.winners)
