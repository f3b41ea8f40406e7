"""The position with which a test begins.

Owns the statements that describe it: `board`, `pieces`, `turn` and `variable`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.core.errors.report import suggest
from forthvm.core.failure import ForthVMError
from forthvm.game.memory.variables import variables_of
from forthvm.testing.drawing import (
    DrawingError,
    UnlabelledRowsError,
    listed_pieces,
    read_drawing,
)
from forthvm.testing.reader import SETUP, error_at

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from forthvm.game import Game, Position
    from forthvm.testing.reader import Case, Item, Statement

__all__ = ["check_name", "error_in_drawing", "first_position", "read_pieces", "read_variable"]

Piece = tuple[str, str, str]
"""The player, the type and the board position of a piece."""
_ENTRY = re.compile(r"(?P<name>.+)\[\d+\]")
"""An entry of an array, such as `captured[2]`."""
MAX_EXAMPLES = 4
"""The maximum number of kinds of pieces in an example."""
MAX_NAMES = 12
"""The maximum number of names that a hint lists."""


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
                raise error_at(_argument(statement), str(first)) from first
        raise error_at(_argument(statements[-1]), str(error)) from error


def _argument(statement: Statement) -> Statement | Item:
    """Return what stands after the keyword; the statement if nothing does."""
    return next(iter(statement.located_items), statement)


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
            if not text.isdecimal():
                check_name(game, statement.words[-1], "player", game.players, name=text)
            turn = int(text) if text.isdecimal() else text
        elif statement.keyword == "variable":
            name, value = read_variable(game, statement, statement.words)
            variables[name] = value
        else:
            read = _drawn_pieces if statement.keyword == "board" else _listed_pieces
            pieces = [*(pieces or ()), *read(game, statement)]
            _check_squares(statement, [square for _, _, square in pieces])
    return game.start(setup=pieces, turn=turn, variables=variables) if statements else game.start()


def _check_squares(statement: Statement, squares: Sequence[str]) -> None:
    twice = next((square for square in squares if squares.count(square) > 1), None)
    if twice is not None:
        places = [word for word in statement.words if word.text == twice]
        raise error_at(places[-1] if places else statement, f"{twice} has two pieces")


def check_name(
    game: Game, place: Item, what: str, known: Collection[str], *, name: str | None = None
) -> None:
    """Check that the game has something with a name.

    Args:
        game: The game.
        place: The name, or the word of the test that is wrong if there is no such name.
        what: What the name stands for, such as `player`.
        known: The names that the game has.
        name: The name; None: the text of `place`.

    Raises:
        ForthVMError: There is no such name; a hint has the similar names, or the first ones.
    """
    name = place.text if name is None else name
    if name in known:
        return
    shown = ", ".join(list(known)[:MAX_NAMES])
    more = f" and {len(known) - MAX_NAMES} more" if len(known) > MAX_NAMES else ""
    hint = suggest(name, known) or (f"its {what}s: {shown}{more}" if known else "")
    raise error_at(place, f"{game.name} has no {what} `{name}`", *filter(None, [hint]))


def read_pieces(
    game: Game, place: Statement | Item, words: Sequence[Item]
) -> list[tuple[Item, Item, Item]]:
    """Return the pieces that a text such as `White king e1 e8` names.

    Args:
        game: The game.
        place: The text.
        words: Its words.

    Raises:
        ForthVMError: The text is not complete, or the game has no such player, type or position.
    """
    if len(words) < 3:
        text = " ".join(word.text for word in words)
        raise error_at(
            place,
            f"`{text}` must have a player, a piece type and positions",
            "for example: White king e1",
        )
    player, kind, *squares = words
    check_name(game, player, "player", game.players)
    check_name(game, kind, "piece type", [one.name for one in game.piece_types])
    for square in squares:
        check_name(game, square, "position", game.positions)
    return [(player, kind, square) for square in squares]


def read_variable(game: Game, statement: Statement, words: Sequence[Item]) -> tuple[str, int]:
    """Return the name and the value that a text such as `captured 3` contains.

    Raises:
        ForthVMError: The text has another form, or the game has no such variable.
    """
    try:
        name, text = words
        value = int(text.text)
    except ValueError:
        raise error_at(
            statement, "a variable needs a name and a number", "for example: variable captured 3"
        ) from None
    entry = _ENTRY.fullmatch(name.text)
    check_name(
        game, name, "variable", variables_of(game._loaded), name=entry["name"] if entry else None
    )
    return name.text, value


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


def _listed_pieces(game: Game, statement: Statement) -> list[Piece]:
    return [
        (player.text, kind.text, square.text)
        for item in statement.located_items
        for player, kind, square in read_pieces(game, item, item.words)
    ]
