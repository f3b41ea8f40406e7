"""Runs a block of move or drop code on a board and collects the moves that it adds (section 6).

Owns the instructions.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, TypeVar

from tests.models.zrf.choices import DROPS_ON_DUMMIES, WHILE_ROUNDS_PER_POSITION
from tests.models.zrf.conditions import State
from tests.models.zrf.moves import Effect, Move, Movement, Scene
from tests.models.zrf.notation import written
from tests.models.zrf.reader import Form
from tests.models.zrf.rules import Block

__all__ = ["drops_of", "moves_of"]

_Key = TypeVar("_Key")


def moves_of(scene: Scene, position: str, block: Block, *, probe: bool = False) -> list[Move]:
    """The moves of the piece on a position by a block of its `moves`, in the order of `add`.

    With `probe` the block runs for an attack test (65).
    """
    piece = scene.board[position]
    return _Run(scene, piece.player, piece.type, position, probe=probe).moves(block.code)


def drops_of(scene: Scene, side: str, piece: str, block: Block) -> list[Move]:
    """The moves of a block of `drops` on all positions where it is tried (47)."""
    moves: list[Move] = []
    for position in _drop_positions(scene, side, block.code):
        run = _Run(scene, side, piece, position, probe=False)
        run.kind = "drop"
        moves += run.moves(block.code)
    return moves


def _drop_positions(scene: Scene, side: str, code: list[Form]) -> list[str]:
    board = scene.rules.board
    positions, zones = [], []
    for form in code:
        if form in board.positions and form not in board.directions:
            positions.append(str(form))
        elif isinstance(form, str) and board.is_zone(form) and form not in board.directions:
            zones.append(form)
        else:
            break
    if len(zones) > 1:
        return []
    if positions:
        return positions[-1:]
    tried = board.zone(zones[0], side) if zones else board.positions
    return [p for p in tried if DROPS_ON_DUMMIES or p not in board.dummies]


# --- a running block ----------------------------------------------------------------------


class _BlockEndsError(Exception):
    """The block ends; moves that were added stay (50)."""


class _Run(State):
    """A running block: its movements, effects and the moves added so far.

    Args:
        scene: The board before the move.
        side: The moving side.
        piece: Type of the piece that moves or is dropped.
        start: Where the piece stands, or the position that is tried.
    """

    def __init__(self, scene: Scene, side: str, piece: str, start: str, *, probe: bool) -> None:
        super().__init__(scene, side, piece, start, probe=probe)
        self.saved: list[Movement] = []  # by `cascade`
        self.kind = "move"  # of the current movement: move or drop
        self.effects: list[Effect] = []
        self.added: list[Move] = []

    def moves(self, code: list[Form]) -> list[Move]:
        with suppress(_BlockEndsError):
            self.run(code)
        return self.added

    def run(self, code: list[Form]) -> None:
        for form in code:
            head, *arguments = form if isinstance(form, list) else [form]
            instruction = _INSTRUCTIONS.get(head) if isinstance(head, str) else None
            if instruction is not None:
                instruction(self, arguments)
            elif isinstance(form, list):
                self.run(form)
            elif not (self.kind == "drop" and self.geometry.is_zone(form)):
                self.cursor = self.square([form])

    def square(self, arguments: list[Form]) -> str:
        """The same for an instruction, which ends the block off the board (50)."""
        position = self.find(arguments)
        if position is None:
            raise _BlockEndsError
        return position

    # --- the cursor (6.2) -----------------------------------------------------------------

    def opposite(self, arguments: list[Form]) -> None:
        self.cursor = self.square([["opposite", *arguments]])

    def set_mark(self, arguments: list[Form]) -> None:
        self.mark = self.find(arguments) or self.mark  # only the cursor's way ends a block (57)

    def back(self, _: list[Form]) -> None:
        self.cursor = self.mark

    def go(self, arguments: list[Form]) -> None:
        places = {
            "from": self.origin,
            "to": self.target if self.target is not None else self.cursor,
            "mark": self.mark,
            "last-from": self.scene.last_from,
            "last-to": self.scene.last_to,
        }
        if not arguments:
            return
        place = places.get(str(arguments[0]))
        if place is None:
            raise _BlockEndsError
        self.cursor = place

    def set_from(self, _: list[Form]) -> None:
        self.origin = self.cursor

    def set_to(self, _: list[Form]) -> None:
        self.target = self.cursor

    # --- control (6.3) --------------------------------------------------------------------

    def verify(self, arguments: list[Form]) -> None:
        if not self.holds(arguments):
            raise _BlockEndsError

    def if_else(self, arguments: list[Form]) -> None:
        branch = arguments[1:]
        at = branch.index("else") if "else" in branch else len(branch)
        self.run(branch[:at] if self.holds(arguments) else branch[at + 1 :])

    def while_loop(self, arguments: list[Form]) -> None:
        for _ in range(WHILE_ROUNDS_PER_POSITION * len(self.geometry.positions)):
            if not self.holds(arguments):
                return
            self.run(arguments[1:])
        if self.holds(arguments):
            raise _BlockEndsError

    # --- effects (6.4) and flags (6.5) ----------------------------------------------------

    def cascade(self, _: list[Form]) -> None:
        self.saved.append(self.movement("move"))
        self.origin, self.target, self.kind = self.cursor, None, "move"

    def movement(self, kind: str) -> Movement:
        target = self.cursor if self.target is None else self.target
        if self.kind == "drop":
            return Movement("drop", self.piece, target)
        return Movement(kind, self.origin, target)

    def effect(self, kind: str, place: list[Form], **details: Any) -> None:  # noqa: ANN401 - of Effect
        """A pending effect; off the board it vanishes, and the block goes on (57)."""
        position = self.find(place)
        if position is not None:
            self.effects.append(Effect(kind, position, **details))

    def capture(self, arguments: list[Form]) -> None:
        self.effect("capture", arguments)

    def create(self, arguments: list[Form]) -> None:
        rest = list(arguments)
        player = rest.pop(0) if rest and rest[0] in self.rules.players else self.side
        piece = rest.pop(0) if rest and str(rest[0]) in self.rules.pieces else self.piece
        self.effect("create", rest, player=player, name=piece)

    def change_type(self, arguments: list[Form]) -> None:
        if arguments and arguments[0] in self.rules.pieces:  # 13: `(change-type)` does nothing
            self.effect("type", arguments[1:], name=arguments[0])

    def change_owner(self, arguments: list[Form]) -> None:
        self.effect("owner", arguments, player=self.side)

    def flip(self, arguments: list[Form]) -> None:
        self.effect("flip", arguments)

    def set_attribute(self, arguments: list[Form]) -> None:
        if arguments and arguments[0] in self.rules.attributes:
            value = self.holds(arguments[1:])
            self.effect("attribute", arguments[2:], name=arguments[0], value=value)

    def set_flag(self, arguments: list[Form]) -> None:
        if arguments:
            _set(self.flags, arguments[0], self.holds(arguments[1:]))

    def set_position_flag(self, arguments: list[Form]) -> None:
        place = self.find(arguments[2:])
        if arguments and place is not None:
            _set(self.position_flags, (arguments[0], place), self.holds(arguments[1:]))

    # --- add (6.4) ------------------------------------------------------------------------

    def add(self, arguments: list[Form]) -> None:
        self.finish("move", arguments, partial=False)

    def add_partial(self, arguments: list[Form]) -> None:
        self.finish("move", arguments, partial=True)

    def add_copy(self, arguments: list[Form]) -> None:
        self.finish("copy", arguments, partial=False)

    def add_copy_partial(self, arguments: list[Form]) -> None:
        self.finish("copy", arguments, partial=True)

    def finish(self, kind: str, arguments: list[Form], *, partial: bool) -> None:
        names = [str(argument) for argument in arguments]
        types: list[str | None] = [name for name in names if name in self.rules.pieces]
        others = [name for name in names if name not in self.rules.pieces]
        movements = self.real_movements([*self.saved, self.movement(kind)])
        for promotion in (movements and types) or [None]:
            move = Move(
                side=self.side,
                piece=self.piece,
                movements=movements,
                effects=self.real_effects(movements),
                promotion=promotion,
                partial=partial,
                continuation=others[-1] if partial and others else "",
            )
            if self.changes_something(move) and self.has_promotion(move):
                if not self.probe:
                    move = replace(move, text=written(self.scene, move))
                self.added.append(move)
        self.effects = []  # 51
        if self.rules.option("discard cascades"):
            self.saved = []

    def real_movements(self, movements: list[Movement]) -> tuple[Movement, ...]:
        """Without those that begin on an empty square: they move nothing."""
        return tuple(m for m in movements if m.kind == "drop" or m.origin in self.scene.board)

    def real_effects(self, movements: tuple[Movement, ...]) -> tuple[Effect, ...]:
        """Without those on squares that are empty and stay so during the move (85)."""
        filled = {*self.scene.board, *(movement.target for movement in movements)}
        filled |= {effect.position for effect in self.effects if effect.kind == "create"}
        return tuple(effect for effect in self.effects if effect.position in filled)

    def changes_something(self, move: Move) -> bool:
        """57: a move without any effect is none, but a copy onto its own square is a pass."""
        moved = any(m.kind != "move" or m.origin != m.target for m in move.movements)
        return moved or bool(move.effects) or move.promotion is not None

    def has_promotion(self, move: Move) -> bool:
        """Whether the store holds the promoted piece, if promotions are recycled (section 7)."""
        if move.promotion is None or not self.rules.option("recycle promotions"):
            return True
        dropped = any(m[:2] == ("drop", move.promotion) for m in move.movements)
        return self.scene.reserves.get((self.side, move.promotion), 0) > dropped


def _set(true: set[_Key], key: _Key, value: bool) -> None:
    if value:
        true.add(key)
    else:
        true.discard(key)


_INSTRUCTIONS: Final = {
    "opposite": _Run.opposite,
    "mark": _Run.set_mark,
    "back": _Run.back,
    "go": _Run.go,
    "from": _Run.set_from,
    "to": _Run.set_to,
    "verify": _Run.verify,
    "if": _Run.if_else,
    "while": _Run.while_loop,
    "cascade": _Run.cascade,
    "capture": _Run.capture,
    "create": _Run.create,
    "change-type": _Run.change_type,
    "change-owner": _Run.change_owner,
    "flip": _Run.flip,
    "set-attribute": _Run.set_attribute,
    "set-flag": _Run.set_flag,
    "set-position-flag": _Run.set_position_flag,
    "add": _Run.add,
    "add-partial": _Run.add_partial,
    "add-copy": _Run.add_copy,
    "add-copy-partial": _Run.add_copy_partial,
}
