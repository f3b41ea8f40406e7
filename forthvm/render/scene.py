"""Makes the scene of a position: everything that front ends draw.

Owns the choice of what a scene contains.  It must not know pages or image formats.
"""

from __future__ import annotations

from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.core.text.visible import visible
from forthvm.game.scene import (
    Point,
    Scene,
    SceneBoard,
    SceneEvent,
    SceneLabel,
    SceneMark,
    ScenePiece,
    ScenePlayer,
    SceneSquare,
    SceneStored,
    SceneTurn,
)
from forthvm.render.colours import NEUTRAL, colours_of, has_player_colours, outlines_of
from forthvm.render.labels import full_labels, make_labels, make_type_labels
from forthvm.render.model import PieceView
from forthvm.render.position_diagram import diagram
from forthvm.render.symbols import symbol_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game import Game, Position
    from forthvm.render.labels import Labels
    from forthvm.render.model import Diagram, Square

__all__ = ["scene"]

_LETTERS = 6
_MARGIN = 0.5
_ROWS = 8  # at least, of squares beside the board

_boards: WeakKeyDictionary[Game, dict[tuple[str, ...], SceneBoard]] = WeakKeyDictionary()
"""The boards of each game by the names of their squares; nearly every game has one."""


def scene(position: Position, *, for_player: str | None = None, everything: bool = False) -> Scene:
    """Return the scene of a position.

    Args:
        position: The position.
        for_player: The player who looks; None: what all players see.
        everything: Include internal state of the script.

    Raises:
        ValueError: There is no such player.
    """
    if for_player is not None and for_player not in position.players:
        raise ValueError(f"there is no player {for_player!r}: {', '.join(position.players)}")
    picture = diagram(position, everything=everything)
    labels = _piece_labels(picture)
    players = tuple(_players(position.game, picture, labels))
    numbers = {player.name: at for at, player in enumerate(players)}
    outcome = position.result
    return Scene(
        board=_board(position.game, picture),
        pieces=tuple(
            ScenePiece(
                square=square.name,
                type=square.piece.type,
                player=numbers[square.piece.owner.name],
                label=labels.of(square.piece),
                symbol=symbol_of(position.game, square.piece.type, square.piece.owner.name),
                attribute=square.piece.attribute,
            )
            for square in picture.squares
            if square.piece
        ),
        players=players,
        turn=picture.turn,
        turns=() if outcome else tuple(_turns(position, numbers)),
        result=visible(outcome.reason) if outcome else None,
        marks=tuple(_marks_of_last_move(position, picture)),
        events=tuple(_events(position, numbers)),
        notes=tuple(quantity.text for quantity in picture.quantities),
    )


# --- the board --------------------------------------------------------------------------------


def _board(game: Game, picture: Diagram) -> SceneBoard:
    boards = _boards.setdefault(game, {})
    names = tuple(square.name for square in picture.squares)
    if names not in boards:
        squares = tuple(_squares(game, picture))
        corners = [corner for square in squares for corner in square.corners]
        boards[names] = SceneBoard(
            width=max((x for x, _ in corners), default=0.0) + _MARGIN,
            height=max((y for _, y in corners), default=0.0) + _MARGIN,
            squares=squares,
            labels=tuple(_labels(picture)) if not game.rules else (),
            rows=picture.row_labels,
            columns=picture.column_labels,
            types=picture.types,
        )
    return boards[names]


def _squares(game: Game, picture: Diagram) -> Iterator[SceneSquare]:
    """Yield the squares, where the rule file draws them if there is one."""
    rectangles = _rectangles(game)
    if rectangles and all(square.name in rectangles for square in picture.squares):
        for square in picture.squares:
            left, top, right, bottom = rectangles[square.name]
            shade = (round(left - _MARGIN) + round(top - _MARGIN)) % 2
            yield _square(square, left, top, right, bottom, shade=shade)
        return
    for square in picture.board:
        row, column = square.row or 0, square.column or 0
        left, top = column + _MARGIN, row + _MARGIN
        yield _square(square, left, top, left + 1, top + 1, shade=(row + column) % 2)
    first, rows = len(picture.column_labels) + 2 * _MARGIN, max(len(picture.row_labels), _ROWS)
    for at, square in enumerate(picture.beside):
        left, top = first + at // rows, at % rows + _MARGIN
        yield _square(square, left, top, left + 1, top + 1, beside=True)


