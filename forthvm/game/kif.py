"""Games of shogi and minishogi as KIF: reading files, and writing games.

Owns the format: headers, moves such as `1 ７六歩(77)`, ends such as `投了`, comments after `*`, and
variations (`変化`).  Files are in UTF-8 or Shift JIS.  A damaged game is reported with its place,
and the reader goes on with the headers of the next one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core.location import Location

from .kif_diagram import Diagram, DiagramError, diagram_of
from .kif_tables import (
    BOARDS,
    EVEN,
    HANDICAP_REST,
    HANDICAPS,
    LETTERS,
    NAMES,
    OTHER_NAMES,
    PIECES,
    RANKS,
    Board,
)
from .recorded import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    RecordedGame,
    RecordedMove,
    RecordError,
    lines_of,
    push_recorded,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from .game import Game
    from .position import Position

__all__ = ["GAMES", "is_kif", "read_games", "text_of"]

GAMES = frozenset(BOARDS)
"""The names of the games."""
_PROMOTED = {letter for letter in LETTERS.values() if letter.startswith("+")}
_Square = tuple[int, int]
"""File and rank, from 1."""
_TAGS = {
    "棋戦": "Event",
    "場所": "Site",
    "開始日時": "Date",
    "先手": "White",
    "下手": "White",
    "後手": "Black",
    "上手": "Black",
    "終了日時": "EndDate",
    "持ち時間": "TimeControl",
    "戦型": "Opening",
}
_PLAYERS = ("先手", "下手", "後手", "上手")
_HANDS = {
    f"{player}{no}{held}" for player in _PLAYERS for no in ("の", "") for held in ("持駒", "持ち駒")
}
_LATE = {"終了日時", "持ち時間", "戦型"}
"""Headers that begin no game; they may also be below the moves."""
_TIMES = {"Date": "Time", "EndDate": "EndTime"}
"""The tags for the time of day."""
_DATE = re.compile(
    r"(\d{4})[/.-](\d\d?|\?\?)[/.-](\d\d?|\?\?)(?:\(.\))?(?: (?P<time>\d\d?:\d\d(?::\d\d)?))?"
)
_HANDICAP = "手合割"
_OTHER_START = "その他"
"""The start of games that begin from a diagram."""
_FIRST_HEADERS = _TAGS.keys() - _LATE | _HANDS | {_HANDICAP}
"""Headers with which another game can begin."""
_DIAGRAM_HEADERS = {*_PLAYERS, *_HANDS}
"""Headers that can stand below a diagram."""
_LOST, _WON, _DRAWN, _STOPPED = "lost", "won", "drawn", "stopped"
_ENDS = {
    "投了": _LOST,
    "詰み": _LOST,
    "切れ負け": _LOST,
    "時間切れ": _LOST,
    "反則負け": _LOST,
    "不戦敗": _LOST,
    "反則勝ち": _WON,
    "不戦勝": _WON,
    "入玉勝ち": _WON,
    "宣言勝ち": _WON,
    "入玉宣言勝ち": _WON,
    "千日手": _DRAWN,
    "持将棋": _DRAWN,
    "引き分け": _DRAWN,
    "引分": _DRAWN,
    "中断": _STOPPED,
    "封じ手": _STOPPED,
    "不詳": _STOPPED,
    "不詰": _STOPPED,
}
"""Ends of games, for the player to move.  Other words say nothing about the result."""
_USUAL_ENDS = {"投了", "詰み", "中断"}
"""Ends that are written if nothing else is known; others are kept in the tag Termination."""
_COLON = "\uff1a"  # that of Japanese text
_FULL_WIDTH = {0x3000: 0x20} | {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_NAME = "|".join(sorted(LETTERS, key=len, reverse=True))
_TIME = r"\s*+\+?\s*+(\([^)]*+\))?\s*+\+?\s*+"  # and a sign that variations follow
_WAY = "[右左上直引寄行]{0,2}"  # how the piece moves, which the origin tells as well
_MOVE = re.compile(
    rf"\s*\d+\s+((?P<to>[1-9][{RANKS}])|(?P<same>同))\s*(?P<name>{_NAME}){_WAY}"
    rf"(?P<promotion>不?成)?(打|\((?P<origin>[1-9][1-9])\)){_TIME}"
)
_END = re.compile(rf"\s*\d+\s+(?P<end>{'|'.join(_ENDS)}){_TIME}")
_OTHER_END = re.compile(
    rf"\s*\d+\s+(?P<end>(?!同|[{RANKS}]{{2}})[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff]{{2,20}}+"
    rf"(?<![{''.join(LETTERS)}打]))\s*+(\((?!\d\d\))[\d :/.]*+\))?\s*+\+?\s*+"
)
"""An unknown word in place of a move, which looks like none: `最大手数`."""
_NUMBERED = re.compile(r"\s*\d+\s++(?=\S)(?!\d(?:\s|$))")  # but not the files above a diagram
_VARIATION = re.compile(r"変化:\s*(\d{1,6})手.*")
_SUMMARY = re.compile(r"まで(.*)")
_DECIDED = re.compile(r"(?P<player>先手|下手|後手|上手)の?[^の手]*?((?P<won>勝)|負|敗|投了)")
"""Who has won or lost: `先手の反則負けにより後手の勝ち` names the loser first."""
_UNDECIDED = re.compile("千日手|持将棋|引き?分")
_LINE_END = re.compile(r"\r\n?|\n")
_HEADER = re.compile(r"([^\s*&#:|+]+):(.*)")
_SIGN = re.compile(
    rf"^(?:{_HANDICAP}:|[先後上下]手の?持ち?駒:|\s*\d+\s+(?:[1-9][{RANKS}]|同))", re.MULTILINE
)


def is_kif(text: str) -> bool:
    """Return whether a text looks like a game in this format."""
    return _SIGN.search(text.translate(_FULL_WIDTH)) is not None


# --- reading --------------------------------------------------------------------------------------


def read_games(file: BinaryIO, name: str = "KIF") -> Iterator[RecordedGame]:
    """Yield the games of a file, one after the other; most files have one.

    A game that is damaged has an `error`; the next games are read nevertheless.

    Args:
        file: A binary file, in UTF-8 or Shift JIS.
        name: The name of the file in messages.
    """
    reader = _Reader(name)
    for number, data in enumerate(lines_of(file), 1):
        yield from reader.read(_decoded(data, is_first=number == 1).rstrip("\r\n"), number)
    yield from reader.end()


def _decoded(data: bytes, *, is_first: bool) -> str:
    try:
        return data.decode("utf-8-sig" if is_first else "utf-8")
    except UnicodeDecodeError:
        return data.decode("cp932", errors="replace")


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
    target: _Square
    occupied: int
    depth: int


class _Reader:
    """Reads lines; returns the games that end before them."""

    def __init__(self, name: str) -> None:
        self._name = name
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
        self._before = ""  # the comment before it
        self._other_end: RecordError | None = None  # if moves follow an unknown word
        self._has_moves = False  # the headers have ended
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
        self._is_after_blank = not plain.strip()
        begins_moves = not self._has_moves and _NUMBERED.match(plain) is not None
        self._has_moves |= begins_moves
        self._characters += len(line) + 1
        if self._is_after_blank or self._is_damaged or plain.startswith(("#", "&", "手数-")):
            return
        game = self._game = self._game or self._new_game()
        try:
            if self._characters > MAX_CHARACTERS:
                raise self._error(f"the game is longer than {MAX_CHARACTERS} characters")
            if begins_moves:
                self._set_start(game)
            self._read(game, plain, header)
        except RecordError as error:
            game.error = error

    @property
    def _is_damaged(self) -> bool:
        return self._game is not None and self._game.error is not None

    def _begins_game(self, key: str) -> bool:
        """Whether a header begins another game, and does not go on with those of the current one.

        Below a damaged diagram are further lines of it, and the names of the players.
        """
        is_new = self._is_damaged and self._is_after_blank and key not in _DIAGRAM_HEADERS
        return key in _FIRST_HEADERS and (self._has_moves or is_new)

    def end(self) -> Iterator[RecordedGame]:
        """End the current game; yield it."""
        game = self._game
        if game is not None:
            if not (self._has_moves or game.error):
                try:
                    self._set_start(game)
                except RecordError as error:
                    game.error = error
            game.tags["Result"] = game.result
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
        elif found := _END.fullmatch(line) or _OTHER_END.fullmatch(line):
            self._read_end(game, found)
        elif found := _VARIATION.fullmatch(line):
            self._begin_variation(int(found[1]), found.start(1))
        elif found := _SUMMARY.fullmatch(line):
            if game.result == "*" and not self._depth:
                game.result = _summarized(found[1])
        elif line.startswith("手数"):
            pass  # the number of moves before this position
        elif header is None or (self._has_moves and header[1] not in _LATE):
            raise self._not_a_move(line)
        else:
            self._read_header(game, header)

    def _read_header(self, game: RecordedGame, header: re.Match[str]) -> None:
        key, value = header[1], " ".join(header[2].split())
        place = self._place(header.start(2), max(len(header[2]), 1))
        if key == _HANDICAP:
            self._read_start(value, place)
        elif key in _TAGS:
            tag = _TAGS[key]
            date = _DATE.match(value) if tag in _TIMES else None
            game.tags[tag] = f"{date[1]}.{date[2]:0>2}.{date[3]:0>2}" if date else value
            game.places[tag] = place
            if date and date["time"]:
                game.tags[_TIMES[tag]] = date["time"]

    def _read_start(self, value: str, place: Location) -> None:
        """Note the start with a name; a diagram replaces it."""
        if value in EVEN:
            self._start = EVEN[value], BOARDS[EVEN[value]].fen
        elif value in HANDICAPS:
            self._start = "shogi", HANDICAPS[value] + HANDICAP_REST
        else:
            known = ", ".join([*EVEN, *HANDICAPS])
            message = f"the start is one of {known}, or {_OTHER_START} with a diagram"
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
            game.ply = _plies_before(fen)
            if self._start_place:
                game.places["FEN"] = self._start_place

    def _read_comment(self, game: RecordedGame, text: str) -> None:
        if self._replaced is not None:
            self._before = _with_line(self._before, text)
        elif self._moves:
            self._moves[-1].comment = _with_line(self._moves[-1].comment, text)
        else:
            game.comment = _with_line(game.comment, text)

    def _read_end(self, game: RecordedGame, found: re.Match[str]) -> None:
        word = found["end"]
        if word not in _ENDS:
            self._other_end = self._not_a_move(found[0])
        if not self._depth:
            game.result = _result(word, is_first=self._is_first)
            if word not in _USUAL_ENDS:
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
        move = RecordedMove(text, self._before, location=place)
        self._moves.append(move)
        occupied = occupied & ~(_bit(origin) if origin else 0) | _bit(target)
        if self._replaced:
            self._steps.append(_Step(self._replaced, target, occupied, self._depth - 1))
        else:
            self._steps.append(_Step(move, target, occupied, self._depth))
        self._replaced, self._before = None, ""

    def _text(
        self, found: re.Match[str], origin: _Square | None, target: _Square, *, is_capture: bool
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

    def _may_promote(self, *squares: _Square) -> bool:
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
        if not 1 <= number <= len(self._steps) + 1:
            raise self._error(f"there is no move {number} before this variation", column)
        # Moves after the end of a line are in place of no move; they are left out.
        after_end = _Step(RecordedMove(""), (0, 0), 0, 0)
        step = [*self._steps, after_end][number - 1]
        self._depth = step.depth + 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"variations are nested more than {MAX_DEPTH} deep")
        self._moves, self._replaced, self._before = [], step.first, ""
        self._other_end = None
        step.first.variations.append(self._moves)
        del self._steps[number - 1 :]


def _with_line(comment: str, line: str) -> str:
    return f"{comment}\n{line}" if comment else line


def _result(end: str, *, is_first: bool) -> str:
    """Return the result of a game with an end; `is_first`: the first player is to move."""
    kind = _ENDS.get(end, _STOPPED)
    if kind in (_DRAWN, _STOPPED):
        return "1/2-1/2" if kind == _DRAWN else "*"
    return "1-0" if (kind == _WON) == is_first else "0-1"


def _summarized(text: str) -> str:
    """Return the result that the last line of a game tells."""
    found = _DECIDED.search(text)
    if found is None:
        return "1/2-1/2" if _UNDECIDED.search(text) else "*"
    is_first = found["player"] in ("先手", "下手")
    return "1-0" if bool(found["won"]) == is_first else "0-1"


def _bit(square: _Square) -> int:
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


def _plies_before(fen: str) -> int:
    """Return the number of turns before a position; the second player's turns have odd numbers."""
    _, turn, _, number = fen.split()
    plies = int(number) - 1
    return plies + ((plies % 2 == 0) == (turn == "w"))


