"""Games as PGN: reading files with many games, and writing games.

Owns the format: tag pairs, moves in short notation, comments, glyphs ($1) and variations.  A file
is read game by game, so memory is bounded by the longest game.  A damaged game is reported with its
place, and the reader goes on with the next one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.location import Location

from .recorded import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    RESULTS,
    ROSTER,
    Comments,
    RecordedGame,
    RecordedMove,
    RecordError,
    decoded,
    lines_of,
)
from .xiangqi_records import adopted, is_xiangqi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

__all__ = ["read_games", "text_of"]

COLUMNS = 79
_RESULTS = dict(zip(RESULTS, RESULTS, strict=True)) | {
    **{"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2"},
    **dict.fromkeys(("½-½", "½", "1/2"), "1/2-1/2"),
}
"""The results by their texts; in draughts some players count two points for a win."""
_SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_SIGNS = {
    *("e.p.", "+-", "-+", "=", "+/-", "-/+", "+=", "=+", "+/=", "=/+", "±", "∓", "⩲", "⩱", "∞"),
    *("N", "TN", "D", "□", "→", "↑", "⇆"),
}
"""Words after a move that are not moves: a capture en passant, and judgements of the position."""
_NULL_MOVES = {"--", "Z0", "0000", "@@@@", "null"}
"""What analysts write for a turn without a move, which the rules do not have."""
_FIGURINES = str.maketrans(
    dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟\N{EN DASH}", [*"KQRBN", "", *"KQRBN", "", "-"], strict=True))
)
"""What files have in place of a letter or a hyphen, outside of comments and tags."""
_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"((?:[^"]|"(?!\s*\]\s*\[))*)"\s*\]\s*')
"""A tag with a quotation mark in it, as some programs write; it is alone on its line."""
_OPENED_TAG = re.compile(r"\s*\[")
_FIRST_TAG = '[Event "'
_OPEN_MOVE = re.compile(r"\w{0,40}\d[-:x]")
_TARGET = re.compile(r"[a-z]?\d{1,2}([-:x].*)?")
_XIANGQI = "xiangqi"
"""The game whose records of other programs have a tag Game instead of Variant."""
_COMMENT = re.compile(r"\s*([{;]|$)")
_TAG_BEGIN = re.compile(r'\s*\[[A-Za-z0-9][\w+#=:-]*\s+"')
_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<rest>;.*)|(?P<open>\{)|(?P<begin>\()|(?P<end>\))|(?P<glyph>\$\d{1,4})
    |(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<soldier>[1-5][1-9]\.[1-9](?!\S))
    |(?P<number>\d+[.…]+|(?!0000\s)\d+(?=\s|$)(?!\s*[-:x]\s*(?:\d|$))|[.…]+)
    |(?P<word>(?:(?:[A-Za-z]?[a-z])?\d{1,2}(?:\s*[-:x]\s*(?:[a-z]?\d{1,2}|$))+|[^\s(){};$"])
        [^\s(){};$"]*(?:\([A-Z]\)[+#]*)?)""",
    re.VERBOSE | re.DOTALL,
)


# --- reading --------------------------------------------------------------------------------------


def read_games(
    file: BinaryIO, name: str = "PGN", game: str | None = None
) -> Iterator[RecordedGame]:
    """Yield the games of a file, one after the other.

    A game that is damaged has an `error`; the next games are read nevertheless.

    Args:
        file: A binary file, in UTF-8 or Windows-1252; games of xiangqi in UTF-8 or GB 18030.
        name: The name of the file in messages.
        game: The game that is played; None: the one of the tag Variant.
    """
    reader = _Reader(name, game)
    for number, data in enumerate(lines_of(file), 1):
        line = decoded(data, reader.encoding, is_first=number == 1)
        yield from map(adopted, reader.read(line.rstrip("\r\n"), number))
    yield from map(adopted, reader.end())


