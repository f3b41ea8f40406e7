"""Reads games of shogi and minishogi as KIF, which kif_writing.py writes.

Owns the format: headers, moves such as `1 ７六歩(77)`, ends such as `投了`, comments after `*`, and
variations (`変化`).  Files are in UTF-8 or Shift JIS.  A damaged game is reported with its place,
and the reader goes on with the headers of the next one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core.location import Location

from .kif_diagram import Diagram, DiagramError
from .kif_endings import ENDS, SUMMARY, USUAL_ENDS, end_of, result_of, summarized
from .kif_tables import (
    ANY_NAME,
    BOARDS,
    DATE,
    EVEN,
    HAND,
    HANDICAP,
    HANDICAP_REST,
    HANDICAPS,
    LETTERS,
    OTHER_NAMES,
    OTHER_START,
    PIECES,
    RANKS,
    TAGS,
    TIME,
    TIMES,
    Square,
)
from .recorded import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    Comments,
    RecordedGame,
    RecordedMove,
    RecordError,
    decoded,
    lines_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


__all__ = ["GAMES", "is_kif", "read_games"]

GAMES = frozenset(BOARDS)
"""The names of the games."""
_PROMOTED = {letter for letter in LETTERS.values() if letter.startswith("+")}
_LATE = {"終了日時", "持ち時間", "戦型"}
"""Headers that begin no game, and are usually below the moves."""
_BESIDE_DIAGRAM = {"White", "Black", "White hand", "Black hand"}
"""What the headers beside a diagram are about."""
_HAND = re.compile(HAND)
_FULL_WIDTH = {0x3000: 0x20} | {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_WAY = "[右左上直引寄行]{0,2}"  # how the piece moves, which the origin tells as well
_MOVE = re.compile(
    rf"\s*\d{{1,6}}\s+((?P<to>[1-9][{RANKS}])|(?P<same>同))\s*(?P<name>{ANY_NAME}){_WAY}"
    rf"(?P<promotion>不?成)?(打|\((?P<origin>[1-9][1-9])\)){TIME}"
)
_NUMBERED = re.compile(r"\s*(\d{1,6})\s++(?=\S)(?!\d(?:\s|$))")  # but not the files above a diagram
_VARIATION = re.compile(r"変化:\s*(\d{1,6})手.*")
_LIKE_MOVE = re.compile(rf"\s*\d+\s+\S|.*([1-9][{RANKS}]|同|変化)")
"""A line that is no move, or begins no variation, only because it is damaged."""
_HEADER = re.compile(r"([^\s*&#:|+]+):(.*)")
_SIGN = re.compile(rf"^(?:{HANDICAP}:|{HAND}:|\s*\d+\s+(?:[1-9][{RANKS}]|同))", re.MULTILINE)


def is_kif(text: str) -> bool:
    """Return whether a text looks like a game in this format."""
    return _SIGN.search(text.translate(_FULL_WIDTH)) is not None


# --- reading --------------------------------------------------------------------------------------


def read_games(
    file: BinaryIO, name: str = "KIF", game: str | None = None
) -> Iterator[RecordedGame]:
    """Yield the games of a file, one after the other; most files have one.

    A game that is damaged has an `error`; the next games are read nevertheless.

    Args:
        file: A binary file, in UTF-8 or Shift JIS.
        name: The name of the file in messages.
        game: The game that is played; None: shogi or minishogi.
    """
    reader = _Reader(name, game)
    for number, data in enumerate(lines_of(file), 1):
        line = decoded(data, "cp932", is_first=number == 1)
        yield from reader.read(line.rstrip("\r\n"), number)
    yield from reader.end()


class _Step(NamedTuple):
    """A move of the line that is being read.

    Attributes:
        first: The move in place of which further variations are played: the move, or the one that
            it replaces.
        target: The square to which it leads, as file and rank.
        occupied: A bit for each occupied square after it.
        depth: How many variations `first` is in.
    """

    first: RecordedMove
    target: Square
    occupied: int
    depth: int


class _Reader:
    """Reads lines; returns the games that end before them."""

    def __init__(self, name: str, played: str | None) -> None:
        self._name = name
        self._played = played
        self._line = ""
        self._number = 0
        self._begin()

    def _begin(self) -> None:
        self._game: RecordedGame | None = None
        self._board = BOARDS["shogi"]
        self._occupied = 0  # a bit for each occupied square of the start
        self._diagram = Diagram()
        self._start: tuple[str, str] | RecordError = "shogi", self._board.fen  # game and position
        self._start_place: Location | None = None
        self._steps: list[_Step] = []  # from the start of the game to the last move
        self._moves: list[RecordedMove] = []  # those of the game, or of a variation
        self._replaced: RecordedMove | None = None  # by the next move, which begins a variation
        self._depth = 0  # of variations
        self._before: list[str] = []  # the comment before it
        self._comments = Comments("\n")
        self._other_end: RecordError | None = None  # if moves follow an unknown word
        self._given: set[str] = set()  # what the headers have been about
        self._has_moves = False  # the headers have ended
        self._has_summary = False
        self._unknown: RecordError | None = None  # the first line that means nothing here
        self._first_number = 1  # that of the first move
        self._is_after_blank = False
        self._characters = 0

    def read(self, line: str, number: int) -> Iterator[RecordedGame]:
        """Read a line; yield the game that it ends."""
        self._line, self._number = line, number
        plain = line.translate(_FULL_WIDTH)
        header = _HEADER.fullmatch(plain)
        key = header[1] if header else ""
        if self._begins_game(key):
            yield from self.end()
        self._given.add(_topic(key))
        self._has_summary |= SUMMARY.fullmatch(plain) is not None
        self._is_after_blank = not plain.strip()
        first = None if self._has_moves else _NUMBERED.match(plain)
        if first:
            self._has_moves, self._first_number = True, int(first[1])
        self._characters += len(line) + 1
        if self._is_after_blank or self._is_damaged or plain.startswith(("#", "&", "手数-")):
            return
        game = self._game = self._game or self._new_game()
        try:
            if self._characters > MAX_CHARACTERS:
                raise self._error(f"the game is longer than {MAX_CHARACTERS} characters")
            if first:
                self._set_start(game)
            self._read(game, plain, header)
        except RecordError as error:
            game.error = error

    @property
    def _is_damaged(self) -> bool:
        return self._game is not None and self._game.error is not None

    def _begins_game(self, key: str) -> bool:
        """Whether a header begins another game, and does not go on with those of the current one.

        It does if the game has moves or a summary, or already has such a header.  Below a damaged
        diagram are further lines of it, and the names of the players.
        """
        topic = _topic(key)
        is_over = self._has_moves or self._has_summary or topic in self._given
        is_new = self._is_damaged and self._is_after_blank and topic not in _BESIDE_DIAGRAM
        return topic != "" and (is_over or is_new)

    def end(self) -> Iterator[RecordedGame]:
        """End the current game; yield it."""
        game = self._game
        if game is not None:
            if not (self._given - {""} or self._has_moves or self._diagram.has_begun):
                game.error = game.error or self._unknown  # nothing is of this format
            if not (self._has_moves or game.error):
                try:
                    self._set_start(game)
                except RecordError as error:
                    game.error = error
            self._comments.write()
            game.tags |= {"Variant": self._played or game.variant, "Result": game.result}
            yield game
        self._begin()

    def _new_game(self) -> RecordedGame:
        game = RecordedGame(tags={"Variant": "shogi"}, line=self._number)
        self._moves = game.moves
        return game

    def _error(self, message: str, column: int = 0, length: int = 1) -> RecordError:
        return RecordError(message, location=self._place(column, length))

    def _place(self, column: int, length: int) -> Location:
        return Location(self._name, self._number, column + 1, self._line, length)

    def _read(self, game: RecordedGame, line: str, header: re.Match[str] | None) -> None:
        if not self._has_moves and self._is_of_diagram(line):
            self._start_place = self._place(0, len(self._line))
        elif line.startswith("*"):
            self._read_comment(game, " ".join(self._line[1:].split()))
        elif found := _MOVE.fullmatch(line):
            self._read_move(found)
        elif word := end_of(line):
            self._read_end(game, word, line)
        elif found := _VARIATION.fullmatch(line):
            self._begin_variation(int(found[1]), found.start(1))
        elif found := SUMMARY.fullmatch(line):
            if game.result == "*" and not self._depth:
                game.result = summarized(found[1])
        elif line.startswith("手数"):
            pass  # the number of moves before this position
        elif header is not None and (not self._has_moves or _is_remark(header[1])):
            self._read_header(game, header)
        else:
            self._ignore(line)

    def _ignore(self, line: str) -> None:
        """Ignore a line such as 盤面回転, which shows the board from the other side."""
        error = self._not_a_move(line)
        if _LIKE_MOVE.match(line):
            raise error
        self._unknown = self._unknown or error

    def _read_header(self, game: RecordedGame, header: re.Match[str]) -> None:
        key, value = header[1], " ".join(header[2].split())
        place = self._place(header.start(2), max(len(header[2]), 1))
        if key == HANDICAP:
            self._read_start(value, place)
        elif key in TAGS:
            tag = TAGS[key]
            date = DATE.match(value) if tag in TIMES else None
            game.tags[tag] = f"{date[1]}.{date[2]:0>2}.{date[3]:0>2}" if date else value
            game.places[tag] = place
            if date and date["time"]:
                game.tags[TIMES[tag]] = date["time"]

    def _read_start(self, value: str, place: Location) -> None:
        """Note the start with a name; a diagram replaces it."""
        if value in EVEN:
            self._start = EVEN[value], BOARDS[EVEN[value]].fen
        elif value in HANDICAPS:
            self._start = "shogi", HANDICAPS[value] + HANDICAP_REST
        else:
            known = ", ".join([*EVEN, *HANDICAPS])
            message = f"the start is one of {known}, or {OTHER_START} with a diagram"
            self._start = RecordError(message, location=place)

    def _is_of_diagram(self, line: str) -> bool:
        """Read a line if it belongs to a diagram; return whether it does."""
        try:
            return self._diagram.read(line)
        except DiagramError as error:
            raise self._error(str(error), error.at) from error

    def _set_start(self, game: RecordedGame) -> None:
        """Set the start of a game, after the headers: the diagram, or the start with a name."""
        if self._diagram.has_begun:
            try:
                self._start = self._diagram.finish()
            except DiagramError as error:
                self._start = RecordError(str(error), location=self._start_place)
        if isinstance(self._start, RecordError):
            raise self._start
        name, fen = self._start
        self._board = BOARDS[name]
        self._occupied = _occupied(fen)
        game.tags["Variant"] = name
        if fen != self._board.fen:
            game.tags |= {"SetUp": "1", "FEN": fen}
            game.ply = _turns_before(fen)
            if self._start_place:
                game.places["FEN"] = self._start_place

    def _read_comment(self, game: RecordedGame, text: str) -> None:
        if self._replaced is None:
            self._comments.add(self._moves[-1] if self._moves else game, text)
        elif text or self._before:
            self._before.append(text)

    def _read_end(self, game: RecordedGame, word: str, line: str) -> None:
        if word not in ENDS:
            self._other_end = self._not_a_move(line)
        if not self._depth:
            game.result = result_of(word, is_first=self._is_first)
            if word not in USUAL_ENDS:
                game.tags["Termination"] = word

    def _not_a_move(self, line: str) -> RecordError:
        indent = len(line) - len(line.lstrip())
        return self._error("expected a move such as `1 ７六歩(77)`", indent)

    def _read_move(self, found: re.Match[str]) -> None:
        if self._other_end:
            raise self._other_end
        last = self._steps[-1] if self._steps else None
        if found["to"]:
            target = int(found["to"][0]), RANKS.index(found["to"][1]) + 1
        elif last:
            target = last.target
        else:
            raise self._error("there is no move before `同`", found.start("same"))
        origin = (int(found["origin"][0]), int(found["origin"][1])) if found["origin"] else None
        for name, square in (("to", target), ("origin", origin)):
            if square and max(square) > self._board.size:
                raise self._error("the square is not on the board", found.start(name), 2)
        occupied = last.occupied if last else self._occupied
        text = self._text(found, origin, target, is_capture=bool(occupied & _bit(target)))
        place = self._place(found.start(1), found.end("name") - found.start(1))
        move = RecordedMove(text, "\n".join(self._before), location=place)
        self._moves.append(move)
        occupied = occupied & ~(_bit(origin) if origin else 0) | _bit(target)
        if self._replaced:
            self._steps.append(_Step(self._replaced, target, occupied, self._depth - 1))
        else:
            self._steps.append(_Step(move, target, occupied, self._depth))
        self._replaced, self._before = None, []

    def _text(
        self, found: re.Match[str], origin: Square | None, target: Square, *, is_capture: bool
    ) -> str:
        """Return a move in short notation with both squares.

        This also means the move with a promotion, so one without is written in full.
        """
        name = found["name"]
        letter, kind = PIECES[OTHER_NAMES.get(name, name)]
        to = self._square(target)
        if origin is None:
            return f"{letter}*{to}"
        begin, sign = self._square(origin), "x" if is_capture else "-"
        if found["promotion"] == "成":
            return f"{letter}{begin}{sign}{to}=+{letter}"
        if f"+{letter}" in _PROMOTED and self._may_promote(origin, target):
            return f"{kind} {begin} {sign} {to}"
        return f"{letter}{begin}{sign}{to}"

    def _may_promote(self, *squares: Square) -> bool:
        size, zone = self._board.size, self._board.zone
        ranks = [rank if self._is_first else size + 1 - rank for _, rank in squares]
        return min(ranks) <= zone

    @property
    def _is_first(self) -> bool:
        """Whether the player moves next who is called Black, or takes a handicap."""
        ply = self._game.ply if self._game else 0
        return (len(self._steps) + ply) % 2 == 0

    def _square(self, square: tuple[int, int]) -> str:
        size = self._board.size
        return f"{chr(ord('a') + size - square[0])}{size + 1 - square[1]}"

    def _begin_variation(self, number: int, column: int) -> None:
        index = number - self._first_number
        if not 0 <= index <= len(self._steps):
            raise self._error(f"there is no move {number} before this variation", column)
        # Moves after the end of a line are in place of no move; they are left out.
        after_end = _Step(RecordedMove(""), (0, 0), 0, 0)
        step = self._steps[index] if index < len(self._steps) else after_end
        self._depth = step.depth + 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"variations are nested more than {MAX_DEPTH} deep")
        self._moves, self._replaced, self._before = [], step.first, []
        self._other_end = None
        step.first.variations.append(self._moves)
        del self._steps[index:]


def _topic(key: str) -> str:
    """Return what a header is about if another game can begin with it; "" for other headers."""
    if found := _HAND.fullmatch(key):
        return f"{TAGS[found['player']]} hand"
    if key == HANDICAP:
        return key
    return "" if key in _LATE else TAGS.get(key, "")


def _is_remark(key: str) -> bool:
    """Whether a header may be below the moves: it is no damaged move, and begins no variation."""
    return key.isalpha() and key != "変化"


def _bit(square: Square) -> int:
    return 1 << (10 * square[0] + square[1])


def _occupied(fen: str) -> int:
    """Return a bit for each occupied square of a position."""
    rows = fen.partition(" ")[0].replace("+", "").split("/")
    bits = 0
    for rank, row in enumerate(rows, 1):
        file = len(rows)
        for character in row:
            if character.isdigit():
                file -= int(character)
            else:
                bits |= _bit((file, rank))
                file -= 1
    return bits


def _turns_before(fen: str) -> int:
    """Return the number of turns before a position; the second player's turns have odd numbers."""
    _, turn, _, number = fen.split()
    plies = int(number) - 1
    return plies + ((plies % 2 == 0) == (turn == "w"))