def _square(  # noqa: PLR0913 - four edges
    square: Square,
    left: float,
    top: float,
    right: float,
    bottom: float,
    *,
    shade: int = 0,
    beside: bool = False,
) -> SceneSquare:
    cell = None if square.row is None or square.column is None else (square.row, square.column)
    return SceneSquare(
        name=square.name,
        corners=((left, top), (right, top), (right, bottom), (left, bottom)),
        centre=((left + right) / 2, (top + bottom) / 2),
        size=min(right - left, bottom - top),
        cell=cell,
        shade=shade,
        beside=beside,
    )


def _rectangles(game: Game) -> dict[str, tuple[float, float, float, float]]:
    """Return left, top, right and bottom of the squares of a rule file, in widths of a square."""
    if game.rules is None:
        return {}
    pixels = game.rules.rules.board.rectangles
    if not pixels:
        return {}
    unit = median(right - left for left, _, right, _ in pixels.values())
    first_left = min(left for left, _, _, _ in pixels.values())
    first_top = min(top for _, top, _, _ in pixels.values())
    return {
        visible(name): (
            (left - first_left) / unit + _MARGIN,
            (top - first_top) / unit + _MARGIN,
            (right - first_left) / unit + _MARGIN,
            (bottom - first_top) / unit + _MARGIN,
        )
        for name, (left, top, right, bottom) in pixels.items()
    }


def _labels(picture: Diagram) -> Iterator[SceneLabel]:
    bottom = len(picture.row_labels) + 1.5 * _MARGIN
    for at, text in enumerate(picture.row_labels):
        yield SceneLabel(text=text, at=_point(_MARGIN / 2, at + 0.5 + _MARGIN))
    for at, text in enumerate(picture.column_labels):
        yield SceneLabel(text=text, at=_point(at + 0.5 + _MARGIN, bottom))


def _point(x: float, y: float) -> Point:
    return x, y


# --- the players and their turns --------------------------------------------------------------


def _players(game: Game, picture: Diagram, labels: Labels) -> Iterator[ScenePlayer]:
    colours = colours_of(picture.owners)
    stores = {store.owner.name: store for store in picture.stores}
    outlines = outlines_of(picture.owners)
    for owner in picture.owners:
        fill, ink = colours.get(owner.name, NEUTRAL)
        counts = stores[owner.name].counts if owner.name in stores else ()
        yield ScenePlayer(
            name=owner.name,
            index=owner.index,
            fill=fill,
            ink=ink,
            outline=outlines[owner.name],
            neutral=owner.neutral,
            chance=owner.chance,
            store=tuple(
                SceneStored(
                    type=kind,
                    count=count,
                    label=labels.of(PieceView(type=kind, owner=owner)),
                    symbol=symbol_of(game, kind, owner.name),
                )
                for kind, count in counts
            ),
        )


def _turns(position: Position, numbers: dict[str, int]) -> Iterator[SceneTurn]:
    """Yield the turns of one round from now, without those of players who are not in the scene."""
    game = position.game
    order, repeat = game.turn_order, game.turn_repeat
    at, players = position.turn_index, [visible(position.turn)]
    for _ in range(len(order) - repeat - 1):
        at = at + 1 if at + 1 < len(order) else repeat
        players.append(visible(order[at].player))
    shown = [numbers[name] for name in players if name in numbers]
    turns = [SceneTurn(player=key, moves=len(list(same))) for key, same in groupby(shown)]
    if len(turns) > 1 and turns[0].player == turns[-1].player:
        del turns[-1]
    yield from turns


# --- what has happened ------------------------------------------------------------------------


def _marks_of_last_move(position: Position, picture: Diagram) -> Iterator[SceneMark]:
    history = position.history
    if not history:
        return
    kinds: dict[str, str] = {}
    for part in position.game.parse(history[-1].text):
        if part.kind == "move":
            kinds[part.squares[0]], kinds[part.squares[1]] = "from", "to"
    for square in picture.squares:
        if square.in_last_move:
            yield SceneMark(square=square.name, kind=kinds.get(square.name, "last"))


def _events(position: Position, numbers: dict[str, int]) -> Iterator[SceneEvent]:
    for entry in position.history[-1:]:
        player = numbers.get(visible(entry.player), -1)
        yield SceneEvent(player=player, move=visible(entry.text))


def _piece_labels(picture: Diagram) -> Labels:
    by_type = make_type_labels(picture, _LETTERS) if has_player_colours(picture.owners) else None
    return by_type or make_labels(picture, _LETTERS) or full_labels(picture)
