"""Moves and the list of legal moves; their contents are read from the VM when first used.

Owns the public view of a move.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from forthvm.core.bindings import ChangeKind
from forthvm.core.shared import Shared

from .arguments import check, shown
from .commentary.changes import (
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
from .history import HOST_PASS, HistoryEntry, player_of
from .move_text.notation import Part, parse_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import overload

    from forthvm.core import bindings

    from .game import Game
    from .gestures import Click
    from .state import State

__all__ = ["HostPass", "Move", "MoveList", "Source", "check_move"]


_new = object.__new__


class Source:
    """The game and state of a list of moves, shared by the list and its moves."""

    __slots__ = ("_actions", "_gestures", "game", "state")

    _actions: tuple[object, Sequence[int]]  # set when first read, with the key of the numbering
    _gestures: tuple[tuple[Click, ...], ...]  # set when first read

    def __init__(self, game: Game, state: State) -> None:
        """Refer to the moves of a state."""
        self.game = game
        self.state = state

    def gesture(self, index: int) -> tuple[Click, ...]:
        """Return the clicks that make a move."""
        try:
            return self._gestures[index]
        except AttributeError:
            from .gestures import gestures_of
            from .position_queries import PositionQueries

            self._gestures = gestures_of(PositionQueries(self.game, self.state))
            return self._gestures[index]

    def actions(self) -> Sequence[int]:
        """Return the number of each move's action."""
        actions = self.game.actions
        key = actions.key
        try:
            known_key, numbers = self._actions
            if known_key is key:
                return numbers
        except AttributeError:
            pass
        numbers = actions.of_state(self.state)
        self._actions = key, numbers
        return numbers

    def move_type(self, index: int) -> int:
        """Return the move type of a move."""
        states = self.game.states
        with states.lock:
            return states.native.move_type(states.restore_listed(self.state)[index])

    def squares(self) -> tuple[memoryview[int], memoryview[int]]:
        """Return the indices of the first squares from and to which the moves of the list move."""
        game, states = self.game, self.game.states
        if not game.is_compiled:
            return states.squares(self.state)
        moves = [Move(self, index) for index in range(len(states.moves_of(self.state)))]
        return _indices(game, [move.from_square for move in moves]), _indices(
            game, [move.to_square for move in moves]
        )

    def changes(self, index: int) -> tuple[Change, ...]:
        """Return the changes that a move makes."""
        game, states = self.game, self.game.states
        with states.lock:
            found = states.native.move_changes(states.restore_listed(self.state)[index])
            changes = tuple(_change(change, game) for change in found)
        if not game.is_compiled:
            return changes
        from .zillions.movements import with_movements

        before = {
            game.square(change.position): game.roster.piece(change.other)
            for change in found
            if change.kind in (ChangeKind.CREATE, ChangeKind.CAPTURE)
        }
        parts = parse_parts(states.text(self.state, index), game.known_names)
        return with_movements(changes, before, parts)


