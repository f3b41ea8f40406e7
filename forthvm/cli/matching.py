"""What a person typed, matched with the legal moves.

Owns numbers from the list, and what to offer when a text names no move or several; how a
text names a move is the game layer's rule.  It must not print or ask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError, MoveError
from forthvm.core.wording import close_names
from forthvm.game.matching import MOST_CHARACTERS, close_moves

if TYPE_CHECKING:
    from forthvm.game import Move, Position

__all__ = ["Match", "match_move", "nearest"]

MAX_SUGGESTIONS = 6
CLEARLY = 0.05
"""How much more alike the best guess must be than the next one to be asked about alone."""


@dataclass(frozen=True)
class Match:
    """The outcome: one move, or moves that may have been meant."""

    move: Move | None = None
    sure: bool = False
    """The text can only mean `move`; else ask first."""
    suggestions: tuple[Move, ...] = ()
    problem: str = ""
    """Why there is no move, where there are no suggestions either."""


def match_move(text: str, position: Position) -> Match:
    """Finds the legal move of `position` that `text` means.

    A number chooses from the list, counted from 1, unless a move is written just so.
    """
    moves = position.legal_moves
    wanted = text.strip()
    texts = [str(move) for move in moves]
    if wanted not in texts and wanted.isascii() and wanted.isdigit():
        at = int(wanted[:10])  # of more digits, each number is too high
        if 1 <= at <= len(moves):
            return Match(moves[at - 1], sure=True)
        return Match(problem=f"the list has {len(moves)} moves, so no move {wanted[:10]}")
    try:
        return Match(position.parse(wanted), sure=True)
    except AmbiguousMoveError as error:
        found = _by_text(error.hints, moves)
        return Match(suggestions=found, problem=str(error))
    except MoveError as error:
        if len(wanted) > MOST_CHARACTERS:
            return Match(problem=str(error))
        return _near(wanted, moves, str(error))


def _near(wanted: str, moves: Sequence[Move], problem: str) -> Match:
    texts = [str(move) for move in moves]
    near = nearest(wanted, texts)
    if near is not None:
        return Match(_by_text([near], moves)[0], problem=problem)
    found = close_moves(wanted, texts, MAX_SUGGESTIONS) or _mentioning(wanted, texts)
    return Match(suggestions=_by_text(found, moves), problem=problem)


def nearest(wanted: str, texts: Sequence[str]) -> str | None:
    """The one text that `wanted` is clearly a slip for; None where there is none, or two.

    >>> nearest("Pawn a2 - a33", ["Pawn a2 - a3", "Pawn h2 - h3"])
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


def _mentioning(wanted: str, texts: Sequence[str]) -> list[str]:
    """Moves that name something that was typed, such as a square."""
    words = _words(wanted)
    scored = [(len(words & _words(text)), -at) for at, text in enumerate(texts)]
    best = sorted((pair for pair in scored if pair[0]), reverse=True)[:MAX_SUGGESTIONS]
    return [texts[-at] for _, at in best]


def _words(text: str) -> set[str]:
    return {word for word in re.split(r"\W+", text.casefold()) if word}


def _by_text(texts: Sequence[str], moves: Sequence[Move]) -> tuple[Move, ...]:
    return tuple(next(move for move in moves if str(move) == text) for text in texts)
