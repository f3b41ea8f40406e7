"""Rhythmomachia 2: another program's rules on the same board, `rules/rithmomachia.md` section 10.

Owns that option set but for its harmonies.  The board, set-up and numbers are section 2's;
sections 4 to 8 do not hold here except where a reading below says so.

A turn is a row of actions: attacks, at most one move, attacks, and its end.  One action is
one ply.  Readings, where the page is silent; those marked with a star were settled with the
bundled game, whose README has them as well:
- Blue is White, who moves first in the other rules too.
- * The player may end his turn at any time, whether he has moved or not.
- An attack is one piece against one victim.  Direct confrontation lowers by the attacker's
  number; the attack at a distance by its product with the count of squares, or by the exact
  quotient, in any direction in which its class moves, over pieces too (section 6).
- Nothing is lowered below 0.  What is lowered for nothing is the player's choice.
- `r2-formation` lets attacks at a distance lower a victim by less than is left of it; off, each
  of them must take the whole rating alone.  `r2-direct = also-joint` does the same for direct
  confrontation; `equal` wants the attacker's number to be what is left of the victim then.
- Of a pyramid each part is a victim, and so is its total (section 5); a piece may attack each
  of them once.  The pyramid attacks as one piece, each time with a part in that part's
  directions, or with the total in any part's.  `pyramid = parts` is without totals.
- * One part alone has no total beside itself.  With each loss the total is a new one: what
  was taken off it is void, but who has attacked it has attacked it.
- * `r2-siege` (section 6's) is an attack as well: the player's choice, at any time in his turn,
  whatever the ratings; it takes a pyramid whole.
- * `r2-swap` is decided as soon as a single part is lost: the owner answers, then the turn goes
  on.  A pyramid without parts waits for the answer.  The piece that is given up keeps, as a
  part, what was taken off it in this turn and who has attacked it.
- * A harmony wins at once: after a move, a capture, or at the end of the turn, for the player
  whose turn it is.  So does capturing all enemies.
- * `draw_after` counts turns without capture; the page has it for the other rules only, as it
  has the common victories, two of which are here to see that the game's settings still count.
- Who has no pieces left (`annihilation = off`) falls under section 9's `stalemate`; a pass
  that is forced is no turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, NamedTuple

from tests.models.rhythmomachia2_harmony import harmony
from tests.models.rithmomachia_board import (
    DIAGONAL,
    ORTHOGONAL,
    OTHER,
    RUN,
    SETUP,
    SETUP_PARTS,
    Board,
    Parts,
    Piece,
    diagonals,
    intact,
    orthogonals,
    walk,
)
from tests.models.rithmomachia_game import Ending, Tally, position

__all__ = [
    "CHOICES2",
    "STEPS",
    "WHOLE",
    "Action",
    "Options2",
    "State2",
    "Target",
    "position2",
    "start2",
]

STEPS: Final = {"R": ORTHOGONAL, "T": DIAGONAL, "S": ORTHOGONAL + DIAGONAL}
WHOLE: Final = "total"

# Every option of section 10: its values, the default first.  The bundled game adds the last
# value of `annihilation`, and `pyramid`.
CHOICES2: Final[dict[str, tuple[str | int, ...]]] = {
    "moves": ("on",),
    "first": ("blue",),
    "attack_time": ("around",),
    "attack": ("reduce",),
    "once": ("on",),
    "direction": ("on",),
    "direct": ("equal", "also-joint"),
    "formation": ("on", "off"),
    "siege": ("off", "on"),
    "pyramid": ("total", "parts"),
    "swap": ("on", "off"),
    "harmony": ("all", "arithmetic", "geometric", "harmonic"),
    "shape": ("both", "line", "triangle"),
    "enemy": (1, 0),
    "annihilation": ("on", "off"),
}


@dataclass(frozen=True)
class Options2:
    """The choices of section 10 that have more than one value, and some of section 9's."""

    direct: str = "equal"
    formation: str = "on"
    siege: str = "off"
    pyramid: str = "total"
    swap: str = "on"
    harmony: str = "all"
    shape: str = "both"
    enemy: int = 1
    annihilation: str = "on"
    pyramid_total: str = "always"
    first: str = "white"
    stalemate: str = "draw"
    draw_after: int = 40
    n_pieces: int = 0
    value: tuple[int, int] = (0, 0)


