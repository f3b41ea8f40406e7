"""Positions and games as text that people copy from a page, and paste into it, such as FEN and PGN.

Owns which of them a game has, and what an opened text means for the table.  Texts come from
strangers: they name only games that the table offers, and open no file.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from forthvm.core.errors import SettingError
from forthvm.core.text.visible import visible
from forthvm.game import Position
from forthvm.game.records.formats import format_for_game, format_of_text
from forthvm.game.records.recorded import RecordError, push_recorded
from forthvm.game.short_notation import short_notation
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.endings import agreed_draw
from forthvm.web.table.tree_records import record_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game import Game
    from forthvm.game.records.formats import RecordFormat
    from forthvm.game.records.recorded import RecordedGame
    from forthvm.web.table.game_choice import GameChoice
    from forthvm.web.table.table import Table

__all__ = [
    "GameText",
    "forms_of",
    "game_text",
    "refuse_long",
    "replaying",
    "start_of",
    "text_in",
]

_MOST_OPENED, _MOST_COPIED = 2000, 1000
"""The maximum number of moves of a game, whose positions stay in memory."""


@dataclass(frozen=True)
class GameText:
    """A text or file with games of a format, which is not read yet."""

    data: bytes
    form: RecordFormat

    def first_game(self) -> tuple[RecordedGame, bool]:
        """Return the first game, and whether others follow; any thread may read a text.

        Raises:
            RequestError: There is none, or it has too many moves.
        """
        games = [*islice(self.form.read_games(BytesIO(self.data), self.form.name, None), 2)]
        if not games:
            raise RequestError("no-text", "The text has no position and no game.")
        refuse_long(len(games[0].moves))
        return games[0], len(games) > 1


def forms_of(game: Game) -> dict[str, str]:
    """Return the names of the forms in which a game has its positions and games as text."""
    forms = {}
    notation = short_notation(game._loaded)
    if notation is not None and notation.fen.fields:
        forms["position"] = notation.fen.name
    if len(game.contestants) == 2:
        forms["game"] = format_for_game(game).name
    return forms


def game_text(table: Table) -> str:
    """Return the game of a table with its variations as text.

    Raises:
        PositionError: The game has no such texts, or began from a position without one.
        RequestError: The game is too long.
    """
    refuse_long(table.tree.size, _MOST_COPIED)
    record = record_of(table.tree, _result_of(table))
    return format_for_game(table.game).text_of(record, table.game)


def _result_of(table: Table) -> str:
    """Return the result of a game that its rules have not ended."""
    ending = table.ending
    if ending is None:
        return "*"
    winner = ending.values.get("winner")
    for player, result in zip(table.game.contestants, ("1-0", "0-1"), strict=False):
        if winner == visible(player):
            return result
    return "1/2-1/2" if ending == agreed_draw() else "*"


def text_in(text: str, game: Game) -> Position | GameText:
    """Return the position in a text, or the text as games.

    Args:
        text: A position of the game that is being played, or games.
        game: This game.

    Raises:
        ForthVMError: The position is damaged.
    """
    stripped = text.strip()
    if _is_position(stripped):
        return Position.from_fen(game, stripped)
    return GameText(text.encode(errors="replace"), format_of_text(stripped, game))


def _is_position(text: str) -> bool:
    """Whether a text is a position: a line that begins with rows, or with draughtsmen by colours.

    >>> _is_position("8/8/8/8/8/8/8/K1k5 w - - 0 1"), _is_position("W:W31-50:B1-20")
    (True, True)
    >>> _is_position("1. e4 e5 1/2-1/2"), _is_position('[White "A/B"]')
    (False, False)
    """
    if len(text.splitlines()) != 1:
        return False
    rows, slash, _ = text.partition(" ")[0].partition("/")
    colours = text.split(":")
    has_colours = len(colours) > 2 and " " not in colours[0]
    return not set("[({;") & set(rows) and (bool(slash) or has_colours)


def refuse_long(moves: int, most: int = _MOST_OPENED) -> None:
    """Raise RequestError if a game has too many moves."""
    if moves > most:
        raise RequestError("long-game", f"The game has more than {most} moves.", most=most)


def start_of(record: RecordedGame, current: Game, choice: GameChoice) -> Position:
    """Return the position before the first move of a game.

    Args:
        record: The game.
        current: The game that is being played.
        choice: The games that may be loaded for it.

    Raises:
        RequestError: It is damaged, or of a game that is not offered.
    """
    with _damage_as_refusal(record):
        if record.error is not None:
            raise record.error
        return record.start(_game_of(record, current, choice))


def replaying(record: RecordedGame, position: Position) -> Iterator[None]:
    """Make the moves of a game, one at each step.

    Raises:
        RequestError: A move is not legal.
    """
    with _damage_as_refusal(record):
        for move in record.moves:
            push_recorded(position, move)
            yield


@contextmanager
def _damage_as_refusal(record: RecordedGame) -> Iterator[None]:
    """Turn a RecordError of the block into a RequestError."""
    try:
        yield
    except RecordError as error:
        place, reason = error.location, visible(error.short_message())
        line, column = (place.line, place.column) if place else (record.line, 1)
        raise RequestError(
            "damaged-text",
            f"Line {line}, column {column}: {reason}",
            line=line,
            column=column,
            reason=reason,
        ) from error


def _game_of(found: RecordedGame, current: Game, choice: GameChoice) -> Game:
    """Return the game of a record: the one that is being played, or another one that is offered.

    Moves without tags are of the game that is being played.

    Raises:
        RecordError: The game is not offered, or has no such settings.
    """
    if not found.tags:
        return current
    name, settings = found.variant, found.settings()
    if name == current.name:
        if settings == dict(current._loaded.options.settings):
            return current
        name = choice.name_of(current)
    try:
        return choice.load(name, None, settings)
    except SettingError as error:
        raise found.tag_error("Settings", error) from error
    except RequestError as error:
        raise found.tag_error("Variant", f"there is no game {visible(name)}") from error
