"""Finds the legal move that a typed text means.

Owns the rules by which a text matches a move, and the messages for texts without a match.  It works
only on texts.

The rules are tried in the following order.  The first rule by which any move matches decides.  The
typed text matches

1. the exact move text, as in the original's host;
2. the move text, ignoring letter case and the number of blanks, then ignoring all blanks;
3. the move's short text, in a game with a short notation; there, a sign of check or mate does not
   count in this rule and the next ones;
4. all squares of the move (`d2 d3`, `d2-d3`, `d2d3`, `d2xd3`);
5. the name of the piece or its beginning, and the squares (`pawn d2 d3`, `Pd2-d3`);
6. the beginning of the move text, with or without separators, or the beginning of its squares, with
   or without the beginning of the name of its piece;
7. the short text with more or less of the origin, or without signs, then ignoring letter case.

Rule 6 is for texts that are typed: in the record of a game, a part of a move is damage.

By rules 4 to 6, typed squares must be the move's first squares: `e1` does not match e12.

Each rule also accepts common variations: a drop without the player's name (`mark a3` for
`X mark a3`), and captures after the piece that moves (`Man a1 - a3 x a2` for
`x a2 Man a1 - a3`).

If a rule matches moves with different texts, the typed text is ambiguous.  Several moves with the
same text, which the original keeps in the list, count as one: the first of them is made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError, MoveSyntaxError
from forthvm.core.text.wording import close_names, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import NoReturn

    from .short_moves import ShortTexts

__all__ = [
    "MAX_CHARACTERS",
    "Typed",
    "close_moves",
    "find_move",
    "illegal_move",
    "read_typed",
    "refuse_long",
    "squares_of",
]

MAX_CHARACTERS = 10_000
"""Maximum length of a typed text, except for the exact text of a legal move."""
_MAX_LISTED = 6  # moves in a message
_MAX_SHOWN = 80  # characters of a typed text in a message
_SEPARATORS = frozenset({"-", "x", "on", "="})
_CAPTURE_SIGN = re.compile(r"(?<=\d)x(?=[^\W\d])")  # between two squares
_SIGNS = re.compile(r"[\s\-=]+")
_SEPARATED_BY = re.compile(r"\W+")
_LETTERS = re.compile(r"[^\W\d_]*")
_MAX_JOINED = 200
"""Maximum length of a word that is split into squares."""


def find_move(  # noqa: PLR0913 - keyword-only, each of them documented
    text: str,
    moves: Sequence[str],
    *,
    squares: Collection[str],
    names: Collection[str],
    player: str,
    short_texts: Callable[[], ShortTexts | None] = lambda: None,
    is_typed: bool = True,
) -> int:
    """Return the index of the move that a text means.

    Args:
        text: The typed text.
        moves: Texts of the legal moves.
        squares: Names of the board positions.
        names: Names of the pieces and players.
        player: Name of the player to move, for the messages.
        short_texts: Returns the short texts of the moves, if the game has a short notation.
        is_typed: Whether a part of a move means the move.

    Raises:
        MoveSyntaxError: No part of the text belongs to a move of this game.
        AmbiguousMoveError: The text matches several moves.
        IllegalMoveError: The text matches no move; the message names similar moves.

    >>> moves = ["Man a1 - a2", "Man a1 x b2", "Man b1 - b2"]
    >>> find = lambda text: find_move(
    ...     text, moves, squares={"a1", "a2", "b1", "b2"}, names={"Man"}, player="Red")
    >>> find("man a1-a2"), find("b1b2"), find("a1 x")
    (0, 2, 1)
    >>> find("a1")
    Traceback (most recent call last):
    ...
    forthvm.core.errors.AmbiguousMoveError: `a1` can be `Man a1 - a2` or `Man a1 x b2`
    """
    text = text.strip()
    try:
        return moves.index(text)
    except ValueError:
        pass
    refuse_long(text)
    if text:
        forms = [_forms(move, squares, names) for move in moves]
        for compared, fits in _rules(text, forms, squares, names, short_texts(), is_typed=is_typed):
            index_by_move: dict[str, int] = {}
            for index, move in enumerate(moves):
                if any(map(fits, compared[index])):
                    index_by_move.setdefault(move, index)
            matches = list(index_by_move)
            if len(matches) == 1:
                return index_by_move[matches[0]]
            if matches:
                raise AmbiguousMoveError(
                    f"`{text}` can be {_listed(matches)}", detail=text, hints=matches
                )
    _refuse(text, moves, squares, names, player)


def refuse_long(text: str) -> None:
    """Refuse a text that is too long to be compared with moves.

    Raises:
        MoveSyntaxError: The text is too long.
    """
    if len(text) > MAX_CHARACTERS:
        shown = _cut(text)
        raise MoveSyntaxError(
            f"`{shown}` is not a move; it has {len(text):,} characters, and a move that is not "
            f"written exactly may have {MAX_CHARACTERS:,}",
            detail=shown,
        )


def illegal_move(text: str, moves: Sequence[str], player: str) -> IllegalMoveError:
    """Return the error for a text that is not a legal move; the message names similar moves."""
    shown = _cut(text)
    if not moves:
        return IllegalMoveError(f"`{shown}`: {player} has no legal move", detail=text)
    near = close_moves(text, moves)
    hint = f"close: {_listed(near)}" if near else f"{player} can play {_listed(moves)}"
    return IllegalMoveError(
        f"`{shown}` is not a legal move of {player}; {hint}", detail=text, hints=near
    )


def close_moves(text: str, moves: Sequence[str], count: int = _MAX_LISTED) -> list[str]:
    """Return legal moves with similar texts, the most similar first."""
    move_by_text = {_single_spaced(move): move for move in reversed(moves)}
    near = close_names(_single_spaced(text), move_by_text, count, cutoff=0.5)
    return [move_by_text[key] for key in near]


def _rules(  # noqa: PLR0913 - as for find_move
    text: str,
    forms: Sequence[Collection[str]],
    squares: Collection[str],
    names: Collection[str],
    short: ShortTexts | None,
    *,
    is_typed: bool,
) -> Iterator[tuple[Sequence[Collection[str]], Callable[[str], bool]]]:
    """Yield the rules in order, each with the texts of every move that it is applied to."""
    for fits in _text_rules(text):
        yield forms, fits
    if short is not None:
        text = short.unsigned(text)
        yield [(each,) for each in short.texts], lambda move: move == text
    for fits in _square_rules(text, squares, names, is_typed=is_typed):
        yield forms, fits
    if short is not None:
        typed_forms, plain = short.typed_forms, short.bare(text)
        yield typed_forms, lambda form: form == plain
        yield typed_forms, lambda form: form.casefold() == plain.casefold()


def _text_rules(text: str) -> Iterator[Callable[[str], bool]]:
    """Yield the rules for complete move texts, beginning with the exact match of a variation."""
    spaced, without_separators = _single_spaced(text), _without_separators(text)
    yield lambda move: move == text
    yield lambda move: _single_spaced(move) == spaced
    yield lambda move: _without_blanks(move) == _without_blanks(text)
    yield lambda move: _joined_move(move) == without_separators


def _square_rules(
    text: str, squares: Collection[str], names: Collection[str], *, is_typed: bool
) -> Iterator[Callable[[str], bool]]:
    """Yield the rules for squares, with or without a piece, and for beginnings of move texts."""
    without_separators = _without_separators(text)
    if without_separators:
        yield lambda move: _joined_squares(move, squares) == without_separators
    typed = read_typed(text, squares, names)

    def with_typed_squares(fits: Callable[[str], bool]) -> Callable[[str], bool]:
        return lambda move: fits(move) and typed.agrees(move, squares, names)

    rules = _prefix_rules(text, typed, squares, is_typed=is_typed)
    yield from map(with_typed_squares, rules)


def _prefix_rules(
    text: str, typed: Typed, squares: Collection[str], *, is_typed: bool
) -> Iterator[Callable[[str], bool]]:
    """Yield the rules by which typed squares must be the move's first squares."""
    spaced, without_signs, without_separators = (
        _single_spaced(text),
        _without_signs(text),
        _without_separators(text),
    )

    def begins_around_first_square(move: str) -> bool:
        """Return whether typed text and move agree before the first square, and from there on.

        In both parts, the typed text must be the beginning of the move's text.
        """
        words = _without_type(move.split())
        index = next((index for index, word in enumerate(words) if word in squares), 0)
        after = without_separators.removeprefix(typed.before)
        if not _joined_words(words[:index]).startswith(typed.before):
            return False
        return _joined_words(words[index:]).startswith(after)

    if typed.squares:
        yield (
            lambda move: (
                begins_around_first_square(move)
                and _joined_squares(move, squares) == "".join(typed.squares)
            )
        )
    if not is_typed:
        return
    yield lambda move: _single_spaced(move).startswith(spaced)
    yield lambda move: _without_blanks(move).startswith(_without_blanks(text))
    if without_separators:
        yield lambda move: _begins_at_first_square(move, text, squares)
        yield (
            lambda move: (
                _joined_move(move).startswith(without_separators)
                or _joined_move(move).startswith(without_signs)
            )
        )
        yield lambda move: _joined_squares(move, squares).startswith(without_separators)
    if typed.squares:
        yield begins_around_first_square