class Move(Shared):
    """A legal move of some position.  Its `str` is the original's move text.

    Two moves are equal if their texts, types and changes are equal.  Scripts may list a move
    twice, and may list different moves with the same text.

    An unpickled move has no position.  It is equal to the original move, also in other processes,
    and `push` accepts it in any position in which an equal move is legal.
    """

    # The attributes with an underscore are set when first read.
    __slots__ = ("_changes", "_entry", "_parts", "_text", "_type", "index", "source")

    index: int
    """Index in the list of legal moves, from 0."""
    source: Source
    """The game and state of the move's list, for the game layer."""
    _changes: tuple[Change, ...]
    _entry: HistoryEntry
    _parts: tuple[Part, ...]
    _text: str
    _type: int

    def __init__(self, source: Source, index: int) -> None:
        """Refer to a move of a list; only MoveList and unpickling call this."""
        self.source = source
        self.index = index

    @property
    def text(self) -> str:
        """The original's text of the move."""
        try:
            return self._text
        except AttributeError:
            self._text = self.source.game.states.texts(self.source.state)[self.index]
            return self._text

    @property
    def player(self) -> str:
        """Name of the player that makes the move."""
        return self.entry.player

    @property
    def entry(self) -> HistoryEntry:
        """The entry for the move in `Position.history` after the move was made."""
        try:
            return self._entry
        except AttributeError:
            game, state = self.source.game, self.source.state
            if not hasattr(self, "_text"):
                self._text = game.states.text(state, self.index)  # only this text, not all texts
            player = game.players[player_of(game, state)]
            self._entry = HistoryEntry(player, self._text, self.index)
            return self._entry

    @property
    def type(self) -> int:
        """Number of the move's type, 0 for none."""
        try:
            return self._type
        except AttributeError:
            self._type = self.source.move_type(self.index)
            return self._type

    @property
    def changes(self) -> tuple[Change, ...]:
        """The move's changes to the board, in the order of execution."""
        try:
            return self._changes
        except AttributeError:
            self._changes = self.source.changes(self.index)
            return self._changes

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the move's text."""
        try:
            return self._parts
        except AttributeError:
            self._parts = parse_parts(self.text, self.source.game.known_names)
            return self._parts

    @property
    def captures(self) -> tuple[str, ...]:
        """Squares whose piece is captured or replaced by a moving piece."""
        captured: dict[str, None] = {}
        for change in self.changes:
            if isinstance(change, Captured):
                captured[change.square] = None
            elif isinstance(change, Moved) and change.replaced and change.source != change.target:
                captured[change.target] = None
        return tuple(captured)

    @property
    def from_square(self) -> str | None:
        """The square from which the first piece moves, None if no piece moves."""
        moved = self._first_moved()
        return moved.source if moved else None

    @property
    def to_square(self) -> str | None:
        """The square to which the first piece moves, else the square of the first new piece."""
        moved = self._first_moved()
        if moved:
            return moved.target
        for change in self.changes:
            if isinstance(change, Created):
                return change.square
        return None

    @property
    def is_pass(self) -> bool:
        """Whether the move is a pass, alone or with calls of the script's words."""
        return any(isinstance(change, Passed) for change in self.changes) or self.text == "Pass"

    @property
    def is_partial(self) -> bool:
        """Whether the same player continues the turn after the move, if a move is possible."""
        return any(isinstance(change, Continued) for change in self.changes)

    @property
    def action(self) -> int:
        """The number of the move in `game.actions`: equal moves of all positions have equal ones.

        Raises:
            ActionError: The move has no number.
            ValueError: The move was unpickled, so that it belongs to no position.
        """
        if self.source is _NO_SOURCE:
            raise ValueError("an unpickled move belongs to no position; take it from legal_moves")
        number = self.source.actions()[self.index]
        if number < 0:
            from forthvm.core.errors import ActionError

            raise ActionError(
                f"the move {self.text!r} has no number; "
                "game.actions.renumber(starts=[game.start(), position]) makes numbers that contain "
                "the moves of its position"
            )
        return number

    def gesture(self) -> tuple[Click, ...]:
        """Return the clicks that make the move; the other legal moves decide how many it takes.

        Raises:
            ValueError: The move was unpickled, so that it belongs to no position.
            ForthVMError: The script's word OnShow, which says what players see, fails.
        """
        if self.source is _NO_SOURCE:
            raise ValueError("an unpickled move belongs to no position; take it from legal_moves")
        return self.source.gesture(self.index)

    def note_text(self, text: str) -> None:
        """Set the text that the game layer has already read."""
        self._text = text

    @property
    def state(self) -> State:
        """The state in which the move is legal, for the game layer."""
        return self.source.state

    def _first_moved(self) -> Moved | None:
        """Return the first change that moves a piece."""
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
        source = self.source
        same = source is not _NO_SOURCE and source.state is other.source.state
        if same and self.index == other.index:
            return True
        return self.text == other.text and self.type == other.type and self.changes == other.changes

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[object, ...]:
        return _detached, (self.entry, self.type, self.changes, self.parts)


class HostPass(Move):
    """The pass of a player without moves; it is in no list of moves, and its text is "Pass"."""

    __slots__ = ()

    def __init__(self, source: Source) -> None:
        """Create the pass of the player to move."""
        super().__init__(source, HOST_PASS)
        self._text, self._type, self._changes = "Pass", 0, ()

    @property
    def action(self) -> int:
        """The pass is forced and in no list of moves, so it has no number.

        Raises:
            ActionError: Always.
        """
        from forthvm.core.errors import ActionError

        raise ActionError("the pass of a player without moves has no number; use push_pass")

    def gesture(self) -> tuple[Click, ...]:
        """Return a click on a button."""
        from .gestures import CHOICE, Click

        return (Click(CHOICE, self.text),)


_NO_SOURCE = Source(None, None)  # type: ignore[arg-type]  # of moves without a position
"""The source of unpickled moves, whose attributes are all set."""


def _detached(
    entry: HistoryEntry, kind: int, changes: tuple[Change, ...], parts: tuple[Part, ...]
) -> Move:
    """Create an unpickled move."""
    if entry.index == HOST_PASS:
        move: Move = HostPass(_NO_SOURCE)
    else:
        move = Move(_NO_SOURCE, entry.index)
    move._entry, move._text = entry, entry.text
    move._type, move._changes, move._parts = kind, changes, parts
    return move