# --- writing --------------------------------------------------------------------------------------


def text_of(record: RecordedGame, game: Game) -> str:
    """Return a game as KIF.

    Raises:
        RecordError: The game is not shogi or minishogi, or a move is not legal.
    """
    board = BOARDS.get(game.name)
    if board is None:
        raise RecordError(f"KIF describes games of shogi and minishogi, not of {game.name}")
    position = record.start(game)
    start = _start_name(position, board)
    first, second = ("下手", "上手") if start in HANDICAPS else ("先手", "後手")
    lines = ["#KIF version=2.0 encoding=UTF-8"]
    lines += _headers(record, ["開始日時", "終了日時", "棋戦", "場所", "持ち時間"])
    if start:
        lines.append(f"{_HANDICAP}{_COLON}{start}")
    else:
        name = _OTHER_START if board.name == "平手" else board.name
        lines += [f"{_HANDICAP}{_COLON}{name}", *diagram_of(position.to_fen())]
    lines += _headers(record, [first, second, "戦型"])
    lines += _comment(record.comment)
    end = position.copy()
    for move in record.moves:
        push_recorded(end, move)
    ending = [*_ending(record, end, len(record.moves) + 1, (first, second))]
    lines += _lines(position, record.moves, 1, board.size, ending)
    return "\n".join(lines) + "\n"


