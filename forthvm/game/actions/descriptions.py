"""Descriptions of what moves do: their fields, names and texts, and their copies elsewhere.

A description is a sequence of cells, which native/encoding/action_keys.c writes.  This file owns
the meaning of each cell.  In a document a description is a list of as many items, in which names
replace numbers.  This file must not know which descriptions a game has.
"""

from __future__ import annotations

from array import array
from enum import IntEnum
from typing import TYPE_CHECKING

from forthvm.core.bindings import ChangeKind, Detail
from forthvm.core.bindings.layout import HEADER, OWNER_MASK, TYPE_MASK
from forthvm.core.value import Value
from forthvm.game.definition.pieces import ATTRIBUTE_SHIFT
from forthvm.game.definition.tables import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from forthvm.game.definition.tables import Grid
    from forthvm.game.game import Game

__all__ = ["Names", "Shape", "shape_of"]

_OWN = "own"
_MAX_ARGUMENTS = 4
_CELL_MASK = 0xFFFFFFFF
_PIECE_ITEMS = 3  # type, owner, attribute


class _Field(IntEnum):
    SQUARE, TYPE, KIND, PIECE, OWNER, WORD, NUMBER = range(7)


_FIELDS_OF_CHANGES = {
    ChangeKind.MOVE: (_Field.SQUARE, _Field.SQUARE),
    ChangeKind.CREATE: (_Field.SQUARE,),
    ChangeKind.CAPTURE: (_Field.SQUARE,),
    ChangeKind.TYPE: (_Field.SQUARE,),
    ChangeKind.OWNER: (_Field.SQUARE,),
    ChangeKind.PASS: (),
    ChangeKind.PARTIAL: (_Field.NUMBER,),
    ChangeKind.CALL: (_Field.WORD, _Field.NUMBER),
}
"""The fields after the kind of a change; after the last field of a call are its arguments."""
_FURTHER_FIELDS: dict[ChangeKind, tuple[Detail, tuple[_Field, ...]]] = {
    ChangeKind.MOVE: (Detail.WORDS, (_Field.PIECE, _Field.NUMBER)),
    ChangeKind.CREATE: (Detail.PIECES, (_Field.PIECE,)),
    ChangeKind.TYPE: (Detail.PIECES, (_Field.TYPE,)),
    ChangeKind.OWNER: (Detail.PIECES, (_Field.OWNER,)),
}
"""Further fields, and the least detail that has them."""


def _fields(cells: Sequence[int], detail: Detail, length: int) -> Iterator[_Field]:
    """Yield the field of each of `length` cells.

    A cell must be in `cells` when the field after it is requested, so that the caller can append
    the cells one by one.
    """
    yield _Field.SQUARE
    yield _Field.SQUARE
    if detail >= Detail.TYPES:
        yield _Field.TYPE
    end = length - (detail >= Detail.WORDS)
    while len(cells) < end:
        yield _Field.KIND
        kind = ChangeKind(cells[-1])
        yield from _FIELDS_OF_CHANGES[kind]
        least, further = _FURTHER_FIELDS.get(kind, (detail, ()))
        if detail >= least:
            yield from further
        if kind == ChangeKind.CALL:
            for _ in range(min(cells[-1], _MAX_ARGUMENTS)):
                yield _Field.NUMBER
    if detail >= Detail.WORDS:
        yield _Field.NUMBER


def _with_fields(record: bytes, detail: Detail) -> list[tuple[_Field, int]]:
    cells = cells_of(record)
    known: list[int] = []
    result = []
    fields = _fields(known, detail, len(cells))
    for cell in cells:
        result.append((next(fields), cell))
        known.append(cell)
    return result


# --- names -----------------------------------------------------------------------------


