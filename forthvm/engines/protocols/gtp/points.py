"""Moves and players as GTP writes them: `D4`, `pass`, `black`.

A move is the point on which it puts a stone, in upper case.  The player who moves first is `black`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import IllegalMoveError
from forthvm.engines.errors import EngineError
from forthvm.engines.protocols.game_names import name_of
from forthvm.game.matching import refuse_long
from forthvm.game.notation import parse_parts
from forthvm.game.short_moves import swap_names
from forthvm.game.short_notation import short_notation

if TYPE_CHECKING:
    from forthvm.game import Game, Position
    from forthvm.game.loaded import LoadedGame

__all__ = [
    "COLOURS",
    "KOMI",
    "PASS",
    "board_size",
    "chosen_komi",
    "colour_of",
    "find_move",
    "refuse_other_games",
    "vertex",
]

PASS = "pass"
COLOURS = ("black", "white")
KOMI = "komi"
"""The setting of a game with the points for White."""


def refuse_other_games(game: Game) -> None:
    """Check that programs play a game over GTP.

    Raises:
        EngineError: They do not, or the game is not one of two players on a square board.
    """
    name_of(game, "gtp")
    grid = game.grid
    if len(game.contestants) != len(COLOURS) or grid.rows != grid.columns:
        raise EngineError(f"GTP is for two players on a square board, and {game.name} is not")


def board_size(game: Game) -> int:
    """Return the number of rows."""
    return game.grid.rows


def chosen_komi(game: Game) -> str | None:
    """Return the value of the game's setting for the points of White; None without it."""
    setting = game.settings.get(KOMI)
    if setting is None or setting.is_number:
        return None
    return game._loaded.options.rule_settings.get(KOMI, setting.choices[0].value)


def colour_of(game: Game, player: str) -> str:
    """Return the colour of a player."""
    return COLOURS[player != game.turn_order[0].player]


def vertex(text: str, game: LoadedGame) -> str:
    """Return the point of a move's text, `pass`, or the name of a swap.

    Raises:
        EngineError: The move is another one.

    >>> import forthvm
    >>> vertex("Black stone e5 x d5", forthvm.load("go")._loaded)
    'E5'
    """
    words = _vertices(text, game)
    if not words:
        raise EngineError(f"GTP has no command for the move {text!r}")
    return words[0]


def _vertices(text: str, game: LoadedGame) -> tuple[str, ...]:
    """Return what programs may write for a move; the first is written here."""
    parts = parse_parts(text, game.known_names)
    match parts:
        case [part, *_] if part.kind == "create":
            return (part.squares[0].upper(),)
        case [part, *_] if part.kind == "pass":
            return (PASS,)
    notation = short_notation(game)
    return () if notation is None else swap_names(notation, parts)


def find_move(position: Position, word: str) -> int:
    """Return the index of the legal move with this vertex, in any letter case.

    Raises:
        MoveSyntaxError: The word is too long for a vertex.
        IllegalMoveError: No legal move has this vertex.
    """
    refuse_long(word)
    folded = word.casefold()
    game = position._loaded
    for at, text in enumerate(position.generated_moves.texts):
        if folded in map(str.casefold, _vertices(text, game)):
            return at
    board = position.board
    point = next((name for name in board if name.casefold() == folded), None)
    reason = (
        "it is not a point of the board"
        if point is None
        else f"there is a stone on {point}"
        if board[point] is not None
        else f"{position.game.name} forbids a stone there, by superko or another rule"
    )
    message = f"{word!r} is not a legal move of {position.turn}: {reason}"
    raise IllegalMoveError(message, detail=word)