class MoveList(Shared, Sequence[Move]):
    """The legal moves of a position in the original's order.

    The moves are generated when first used.  The texts of all moves are read together, when the
    first text is needed.  The list is pickled as a tuple of its moves.

    `text in moves` is true if `Position.parse` finds a move for the text, which may be the
    move's exact text or a shorter form.  It is false for a text that matches several moves:
    `parse` and `push_text` raise AmbiguousMoveError, which names them.
    """

    __slots__ = ("_all", "_some", "_source")

    def __init__(self, game: Game, state: State) -> None:
        """Refer to the moves of a state."""
        self._source = Source(game, state)
        self._all: list[Move] | None = None
        self._some: dict[int, Move] | None = None  # moves that were read one by one

    @property
    def game(self) -> Game:
        """The game, for the game layer."""
        return self._source.game

    @property
    def state(self) -> State:
        """The state whose moves these are, for the game layer."""
        return self._source.state

    def __len__(self) -> int:
        return len(self.game.states.moves_of(self.state))

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, at: int) -> Move: ...
        @overload
        def __getitem__(self, at: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, at: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(at, slice):
            return tuple(self._move(index) for index in range(*at.indices(len(self))))
        at = _index(at)
        index = at + len(self) if at < 0 else at
        if not 0 <= index < len(self):
            raise IndexError(f"there are {len(self)} legal moves, not {at}")
        return self._move(index)

    def __iter__(self) -> Iterator[Move]:
        if self._all is None:
            source = self._source
            addresses = source.state.moves
            if addresses is None:
                addresses = source.game.states.moves_of(source.state)
            moves = []
            for index in range(len(addresses)):
                move = _new(Move)  # calling __init__ would double the time of this loop
                move.source = source
                move.index = index
                moves.append(move)
            if self._some:
                for index, move in self._some.items():
                    moves[index] = move
            self._all = moves
        return iter(self._all)

    @property
    def texts(self) -> tuple[str, ...]:
        """The original's texts of all moves, read in one call without making `Move` objects."""
        return self.game.states.texts(self.state)

    @property
    def from_indices(self) -> memoryview[int]:
        """For each move the index of its `from_square` in `game.positions`, -1 if it has none.

        The indices are 32-bit integers in a read-only buffer, which `numpy.asarray` uses without a
        copy.  They are read from the VM each time.
        """
        return self._source.squares()[0]

    @property
    def to_indices(self) -> memoryview[int]:
        """For each move the index of its `to_square`; see `from_indices`."""
        return self._source.squares()[1]

    @property
    def actions(self) -> memoryview[int]:
        """For each move the number of its action, -1 for none; see `from_indices`."""
        return memoryview(self._source.actions()).toreadonly()  # type: ignore[arg-type]  # an array

    def _move(self, index: int) -> Move:
        """Return the move with an index; equal indices return the same object."""
        if self._all is not None:
            return self._all[index]
        if self._some is None:
            self._some = {}
        move = self._some.get(index)
        if move is None:
            move = self._some[index] = Move(self._source, index)
        return move

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return super().__contains__(move)
        from forthvm.core.errors import MoveError

        from .move_text.matching import find_move

        game = self.game
        squares, names = game.position_index.keys(), game.names
        try:
            find_move(move, self.texts, squares=squares, names=names, player="")
        except MoveError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MoveList):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as other sequences that compare by content

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (list(self),)

    def __repr__(self) -> str:
        return f"<MoveList {list(self.texts)!r}>"


def check_move(given: object) -> None:
    """Raise TypeError if `push` does not accept an argument."""
    expected = "a legal move, its text or an entry of the history"
    if hasattr(given, "move") and not isinstance(given, Move):  # such as a SearchResult
        raise TypeError(f"push takes {expected}, not {shown(given)}; push its `.move`")
    check(given, Move, "push", expected)


def _index(at: object) -> int:
    """Return an index as int; it may have an integer type of numpy."""
    try:
        return index(at)  # type: ignore[arg-type]  # a TypeError is handled below
    except TypeError:
        check(at, int, "legal_moves[...]", "an index (position.parse finds a text)")
        raise


def _indices(game: Game, squares: Iterable[str | None]) -> memoryview[int]:
    """Return the indices of board positions as 32-bit integers, -1 for None."""
    found = [-1 if name is None else game.position_index[name] for name in squares]
    return memoryview(array("i", found)).toreadonly()


def _change(change: bindings.Change, game: Game) -> Change:  # noqa: PLR0911 - a table of kinds
    """Convert a change of the bindings, with names in place of numbers."""
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
