"""Matches typed text with the legal moves.

Owns numbers from the list, and suggestions when a text names no move or several; the game
layer decides which texts name a move.  It must not print or ask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from forthvm.cli.play.move_chains import find_chain
from forthvm.core.errors import AmbiguousMoveError, MoveError
from forthvm.core.text.wording import close_names
from forthvm.game.move_text.matching import MOST_CHARACTERS, close_moves
from forthvm.game.move_text.typed_squares import read_typed, squares_of

if TYPE_CHECKING:
    from forthvm.game import Move, Position

__all__ = ["Match", "match_move", "nearest"]

MAX_SUGGESTIONS = 6
CLEARLY = 0.05
"""How much more alike the best guess must be than the next one to be asked about alone."""


@dataclass(frozen=True)
class Match:
    """The result: one move, or suggestions."""

    move: Move | None = None
    sure: bool = False
    """The text can only mean `move`; if not, ask first."""
    chain: tuple[Move, ...] = ()
    """The partial moves behind `move` that were typed with it."""
    suggestions: tuple[Move, ...] = ()
    fits: bool = False
    """The text matches each of the suggestions; if not, they are only similar to it."""
    problem: str = ""
    """Why no move was found."""


def match_move(text: str, position: Position) -> Match:
    """Finds the legal move of `position` that `text` means, or the chain of partial moves.

    A number chooses from the list, counted from 1, unless a move is written just so.  A single
    letter never means a move, unless that is the move's whole text: it is too easily typed.
    """
    moves = position.legal_moves
    wanted = text.strip()
    texts = [str(move) for move in moves]
    if wanted not in texts and wanted.isascii() and wanted.isdigit():
        return _by_number(wanted[:10], moves)  # of more digits, each number is too high
    try:
        move = position.parse(wanted)
        if len(wanted) > 1 or str(move) == wanted:
            return Match(move, sure=True)
        return Match(suggestions=(move,), fits=True, problem=f"`{wanted}` is too short for a move")
    except AmbiguousMoveError as error:
        return Match(suggestions=_by_text(error.hints, moves), fits=True, problem=str(error))
    except MoveError as error:
        if len(wanted) > MOST_CHARACTERS:
            return Match(problem=str(error))
        return _chain(wanted, position) or _near(wanted, position, str(error))


def _by_number(wanted: str, moves: Sequence[Move]) -> Match:
    if 1 <= int(wanted) <= len(moves):
        return Match(moves[int(wanted) - 1], sure=True)
    return Match(problem=f"the list has {len(moves)} moves, so no move {wanted}")


def _chain(wanted: str, position: Position) -> Match | None:
    """The chain that the text names, else None."""
    try:
        chain = find_chain(wanted, position)
    except AmbiguousMoveError as error:
        return Match(problem=str(error))
    return Match(chain[0], sure=True, chain=chain[1:]) if chain else None


def _near(wanted: str, position: Position, problem: str) -> Match:
    """Suggestions: a single move with the typed squares is offered for confirmation."""
    moves = position.legal_moves
    texts = [str(move) for move in moves]
    squares, names = position.game.position_index.keys(), position.game.names
    typed = read_typed(wanted, squares, names)
    near = nearest(
        wanted,
        [
            text
            for text in texts
            if typed.agrees(text, squares, names)
            and len(typed.squares) == len(squares_of(text, squares, names))
        ],
    )
    if near is not None:
        return Match(_by_text([near], moves)[0], problem=problem)
    words = _words(wanted) | set(typed.squares)
    found = close_moves(wanted, texts, MAX_SUGGESTIONS) or _mentioning(words, texts)
    return Match(suggestions=_by_text(found, moves), problem=problem)


def nearest(wanted: str, texts: Sequence[str]) -> str | None:
    """The text that `wanted` clearly misspells; None if there is none, or two.

    >>> nearest("Pwan a2 - a3", ["Pawn a2 - a3", "Rook a2 - a3"])
    'Pawn a2 - a3'
    >>> nearest("a2 - a4", ["a2 - a3", "a2 - a5"])
    """
    close = close_names(wanted.casefold(), {text.casefold() for text in texts}, 2, cutoff=0.75)
    if not close:
        return None
    ratios = [SequenceMatcher(None, text, wanted.casefold()).ratio() for text in close]
    if len(ratios) > 1 and ratios[0] - ratios[1] < CLEARLY:
        return None
    return next(text for text in texts if text.casefold() == close[0])


def _mentioning(words: set[str], texts: Sequence[str]) -> list[str]:
    """Moves that name something that was typed, such as a square."""
    scored = [(len(words & _words(text)), -at) for at, text in enumerate(texts)]
    best = sorted((pair for pair in scored if pair[0]), reverse=True)[:MAX_SUGGESTIONS]
    return [texts[-at] for _, at in best]


def _words(text: str) -> set[str]:
    return {word for word in re.split(r"\W+", text.casefold()) if word}


def _by_text(texts: Sequence[str], moves: Sequence[Move]) -> tuple[Move, ...]:
    return tuple(next(move for move in moves if str(move) == text) for text in texts)
