"""Rithmomachia as a whole game, for every choice of options.

Owns turns, counts of what was captured, and the end (sections 4, 7 and 9 of
`rules/rithmomachia.md`).

Readings, where the page is silent:
- `value = 0` switches off all victories that need a value.  A limit that is not 0 switches
  on its victory, both together De Honore Liteque as well.
- `pyramid-count = script`: a pyramid taken whole counts its parts and its body, the body's
  digits being those of the total.
- Taking the pyramid's last parts one by one is taking it completely (`pyramid-win`).
- A forced pass is no move: it does not count for `draw-after`, and wins nothing.
- A victory stands before `draw-after`, and that before what `stalemate` says.
- Where neither side can ever move again, `stalemate = pass` leaves a draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from tests.models.rithmomachia_board import (
    OTHER,
    SETUP,
    SETUP_PARTS,
    Board,
    Parts,
    legal_moves,
    reads,
)
from tests.models.rithmomachia_captures import Catch, captures
from tests.models.rithmomachia_glory import glory
from tests.models.rithmomachia_options import PROPOSED_DIGITS, PROPOSED_MAX, Options

__all__ = ["Ending", "State", "Tally", "perft", "position", "start"]

Move = tuple[str, str]
PASS: Move = ("", "")


class Tally(NamedTuple):
    """What a side has lost: pieces, their value, their digits."""

    pieces: int = 0
    value: int = 0
    digits: int = 0

    def with_value(self, value: int) -> Tally:
        """The tally after one more piece."""
        return Tally(self.pieces + 1, self.value + value, self.digits + len(str(value)))


class Ending(NamedTuple):
    """Who has won, nobody in a draw, and by what."""

    winner: str | None
    name: str


@dataclass(frozen=True)
class State:
    """A position: the pieces, the parts of pyramids, what was captured, and whose turn it is.

    `quiet` counts moves since the last capture; `moved` is the side that has just moved, or
    nobody before the first move and after a pass; `caught` is what fell in that move.
    """

    options: Options
    board: Board
    parts: Parts
    turn: str
    lost: Mapping[str, Tally]
    quiet: int = 0
    moved: str = ""
    caught: Catch = field(default_factory=Catch)

    @cached_property
    def legal(self) -> list[Move]:
        """Start and goal of each legal move, decided or not; no passes."""
        return legal_moves(self.board, self.parts, self.turn, self.options)

    def play(self, move: Move) -> State:
        """The position after a legal move and its captures."""
        board = dict(self.board)
        board[move[1]] = board.pop(move[0])
        caught = captures(board, self.parts, self.turn, self.options)
        for square in caught.pieces:
            del board[square]
        other = OTHER[self.turn]
        parts = dict(self.parts)
        parts[other] = tuple(part for part in parts[other] if part not in caught.parts)
        lost = dict(self.lost)
        lost[other] = _count(lost[other], caught, self.options)
        anything = caught.pieces or caught.parts
        return replace(
            self,
            board=board,
            parts=parts,
            turn=other,
            lost=lost,
            quiet=0 if anything else self.quiet + 1,
            moved=self.turn,
            caught=caught,
        )

    def forced_pass(self) -> State:
        """The position after a pass."""
        return replace(self, turn=OTHER[self.turn], moved="", caught=Catch())

    @property
    def stuck(self) -> bool:
        """Whether the side to move has to pass."""
        return not self.legal and self.ending is None

    @cached_property
    def ending(self) -> Ending | None:
        """How the game has ended, None while it goes on."""
        if self.moved and (name := victory(self, self.moved)):
            return Ending(self.moved, name)
        if 0 < self.options.draw_after <= self.quiet:
            return Ending(None, "draw-after")
        return self._stalemate()

    def _stalemate(self) -> Ending | None:
        if self.legal:
            return None
        if self.options.stalemate == "loss":
            return Ending(OTHER[self.turn], "stalemate")
        other = legal_moves(self.board, self.parts, OTHER[self.turn], self.options)
        if self.options.stalemate == "draw" or not other:
            return Ending(None, "stalemate")
        return None


def _count(tally: Tally, caught: Catch, options: Options) -> Tally:
    """The tally with what a move has taken (section 7, `pyramid-count`)."""
    for piece in caught.pieces.values():
        if piece.kind != "P":
            tally = tally.with_value(piece.value)
    total = sum(part.value for part in caught.parts)
    if not caught.whole or options.pyramid_count != "one":
        for part in caught.parts:
            tally = tally.with_value(part.value)
    if caught.whole and options.pyramid_count != "parts":
        tally = tally.with_value(total)
    return tally


def victory(state: State, side: str) -> str:
    """The most famous victory that the side which has just moved has, or nothing."""
    options, lost = state.options, state.lost[OTHER[side]]
    mine = "WB".index(side)
    digits, most = options.n_digits[mine], options.n_max[mine]
    rich = 0 < options.value[mine] <= lost.value
    light = lost.digits <= (digits or PROPOSED_DIGITS[mine])
    few = lost.pieces <= (most or PROPOSED_MAX[mine])
    both = options.de_honore_liteque == "on" or (digits > 0 and most > 0)
    names = {
        "pyramid": options.pyramid_win == "on"
        and any(piece.kind == "P" for piece in state.caught.pieces.values()),
        "De Corpore": 0 < options.n_pieces <= lost.pieces,
        "De Bonis": rich and options.de_bonis == "on",
        "De Lite": rich and light and (options.de_lite == "on" or digits > 0),
        "De Honore": rich and few and (options.de_honore == "on" or most > 0),
        "De Honore Liteque": rich and light and few and both,
    }
    held = [name for name, holds in names.items() if holds]
    return glory(state.board, state.parts, side, options) or (held[-1] if held else "")


# --- games and positions -------------------------------------------------------------------------


def start(options: Options = Options()) -> State:  # noqa: B008 - frozen
    """The first position."""
    turn = "B" if options.first == "black" else "W"
    return State(options, SETUP, SETUP_PARTS, turn, {"W": Tally(), "B": Tally()})


def position(
    pieces: Mapping[str, str],
    options: Options = Options(),  # noqa: B008 - frozen
    *,
    turn: str = "W",
    parts: Mapping[str, str] | None = None,
    lost: Mapping[str, Tally] | None = None,
) -> State:
    """A position: pieces by square such as `WS25`, `BP` for a pyramid.

    `parts` names a pyramid's parts by side, `S64 R16`; without them it is intact.
    """
    board, left = {}, {"W": (), "B": ()}
    for square, text in pieces.items():
        name, side = text, text[0]
        if text[1] == "P":
            left[side] = SETUP_PARTS[side]
            if parts and side in parts:
                left[side] = tuple(reads(side + part) for part in parts[side].split())
            name = f"{side}P{sum(part.value for part in SETUP_PARTS[side])}"
        board[square] = reads(name)
    return State(options, board, left, turn, {"W": Tally(), "B": Tally(), **(lost or {})})


def perft(state: State, depth: int) -> int:
    """Number of move sequences; those that end the game earlier count nothing further."""
    if state.ending is not None:
        return 0
    if state.stuck:
        return 1 if depth == 1 else perft(state.forced_pass(), depth - 1)
    if depth == 1:
        return len(state.legal)
    return sum(perft(state.play(move), depth - 1) for move in state.legal)
