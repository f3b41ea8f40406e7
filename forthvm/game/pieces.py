"""Values of a board: players, piece types, pieces, and the board itself.

Owns the meaning of a board cell (section 7 of axiom-reference.md, a note on the original's
behaviour).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import NEUTRAL, OWNER_MASK, TYPE_MASK
from forthvm.core.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Board", "Piece", "PieceType", "Player", "Roster"]

ATTRIBUTE_SHIFT, MAX_ATTRIBUTE = 16, 0xFFFF
_MAX_CACHED = 4096


class Player(Record):
    """A player of a game.

    Attributes:
        name: The name in the script.
        number: From 1, in order of definition.
        cell: The value of the player's constant: number * 2048, plus 1024 for a neutral player.
        engine: Name of the word that plays for this player by default, such as `$NegamaxMove`.
    """

    name: str
    number: int
    cell: int
    engine: str = ""

    @property
    def neutral(self) -> bool:
        """Whether the player owns pieces but never counts as friend, winner or loser."""
        return bool(self.cell & NEUTRAL)

    @property
    def chance(self) -> bool:
        """Whether this is a chance player; by convention, its name begins with `?`."""
        return self.name.startswith("?")

    def __str__(self) -> str:
        return self.name


class PieceType(Record):
    """A type of piece: name, number from 1, and the value the script gave it."""

    name: str
    number: int
    value: int = 1

    def __str__(self) -> str:
        return self.name


class Piece(Record):
    """A piece on a square.

    Attributes:
        type: Name of the piece type, or `#n` for a number without a type.  The number is 0 after
            a change of owner on an empty square.
        player: Name of the owner, None for a piece without owner.
        attribute: Bits 16 to 31 of the board cell, unsigned; scripts define their meaning.
        cell: The board cell, signed.
    """

    type: str
    player: str | None
    attribute: int = 0
    cell: int = 0

    def __str__(self) -> str:
        return f"{self.player} {self.type}" if self.player else self.type


class Roster:
    """The players and piece types of a game; decodes cells to pieces."""

    def __init__(self, players: Sequence[Player], types: Sequence[PieceType]) -> None:
        """Index players and types by number."""
        self.players = tuple(players)
        self.types = tuple(types)
        self._owners = {player.cell: player.name for player in players}
        self._types = {kind.number: kind.name for kind in types}
        self._pieces: dict[int, Piece] = {}

    def owner(self, cell: int) -> str | None:
        """Return the name of the owner in a cell, None if the cell has no owner.

        >>> Roster([Player("White", 1, 2048)], []).owner(2049)
        'White'
        """
        bits = cell & OWNER_MASK
        return self._owners.get(bits, f"#{bits >> 11}") if bits else None

    def type_name(self, number: int) -> str:
        """Return the name of a type, `#n` for a number without a type."""
        return self._types.get(number, f"#{number}")

    def piece(self, cell: int) -> Piece | None:
        """Return the piece in a board cell, None for an empty cell."""
        if not cell:
            return None
        piece = self._pieces.get(cell)
        if piece is None:
            piece = Piece(
                self.type_name(cell & TYPE_MASK),
                self.owner(cell),
                (cell >> ATTRIBUTE_SHIFT) & MAX_ATTRIBUTE,
                cell,
            )
            if len(self._pieces) < _MAX_CACHED:  # attributes can have many values
                self._pieces[cell] = piece
        return piece


class Board(Mapping[str, "Piece | None"]):
    """The board of one position: names of squares to pieces, in index order.

    >>> roster = Roster([Player("White", 1, 2048)], [PieceType("Pawn", 1)])
    >>> board = Board(("a1", "b1"), {"a1": 0, "b1": 1}, (2049, 0), roster)
    >>> print(board["a1"], board["b1"])
    White Pawn None
    """

    __slots__ = ("_cells", "_index", "_names", "_roster")

    def __init__(
        self,
        names: Sequence[str],
        index: Mapping[str, int],
        cells: Sequence[int],
        roster: Roster,
    ) -> None:
        """Refer to the cells of a board; there is at least one cell for each name."""
        self._names = names
        self._index = index
        self._cells = cells
        self._roster = roster

    def __getitem__(self, square: str) -> Piece | None:
        return self._roster.piece(self._cells[self._index[square]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def occupied(self) -> Iterator[tuple[str, Piece]]:
        """Yield the squares that are not empty, with their pieces."""
        for name, cell in zip(self._names, self._cells, strict=False):
            piece = self._roster.piece(cell)
            if piece is not None:
                yield name, piece

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {piece}" for name, piece in self.occupied())
        return f"<Board {inside}>"
