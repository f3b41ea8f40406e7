"""Games as files that people download from a page, and give back to it.

Owns the formats that are files: a saved position of forthvm, and a saved game of Zillions (`.zsg`).
Files come from strangers: they are parsed strictly, and open no other file.  Delegates games as
text to game_texts.py.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from forthvm.core.errors import PositionDigestError
from forthvm.game import Position
from forthvm.game.document.reading import read_about
from forthvm.game.records.formats import format_of
from forthvm.game.zsg_replay import Replay, read_zsg_bytes
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.game_texts import GameText, refuse_long

if TYPE_CHECKING:
    from forthvm.web.table.game_choice import GameChoice

__all__ = ["JSON", "ZSG", "file_in", "file_of", "position_in"]

JSON, ZSG = "json", "zsg"
_ZSG_BEGINS = b"zillions save game"


def file_of(position: Position, form: str) -> tuple[str, bytes]:
    """Return the name and the contents of a file with a game.

    Raises:
        RequestError: There is no such format.
        PositionError: The format cannot describe the game.
    """
    name = f"{position.game.name}.{form}"
    if form == ZSG:
        return name, position.to_zsg()
    if form == JSON:
        return name, position.to_json().encode()
    raise RequestError("no-format", "There is no such format.")


def file_in(name: str, data: bytes, current: Position, choice: GameChoice) -> Position | GameText:
    """Return what a file contains; the arguments and errors are those of `position_in`."""
    form = format_of(PurePath(name))
    if form is not None:
        return GameText(data, form)
    return position_in(name, data, current, choice)


def position_in(name: str, data: bytes, current: Position, choice: GameChoice) -> Position:
    """Return the position at the end of a game in a file.

    Args:
        name: The name of the file, for messages.
        data: The contents.
        current: A position of the game that is being played.
        choice: The games that may be loaded for the file.

    Raises:
        ForthVMError: The file is damaged, or of a game that is not offered.
        RequestError: As before.
    """
    shown = PurePath(name).name
    if data.lstrip()[: len(_ZSG_BEGINS)].lower() == _ZSG_BEGINS:
        file, game = read_zsg_bytes(shown, data), current.game
        refuse_long(len(file.saved.moves))
        variant = file.saved.variant
        if variant in game.variants and variant != game.title:
            game = choice.load(choice.name_of(game), variant, {})
        replay = Replay(game, file)
        replay.play_all()
        return replay.position
    about = read_about(data)
    try:
        return Position.from_json(current.game, data)
    except PositionDigestError:
        same = about.game == current.game.name
        other = choice.name_of(current.game) if same else about.game
        game = choice.load(other, about.variant, about.settings or {})
        return Position.from_json(game, data)
