"""Moves as coordinates, as UCI writes them: `e2e4`, `e7e8q`.

Owns this notation, and the check whether a game begins as chess does.

The word of a move is the square from which its first piece moves, the square to which it moves, and
in lower case the letter of the type that the piece becomes.  The letters are those of the game's
short notation.  Castling is the move of the king.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError
from forthvm.engines.errors import EngineError
from forthvm.engines.protocols.uci.moves import listed
from forthvm.game.matching import refuse_long
from forthvm.game.notation import parse_parts
from forthvm.game.short_notation import short_notation

if TYPE_CHECKING:
    from forthvm.game import Game, Position
    from forthvm.game.loaded import LoadedGame

__all__ = ["START_FEN", "CoordinateWords", "coordinates", "refuse_other_games"]

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The initial position of chess."""


def coordinates(text: str, game: LoadedGame) -> str:
    """Return a move text as coordinates; unchanged if no piece moves in it.

    >>> import forthvm
    >>> coordinates("pawn e7 - e8 = queen", forthvm.load("chess")._loaded)
    'e7e8q'
    """
    parts = parse_parts(text, game.known_names)
    moved = next((part for part in parts if part.kind == "move"), None)
    if moved is None:
        return text
    changed = next((part.name for part in parts if part.kind == "change"), None)
    return "".join(moved.squares) + _letter(changed, game)


def _letter(kind: str | None, game: LoadedGame) -> str:
    """Return the letter of a piece type in lower case; "" without a letter."""
    notation = short_notation(game)
    return notation.letters.get(kind, "").lower() if notation and kind else ""


class CoordinateWords:
    """The legal moves of a position as coordinates, in the order of the list."""

    def __init__(self, position: Position) -> None:
        """Write the legal moves of a position.  Later changes of the position have no effect."""
        game = position._loaded
        self.words = tuple(coordinates(text, game) for text in position.legal_moves.texts)
        self._player = position.turn

    def find(self, word: str) -> int:
        """Return the index of the move whose coordinates are `word`.

        Raises:
            MoveSyntaxError: The word is too long for a move.
            AmbiguousMoveError: Several moves have these coordinates.
            IllegalMoveError: No move has these coordinates.
        """
        refuse_long(word)
        folded = word.casefold()
        match [at for at, known in enumerate(self.words) if known.casefold() == folded]:
            case [at]:
                return at
            case []:
                raise IllegalMoveError(
                    f"{word!r} is not a legal move of {self._player} (legal: {listed(self.words)})",
                    detail=word,
                )
        raise AmbiguousMoveError(f"several moves are {word!r}", detail=word)


def refuse_other_games(game: Game) -> None:
    """Check that a game begins as chess does.

    Raises:
        EngineError: The game begins otherwise.
    """
    if _placement(game) != START_FEN.partition(" ")[0]:
        raise EngineError(f"UCI is for chess, and {game.name} does not begin as chess does")


def _placement(game: Game) -> str:
    """Return the pieces of the initial position as FEN writes them; pieces without letter are P."""
    position = game.start()
    notation = short_notation(game._loaded)
    rows = []
    for row in "87654321":
        text = ""
        for file in "abcdefgh":
            square = f"{file}{row}"
            piece = position.board[square] if square in position._loaded.position_index else None
            if piece is None:
                text += " "
                continue
            letter = notation.letters.get(piece.type, "P") if notation else piece.type
            text += letter.upper() if piece.player == position.turn else letter.lower()
        rows.append(text.replace(" " * 8, "8"))
    return "/".join(rows)
