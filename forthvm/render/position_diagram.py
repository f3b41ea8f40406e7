"""Converts a position to a diagram.

Owns reading a position and selecting the parts that are shown.  It must not know how a diagram is
drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from forthvm.core.bindings.layout import CELL
from forthvm.core.text.visible import visible
from forthvm.game.arguments import check
from forthvm.game.commentary.visible_board import shown_of
from forthvm.game.definition.tables import cells_of, read_cell
from forthvm.game.position import check_position
from forthvm.render.model import (
    Diagram,
    Layout,
    Owner,
    PieceView,
    Quantity,
    Square,
    Store,
    grid_layout,
    infer_layout,
)
from forthvm.render.rectangles import rectangle_layout

if TYPE_CHECKING:
    from forthvm.game import Game, Piece, Position

__all__ = ["diagram", "with_cells"]

_NO_OWNER = "(nobody)"
_UNNAMED = "??"
_MAX_PIECES = 1 << 20
"""Maximum number of pieces in a set-up; a script may have overwritten the stored number."""


def diagram(position: Position, marks: Iterable[str] = (), *, everything: bool = False) -> Diagram:
    """Return the diagram of a position.

    Control characters in names from the script are escaped here, because the layout needs the
    width of the escaped texts.

    Args:
        position: The position.
        marks: Names of board positions to be marked.
        everything: Include internal state of the script (forthvm/game/commentary/visible_board.py).
    """
    check_position(position, "a picture")
    check([marks] if isinstance(marks, str) else marks, Iterable, "marks", "names of positions")
    marked = frozenset(marks)
    game = position.game
    board = position.board
    layout = _layout(game)
    shown = None if everything else shown_of(position)
    pieces = {name: shown.piece(name, board[name]) if shown else board[name] for name in board}
    owners = _owners(game, pieces.values())
    history = position.history
    last_move = history[-1].text if history else None
    words_of_last_move = frozenset(last_move.split()) if last_move is not None else frozenset()
    reachable = _reachable(game)
    squares = []
    for at, name in enumerate(game.positions):
        piece = pieces[name]
        coordinate = layout.coordinates[at]
        if piece is None and (
            name == _UNNAMED
            or (shown is not None and name in shown.hidden)
            or (coordinate and reachable and at not in reachable)
        ):
            continue  # players do not see this board position, or no piece can reach it
        squares.append(
            Square(
                name=visible(name),
                row=coordinate[0] if coordinate else None,
                column=coordinate[1] if coordinate else None,
                piece=_view(piece, owners, attributes=shown is None or shown.attributes),
                in_last_move=name in words_of_last_move,
                marked=name in marked,
            )
        )
    return Diagram(
        squares=tuple(squares),
        types=_types(game, pieces.values()),
        owners=tuple(owners.values()),
        stores=_stores(position, owners),
        quantities=tuple(
            quantity
            for quantity in _quantities(position)
            if shown is None or quantity.name in shown.variables
        ),
        row_labels=tuple(map(visible, layout.row_labels)),
        column_labels=tuple(map(visible, layout.column_labels)),
        turn=None if position.result else visible(position.turn),
        last_move=visible(last_move) if last_move is not None else None,
    )


def with_cells(base: Diagram, game: Game, cells: Sequence[int], marks: Iterable[str]) -> Diagram:
    """Return a copy of a diagram with the pieces of `cells`; last move, stores and so on are empty.

    The pieces may have types and owners that are not in the diagram `base`.
    """
    marked = frozenset(map(visible, marks))
    pieces = [game.roster.piece(cell) for cell in cells]
    owners = _owners(game, pieces)
    views = {visible(name): _view(pieces[at], owners) for name, at in game.position_index.items()}
    squares = tuple(
        square.replace(
            piece=views.get(square.name, square.piece),
            marked=square.name in marked,
            in_last_move=False,
        )
        for square in base.squares
    )
    return base.replace(
        squares=squares,
        types=_types(game, pieces),
        owners=tuple(owners.values()),
        stores=(),
        quantities=(),
        last_move=None,
    )


def _layout(game: Game) -> Layout:
    grid = game.tables.grid
    rectangles = game.rules.rules.board.rectangles if game.rules else {}
    size = grid.rows * grid.columns
    # A script may have overwritten these variables with invalid numbers.  The names of a few of the
    # squares of a rule file may look like those of a grid.
    if grid.rows > 0 and grid.columns > 0 and len(rectangles) / 2 <= size <= len(game.positions):
        return grid_layout(game.positions, grid.rows, grid.columns)
    inferred = infer_layout(game.positions, top_down=grid.flip)
    if min(len(inferred.row_labels), len(inferred.column_labels)) > 1:
        return inferred
    return rectangle_layout(game.positions, rectangles) or inferred


def _reachable(game: Game) -> frozenset[int]:
    """Return the board positions that pieces can reach; empty if that cannot be decided.

    Many boards are a part of a grid, and their directions never leave this part.  The first of
    these sets with more than a third of all positions is the board:

    1. the positions that the directions reach from the set-up;
    2. the positions with a link in some direction;
    3. all positions, because a game of drops needs no links.
    """
    cached = _REACHABLE.get(game)
    if cached is None:
        reached = _reached(game, _setup_squares(game))
        linked = {
            at
            for direction in game.directions
            for start, target in enumerate(direction.links)
            if target >= 0
            for at in (start, target)
        }
        one_third = len(game.positions) // 3
        cached = next(
            (frozenset(squares) for squares in (reached, linked) if len(squares) > one_third),
            _UNDECIDED,
        )
        _REACHABLE[game] = cached
    return cached


_UNDECIDED: frozenset[int] = frozenset()
_REACHABLE: WeakKeyDictionary[Game, frozenset[int]] = WeakKeyDictionary()
"""The result for each game; links and set-up do not change after loading."""


def _reached(game: Game, squares: Iterable[int]) -> set[int]:
    """Return `squares` and all squares that the directions reach from them."""
    reached = set(squares)
    unvisited = list(reached)
    while unvisited:
        at = unvisited.pop()
        for direction in game.directions:
            target = direction.links[at]
            if 0 <= target < len(direction.links) and target not in reached:
                reached.add(target)
                unvisited.append(target)
    return reached


def _setup_squares(game: Game) -> list[int]:
    """Return the board positions of the script's set-up.

    $boardSetup is the address of the number of pieces, followed by three cells for each piece; the
    third cell is the address of a position's name.
    """
    address = game.vm.native.variable("$boardSetup")
    if not address:
        return []
    count = min(max(read_cell(game.base, address), 0), _MAX_PIECES)
    triples = cells_of(game.base.read(address + CELL, 3 * CELL * count))
    name_addresses = triples[2::3]
    names = [_text_at(game, address) for address in name_addresses]
    return [game.position_index[name] for name in names if name in game.position_index]


def _text_at(game: Game, address: int) -> str:
    """Read a zero-terminated text of at most 256 bytes."""
    return game.vm.native.codec.decode(game.base.read(address, 256).split(b"\0", 1)[0])


def _owners(game: Game, pieces: Iterable[Piece | None]) -> dict[str, Owner]:
    """Return the owners to show: players that can own pieces, and `_NO_OWNER` if it is needed."""
    on_board = {piece.player or _NO_OWNER for piece in pieces if piece}
    owners = {
        player.name: Owner(
            name=visible(player.name), index=at, neutral=player.neutral, chance=player.chance
        )
        for at, player in enumerate(game.player_details)
        if not (player.neutral or player.chance) or player.name in on_board
    }
    for name in sorted(on_board - owners.keys()):
        owners[name] = Owner(name=visible(name), index=len(game.player_details), neutral=True)
    return owners


def _types(game: Game, pieces: Iterable[Piece | None]) -> tuple[str, ...]:
    named = [kind.name for kind in game.roster.types]
    unknown = {piece.type for piece in pieces if piece} - set(named)
    return tuple(visible(name) for name in (*dict.fromkeys(named), *sorted(unknown)))


def _view(
    piece: Piece | None, owners: dict[str, Owner], *, attributes: bool = True
) -> PieceView | None:
    if piece is None:
        return None
    return PieceView(
        type=visible(piece.type),
        owner=owners[piece.player or _NO_OWNER],
        attribute=piece.attribute if attributes else 0,
    )


def _stores(position: Position, owners: dict[str, Owner]) -> tuple[Store, ...]:
    """Return the stores of the players that can own pieces."""
    return tuple(
        Store(
            owner=owners[player],
            counts=tuple((visible(name), count) for name, count in store.items()),
        )
        for player, store in position.stores.items()
        if player in owners
    )


def _quantities(position: Position) -> tuple[Quantity, ...]:
    """Return board variables and arrays with values other than 0.

    The length of an array is not stored, so the array is assumed to end at the next variable.
    """
    game = position.game
    start, cells = game.tables.board, game.tables.board_cells
    end = start + cells * CELL
    variables = game.script_variables.values()
    on_board = sorted(
        (variable for variable in variables if start <= variable.address < end),
        key=attrgetter("address"),
    )
    ends = [variable.address for variable in on_board[1:]] + [end] * bool(on_board)
    view = position.variables
    quantities = []
    for variable, variable_end in zip(on_board, ends, strict=True):
        if variable.kind == "bytes":
            values = view.bytes(variable.name, variable_end - variable.address)
        else:
            values = view.array(variable.name, (variable_end - variable.address) // CELL)
        if any(values):
            quantities.append(Quantity(name=visible(variable.name), values=values))
    return tuple(quantities)