def _headers(record: RecordedGame, keys: list[str]) -> Iterator[str]:
    """Yield the headers that say more than the values of ROSTER."""
    for key in keys:
        tag = _TAGS[key]
        text = " ".join(record.tags.get(tag, "").split())
        if tag in _TIMES:
            text = text.replace(".", "/")
            time = record.tags.get(_TIMES[tag], "")
            text += f" {time}" if _DATE.fullmatch(f"{text} {time}") else ""
        if text.strip("?/"):
            yield f"{key}{_COLON}{text}"


def _start_name(position: Position, board: Board) -> str:
    """Return the name of a start; "" if it has none."""
    fen = position.to_fen()
    if fen == board.fen:
        return board.name
    return next((name for name, rows in HANDICAPS.items() if fen == rows + HANDICAP_REST), "")


def _ending(
    record: RecordedGame, end: Position, number: int, players: tuple[str, str]
) -> Iterator[str]:
    """Yield the lines that say how a game has ended."""
    result, word = record.result, record.tags.get("Termination", "")
    is_over, is_first = end.result is not None, end.turn == end.game.contestants[0]
    winner = {"1-0": 0, "0-1": 1}.get(result)
    line = f"{number:4} {word}"
    is_other = not _END.fullmatch(line) and _OTHER_END.fullmatch(line) is not None
    if not is_other and (word not in _ENDS or _result(word, is_first=is_first) != result):
        if winner is None:
            drawn = "千日手" if is_over else "持将棋"
            word = "中断" if result == "*" else drawn
        else:
            has_lost = is_first == bool(winner)
            word = ("詰み" if is_over else "投了") if has_lost else ""
    if word:
        yield f"{number:4} {word}"
    if winner is not None:
        yield f"まで{number - 1}手で{players[winner]}の勝ち"
    elif is_other and result != "*":
        yield f"まで{number - 1}手で引き分け"


