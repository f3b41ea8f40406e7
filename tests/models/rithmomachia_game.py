"""Rithmomachia: complete games under all options.

Owns turns, counts of captured pieces, and the end of the game (sections 4, 7 and 9 of
`rules/rithmomachia.md`).

Interpretations where that page has no rule:
- `value = 0` switches off all victories that need a value.  A limit other than 0 switches its
  victory on; both limits together also switch De Honore Liteque on.
- With `pyramid-count = script`, a pyramid captured as a whole counts its parts and its body.  The
  body has the digits of the total.
- Capturing the last parts one by one captures the pyramid completely (`pyramid-win`).
- A forced pass is not a move: it does not count for `draw-after` and cannot win.
- A victory takes precedence over `draw-after`, and `draw-after` over `stalemate`.
- If neither side can move, the game is a draw even with `stalemate = pass`.
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
    parse_piece,
)
from tests.models.rithmomachia_captures import Captures, captures
from tests.models.rithmomachia_glory import glory
from tests.models.rithmomachia_options import PROPOSED_DIGITS, PROPOSED_MAX, Options

__all__ = ["Ending", "State", "Tally", "perft", "position", "start"]

Move = tuple[str, str]
PASS: Move = ("", "")


class Tally(NamedTuple):
    """The losses of a side: number of pieces, sum of values, number of digits."""

    pieces: int = 0
    value: int = 0
    digits: int = 0

    def with_value(self, value: int) -> Tally:
        """Return the tally after the loss of one more piece."""
        return Tally(self.pieces + 1, self.value + value, self.digits + len(str(value)))


class Ending(NamedTuple):
    """The winner, None for a draw, and the name of the victory or draw."""

    winner: str | None
    name: str


@dataclass(frozen=True)
class State:
    """A position: pieces, parts of pyramids, losses of both sides, and the side to move.

    `quiet` counts moves since the last capture.  `moved` is the side that has just moved, empty
    before the first move and after a pass.  `captured` has the captures of that move.
    """

    options: Options
    board: Board
    parts: Parts
    turn: str
    lost: Mapping[str, Tally]
    quiet: int = 0
    moved: str = ""
    captured: Captures = field(default_factory=Captures)

    @cached_property
    def legal(self) -> list[Move]:
        """Start and goal of each move, without passes; the end of the game is ignored."""
        return legal_moves(self.board, self.parts, self.turn, self.options)

    def play(self, move: Move) -> State:
        """Return the position after a legal move and its captures."""
        board = dict(self.board)
        board[move[1]] = board.pop(move[0])
        captured = captures(board, self.parts, self.turn, self.options)
        for square in captured.pieces:
            del board[square]
        other = OTHER[self.turn]
        parts = dict(self.parts)
        parts[other] = tuple(part for part in parts[other] if part not in captured.parts)
        lost = dict(self.lost)
        lost[other] = _count(lost[other], captured, self.options)
        is_capture = captured.pieces or captured.parts
        return replace(
            self,
            board=board,
            parts=parts,
            turn=other,
            lost=lost,
            quiet=0 if is_capture else self.quiet + 1,
            moved=self.turn,
            captured=captured,
        )

    def forced_pass(self) -> State:
        """Return the position after a pass."""
        return replace(self, turn=OTHER[self.turn], moved="", captured=Captures())

    @property
    def stuck(self) -> bool:
        """Whether the side to move has to pass."""
        return not self.legal and self.ending is None

    @cached_property
    def ending(self) -> Ending | None:
        """The end of the game, None while it continues."""
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


def _count(tally: Tally, captured: Captures, options: Options) -> Tally:
    """Return the tally after the captures of a move (section 7, `pyramid-count`)."""
    for piece in captured.pieces.values():
        if piece.kind != "P":
            tally = tally.with_value(piece.value)
    total = sum(part.value for part in captured.parts)
    if not captured.whole_pyramid or options.pyramid_count != "one":
        for part in captured.parts:
            tally = tally.with_value(part.value)
    if captured.whole_pyramid and options.pyramid_count != "parts":
        tally = tally.with_value(total)
    return tally


def victory(state: State, side: str) -> str:
    """Return the highest victory of the side that has just moved, or an empty string."""
    options, lost = state.options, state.lost[OTHER[side]]
    index = "WB".index(side)
    max_digits, max_pieces = options.n_digits[index], options.n_max[index]
    enough_value = 0 < options.value[index] <= lost.value
    few_digits = lost.digits <= (max_digits or PROPOSED_DIGITS[index])
    few_pieces = lost.pieces <= (max_pieces or PROPOSED_MAX[index])
    liteque = options.de_honore_liteque == "on" or (max_digits > 0 and max_pieces > 0)
    names = {  # the common victories, in ascending order
        "pyramid": options.pyramid_win == "on"
        and any(piece.kind == "P" for piece in state.captured.pieces.values()),
        "De Corpore": 0 < options.n_pieces <= lost.pieces,
        "De Bonis": enough_value and options.de_bonis == "on",
        "De Lite": enough_value and few_digits and (options.de_lite == "on" or max_digits > 0),
        "De Honore": enough_value and few_pieces and (options.de_honore == "on" or max_pieces > 0),
        "De Honore Liteque": enough_value and few_digits and few_pieces and liteque,
    }
    common_victory = next((name for name, won in reversed(names.items()) if won), "")
    return glory(state.board, state.parts, side, options) or common_victory


# --- games and positions -------------------------------------------------------------------------


def start(options: Options = Options()) -> State:  # noqa: B008 - frozen
    """Return the first position."""
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
    """Return a position with pieces by square, such as `WS25`, or `BP` for a pyramid.

    `parts` names the parts of each side's pyramid, such as `S64 R16`; by default, all parts
    remain.
    """
    board, remaining = {}, {"W": (), "B": ()}
    for square, text in pieces.items():
        name, side = text, text[0]
        if text[1] == "P":
            remaining[side] = SETUP_PARTS[side]
            if parts and side in parts:
                remaining[side] = tuple(parse_piece(side + part) for part in parts[side].split())
            name = f"{side}P{sum(part.value for part in SETUP_PARTS[side])}"
        board[square] = parse_piece(name)
    return State(options, board, remaining, turn, {"W": Tally(), "B": Tally(), **(lost or {})})


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of the given length, forced passes included."""
    if state.ending is not None:
        return 0
    if state.stuck:
        return 1 if depth == 1 else perft(state.forced_pass(), depth - 1)
    if depth == 1:
        return len(state.legal)
    return sum(perft(state.play(move), depth - 1) for move in state.legal)
