"""What a move is, and what it does to the board (sections 6.1 and 6.4 of the contract)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from tests.models.zrf.rules import Rules

__all__ = ["PASS", "Effect", "Move", "Movement", "Piece", "Scene", "apply", "new_piece"]


class Piece(NamedTuple):
    """A piece on the board; `true` holds the attributes that are true, whatever its type (42)."""

    player: str
    type: str
    true: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Scene:
    """What a block can see: the board before the move.

    Attributes:
        reserves: Off-board pieces of each (player, piece type).
        last_from: Where the previous move of the game began, None after a pass or a drop.
        last_to: Where it ended.
    """

    rules: Rules
    board: Mapping[str, Piece]
    reserves: Mapping[tuple[str, str], int]
    last_from: str | None = None
    last_to: str | None = None


class Movement(NamedTuple):
    """A part of a move that takes one piece; `kind` is move, drop or copy.

    `origin` is a position, for a drop the type of the piece.
    """

    kind: str
    origin: str
    target: str


class Effect(NamedTuple):
    """An effect: kind is create, owner, flip, type, attribute or capture.

    Attributes:
        player: For `create` and `owner`.
        name: Piece type for `create` and `type`, attribute for `attribute`.
        value: For `attribute`.
    """

    kind: str
    position: str
    player: str = ""
    name: str = ""
    value: bool = False


@dataclass(frozen=True)
class Move:
    """A legal move or a candidate; without movements and effects it is the pass.

    Attributes:
        side: Whose pieces move.
        piece: Type of the piece whose block made the move.
        partial: Whether the side goes on with the same piece.
        continuation: Move type of the next part, "" for any.
        text: The move in the notation of section 12.
    """

    side: str = ""
    piece: str = field(default="", compare=False)
    movements: tuple[Movement, ...] = ()
    effects: tuple[Effect, ...] = ()
    promotion: str | None = None
    partial: bool = False
    continuation: str = ""
    text: str = field(default="Pass", compare=False)

    @property
    def is_pass(self) -> bool:
        return self == PASS

    def __str__(self) -> str:
        return self.text


PASS: Final = Move()


def new_piece(rules: Rules, player: str, piece_type: str) -> Piece:
    """A piece that is set up, dropped or created, with its initial attributes (42)."""
    initial = rules.pieces[piece_type].attributes
    return Piece(player, piece_type, frozenset(name for name in initial if initial[name]))


class _Table:
    """The board while a move is made, with the pieces that leave it."""

    def __init__(self, scene: Scene) -> None:
        self.board = dict(scene.board)
        self.reserves = dict(scene.reserves)
        self.left: list[tuple[str, str]] = []
        self._recycles = scene.rules.option("recycle captures")

    def remove(self, position: str) -> None:
        """The piece there, if any, leaves the board, to its owner's store if it is recycled."""
        piece = self.board.pop(position, None)
        if piece is not None:
            self.left.append((piece.player, piece.type))
            if self._recycles:
                self.store(piece.player, piece.type, 1)

    def store(self, player: str, piece_type: str, count: int) -> None:
        key = (player, piece_type)
        self.reserves[key] = self.reserves.get(key, 0) + count

    def put(self, position: str, piece: Piece) -> None:
        self.remove(position)
        self.board[position] = piece

    def change(self, position: str, **changes: Any) -> None:  # noqa: ANN401 - fields of Piece
        """Change the piece there; an empty square stays as it is (57)."""
        if position in self.board:
            self.board[position] = self.board[position]._replace(**changes)


def apply(
    scene: Scene, move: Move
) -> tuple[dict[str, Piece], dict[tuple[str, str], int], list[tuple[str, str]]]:
    """The board and the stores after a move, and the (player, type) of pieces that left (55)."""
    table = _Table(scene)
    _move_pieces(table, scene, move)
    for effect in move.effects:  # (4)
        if effect.kind == "create":
            table.put(effect.position, new_piece(scene.rules, effect.player, effect.name))
    _put_originals(table, scene, move)
    for effect in move.effects:  # (5)
        _change(table, scene.rules, effect)
    for effect in move.effects:  # (6)
        if effect.kind == "capture":
            table.remove(effect.position)
    if move.promotion is not None:  # (7)
        table.change(move.movements[-1].target, type=move.promotion)
        if scene.rules.option("recycle promotions"):
            table.store(move.side, move.promotion, -1)
    return table.board, table.reserves, table.left


def _move_pieces(table: _Table, scene: Scene, move: Move) -> None:
    pieces = []
    for kind, origin, _ in move.movements:  # (1) read before anything changes
        if kind == "drop":
            pieces.append(new_piece(scene.rules, move.side, origin))
            table.store(move.side, origin, -1)
        else:
            pieces.append(scene.board[origin])
            table.board.pop(origin, None)
    for movement in move.movements:  # (2)
        table.remove(movement.target)
    for movement, piece in zip(move.movements, pieces, strict=True):  # (3)
        table.put(movement.target, piece)


def _put_originals(table: _Table, scene: Scene, move: Move) -> None:
    """The original of a copy stays; a copy in place takes nothing off the board."""
    for kind, origin, target in move.movements:
        if kind == "copy":
            if origin != target:
                table.remove(origin)
            table.board[origin] = scene.board[origin]


def _change(table: _Table, rules: Rules, effect: Effect) -> None:
    position = effect.position
    if effect.kind == "owner":
        table.change(position, player=effect.player)
    elif effect.kind == "type":
        table.change(position, type=effect.name)
    elif effect.kind == "flip" and position in table.board:
        owner = rules.players.index(table.board[position].player)
        table.change(position, player=rules.players[(owner + 1) % len(rules.players)])
    elif effect.kind == "attribute" and position in table.board:
        true = table.board[position].true - {effect.name}
        table.change(position, true=true | {effect.name} if effect.value else true)