def _lines(
    position: Position, moves: list[RecordedMove], number: int, size: int, ending: list[str]
) -> Iterator[str]:
    """Yield the lines of moves, and then those of variations, the last moves first.

    Args:
        position: The position before the moves, which is changed.
        moves: The moves.
        number: The number of the first one.
        size: The number of the ranks of the board.
        ending: The lines after the moves.
    """
    variations: list[tuple[int, list[RecordedMove], Position]] = []
    for at, move in enumerate(moves, number):
        before = position.copy()
        variations += [(at, variation, before) for variation in move.variations if variation]
        yield from _comment(move.before)
        push_recorded(position, move)
        yield f"{at:4} {_move_text(position, before, size)}"
        yield from _comment(move.comment)
    yield from ending
    for at, variation, before in sorted(variations, key=lambda each: -each[0]):
        yield ""
        yield f"変化{_COLON}{at}手"
        yield from _lines(before.copy(), variation, at, size, [])


def _move_text(after: Position, before: Position, size: int) -> str:
    """Return the text of the move between two positions."""
    last, made = before._last_move, after._last_move
    assert made is not None
    target = made.to_square or ""
    to = "同　" if last and last.to_square == target else _square_text(target, size)
    origin = made.from_square
    if origin is None:
        created = next(part for part in made.parts if part.kind == "create")
        return f"{to}{NAMES[created.name or '']}打"
    piece = before.board[origin]
    assert piece is not None
    promotion = "成" if any(part.kind == "change" for part in made.parts) else ""
    file, rank = _numbers(origin, size)
    return f"{to}{NAMES[piece.type]}{promotion}({file}{rank})"


def _square_text(square: str, size: int) -> str:
    file, rank = _numbers(square, size)
    return f"{chr(0xFF10 + file)}{RANKS[rank - 1]}"  # a digit of Japanese text


def _numbers(square: str, size: int) -> _Square:
    return size - (ord(square[0]) - ord("a")), size + 1 - int(square[1:])


def _comment(text: str) -> list[str]:
    return [f"*{line}" for line in _LINE_END.split(text)] if text else []
