"""Moves as coordinates, as the protocols of chess, shogi and xiangqi write them: `e2e4`, `7g7f+`.

Owns this notation.

The word of a move is the square from which its first piece moves, the square to which it moves, and
the letter of the type that the piece becomes, in lower case; `+` stands for a letter that begins
with `+`.  The word of a drop is the letter of the piece, a sign, and the square.  Castling is the
move of the king.  The letters are those of the game's positions as text (FEN), or else of its short
notation.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING

from forthvm.core.errors import AmbiguousMoveError, IllegalMoveError
from forthvm.engines.protocols.words import encode, listed
from forthvm.game.matching import refuse_long
from forthvm.game.notation import parse_parts
from forthvm.game.short_notation import short_notation

if TYPE_CHECKING:
    from collections.abc import Callable

    from forthvm.game import Position
    from forthvm.game.loaded import LoadedGame
    from forthvm.game.tables import Grid

__all__ = ["CHESS", "SHOGI", "XBOARD", "CoordinateWords", "Coordinates"]

_ROWS_FROM_ZERO = 10
"""XBoard counts the ranks from 0 on a board with at least this number of rows."""


@dataclass(frozen=True, kw_only=True)
class Coordinates:
    """How a protocol writes the squares of a grid, and drops."""

    square: Callable[[int, int, Grid], str]
    """Returns the name of a square by row and column, counted from the top left square."""
    drop: str
    """The sign between the letter of a piece that is dropped and the square."""

    def encode(self, text: str, game: LoadedGame) -> str:
        """Return a move text as a word; that of UGI if no piece moves or is dropped.

        >>> import forthvm
        >>> CHESS.encode("pawn e7 - e8 = queen", forthvm.load("chess")._loaded)
        'e7e8q'
        >>> SHOGI.encode("Black pawn e5", forthvm.load("shogi")._loaded)
        'P*5e'
        """
        parts = parse_parts(text, game.known_names)
        moved = next((part for part in parts if part.kind == "move"), None)
        if moved is None:
            created = next((part for part in parts if part.kind == "create"), None)
            if created is None:
                return encode(text)
            letter = _letter(created.name, game)
            return f"{letter}{self.drop}{self._square(created.squares[0], game)}"
        changed = next((part.name for part in parts if part.kind == "change"), None)
        letter = _letter(changed, game).lower()
        squares = [self._square(square, game) for square in moved.squares]
        return "".join(squares) + ("+" if letter.startswith("+") else letter)

    def _square(self, name: str, game: LoadedGame) -> str:
        grid, index = game.tables.grid, game.position_index[name]
        if index >= grid.rows * grid.columns:
            return name
        return self.square(*divmod(index, grid.columns), grid)


def _letter(kind: str | None, game: LoadedGame) -> str:
    """Return the letter of a piece type, in upper case; "" without a letter."""
    notation = short_notation(game)
    if notation is None or kind is None:
        return ""
    letter = notation.fen.letters.get((game.players[0], kind)) or notation.letters.get(kind, "")
    return letter.upper()


CHESS = Coordinates(
    square=lambda row, column, grid: f"{ascii_lowercase[column]}{grid.rows - row}", drop="@"
)
XBOARD = Coordinates(
    square=lambda row, column, grid: (
        f"{ascii_lowercase[column]}{grid.rows - row - (grid.rows >= _ROWS_FROM_ZERO)}"
    ),
    drop="@",
)
SHOGI = Coordinates(
    square=lambda row, column, grid: f"{grid.columns - column}{ascii_lowercase[row]}", drop="*"
)


class CoordinateWords:
    """The legal moves of a position as coordinates, in the order of the list.

    As in MoveWords, these are the moves that the script generates.
    """

    def __init__(self, position: Position, coordinates: Coordinates = CHESS) -> None:
        """Write the legal moves of a position.  Later changes of the position have no effect."""
        game = position._loaded
        self.words = tuple(
            coordinates.encode(text, game) for text in position.generated_moves.texts
        )
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
