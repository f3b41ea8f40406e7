"""What the contract on ZRF leaves open: one switch for each point, with its default.

Owns the switches.  The numbers are those of section 16 of the contract.  Switches are asked when
rules are read and compiled, so that the defaults cost nothing while a game is played.

Four points have no switch, because no other behavior is simple, or it would not show in play:

- 3: a captured piece is stored under its type on the board; it does not remember another one.
- 10, "prevent flipping" 2: that option has no effect on play.
- 12, two positions of one name: only pictures depend on the rectangle, which is the first one.
- 19: `(opposite d)` is found before the symmetry is applied; on all usual boards the other order
  leads to the same positions.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Choices"]


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How rules are understood where the contract leaves it open."""

    while_rounds_per_position: int = 4
    """1: a `while` ends its block after this many rounds for each position of the board."""

    promotion_keeps_attributes: bool = True
    """2: a piece promoted by `(add T)` keeps its attributes; otherwise it has those of a new T."""

    neutral_pieces_are_enemies: bool = True
    """4: `enemy?` and `adjacent-to-enemy?` are true for pieces of neutral players."""

    neutral_pieces_attack: bool = False
    """4: `attacked?`, and the safety of royal pieces, count pieces of neutral players."""

    promotion_comes_last: bool = True
    """5: `(add T)` decides the type even if `change-type` changes the same piece."""

    later_create_stands: bool = True
    """5: of two pieces created on one position, the later one stays; otherwise the first one."""

    captured_allows_danger: bool = False
    """6: a type that has both goals, `checkmated` and `captured`, may be left attacked."""

    players_for_elimination: int = 3
    """7: with so many real players, one who loses drops out; with fewer the loss ends the game."""

    real_players_for_skip: int = 3
    """8: with so many real players, a turn without a move is skipped; with fewer it is a draw."""

    random_players_skip: bool = True
    """8: the turn of a random player without a move is skipped; otherwise the game is a draw."""

    continuation_types_start_a_turn: bool = True
    """9: without `move-priorities`, blocks of a type that only `add-partial` names may start a turn
    of an entry without a type."""

    pass_turn_2_is: Literal["true", "forced", "false"] = "forced"
    """10: the value 2 of the option "pass turn"."""

    maximal_captures_2_is: Literal["value", "number"] = "value"
    """10: with the value 2 of "maximal captures", kings count more; otherwise it is like `true`."""

    each_capture_of_a_part_counts: bool = True
    """11: for "maximal captures", a part that takes several pieces counts them all."""

    later_link_wins: bool = True
    """12: of two links of one direction from one position, the later one holds."""

    last_squares_after_cascade: Literal["last", "first"] = "last"
    """13: which movement of a move by `cascade` the questions `last-from?` and `last-to?` mean."""

    drops_on_dummies: bool = False
    """14: drops are tried on dummy positions, too."""

    flip_skips_neutral_and_random: bool = False
    """15: `flip` gives a piece to the next player that is neither neutral nor random."""

    goal_order: tuple[str, ...] = (
        "mover-wins",
        "mover-loses",
        "other-wins",
        "other-loses",
        "count",
        "draw",
    )
    """16: of goals that hold at once, the first one of this order decides; name all six."""

    safety_after_each_part: bool = True
    """17: a part of a series must not leave royal pieces attacked; otherwise only the last part."""

    safety_between_turns: bool = False
    """67b: of several turns of one player in a row, with the same pieces, each must leave the royal
    pieces safe; otherwise only the last one."""

    copy_in_a_drop_takes: Literal["own", "copy"] = "own"
    """18: the type that `(add-copy T)` in a drop takes from its store: that of the block, or T, of
    which the store must then contain one."""

    third_occurrence_is_a_draw: bool = True
    """20 and statement 72: without a `repetition` goal, in games of more than one real player."""
