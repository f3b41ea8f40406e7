"""The keywords of rule files of Zillions, with the form and the meaning of each.

Owns the table.
"""

from __future__ import annotations

__all__ = ["CONTROL", "KEYWORDS", "is_keyword"]

CONTROL = frozenset({"define", "include", "if", "else", "while", "verify", "and", "or", "not"})
"""The keywords of definitions and control structures."""

_TABLE = """
define (define NAME …) | defines a macro; $1 to $9 are its arguments
include (include "FILE") | reads another rule file here
version (version "…") | the version of Zillions for which the file was written
game (game …) | a game: its players, board, pieces and goals
variant (variant …) | a variant of the game before it, which replaces sections of the game
default (default) | the game with which Zillions begins
title (title "…") | the name of the game or variant
description (description "…") | a text about the rules
history (history "…") | a text about the game's origin
strategy (strategy "…") | a text about playing well
solution (solution "FILE") | a saved game with the solution of a puzzle
engine (engine "FILE") | a library that generates the moves
players (players NAME …) | the players; a name that begins with ? is a random player
turn-order (turn-order (PLAYER TYPE …) …) | whose turn it is, with which types of moves
repeat | turns after it are repeated; those before it happen once
board (board …) | the squares and the links between them
grid (grid (start-rectangle …) (dimensions …) (directions …)) | squares in a regular pattern
start-rectangle (start-rectangle LEFT TOP RIGHT BOTTOM) | the pixels of the grid's first square
dimensions (dimensions ("a/b/c" (X Y)) …) | the names of the grid's squares and their offsets
directions (directions (NAME OFFSET …) …) | the directions of a grid
positions (positions (NAME LEFT TOP RIGHT BOTTOM) …) | single squares
links (links DIRECTION (FROM TO) …) | links squares in a direction
unlink (unlink POSITION …) | removes the links of squares
kill-positions (kill-positions POSITION …) | removes squares
dummy (dummy NAME) or (dummy) | a square or piece type without a place on the board
zone (zone (name NAME) (players …) (positions …)) | a set of squares, for in-zone?
symmetry (symmetry PLAYER (DIRECTION DIRECTION) …) | directions that a player uses instead of others
board-setup (board-setup (PLAYER (PIECE POSITION …) …) …) | the first position
off (PIECE off NUMBER) | pieces beside the board
piece (piece (name NAME) …) | a piece type with its moves
name (name NAME) | the name of a piece type or zone
image (image PLAYER "FILE" …) | pictures
help (help "…") | a text about a piece
notation (notation "…") | the piece's letter in lists of moves
open (open "FILE") | a saved game
moves (moves BLOCK …) | blocks of instructions that move the piece
drops (drops BLOCK …) | blocks of instructions that drop a piece
move-type (move-type TYPE) | the type of the blocks after it
move-priorities (move-priorities TYPE …) | types of moves; the first one with a move is used
attribute (attribute NAME true|false) | an attribute of a piece and its first value
option (option "NAME" VALUE) | an option of the rules
verify (verify CONDITION) | ends the block unless the condition holds
if (if CONDITION … else …) | runs the instructions if the condition holds
else | begins the alternative of an `if`
while (while CONDITION …) | repeats the instructions while the condition holds
and (and CONDITION …) | whether all conditions hold
or (or CONDITION …) | whether a condition holds
not (not CONDITION) | whether the condition does not hold
add (add TYPE …) | adds the move to the list; with types, the piece is promoted
add-partial (add-partial TYPE) | adds a move after which the same piece goes on
add-copy (add-copy TYPE) | adds a move that leaves the piece and drops a copy
add-copy-partial (add-copy-partial TYPE) | adds a copying move after which the piece goes on
cascade | begins the movement of another piece in the same move
capture (capture POSITION) | takes the piece on the square
create (create PLAYER PIECE POSITION) | puts a new piece on the square
change-owner (change-owner PLAYER POSITION) | changes the owner of the piece
change-type (change-type TYPE POSITION) | changes the type of the piece
flip (flip POSITION) | gives the piece to the next player
set-attribute (set-attribute NAME VALUE POSITION) | sets an attribute of the piece
set-flag (set-flag NAME VALUE) | sets a flag of the move
set-position-flag (set-position-flag NAME VALUE POSITION) | sets a flag of a square
mark (mark POSITION) | remembers the square
back | returns to the marked square
go (go from|to|mark|last-from|last-to) | goes to a square
from | the square from which the piece moves
to | the square to which the piece moves
last-from | the square from which the last piece moved
last-to | the square to which the last piece moved
opposite (opposite DIRECTION) | the direction for the opponent's side
empty? (empty? POSITION) | whether the square is empty
friend? (friend? POSITION) | whether a piece of the player is on the square
enemy? (enemy? POSITION) | whether a piece of another player is on the square
neutral? (neutral? POSITION) | whether a neutral piece is on the square
piece? (piece? TYPE POSITION) | whether a piece of the type is on the square
in-zone? (in-zone? ZONE POSITION) | whether the square is in the zone
on-board? (on-board? POSITION) | whether the square exists
position? (position? POSITION) | whether it is this square
flag? (flag? NAME) | whether the flag is set
position-flag? (position-flag? NAME POSITION) | whether the flag of the square is set
last-from? (last-from? POSITION) | whether the last move began on the square
last-to? (last-to? POSITION) | whether the last move ended on the square
marked? (marked? POSITION) | whether it is the marked square
attacked? (attacked? POSITION) | whether an opponent could capture on the square
defended? (defended? POSITION) | whether the player could recapture on the square
adjacent-to-enemy? (adjacent-to-enemy? POSITION) | whether an enemy is beside the square
goal-position? (goal-position? POSITION) | whether a goal names the square
win-condition (win-condition (PLAYER …) GOAL) | a goal that wins for the players
loss-condition (loss-condition (PLAYER …) GOAL) | a goal that loses for the players
draw-condition (draw-condition (PLAYER …) GOAL) | a goal that ends in a draw
count-condition (count-condition GOAL) | a goal at which the player with more pieces wins
stalemated | the player has no move
checkmated (checkmated PIECE …) | the player cannot save one of the pieces
captured (captured PIECE …) | one of the pieces was captured
pieces-remaining (pieces-remaining NUMBER PIECE) | the player has this number of pieces
total-piece-count (total-piece-count NUMBER PIECE) | the board has this number of pieces
capture-count (capture-count >= NUMBER PIECE) | the player has captured so many enemy pieces
absolute-config (absolute-config PIECE … (POSITION …)) | pieces on named squares
relative-config (relative-config PIECE DIRECTION …) | pieces in a row or pattern
repetition | the position occurs for the third time
opponent | the other player's pieces
any-owner | pieces of any player
true | the value of an attribute, flag or option
false | the value of an attribute, flag or option
translate (translate …) | translations of texts
music (music "FILE") | music of the game
"""
_SOUNDS = (
    "opening",
    "move",
    "release",
    "capture",
    "drop",
    "change",
    "click",
    "draw",
    "win",
    "loss",
)
_OPTIONS = (
    *("pass-turn", "pass-partial", "recycle-captures", "recycle-promotions", "maximal-captures"),
    *("discard-cascades", "include-off-pieces", "animate-captures", "animate-drops"),
    "allow-flipping",
)


def _keywords() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for line in _TABLE.strip().splitlines():
        left, _, meaning = line.partition(" | ")
        name, _, form = left.partition(" ")
        found[name] = (form or name, meaning)
    for sound in _SOUNDS:
        name = f"{sound}-sound"
        found[name] = (f'({name} "FILE")', "a sound")
    for option in _OPTIONS:
        found[option] = (f"({option} VALUE)", "an option of version 1, which `option` replaced")
    return found


KEYWORDS = _keywords()
"""The form and the meaning of each keyword."""


def is_keyword(name: str) -> bool:
    """Whether a name is a keyword, or one with `not-` before it."""
    return name in KEYWORDS or (name.endswith("?") and name.removeprefix("not-") in KEYWORDS)
