"""Rhythmomachia 2: another program's rules on the same board, `rules/rithmomachia.md` section 10.

Owns the rules of section 10 except the harmonies (rhythmomachia2_harmony.py).  The board, set-up
and numbers come from section 2.  Sections 4 to 8 apply only where an interpretation below refers
to them.

A turn is a sequence of actions: attacks, at most one move, more attacks, and the end of the turn.
One action is one ply.  "The page" is `rules/rithmomachia.md`.

Interpretations where the page has no rule.  The README of the bundled game contains the
interpretations marked with a star:
- Blue is White, which moves first in the other rules as well.
- * The player may end the turn at any time, with or without a move.
- An attack is made by one piece on one victim.  Direct confrontation lowers the victim's rating
  by the attacker's number.  An attack at a distance lowers it by the product of that number and
  the count of squares, or by their exact quotient.  It goes in any direction in which the
  attacker's class moves, and passes over other pieces (section 6).
- No rating becomes negative.  The player may lower a rating without capturing the victim.
- With `r2-formation = on`, an attack at a distance may lower a victim by less than its remaining
  rating; with `off`, one attack must remove the full rating.  `r2-direct = also-joint` allows the
  same for direct confrontation; with `equal`, the attacker's number must equal the remaining
  rating.
- Each part of a pyramid is a victim, and so is its total (section 5).  A piece may attack each of
  these victims once.  The pyramid attacks as one piece, each time with the number of a part in
  that part's directions, or with the total in the directions of any part.  With
  `pyramid = parts` totals neither attack nor are attacked.
- * A pyramid with one part has no total.  When a part is lost, reductions of the old total are
  void, but a piece that has attacked the total cannot attack it again in this turn.
- * A siege (`r2-siege`, section 6) is an optional attack, possible at any time in the turn and
  for any ratings.  It captures a pyramid with all its parts.
- * The swap (`r2-swap`) is decided immediately after the loss of a single part: the owner replaces
  the part or declines, then the turn continues.  A pyramid whose last part was lost stays on the
  board until then.  The replacement keeps the reductions and attacks of this turn.
- * A harmony wins immediately after a move or capture, or at the end of the turn, for the player
  whose turn it is.  Capturing all enemy pieces wins as well.
- `draw_after` counts turns without a capture.  The page defines it and the common victories for
  the other rules only.  Two of these victories are included to test that the game's settings
  still apply.
- For a player without pieces (`annihilation = off`), section 9's `stalemate` applies.  A forced
  pass does not count as a turn.
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
    ray,
)
from tests.models.rithmomachia_game import Ending, Tally, position

__all__ = [
    "CHOICES2",
    "STEPS",
    "TOTAL",
    "Action",
    "Options2",
    "State2",
    "Target",
    "position2",
    "start2",
]

STEPS: Final = {"R": ORTHOGONAL, "T": DIAGONAL, "S": ORTHOGONAL + DIAGONAL}
TOTAL: Final = "total"

# Every option of section 10 with its values, the default first.  The option `pyramid` and the
# last value of `annihilation` are additions of the bundled game.
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
    """The options of section 10 that have several values, and some options of section 9."""

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
    """One ply; `kind` is move, attack, siege, swap or end.

    An attack lowers the rating of the victim on `goal` by `amount`; if that is a pyramid, `part`
    is the attacked part or `total`.  A swap turns the piece on `start` into the lost part `part`.
    An end while a swap is possible declines the swap.
    """

    kind: str
    start: str = ""
    goal: str = ""
    part: str = ""
    amount: int = 0


Target = tuple[str, str]  # a victim: its square, and for a pyramid the part or TOTAL
NO_LOSSES: Final[Mapping[str, Tally]] = {"W": Tally(), "B": Tally()}


@dataclass(frozen=True)
class State2:
    """A position within a turn.

    `turn` is the side whose turn it is, even while the other side decides about a swap for
    `lost_part`.  `moved` is the move of this turn.  `lowered` has the sum of this turn's attacks
    on each victim.  `attacks_made` has pairs of attacker and victim; an attacker is identified
    by its square at the start of the turn.  `quiet` counts turns without a capture; it is -1
    during a turn with a capture.  `victory_candidate` is the side that may have won by the last
    action, and `captured` tells whether that action was a capture.
    """

    options: Options2
    board: Board
    parts: Parts
    turn: str = "W"
    moved: tuple[str, str] | None = None
    lost_part: Piece | None = None
    lowered: Mapping[Target, int] = field(default_factory=dict)
    attacks_made: frozenset[tuple[str, Target]] = frozenset()
    lost: Mapping[str, Tally] = field(default_factory=lambda: NO_LOSSES)
    quiet: int = 0
    victory_candidate: str = ""
    captured: bool = False

    # --- possible actions ------------------------------------------------------------------

    @property
    def to_act(self) -> str:
        """The side that chooses the next action."""
        return OTHER[self.turn] if self.lost_part else self.turn

    @cached_property
    def actions(self) -> list[Action]:
        """All legal actions."""
        found = {Action("end")}
        if self.lost_part:
            return sorted(found | set(self._swaps(self.lost_part)))
        if not self.moved:
            found |= set(self._moves())
        if self.options.siege == "on":
            found |= set(self._sieges())
        return sorted(found | set(self._attacks()))

    def pieces(self, side: str) -> Iterator[tuple[str, Piece]]:
        """Yield the squares and pieces of a side."""
        return ((name, piece) for name, piece in self.board.items() if piece.side == side)

    def square_at_turn_start(self, square: str) -> str:
        """Return the square at the start of the turn of the piece now on `square`."""
        return self.moved[0] if self.moved and self.moved[1] == square else square

    def _units(self, piece: Piece) -> tuple[Piece, ...]:
        """Return the units of a piece that move and attack: the piece, or a pyramid's parts."""
        return self.parts[piece.side] if piece.kind == "P" else (piece,)

    def _moves(self) -> Iterator[Action]:
        for square, piece in self.pieces(self.turn):
            for unit in self._units(piece):
                for goal in self._goals(square, unit.kind):
                    if goal not in self.board:
                        yield Action("move", square, goal)

    def _goals(self, square: str, kind: str) -> Iterator[str]:
        """Yield the goals of moves of a class, empty or occupied."""
        length = RUN[kind]
        for step in STEPS[kind]:
            line = ray(square, step)
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
        """Return whether a pyramid's total attacks and is attacked."""
        allowed = self.options.pyramid_total == "always" or intact(self.parts, side)
        return self.options.pyramid == "total" and allowed and len(self.parts[side]) > 1

    def _direct(self, square: str, kind: str, value: int) -> Iterator[Action]:
        joint = self.options.direct == "also-joint"
        for goal in self._goals(square, kind):
            for target, rating, _ in self.targets(goal):
                if value == rating or (joint and value < rating):
                    yield from self._attack_actions(square, target, value)

    def _distant(self, square: str, kind: str, value: int) -> Iterator[Action]:
        for step in STEPS[kind]:
            for count, goal in enumerate(ray(square, step), start=2):
                if goal not in self.board:
                    continue
                amounts = [value * count]
                if value % count == 0:
                    amounts.append(value // count)
                for target, rating, full_rating in self.targets(goal):
                    for amount in amounts:
                        captures = amount == rating == full_rating
                        if captures or (self.options.formation == "on" and amount <= rating):
                            yield from self._attack_actions(square, target, amount)

    def _attack_actions(self, square: str, target: Target, amount: int) -> Iterator[Action]:
        if (self.square_at_turn_start(square), target) not in self.attacks_made:
            yield Action("attack", square, target[0], target[1], amount)

    def targets(self, square: str) -> Iterator[tuple[Target, int, int]]:
        """Yield the victims on a square, each with its remaining and its full rating."""
        piece = self.board.get(square)
        if piece is None or piece.side == self.turn:
            return
        ratings = {"": piece.value}
        if piece.kind == "P":
            ratings = {_name(part): part.value for part in self.parts[piece.side]}
            if self._total_counts(piece.side):
                ratings[TOTAL] = sum(ratings.values())
        for name, full_rating in ratings.items():
            yield (square, name), full_rating - self.lowered.get((square, name), 0), full_rating

    def _sieges(self) -> Iterator[Action]:
        for square, _ in self.pieces(OTHER[self.turn]):
            neighbours = orthogonals(square), diagonals(square)
            if any(all(self._is_blocked(name) for name in four) for four in neighbours):
                yield Action("siege", "", square)

    def _is_blocked(self, name: str | None) -> bool:
        return name is None or (name in self.board and self.board[name].side == self.turn)

    def _swaps(self, part: Piece) -> Iterator[Action]:
        for square, piece in self.pieces(part.side):
            if piece == part:
                yield Action("swap", square, "", _name(part))

    # --- playing actions ---------------------------------------------------------------------

    def play(self, action: Action) -> State2:
        """Return the position after an action."""
        if action.kind == "end":
            return self._decline_swap() if self.lost_part else self._end_turn()
        methods = {
            "move": self._play_move,
            "attack": self._play_attack,
            "swap": self._play_swap,
            "siege": self._play_siege,
        }
        return methods[action.kind](action)

    def _play_move(self, action: Action) -> State2:
        board = dict(self.board)
        board[action.goal] = board.pop(action.start)
        moved = (action.start, action.goal)
        return replace(self, board=board, moved=moved, victory_candidate=self.turn, captured=False)

    def _play_attack(self, action: Action) -> State2:
        target = (action.goal, action.part)
        ratings = {victim: rating for victim, rating, _ in self.targets(action.goal)}
        if ratings[target] == action.amount:
            return self._capture(target)
        lowered = {**self.lowered, target: self.lowered.get(target, 0) + action.amount}
        attacks_made = self.attacks_made | {(self.square_at_turn_start(action.start), target)}
        return replace(
            self, lowered=lowered, attacks_made=attacks_made, victory_candidate="", captured=False
        )

    def _play_siege(self, action: Action) -> State2:
        is_pyramid = self.board[action.goal].kind == "P"
        return self._capture((action.goal, TOTAL if is_pyramid else ""))

    def _capture(self, target: Target) -> State2:
        """Return the position after the capture of a piece, a part or a pyramid."""
        square, name = target
        side = OTHER[self.turn]
        board, parts = dict(self.board), dict(self.parts)
        removed: tuple[Piece, ...] = (board[square],)
        lost_part = None
        if name:
            removed = tuple(part for part in parts[side] if name in (TOTAL, _name(part)))
            parts[side] = tuple(part for part in parts[side] if part not in removed)
            if name != TOTAL and self.options.swap == "on":
                lost_part = next((part for part in removed if part in board.values()), None)
        if not name or not (parts[side] or lost_part):
            del board[square]
        tally = self.lost[side]
        for piece in removed:
            tally = tally.with_value(piece.value)
        # A captured victim has no reductions, and the loss of a part voids those of the total.
        void = (target, (square, TOTAL))
        return replace(
            self,
            board=board,
            parts=parts,
            lost_part=lost_part,
            lowered={
                victim: reduction
                for victim, reduction in self.lowered.items()
                if victim not in void
            },
            lost={**self.lost, side: tally},
            quiet=-1,
            victory_candidate=self.turn,
            captured=True,
        )

    def _pyramid_square(self) -> str:
        """Return the square of the pyramid that has lost a part."""
        (square,) = (name for name, piece in self.pieces(self.to_act) if piece.kind == "P")
        return square

    def _play_swap(self, action: Action) -> State2:
        side = self.to_act
        old, new = (action.start, ""), (self._pyramid_square(), action.part)
        board, parts = dict(self.board), dict(self.parts)
        part = board.pop(action.start)
        order = SETUP_PARTS[side]
        parts[side] = tuple(sorted((*parts[side], part), key=order.index))
        lowered = {victim: reduction for victim, reduction in self.lowered.items() if victim != old}
        if old in self.lowered:
            lowered[new] = self.lowered[old]
        attacks_made = {pair for pair in self.attacks_made if pair[1] not in (old, new)}
        attacks_made |= {(attacker, new) for attacker, victim in self.attacks_made if victim == old}
        return replace(
            self,
            board=board,
            parts=parts,
            lost_part=None,
            lowered=lowered,
            attacks_made=frozenset(attacks_made),
            victory_candidate="",
            captured=False,
        )

    def _decline_swap(self) -> State2:
        board = dict(self.board)
        if not self.parts[self.to_act]:
            del board[self._pyramid_square()]
        return replace(self, board=board, lost_part=None, victory_candidate="", captured=False)

    def _end_turn(self) -> State2:
        forced = not any(self.pieces(self.turn))
        return State2(
            self.options,
            self.board,
            self.parts,
            OTHER[self.turn],
            lost=self.lost,
            quiet=self.quiet if forced else self.quiet + 1,
            victory_candidate="" if forced else self.turn,
        )

    # --- the end -------------------------------------------------------------------------------

    @cached_property
    def ending(self) -> Ending | None:
        """The end of the game, None while it continues."""
        if self.victory_candidate and (name := self._victory(self.victory_candidate)):
            return Ending(self.victory_candidate, name)
        if not any(self.pieces(self.turn)) and self.options.stalemate != "pass":
            loses = self.options.stalemate == "loss"
            return Ending(OTHER[self.turn] if loses else None, "stalemate")
        return Ending(None, "draw-after") if 0 < self.options.draw_after <= self.quiet else None

    def _victory(self, side: str) -> str:
        """Return the name of the victory that a side has just won, or an empty string."""
        options, lost = self.options, self.lost[OTHER[side]]
        value_limit = options.value["WB".index(side)]
        names = {
            "De Corpore": self.captured and 0 < options.n_pieces <= lost.pieces,
            "De Bonis": self.captured and 0 < value_limit <= lost.value,
            "Annihilation": self.captured
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
        return next((name for name, won in reversed(names.items()) if won), "")


def _name(part: Piece) -> str:
    return str(part)[1:]


def start2(options: Options2 = Options2()) -> State2:
    """Return the first position."""
    return State2(options, SETUP, SETUP_PARTS, "B" if options.first == "black" else "W")


def position2(
    pieces: Mapping[str, str],
    options: Options2 = Options2(),
    *,
    turn: str = "W",
    parts: Mapping[str, str] | None = None,
) -> State2:
    """Return a position with pieces written as for `rithmomachia_game.position`."""
    plain = position(pieces, turn=turn, parts=parts)
    return State2(options, plain.board, plain.parts, turn)