class _Reader:
    """Reads lines; returns the games that end on them."""

    def __init__(self, name: str, played: str | None) -> None:
        self._name = name
        self._played = played
        self._line = ""
        self._number = 0
        self._is_after_blank = True
        self._begin()

    def _begin(self) -> None:
        is_chinese = self._played == _XIANGQI
        self.encoding = "gb18030" if is_chinese else "cp1252"  # of lines that are not UTF-8
        self._game: RecordedGame | None = None
        self._lines: list[list[RecordedMove]] = []  # the moves played, and the open variations
        self._opened: list[Location] = []  # the places of `(`
        self._comments = Comments(" ")
        self._before: list[str] = []  # comments at the start of a variation
        self._comment: list[str] | None = None  # the lines of an open comment
        self._comment_place: Location | None = None
        self._has_moves = False  # the tags have ended
        self._has_result = False  # comments may follow
        self._characters = 0

    def read(self, line: str, number: int) -> Iterator[RecordedGame]:
        """Read a line; yield the games that have ended."""
        self._line, self._number = line, number
        is_blank = not line.strip()
        if self._begins_game(line) or (is_blank and self._has_result):
            yield from self.end()
        self._is_after_blank = is_blank
        if line.startswith("%") and self._comment is None:
            return  # a line for other programs
        if self._game is not None or self._comment is not None:
            self._characters += len(line) + 1
        try:
            if self._characters > MAX_CHARACTERS:
                raise self._error(f"the game is longer than {MAX_CHARACTERS} characters", 0)
            yield from self._read_line(line)
        except RecordError as error:
            self._damage(error)

    def _damage(self, error: RecordError) -> None:
        game = self._game = self._game or RecordedGame(line=self._number)
        if game.error is None:
            game.error = error
        self._comment = None

    def _begins_game(self, line: str) -> bool:
        """Whether the first tag of another game is on a line."""
        game = self._game
        if game is None or not _TAG_BEGIN.match(line):
            return False
        is_first = line.lstrip().startswith(_FIRST_TAG)
        if self._comment is not None:  # a line in a comment, or the comment has no end
            return self._is_after_blank
        if game.error is not None:  # perhaps a further tag of the damaged game
            return self._is_after_blank or is_first
        return self._has_moves or ("Event" in game.tags and is_first)

    def end(self) -> Iterator[RecordedGame]:
        """End the current game without a result in its moves; yield it."""
        game = self._game
        if game is not None:
            if self._comment is not None and game.error is None:
                game.error = RecordError("the comment has no end", location=self._comment_place)
            elif self._opened and game.error is None:
                game.error = RecordError("the variation has no end", location=self._opened[-1])
            self._comments.write()
            self._cut(game)
            if self._played is not None and game.variant != self._played:
                game.tags.pop("Variant", None)
                game.tags["Game" if self._played == _XIANGQI else "Variant"] = self._played
            if not self._has_result:
                game.result = _RESULTS.get(game.tags.get("Result", "*"), "*")
            if game.tags or self._has_moves or game.error is not None:  # more than a comment
                yield game
        self._begin()

    @staticmethod
    def _cut(game: RecordedGame) -> None:
        """End a game before a null move; one in a variation is found when that is checked."""
        for at, move in enumerate(game.moves):
            if move.text in _NULL_MOVES:
                reason = f"the game ends before `{move.text}`, which is not a move"
                game.cut = RecordError(reason, location=move.location)
                del game.moves[at:]
                return

    def _place(self, column: int, length: int = 1) -> Location:
        return Location(self._name, self._number, column + 1, self._line, length)

    def _error(self, message: str, column: int, length: int = 1) -> RecordError:
        return RecordError(message, location=self._place(column, length))

    def _read_line(self, line: str) -> Iterator[RecordedGame]:
        at = 0
        while at < len(line):
            if self._has_result and self._comment is None and not _COMMENT.match(line, at):
                yield from self.end()
            game = self._game
            if game is not None and game.error is not None:
                return  # the rest of a damaged game is skipped
            if self._comment is not None:
                at = self._read_comment(self._comment, line, at)
            elif not self._has_moves and _OPENED_TAG.match(line, at):
                at = self._read_tag(line, at)
            else:
                found = _TOKEN.match(line, at)
                if found is None:
                    raise self._error(f"unexpected `{line[at]}`", at)
                at = found.end()
                kind, text = found.lastgroup, found[0]
                if kind == "word":  # with blanks in `28 x 19`
                    text = "".join(text.split()).translate(_FIGURINES)
                if kind == "word" and text in _RESULTS:
                    self._read_result(text, found.start())
                elif kind != "space":
                    self._read_token(str(kind), text, found.start())

    def _read_tag(self, line: str, at: int) -> int:
        found = _TAG.match(line, at) or _LOOSE_TAG.fullmatch(line, at)
        if found is None:
            raise self._error('expected a tag such as [White "Name"]', at)
        game = self._game = self._game or RecordedGame(line=self._number)
        value = re.sub(r'\\(["\\])', r"\1", found[2])
        game.tags[found[1]] = _RESULTS.get(value, value) if found[1] == "Result" else value
        game.places[found[1]] = self._place(found.start(2), len(found[2]))
        if is_xiangqi(game.tags):
            self.encoding = "gb18030"
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
        game = self._game = self._game or RecordedGame(line=self._number)
        moves = self._lines[-1] if self._lines else []
        if text and not moves and len(self._lines) > 1:
            self._before.append(text)
        elif text:
            self._comments.add(moves[-1] if moves else game, text)

    def _started(self) -> RecordedGame:
        """Return the game, whose moves begin here at the latest."""
        game = self._game = self._game or RecordedGame(line=self._number)
        if not self._has_moves:
            self._has_moves = True
            self._lines = [game.moves]
        return game

    def _read_token(self, kind: str, text: str, at: int) -> None:
        if kind == "open":
            self._comment, self._comment_place = [], self._place(at)
            return
        if kind == "rest":
            self._add_comment(" ".join(text[1:].split()))
            return
        game = self._started()
        moves = self._lines[-1]
        if moves and kind in ("word", "number") and _belongs_to(moves[-1], text):
            return
        if kind in ("word", "quoted", "soldier"):
            self._read_move(text, at, is_quoted=kind == "quoted")
        elif kind == "number":
            if not game.moves:
                digits = re.match(r"\d{1,6}", text)
                whole = 2 * max(int(digits[0]) - 1, 0) if digits else game.ply & ~1
                game.ply = whole + text.endswith(("...", "…"))
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
        variation: list[RecordedMove] = []
        self._lines[-1][-1].variations.append(variation)
        self._lines.append(variation)
        self._before = []

    def _end_variation(self, at: int) -> None:
        if not self._opened:
            raise self._error("`)` without `(`", at)
        if not self._lines[-1]:
            raise self._error("the variation is empty", at)
        self._opened.pop()
        self._lines.pop()

    def _read_move(self, text: str, at: int, *, is_quoted: bool) -> None:
        before = " ".join(self._before)
        move = RecordedMove(text, before, location=self._place(at, len(text)))
        if is_quoted:
            move.text = " ".join(re.sub(r"\\(.)", r"\1", text[1:-1]).split())
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
        self._before = []
        self._lines[-1].append(move)

    def _read_result(self, text: str, at: int) -> None:
        game = self._started()
        if self._opened:
            if text != "*":
                raise self._error("the result is in a variation, which has no end", at, len(text))
            return
        game.result = _RESULTS[text]
        self._has_result = True


