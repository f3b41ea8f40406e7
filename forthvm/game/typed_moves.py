"""Interprets what a player types: a move, its number, a chain of moves; else suggests moves.

Owns selecting a move by its number, chains of partial moves typed as one text, and suggestions for
a text that matches no move or several moves.  `matching.py` decides which texts match a move.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError, MoveError
from forthvm.core.text.wording import close_names

from .matching import MAX_CHARACTERS, close_moves, read_typed, squares_of
from .short_moves import with_squares
from .whole_captures import find_capture, names_some_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .moves import Move
    from .position import Position

__all__ = ["Match", "find_chain", "match_move", "nearest"]

MIN_SQUARES, MAX_SQUARES = 3, 200  # of a chain of partial moves
_MAX_SHOWN_CHAINS = 6
MAX_SUGGESTIONS = 6
CLEAR_LEAD = 0.05
"""A text is the only suggestion if its similarity is higher by this amount than that of any other.

Similarities are between 0 and 1.
"""


@dataclass(frozen=True)
class Match:
    """The result of matching: one move, or suggestions."""

    move: Move | None = None
    is_certain: bool = False
    """Whether the text can only mean `move`; otherwise the user must confirm the move."""
    following: tuple[Move, ...] = ()
    """If the text is a chain of partial moves: the moves after `move`, in order."""
    suggestions: tuple[Move, ...] = ()
    suggestions_match: bool = False
    """Whether the text matches each suggestion; otherwise suggestions are only similar to it."""
    problem: str = ""
    """The reason why no move was found."""


def match_move(text: str, position: Position) -> Match:
    """Finds the legal move of `position` that `text` means, or the chain of partial moves.

    A number selects from the list, counted from 1, unless it is the text of a move.  A single
    letter, which is easily typed by mistake, means a move only if it is the move's whole text, or
    its whole short text.
    """
    moves = position.legal_moves
    typed = text.strip()
    texts = [str(move) for move in moves]
    if typed not in texts and typed.isascii() and typed.isdigit():
        return _by_number(typed[:10], moves)  # ten digits already exceed the length of any list
    try:
        move = position.parse(typed)
        if len(typed) > 1 or typed.casefold() in (str(move).casefold(), move.short.casefold()):
            return Match(move, is_certain=True)
        return Match(
            suggestions=(move,),
            suggestions_match=True,
            problem=f"`{typed}` is too short for a move",
        )
    except AmbiguousMoveError as error:
        return Match(
            suggestions=_by_text(error.hints, moves), suggestions_match=True, problem=str(error)
        )
    except MoveError as error:
        if len(typed) > MAX_CHARACTERS:
            return Match(problem=str(error))
        return _chain(typed, position) or _similar(typed, position, str(error))


def _by_number(number: str, moves: Sequence[Move]) -> Match:
    if 1 <= int(number) <= len(moves):
        return Match(moves[int(number) - 1], is_certain=True)
    return Match(problem=f"there is no move {number}: the list has {len(moves)} moves")


def _chain(text: str, position: Position) -> Match | None:
    """Matches a chain of partial moves; None if the text names no chain."""
    try:
        chain = find_chain(text, position)
    except AmbiguousMoveError as error:
        return Match(problem=str(error))
    return Match(chain[0], is_certain=True, following=chain[1:]) if chain else None


def _similar(text: str, position: Position, problem: str) -> Match:
    """Returns similar moves as suggestions.

    If one move with the typed squares is clearly the most similar, the result is this move.
    """
    moves = position.legal_moves
    texts = [str(move) for move in moves]
    game = position._loaded
    squares, names = game.position_index.keys(), game.names
    typed = read_typed(text, squares, names)
    most_similar = nearest(
        text,
        [
            legal
            for legal in texts
            if typed.agrees(legal, squares, names)
            and len(typed.squares) == len(squares_of(legal, squares, names))
        ],
    )
    if most_similar is not None:
        return Match(_by_text([most_similar], moves)[0], problem=problem)
    words = _words(text) | set(typed.squares)
    similar = close_moves(text, texts, MAX_SUGGESTIONS) or _mentioning(words, texts)
    return Match(suggestions=_by_text(similar, moves), problem=problem)


def nearest(typed: str, texts: Sequence[str]) -> str | None:
    """Returns the text that `typed` misspells; None if no text or several texts are similar.

    >>> nearest("Pwan a2 - a3", ["Pawn a2 - a3", "Rook a2 - a3"])
    'Pawn a2 - a3'
    >>> nearest("a2 - a4", ["a2 - a3", "a2 - a5"])
    """
    similar = close_names(typed.casefold(), {text.casefold() for text in texts}, 2, cutoff=0.75)
    if not similar:
        return None
    ratios = [SequenceMatcher(None, text, typed.casefold()).ratio() for text in similar]
    if len(ratios) > 1 and ratios[0] - ratios[1] < CLEAR_LEAD:
        return None
    return next(text for text in texts if text.casefold() == similar[0])


def _mentioning(words: set[str], texts: Sequence[str]) -> list[str]:
    """Returns the moves that contain most of the typed words, for example a square."""
    scored = [(len(words & _words(text)), -at) for at, text in enumerate(texts)]
    best = sorted((pair for pair in scored if pair[0]), reverse=True)[:MAX_SUGGESTIONS]
    return [texts[-at] for _, at in best]


def _words(text: str) -> set[str]:
    return {word for word in re.split(r"\W+", text.casefold()) if word}


def _by_text(texts: Sequence[str], moves: Sequence[Move]) -> tuple[Move, ...]:
    return tuple(next(move for move in moves if str(move) == text) for text in texts)


# --- chains of partial moves, such as `c3-e5-g7` ------------------------------------------------


def find_chain(text: str, position: Position) -> tuple[Move, ...]:
    """Returns the partial moves that together visit the squares of a text.

    Each move begins on the square where the previous move ended.  After the target of a move the
    text may name the squares that it captures (`c3-e5xd4-g7xf6`).  Two numbers of
    squares, or two names with the sign of a capture (`e5xa5`), are the ends of a capture or of a
    chain of captures; more squares may be some of those on its way.  If the script lists a chain as
    one move, the text may name another way to capture the same pieces.  The result is empty if
    there is no such chain.

    Raises:
        AmbiguousMoveError: there are several chains, and they lead to different boards.
    """
    game = position._loaded
    named = with_squares(game, text)
    typed = read_typed(named, game.position_index.keys(), game.names)
    words = [word.strip() for word in re.split("[x:]", named.casefold())]
    least = 2 if named != text or words == [*typed.squares] else MIN_SQUARES
    if not least <= len(typed.squares) <= MAX_SQUARES or typed.unknown:
        return ()
    first, *squares = typed.squares
    if squares[1:]:
        chains = _of_piece(typed.before, _chains(position, first, squares))
        if not chains and (capture := find_capture(position, typed.squares)):
            return (capture,)
    if not squares[1:] or not chains:
        captures = _captures(position, first, squares[-1])
        passed = squares[:-1]
        chains = _of_piece(
            typed.before, (chain for chain in captures if names_some_of(game, chain, passed))
        )
    if len({_key_after(position, chain) for chain in chains}) > 1:
        texts = [", ".join(map(str, chain)) for chain in chains]
        raise AmbiguousMoveError(
            f"`{text}` can be {' or '.join(f'`{each}`' for each in texts[:_MAX_SHOWN_CHAINS])}",
            detail=text,
            hints=texts,
        )
    return chains[0] if chains else ()


def _of_piece(before: str, found: Iterable[tuple[Move, ...]]) -> list[tuple[Move, ...]]:
    """Returns the chains of a piece whose name begins with a text.

    A script may list several moves with the same text; only one of them counts.
    """
    by_texts = {tuple(map(str, chain)): chain for chain in found}
    return [chain for chain in by_texts.values() if _piece_name(chain[0]).startswith(before)]


def _key_after(position: Position, chain: Sequence[Move]) -> int:
    after = position.copy()
    for move in chain:
        after.push(move)
    return after.key


def _chains(position: Position, start: str, squares: Sequence[str]) -> Iterator[tuple[Move, ...]]:
    """Yields each chain of partial moves that starts on a square and visits `squares` in order."""
    for move in position.legal_moves:
        origin, target, captured = _origin_target_captured(move)
        if origin != start or not squares or target != squares[0]:
            continue
        # The text names the target of the move, or the target and the captured squares.
        for named_squares in sorted({1, 1 + len(captured)}):
            if named_squares > 1 and tuple(squares[1:named_squares]) != captured:
                continue
            if named_squares == len(squares):
                yield (move,)
                continue
            position_after = position.copy()
            position_after.push(position_after.legal_moves[move.index])
            if position_after.is_partial:
                for continuation in _chains(position_after, target, squares[named_squares:]):
                    yield (move, *continuation)


def _captures(position: Position, start: str, end: str) -> Iterator[tuple[Move, ...]]:
    """Yields each complete chain of captures from a square to another."""
    for move in position.legal_moves:
        origin, target, captured = _origin_target_captured(move)
        if origin != start or not captured:
            continue
        after = position.copy()
        after.push(after.legal_moves[move.index])
        if after.is_partial:
            yield from ((move, *rest) for rest in _captures(after, target, end))
        elif target == end:
            yield (move,)


def _piece_name(move: Move) -> str:
    """Returns the name of the piece that a move moves, in lower case."""
    return next((str(part.name).casefold() for part in move.parts if part.kind == "move"), "")


def _origin_target_captured(move: Move) -> tuple[str, str, tuple[str, ...]]:
    """Returns a move's origin, last target and captured squares, in lower case."""
    origin = target = ""
    captured: list[str] = []
    for part in move.parts:
        squares = [square.casefold() for square in part.squares]
        if part.kind == "move" and squares[0] == (target or squares[0]):  # the piece moves on
            origin, target = origin or squares[0], squares[1]
        elif part.kind == "capture":
            captured += squares
    return origin, target, tuple(captured)
