"""Writes the moves of a list in the short notation of their game, and finds a typed short text.

Owns the form of short texts: the least origin that tells a move from the others, the signs of
captures, drops, promotions, check and a win.  A move whose short text would not be unique has none:
its text as the game writes it stands for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError

from .ending import ending_of
from .notation import parse_parts
from .remarks import announced_in, printed_by
from .short_notation import short_notation
from .shown import shown_of_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .loaded import LoadedGame
    from .notation import Part
    from .short_notation import ShortNotation
    from .states import State

__all__ = ["ShortTexts", "short_texts_of", "swap_names", "with_squares"]

_IGNORED = re.compile(r"e\.p\.|(?<=\d)ep$|[-x:#=*@!?()/\s]")
_SIGN = re.compile(r"[+#!?\s]+$")
_SIGN_WHERE_PLUS_PROMOTES = re.compile(r"[#=!?\s]+$")
"""`=` says that the piece is not promoted."""
_FILE_AND_RANK = re.compile(r"([^\W\d]+)(\d+)")
_CHAIN = re.compile(r"\d+(\s*[-x:]\s*\d+)+")


class ShortTexts:
    """The short texts of the moves of a state.

    Attributes:
        texts: For each move its short text without the sign of check or a win, else its text.
    """

    def __init__(self, notation: ShortNotation, game: LoadedGame, state: State) -> None:
        """Write the moves of a state."""
        self._notation, self._game, self._state = notation, game, state
        self._player = game.player_of(state)
        self._full = game.states.texts(state)
        self._forms = [
            list(self._forms_of(parse_parts(text, game.known_names))) for text in self._full
        ]
        self._plain_letter = _plain_letter(notation)
        self.texts = self._unique()
        self._signed: dict[int, str] = {}

    def _forms_of(self, parts: Sequence[Part]) -> Iterator[str]:
        """Yield the forms of a move: its name if it castles onto an own piece, else others."""
        if self._notation.castling is not None:
            origin, target = parts[0].squares if parts and parts[0].kind == "move" else ("", "")
            board = self._game.board_of(self._state)
            piece = board[target] if origin != target else None
            if piece is not None and piece.player == self._game.players[self._player]:
                yield self._notation.castling[target < origin]
                return
        yield from _forms(self._notation, parts)

    def _unique(self) -> tuple[str, ...]:
        """Return for each move the first of its forms that no other move has."""
        full, forms = self._full, self._forms
        users: dict[tuple[int, str], set[str]] = {}  # the moves that have a form
        for text, own in zip(full, forms, strict=True):
            for detail, form in enumerate(own):
                users.setdefault((detail, form), set()).add(text)
        chosen = [
            next((form for at, form in enumerate(own) if len(users[at, form]) == 1), text)
            for text, own in zip(full, forms, strict=True)
        ]
        meanings: dict[str, set[str]] = {text: {text} for text in full}
        for text, form in zip(full, chosen, strict=True):
            meanings.setdefault(form, set()).add(text)
        return tuple(
            form if len(meanings[form]) == 1 else text
            for text, form in zip(full, chosen, strict=True)
        )

    def signed(self, index: int) -> str:
        """Return the short text of a move with the sign of check or a win; the sign is cached."""
        if index not in self._signed:
            text = self.texts[index]
            sign = "" if text == self._full[index] else self._sign(index)
            self._signed[index] = text + sign
        return self._signed[index]

    def _sign(self, index: int) -> str:
        """Make a move, to see whether it wins, or what the script announces after it.

        With hidden pieces there is no sign: it would show a player, before the move is made, where
        they are.
        """
        notation, game = self._notation, self._game
        if not (notation.win or notation.check):
            return ""
        states, player = game.states, game.players[self._player]
        try:
            if shown_of_game(game, self._state).has_secrets:
                return ""
            with states.lock, printed_by(game.vm):
                after = states.make(self._state, index)
                states.save(after)
                outcome = ending_of(game, after) if notation.win else None
                if outcome is not None and player in outcome.winners:
                    return notation.win
                sign, words = notation.check or ("", "")
                announced = announced_in(game, after) if sign else ()
        except ForthVMError:  # the error is reported when the move is made
            return ""
        return sign if any(words in line for line in announced) else ""

    def unsigned(self, text: str) -> str:
        """Return a typed text without signs of check and mate, and without a judgement."""
        sign = _SIGN_WHERE_PLUS_PROMOTES if self._notation.promotes_by_plus else _SIGN
        return sign.sub("", text)

    def bare(self, text: str) -> str:
        """Return a typed text without the signs that people leave out or write in another way.

        From `exd8=Q+` remains `ed8Q`, from `12 x 19` `1219`, from `O-O` `OO`.
        """
        text = _IGNORED.sub("", text)
        return text if self._notation.promotes_by_plus else text.replace("+", "")

    @property
    def typed_forms(self) -> list[set[str]]:
        """For each move what people may type for it, as `bare` returns it.

        That is every form of its origin, with or without the promotion.
        """
        return [{text for form in own for text in self._typed(form)} for own in self._forms]

    def _typed(self, form: str) -> Iterator[str]:
        bare = self.bare
        yield bare(form)
        plain, _, promotion = form.partition("=")
        if promotion:
            yield bare(plain)
        if form.startswith("+"):
            yield bare(form[1:])
        if form.endswith("+"):
            yield bare(form[:-1])
            yield bare(f"{form}{form[0]}")  # as in `Rd8=+R`
        if not any(map(str.isdigit, form)):  # O-O, which is also typed with zeros
            yield bare(form).replace("O", "0")
        if form[:1].islower():  # the square of a piece that has no letter, as in `Pe4`
            yield bare(f"{self._plain_letter}{form}")


def _plain_letter(notation: ShortNotation) -> str:
    """Return the letter in FEN of the only type that has none in moves; "" if there is none."""
    letters = {
        letter.upper()
        for (_, kind), letter in notation.fen.letters.items()
        if kind not in notation.letters
    }
    return letters.pop() if len(letters) == 1 else ""


def _forms(notation: ShortNotation, parts: Sequence[Part]) -> Iterator[str]:
    """Yield the forms of a move, the shortest first; none if the notation cannot describe it."""
    moved = [part for part in parts if part.kind == "move"]
    changed = next((part for part in parts if part.kind == "change"), None)
    letters, squares = notation.letters, notation.squares
    becomes = letters.get(changed.name or "", "") if changed else ""
    if not moved:
        created = next((part for part in parts if part.kind == "create"), None)
        if swap := swap_names(notation, parts):
            yield from swap
        elif created is not None:
            letter, target = letters.get(created.name or "", ""), created.squares[0]
            promotion = _promotion(letter, becomes)
            yield f"{letter and letter + '*'}{squares.get(target, target)}{promotion}"
        return
    first = moved[0]
    origin, target = first.squares
    letter = letters.get(first.name or "", "")
    name = notation.names.get((first.name or "", origin, target))
    if name:
        yield name
        yield f"{origin}{target}"
        yield f"{letter}{origin}{target}"
        return
    path = [origin, target]
    for part in moved[1:]:  # a chain of captures, which some games write as one move
        if part.squares[0] == path[-1]:
            path.append(part.squares[1])
    written = [squares.get(square, square) for square in path]
    promotion = _promotion(letter, becomes)
    takes = any(part.takes for part in parts)
    if notation.shows_origin:
        sign = "x" if takes else "-"
        yield f"{letter}{written[0]}{sign}{written[-1]}{promotion}"
        if len(written) > 2:
            yield f"{letter}{sign.join(written)}{promotion}"
        return
    for before in _origins(written[0], is_short=bool(letter) or not takes):
        yield f"{letter}{before}{'x' if takes else ''}{written[-1]}{promotion}"


def _promotion(letter: str, becomes: str) -> str:
    """Return the sign of a promotion: `=Q`, or `+` if the letter gets a plus."""
    if becomes == f"+{letter}":
        return "+"
    return f"={becomes}" if becomes else ""


def swap_names(notation: ShortNotation, parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the names of a move if it removes a piece and puts another one on the board."""
    return notation.swap if [part.kind for part in parts] == ["capture", "create"] else ()


def _origins(square: str, *, is_short: bool) -> Iterator[str]:
    """Yield the ways to write an origin: nothing, its file, its rank, the square.

    A capture by a piece without a letter has at least the file: `exd5`.
    """
    match = _FILE_AND_RANK.fullmatch(square)
    file_and_rank = match.groups() if match else ()
    yield from ("", *file_and_rank) if is_short else file_and_rank[:1]
    yield square


def short_texts_of(game: LoadedGame, state: State) -> ShortTexts | None:
    """Return the short texts of the moves of a state; None if the game has no short notation."""
    notation = short_notation(game)
    return None if notation is None else ShortTexts(notation, game, state)


def with_squares(game: LoadedGame, text: str) -> str:
    """Return a chain of numbers, such as `12x19x26`, with the names of the squares."""
    notation = short_notation(game)
    if notation is None or not notation.squares or not _CHAIN.fullmatch(text.strip()):
        return text
    names = {number: square for square, number in notation.squares.items()}
    return re.sub(r"\d+", lambda match: names.get(match[0], match[0]), text)
