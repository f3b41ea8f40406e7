"""Positions of shogi and minishogi as diagrams, from which games in KIF can begin.

A diagram has the rows of the board between `|`, with `v` before the pieces of the second player,
the pieces in hand of both players, and a line such as `後手番` if the second one is to move.
"""

# ruff: noqa: RUF001 - Japanese text has blanks and signs of its own

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .kif_tables import ANY_NAME, ANY_PLAYER, BOARDS, FIRST_PLAYERS, HAND, LETTERS, PLAYERS, RANKS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Diagram", "DiagramError", "diagram_of"]

_SIGNS = {letter: name for name, letter in reversed(LETTERS.items()) if len(name) == 1}
"""What stands in a row for a piece, by its letter."""
_IN_HAND = "RBGSNLP"
_MOST_IN_HAND = 18
_MOST_DIGITS = 8  # of the number of moves before a diagram
_COUNTS = {
    ("十" if number >= 10 else "") + (RANKS[number % 10 - 1] if number % 10 else ""): number
    for number in range(1, _MOST_IN_HAND + 1)
}
_COUNT_NAMES = {number: text for text, number in _COUNTS.items()}
_GAMES = {board.size: game for game, board in BOARDS.items()}
_LARGEST = max(_GAMES)

# Lines, in which letters and signs of Japanese width are those of ASCII.
_HAND = re.compile(rf"{HAND}:(?P<pieces>.*)")
_HELD = re.compile(r"\s*(?P<name>[飛角金銀桂香歩])(?P<count>[一二三四五六七八九十]+|\d{0,4})\s*")
_TURN = re.compile(rf"\s*({ANY_PLAYER})番\s*")
_NUMBER = re.compile(r"手数=(\d+).*")
_FILES = re.compile(r"\s*\d(\s*\d)+\s*")
_BORDER = re.compile(r"\s*\+[-+]+\s*")
_SQUARE = re.compile(rf"\s*((?P<second>v?)(?P<name>{ANY_NAME})|[・･])")
_ROW_END = re.compile(rf"\s*+\|\s*+(?P<rank>[{RANKS}]?)\s*+")


class DiagramError(Exception):
    """A line of a diagram is wrong: the index where, and what is wrong."""

    def __init__(self, at: int, message: str) -> None:
        """Note the place and the message."""
        super().__init__(message)
        self.at = at


class Diagram:
    """A diagram that is read line by line."""

    def __init__(self) -> None:
        """Begin without lines."""
        self._rows: list[str] = []  # as in SFEN
        self._size = 0  # of the board, once it has rows
        self._hands: dict[bool, str] = {}  # by whether it is that of the first player
        self._turn = "b"
        self._number = 1

    @property
    def has_begun(self) -> bool:
        """Whether a row or the pieces in hand of a player have been read."""
        return bool(self._rows or self._hands)

    def read(self, line: str) -> bool:
        """Read a line, unless it belongs to no diagram; return whether it belongs to one.

        Raises:
            DiagramError: The line is wrong.
        """
        if found := _HAND.fullmatch(line):
            self._hands[found["player"] in FIRST_PLAYERS] = _hand(line, found.start("pieces"))
        elif line.startswith("|"):
            self._read_row(line)
        elif _FILES.fullmatch(line):
            _check_files(line)
        elif self.has_begun and (found := _TURN.fullmatch(line)):
            self._turn = "b" if found[1] in FIRST_PLAYERS else "w"
        elif self.has_begun and (found := _NUMBER.fullmatch(line)):
            if len(found[1]) > _MOST_DIGITS:
                raise DiagramError(found.start(1), f"expected at most {_MOST_DIGITS} digits")
            self._number = int(found[1]) + 1
        else:
            return _BORDER.fullmatch(line) is not None
        return True

    def _read_row(self, line: str) -> None:
        squares, at = [], 1
        while found := _SQUARE.match(line, at):
            letter = LETTERS[found["name"]] if found["name"] else "1"
            squares.append(letter.lower() if found["second"] else letter)
            at = found.end()
        end = _ROW_END.fullmatch(line, at)
        if end is None:
            at += len(line[at:]) - len(line[at:].lstrip())
            raise DiagramError(at, "expected a piece such as `v歩`, `・`, or `|` after the row")
        size = self._size or (len(squares) if len(squares) in _GAMES else _LARGEST)
        if len(squares) != size:
            raise DiagramError(at, f"the row has {len(squares)} squares, not {size}")
        if len(self._rows) == size:
            raise DiagramError(0, f"the diagram has more than {size} rows")
        rank = RANKS[len(self._rows)]
        if end["rank"] not in ("", rank):
            raise DiagramError(end.start("rank"), f"expected the rank {rank}")
        self._size = size
        self._rows.append(re.sub("1+", lambda run: str(len(run[0])), "".join(squares)))

    def finish(self) -> tuple[str, str]:
        """Return the name of the game and the position as SFEN.

        Raises:
            DiagramError: Rows are missing, or pieces are of another game.
        """
        size = self._size or _LARGEST
        if len(self._rows) < size:
            raise DiagramError(0, f"the diagram has {len(self._rows)} rows, not {size}")
        game, board = _GAMES[size], "/".join(self._rows)
        hands = self._hands.get(True, "") + self._hands.get(False, "").lower()
        for letter in re.findall("[A-Z]", f"{board}{hands}".upper()):
            if letter not in BOARDS[game].fen.upper():
                raise DiagramError(0, f"there is no {_SIGNS[letter]} in {BOARDS[game].name}")
        return game, f"{board} {self._turn} {hands or '-'} {self._number}"