def _forms(move: str, squares: Collection[str], names: Collection[str]) -> list[str]:
    """Return a move's text and, if the module's text allows one, its common variation."""
    words = _without_type(move.split())
    if words[2:] and words[0] in names and words[1] in names and words[2] in squares:
        return [move, " ".join(words[1:])]  # a drop: player, piece, square
    end = 0  # end of the captures
    while len(words) > end + 1 and words[end] == "x" and words[end + 1] in squares:
        end += 2
    captures, remaining = words[:end], words[end:]
    if not captures or not remaining or remaining[0] == "-":  # in `x a1 - a2`, `x` is a piece
        return [move]
    return [move, " ".join(remaining + captures)]


def _joined_squares(move: str, squares: Collection[str]) -> str:
    """Return a move's squares without separators."""
    return _without_signs("".join(word for word in move.split() if word in squares))


def _joined_move(move: str) -> str:
    """Return a move's text without separators and blanks."""
    return _joined_words(_without_type(move.split()))


def _joined_words(words: Sequence[str]) -> str:
    return _without_signs("".join(word for word in words if word not in _SEPARATORS))


def _without_type(words: list[str]) -> list[str]:
    """Return the words of a move text without `partial` and the number of its move type."""
    if len(words) > 1 and words[0] == "partial" and words[1].isdigit():
        return words[2:]
    return words


