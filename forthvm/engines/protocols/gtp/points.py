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
_SWAP = "swap"
"""The setting of a game whose second player may take over the first stone."""


def refuse_other_games(game: Game) -> None:
    """Check that programs play a game over GTP.

    Raises:
        EngineError: They do not, or the game is not one of two players on a square board.
    """
    name_of(game, "gtp")
    grid = game.grid
    if len(game.contestants) != len(COLOURS) or grid.rows != grid.columns:
        raise EngineError(f"GTP is for two players on a square board, and {game.name} is not")
    if _chosen(game, _SWAP) not in {None, "off"}:
        raise EngineError(
            f"GTP has no move for the swap of {game.name}: play with the setting {_SWAP}=off"
        )


def board_size(game: Game) -> int:
    """Return the number of rows."""
    return game.grid.rows


def chosen_komi(game: Game) -> str | None:
    """Return the value of the game's setting for the points of White; None without it."""
    return _chosen(game, KOMI)


def _chosen(game: Game, name: str) -> str | None:
    """Return the value of a setting with choices; None without such a setting."""
    setting = game.settings.get(name)
    if setting is None or setting.is_number:
        return None
    return game._loaded.options.rule_settings.get(name, setting.choices[0].value)


def colour_of(game: Game, player: str) -> str:
    """Return the colour of a player."""
    return COLOURS[player != game.turn_order[0].player]


def vertex(text: str, game: LoadedGame) -> str:
    """Return the point of a move's text, or `pass`.

    Raises:
        EngineError: The move is another one.

    >>> import forthvm
    >>> vertex("Black stone e5 x d5", forthvm.load("go")._loaded)
    'E5'
    """
    word = _vertex(text, game)
    if word is None:
        raise EngineError(f"GTP has no command for the move {text!r}")
    return word


def _vertex(text: str, game: LoadedGame) -> str | None:
    match parse_parts(text, game.known_names):
        case [part, *_] if part.kind == "create":
            return part.squares[0].upper()
        case [part, *_] if part.kind == "pass":
            return PASS
    return None


def find_move(position: Position, word: str) -> int:
    """Return the index of the legal move with this vertex, in any letter case.

    Raises:
        MoveSyntaxError: The word is too long for a vertex.
        IllegalMoveError: No legal move has this vertex.
    """
    refuse_long(word)
    folded = word.casefold()
    game = position._loaded
    for at, text in enumerate(position.legal_moves.texts):
        word_of_move = _vertex(text, game)
        if word_of_move is not None and word_of_move.casefold() == folded:
            return at
    board = position.board
    point = next((name for name in board if name.casefold() == folded), None)
    reason = (
        "it is no point of the board"
        if point is None
        else f"there is a stone on {point}"
        if board[point] is not None
        else f"{position.game.name} forbids a stone there, by superko or another rule"
    )
    message = f"{word!r} is not a legal move of {position.turn}: {reason}"
    raise IllegalMoveError(message, detail=word)
