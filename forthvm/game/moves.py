"""Moves and the list of legal moves; their contents are read from the VM when first used.

Owns the public view of a move, and the tree of the clicks by which moves are made on a board.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from forthvm.core.arguments import check, check_text, described
from forthvm.core.bindings import ChangeKind
from forthvm.core.shared import Shared

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
from .notation import HOST_PASS, HistoryEntry, Part, parse_parts
from .outcome import DECIDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import overload

    from forthvm.core import bindings

    from .gestures import Click
    from .loaded import LoadedGame
    from .short_moves import ShortTexts
    from .states import State

__all__ = [
    "GestureTree",
    "HostPass",
    "Move",
    "MoveList",
    "Source",
    "check_move",
    "tree_of",
]


_new = object.__new__


class Source:
    """The game and state of a list of moves, shared by the list and its moves."""

    __slots__ = ("_actions", "_gestures", "_short", "game", "state")

    _actions: tuple[object, Sequence[int]]  # set when first read, with the key of the numbering
    _gestures: tuple[tuple[Click, ...], ...]  # set when first read
    _short: ShortTexts | None  # set when first read

    def __init__(self, game: LoadedGame, state: State) -> None:
        """Refer to the moves of a state."""
        self.game = game
        self.state = state

    def gesture(self, index: int) -> tuple[Click, ...]:
        """Return the clicks that make a move."""
        try:
            return self._gestures[index]
        except AttributeError:
            from .gestures import gestures_of

            self._gestures = gestures_of(self.game, self.state)
            return self._gestures[index]

    def short_texts(self) -> ShortTexts | None:
        """Return the short texts of the moves; None if the game has no short notation."""
        try:
            return self._short
        except AttributeError:
            from .short_moves import short_texts_of

            self._short = short_texts_of(self.game, self.state)
            return self._short

    def actions(self) -> Sequence[int]:
        """Return the number of each move's action."""
        from .actions.numbering import actions_of

        actions = actions_of(self.game)
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
        from .rule_files import with_movements

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

    # The other attributes with an underscore are set when first read.
    __slots__ = ("_changes", "_entry", "_parts", "_source", "_text", "_type", "index")

    index: int
    """Index in the list of legal moves, from 0."""
    _source: Source
    """The game and state of the move's list."""
    _changes: tuple[Change, ...]
    _entry: HistoryEntry
    _parts: tuple[Part, ...]
    _text: str
    _type: int

    def __init__(self, source: Source, index: int) -> None:
        """Refer to a move of a list; only MoveList and unpickling call this."""
        self._source = source
        self.index = index

    @property
    def text(self) -> str:
        """The original's text of the move."""
        try:
            return self._text
        except AttributeError:
            self._text = self._source.game.states.texts(self._source.state)[self.index]
            return self._text

    @property
    def short(self) -> str:
        """The move in the game's short notation, such as `Nf3`.

        It is equal to `text` if the game has no short notation (docs/guides/short-notation.md), if
        the notation cannot tell the move from the other legal moves, and for an unpickled move.
        """
        short = None if self._source is _NO_SOURCE else self._source.short_texts()
        return self.text if short is None else short.signed(self.index)

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
            game, state = self._source.game, self._source.state
            if not hasattr(self, "_text"):
                self._text = game.states.text(state, self.index)  # only this text, not all texts
            player = game.players[game.player_of(state)]
            self._entry = HistoryEntry(player, self._text, self.index)
            return self._entry

    @property
    def type(self) -> int:
        """Number of the move's type, 0 for none."""
        try:
            return self._type
        except AttributeError:
            self._type = self._source.move_type(self.index)
            return self._type

    @property
    def changes(self) -> tuple[Change, ...]:
        """The move's changes to the board, in the order of execution."""
        try:
            return self._changes
        except AttributeError:
            self._changes = self._source.changes(self.index)
            return self._changes

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the move's text."""
        try:
            return self._parts
        except AttributeError:
            self._parts = parse_parts(self.text, self._source.game.known_names)
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
        if self._source is _NO_SOURCE:
            raise ValueError("an unpickled move belongs to no position; take it from legal_moves")
        number = self._source.actions()[self.index]
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
        if self._source is _NO_SOURCE:
            raise ValueError("an unpickled move belongs to no position; take it from legal_moves")
        return self._source.gesture(self.index)

    @property
    def _state(self) -> State:
        """The state in which the move is legal."""
        return self._source.state

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
        source = self._source
        same = source is not _NO_SOURCE and source.state is other._source.state
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
    def short(self) -> str:
        """The text: passes have no other one."""
        return self.text

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
    """The legal moves of a position in the original's order; none if the game is over.

    The moves are generated when first used.  The texts of all moves are read together, when the
    first text is needed.  The list is pickled as a tuple of its moves.

    `text in moves` is true if `Position.parse` finds a move for the text, which may be the
    move's exact text or a shorter form.  It is false for a text that matches several moves:
    `parse` and `push` raise AmbiguousMoveError, which names them.
    """

    __slots__ = ("_after_end", "_all", "_some", "_source")

    def __init__(self, game: LoadedGame, state: State, *, after_end: bool = False) -> None:
        """Refer to the moves of a state.

        Args:
            game: The game.
            state: The state.
            after_end: Whether the list has moves if the game is over, as that of the original.
        """
        self._after_end = after_end
        self._source = Source(game, state)
        self._all: list[Move] | None = None
        self._some: dict[int, Move] | None = None  # moves that were read one by one

    def _addresses(self) -> Sequence[int]:
        """Return the addresses of the moves, which are generated if they have not been."""
        game, state = self._source.game, self._source.state
        moves = state.moves
        if moves is None:
            moves = game.states.moves_of(state)
        if self._after_end:
            return moves
        is_over = state.code in DECIDED or state.skipped >= len(game.tables.turns)
        return () if is_over else moves

    def __len__(self) -> int:
        return len(self._addresses())

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
            moves = []
            for index in range(len(self._addresses())):
                move = _new(Move)  # calling __init__ would double the time of this loop
                move._source = source
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
        source = self._source
        return source.game.states.texts(source.state) if self._addresses() else ()

    @property
    def from_indices(self) -> memoryview[int]:
        """For each move the index of its `from_square` in `game.positions`, -1 if it has none.

        The indices are 32-bit integers in a read-only buffer, which `numpy.asarray` uses without a
        copy.  They are read from the VM each time.
        """
        return self._source.squares()[0][: len(self)]

    @property
    def to_indices(self) -> memoryview[int]:
        """For each move the index of its `to_square`; see `from_indices`."""
        return self._source.squares()[1][: len(self)]

    @property
    def actions(self) -> memoryview[int]:
        """For each move the number of its action, -1 for none; see `from_indices`."""
        numbers = self._source.actions() if self._addresses() else array("i")
        return memoryview(numbers).toreadonly()  # type: ignore[arg-type]  # an array

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

    def find(self, text: str, *, is_typed: bool = True) -> Move:
        """Return the move that a text means: its text, its short text, or a form such as `a2a3`.

        Args:
            text: The text.
            is_typed: Whether a part of a move means the move, if it can be completed in one way.

        Raises:
            MoveSyntaxError: The text is not a move text.
            AmbiguousMoveError: The text matches several moves.
            IllegalMoveError: The move is not in the list; the message names similar moves.
        """
        from .matching import find_move

        check_text(text, "find")
        source = self._source
        found = find_move(
            text,
            self.texts,
            squares=source.game.position_index.keys(),
            names=source.game.names,
            player=source.game.players[source.game.player_of(source.state)],
            short_texts=source.short_texts,
            is_typed=is_typed,
        )
        return self[found]

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return super().__contains__(move)
        from forthvm.core.errors import MoveError

        try:
            self.find(move)
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