def _check_files(line: str) -> None:
    """Refuse the names of files of a board that is seen from the other side."""
    files = "".join(line.split())
    expected = [str(file) for file in range(min(len(files), _LARGEST), 0, -1)]
    if files != "".join(expected):
        at = len(line) - len(line.lstrip())
        raise DiagramError(at, f"expected the files in the order {' '.join(expected)}")


def _hand(line: str, at: int) -> str:
    """Return the pieces in hand that a line has from an index on, as in SFEN."""
    counts = dict.fromkeys(_IN_HAND, 0)
    if line[at:].strip() in ("", "なし"):
        return ""
    while at < len(line):
        found = _HELD.match(line, at)
        if found is None:
            raise DiagramError(at, "expected pieces in hand such as `飛　歩三`, or `なし`")
        text, letter = found["count"], LETTERS[found["name"]]
        count = int(text) if text.isdecimal() else _COUNTS.get(text or "一", 0)
        counts[letter] += count
        if not count or counts[letter] > _MOST_IN_HAND:
            raise DiagramError(at, f"expected a number of pieces from 1 to {_MOST_IN_HAND}")
        at = found.end()
    return "".join(
        f"{count if count > 1 else ''}{letter}" for letter, count in counts.items() if count
    )


# --- writing --------------------------------------------------------------------------------------


def diagram_of(fen: str) -> list[str]:
    """Return the lines of the diagram of a position in SFEN."""
    board, turn, hands, number = fen.split()
    rows = board.split("/")
    files = " ".join(chr(0xFF10 + file) for file in range(len(rows), 0, -1))
    first, second = PLAYERS
    border = f"+{'---' * len(rows)}+"
    lines = [f"{second}の持駒：{_hand_text(hands, str.lower)}", f"  {files}", border]
    lines += [f"|{_row_text(row)}|{rank}" for row, rank in zip(rows, RANKS, strict=False)]
    lines += [border, f"{first}の持駒：{_hand_text(hands, str.upper)}"]
    if turn == "w":
        lines.append(f"{second}番")
    if number != "1":
        lines.append(f"手数＝{int(number) - 1}")
    return lines


def _row_text(row: str) -> str:
    text = ""
    for each in re.findall(r"\d|\+?[A-Za-z]", row):
        if each.isdecimal():
            text += " ・" * int(each)
        else:
            text += f"{'v' if each.islower() else ' '}{_SIGNS[each.upper()]}"
    return text


def _hand_text(hands: str, case: Callable[[str], str]) -> str:
    """Return the pieces in hand of the player whose letters `case` leaves as they are."""
    held = [
        _SIGNS[letter.upper()] + (_COUNT_NAMES[int(count)] if count else "")
        for count, letter in re.findall(r"(\d*)([A-Za-z])", hands)
        if letter == case(letter)
    ]
    return "　".join(held) or "なし"
