"""Translation between the model of Rhythmomachia 2 and the bundled game.

Owns the translation of settings, move texts, board cells and variables, as described in the
game's README.  Sections 9 and 10, whose options have names here, are those of the rules page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from operator import itemgetter
from typing import Final

import forthvm
from tests.models.rhythmomachia2 import CHOICES2, TOTAL, Action, Options2, State2, Target
from tests.models.rithmomachia_board import OTHER, SQUARES, Piece
from tests.rules.rithmomachia_kit import SIDES, check_end, part_squares, pyramid_types, settings

__all__ = ["Translation", "load", "options_of", "settings2"]

# Positions of the pieces `has-moved` (the player has moved in this turn) and `may-swap` (the owner
# of a lost part of a pyramid may replace it by an equal piece).
_MARKS: Final = ("k16", "k15")
# All squares, in the order in which the game numbers the attackers of a turn.
_NUMBERING: Final = tuple(f"{column}{row}" for row in range(16, 0, -1) for column in "cdefghij")


def settings2(chosen: Mapping[str, object]) -> dict[str, str | int]:
    """Return the game's settings for options; names of section 10 get the prefix `r2-`."""
    section_10 = {f"r2-{name}": str(value) for name, value in chosen.items() if name in CHOICES2}
    section_9 = {name: value for name, value in chosen.items() if name not in CHOICES2}
    return settings(section_10) | settings(section_9)


def options_of(chosen: Mapping[str, object]) -> Options2:
    """Return the model's options, without those that have only one value."""
    known = {option.name for option in fields(Options2)}
    variable = {
        name
        for name in chosen
        if name in known and (name not in CHOICES2 or len(CHOICES2[name]) > 1)
    }
    return Options2(**{name: chosen[name] for name in variable})  # type: ignore[arg-type]


def load(chosen: Mapping[str, object]) -> forthvm.Game:
    """Return the game with these options."""
    return forthvm.load("rithmomachia-2", settings=settings2(chosen))


class Translation:
    """The game's numbers of pieces and board positions."""

    def __init__(self) -> None:
        plain = load({})
        self.parts = part_squares()
        self.names = [*SQUARES, *self.parts.values(), *_MARKS]
        self.index = {name: plain._loaded.position_index[name] for name in self.names}
        self.compared_cells = itemgetter(*self.index.values())
        self.kinds = {kind.name: kind.number for kind in plain.piece_types}
        self.shift: dict[str, int] = {}  # difference between a side's cells and the type number
        for side, square in (("W", "e6"), ("B", "e11")):
            piece = plain.start().board[square]
            self.shift[side] = piece.cell - self.kinds[piece.type]

    # --- pieces ------------------------------------------------------------------------------

    def name(self, piece: Piece) -> str:
        """Return a piece's type in the game."""
        return pyramid_types()[piece.side] if piece.kind == "P" else str(piece)[1:]

    def victim_position(self, state: State2, target: Target) -> str:
        """Return the board position of a victim; parts of pyramids are in the margin."""
        square, name = target
        return square if name in ("", TOTAL) else self.parts[OTHER[state.turn] + name]

    def expected_view(self, state: State2) -> dict[str, object]:
        """Return the result of `view` for the position that equals the state."""
        pieces = dict(state.board)
        pieces |= {self.parts[str(part)]: part for side in "WB" for part in state.parts[side]}
        cells = {name: self.cell(piece.side, self.name(piece)) for name, piece in pieces.items()}
        for square, _ in state.pieces(OTHER[state.turn]):
            for target, rating, full_rating in state.targets(square):
                if rating < full_rating:
                    # A piece with a reduced rating has another type, such as `(7)`; its attributes
                    # (bits 16 and up of its cell) contain the original type.
                    at = self.victim_position(state, target)
                    original_type = self.kinds[self.name(pieces[at])]
                    cells[at] = self.cell(pieces[at].side, f"({rating})") + (original_type << 16)
        if state.moved:
            cells["k16"] = self.cell(state.turn, "has-moved")
        if state.lost_part:
            cells["k15"] = self.cell(state.to_act, "may-swap")
        white, black = (state.lost[side] for side in "BW")  # the captures of White and of Black
        return {
            "cells": tuple(cells.get(name, 0) for name in self.names),
            "turn": "" if state.ending else SIDES[state.to_act],
            "hit-by": self.attackers_by_position(state),
            "asked": self.index[self.parts[str(state.lost_part)]] + 1 if state.lost_part else 0,
            "pieces-taken": (white.pieces, black.pieces),
            "value-taken": (white.value, black.value),
            "quiet": state.quiet,
        }

    def cell(self, side: str, name: str) -> int:
        return self.kinds[name] + self.shift[side]

    def attackers_by_position(self, state: State2) -> dict[int, int]:
        """Return the attackers of each board position as bit masks."""
        starts = {state.square_at_turn_start(square) for square, _ in state.pieces(state.turn)}
        order = [square for square in _NUMBERING if square in starts]
        found: dict[int, int] = {}
        for square, target in state.attacks_made:
            at = self.index[self.victim_position(state, target)]
            found[at] = found.get(at, 0) | 1 << order.index(square)
        return found

    def view(self, position: forthvm.Position) -> dict[str, object]:
        """Return the parts of a position that are compared."""
        variables = position.variables
        masks = variables.array("hit-by", 192)
        return {
            "cells": self.compared_cells(position.cells),
            "turn": "" if position.result else position.turn,  # a victory ends the turn
            "hit-by": {at: mask for at, mask in enumerate(masks) if mask},
            "asked": variables["asked"],
            "pieces-taken": tuple(variables.array("pieces-taken", 2)),
            "value-taken": tuple(variables.array("value-taken", 2)),
            "quiet": variables["quiet"],
        }

    # --- moves and ends ------------------------------------------------------------------------

    def text(self, state: State2, action: Action) -> str:
        """Return the game's text of an action."""
        if action.kind == "end":
            return "Pass"
        if action.kind == "siege":
            return self._capture_text(state, action)
        piece = state.board[action.start]
        if action.kind == "attack":
            target = (action.goal, action.part)
            targets = state.targets(action.goal)
            (rating,) = (rating for victim, rating, _ in targets if victim == target)
            remaining = rating - action.amount
            effect = f"= ({remaining}) on {self.victim_position(state, target)}"
            if not remaining:
                effect = self._capture_text(state, action)
            return f"{SIDES[piece.side]} {self.name(piece)} {action.start} {effect}"
        if action.kind == "move":
            return f"{self.name(piece)} {action.start} - {action.goal}"
        reduction = state.lowered.get((action.start, ""))
        name = f"({piece.value - reduction})" if reduction else self.name(piece)
        return f"{name} {action.start} - {self.parts[str(state.lost_part)]}"

    def _capture_text(self, state: State2, action: Action) -> str:
        """Return the captures of an action as text, a pyramid before its parts."""
        after = state.play(action)
        side = OTHER[state.turn]
        captured = [name for name in state.board if name not in after.board]
        captured += [
            self.parts[str(part)] for part in state.parts[side] if part not in after.parts[side]
        ]
        return " ".join(f"x {name}" for name in captured)

    @staticmethod
    def check_end(position: forthvm.Position, state: State2) -> bool:
        """Return whether the game is over; check that game and model agree on the result."""
        return check_end(position, state.ending)