class GestureTree(Shared):
    """A node in the tree of the clicks that make legal moves.

    Attributes:
        children: The node after each click that may follow.
        move: The move whose gesture ends here.  If further clicks may follow, the player must be
            able to end the gesture.
    """

    __slots__ = ("children", "move")

    def __init__(self) -> None:
        """Create a node without children."""
        self.children: dict[Click, GestureTree] = {}
        self.move: Move | None = None

    def moves(self) -> Iterator[Move]:
        """Yield the moves of all gestures that go through the node."""
        if self.move is not None:
            yield self.move
        for child in self.children.values():
            yield from child.moves()


def tree_of(moves: Sequence[Move], gestures: Sequence[tuple[Click, ...]]) -> GestureTree:
    """Return the root of the tree of the gestures of some moves."""
    root = GestureTree()
    for move, gesture in zip(moves, gestures, strict=True):
        node = root
        for step in gesture:
            node = node.children.setdefault(step, GestureTree())
        node.move = node.move or move  # the first of several moves with the same gesture
    return root


def check_move(given: object) -> None:
    """Raise TypeError if `push` does not accept an argument."""
    expected = "a legal move, its text or an entry of the history"
    if hasattr(given, "move") and not isinstance(given, Move):  # such as a SearchResult
        raise TypeError(f"push takes {expected}, not {described(given)}; push its `.move`")
    check(given, Move, "push", expected)


def _index(at: object) -> int:
    """Return an index as int; it may have an integer type of numpy."""
    try:
        return index(at)  # type: ignore[arg-type]  # a TypeError is handled below
    except TypeError:
        check(at, int, "legal_moves[...]", "an index (position.parse finds a text)")
        raise


def _indices(game: LoadedGame, squares: Iterable[str | None]) -> memoryview[int]:
    """Return the indices of board positions as 32-bit integers, -1 for None."""
    found = [-1 if name is None else game.position_index[name] for name in squares]
    return memoryview(array("i", found)).toreadonly()


def _change(change: bindings.Change, game: LoadedGame) -> Change:  # noqa: PLR0911 - a table of kinds
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
