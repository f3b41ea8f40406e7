"""Finds the legal move of xiangqi that a text of another program means.

Owns the notations of xiangqi in records: Chinese texts (`炮二平五`), those of the World Xiangqi
Federation (WXF, `C2.5`), squares with ranks from 0 (ICCS, `H2-E2`), and the letters N, B and K for
horse, elephant and general (`Nc3`).  No text in forthvm's own notations has one of these forms.

Chinese texts and WXF describe a move as its player sees it: files count from the right, and `+` is
a move ahead.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core.errors import AmbiguousMoveError, MoveError
from forthvm.core.text.wording import joined
from forthvm.game.matching import illegal_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game.moves import Move
    from forthvm.game.position import Position

__all__ = ["find_xiangqi_move"]

_GAME = "xiangqi"
_TYPES = {
    "K": "general",
    "A": "advisor",
    "B": "elephant",
    "N": "horse",
    "R": "chariot",
    "C": "cannon",
    "P": "soldier",
}
_TO_A_FILE = ("advisor", "elephant", "horse")
"""The types whose moves ahead and back have the file of the target, not the number of ranks."""
_CHARACTERS = {
    **{"將帥将帅": "K", "士仕": "A", "E象相": "B", "H馬马傌": "N", "車车俥": "R", "砲炮包": "C"},
    **{"兵卒": "P", "進进前": "+", "退後后": "-", ".平中": "="},
    **{character: str(number) for number, character in enumerate("一二三四五六七八九", 1)},
}
_WXF = str.maketrans({each: to for characters, to in _CHARACTERS.items() for each in characters})
"""The characters by which one pattern matches Chinese texts and WXF: `前車進一` is `+R+1`."""
_LENGTH = 4  # of a text that the pattern matches
_DESCRIBED = re.compile(
    r"(?P<letter>[KABNRCP])((?P<file>[1-9])|(?P<after>[-+=]))(?P<sign>[-+=])(?P<number>[1-9])"
    r"|(?P<before>[-+=1-5])((?P<of>[KABNRCP])|(?P<on>[1-9]))(?P<way>[-+=])(?P<to>[1-9])"
)
_ICCS = re.compile(r"([A-I])([0-9])-([A-I])([0-9])")
_OTHER_LETTERS = re.compile(r"([BKN])([a-i]?\d{0,2}[-x]?[a-i]\d{1,2}[+#]?)")
_OWN_LETTERS = {"B": "E", "K": "G", "N": "H"}


class _Point(NamedTuple):
    """A point as a player sees it: its file from the right, and its rank from the near side."""

    file: int
    rank: int


class _Described(NamedTuple):
    """A move in the words of WXF.

    Attributes:
        kind: The type of the piece.
        file: The file that it leaves, "" if the text does not name it.
        place: Which of several pieces on a file moves: `+` for the front one, `-` for the rear one,
            `=` for the middle one, or a number from the front; "" if the text does not say it.
        sign: The direction: `+` ahead, `-` back, `=` sideways.
        number: The file of the target, or the number of ranks.
    """

    kind: str
    file: str
    place: str
    sign: str
    number: int


def find_xiangqi_move(text: str, position: Position) -> Move | None:
    """Return the move that a text means; None if it is in no foreign notation of xiangqi.

    Raises:
        IllegalMoveError: The move is not legal.
        AmbiguousMoveError: The text means several legal moves.
    """
    if position.game.name != _GAME:
        return None
    if described := _described(text):
        found = [*_described_moves(described, position)]
    elif iccs := _ICCS.fullmatch(text):
        found = [*_moves_between(_square(iccs[1], iccs[2]), _square(iccs[3], iccs[4]), position)]
    elif other := _OTHER_LETTERS.fullmatch(text):
        found = [*_written_moves(_OWN_LETTERS[other[1]] + other[2], position)]
    else:
        return None
    texts = [str(move) for move in found]
    if not found:
        raise illegal_move(text, position.generated_moves.texts, position.turn)
    if len(found) > 1:
        listed = joined([f"`{each}`" for each in texts], "or")
        raise AmbiguousMoveError(f"`{text}` can be {listed}", detail=text, hints=texts)
    return found[0]


def _square(file: str, rank: str) -> str:
    """Return the name of a square of ICCS.

    >>> _square("H", "2")
    'h3'
    """
    return f"{file.lower()}{int(rank) + 1}"


def _moves_between(origin: str, target: str, position: Position) -> Iterator[Move]:
    for move in position.generated_moves:
        if move.parts[0].squares == (origin, target):
            yield move


def _written_moves(text: str, position: Position) -> Iterator[Move]:
    moves = position.generated_moves
    try:
        yield moves.find(text, is_typed=False)
    except AmbiguousMoveError as error:
        yield from map(moves.find, error.hints)
    except MoveError:
        return


# --- Chinese texts and WXF ------------------------------------------------------------------------


def _described(text: str) -> _Described | None:
    """Read a Chinese text or one of WXF.

    >>> _described("炮二平五") == _described("C2.5")
    True
    >>> _described("前車進１"), _described("Hc3")
    (_Described(kind='chariot', file='', place='+', sign='+', number=1), None)
    """
    if len(text) != _LENGTH:
        return None
    plain = unicodedata.normalize("NFKC", text).upper().translate(_WXF)
    found = _DESCRIBED.fullmatch(plain)
    if found is None:
        return None
    return _Described(
        _TYPES[found["letter"] or found["of"] or "P"],
        found["file"] or found["on"] or "",
        found["after"] or found["before"] or "",
        found["sign"] or found["way"],
        int(found["number"] or found["to"]),
    )


def _described_moves(words: _Described, position: Position) -> Iterator[Move]:
    is_red = position.turn == position.game.players[0]
    origins = _origins(words, position, is_red=is_red)
    for move in position.generated_moves:
        origin, target = (_point(square, is_red=is_red) for square in move.parts[0].squares)
        if origin in origins and _leads_to(target, origin, words):
            yield move


def _point(square: str, *, is_red: bool) -> _Point:
    file, rank = ord(square[0]) - ord("a"), int(square[1:])
    return _Point(9 - file, rank) if is_red else _Point(file + 1, 11 - rank)


def _origins(words: _Described, position: Position, *, is_red: bool) -> list[_Point]:
    """Return where the pieces stand that a text may mean, whether they can move or not."""
    files: dict[int, list[_Point]] = {}
    for square, piece in position.board.items():
        if piece is not None and (piece.player, piece.type) == (position.turn, words.kind):
            point = _point(square, is_red=is_red)
            if words.file in ("", str(point.file)):
                files.setdefault(point.file, []).append(point)
    pieces = [sorted(files[file], key=lambda point: -point.rank) for file in sorted(files)]
    if not words.place:
        return [point for points in pieces for point in points]
    groups = [points for points in pieces if len(points) > 1]
    if words.place.isdigit():  # counted over all files with several pieces, from the right
        return [point for points in groups for point in points][int(words.place) - 1 :][:1]
    if words.place == "=":
        return [points[1] for points in groups if len(points[1:-1]) == 1]
    return [points[0 if words.place == "+" else -1] for points in groups]


def _leads_to(target: _Point, origin: _Point, words: _Described) -> bool:
    ahead = target.rank - origin.rank
    if words.sign == "=":
        return ahead == 0 and target.file == words.number
    if (ahead > 0) != (words.sign == "+") or ahead == 0:
        return False
    if words.kind in _TO_A_FILE:
        return target.file == words.number
    return target.file == origin.file and abs(ahead) == words.number
