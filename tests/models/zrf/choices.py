"""What the contract leaves open: one constant for each choice that has an alternative in the code.

The numbers are those of section 16; the rest of its defaults (2, 3, 5, 6, 13) are what the plain
code does.  `Choices` of forthvm has fields of the same names, in lower case;
test_choices_against_model.py compares other values of both.
"""

from __future__ import annotations

from typing import Final

# --- section 16 ---------------------------------------------------------------------------

WHILE_ROUNDS_PER_POSITION: Final = 4
"""1: a `while` ends the block after this many rounds for each position."""

NEUTRAL_PIECES_ARE_ENEMIES: Final = True
"""4: `enemy?` is true for them ..."""

NEUTRAL_PIECES_ATTACK: Final = False
"""4: ... but `attacked?` and `defended?` ignore them."""

PLAYERS_FOR_ELIMINATION: Final = 3
"""7: with so many real players the loss of one takes only him out of the game."""

REAL_PLAYERS_FOR_SKIP: Final = 3
"""8: with so many real players a turn without a legal move is skipped; with fewer it is a draw."""

CONTINUATION_TYPES_START_A_TURN: Final = True
"""9: blocks that are meant as continuations only may start a turn of a bare entry."""

PASS_TURN_2_IS: Final = "forced"
"""10: value 2 of the option "pass turn"."""

EACH_CAPTURE_OF_A_PART_COUNTS: Final = True
"""11: for the option "maximal captures"."""

DROPS_ON_DUMMIES: Final = False
"""14: dummy positions are not tried for drops, unless the block names the position."""

GOAL_ORDER: Final = ("win of the mover", "loss of the mover", "win", "loss", "count", "draw")
"""16: the first of these that holds decides.  Section 16 does not mention count conditions."""

SAFETY_AFTER_EACH_PART: Final = True
"""17: royal pieces must be safe after each partial move."""

SAFETY_BETWEEN_TURNS: Final = False
"""67b: of turns in a row of one player with the same pieces, only the last must leave royal pieces
safe."""

THIRD_OCCURRENCE_IS_A_DRAW: Final = True
"""20 and statement 72: without a `repetition` goal, in games of more than one real player."""

# --- where the contract is silent ---------------------------------------------------------

REPETITIONS: Final = 3
"""A position that occurs so often is a repetition (68)."""

CREATE_ATTACKS: Final = False
"""A block that could `create` a piece on a position does not attack it."""
