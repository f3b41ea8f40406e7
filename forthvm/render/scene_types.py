"""A position as data for front ends: the board, the pieces, the players, and what has happened.

Owns the values that every front end draws.  The layer `forthvm.render` makes and draws them.

All texts are ready to show: control characters in names of a script are escaped.  The unit of
coordinates and lengths is the width of a square.  Coordinates go right and down from the upper left
corner.
"""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass

__all__ = [
    "Point",
    "Scene",
    "SceneBoard",
    "SceneEvent",
    "SceneLabel",
    "SceneMark",
    "ScenePiece",
    "ScenePlayer",
    "SceneSquare",
    "SceneStored",
    "SceneTurn",
]

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class SceneSquare:
    """A place for a piece.

    Attributes:
        name: Its name.
        corners: The corners of the area that belongs to it.
        centre: Where its piece stands.
        size: The diameter of the largest circle around the centre inside the area.
        cell: Row from the top and column, both from 0; None for places that are in no row.
        shade: 0 for a light square, 1 for a dark one, 2 for the third colour of hexagons.
        round: Whether the place is a point where lines meet, not an area.
        dot: Whether a dot marks the point.
        beside: Whether the place is beside the board.
        group: The heading of the places beside the board to which it belongs.
        label: The text at the lower edge of a place beside the board.
        decoration: The key of a drawing on the place in `game_symbols`; None without one.
    """

    name: str
    corners: tuple[Point, ...]
    centre: Point
    size: float = 1.0
    cell: tuple[int, int] | None = None
    shade: int = 0
    round: bool = False
    dot: bool = False
    beside: bool = False
    group: str = ""
    label: str = ""
    decoration: str | None = None


@dataclass(frozen=True, kw_only=True)
class SceneLabel:
    """The label of a row or column, or the heading of places beside the board, and its centre."""

    text: str
    at: Point


@dataclass(frozen=True, kw_only=True)
class SceneBoard:
    """The part of a scene that is the same in all positions of a game.

    Attributes:
        width: The width.
        height: The height.
        squares: The places for pieces.
        blanks: The corners of squares that belong to the board, but on which pieces never stand.
        lines: The lines on which pieces move, if the places are points.
        labels: The labels of rows and columns, and headings.
        rows: The labels of the rows from the top, for front ends that draw text.
        columns: The labels of the columns from the left.
        types: The names of all types of pieces.
        picture: The key of the board's picture in `game_symbols`; None without one.  The picture
            begins in the upper left corner.  If its file is damaged, `game_symbols` does not have
            the key, and squares and lines are drawn.
        pixel: The width of a pixel of the pictures of a rule file.
    """

    width: float
    height: float
    squares: tuple[SceneSquare, ...]
    blanks: tuple[tuple[Point, ...], ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    labels: tuple[SceneLabel, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    picture: str | None = None
    pixel: float = 0.0

    def as_json(self) -> dict[str, object]:
        """Return the board as dicts, lists, texts and numbers."""
        return {name: _plain(value) for name, value in vars(self).items()}


@dataclass(frozen=True, kw_only=True)
class ScenePiece:
    """A piece on a square.

    Attributes:
        square: The name of the square.
        type: The name of the type.
        player: Index in the scene's players.
        label: A short text that stands for the type.
        symbol: The key of the piece's picture in `game_symbols`; None without one.
        attribute: Bits 16 to 31 of the board cell, whose meaning the script defines.
    """

    square: str
    type: str
    player: int
    label: str
    symbol: str | None = None
    attribute: int = 0


@dataclass(frozen=True, kw_only=True)
class SceneStored:
    """Equal pieces in a player's store; label and symbol as for a piece on the board."""

    type: str
    count: int
    label: str
    symbol: str | None = None


@dataclass(frozen=True, kw_only=True)
class ScenePlayer:
    """A player.

    Attributes:
        name: The player's name.
        fill: The colour of areas of the player's pieces.
        ink: The colour of lines and texts on them.
        outline: The outline of the pieces, so that more than two players can be told apart
            without colour.  The key of its drawing in `game_symbols` is `base/` and this name.
        neutral: Whether the player is neutral.
        chance: Whether the player is a chance player.
        eliminated: Whether the player is out of the game, while others continue.
        store: The pieces that the player of a rule file has beside the board.
    """

    name: str
    fill: str
    ink: str
    outline: str = "circle"
    neutral: bool = False
    chance: bool = False
    eliminated: bool = False
    store: tuple[SceneStored, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SceneTurn:
    """Turns of one player in succession.

    Attributes:
        player: Index in the scene's players.
        moves: The number of turns.
    """

    player: int
    moves: int = 1


@dataclass(frozen=True, kw_only=True)
class SceneMark:
    """A mark on a square.

    Attributes:
        square: The name of the square.
        kind: `from` and `to` for the last move, `last` for another square of its text, `here` for
            the current square of a move under construction, `threat`, `mark` for others.
        reason: Why the square is marked, in words; may be empty.
    """

    square: str
    kind: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class SceneEvent:
    """A move that was made, and what it did.

    Attributes:
        player: Index in the scene's players.
        move: The text of the move.
        effects: Sentences about its effects.
        short: The short text of the move; "" for the same text.
    """

    player: int
    move: str
    effects: tuple[str, ...] = ()
    short: str = ""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything that a front end draws of a position.

    Attributes:
        board: The part that is the same in all positions of the game.
        pieces: The pieces on the squares.
        players: The players of the game in its order; further ones own pieces if the script is
            faulty, or stand for pieces without an owner.
        turn: The player to move; None if the game is over.
        turns: The next turns in order, until the player to move is to move again.
        result: The result in words; None while the game continues.
        dice: The values of the dice that lie on the table.
        marks: The marks on squares.
        events: The last moves, the latest last.
        notes: The values of variables that the script shows.
    """

    board: SceneBoard
    pieces: tuple[ScenePiece, ...]
    players: tuple[ScenePlayer, ...]
    turn: str | None = None
    turns: tuple[SceneTurn, ...] = ()
    result: str | None = None
    dice: tuple[int, ...] = ()
    marks: tuple[SceneMark, ...] = ()
    events: tuple[SceneEvent, ...] = ()
    notes: tuple[str, ...] = ()

    def as_json(self, *, board: bool = True) -> dict[str, object]:
        """Return the scene as dicts, lists, texts and numbers.

        Args:
            board: Whether to include the board, which a front end needs only once for a game.
        """
        return {
            name: _plain(value) for name, value in vars(self).items() if board or name != "board"
        }


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {name: _plain(part) for name, part in vars(value).items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
