"""Reads the short notation of a game: the `.notation` file beside its script or rule file.

Owns the format (docs/guides/short-notation.md) and its checks.  short_moves.py writes and finds
moves with what this file returns.  The file is read when a short text is first needed, so loading a
game does not depend on it; without it, or if it is wrong, the game has no short notation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from forthvm.core.failure import ForthVMError
from forthvm.core.loading.authors_files import read_authors_text
from forthvm.core.loading.files import shown_name
from forthvm.core.location import Location
from forthvm.core.record import Record
from forthvm.core.text.wording import joined

from .fen_form import FenField, FenForm
from .remarks import ANNOUNCE_WORD

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from .loaded import LoadedGame

__all__ = ["ShortNotation", "absence_of", "notation_problem", "read_notation", "short_notation"]

SUFFIX = ".notation"
MAX_BYTES = 1 << 16
MAX_SIGN = 16
"""The maximum length of a letter, name or sign."""
STYLES = {"target": False, "origin-target": True}
_FEN_FIELDS = (
    "board",
    "turn",
    "rights",
    "target",
    "hand",
    "squares",
    "number",
    "limit",
    "count",
    "round",
    "turn-number",
    "unused",
)
_FEN_ENTRIES = {
    "mark": ("rights", "target"),
    "held": ("hand",),
    "first": ("rights",),
    "side": ("squares",),
}
"""The keywords of entries, with the kinds of fields to which they belong."""
_FIRST_WORDS = 6
"""The least number of words of `fen first`."""
_PROTOCOLS = ("gtp", "ucci", "uci", "usi", "xboard")
_SGF_FORMS = ("point", "name")
_MAX_SGF_GRID = 52
"""The maximum number of rows and columns whose letters are a to z and A to Z."""
_MAX_GRID = 26
"""The maximum number of rows and columns whose letters are those of the alphabet."""
_ANY = "*"
"""In the statement `name`: every type of pieces."""
_WORD = re.compile(r"\S+")
_PLAIN_NAME = re.compile(r"\w[\w.-]*")
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class ShortNotation:
    """How a game's moves are written in short.

    Attributes:
        shows_origin: Whether the square on which a move begins is always written.
        letters: The letters of the piece types; other types are not written.
        squares: What is written for a square; other squares are written by their names.
        names: Moves with names of their own, by piece type, origin and target.
        castling: The names of moves onto an own piece, to the right and to the left.
        swap: The names of a move that removes a piece and puts another one on the board; the first
            one is written.
        check: The sign of a move after which the script announces some words, and the words.
        win: The sign of a move that wins.
        fen: How positions are written; without fields if they cannot be.
        sgf: The number of the game in SGF (GM), and whether a move is written as the name of a
            position, not as two letters; None if the game has none.
        lead: The word that returns the lead of the first player, and its number for one point.
        protocols: The names that engines give the game, by the protocol that they use.
    """

    def __init__(self) -> None:
        self.shows_origin = False
        self.letters: dict[str, str] = {}
        self.squares: dict[str, str] = {}
        self.names: dict[tuple[str, str, str], str] = {}
        self.castling: tuple[str, str] | None = None
        self.swap: tuple[str, ...] = ()
        self.check: tuple[str, str] | None = None
        self.win = ""
        self.fen = FenForm()
        self.sgf: tuple[int, bool] | None = None
        self.lead: tuple[str, int] | None = None
        self.protocols: dict[str, str] = {}

    @property
    def promotes_by_plus(self) -> bool:
        """Whether a `+` after a move is a promotion, not a check: it is part of letters."""
        return any(letter.startswith("+") for letter in self.letters.values())


def short_notation(game: LoadedGame) -> ShortNotation | None:
    """Return the short notation of a game; None without one."""
    return game.once_for_tables(_read)[0]


def notation_problem(game: LoadedGame) -> str:
    """Return what is wrong with the file of a game, with its source line; "" if nothing is."""
    return game.once_for_tables(_read)[1]


def absence_of(statement: str, game: LoadedGame, subject: str = "it") -> str:
    """Return why a game has no such statement: none is in its file, or the file is damaged."""
    stem = game.options.path.stem
    return notation_problem(game) or f"{subject} has no {statement} in a file {stem}{SUFFIX}"


def _read(game: LoadedGame) -> tuple[ShortNotation | None, str]:
    path = game.options.path.with_suffix(SUFFIX)
    try:
        if not path.is_file():
            return None, ""
        return read_notation(path, read_authors_text(path, MAX_BYTES), game), ""
    except ForthVMError as error:
        return None, f"no short notation: {error.report()}"


def read_notation(path: Path, text: str, game: LoadedGame) -> ShortNotation:
    """Read the text of a `.notation` file.

    Raises:
        ForthVMError: A line is wrong; the error has its location.
    """
    reader = _Reader(game, path)
    reader.read(path, text)
    place = Location(shown_name(path), 1, 1, text.partition("\n")[0])
    if "style" not in reader.given:
        raise ForthVMError("the style is missing", location=place, hints=[_STYLE_HINT])
    problem = _sign_problem(reader.notation) or _fen_problem(reader.notation)
    if problem:
        raise ForthVMError(problem, location=place)
    return reader.notation


def _sign_problem(notation: ShortNotation) -> str:
    if notation.check and notation.check[0] == "+" and notation.promotes_by_plus:
        return "`+` is the sign of promotion here, so check needs another sign"
    return ""


def _fen_problem(notation: ShortNotation) -> str:
    fields = notation.fen.fields
    kinds = [each.kind for each in fields]
    if "squares" in kinds:
        if kinds != ["turn", "squares"] or not fields[1].entries:
            return "the fields are `fen turn` and `fen squares`, with `fen side` for each player"
        return "" if notation.squares else "`fen squares` needs `numbers` of the squares"
    if kinds and not {"board", "turn"} <= {*kinds}:
        return "`fen` needs the fields `fen board` and `fen turn`"
    return ""


_STYLE_HINT = "`style target` for moves such as Nf3, `style origin-target` for moves such as a2-a3"


class _Word(Record):
    """A word of the file, with its place."""

    text: str
    location: Location

    def error(self, message: str, *hints: str) -> ForthVMError:
        return ForthVMError(message, location=self.location, hints=hints)

    def unknown(self, message: str, names: Iterable[str], otherwise: str = "") -> ForthVMError:
        """Return the error for a word that is none of some names; it suggests a similar one."""
        from forthvm.core.errors.report import suggest  # files without errors do not need it

        advice = suggest(self.text, names) or otherwise
        return self.error(message, *([advice] if advice else []))


def _statements(path: Path, text: str) -> Iterator[list[_Word]]:
    """Yield the words of each line that is neither empty nor a comment."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("#"):
            words = [
                _Word(
                    match[0],
                    Location(shown_name(path), number, match.start() + 1, line, len(match[0])),
                )
                for match in _WORD.finditer(line)
            ]
            if words:
                yield words


