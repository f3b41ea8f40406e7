"""Moves, and the list of those that are legal, worked out no earlier than somebody looks.

Owns what a host sees of a move.  It must not know how positions are kept or changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from forthvm.core.border import ChangeKind

from .changes import (
    Called,
    Captured,
    Change,
    Continued,
    Created,
    Moved,
    OwnerChanged,
    Passed,
    TypeChanged,
)
from .notation import Part, parse_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core import border

    from .game import Game
    from .states import State

__all__ = ["Move", "MoveList"]


class Move:
    """A legal move of some position.  Its `str` is the original's move text.

    Two moves are equal if their texts, types and effects are; scripts may list a move twice,
    and may list moves that differ in nothing the text shows.
    """

    __slots__ = ("_changes", "_list", "_parts", "_text", "_type", "index")

    index: int
    """Place in the list of legal moves, from 0."""

    def __init__(self, moves: MoveList, index: int) -> None:
        """Made by MoveList only."""
        self._list = moves
        self.index = index
        self._text: str | None = None
        self._type: int | None = None
        self._changes: tuple[Change, ...] | None = None
        self._parts: tuple[Part, ...] | None = None

    @property
    def text(self) -> str:
        """The original's text of the move."""
        if self._text is None:
            self._text = self._list.texts[self.index]
        return self._text

    @property
    def type(self) -> int:
        """Number of its move type, 0 for none."""
        if self._type is None:
            self._type = self._list.move_type(self.index)
        return self._type

    @property
    def changes(self) -> tuple[Change, ...]:
        """What it does to the board, in the order in which it is done."""
        if self._changes is None:
            self._changes = self._list.changes(self.index)
        return self._changes

    @property
    def parts(self) -> tuple[Part, ...]:
        """What its text says, part by part."""
        if self._parts is None:
            self._parts = parse_parts(self.text, self._list.game.vocabulary)
        return self._parts

    @property
    def captures(self) -> tuple[str, ...]:
        """Squares whose piece is taken: captured, or replaced by a piece that moves there."""
        taken: dict[str, None] = {}
        for change in self.changes:
            if isinstance(change, Captured):
                taken[change.square] = None
            elif isinstance(change, Moved) and change.replaced and change.source != change.target:
                taken[change.target] = None
        return tuple(taken)

    @property
    def from_square(self) -> str | None:
        """Where the first piece that moves stands, None if none moves."""
        moved = self._first_moved()
        return moved.source if moved else None

    @property
    def to_square(self) -> str | None:
        """Where the first piece that moves goes, or else the first new piece appears."""
        moved = self._first_moved()
        if moved:
            return moved.target
        for change in self.changes:
            if isinstance(change, Created):
                return change.square
        return None

    @property
    def is_pass(self) -> bool:
        """It is a Pass, alone or with calls of the script's words."""
        return any(isinstance(change, Passed) for change in self.changes) or self.text == "Pass"

    @property
    def is_partial(self) -> bool:
        """The same player goes on after it, if he can."""
        return any(isinstance(change, Continued) for change in self.changes)

    @property
    def state(self) -> State:
        """The position it belongs to, for the game layer."""
        return self._list.state

    def _first_moved(self) -> Moved | None:
        for change in self.changes:
            if isinstance(change, Moved):
                return change
        return None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.text!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        if self._list.state is other._list.state and self.index == other.index:
            return True
        return self.text == other.text and self.type == other.type and self.changes == other.changes

    def __hash__(self) -> int:
        return hash(self.text)


class MoveList(Sequence[Move]):
    """The legal moves of a position in the original's order.

    Nothing is generated before the first look; texts are made for all moves together when the
    first is wanted.
    """

    __slots__ = ("_moves", "game", "state")

    def __init__(self, game: Game, state: State) -> None:
        """The moves of a state; keeps it alive."""
        self.game = game
        self.state = state
        self._moves: list[Move | None] | None = None

    def __len__(self) -> int:
        return len(self.game.states.moves_of(self.state))

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, at: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(at, slice):
            return tuple(self._move(index) for index in range(*at.indices(len(self))))
        index = at + len(self) if at < 0 else at
        if not 0 <= index < len(self):
            raise IndexError(f"there are {len(self)} legal moves, not {at}")
        return self._move(index)

    def __iter__(self) -> Iterator[Move]:
        return (self._move(index) for index in range(len(self)))

    @property
    def texts(self) -> tuple[str, ...]:
        """The original's texts of all moves."""
        return self.game.states.texts(self.state)

    def move_type(self, index: int) -> int:
        """Move type of a move."""
        states = self.game.states
        with states.lock:
            return states.native.move_type(states.enter_listed(self.state)[index])

    def changes(self, index: int) -> tuple[Change, ...]:
        """What a move does."""
        states = self.game.states
        with states.lock:
            found = states.native.move_changes(states.enter_listed(self.state)[index])
            return tuple(_change(change, self.game) for change in found)

    def _move(self, index: int) -> Move:
        if self._moves is None:
            self._moves = [None] * len(self)
        move = self._moves[index]
        if move is None:
            move = self._moves[index] = Move(self, index)
        return move

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MoveList):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as other sequences that compare by content

    def __repr__(self) -> str:
        return f"<MoveList {list(self.texts)!r}>"


def _change(change: border.Change, game: Game) -> Change:  # noqa: PLR0911 - a table of kinds
    """One step, from cells to names."""
    square = game.square
    piece = game.roster.piece
    match change.kind:
        case ChangeKind.MOVE:
            return Moved(
                square(change.source),
                square(change.position),
                piece(change.piece),
                piece(change.other),
            )
        case ChangeKind.CREATE:
            return Created(square(change.position), piece(change.piece))
        case ChangeKind.CAPTURE:
            return Captured(square(change.position), piece(change.other))
        case ChangeKind.TYPE:
            return TypeChanged(square(change.position), game.roster.type_name(change.piece))
        case ChangeKind.OWNER:
            return OwnerChanged(square(change.position), game.roster.owner(change.piece))
        case ChangeKind.PASS:
            return Passed()
        case ChangeKind.PARTIAL:
            return Continued(change.piece)
        case ChangeKind.CALL:
            return Called(game.word_name(change.piece), change.args)
