"""Games as PGN: reading files with many games, replaying them, and writing games.

Owns the format: tag pairs, moves in short notation, comments, glyphs ($1) and variations.  A file
is read game by game, so memory is bounded by the longest game.  A damaged game is reported with its
place, and the reader goes on with the next one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError, MoveError, PositionError
from forthvm.core.location import Location
from forthvm.system.command_line import join_words, split_words

from .moves import HostPass
from .typed_moves import find_chain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from .game import Game
    from .position import Position

__all__ = ["PgnError", "PgnGame", "PgnMove", "game_of", "push_recorded", "read_games", "text_of"]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every game has, in this order."""
MAX_CHARACTERS = 1 << 20  # of a game
MAX_DEPTH = 100  # of variations
COLUMNS = 79
_QUOTING = "linux"  # of settings with spaces, on every system
_SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_SIGNS = {"e.p.", "+-", "-+", "=", "+/-", "-/+", "+=", "=+", "N", "±", "∓"}
"""Words after a move that are no moves: a capture en passant, and judgements of the position."""
_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"(.*)"\s*\]\s*')
"""A tag with a quotation mark in it, as some programs write; it is alone on its line."""
_TAG_BEGIN = re.compile(r'\[[A-Za-z0-9][\w+#=:-]*\s+"')
_FIRST_TAG = '[Event "'
_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<rest>;.*)|(?P<open>\{)|(?P<begin>\()|(?P<end>\))|(?P<glyph>\$\d{1,4})
    |(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<number>\d+[.…]+|\d+(?=\s|$)|[.…]+)
    |(?P<word>[^\s(){};$"]+)""",
    re.VERBOSE | re.DOTALL,
)


class PgnError(PositionError):
    """A game in a PGN file cannot be read or replayed; `location` is its place in the file."""

    summary = "cannot read the game"


@dataclass(slots=True)
class PgnMove:
    """A move with what was written about it.

    Attributes:
        text: The move, in short notation.
        before: The comment before the move, at the start of a variation.
        comment: The comment after the move.
        glyphs: Numbers of annotations: 1 for `!`, 2 for `?`, and so on.
        variations: Other moves in place of this one, each with its continuation.
        location: Where the move was read.
    """

    text: str
    before: str = ""
    comment: str = ""
    glyphs: list[int] = field(default_factory=list)
    variations: list[list[PgnMove]] = field(default_factory=list)
    location: Location | None = field(default=None, compare=False)


@dataclass(slots=True)
class PgnGame:
    """A game of a file.

    Attributes:
        tags: The tag pairs, in the order of the file.
        moves: The moves that were played.
        result: `1-0`, `0-1`, `1/2-1/2`, or `*` for an unfinished game.
        comment: The comment before the first move.
        ply: The number of turns before the first move, as its number says.
        line: The line of the file on which the game begins.
        error: What is wrong with the game; its moves end there.
        places: Where the values of the tags were read.
    """

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[PgnMove] = field(default_factory=list)
    result: str = "*"
    comment: str = ""
    ply: int = 0
    line: int = field(default=1, compare=False)
    error: PgnError | None = field(default=None, compare=False)
    places: dict[str, Location] = field(default_factory=dict, compare=False)

    @property
    def variant(self) -> str:
        """The name of the game, from the tag Variant; without one, it is chess."""
        name = self.tags.get("Variant", "chess")
        return "chess" if name.casefold() in ("standard", "from position") else name

    def settings(self) -> dict[str, str]:
        """Return the settings for `forthvm.load`, from the tag Settings.

        Raises:
            PgnError: The tag is wrong.
        """
        try:
            words = split_words(self.tags.get("Settings", ""), system=_QUOTING)
            pairs = [word.partition("=") for word in words]
        except ValueError:  # a quotation mark without its partner
            pairs = [("", "", "")]
        if not all(name and value for name, _, value in pairs):
            raise self.tag_error("Settings", "expected settings such as `suicide=legal komi=7`")
        return {name: value for name, _, value in pairs}

    def tag_error(self, name: str, reason: object) -> PgnError:
        """Return the error for the value of a tag."""
        return PgnError(str(reason), location=self.places.get(name))

    def start(self, game: Game) -> Position:
        """Return the position before the first move: that of the tag FEN, or of the game.

        Raises:
            PgnError: The FEN is wrong.
        """
        from .position import Position

        fen = self.tags.get("FEN")
        if fen is None:
            return game.start()
        try:
            return Position.from_fen(game, fen)
        except PositionError as error:
            raise self.tag_error("FEN", error) from error

    def replay(self, game: Game, *, variations: bool = False) -> Position:
        """Return the position after the last move.

        Args:
            game: The game, such as `forthvm.load("chess")`.
            variations: Also make the moves of the variations, to check them.

        Raises:
            PgnError: The game is damaged, the FEN is wrong, or a move is not legal.
        """
        if self.error is not None:
            raise self.error
        position = self.start(game)
        _play(position, self.moves, variations=variations)
        return position


def push_recorded(position: Position, move: PgnMove) -> None:
    """Make a move of a game; a chain of captures may be written as one move.

    Recorded games may go on after the end by a rule that players need not claim, such as a draw by
    repetition.

    Raises:
        PgnError: The move is not legal.
    """
    moves = position.generated_moves
    try:
        if move.text == "Pass" and not moves:
            position.push_pass(after_end=True)
            return
        try:
            position.push(moves.find(move.text), after_end=True)
        except MoveError:
            chain = find_chain(move.text, position)
            if not chain:
                raise
            for each in chain:
                position.push(each)
    except MoveError as error:
        raise PgnError(str(error), location=move.location, hints=error.hints) from error


def _play(position: Position, moves: list[PgnMove], *, variations: bool) -> None:
    for move in moves:
        if variations:
            for variation in move.variations:
                _play(position.copy(), variation, variations=True)
        push_recorded(position, move)


# --- reading --------------------------------------------------------------------------------------


def read_games(file: BinaryIO, name: str = "PGN") -> Iterator[PgnGame]:
    """Yield the games of a file, one after the other.

    A game that is damaged has an `error`; the next games are read nevertheless.

    Args:
        file: A binary file, in UTF-8 or Latin-1.
        name: The name of the file in messages.
    """
    reader = _Reader(name)
    number = 0
    while data := file.readline(MAX_CHARACTERS):
        number += 1
        try:
            line = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            line = data.decode("latin-1")
        yield from reader.read(line.rstrip("\r\n"), number)
    yield from reader.end()


class _Reader:
    """Reads lines; returns the games that end on them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = ""
        self._number = 0
        self._is_after_blank = True
        self._begin()

    def _begin(self) -> None:
        self._game: PgnGame | None = None
        self._lines: list[list[PgnMove]] = []  # the moves played, and the open variations
        self._opened: list[Location] = []  # the places of `(`
        self._before = ""  # a comment at the start of a variation
        self._comment: list[str] | None = None  # the lines of an open comment
        self._comment_place: Location | None = None
        self._has_moves = False  # the tags have ended
        self._characters = 0

    def read(self, line: str, number: int) -> Iterator[PgnGame]:
        """Read a line; yield the games that have ended."""
        self._line, self._number = line, number
        if self._begins_game(line):
            yield from self.end()
        self._is_after_blank = not line.strip()
        if line.startswith("%") and self._comment is None:
            return  # a line for other programs
        if self._game is not None:
            self._characters += len(line) + 1
        try:
            if self._characters > MAX_CHARACTERS:
                raise self._error(f"the game is longer than {MAX_CHARACTERS} characters", 0)
            yield from self._read_line(line)
        except PgnError as error:
            self._damage(error)

    def _damage(self, error: PgnError) -> None:
        game = self._game = self._game or PgnGame(line=self._number)
        if game.error is None:
            game.error = error
        self._comment = None

    def _begins_game(self, line: str) -> bool:
        """Whether the first tag of another game is on a line."""
        game = self._game
        if game is None or not _TAG_BEGIN.match(line):
            return False
        if self._comment is not None:  # a line in a comment, or the comment has no end
            return self._is_after_blank and line.startswith(_FIRST_TAG)
        if game.error is not None:  # perhaps a further tag of the damaged game
            return self._is_after_blank or line.startswith(_FIRST_TAG)
        return self._has_moves

    def end(self) -> Iterator[PgnGame]:
        """End the current game without a result in its moves; yield it."""
        game = self._game
        if game is not None:
            if self._comment is not None and game.error is None:
                game.error = PgnError("the comment has no end", location=self._comment_place)
            elif self._opened and game.error is None:
                game.error = PgnError("the variation has no end", location=self._opened[-1])
            given = game.tags.get("Result", "*")
            game.result = given if given in RESULTS else "*"
            if game.tags or game.moves or game.error is not None:  # more than a comment
                yield game
        self._begin()

    def _place(self, column: int, length: int = 1) -> Location:
        return Location(self._name, self._number, column + 1, self._line, length)

    def _error(self, message: str, column: int, length: int = 1) -> PgnError:
        return PgnError(message, location=self._place(column, length))

    def _read_line(self, line: str) -> Iterator[PgnGame]:
        at = 0
        while at < len(line):
            game = self._game
            if game is not None and game.error is not None:
                return  # the rest of a damaged game is skipped
            if self._comment is not None:
                at = self._read_comment(self._comment, line, at)
            elif not self._has_moves and line[at:].lstrip().startswith("["):
                at = self._read_tag(line, at)
            else:
                found = _TOKEN.match(line, at)
                if found is None:
                    raise self._error(f"unexpected `{line[at]}`", at)
                at = found.end()
                if found.lastgroup == "word" and found[0] in RESULTS:
                    yield from self._read_result(found[0], found.start())
                elif found.lastgroup != "space":
                    self._read_token(str(found.lastgroup), found[0], found.start())

    def _read_tag(self, line: str, at: int) -> int:
        found = _TAG.match(line, at) or _LOOSE_TAG.fullmatch(line, at)
        if found is None:
            raise self._error('expected a tag such as [White "Name"]', at)
        game = self._game = self._game or PgnGame(line=self._number)
        game.tags[found[1]] = re.sub(r'\\(["\\])', r"\1", found[2])
        game.places[found[1]] = self._place(found.start(2), len(found[2]))
        return found.end()

    def _read_comment(self, comment: list[str], line: str, at: int) -> int:
        end = line.find("}", at)
        if end < 0:
            comment.append(line[at:])
            return len(line)
        comment.append(line[at:end])
        self._comment = None
        self._add_comment(" ".join(" ".join(comment).split()))
        return end + 1

    def _add_comment(self, text: str) -> None:
        game = self._started()
        moves = self._lines[-1]
        if moves:
            moves[-1].comment = f"{moves[-1].comment} {text}".strip()
        elif len(self._lines) == 1:
            game.comment = f"{game.comment} {text}".strip()
        else:
            self._before = f"{self._before} {text}".strip()

    def _started(self) -> PgnGame:
        """Return the game, whose moves begin here at the latest."""
        game = self._game = self._game or PgnGame(line=self._number)
        if not self._has_moves:
            self._has_moves = True
            self._lines = [game.moves]
        return game

    def _read_token(self, kind: str, text: str, at: int) -> None:
        game = self._started()
        moves = self._lines[-1]
        if kind == "word" and moves and text in _SIGNS:
            return
        if kind in ("word", "quoted"):
            self._read_move(text, at, is_quoted=kind == "quoted")
        elif kind == "number":
            digits = re.match(r"\d{1,6}", text)
            if digits and not game.moves:
                game.ply = 2 * max(int(digits[0]) - 1, 0) + text.endswith(("...", "…"))
        elif kind == "open":
            self._comment, self._comment_place = [], self._place(at)
        elif kind == "rest":
            self._add_comment(" ".join(text[1:].split()))
        elif kind == "end":
            self._end_variation(at)
        elif not moves:  # it begins, or there is a glyph
            raise self._error(f"there is no move before `{text}`", at, len(text))
        elif kind == "glyph":
            moves[-1].glyphs.append(int(text[1:]))
        else:
            self._begin_variation(at)

    def _begin_variation(self, at: int) -> None:
        if len(self._lines) > MAX_DEPTH:
            raise self._error(f"variations are nested more than {MAX_DEPTH} deep", at)
        self._opened.append(self._place(at))
        variation: list[PgnMove] = []
        self._lines[-1][-1].variations.append(variation)
        self._lines.append(variation)
        self._before = ""

    def _end_variation(self, at: int) -> None:
        if not self._opened:
            raise self._error("`)` without `(`", at)
        if not self._lines[-1]:
            raise self._error("the variation is empty", at)
        self._opened.pop()
        self._lines.pop()

    def _read_move(self, text: str, at: int, *, is_quoted: bool) -> None:
        move = PgnMove(text, self._before, location=self._place(at, len(text)))
        if is_quoted:
            move.text = re.sub(r"\\(.)", r"\1", text[1:-1])
        else:
            move.text = text.rstrip("!?")
            suffix = text[len(move.text) :]
            if suffix in _SUFFIXES:
                move.glyphs.append(_SUFFIXES[suffix])
            if not move.text:
                if not self._lines[-1] or suffix not in _SUFFIXES:
                    raise self._error(f"expected a move, not `{text}`", at, len(text))
                self._lines[-1][-1].glyphs += move.glyphs
                return
        self._before = ""
        self._lines[-1].append(move)

    def _read_result(self, text: str, at: int) -> Iterator[PgnGame]:
        game = self._started()
        if self._opened:
            if text != "*":
                raise self._error("the result is in a variation, which has no end", at, len(text))
            return
        game.result = text
        yield game
        self._begin()


# --- writing --------------------------------------------------------------------------------------


def game_of(position: Position, tags: Mapping[str, str] | None = None) -> PgnGame:
    """Return the game that led to a position.

    Args:
        position: The position.
        tags: Tag pairs, such as the names of the players; others have their defaults.

    Raises:
        PositionError: The game is not one of two players, or began from a position that cannot be
            written as FEN.
    """
    game = position.game
    if len(game.contestants) != 2:
        raise PositionError(f"{game.name} is no game of two players, as PGN describes")
    start = game._begin(position._setup)
    result, given = _result_of(position), (tags or {}).get("Result", "*")
    if result == "*" and given in RESULTS:  # a player has resigned, for example
        result = given
    found = PgnGame(result=result)
    found.tags = dict(zip(ROSTER, ("?", "?", "????.??.??", "?", "?", "?", ""), strict=True))
    found.tags |= tags or {}
    found.tags["Result"] = result
    if game.name != "chess":
        found.tags["Variant"] = game.name
    if settings := game._loaded.options.settings:
        words = (f"{name}={value}" for name, value in settings)
        found.tags["Settings"] = join_words(words, system=_QUOTING)
    if position._setup is not None:
        found.tags |= {"SetUp": "1", "FEN": start.to_fen()}
    first = -(-(start.turn_number - 1 - start._turn_index) // 2)  # complete rounds before it
    found.ply = 2 * first + start._turn_index
    for entry in position.history:
        continues = start.is_partial
        start.push(entry, after_end=True)
        move = start._last_move
        text = "Pass" if move is None or isinstance(move, HostPass) else move.short
        origin, capture, target = text.partition("x")
        if continues and capture and found.moves[-1].text.rpartition("x")[2] == origin:
            found.moves[-1].text += f"x{target}"  # a chain of captures
        else:
            found.moves.append(PgnMove(text))
    return found


def _result_of(position: Position) -> str:
    try:
        outcome = position.result
    except ForthVMError:  # the script fails; the moves can be written nevertheless
        return "*"
    if outcome is None:
        return "*"
    first, second = position.game.contestants
    winners = (first in outcome.winners, second in outcome.winners)
    return {(True, False): "1-0", (False, True): "0-1"}.get(winners, "1/2-1/2")


def text_of(game: PgnGame) -> str:
    """Return a game as PGN."""
    names = [*(name for name in ROSTER if name in game.tags)]
    names += [name for name in game.tags if name not in ROSTER]
    tags = "".join(f'[{name} "{_quoted(game.tags[name])}"]\n' for name in names)
    words = [*_comment(game.comment), *_words(game.moves, game.ply), game.result]
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return f"{tags}\n" + "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> list[str]:
    """Return the words of a comment, between which a line may end."""
    return f"{{{text.replace('}', ')')}}}".split(" ") if text else []


def _words(moves: list[PgnMove], ply: int) -> Iterator[str]:
    """Yield the texts of moves with their numbers, comments and variations.

    A line may end after each word.
    """
    needs_number = True
    for at, move in enumerate(moves, ply):
        yield from _comment(move.before)
        if at % 2 == 0:
            yield f"{at // 2 + 1}."
        elif needs_number or move.before:
            yield f"{at // 2 + 1}..."
        is_word = re.fullmatch(r'[^\s(){};$"]*[^\s(){};$"!?]', move.text)
        is_plain = is_word and move.text not in _SIGNS
        yield move.text if is_plain else f'"{_quoted(move.text)}"'
        yield from (f"${glyph}" for glyph in move.glyphs)
        yield from _comment(move.comment)
        for variation in filter(None, move.variations):
            words = [*_words(variation, at)]
            words[0] = f"({words[0]}"
            words[-1] += ")"
            yield from words
        needs_number = bool(move.comment or move.variations)
