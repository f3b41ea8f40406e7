"""Facts of the board behind refusals: a square is occupied, or a path ends there.

Owns the words of the library that test such facts.  The board decides whether it is true:
a script can define these words otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forthvm.game import Piece, Position

    from .refusals import Refusal

__all__ = ["board_fact", "code_of_fact"]

_CODES = {
    "empty?": ("not-empty", "empty"),
    "not-empty?": ("empty", "not-empty"),
    "friend?": ("not-own", "own-piece"),
    "enemy?": ("no-enemy", "enemy"),
}
"""The codes of the facts if a word returns FALSE, and if it returns TRUE."""
_RULE_FILE_PREFIX = "z-"  # of the library's words for rule files: `z-friend?`
_KINDS = frozenset({"verify", "while"})


def code_of_fact(refusal: Refusal, position: Position) -> str | None:
    """Return the code of the fact that made a decision refuse; None if the board shows none.

    The codes are those of player_text.py.
    """
    if refusal.kind.casefold() not in _KINDS or refusal.value or not refusal.condition:
        return None
    words = refusal.condition.split()
    is_negated = words[-1] == "NOT" and len(words) > 1
    word = words[-2] if is_negated else words[-1]
    codes = _CODES.get(word.removeprefix(_RULE_FILE_PREFIX))
    if codes is not None:
        code = codes[is_negated]
        return code if _is_true(code, position.board[refusal.here], position) else None
    is_step = word == "EXECUTE" or any(word == one.name for one in position.game.directions)
    return "path-ends" if not is_negated and is_step and _path_ends(refusal, position) else None


def board_fact(refusal: Refusal, position: Position) -> str | None:
    """Return the fact that made a decision refuse, as a clause; None if the board shows none."""
    code = code_of_fact(refusal, position)
    if code is None:
        return None
    if code == "path-ends":
        return f"`{refusal.direction}` leads nowhere from {refusal.here}"
    piece = position.board[refusal.here]
    if piece is None:
        return f"{refusal.here} is empty"
    return f"{refusal.here} is occupied by {piece}"


def _is_true(code: str, piece: Piece | None, position: Position) -> bool:
    """Whether a code holds for a square with this piece, or without one."""
    if code == "empty":
        return piece is None
    if code == "not-empty":
        return piece is not None
    turn = position.game.turn_order[position.turn_index]
    if turn.player != turn.for_player:  # whose pieces are "own" depends on the script
        return False
    is_own = piece is not None and piece.player == turn.player
    if code in ("own-piece", "not-own"):
        return is_own == (code == "own-piece")
    return (piece is not None and not is_own) == (code == "enemy")


def _path_ends(refusal: Refusal, position: Position) -> bool:
    """Whether no position follows in the direction that was taken last."""
    game = position.game
    index = game.position_index[refusal.here]
    links = {direction.name: direction.links for direction in game.directions}
    return refusal.direction in links and links[refusal.direction][index] < 0
