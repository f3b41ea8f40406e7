"""A result of `why_not` as text for players, in terms of the board.

Owns the wording.  It must not mention words of the script, which author_text.py does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from forthvm.game import Position

    from .refusals import Refusal, WhyNot

__all__ = ["describe_for_players"]

_MAX_SHOWN = 6
_SCRIPT_MISTAKE = "this looks like a mistake in the script of the game"


def describe_for_players(result: WhyNot, position: Position) -> Iterator[str]:
    """Yield a line with the reason why the move is not legal, then a line with legal moves."""
    describe = _DESCRIPTIONS_BY_KIND.get(result.kind)
    if describe is not None:
        yield describe(result, position)
    else:
        yield _SENTENCES_BY_KIND.get(result.kind) or _sentence(result.summary)
    alternatives = _alternatives(result, position)
    if alternatives and result.kind not in ("legal", "over"):
        shown = [f"`{move}`" for move in alternatives[:_MAX_SHOWN]]
        hidden = len(alternatives) - len(shown)
        yield f"Legal: {', '.join(shown)}" + (f" and {hidden} more" if hidden > 0 else "") + "."


def _alternatives(result: WhyNot, position: Position) -> tuple[str, ...]:
    """Return the legal moves from the first square of the text, or else similar moves."""
    from .requested_move import RequestedMove

    legal = tuple(dict.fromkeys(position.legal_moves.texts))
    requested = RequestedMove(position.game, result.text, legal)
    if requested.squares and result.kind != "ambiguous":
        same_square = tuple(
            move for move in legal if _first_square(move, position) == requested.squares[0]
        )
        if same_square:
            return same_square
    return result.near


def _first_square(move: str, position: Position) -> str | None:
    squares = position.game.known_names.squares
    return next((word for word in move.split() if word in squares), None)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?")) else ".")


def _moving_piece(result: WhyNot, position: Position) -> str | None:
    """Return the piece on the first square of the text, such as `the man on a1`; None if empty."""
    from .requested_move import RequestedMove

    requested = RequestedMove(position.game, result.text)
    square = requested.squares[0] if requested.squares else None
    piece = position.board[square] if square is not None else None
    return f"the {piece.type} on {square}" if piece is not None else None


def _impossible_clause(result: WhyNot, position: Position) -> str:
    """Return a clause: the piece cannot move like that, or there is no such move."""
    if result.text.casefold() == "pass":
        return "passing is not allowed now"
    piece = _moving_piece(result, position)
    return f"{piece} cannot move like that" if piece else "there is no such move"


def _legal(result: WhyNot, position: Position) -> str:
    move = result.near[0] if result.near else result.text
    return f"`{move}` is legal."


def _over(result: WhyNot, position: Position) -> str:
    return f"The game is over: {position.result}."


def _refused(result: WhyNot, position: Position) -> str:
    answer = result.answers[0]
    reasons = [_reason(refusal, position) for refusal in answer.refusals]
    visible_reasons = list(dict.fromkeys(reason for reason in reasons if reason))
    if answer.unfinished:
        return _sentence(f"{_impossible_clause(result, position)}; {_SCRIPT_MISTAKE}")
    if not visible_reasons:
        return _removed(result, position)
    return _sentence("; ".join(visible_reasons))


def _removed(result: WhyNot, position: Position) -> str:
    piece = _moving_piece(result, position)
    return f"The rules of the game do not allow {f'{piece} to do that' if piece else 'that'}."


def _reason(refusal: Refusal, position: Position) -> str:
    """Return why a `verify` failed; "" if the reason is not visible on the board."""
    if refusal.kind != "verify" or not refusal.condition:
        return ""
    words = refusal.condition.split()
    square = refusal.here
    if words[-2:] == ["friend?", "NOT"]:
        return f"a piece of your own stands on {square}"
    if words[-2:] == ["enemy?", "NOT"]:
        return f"an enemy stands on {square}"
    if words[-1] in _REASONS:
        return _REASONS[words[-1]].format(square=square)
    if words[-1] in position.game.directions or words[-1] == "EXECUTE":
        return f"the path ends at {square}"
    return ""


_REASONS = {
    "empty?": "the square {square} is not empty",
    "not-empty?": "there is no piece on {square}",
    "friend?": "there is no piece of your own on {square}",
    "enemy?": "there is no enemy on {square}",
}


def _not_added(result: WhyNot, position: Position) -> str:
    piece = _moving_piece(result, position)
    clause = f"{piece} cannot choose that move" if piece else "that move cannot be chosen"
    return _sentence(f"{clause}; {_SCRIPT_MISTAKE}")


def _no_such_move(result: WhyNot, position: Position) -> str:
    return _sentence(_impossible_clause(result, position))


def _other_effects(result: WhyNot, position: Position) -> str:
    if result.answers:
        return _refused(result, position)
    return f"The legal move between these squares has other effects: `{result.near[0]}`."


_SENTENCES_BY_KIND = {
    "priority": "Other moves come first now: they have to be made where they can be made.",
    "type": "Only moves of another kind can be made now.",
    "undecided": "The move is not legal; the reason was not found in time.",
}
_DESCRIPTIONS_BY_KIND: dict[str, Callable[[WhyNot, Position], str]] = {
    "legal": _legal,
    "over": _over,
    "refused": _refused,
    "removed": _removed,
    "not-added": _not_added,
    "no-word": _no_such_move,
    "unreachable": _no_such_move,
    "other-effects": _other_effects,
}
"""Functions for kinds whose summary mentions words of the script.  The summary of a kind in neither
table is displayed unchanged."""
