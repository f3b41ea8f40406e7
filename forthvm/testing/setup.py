"""The position with which a test begins.

Owns the statements that describe it: `board`, `pieces`, `turn` and `variable`.  It must not know
what a test checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.testing.drawing import (
    DrawingError,
    UnlabelledRowsError,
    listed_pieces,
    read_drawing,
)
from forthvm.testing.reader import SETUP, error_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.game import Game, Position
    from forthvm.testing.reader import Case, Statement

__all__ = ["error_in_drawing", "first_position", "read_pieces", "read_variable"]

Piece = tuple[str, str, str]
"""The player, the type and the board position of a piece."""
_WORDS = 3
MAX_EXAMPLES = 4
"""The maximum number of kinds of pieces in an example."""


def first_position(game: Game, case: Case) -> Position:
    """Return the position with which a test begins.

    Raises:
        ForthVMError: A statement is wrong, or the script fails.
    """
    statements = [one for one in case.statements if one.keyword in SETUP]
    try:
        return _start(game, statements)
    except (ValueError, OverflowError) as error:
        for count, statement in enumerate(statements, 1):  # find the first wrong statement
            try:
                _start(game, statements[:count])
            except (ValueError, OverflowError) as first:
                raise error_at(statement, str(first)) from first
        raise error_at(statements[-1], str(error)) from error


def _start(game: Game, statements: Sequence[Statement]) -> Position:
    """Return the position that some statements describe."""
    pieces: list[Piece] | None = None
    turn: str | int | None = None
    variables: dict[str, int] = {}
    for statement in statements:
        if statement.keyword == "turn":
            text = statement.whole_text
            if not text:
                raise error_at(statement, "`turn` needs a player, or an index in the turn order")
            turn = int(text) if text.isdecimal() else text
        elif statement.keyword == "variable":
            name, value = read_variable(statement, statement.whole_text)
            variables[name] = value
        else:
            read = _drawn_pieces if statement.keyword == "board" else _listed_pieces
            pieces = [*(pieces or ()), *read(game, statement)]
            _check_squares(statement, [square for _, _, square in pieces])
    return game.start(setup=pieces, turn=turn, variables=variables) if statements else game.start()


def _check_squares(statement: Statement, squares: Sequence[str]) -> None:
    twice = next((square for square in squares if squares.count(square) > 1), None)
    if twice is not None:
        raise error_at(statement, f"{twice} has two pieces")


def read_pieces(statement: Statement, text: str) -> list[Piece]:
    """Return the pieces that a text such as `White king e1 e8` names.

    Raises:
        ForthVMError: The text is not complete.
    """
    words = text.split()
    if len(words) < _WORDS:
        raise error_at(
            statement,
            f"`{text}` must have a player, a piece type and positions",
            "for example: White king e1",
        )
    return [(words[0], words[1], square) for square in words[2:]]


def read_variable(statement: Statement, text: str) -> tuple[str, int]:
    """Return the name and the value that a text such as `captured 3` contains.

    Raises:
        ForthVMError: The text has another form.
    """
    try:
        name, value = text.split()
        return name, int(value)
    except ValueError:
        raise error_at(
            statement, "a variable needs a name and a number", "for example: variable captured 3"
        ) from None


def error_in_drawing(statement: Statement, error: DrawingError) -> ForthVMError:
    """Return the error of a drawn board, with the place of the wrong words."""
    if error.line is None:
        return error_at(statement, str(error))
    place = statement.place_in(error.line, error.column, error.length)
    return ForthVMError(str(error), location=place)


def _drawn_pieces(game: Game, statement: Statement) -> list[Piece]:
    """Return the drawn pieces, and those of the start on positions that are not drawn."""
    start = game.start()
    try:
        drawn = read_drawing(start, statement.more)
    except UnlabelledRowsError as error:
        example = "; ".join(listed_pieces(start)[:MAX_EXAMPLES]) or "PLAYER TYPE POSITION"
        raise error_at(statement, str(error), f"list the pieces: pieces {example}") from error
    except DrawingError as error:
        raise error_in_drawing(statement, error) from error
    hidden = [name for name in start.board if name not in drawn]
    pieces = [(*piece, name) for name, piece in drawn.items() if piece]
    pieces += [
        (piece.player or "", piece.type, name) for name in hidden if (piece := start.board[name])
    ]
    return pieces


def _listed_pieces(_: Game, statement: Statement) -> list[Piece]:
    return [piece for item in statement.items for piece in read_pieces(statement, item)]