class _Reader:
    """Reads the statements of a file into a notation."""

    def __init__(self, game: LoadedGame, path: Path) -> None:
        self.notation = ShortNotation()
        self.given: set[str] = set()
        self._game = game
        self._path = path
        self._is_skipped = False  # below another variant than that of the game
        self._readers: dict[str, Callable[[_Word, list[_Word]], None]] = {
            "style": self._style,
            "piece": self._piece,
            "numbers": self._numbers,
            "name": self._name,
            "castling": self._castling,
            "swap": self._swap,
            "check": self._check,
            "win": self._win,
            "fen": self._fen,
            "sgf": self._sgf,
            "lead": self._lead,
            "protocol": self._protocol,
            "variant": self._variant,
            "like": self._like,
        }

    def read(self, path: Path, text: str) -> None:
        """Read the statements of a file.

        Raises:
            ForthVMError: A line is wrong.
        """
        for statement in _statements(path, text):
            self._read(*statement)

    def _read(self, keyword: _Word, *words: _Word) -> None:
        read = self._readers.get(keyword.text)
        if read is None:
            known = joined([f"`{name}`" for name in self._readers])
            message = f"unknown keyword `{keyword.text}`"
            raise keyword.unknown(message, self._readers, f"the keywords are {known}")
        if keyword.text == "variant" or not self._is_skipped:
            read(keyword, list(words))

    # --- statements -------------------------------------------------------------------------

    def _style(self, keyword: _Word, words: list[_Word]) -> None:
        self._once(keyword)
        (style,) = _exactly(keyword, words, "STYLE")
        if style.text not in STYLES:
            raise style.error(f"there is no style `{style.text}`", _STYLE_HINT)
        self.notation.shows_origin = STYLES[style.text]

    def _piece(self, keyword: _Word, words: list[_Word]) -> None:
        if len(words) < 2:
            raise keyword.error("`piece` is followed by LETTER TYPE…: piece N knight")
        for kind in words[1:]:
            _add(self.notation.letters, self._type(kind), kind, _sign(words[0]))

    def _numbers(self, keyword: _Word, words: list[_Word]) -> None:
        if not words:
            raise keyword.error("`numbers` is followed by the squares 1, 2, 3…")
        for word in words:
            squares = self.notation.squares
            _add(squares, self._square(word), word, str(len(squares) + 1))

    def _name(self, keyword: _Word, words: list[_Word]) -> None:
        name, kind, origin, target = _exactly(keyword, words, "NAME TYPE ORIGIN TARGET")
        types = self._game.known_names.pieces if kind.text == _ANY else [self._type(kind)]
        squares = self._square(origin), self._square(target)
        for piece_type in types:
            _add(self.notation.names, (piece_type, *squares), kind, _sign(name))

    def _castling(self, keyword: _Word, words: list[_Word]) -> None:
        self._once(keyword)
        right, left = _exactly(keyword, words, "RIGHT LEFT")
        self.notation.castling = _sign(right), _sign(left)

    def _swap(self, keyword: _Word, words: list[_Word]) -> None:
        self._once(keyword)
        if not words:
            raise keyword.error("`swap` is followed by NAME…: swap swap-pieces swap")
        self.notation.swap = tuple(_sign(word) for word in words)

    def _check(self, keyword: _Word, words: list[_Word]) -> None:
        self._once(keyword)
        if len(words) < 2:
            raise keyword.error("`check` is followed by SIGN WORDS: check + is in check")
        if not self._game.defines(ANNOUNCE_WORD):
            raise keyword.error(f"the game announces nothing: it has no {ANNOUNCE_WORD}")
        announced = words[0].location.text[words[1].location.column - 1 :].rstrip()
        self.notation.check = _sign(words[0]), announced

    def _win(self, keyword: _Word, words: list[_Word]) -> None:
        self._once(keyword)
        (sign,) = _exactly(keyword, words, "SIGN")
        self.notation.win = _sign(sign)

    def _sgf(self, keyword: _Word, words: list[_Word]) -> None:
        self._once(keyword)
        number, form = _exactly(keyword, words, "NUMBER FORM")
        grid = self._game.tables.grid
        if not 0 < max(grid.rows, grid.columns) <= _MAX_SGF_GRID:
            message = f"the board has no grid of at most {_MAX_SGF_GRID} rows and columns"
            raise keyword.error(message)
        if not re.fullmatch("[1-9][0-9]{0,3}", number.text):
            raise number.error("the number of a game in SGF is a positive number")
        if form.text not in _SGF_FORMS:
            known = joined([f"`{name}`" for name in _SGF_FORMS])
            raise form.unknown(f"there is no form `{form.text}`", _SGF_FORMS, f"known are {known}")
        self.notation.sgf = int(number.text), form.text == "name"

    def _lead(self, keyword: _Word, words: list[_Word]) -> None:
        self._once(keyword)
        word, unit = _exactly(keyword, words, "WORD UNIT")
        if not self._game.defines(word.text):
            raise word.error(f"the game has no word `{word.text}`")
        if not re.fullmatch("[1-9][0-9]{0,5}", unit.text):
            raise unit.error("the number for one point is a positive number")
        self.notation.lead = word.text, int(unit.text)

    def _protocol(self, keyword: _Word, words: list[_Word]) -> None:
        protocol, name = _exactly(keyword, words, "PROTOCOL NAME")
        grid = self._game.tables.grid
        if not 0 < max(grid.rows, grid.columns) <= _MAX_GRID:
            raise keyword.error(f"the board has no grid of at most {_MAX_GRID} rows and columns")
        _known(protocol, _PROTOCOLS, "protocol")
        _add(self.notation.protocols, protocol.text, protocol, _sign(name))

    def _variant(self, keyword: _Word, words: list[_Word]) -> None:
        rules = self._game.rules
        if rules is None:
            raise keyword.error("a script has no variants; rule files (.zrf) have")
        title = " ".join(word.text for word in words)
        if title not in rules.titles:
            raise keyword.error(f"there is no variant `{title}`")
        self._is_skipped = title != rules.title

    def _like(self, keyword: _Word, words: list[_Word]) -> None:
        if "like" in self.given:  # so a file cannot lead to itself
            raise keyword.error("`like` is given twice, or in a file that another one is like")
        self.given.add("like")
        (name,) = _exactly(keyword, words, "NAME")
        path = (
            self._path.with_name(name.text + SUFFIX) if _PLAIN_NAME.fullmatch(name.text) else None
        )
        if path is None or not path.is_file():
            raise name.error(f"there is no file {name.text}{SUFFIX} beside {self._path.name}")
        is_skipped = self._is_skipped
        self.read(path, read_authors_text(path, MAX_BYTES))
        self._is_skipped = is_skipped

    # --- positions as text ------------------------------------------------------------------

    def _fen(self, keyword: _Word, words: list[_Word]) -> None:
        kind, *rest = words or [keyword]
        if kind.text in _FEN_ENTRIES:
            self._fen_entry(kind, rest)
        elif kind.text == "piece":
            self._fen_piece(kind, rest)
        elif kind.text in _FEN_FIELDS:
            self._fen_field(kind, rest)
        else:
            known = [*_FEN_FIELDS, "piece", *_FEN_ENTRIES]
            otherwise = f"known are {joined([f'`{name}`' for name in known])}"
            raise kind.unknown("`fen` is followed by the kind of a field", known, otherwise)

    def _fen_field(self, kind: _Word, words: list[_Word]) -> None:
        fen = self.notation.fen
        is_given = any(each.kind == kind.text for each in fen.fields)
        if is_given and kind.text not in ("number", "unused"):
            raise kind.error(f"`fen {kind.text}` is given twice")
        if kind.text == "board" and not self._game.tables.grid.rows:
            raise kind.error("the board has no grid")
        if kind.text == "turn":
            _once_each(_exactly(kind, words, " ".join(self._game.players)))
        elif kind.text == "hand":
            for word in words:
                self._type(word)
        elif kind.text == "squares":
            if len(words) % 2 == 0:
                raise kind.error("`squares` is followed by TYPE LETTER TYPE…: squares man K king")
            for word in words[::2]:
                self._type(word)
        elif kind.text in ("number", "limit", "count"):
            (name,) = _exactly(kind, words, "VARIABLE")
            from .memory.variables import variables_of  # few games need it

            _known(name, variables_of(self._game), "variable")
        else:
            _exactly(kind, words, "")
        fen.fields.append(FenField(kind.text, tuple(word.text for word in words)))

    def _fen_piece(self, kind: _Word, words: list[_Word]) -> None:
        """Read `fen piece P p pawn`, with the text of a piece of each player."""
        *texts, name = _exactly(kind, words, " ".join([*self._game.players, "TYPE"]))
        fen = self.notation.fen
        for player, text in zip(self._game.players, texts, strict=True):
            if text.text[0].isdigit() or "/" in text.text:
                raise text.error("the text of a piece has no `/` and begins with no digit")
            piece = player, self._type(name)
            _add(fen.pieces, _sign(text), text, piece)
            fen.letters.setdefault(piece, text.text)

    def _fen_entry(self, kind: _Word, words: list[_Word]) -> None:
        fields = self.notation.fen.fields
        if not fields or fields[-1].kind not in _FEN_ENTRIES[kind.text]:
            before = joined([f"`fen {name}`" for name in _FEN_ENTRIES[kind.text]], "or")
            raise kind.error(f"`fen {kind.text}` belongs below {before}")
        if kind.text == "first":
            self._fen_first(kind, words, fields[-1])
            return
        piece_type = place = ""
        if kind.text == "side":
            text, player = _exactly(kind, words, "TEXT PLAYER")
        elif kind.text == "held":
            text, player, square = _exactly(kind, words, "TEXT PLAYER POSITION")
            place = self._square(square)
        else:
            text, player, type_word, square = _exactly(kind, words, "TEXT PLAYER TYPE POSITION")
            piece_type, place = self._type(type_word), self._square(square)
        if any(text.text == each for each, *_ in fields[-1].entries):
            raise text.error(f"`{text.text}` is given twice")
        owner = _known(player, self._game.players, "player")
        fields[-1].entries.append((_sign(text), owner, piece_type, place))

    def _fen_first(self, kind: _Word, words: list[_Word], rights: FenField) -> None:
        if len(words) < _FIRST_WORDS or len(words) % 2:
            raise kind.error(
                "`first` is followed by TEXT PLAYER TYPE STOP and pairs of SQUARE MARK"
            )
        text, player, type_word, stop_word, *pairs = words
        owner = _known(player, self._game.players, "player")
        known = [each for each, *_ in rights.entries]
        choices = [
            (self._square(square), _known(chosen, known, "text of a mark"))
            for square, chosen in zip(pairs[::2], pairs[1::2], strict=True)
        ]
        if text.text in known:
            raise text.error(f"`{text.text}` is given twice")
        kind_of_piece, stop = self._type(type_word), self._type(stop_word)
        _add(rights.first, _sign(text), text, (owner, kind_of_piece, stop, choices))

    # --- words ------------------------------------------------------------------------------

    def _once(self, keyword: _Word) -> None:
        if keyword.text in self.given:
            raise keyword.error(f"`{keyword.text}` is given twice")
        self.given.add(keyword.text)

    def _type(self, word: _Word) -> str:
        return _known(word, self._game.known_names.pieces, "piece type")

    def _square(self, word: _Word) -> str:
        return _known(word, self._game.known_names.squares, "square")


def _exactly(keyword: _Word, words: list[_Word], names: str) -> list[_Word]:
    if len(words) != len(names.split()):
        raise keyword.error(f"`{keyword.text}` is followed by {names or 'nothing'}")
    return words


def _once_each(words: list[_Word]) -> None:
    given: dict[str, None] = {}
    for word in words:
        for letter in word.text:
            _add(given, letter, word, None)


def _known(word: _Word, names: Collection[str], what: str) -> str:
    if word.text not in names:
        raise word.unknown(f"there is no {what} `{word.text}`", names)
    return word.text


def _sign(word: _Word) -> str:
    if len(word.text) > MAX_SIGN or not word.text.isprintable():
        raise word.error(f"at most {MAX_SIGN} characters that can be printed are possible")
    return word.text


def _add(texts: dict[_Key, _Value], key: _Key, word: _Word, text: _Value) -> None:
    if key in texts:
        raise word.error(f"`{word.text}` is given twice")
    texts[key] = text
