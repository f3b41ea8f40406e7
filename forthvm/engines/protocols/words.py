"""Moves as words: those of any game, as UGI requires, and what all notations of words share.

Owns the encoding of UGI (docs/reference/ugi.md) and the search for the legal move of a word.

The word of a move is its text with `_` for each blank.  `_`, `%`, `~` and bytes of UTF-8 that are
not printable ASCII are written `%XX`, as in URLs.  An empty text is `%`.  If several legal moves
have the same text, the second word ends in `~2`, the third in `~3`, and so on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError
from forthvm.game.matching import refuse_long
from forthvm.game.notation import HOST_PASS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.game import Position

__all__ = [
    "NO_MOVE",
    "PASS",
    "MoveWords",
    "Words",
    "decode",
    "encode",
    "listed",
    "push_word",
    "replay_words",
]

PASS = "Pass"
"""The word for a forced pass."""
NO_MOVE = "0000"
"""The word that replaces a move if there is no move."""

_ESCAPED = frozenset("%_~")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_NUMBERED = re.compile(r"(.*)~(\d{1,6})")
_MAX_LISTED = 6
_BLANKS_AND_HYPHENS = re.compile(r"[\s\-]+")
_SEPARATORS = frozenset({"-", "x"})
_CAPTURE_SIGN = re.compile(r"(?<=\d)x(?=[^\W\d])")


def encode(text: str) -> str:
    """Encode a move text as a word.

    >>> encode("Pawn a2 - a3"), encode("50% a_b"), encode("")
    ('Pawn_a2_-_a3', '50%25_a%5Fb', '%')
    """
    return "".join(map(_encoded, text)) or "%"


def _encoded(char: str) -> str:
    if char == " ":
        return "_"
    if "!" <= char <= "~" and char not in _ESCAPED:
        return char
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def decode(word: str) -> str:
    """Return the text that a word encodes, without a number such as `~2`.

    Escapes that are not valid UTF-8 are kept.

    >>> decode("Pawn_a2_-_a3~2"), decode("a2a3")
    ('Pawn a2 - a3', 'a2a3')
    """
    if word == "%":
        return ""
    numbered = _NUMBERED.fullmatch(word)
    plain = (numbered[1] if numbered else word).replace("_", " ")
    unescaped = _PERCENT.sub(lambda found: chr(int(found[1], 16)), plain)
    if unescaped == plain:
        return plain
    try:
        return unescaped.encode("latin-1").decode("utf-8", "surrogatepass")
    except UnicodeError:
        return plain


class Words(Protocol):
    """The words of the legal moves of a position, in the order of the list."""

    words: tuple[str, ...]

    def find(self, word: str) -> int:
        """Return the index of a move; raise a MoveError if not exactly one move is meant."""


class MoveWords:
    """The words of the legal moves of a position, in the order of the list.

    A position after the end of the game has words, too, if the script generates moves there.
    """

    def __init__(self, position: Position) -> None:
        """Encode the legal moves of a position.  Later changes of the position have no effect."""
        texts = position.generated_moves.texts
        self.words = _numbered(texts)
        self._texts = texts
        self._index = {word: at for at, word in enumerate(self.words)}
        self._squares = position._loaded.position_index.keys()
        self._player = position.turn

    def find(self, word: str) -> int:
        """Return the index of the move whose word or text is `word`, or that `word` matches.

        The match ignores letter case, blanks and separators.  The squares of a move (`a2a3`) match
        the move.  Only one move may match.

        Raises:
            MoveSyntaxError: The word is too long for a move.
            AmbiguousMoveError: The word matches several moves.
            IllegalMoveError: The word matches no move.
        """
        at = self._index.get(word)
        if at is not None:
            return at
        refuse_long(word)
        # A word with a number, such as `~2`, must be equal to the word of a move.
        text = "" if _NUMBERED.fullmatch(word) else decode(word)
        if text and text in self._texts:
            return self._texts.index(text)
        target = _without_separators(text)
        matches: dict[str, int] = {}
        for at, move in enumerate(self._texts):
            if target and target in {_without_separators(move), self._squares_of(move)}:
                matches.setdefault(move, at)
        if len(matches) == 1:
            return next(iter(matches.values()))
        if matches:
            raise AmbiguousMoveError(
                f"{word!r} can be {listed(matches)}", detail=word, hints=list(matches)
            )
        raise IllegalMoveError(
            f"{word!r} is not a legal move of {self._player} (legal: {listed(self.words)})",
            detail=word,
        )

    def short_words(self) -> tuple[str, ...]:
        """Return, for each move, its squares (`a2a3`) if they are unique, else its word."""
        squares = [self._squares_of(text) for text in self._texts]
        return tuple(
            path if path and squares.count(path) == 1 else word
            for path, word in zip(squares, self.words, strict=True)
        )

    def _squares_of(self, text: str) -> str:
        return "".join(word for word in text.split() if word in self._squares).casefold()


def push_word(
    position: Position, word: str, words_of: Callable[[Position], Words] = MoveWords
) -> None:
    """Make the move of a word; a player without moves passes with `Pass` or `0000`.

    The move is also made after the end of the game, which may be a draw that players must claim.

    Args:
        position: The position, in which the move is made.
        word: The word.
        words_of: Returns the words of the legal moves of a position.

    Raises:
        MoveError: The move is not legal.
        GameOverError: The game is over, and there are no more moves.
    """
    moves = position.generated_moves
    if not moves:
        position._refuse_if_over()
        if word in {PASS, NO_MOVE}:
            position.push_pass()
            return
    position.push(moves[words_of(position).find(word)], after_end=True)


def replay_words(
    position: Position, replayed: Position, words: Callable[[Position], Sequence[str]]
) -> list[str] | None:
    """Advance `replayed` to `position` by making the missing moves; return their words.

    Args:
        position: The position to reach.
        replayed: An earlier position of the same game, on which the moves are made.
        words: Returns the words of the legal moves of a position.

    Returns:
        The words, or None if a move is not legal in `replayed`.
    """
    replayed_words = []
    for played in position.history[replayed.ply :]:
        if played.index == HOST_PASS:
            if not replayed.is_stuck:
                return None
            replayed.push_pass()
            replayed_words.append(PASS)
            continue
        texts = replayed.legal_moves.texts
        if replayed.result is not None or texts[played.index : played.index + 1] != (played.text,):
            return None
        replayed_words.append(words(replayed)[played.index])
        replayed.push(replayed.legal_moves[played.index])
    return replayed_words


def _numbered(texts: Sequence[str]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    words = []
    for text in texts:
        counts[text] = number = counts.get(text, 0) + 1
        words.append(encode(text) if number == 1 else f"{encode(text)}~{number}")
    return tuple(words)


def _without_separators(text: str) -> str:
    words = [word for word in text.casefold().split() if word not in _SEPARATORS]
    return _BLANKS_AND_HYPHENS.sub("", _CAPTURE_SIGN.sub("", " ".join(words)))


def listed(words: Iterable[str]) -> str:
    """Return the first words, and the number of the others."""
    shown = list(words)
    more = f" and {len(shown) - _MAX_LISTED} more" if len(shown) > _MAX_LISTED else ""
    return ", ".join(shown[:_MAX_LISTED]) + more
