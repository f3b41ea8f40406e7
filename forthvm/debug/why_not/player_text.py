"""A result of `why_not` as text for players, in terms of the board.

Owns the reasons and their English wording; front ends in other languages have texts for the codes.
It must not mention words of the script, which author_text.py does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .board_facts import code_of_fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from forthvm.game import Position

    from .refusals import Refusal, WhyNot

__all__ = ["Reason", "describe_for_players", "legal_alternatives", "reasons_for_players"]

_MAX_SHOWN = 6
_TEXTS = {
    "legal": "`{move}` is legal",
    "over": "the game is over: {result}",
    "no-pass": "passing is not allowed now",
    "no-such-move": "there is no such move",
    "other-move": "the {piece} on {square} cannot move like that",
    "mistake": "this looks like a mistake in the script of the game",
    "not-allowed": "the rules of the game do not allow that",
    "piece-not-allowed": "the rules of the game do not allow the {piece} on {square} to do that",
    "not-chosen": "that move cannot be chosen",
    "piece-not-chosen": "the {piece} on {square} cannot choose that move",
    "own-piece": "a piece of your own stands on {square}",
    "enemy": "an enemy stands on {square}",
    "path-ends": "the path ends at {square}",
    "not-empty": "the square {square} is not empty",
    "empty": "there is no piece on {square}",
    "not-own": "there is no piece of your own on {square}",
    "no-enemy": "there is no enemy on {square}",
    "other-effects": "the legal move between these squares has other effects: `{move}`",
    "priority": "other moves come first now: they have to be made where they can be made",
    "type": "only moves of another kind can be made now",
    "undecided": "the move is not legal; the reason was not found in time",
    "not-yours": "the {piece} on {square} belongs to {owner}: it is {player}'s turn",
    "no-piece": "there is no piece on {square}: it is empty",
}
"""The English texts of the reasons, without the full stop."""


@dataclass(frozen=True)
class Reason:
    """A reason why a move is not legal.

    Attributes:
        code: Names the reason.
        values: What its text mentions, by name.
        text: The reason in English, as a sentence.
    """

    code: str
    values: Mapping[str, str]
    text: str


def describe_for_players(result: WhyNot, position: Position) -> Iterator[str]:
    """Yield a line with the reason why the move is not legal, then a line with legal moves."""
    clauses = [reason.text.removesuffix(".") for reason in reasons_for_players(result, position)]
    first, *others = clauses
    yield _sentence("; ".join([first, *(f"{text[:1].lower()}{text[1:]}" for text in others)]))
    alternatives = legal_alternatives(result, position)
    if alternatives and result.kind not in ("legal", "over"):
        shown = [f"`{move}`" for move in alternatives[:_MAX_SHOWN]]
        hidden = len(alternatives) - len(shown)
        yield f"Legal: {', '.join(shown)}" + (f" and {hidden} more" if hidden > 0 else "") + "."


def reasons_for_players(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    """Return the reasons why the move is not legal, the most important first; at least one.

    A reason with the code `other` has no values; its text is the summary of the result.
    """
    find = _REASONS_BY_KIND.get(result.kind)
    found = find(result, position) if find is not None else ()
    if not found and result.kind in _TEXTS and "{" not in _TEXTS[result.kind]:
        found = (_reason(result.kind),)
    return found or (Reason("other", {}, _sentence(result.summary)),)


def _reason(code: str, **values: str) -> Reason:
    return Reason(code, values, _sentence(_TEXTS[code].format(**values)))


def legal_alternatives(result: WhyNot, position: Position) -> tuple[str, ...]:
    """Return the legal moves from the first square of the text, or else similar moves."""
    from .requested_move import RequestedMove

    legal = tuple(dict.fromkeys(position.legal_moves.texts))
    requested = RequestedMove(position, result.text, legal)
    if requested.squares and result.kind != "ambiguous":
        same_square = tuple(
            move for move in legal if _first_square(move, position) == requested.squares[0]
        )
        if same_square:
            return same_square
    return result.near


def _first_square(move: str, position: Position) -> str | None:
    squares = position._loaded.known_names.squares
    return next((word for word in move.split() if word in squares), None)


def _moving_piece(result: WhyNot, position: Position) -> dict[str, str] | None:
    """Return type and square of the piece on the first square of the text; None if empty."""
    from .requested_move import RequestedMove

    requested = RequestedMove(position, result.text)
    square = requested.squares[0] if requested.squares else None
    piece = position.board[square] if square is not None else None
    return {"piece": piece.type, "square": square} if piece is not None and square else None


def _about_piece(result: WhyNot, position: Position, code: str, without: str) -> Reason:
    """Return a reason about the moving piece, or another one if there is no piece."""
    piece = _moving_piece(result, position)
    return _reason(code, **piece) if piece else _reason(without)


def _impossible(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    """Return the reason that the piece cannot move like that, or that there is no such move."""
    if result.text.casefold() == "pass":
        return (_reason("no-pass"),)
    return (_about_piece(result, position, "other-move", "no-such-move"),)


def _legal(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    return (_reason("legal", move=result.near[0] if result.near else result.text),)


def _over(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    return (_reason("over", result=str(position.result)),)


def _refused(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    answer = result.answers[0]
    if answer.unfinished:
        return (*_impossible(result, position), _reason("mistake"))
    reasons: dict[str, Reason] = {}  # by square: several decisions may depend on the same piece
    for refusal in answer.refusals:
        reason = _visible(refusal, position, answer.square)
        if reason is not None:
            reasons.setdefault(refusal.here, reason)
    return tuple(reasons.values()) or _not_allowed(result, position)


def _not_allowed(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    return (_about_piece(result, position, "piece-not-allowed", "not-allowed"),)


def _visible(refusal: Refusal, position: Position, start: str | None) -> Reason | None:
    """Return why a decision refused; None if the reason is not visible on the board."""
    code = code_of_fact(refusal, position, start)
    return _reason(code, square=refusal.here) if code else None


def _not_added(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    return _about_piece(result, position, "piece-not-chosen", "not-chosen"), _reason("mistake")


def _other_effects(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    if result.answers:
        return _refused(result, position)
    return (_reason("other-effects", move=result.near[0]),)


def _not_yours(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    piece = _moving_piece(result, position)
    owner = position.board[piece["square"]].player if piece else None  # type: ignore[union-attr]
    if piece is None or owner is None:
        return ()
    return (_reason("not-yours", **piece, owner=owner, player=position.turn),)


def _no_piece(result: WhyNot, position: Position) -> tuple[Reason, ...]:
    from .requested_move import RequestedMove

    requested = RequestedMove(position, result.text)
    if requested.piece is not None or not requested.squares:
        return ()
    return (_reason("no-piece", square=requested.squares[0]),)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?")) else ".")


_REASONS_BY_KIND: dict[str, Callable[[WhyNot, Position], tuple[Reason, ...]]] = {
    "legal": _legal,
    "over": _over,
    "refused": _refused,
    "removed": _not_allowed,
    "not-added": _not_added,
    "no-word": _impossible,
    "unreachable": _impossible,
    "unexplained": _not_allowed,
    "other-effects": _other_effects,
    "not-yours": _not_yours,
    "no-piece": _no_piece,
}
"""Functions for kinds whose reasons have values."""
