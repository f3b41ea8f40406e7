"""What states of the model of Rhythmomachia 2 look like in the bundled game.

Owns the translation: settings, move texts, cells of the board and its variables, as the
game's README tells them.  Must not know rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from operator import itemgetter
from typing import Final

import forthvm
from tests.models.rhythmomachia2 import CHOICES2, WHOLE, Action, Options2, State2, Target
from tests.models.rithmomachia_board import OTHER, SQUARES, Piece
from tests.rules.rithmomachia_kit import SIDES, ended_alike, part_squares, pyramid_types, settings

__all__ = ["Looks", "load", "options_of", "settings2"]

_MARKS: Final = ("k16", "k15")  # somebody has moved, somebody is asked
_NUMBERED: Final = tuple(f"{column}{row}" for row in range(16, 0, -1) for column in "cdefghij")


def settings2(chosen: Mapping[str, object]) -> dict[str, str | int]:
    """Options of the model as settings of the game; those of section 10 are called `r2-`."""
    own = {f"r2-{name}": str(value) for name, value in chosen.items() if name in CHOICES2}
    others = {name: value for name, value in chosen.items() if name not in CHOICES2}
    return settings(own) | settings(others)


def options_of(chosen: Mapping[str, object]) -> Options2:
    """The model's options of such a choice, without those that have one value only."""
    known = {one.name for one in fields(Options2)}
    both = {name for name in chosen if name in known and len(CHOICES2.get(name, "  ")) > 1}
    return Options2(**{name: chosen[name] for name in both})  # type: ignore[arg-type]


def load(chosen: Mapping[str, object]) -> forthvm.Game:
    """The game with these options."""
    return forthvm.load("rithmomachia-2", settings=settings2(chosen))


class Looks:
    """The game's numbers for pieces and places."""

    def __init__(self) -> None:
        plain = load({})
        self.parts = part_squares()
        self.places = [*SQUARES, *self.parts.values(), *_MARKS]
        self.index = {name: plain.position_index[name] for name in self.places}
        self.view = itemgetter(*self.index.values())
        self.kinds = {one.name: one.number for one in plain.piece_types}
        self.shift: dict[str, int] = {}  # what a side's cells have above those of the type
        for side, square in (("W", "e6"), ("B", "e11")):
            piece = plain.start().board[square]
            assert piece is not None
            self.shift[side] = piece.cell - self.kinds[piece.type]

    # --- pieces ------------------------------------------------------------------------------

    def name(self, piece: Piece) -> str:
        """A piece's type."""
        return pyramid_types()[piece.side] if piece.kind == "P" else str(piece)[1:]

    def place(self, state: State2, target: Target) -> str:
        """Where a victim's cell is: parts of pyramids have places in the margin."""
        square, name = target
        return square if name in ("", WHOLE) else self.parts[OTHER[state.turn] + name]

    def expected_view(self, state: State2) -> dict[str, object]:
        """What `shown` finds in a position that equals the state."""
        there = dict(state.board)
        there |= {self.parts[str(part)]: part for side in "WB" for part in state.parts[side]}
        cells = {name: self.cell(piece.side, self.name(piece)) for name, piece in there.items()}
        for square, _ in state.pieces(OTHER[state.turn]):
            for target, left, full in state.targets(square):
                if left < full:
                    at = self.place(state, target)
                    own = self.kinds[self.name(there[at])] << 16
                    cells[at] = self.cell(there[at].side, f"({left})") + own
        if state.moved:
            cells["k16"] = self.cell(state.turn, "has-moved")
        if state.asked:
            cells["k15"] = self.cell(state.to_act, "may-swap")
        white, black = (state.lost[side] for side in "BW")  # by who has taken it
        return {
            "cells": tuple(cells.get(name, 0) for name in self.places),
            "turn": "" if state.ending else SIDES[state.to_act],
            "hit-by": self.hits(state),
            "asked": self.index[self.parts[str(state.asked)]] + 1 if state.asked else 0,
            "pieces-taken": (white.pieces, black.pieces),
            "value-taken": (white.value, black.value),
            "quiet": state.quiet,
        }

    def cell(self, side: str, name: str) -> int:
        return self.kinds[name] + self.shift[side]

    def hits(self, state: State2) -> dict[int, int]:
        """By position, a bit for each piece that has attacked what stands there."""
        began = {state.begun(square) for square, _ in state.pieces(state.turn)}
        order = [square for square in _NUMBERED if square in began]
        found: dict[int, int] = {}
        for square, target in state.used:
            at = self.index[self.place(state, target)]
            found[at] = found.get(at, 0) | 1 << order.index(square)
        return found

    def shown(self, position: forthvm.Position) -> dict[str, object]:
        """What can be seen of a position."""
        variables = position.variables
        masks = variables.array("hit-by", 192)
        return {
            "cells": self.view(position.cells),
            "turn": "" if position.result else position.turn,  # a victory ends the turn
            "hit-by": {at: mask for at, mask in enumerate(masks) if mask},
            "asked": variables["asked"],
            "pieces-taken": tuple(variables.array("pieces-taken", 2)),
            "value-taken": tuple(variables.array("value-taken", 2)),
            "quiet": variables["quiet"],
        }

    # --- moves and ends ------------------------------------------------------------------------

    def text(self, state: State2, action: Action) -> str:
        """An action as the game writes it."""
        if action.kind == "end":
            return "Pass"
        if action.kind == "siege":
            return self._takes(state, action)
        piece = state.board[action.start]
        if action.kind == "attack":
            target = (action.goal, action.part)
            (left,) = (rest for known, rest, _ in state.targets(action.goal) if known == target)
            rest = left - action.amount
            does = f"= ({rest}) on {self.place(state, target)}"
            if not rest:
                does = self._takes(state, action)
            return f"{SIDES[piece.side]} {self.name(piece)} {action.start} {does}"
        if action.kind == "move":
            return f"{self.name(piece)} {action.start} - {action.goal}"
        by = state.lowered.get((action.start, ""))
        name = f"({piece.value - by})" if by else self.name(piece)
        return f"{name} {action.start} - {self.parts[str(state.asked)]}"

    def _takes(self, state: State2, action: Action) -> str:
        """The squares that a capture empties, a pyramid's before those of its parts."""
        after = state.play(action)
        side = OTHER[state.turn]
        gone = [name for name in state.board if name not in after.board]
        gone += [
            self.parts[str(part)] for part in state.parts[side] if part not in after.parts[side]
        ]
        return " ".join(f"x {name}" for name in gone)

    @staticmethod
    def check_end(position: forthvm.Position, state: State2) -> bool:
        """Whether the game is over: alike, for the same side, and by the same victory."""
        return ended_alike(position, state.ending)
