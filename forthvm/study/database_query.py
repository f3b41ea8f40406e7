"""The conditions and the results of queries for positions in a database.

Owns the SQL of conditions, and the check of values that are read, because files may be untrusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from forthvm.core.reading import dict_of, parse_json
from forthvm.core.text.visible import visible, visible_lines
from forthvm.core.text.wording import joined_first
from forthvm.game import Position
from forthvm.study.database_file import Info, integer, signed, text, unsigned
from forthvm.study.errors import StudyError
from forthvm.study.keys import position_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.game import Piece

__all__ = [
    "Conditions",
    "Occurrence",
    "PositionSummary",
    "occurrence_of",
    "pieces_in",
    "sql_of",
    "wanted_pieces",
]

_MAX_NAMED = 8
_SIGNED_RANGE = range(-(1 << 63), 1 << 63)


class Conditions(TypedDict, total=False):
    """The conditions of a query; a position must meet all that are given."""

    position: Position | int
    """The position, or its key."""
    turn: str
    """The player to move."""
    min_ply: int
    """The lowest number of moves made before."""
    max_ply: int
    """The highest number of moves made before."""
    move: str
    """The text of the move that was made, as it was recorded."""
    winner: str
    """The player who won the game alone."""
    draw: bool
    """Whether the best score in the game was shared."""
    entrant: str
    """An entrant who played in the game."""
    ended: bool
    """Whether the game is over in the position, by its rules."""
    pieces: Mapping[str, Piece | str | None]
    """What is on some squares: a piece or its text `Player type`, or None for an empty square."""


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """A position in a game."""

    key: int
    ply: int
    """The number of moves made before."""
    turn: str
    """The player to move."""
    ended: bool
    """Whether the game is over by its rules."""
    pieces: Mapping[str, str]
    """The piece on each occupied square, as `Player type`."""
    board: str | None
    """The board as text, if it was stored."""
    move: str | None
    """The text of the move made; None in the last position of a game."""
    game: int
    """The number of the game in the database."""
    number: int
    """The number of the game in its results file."""
    file: str
    """The name of the results file."""
    entrants: Mapping[str, str]
    """The entrant of each seat."""
    scores: Mapping[str, float]
    """The score of each seat."""


@dataclass(frozen=True, kw_only=True)
class PositionSummary:
    """A position with the results of all games that meet the conditions of a query."""

    key: int
    ply: int
    """The lowest number of moves made before."""
    turn: str
    ended: bool
    pieces: Mapping[str, str]
    board: str | None
    games: int
    scores: Mapping[str, float]
    """The average score of each seat."""


# --- conditions ---------------------------------------------------------------------------------

_SOLE_WINNER = "EXISTS (SELECT 1 FROM seats WHERE game = o.game AND score = 1)"
_CONDITIONS: dict[str, tuple[str, type]] = {
    "turn": ("p.turn = ?", str),
    "min_ply": ("o.ply >= ?", int),
    "max_ply": ("o.ply <= ?", int),
    "move": ("o.move = ?", str),
    "ended": ("p.ended = ?", bool),
    "winner": (
        "EXISTS (SELECT 1 FROM seats WHERE game = o.game AND score = 1 AND seat = ?)",
        str,
    ),
    "entrant": ("EXISTS (SELECT 1 FROM seats WHERE game = o.game AND entrant = ?)", str),
}
"""The SQL of conditions with one parameter, and the type of the parameter."""


def sql_of(info: Info, conditions: Conditions) -> tuple[str, list[object]]:
    """Return the query for conditions other than pieces, and its parameters.

    Raises:
        StudyError: A condition is unknown, or names an unknown player or another game.
        TypeError: The value of a condition has the wrong type.
    """
    unknown = sorted(conditions.keys() - Conditions.__annotations__.keys())
    if unknown:
        raise StudyError(
            f"there is no condition {unknown[0]!r}; there are "
            + ", ".join(Conditions.__annotations__)
        )
    parts: list[str] = []
    parameters: list[object] = []
    for name, (sql, kind) in _CONDITIONS.items():
        if name not in conditions:
            continue
        value = conditions[name]  # type: ignore[literal-required]
        if not isinstance(value, kind):
            raise TypeError(f"{name}: expected {kind.__name__}, not {type(value).__name__}")
        if kind is int and value not in _SIGNED_RANGE:
            raise StudyError(f"{name}: {value} is too large")
        _refuse_unknown_player(info, name, value)
        parts.append(sql)
        parameters.append(value)
    if "position" in conditions:
        parts.append("o.key = ?")
        parameters.append(signed(_key_of(info, conditions["position"])))
    if "draw" in conditions:
        parts.append(f"{'NOT' if conditions['draw'] else ''} {_SOLE_WINNER}")
    query = (
        "SELECT o.key, o.ply, p.turn, p.ended, p.pieces, p.board, o.move, o.game, g.number, g.file "
        "FROM occurrences AS o JOIN positions AS p ON p.key = o.key "
        f"JOIN games AS g ON g.id = o.game WHERE {' AND '.join(parts) or '1'} "
        "ORDER BY o.game, o.ply"
    )
    return query, parameters


def _refuse_unknown_player(info: Info, name: str, value: object) -> None:
    known = {"turn": info.players, "winner": info.seats}.get(name)
    if known is not None and value not in known:
        raise StudyError(
            f"{name}: {info.game} has no player {visible(repr(value))}; the players are "
            + joined_first(list(map(visible, known)), _MAX_NAMED)
        )


def _key_of(info: Info, position: object) -> int:
    if isinstance(position, Position):
        if position.game.digest != info.digest:
            raise StudyError(
                f"this is a database of {info.game}, not of {visible(position.game.name)}"
                + (" with these rules" if position.game.name == info.game else "")
            )
        return position_key(position)
    if not isinstance(position, int):
        raise TypeError(f"position: expected a position or a key, not {type(position).__name__}")
    return position


def wanted_pieces(info: Info, conditions: Conditions) -> dict[str, str | None]:
    """Return the texts of the pieces that a query asks for, by square.

    Raises:
        StudyError: There is no such square.
    """
    wanted = conditions.get("pieces") or {}
    unknown = next((square for square in wanted if square not in info.squares), None)
    if unknown is not None:
        raise StudyError(f"pieces: {info.game} has no square {visible(repr(unknown))}")
    return {square: None if piece is None else str(piece) for square, piece in wanted.items()}


# --- results ------------------------------------------------------------------------------------


def pieces_in(value: object) -> dict[str, str]:
    """Return the pieces of a position from a column of the database.

    Raises:
        ValueError: The value is not a JSON object of texts.
    """
    return dict_of(text)(parse_json(text(value)))


def occurrence_of(
    row: Sequence[object],
    pieces: Mapping[str, str],
    entrants: Mapping[str, str],
    scores: Mapping[str, float],
) -> Occurrence:
    """Return the position that a row of the query describes.

    Raises:
        ValueError: A column has an invalid value.
    """
    key, ply, turn, ended, _, board, move, game, number, file = row
    return Occurrence(
        key=unsigned(integer(key)),
        ply=integer(ply),
        turn=visible(text(turn)),
        ended=bool(integer(ended)),
        pieces=pieces,
        board=None if board is None else visible_lines(text(board)),
        move=None if move is None else text(move),
        game=integer(game),
        number=integer(number),
        file=visible(text(file)),
        entrants=entrants,
        scores=scores,
    )