def _begins_at_first_square(move: str, text: str, squares: Collection[str]) -> bool:
    """Return whether the move's text from its first square on begins with `text` (`a1 x`)."""
    words = move.split()
    for index, word in enumerate(words):
        if word in squares:
            return _without_blanks(" ".join(words[index:])).startswith(_without_blanks(text))
    return False


def _single_spaced(text: str) -> str:
    """Return a text in lower case with single blanks."""
    return " ".join(text.casefold().split())


def _without_blanks(text: str) -> str:
    """Return a text in lower case without blanks."""
    return "".join(text.casefold().split())


def _without_signs(text: str) -> str:
    """Return a text in lower case without blanks, hyphens and equals signs."""
    return _SIGNS.sub("", text.casefold())


def _without_separators(text: str) -> str:
    """Return a typed text in lower case without blanks, signs, and the words `x` and `on`."""
    words = [word for word in text.casefold().split() if word not in _SEPARATORS]
    return _SIGNS.sub("", _CAPTURE_SIGN.sub("", " ".join(words)))


def _refuse(
    text: str,
    moves: Sequence[str],
    squares: Collection[str],
    names: Collection[str],
    player: str,
) -> NoReturn:
    """Raise the error for a text that matches no move."""
    known = {name.casefold() for name in (*squares, *names)} | {"pass", "partial"}
    parts = re.findall(r"\w+", _CAPTURE_SIGN.sub(" ", text.casefold()))
    if not any(part in known or _begins_with(part, known) for part in parts):
        what = f"`{_cut(text)}` is not a move" if text else "an empty text is not a move"
        hint = f"{player} can play {_listed(moves)}" if moves else f"{player} has no move"
        raise MoveSyntaxError(f"{what}; {hint}", detail=text)
    raise illegal_move(text, moves, player)


def _begins_with(part: str, known: Collection[str]) -> bool:
    """Return whether a text such as `d2d9` begins with a known name that ends with a digit."""
    return any(part.startswith(name) for name in known if name[-1:].isdigit())


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


def _listed(moves: Sequence[str]) -> str:
    """Return a list of moves for a message."""
    shown = [f"`{move}`" for move in dict.fromkeys(moves)]
    more = len(shown) - _MAX_LISTED
    if more > 0:
        return f"{', '.join(shown[:_MAX_LISTED])} … ({more} more)"
    return joined(shown, "or")


# --- the squares in a typed text ------------------------------------------------------------


