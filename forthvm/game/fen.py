"""Positions as one line of text: FEN in chess, xiangqi and draughts, SFEN in shogi.

Owns writing and reading such lines.  The statements `fen` of a `.notation` file say what the lines
of a game contain: see fen_form.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.errors import PositionError
from forthvm.core.text.visible import visible

from .fen_squares import SquareError, read_squares, write_squares
from .memory.variables import VariableView
from .moves import MoveList
from .setup import first_state, make_setup, turn_index
from .short_notation import absence_of, short_notation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .fen_form import FenField
    from .loaded import LoadedGame
    from .pieces import Piece
    from .setup import Setup
    from .short_notation import ShortNotation
    from .states import State

__all__ = ["read_fen", "write_fen"]

MAX_CHARACTERS = 4096
MAX_NUMBER = 1 << 24  # far more than the turns of any game, and small enough for a cell
_COMMAND = re.compile(r"\s*(position\s+)?s?fen\s+")  # in UCI and USI, before the line
_DIGITS = re.compile(r"[0-9]+")
_WORD = re.compile(r"\S+")
_NUMBERS = {"number", "limit", "count", "round", "turn-number"}
"""The kinds of fields in place of which EPD has operations, such as `bm Nf3; id "a";`."""
_PART = re.compile(r"[^\s:][^:]*")  # between colons
_CLOCK = re.compile(r"[HF]\d+\s*")  # counters of moves at the end, as some draughts programs write
_MAX_SHOWN = 40


def _notation_of(game: LoadedGame) -> ShortNotation:
    notation = short_notation(game)
    if notation is None or not notation.fen.fields:
        raise PositionError(f"no FEN: {absence_of('`fen`', game, game.name)}")
    return notation


# --- writing --------------------------------------------------------------------------------------


def write_fen(game: LoadedGame, state: State) -> str:
    """Return a state as a line of text.

    Raises:
        PositionError: The game has no such lines, or they cannot describe the position.
    """
    notation = _notation_of(game)
    if state.partial:
        raise PositionError("no FEN: it is the middle of a turn")
    return notation.fen.separator.join(_Writer(notation, game, state).fields())


class _Writer:
    """Writes the fields of a state."""

    def __init__(self, notation: ShortNotation, game: LoadedGame, state: State) -> None:
        self._notation = notation
        self._form = notation.fen
        self._game = game
        self._state = state
        self._left: dict[str, Piece] = dict(game.board_of(state).occupied())  # not written yet

    def fields(self) -> list[str]:
        """Return the texts of all fields.

        Raises:
            PositionError: The fields cannot describe the position.
        """
        texts = [self._text(each) for each in self._form.fields]
        for square, piece in self._left.items():
            raise PositionError(f"no FEN: it has no text for {piece} on {square}")
        return texts

    def _text(self, each: FenField) -> str:
        match each.kind:
            case "board":
                return self._board()
            case "turn":
                return each.words[self._game.player_of(self._state)][0]
            case "rights" | "target":
                return self._marks(each)
            case "hand":
                return self._hands(each)
            case "squares":
                return write_squares(each, self._notation, self._take)
        number = 0 if each.kind == "unused" else self._number(each)
        return "-" if each.kind in ("limit", "unused") and number == 0 else str(number)

    def _number(self, each: FenField) -> int:
        if each.kind == "round":
            return _round_of(self._game, self._state)
        if each.kind == "turn-number":
            return self._game.turn_number_of(self._state)
        return VariableView(self._game, self._state)[each.words[0]]

    def _board(self) -> str:
        game, form = self._game, self._form
        columns = game.tables.grid.columns
        rows = []
        for row in range(game.tables.grid.rows):
            text, empty = "", 0
            for square in game.positions[row * columns : (row + 1) * columns]:
                piece = self._left.get(square)
                letter = piece and form.letters.get((piece.player or "", piece.type))
                if piece is None:
                    empty += 1
                elif letter and self._take(square, piece.player, piece.type):
                    text += f"{empty or ''}{letter}"
                    empty = 0
            rows.append(f"{text}{empty or ''}")
        return "/".join(rows)

    def _marks(self, each: FenField) -> str:
        found = [
            text for text, player, kind, square in each.entries if self._take(square, player, kind)
        ]
        return "".join(found) or "-"

    def _hands(self, each: FenField) -> str:
        text = ""
        for letter, player, _, square in each.entries:
            piece = self._left.get(square)
            if piece and piece.type in each.words and self._take(square, player, piece.type):
                count = each.words.index(piece.type) + 1
                text += f"{count if count > 1 else ''}{letter}"
        return text or "-"

    def _take(self, square: str, player: str | None, kind: str) -> bool:
        """Whether a piece is on a square; then it counts as written.

        A piece with an attribute does not: the line would not contain the attribute.
        """
        piece = self._left.get(square)
        if piece is None or (piece.player, piece.type, piece.attribute) != (player, kind, 0):
            return False
        del self._left[square]
        return True


def _round_of(game: LoadedGame, state: State) -> int:
    """Return the number of the round of turns, such as the number of the move in chess.

    A game can begin with the turn of a later player; its first round is shorter.
    """
    turns_before = game.turn_number_of(state) - 1 - game.turn_index_of(state)
    return -(-turns_before // len(game.tables.turns)) + 1


# --- reading --------------------------------------------------------------------------------------


def read_fen(game: LoadedGame, text: str) -> Setup:
    """Return the set-up that a line describes.

    The fields after the turn may be missing.  The words `position`, `fen` and `sfen` of UCI and USI
    may be before the line.

    Raises:
        PositionError: The game has no such lines, or the text is wrong.
    """
    notation = _notation_of(game)
    if len(text) > MAX_CHARACTERS:
        raise PositionError(f"a FEN has at most {MAX_CHARACTERS} characters")
    command = _COMMAND.match(text)
    start = command.end() if command else 0
    return _Reader(game, notation, " " * start + text[start:]).setup()


class _Reader:
    """Reads the fields of a line."""

    def __init__(self, game: LoadedGame, notation: ShortNotation, text: str) -> None:
        self._game = game
        self._notation = notation
        self._form = notation.fen
        self._text = text
        self._pieces: dict[str, tuple[str, str]] = {}  # player and type by position
        self._targets: list[str] = []  # positions of the pieces of `target`
        self._turn = game.tables.turns[game.tables.repeat].player
        self._numbers: dict[str, int] = {}
        self._round: int | None = None
        self._counts = True  # no field `limit` says that nothing is counted

    def setup(self) -> Setup:
        """Return the set-up that the line describes.

        Raises:
            PositionError: The line is wrong.
        """
        if self._form.separator == ":":
            self._read_lists()
        else:
            self._read_fields()
        if self._round is not None:
            turns_before = len(self._game.tables.turns) * (self._round - 1)
            self._numbers["turn-number"] = turns_before + turn_index(self._game, self._turn) + 1
        setup = self._setup_of(self._pieces)
        if self._targets:
            # Many programs note a capture en passant that no pawn can make.  Such a note would make
            # positions with the same moves different.
            others = {at: piece for at, piece in self._pieces.items() if at not in self._targets}
            without = self._setup_of(others)
            if self._moves_of(without) == self._moves_of(setup):
                return without
        return setup

    def _read_lists(self) -> None:
        """Read the player to move and the lists of squares, in any order."""
        turn, field = self._form.fields
        parts = list(_PART.finditer(self._text.rstrip(". ")))
        if not parts:
            raise self._error(0, "the turn")
        self._read(turn, parts[0][0].rstrip(), parts[0].start())
        missing = {text: player for text, player, *_ in field.entries}
        for each in parts[1:]:
            if not missing and _CLOCK.fullmatch(each[0]):
                continue
            side = self._longest(missing, each[0], 0)
            if not side:
                wanted = " or ".join(f"`{text}`" for text in missing)
                raise self._error(each.start(), wanted or "the end")
            self._read_list(field, each[0][len(side) :], each.start() + len(side), missing[side])
            del missing[side]
        for side in missing:
            raise self._error(len(self._text), f"`:{side}` and squares")

    def _read_list(self, each: FenField, text: str, start: int, player: str) -> None:
        is_square = self._game.position_index.__contains__
        try:
            for at, square, kind in read_squares(each, self._notation, text, is_square):
                if square in self._pieces:
                    raise SquareError(at, "each square once")
                self._pieces[square] = player, kind
        except SquareError as error:
            raise self._error(start + error.at, error.expected) from error

    def _read_fields(self) -> None:
        fields = self._form.fields
        words = self._words()
        for each, word in zip(fields, words, strict=False):
            self._read(each, word[0], word.start())
        needed = 1 + max(n for n, each in enumerate(fields) if each.kind in ("board", "turn"))
        if len(words) < needed:
            raise self._error(len(self._text), f"the {fields[len(words)].kind}")
        if len(words) > len(fields):
            raise self._error(words[len(fields)].start(), "the end")

    def _words(self) -> list[re.Match[str]]:
        """Return the words of the fields, without the operations of EPD after them."""
        words = list(_WORD.finditer(self._text))
        kinds = [each.kind for each in self._form.fields]
        for at, word in enumerate(words):
            is_number = at >= len(kinds) or kinds[at] in _NUMBERS
            if word[0][0] == ";" or (is_number and word[0][0].isalpha() and ";" in self._text):
                return words[:at]
        return words

    def _setup_of(self, pieces: dict[str, tuple[str, str]]) -> Setup:
        placed = [(player, kind, at) for at, (player, kind) in pieces.items()]
        setup = make_setup(self._game, placed, self._turn, self._numbers)
        assert setup is not None  # it has pieces or a turn
        return setup

    def _moves_of(self, setup: Setup) -> tuple[str, ...]:
        state = first_state(self._game, setup)
        return tuple(MoveList(self._game, state, after_end=True).texts)

    def _read(self, each: FenField, word: str, start: int) -> None:
        match each.kind:
            case "board":
                self._board(word, start)
            case "turn":
                letters = {
                    letter: player
                    for player, known in zip(self._game.players, each.words, strict=True)
                    for letter in known
                }
                if word not in letters:
                    raise self._error(start, " or ".join(f"`{letter}`" for letter in letters))
                self._turn = letters[word]
            case "rights" | "target" if word != "-":
                self._marks(each, word, start)
            case "hand" if word != "-":
                self._hands(each, word, start)
            case "number" | "limit" | "count":
                self._value(each, word, start)
            case "turn-number":
                self._numbers["turn-number"] = max(self._number(word, start, 0), 1)
            case "round":
                self._round = max(self._number(word, start, 0), 1)

    def _board(self, word: str, start: int) -> None:
        grid, squares = self._game.tables.grid, self._game.positions
        at, rows = start, word.split("/")
        if len(rows) == 1 < grid.rows:
            raise self._error(start, f"{grid.rows} rows with `/` between them")
        for row, text in enumerate(rows):
            if row == grid.rows:
                raise self._error(at - 1, f"the end of the board, which has {grid.rows} rows")
            column = end = 0
            while end < len(text):
                run = _DIGITS.match(text, end)
                letter = run[0] if run else self._longest(self._form.pieces, text, end)
                if not letter:
                    letters = " ".join(self._form.letters.values())
                    raise self._error(at + end, f"a piece ({letters}) or a number of squares")
                count = _value_of(letter) if run else 1
                if not 0 < count <= grid.columns - column:
                    raise self._error(at + end, f"{grid.columns} squares in the row")
                if not run:
                    self._pieces[squares[row * grid.columns + column]] = self._form.pieces[letter]
                column += count
                end += len(letter)
            at += len(text)
            if column < grid.columns:
                raise self._error(at, f"{grid.columns} squares in the row, not {column}")
            at += 1  # the slash
        if len(rows) < grid.rows:
            raise self._error(at - 1, f"{grid.rows} rows, not {len(rows)}")

    def _marks(self, each: FenField, word: str, start: int) -> None:
        entries = {entry[0]: entry for entry in each.entries}
        at = 0
        while at < len(word):
            text = self._longest([*entries, *each.first], word, at)
            meant = self._first_of(each, text) if text in each.first else text
            if not meant or (at and each.kind == "target"):
                raise self._error(start + at, f"`-` or {' '.join(entries)}")
            _, player, kind, square = entries[meant]
            if square in self._pieces:
                raise self._error(start + at, "each text once")
            self._pieces[square] = player, kind
            if each.kind == "target":
                self._targets.append(square)
            at += len(text)

    def _first_of(self, each: FenField, text: str) -> str:
        """Return the text of the mark that a text means in this position; "" if none."""
        player, kind, limit, choices = each.first[text]
        for square, mark in choices:
            piece = self._pieces.get(square)
            if piece in ((player, kind), (player, limit)):
                return mark if piece == (player, kind) else ""
        return ""

    def _hands(self, each: FenField, word: str, start: int) -> None:
        entries = {entry[0]: entry for entry in each.entries}
        at = 0
        while at < len(word):
            run = _DIGITS.match(word, at)
            after = run.end() if run else at
            letter = self._longest(entries, word, after)
            if not letter:
                raise self._error(start + after, f"one of {' '.join(entries)}")
            _, player, _, square = entries[letter]
            count = _value_of(run[0]) if run else 1
            if not 0 < count <= len(each.words):
                raise self._error(start + at, f"a number from 1 to {len(each.words)}")
            if square in self._pieces:
                raise self._error(start + after, "each piece in hand once")
            self._pieces[square] = player, each.words[count - 1]
            at = after + len(letter)

    @staticmethod
    def _longest(texts: Iterable[str], word: str, at: int) -> str:
        """Return the longest of some texts that begins at an index of a word, or ""."""
        return max((text for text in texts if word.startswith(text, at)), key=len, default="")

    def _value(self, each: FenField, word: str, start: int) -> None:
        """Read the value of a variable; without a limit, that of a count does not matter."""
        if each.kind == "limit":
            self._counts = word != "-"
            number = self._number(word, start, 1, "`-` or ") if self._counts else 0
        else:
            number = self._number(word, start, 0)
        if each.kind == "number" or self._counts:
            self._numbers[each.words[0]] = number

    def _number(self, word: str, start: int, low: int, otherwise: str = "") -> int:
        number = _value_of(word) if _DIGITS.fullmatch(word) else -1
        if not low <= number <= MAX_NUMBER:
            raise self._error(start, f"{otherwise}a number from {low} to {MAX_NUMBER}")
        return number

    def _error(self, at: int, expected: str) -> PositionError:
        word = _WORD.match(self._text, at)
        end = "a space" if self._text[at:].strip() else "the end of the text"
        found = f"`{visible(word[0][:_MAX_SHOWN])}`" if word else end
        return PositionError(f"FEN, column {at + 1}: expected {expected}; found {found}")


def _value_of(digits: str) -> int:
    """Return the value of digits; of more than ten, a value that is too large for any field."""
    return int(digits.lstrip("0")[:10] or "0")