class Action(NamedTuple):
    """One ply.  `kind` is move, attack, siege, swap or end.

    An attack lowers `target` by `amount`: a square, for pyramids with the part or `total`.
    A swap gives up the piece on `start` for `part`; an end without it declines.
    """

    kind: str
    start: str = ""
    goal: str = ""
    part: str = ""
    amount: int = 0


Target = tuple[str, str]  # a square, and of a pyramid the part or WHOLE
NOBODY: Final[Mapping[str, Tally]] = {"W": Tally(), "B": Tally()}


@dataclass(frozen=True)
class State2:
    """A position within a turn.

    `turn` is the side whose turn it is, also while the other one is `asked` for a lost part.
    `moved` is this turn's move, `lowered` what its attacks took off ratings, `used` who has
    attacked what; attackers go by the squares on which they began the turn.  `quiet` counts
    turns without capture, -1 in a turn that has one.  `judged` is the side that may have won
    by the last action, `struck` whether that took something.
    """

    options: Options2
    board: Board
    parts: Parts
    turn: str = "W"
    moved: tuple[str, str] | None = None
    asked: Piece | None = None
    lowered: Mapping[Target, int] = field(default_factory=dict)
    used: frozenset[tuple[str, Target]] = frozenset()
    lost: Mapping[str, Tally] = field(default_factory=lambda: NOBODY)
    quiet: int = 0
    judged: str = ""
    struck: bool = False

    # --- what may be done ------------------------------------------------------------------

    @property
    def to_act(self) -> str:
        """The side that decides what happens next."""
        return OTHER[self.turn] if self.asked else self.turn

    @cached_property
    def actions(self) -> list[Action]:
        """Everything that the side may do now."""
        found = {Action("end")}
        if self.asked:
            return sorted(found | set(self._swaps(self.asked)))
        if not self.moved:
            found |= set(self._moves())
        if self.options.siege == "on":
            found |= set(self._sieges())
        return sorted(found | set(self._attacks()))

    def pieces(self, side: str) -> Iterator[tuple[str, Piece]]:
        """A side's pieces on the board."""
        return ((name, piece) for name, piece in self.board.items() if piece.side == side)

    def begun(self, square: str) -> str:
        """Where the piece that stands on a square began the turn."""
        return self.moved[0] if self.moved and self.moved[1] == square else square

    def _units(self, piece: Piece) -> tuple[Piece, ...]:
        """What a piece moves and attacks as: itself, or each part."""
        return self.parts[piece.side] if piece.kind == "P" else (piece,)

    def _moves(self) -> Iterator[Action]:
        for square, piece in self.pieces(self.turn):
            for unit in self._units(piece):
                for goal in self._ends(square, unit.kind):
                    if goal not in self.board:
                        yield Action("move", square, goal)

    def _ends(self, square: str, kind: str) -> Iterator[str]:
        """Where a class's move ends, if that were empty."""
        length = RUN[kind]
        for step in STEPS[kind]:
            line = walk(square, step)
            if len(line) >= length and not any(at in self.board for at in line[: length - 1]):
                yield line[length - 1]

    def _attacks(self) -> Iterator[Action]:
        for square, piece in self.pieces(self.turn):
            units = [(unit.kind, unit.value) for unit in self._units(piece)]
            if piece.kind == "P" and self._total_counts(self.turn):
                total = sum(value for _, value in units)
                units += [(kind, total) for kind, _ in units]
            for kind, value in set(units):
                yield from self._direct(square, kind, value)
                yield from self._distant(square, kind, value)

    def _total_counts(self, side: str) -> bool:
        """Whether a pyramid's total attacks and is attacked."""
        whole = self.options.pyramid_total == "always" or intact(self.parts, side)
        return self.options.pyramid == "total" and whole and len(self.parts[side]) > 1

    def _direct(self, square: str, kind: str, value: int) -> Iterator[Action]:
        joint = self.options.direct == "also-joint"
        for goal in self._ends(square, kind):
            for target, left, _ in self.targets(goal):
                if value == left or (joint and value < left):
                    yield from self._attack(square, target, value)

    def _distant(self, square: str, kind: str, value: int) -> Iterator[Action]:
        for step in STEPS[kind]:
            for count, goal in enumerate(walk(square, step), start=2):
                if goal not in self.board:
                    continue
                amounts = [value * count]
                if value % count == 0:
                    amounts.append(value // count)
                for target, left, full in self.targets(goal):
                    for amount in amounts:
                        alone = amount == left == full
                        if alone or (self.options.formation == "on" and amount <= left):
                            yield from self._attack(square, target, amount)

    def _attack(self, square: str, target: Target, amount: int) -> Iterator[Action]:
        if (self.begun(square), target) not in self.used:
            yield Action("attack", square, target[0], target[1], amount)

    def targets(self, square: str) -> Iterator[tuple[Target, int, int]]:
        """Victims on a square: each with what is left of its rating, and the full rating."""
        piece = self.board.get(square)
        if piece is None or piece.side == self.turn:
            return
        ratings = {"": piece.value}
        if piece.kind == "P":
            ratings = {_name(part): part.value for part in self.parts[piece.side]}
            if self._total_counts(piece.side):
                ratings[WHOLE] = sum(ratings.values())
        for name, full in ratings.items():
            yield (square, name), full - self.lowered.get((square, name), 0), full

    def _sieges(self) -> Iterator[Action]:
        for square, _ in self.pieces(OTHER[self.turn]):
            around = orthogonals(square), diagonals(square)
            if any(all(self._blocks(name) for name in four) for four in around):
                yield Action("siege", "", square)

    def _blocks(self, name: str | None) -> bool:
        return name is None or (name in self.board and self.board[name].side == self.turn)

    def _swaps(self, part: Piece) -> Iterator[Action]:
        for square, piece in self.pieces(part.side):
            if piece == part:
                yield Action("swap", square, "", _name(part))

    # --- doing it ----------------------------------------------------------------------------

    def play(self, action: Action) -> State2:
        """The position after an action."""
        if action.kind == "end":
            return self._decline() if self.asked else self._end()
        does = {"move": self._move, "attack": self._strike, "swap": self._swap}
        return does.get(action.kind, self._besiege)(action)

    def _move(self, action: Action) -> State2:
        board = dict(self.board)
        board[action.goal] = board.pop(action.start)
        moved = (action.start, action.goal)
        return replace(self, board=board, moved=moved, judged=self.turn, struck=False)

    def _strike(self, action: Action) -> State2:
        target = (action.goal, action.part)
        (left,) = (rest for known, rest, _ in self.targets(action.goal) if known == target)
        if left == action.amount:
            return self._without(target)
        lowered = {**self.lowered, target: self.lowered.get(target, 0) + action.amount}
        used = self.used | {(self.begun(action.start), target)}
        return replace(self, lowered=lowered, used=used, judged="", struck=False)

    def _besiege(self, action: Action) -> State2:
        whole = self.board[action.goal].kind == "P"
        return self._without((action.goal, WHOLE if whole else ""))

    def _without(self, target: Target) -> State2:
        """The position without a captured piece, part, or whole pyramid."""
        square, name = target
        side = OTHER[self.turn]
        board, parts = dict(self.board), dict(self.parts)
        gone: tuple[Piece, ...] = (board[square],)
        asked = None
        if name:
            gone = tuple(part for part in parts[side] if name in (WHOLE, _name(part)))
            parts[side] = tuple(part for part in parts[side] if part not in gone)
            if name != WHOLE and self.options.swap == "on":
                asked = next((part for part in gone if part in board.values()), None)
        if not name or not (parts[side] or asked):
            del board[square]
        tally = self.lost[side]
        for piece in gone:
            tally = tally.with_value(piece.value)
        void = (target, (square, WHOLE))
        return replace(
            self,
            board=board,
            parts=parts,
            asked=asked,
            lowered={known: by for known, by in self.lowered.items() if known not in void},
            lost={**self.lost, side: tally},
            quiet=-1,
            judged=self.turn,
            struck=True,
        )

    def _shell(self) -> str:
        """Where the pyramid stands whose owner is asked."""
        (square,) = (name for name, piece in self.pieces(self.to_act) if piece.kind == "P")
        return square

    def _swap(self, action: Action) -> State2:
        side = self.to_act
        given, place = (action.start, ""), (self._shell(), action.part)
        board, parts = dict(self.board), dict(self.parts)
        part = board.pop(action.start)
        order = SETUP_PARTS[side]
        parts[side] = tuple(sorted((*parts[side], part), key=order.index))
        lowered = {known: by for known, by in self.lowered.items() if known != given}
        if given in self.lowered:
            lowered[place] = self.lowered[given]
        used = {pair for pair in self.used if pair[1] not in (given, place)}
        used |= {(who, place) for who, known in self.used if known == given}
        return replace(
            self,
            board=board,
            parts=parts,
            asked=None,
            lowered=lowered,
            used=frozenset(used),
            judged="",
            struck=False,
        )

    def _decline(self) -> State2:
        board = dict(self.board)
        if not self.parts[self.to_act]:
            del board[self._shell()]
        return replace(self, board=board, asked=None, judged="", struck=False)

    def _end(self) -> State2:
        forced = not any(self.pieces(self.turn))
        return State2(
            self.options,
            self.board,
            self.parts,
            OTHER[self.turn],
            lost=self.lost,
            quiet=self.quiet if forced else self.quiet + 1,
            judged="" if forced else self.turn,
        )

    # --- the end -------------------------------------------------------------------------------

    @cached_property
    def ending(self) -> Ending | None:
        """How the game has ended, None while it goes on."""
        if self.judged and (name := self._victory(self.judged)):
            return Ending(self.judged, name)
        if not any(self.pieces(self.turn)) and self.options.stalemate != "pass":
            loses = self.options.stalemate == "loss"
            return Ending(OTHER[self.turn] if loses else None, "stalemate")
        return Ending(None, "draw-after") if 0 < self.options.draw_after <= self.quiet else None

    def _victory(self, side: str) -> str:
        """The last that holds of what the last action may have brought about."""
        options, lost = self.options, self.lost[OTHER[side]]
        goal = options.value["WB".index(side)]
        names = {
            "De Corpore": self.struck and 0 < options.n_pieces <= lost.pieces,
            "De Bonis": self.struck and 0 < goal <= lost.value,
            "Annihilation": self.struck
            and options.annihilation == "on"
            and not any(self.pieces(OTHER[side])),
            "Harmony": harmony(
                self.board,
                self.parts,
                side,
                kinds=options.harmony,
                shape=options.shape,
                enemy=options.enemy,
            ),
        }
        held = [name for name, holds in names.items() if holds]
        return held[-1] if held else ""


def _name(part: Piece) -> str:
    return str(part)[1:]


def start2(options: Options2 = Options2()) -> State2:
    """The first position."""
    return State2(options, SETUP, SETUP_PARTS, "B" if options.first == "black" else "W")


def position2(
    pieces: Mapping[str, str],
    options: Options2 = Options2(),
    *,
    turn: str = "W",
    parts: Mapping[str, str] | None = None,
) -> State2:
    """A position, written as for `rithmomachia_game.position`."""
    plain = position(pieces, turn=turn, parts=parts)
    return State2(options, plain.board, plain.parts, turn)