@dataclass(frozen=True)
class Typed:
    """The squares in a typed text.

    Attributes:
        before: The text before the first square, without blanks: usually the piece.
        squares: The squares, in order, case folded.
        unknown: Words that look like squares but are not squares of the board.  Such a word has
            digits, is not a name, and begins with a square or follows one.
    """

    before: str
    squares: tuple[str, ...]
    unknown: frozenset[str]

    def agrees(self, move: str, squares: Collection[str], names: Collection[str]) -> bool:
        """Return whether a move's squares begin with `squares`, and its text contains `unknown`."""
        move_squares = squares_of(move, squares, names)
        return move_squares[: len(self.squares)] == self.squares and self.unknown <= set(
            _SEPARATED_BY.split(move.casefold())
        )


def squares_of(move: str, squares: Collection[str], names: Collection[str]) -> tuple[str, ...]:
    """Return the squares in a move's text, in order, case folded.

    >>> squares_of("A1 b2 - b3 x b3", {"a1", "b2", "b3"}, {"A1"})
    ('b2', 'b3', 'b3')
    """
    words = move.split()
    following = [*words[1:], ""]
    return tuple(
        word.casefold()
        for word, after in zip(words, following, strict=False)
        if word in squares and not (word in names and after in squares)
    )


def read_typed(text: str, squares: Collection[str], names: Collection[str]) -> Typed:
    """Parse a typed text.

    >>> read_typed("Pa2-a3", {"a2", "a3"}, {"Pawn"})
    Typed(before='p', squares=('a2', 'a3'), unknown=frozenset())
    """
    known_squares = {square.casefold() for square in squares}
    folded_names = sorted((name.casefold() for name in names), key=len, reverse=True)
    before, unknown = "", set()
    found: list[str] = []
    for part in _parts(text.casefold(), known_squares, folded_names):
        name_part, part_squares = _name_and_squares(part, known_squares, folded_names)
        if not found:
            before += name_part if part_squares else part
        may_be_square = any(map(str.isdigit, part)) and part not in folded_names
        if (
            may_be_square
            and not part_squares
            and (found or _split(part[:_MAX_JOINED], known_squares)[0])
        ):
            unknown.add(part)
        found += part_squares
    return Typed(before, tuple(found), frozenset(unknown))


def _parts(text: str, known_squares: Collection[str], folded_names: Sequence[str]) -> list[str]:
    """Return the words of a text; words that are not squares are also split at separators."""
    parts = []
    for word in text.split():
        if word in known_squares or word in folded_names:
            parts.append(word)
        else:
            parts += filter(None, _SEPARATED_BY.split(_CAPTURE_SIGN.sub(" ", word)))
    # Drop a word before a square if it is the name of a piece and of a square.
    return [
        part
        for part, after in zip(parts, [*parts[1:], ""], strict=False)
        if not (part in folded_names and part in known_squares and after in known_squares)
    ]


def _name_and_squares(
    part: str, known_squares: Collection[str], folded_names: Sequence[str]
) -> tuple[str, list[str]]:
    """Split a word into the beginning of a piece's name, which may be "", and joined squares."""
    if len(part) > _MAX_JOINED:
        return "", []
    if part in known_squares:
        return "", [part]
    letters = len(_LETTERS.match(part)[0])  # type: ignore[index]  # it matches anything
    name_parts = ["", *(name for name in folded_names if part.startswith(name))]
    name_parts += [part[:count] for count in range(1, letters + 1)]
    best: tuple[str, list[str]] = "", []
    for name_part in name_parts:
        part_squares, remaining = _split(part[len(name_part) :], known_squares)
        if part_squares and not remaining:
            return name_part, part_squares
        if part_squares and not best[1] and not any(map(str.isdigit, remaining)):
            best = name_part, part_squares
    return best


def _split(text: str, known_squares: Collection[str]) -> tuple[list[str], str]:
    """Return the squares at the beginning of a text, and the text after them.

    The squares cover as many characters as possible.
    """
    longest = max(map(len, known_squares), default=0)
    # If the first n characters consist of squares, paths[n] contains these squares.
    paths: dict[int, list[str]] = {0: []}
    for end in range(1, len(text) + 1):
        for begin in range(max(0, end - longest), end):
            if begin in paths and text[begin:end] in known_squares:
                paths[end] = [*paths[begin], text[begin:end]]
                break
    end = max(paths)
    return paths[end], text[end:]
