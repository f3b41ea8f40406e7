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


def code_of_fact(refusal: Refusal, position: Position, start: str | None) -> str | None:
    """Return the code of the fact that made a decision refuse; None if the board shows none.

    The codes are those of player_text.py.

    Args:
        refusal: The decision.
        position: The position in which it was made.
        start: The square for which the move word was run; None if unknown.
    """
    words, value = _operand(refusal.condition.split(), bool(refusal.value))
    if not words:
        return None
    if words[-1] == "AND" and not value:
        return _fact_of_both(words[:-1], refusal, position, start)
    return _fact(words[-1], value, refusal, position)


def _fact_of_both(
    words: list[str], refusal: Refusal, position: Position, start: str | None
) -> str | None:
    """Return the code of the fact if a step and then a test were not both TRUE, as in a slide."""
    words, value = _operand(words, False)
    step, stepped = _operand(words[:-1], False)
    if not step:
        return None
    blocked = _fact(words[-1], value, refusal, position)
    ended = _fact(step[-1], stepped, refusal, position)
    # After a first step that failed, the square is that of the piece itself.
    return ended if blocked is None or (ended and refusal.here == start) else blocked


def _operand(words: list[str], value: bool) -> tuple[list[str], bool]:
    """Return a condition without a NOT at its end, and its value without it."""
    negated = len(words) > 1 and words[-1] == "NOT"
    return (words[:-1], not value) if negated else (words, value)


def _fact(word: str, value: bool, refusal: Refusal, position: Position) -> str | None:
    """Return the code of the fact that a word returned a value; None if the board shows none."""
    codes = _CODES.get(word.removeprefix(_RULE_FILE_PREFIX))
    if codes is not None:
        code = codes[value]
        return code if _is_true(code, position.board[refusal.here], position) else None
    is_step = word == "EXECUTE" or any(word == one.name for one in position.game.directions)
    return "path-ends" if is_step and not value and _path_ends(refusal, position) else None


def board_fact(refusal: Refusal, position: Position, start: str | None) -> str | None:
    """Return the fact that made a decision refuse, as a clause; None if the board shows none."""
    code = code_of_fact(refusal, position, start)
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
    turn = position.game.turn_order[position._turn_index]
    if turn.player != turn.for_player:  # whose pieces are "own" depends on the script
        return False
    is_own = piece is not None and piece.player == turn.player
    if code in ("own-piece", "not-own"):
        return is_own == (code == "own-piece")
    return (piece is not None and not is_own) == (code == "enemy")


def _path_ends(refusal: Refusal, position: Position) -> bool:
    """Whether no position follows in the direction that was taken last."""
    game = position.game
    index = game._loaded.position_index[refusal.here]
    links = {direction.name: direction.links for direction in game.directions}
    return refusal.direction in links and links[refusal.direction][index] < 0