# --- writing --------------------------------------------------------------------------------------


def text_of(game: RecordedGame) -> str:
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
    return f"{{{' '.join(text.split()).replace('}', ')')}}}".split(" ") if text else []


def _belongs_to(move: RecordedMove, text: str) -> bool:
    """Whether a word is a sign after a move, or the target of `28 x` at the end of a line.

    A target is added to the move.
    """
    if _OPEN_MOVE.fullmatch(move.text) and _TARGET.fullmatch(text):
        move.text += text
        return True
    return text in _SIGNS


def _is_plain(text: str) -> bool:
    """Whether a move is read back without quotation marks."""
    found = _TOKEN.match(text)
    is_word = found is not None and found.lastgroup == "word" and found[0] == text
    return (
        is_word
        and not set(" [%") & set(text)
        and text not in {*_SIGNS, *_RESULTS}
        and text[-1] not in "!?"
    )


def _words(moves: list[RecordedMove], ply: int) -> Iterator[str]:
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
        yield move.text if _is_plain(move.text) else f'"{_quoted(move.text)}"'
        yield from (f"${glyph}" for glyph in move.glyphs)
        yield from _comment(move.comment)
        for variation in filter(None, move.variations):
            words = [*_words(variation, at)]
            words[0] = f"({words[0]}"
            words[-1] += ")"
            yield from words
        needs_number = bool(move.comment or move.variations)
