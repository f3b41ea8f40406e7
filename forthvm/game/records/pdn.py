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
    from collections.abc import Iterator
    from typing import BinaryIO

    from forthvm.game.game import Game

    from .recorded import RecordedGame

__all__ = ["GAMES", "read_games", "text_of"]

GAME_TYPES = {"20": "draughts-international", "21": "draughts", "25": "draughts-russian"}
"""The games by their numbers in PDN."""
_NUMBERS = {name: number for number, name in GAME_TYPES.items()}
GAMES = frozenset(_NUMBERS)
"""The names of the games."""
_BLACK_FIRST = {"draughts"}
_ENGLISH_ORIGINS = {"9", "10", "11", "12"}
"""The squares from which the first move of English draughts is made."""
_ZEROS = re.compile(r"\b0+(?=\d)")
"""Zeros before the number of a square, as in `05-10`."""
_BOTH_LOST = "0-0"
"""The result of a game that both players have lost, for which other formats have no text."""


def read_games(file: BinaryIO, name: str = "PDN") -> Iterator[RecordedGame]:
    """Yield the games of a file, one after the other, as `pgn.read_games` does.

    The result of a game that both players have lost is `*`.
    """
    for game in pgn.read_games(file, name):
        if game.moves and game.moves[-1].text == _BOTH_LOST:  # in chess, this is castling
            game.moves.pop()
        if game.tags.get("Result") == _BOTH_LOST:
            game.tags["Result"] = "*"
        for move in all_moves(game.moves):
            move.text = _ZEROS.sub("", move.text)
        game.tags.setdefault("Variant", _variant_of(game))
        game.tags = _with_colours(game.tags, game.variant)
        yield game


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
    return pgn.text_of(replace(record, tags=tags))


def _with_colours(tags: dict[str, str], variant: str) -> dict[str, str]:
    """Exchange White and Black if Black moves first: records call the first player White."""
    if variant not in _BLACK_FIRST:
        return tags
    other = {"White": "Black", "Black": "White"}
    return {other.get(name, name): value for name, value in tags.items()}


def _variant_of(game: RecordedGame) -> str:
    """Return the game of the tag GameType; without it, the one to which the first move belongs."""
    given = game.tags.get("GameType")
    if given is not None:
        number = given.partition(",")[0].strip()
        return GAME_TYPES.get(number, f"PDN game type {number}")
    first = game.moves[0].text if game.moves else ""
    if first and not first[0].isdigit():
        return GAME_TYPES["25"]
    return GAME_TYPES["21" if re.split(r"\D", first)[0] in _ENGLISH_ORIGINS else "20"]
