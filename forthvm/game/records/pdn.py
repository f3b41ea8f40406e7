"""Games of draughts as PDN: PGN with the tag GameType, and with White and Black as they are called.

Owns the numbers of games in PDN.  pgn.py reads and writes everything else.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from . import pgn
from .recorded import RecordError, all_moves

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from forthvm.game.game import Game

    from .recorded import RecordedGame

__all__ = ["GAMES", "read_games", "text_of"]

GAME_TYPES = {"20": "draughts-international", "21": "draughts", "25": "draughts-russian"}
"""The games by their numbers in PDN."""
_OTHER_TYPES = {
    "22": "Italian draughts",
    "23": "American pool checkers",
    "24": "Spanish draughts",
    "26": "Brazilian draughts",
    "27": "Canadian draughts",
    "28": "Portuguese draughts",
    "29": "Czech draughts",
    "30": "Turkish draughts",
    "31": "Thai draughts",
    "40": "Frisian draughts",
    "41": "Spantsireti",
}
"""The names of other games, which cannot be read."""
_NAMES = {
    **{name.split()[0].casefold(): number for number, name in _OTHER_TYPES.items()},
    **{name: number for number, name in GAME_TYPES.items()},
    **{"international": "20", "english": "21", "checkers": "21", "russian": "25", "frysk!": "40"},
}
"""The numbers by the first word of a name in the tag Variant or GameType."""
_NO_VARIANT = {"", "standard", "from", "fromposition"}
"""First words in the tag Variant that do not tell the rules."""
_NUMBERS = {name: number for number, name in GAME_TYPES.items()}
GAMES = frozenset(_NUMBERS)
"""The names of the games."""
_BLACK_FIRST = {"draughts"}
_FIRST_ORIGINS = {**dict.fromkeys(range(9, 13), "21"), **dict.fromkeys(range(21, 25), "25")}
"""The games of 32 squares by the square from which the first move is made."""
_SMALL, _LARGE, _LARGEST = 32, 50, 72
"""The numbers of squares of English, international and Canadian draughts."""
_NUMBERED = re.compile(r"(\d+)[-:x]\d+.*")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
"""Zeros before the number of a square, as in `05x10`."""
_BOTH_LOST = "0-0"
"""The result of a game that both players have lost, for which other formats have no text."""


def read_games(
    file: BinaryIO, name: str = "PDN", game: str | None = None
) -> Iterator[RecordedGame]:
    """Yield the games of a file, one after the other, as `pgn.read_games` does.

    The result of a game that both players have lost is `*`.  If a game does not name its rules, the
    highest square in such games tells the board; the whole file is read to find it.

    Args:
        file: A binary file that can be read twice.
        name: The name of the file in messages.
        game: The game that is played; None: the one that the file tells.
    """
    start, highest = file.tell(), None
    for record in pgn.read_games(file, name):
        if record.moves and record.moves[-1].text == _BOTH_LOST:  # in chess, this is castling
            record.moves.pop()
        if record.tags.get("Result") == _BOTH_LOST:
            record.tags["Result"] = "*"
        for move in all_moves(record.moves):
            move.text = _ZEROS.sub("", move.text)
        variant = game or _named(record.tags)
        if not variant:
            highest = _highest_in(file, name, start) if highest is None else highest
            variant = _variant_of(record, highest)
        record.tags["Variant"] = variant
        record.tags = _with_colours(record.tags, record.variant)
        yield record


def text_of(record: RecordedGame, game: Game) -> str:
    """Return a game as PDN.

    Raises:
        RecordError: PDN has no number for the game.
    """
    number = _NUMBERS.get(game.name)
    if number is None:
        raise RecordError(f"PDN is for draughts: it has no number for {game.name}")
    tags = _with_colours({"GameType": number} | record.tags, game.name)
    tags.pop("Variant", None)
    if _named(tags) != game.name:  # the game was named otherwise than by its tags
        tags["GameType"] = number
    return pgn.text_of(replace(record, tags=tags))


def _with_colours(tags: dict[str, str], variant: str) -> dict[str, str]:
    """Exchange White and Black if Black moves first: records call the first player White."""
    if variant not in _BLACK_FIRST:
        return tags
    other = {"White": "Black", "Black": "White"}
    return {other.get(name, name): value for name, value in tags.items()}


def _named(tags: Mapping[str, str]) -> str:
    """Return the game that the tags Variant and GameType name; "" if they name none."""
    for tag in ("Variant", "GameType"):
        value = tags.get(tag, "").strip()
        word = re.split(r"[\s,]", value.casefold())[0]
        if word not in _NO_VARIANT:
            number = _NAMES.get(word, word)
            return GAME_TYPES.get(number) or _OTHER_TYPES.get(number) or f"PDN {tag} {value}"
    return ""


def _highest_in(file: BinaryIO, name: str, start: int) -> int:
    """Return the highest square in the games of a file whose tags name no game."""
    here = file.tell()
    file.seek(start)
    games = (game for game in pgn.read_games(file, name) if not _named(game.tags))
    highest = max(map(_highest_square, games), default=0)
    file.seek(here)
    return highest


def _highest_square(game: RecordedGame) -> int:
    """Return the highest square in a game; 0 without one."""
    texts = [move.text for move in all_moves(game.moves) if _NUMBERED.match(move.text)]
    numbers = map(int, re.findall(r"\d+", " ".join([*texts, game.tags.get("FEN", "")])))
    return max((number for number in numbers if number <= _LARGEST), default=0)


def _variant_of(game: RecordedGame, highest: int) -> str:
    """Return the game to which the squares of a record belong.

    Args:
        game: A game whose tags name no game.
        highest: The highest square in the games of the file whose tags name no game.
    """
    first = game.moves[0].text if game.moves else ""
    if first and not first[0].isdigit():
        return GAME_TYPES["25"]
    origin = _NUMBERED.match(first)
    small = _FIRST_ORIGINS.get(int(origin[1]), "") if origin and "FEN" not in game.tags else ""
    if max(_highest_square(game), 0 if small else highest) > _SMALL:
        return GAME_TYPES["20"] if highest <= _LARGE else _OTHER_TYPES["27"]
    return GAME_TYPES[small or ("21" if "FEN" in game.tags else "20")]
