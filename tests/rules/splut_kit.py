"""Positions of Splut! for rule tests, and how a test says a step.

Owns the notation: a step is what moved, in the order of the squares: `c5-d5 d5-e5` is a push,
`d5-e5 e5-h5 h5x` a throw after which who stood on h5 is gone.  It must not know the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import forthvm
from tests.models.splut import NAMES, STONES

__all__ = ["Play"]


@cache
def _loaded(name: str, settings: tuple[tuple[str, str | int], ...]) -> forthvm.Game:
    return forthvm.load(name, settings=dict(settings))


def _squares(position: forthvm.Position) -> dict[str, str]:
    """What stands where: `South troll`, `sstone`."""
    found = {}
    for square in NAMES:
        piece = position.board[square]
        if piece is not None:
            found[square] = piece.type if piece.type in STONES else f"{piece.player} {piece.type}"
    return found


def _change(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """What a step did; every piece is the only one of its name."""
    now = {piece: square for square, piece in after.items()}
    done = []
    for square, piece in before.items():
        if piece not in now:
            done.append(f"{square}x")
        elif now[piece] != square:
            done.append(f"{square}-{now[piece]}")
    return " ".join(sorted(done))


class Play:
    """A game from the start, or from a position built for a test, three steps to make."""

    def __init__(
        self,
        pieces: Mapping[str, str] | None = None,
        turn: str | None = None,
        game: str = "splut",
        **settings: str | int,
    ) -> None:
        """Pieces are written as `South troll` or `sstone`; no stone has been moved yet."""
        chosen = {name.replace("_", "-"): value for name, value in settings.items()}
        # `preset` sets the others, so it comes first.
        order = sorted(chosen.items(), key=lambda one: (one[0] != "preset", one[0]))
        setup = None
        if pieces is not None:
            setup = [("?Cleaner", "broom", "shed")]
            for square, piece in pieces.items():
                team, _, kind = piece.partition(" ")
                setup.append((team, kind, square) if kind else ("Nobody", piece, square))
        self.position = _loaded(game, tuple(order)).start(setup=setup, turn=turn)

    @property
    def board(self) -> dict[str, str]:
        """What stands where."""
        return _squares(self.position)

    def _steps(self) -> list[tuple[str, tuple[forthvm.Move, ...]]]:
        """Each step with the moves that it takes: two for a throw in two halves."""
        position, before, found = self.position, self.board, []
        for move in list(position.legal_moves):
            position.push(move)
            if position.is_partial:
                for half in list(position.legal_moves):
                    position.push(half)
                    found.append((_change(before, _squares(position)), (move, half)))
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
        """The steps of the piece on that square, by what they do."""
        return {one for one in self.steps if any(p.startswith(f"{square}-") for p in one.split())}

    @property
    def flights(self) -> set[str]:
        """The stones that the wizard to move can levitate now."""
        board = self.board
        at = next(s for s, piece in board.items() if piece == f"{self.position.turn} wizard")
        return {
            board[part[:2]]
            for one in self.of(at)
            for part in one.split()
            if board[part[:2]] in STONES
        }

    def play(self, *steps: str) -> Play:
        """Makes steps, each of which must be legal."""
        for text in steps:
            ((_, moves),) = [one for one in self._steps() if one[0] == text]
            for move in moves:
                self.position.push(move)
        return self

    def forced(self) -> list[str]:
        """Makes the moves that change nothing on the board (passes, cleanings): whose they were."""
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
        """Whose turn it is; the game must not be over."""
        assert self.position.result is None
        return self.position.turn

    @property
    def winner(self) -> str:
        """Who has won the game, which must be over; empty: a draw."""
        result = self.position.result
        assert result is not None
        return "".join(result.winners)