class Names:
    """Translates descriptions to items of documents, and back."""

    def __init__(self, game: Game) -> None:
        """Use the names of a game."""
        self._game = game
        self._types = {kind.name: kind.number for kind in reversed(game.piece_types)}
        self._owners = {player.name: player.cell for player in game.player_details}
        self._owners[_OWN] = OWNER_MASK

    def items(self, record: bytes, detail: Detail) -> list[object]:
        """Return the items of a description."""
        return [self._item(field, cell) for field, cell in _with_fields(record, detail)]

    def text(self, record: bytes, detail: Detail) -> str:
        """Return a text of a description for people."""
        items = self.items(record, detail)
        source, target, *rest = items
        kind = rest.pop(0) if detail >= Detail.TYPES else None
        text = _main_text(source, target, kind)
        for repeated in (["move", source, target], ["create", target]):
            if rest[: len(repeated)] == repeated:
                del rest[: len(repeated)]
        return " ".join([text, *map(_item_text, rest)])

    def record(self, items: Sequence[object], detail: Detail) -> bytes:
        """Return the description with the given items.

        Raises:
            ValueError: An item is invalid, or means something that the game does not have.
        """
        cells: list[int] = []
        fields = _fields(cells, detail, len(items))
        try:
            for item in items:
                cells.append(self._cell(next(fields), item))
            complete = next(fields, None) is None
        except (StopIteration, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"invalid action {items!r}") from error
        if not complete:
            raise ValueError(f"incomplete action {items!r}")
        return array("I", [cell & _CELL_MASK for cell in cells]).tobytes()

    def _item(self, field: _Field, cell: int) -> object:  # noqa: PLR0911 - one for each field
        match field:
            case _Field.SQUARE:
                return None if cell < 0 else self._square_name(cell)
            case _Field.TYPE:
                return self._type_name(cell) if cell else None
            case _Field.KIND:
                return ChangeKind(cell).name.lower()
            case _Field.PIECE:
                attribute = (cell >> ATTRIBUTE_SHIFT) & 0xFFFF
                return [self._type_name(cell & TYPE_MASK), self._owner_name(cell), attribute]
            case _Field.OWNER:
                return self._owner_name(cell)
            case _Field.WORD:
                return self._game.word_name(cell)
        return cell

    def _cell(self, field: _Field, item: object) -> int:  # noqa: PLR0911 - one for each field
        match field:
            case _Field.SQUARE:
                return -1 if item is None else self._number(item, self._game.position_index)
            case _Field.TYPE:
                return 0 if item is None else self._number(item, self._types)
            case _Field.KIND:
                return ChangeKind[str(item).upper()]
            case _Field.PIECE:
                if not isinstance(item, list) or len(item) != _PIECE_ITEMS:
                    raise ValueError(f"{item!r} is not a piece")
                cell = self._number(item[0], self._types) | self._owner(item[1])
                return cell | int(item[2]) << ATTRIBUTE_SHIFT
            case _Field.OWNER:
                return self._owner(item)
            case _Field.WORD:
                found = self._game.vm.native.find(str(item))
                if not found:
                    raise ValueError(f"there is no word {item!r}")
                return found + HEADER
        if not isinstance(item, int) or not -(2**31) <= item < 2**31:
            raise ValueError(f"{item!r} is not a number")
        return item

    def _square_name(self, index: int) -> str:
        name = self._game.square(index)
        return name if self._game.position_index.get(name) == index else f"#{index}"

    def _type_name(self, number: int) -> str:
        name = self._game.roster.type_name(number)
        return name if self._types.get(name) == number else f"#{number}"

    def _owner_name(self, cell: int) -> str | None:
        if cell & OWNER_MASK == OWNER_MASK:
            return _OWN
        return self._game.roster.owner(cell)

    def _owner(self, item: object) -> int:
        if item is None:
            return 0
        if str(item).startswith("#"):
            return int(str(item)[1:]) << 11
        return self._owners[str(item)]

    @staticmethod
    def _number(item: object, numbers: Mapping[str, int]) -> int:
        """Return the number of a name; `#n` means n if it is not a name."""
        name = str(item)
        number = numbers.get(name)
        if number is None and name.startswith("#") and name[1:].isdecimal():
            number = int(name[1:])
        if number is None:
            raise ValueError(f"the game has no {name!r}")
        return number


# --- texts -----------------------------------------------------------------------------


def _item_text(item: object) -> str:
    return " ".join(map(str, item)) if isinstance(item, list) else str(item)


def _main_text(source: object, target: object, kind: object) -> str:
    """Return the text of a main movement, from None if a piece is dropped.

    >>> _main_text("a7", "a8", "queen")
    'a7 - a8 = queen'
    """
    if source is None and target is None:
        return "pass"
    if target is None:
        return f"x {source}"
    if source is None:
        return f"{kind} {target}" if kind else str(target)
    return f"{source} - {target}" + (f" = {kind}" if kind else "")


# --- other squares ----------------------------------------------------------------------


def on_squares(record: bytes, detail: Detail, squares: Sequence[int]) -> bytes:
    """Return a description with each position replaced, given the position that replaces it."""
    return array(
        "i",
        [
            squares[cell] if field is _Field.SQUARE and 0 <= cell < len(squares) else cell
            for field, cell in _with_fields(record, detail)
        ],
    ).tobytes()


class Shape(Value):
    """The descriptions that differ only by a shift on the grid.

    Attributes:
        cells: The cells of the copy that is nearest to the first square.
        slots: Which cells are squares of the grid.
        height: Number of rows that the copy covers.
        width: Number of columns that the copy covers.
    """

    cells: tuple[int, ...]
    slots: tuple[int, ...]
    height: int
    width: int

    def records(self, grid: Grid) -> Iterator[bytes]:
        """Yield all copies."""
        cells = array("i", self.cells)
        for row in range(grid.rows - self.height + 1):
            for column in range(grid.columns - self.width + 1):
                shift = row * grid.columns + column
                for slot in self.slots:
                    cells[slot] = self.cells[slot] + shift
                yield cells.tobytes()


def shape_of(record: bytes, detail: Detail, grid: Grid) -> Shape:
    """Return the shape of a description."""
    fields = _with_fields(record, detail)
    cells = [cell for _, cell in fields]
    slots = tuple(
        slot
        for slot, (field, cell) in enumerate(fields)
        if field is _Field.SQUARE and 0 <= cell < grid.rows * grid.columns
    )
    if not slots:
        return Shape(tuple(cells), slots, grid.rows, grid.columns)
    rows = [cells[slot] // grid.columns for slot in slots]
    columns = [cells[slot] % grid.columns for slot in slots]
    shift = min(rows) * grid.columns + min(columns)
    for slot in slots:
        cells[slot] -= shift
    return Shape(tuple(cells), slots, max(rows) - min(rows) + 1, max(columns) - min(columns) + 1)
