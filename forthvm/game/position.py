"""Positions: the public face of a game state and of the moves that led to it.

Owns making moves, taking them back, and copying.  What a position contains is read by the files
below: loaded.py (the board), moves.py, ending.py, memory/, remarks.py, document/.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from forthvm.core.arguments import check, check_text

from .ending import ending_of
from .loaded import check_game
from .moves import HostPass, Move, MoveList, Source, check_move, tree_of
from .notation import HOST_PASS, HistoryEntry
from .outcome import DECIDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from typing_extensions import Buffer

    from forthvm.core.bindings import NativeVM
    from forthvm.core.errors import IllegalMoveError

    from .game import Game
    from .loaded import LoadedGame
    from .memory.randomness import RandomState
    from .memory.variables import VariableView
    from .moves import GestureTree
    from .outcome import Outcome
    from .pieces import Board
    from .remarks import Remark
    from .setup import Setup
    from .shown import Shown
    from .states import State

__all__ = ["Position", "check_position"]

KEPT_LISTS = 16
"""Number of earlier positions that keep the memory with their move list, for `pop`."""


class Position:
    """A game state, with the moves that led to it.

    `push`, `pop` and the random streams change it; all other members only read it.  Reading does
    not influence play: the hooks of the script are called once for each position, in the order of
    the original's host, independent of how often and in which order their results are read.

    Two positions are equal if everything that can influence play is equal: board, script memory,
    turn, random streams.  The moves that led to them may differ.

    >>> import forthvm
    >>> pos = forthvm.load("tictactoe").start()
    >>> before = pos.copy()
    >>> pos.push(pos.legal_moves[0])
    >>> pos.ply, pos == before
    (1, False)
    >>> str(pos.pop()), pos == before
    (..., True)
    """

    __slots__ = (
        "__weakref__",
        "_earlier",
        "_game",
        "_loaded",
        "_made",
        "_now",
        "_setup",
        "_states",
    )

    def __init__(
        self,
        game: Game,
        state: State,
        history: Sequence[HistoryEntry] = (),
        setup: Setup | None = None,
    ) -> None:
        """Create a position; programs call `Game.start` or `Position.from_json` instead."""
        self._game = game
        self._loaded: LoadedGame = game._loaded
        self._states = self._loaded.states
        self._now = state  # possibly unsaved; the property `_state` saves it
        self._setup = setup
        # The first moves, if they come from a document, which does not contain their states.
        self._earlier = tuple(history)
        self._made: list[Move] = []

    # --- whose turn ------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game of the position."""
        return self._game

    @property
    def turn(self) -> str:
        """Name of the player to move."""
        return self._loaded.players[self.player_index]

    @property
    def player_index(self) -> int:
        """Index of the player to move among the game's players, from 0."""
        return self._loaded.player_of(self._state)

    @property
    def is_chance(self) -> bool:
        """Whether a chance player, such as `?Dice`, is to move."""
        return self._loaded.tables.players[self.player_index].chance

    @property
    def is_partial(self) -> bool:
        """Whether the same player continues the turn after a partial move."""
        return self._state.partial

    @property
    def turn_number(self) -> int:
        """The script's `turn-number`: the number of complete moves plus 1."""
        return self._loaded.turn_number_of(self._state)

    @property
    def ply(self) -> int:
        """Number of moves made, including partial moves and passes."""
        return len(self._earlier) + len(self._made)

    @property
    def history(self) -> tuple[HistoryEntry, ...]:
        """The moves made so far."""
        return (*self._earlier, *[move.entry for move in self._made])

    # --- the legal moves -------------------------------------------------------------

    @property
    def legal_moves(self) -> MoveList:
        """The legal moves in the original's order, generated when first used.

        There are none if the game is over.  If the list is empty while the game continues, see
        `is_stuck`.
        """
        state = self._now
        state.private = False  # from now on the list of moves refers to the state, too
        return MoveList(self._loaded, state)

    @property
    def generated_moves(self) -> MoveList:
        """The moves that the script generates, as the original's host does: also after the end.

        `push(move, after_end=True)` makes a move although the game is over.
        """
        state = self._now
        state.private = False
        return MoveList(self._loaded, state, after_end=True)

    @property
    def legal_actions(self) -> memoryview[int]:
        """The numbers in `game.actions` of the legal moves, in the order of `legal_moves`.

        The numbers are 32-bit integers in a read-only buffer, for example for `numpy.asarray`.
        There are none if the game is over.  Moves that do the same have the same number, which
        occurs once; `legal_moves.actions` has the number of each move.
        """
        from .actions.numbering import legal_actions_of

        return legal_actions_of(self._loaded, self._state)

    def action_mask(self, out: Buffer | None = None) -> Buffer:
        """Return an array with a 1 for each legal action and a 0 for each other action.

        Args:
            out: The caller's array, which is overwritten: one-dimensional, contiguous, with
                `game.actions.size` numbers of any type, such as a row of a numpy array; None for a
                new array of bytes.

        Raises:
            ValueError: The array is unsuitable.
        """
        from .actions.numbering import mask_of

        return mask_of(self._loaded, self._state, out)

    def move_of(self, action: int) -> Move:
        """Return the legal move with a number in `game.actions`.

        Raises:
            IllegalMoveError: The action is not legal in this position.
            IndexError: There is no such action.
        """
        from .actions.numbering import index_of_action

        return self.legal_moves[index_of_action(self._loaded, self._state, action)]

    def gestures(self) -> GestureTree:
        """Return the tree of the clicks that make the legal moves on a drawn board.

        Raises:
            ForthVMError: The script's word OnShow, which says what players see, fails.
        """
        moves = self.legal_moves
        return tree_of(moves, [move.gesture() for move in moves])

    @property
    def chances(self) -> tuple[tuple[Move, float], ...]:
        """The legal moves with their probabilities if the host draws one, else ().

        The host draws for players who are not contestants: chance players and neutral players.

        All moves are equally likely, with one exception: in a game for version 140 of Axiom,
        `{random}` makes the first of n moves with the probability 2 / (n + 1).
        """
        from .memory.randomness import chances_of

        if self.turn in self._loaded.contestants:
            return ()
        moves = self.legal_moves
        return tuple(zip(moves, chances_of(self._loaded, self.player_index, moves), strict=True))

    @property
    def is_stuck(self) -> bool:
        """Whether the player to move has no move while the game continues.

        The host must then call `push_pass`; the original's host passes, too.
        """
        return not self._states.moves_of(self._state) and self.result is None

    def parse(self, text: str) -> Move:
        """Return the legal move that a text means: its text, its short text, or `a2a3`.

        Raises:
            MoveSyntaxError: The text is not a move text.
            AmbiguousMoveError: The text matches several moves.
            IllegalMoveError: The move is not legal; the message names similar legal moves.
            GameOverError: The game is over.
        """
        check_text(text, "parse")
        with self._states.lock:
            self._refuse_if_over()
            return self.legal_moves.find(text)

    # --- the result, and what the script says -----------------------------------------

    @property
    def result(self) -> Outcome | None:
        """The outcome of the game, None while the game continues.

        OnIsGameOver decides, which is not called after a partial move.  If OnIsGameOver returns
        that the game continues, but no player had a move in a complete round of turns, the game is
        a draw.
        """
        return ending_of(self._loaded, self._state)

    @property
    def comment(self) -> str:
        """The result comment: the output of `^` words in OnIsGameOver, for example the score.

        The comment is usually empty, but may contain text even while the game continues.

        Raises:
            ForthVMError: The script fails.
        """
        from .remarks import comment_of

        return comment_of(self._loaded, self._state)

    def remarks(self) -> tuple[Remark, ...]:
        """Return the remarks that the script's word OnExplain prints; () without OnExplain.

        For example, a script may print which pieces are attacked.

        Raises:
            ForthVMError: The script fails.
        """
        from .remarks import remarks_of

        return remarks_of(self._loaded, self._state)

    # --- the board -------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The current board: for each board position a Piece or None."""
        return self._loaded.board_of(self._state)

    @property
    def cells(self) -> tuple[int, ...]:
        """The board as signed cells: board positions in index order, then board variables."""
        return self._loaded.cells_of(self._state)

    @property
    def variables(self) -> VariableView:
        """The script's variables by name, including board variables."""
        from .memory.variables import VariableView

        return VariableView(self._loaded, self._state)

    @property
    def stores(self) -> Mapping[str, Mapping[str, int]]:
        """Number of pieces beside the board, by player and type; empty stores are left out.

        Only rule files have stores; a script keeps such pieces in its own way.
        """
        from .rule_files import stores_of

        return stores_of(self._loaded, self._state)

    @property
    def key(self) -> int:
        """A 64-bit hash of everything that `==` compares, for tables of positions.

        The key is equal in every process, and independent of the moves that led to the position.
        Keys of games with other sources or settings are not comparable
        (docs/reference/positions.md).

        Raises:
            ForthVMError: The script's OnForget fails.
        """
        from .memory.sameness import key_of

        return key_of(self._loaded, self._state)

    # --- making moves ----------------------------------------------------------------

    def push(self, move: Move | HistoryEntry | str, *, after_end: bool = False) -> None:
        """Make a legal move.

        A text means the move that `parse` finds; "Pass" if the player has no move.  A history entry
        means the move that it describes; the player of the entry must be to move.

        Args:
            move: The move.
            after_end: Make the move even if the game is over, as some recordings of games do.

        Raises:
            TypeError: The argument has another type.
            MoveSyntaxError: The text is not a move text.
            AmbiguousMoveError: The text matches several moves.
            IllegalMoveError: The move is not legal in this position.
            GameOverError: The game is over.
            ForthVMError: The script failed while the move was made.  The position is unchanged.
        """
        state = self._now
        # Fast path for a move of this position, as in a loop over `legal_moves`.
        try:
            source = move._source  # type: ignore[union-attr]
            is_listed_here = source.state is state and state.known_to_continue
        except AttributeError:  # not a Move
            is_listed_here = False
        if is_listed_here:
            self._now = self._states.make(state, move.index)  # type: ignore[arg-type] # a Move
            made = self._made
            made.append(move)  # type: ignore[arg-type] # a Move
            if len(made) > KEPT_LISTS:
                self._forget_list()
            return
        with self._states.lock:
            if not after_end:
                self._refuse_if_over()
            if isinstance(move, HistoryEntry):
                move = self._move_of_entry(move)
            elif isinstance(move, str):
                move = self._move_of_text(move)
            check_move(move)
            if isinstance(move, HostPass):
                self.push_pass(after_end=True)
            else:
                self._push(self._legal(move), continues=not after_end)

    def push_pass(self, *, after_end: bool = False) -> None:
        """Pass for a player without moves.

        Args:
            after_end: Pass even if the game is over, as some recordings of games do.

        Raises:
            IllegalMoveError: The player has a move.
            GameOverError: The game is over.
        """
        with self._states.lock:
            if not after_end:
                self._refuse_if_over()
            if self._states.moves_of(self._state):
                from forthvm.core.errors import IllegalMoveError

                raise IllegalMoveError(
                    f"{self.turn} has moves, and only a player without moves passes"
                )
            played = HostPass(Source(self._loaded, self._state))
            self._now = self._states.end_turn(self._state)
            self._made.append(played)

    def pop(self) -> Move:
        """Take back the last move and return it: restore the exact earlier state.

        For a position from a document, the earlier states are reconstructed by replay.

        Raises:
            IndexError: No move has been made.
            PositionError: Replay does not lead to this position.
        """
        if not self._made:
            if not self._earlier:
                raise IndexError("no move to take back")
            self._replay_history()
        undone = self._now
        undone.dropped = undone.private  # only this position referred to a private state
        move = self._made.pop()
        self._now = move._source.state
        return move

    # --- random streams --------------------------------------------------------------

    @property
    def random_state(self) -> RandomState:
        """The state of the random streams; set it to draw the same numbers again."""
        from .memory.randomness import streams_of

        return streams_of(self._loaded).read(self._state.current)

    @random_state.setter
    def random_state(self, value: RandomState) -> None:
        from .memory.randomness import RandomState, streams_of

        check(value, RandomState, "random_state", "a value of random_state of a position")
        self._state = streams_of(self._loaded).replaced(self._states, self._state, value)

    def seed(self, seed: int) -> None:
        """Seed the script's two random streams, as `SEED!` and `SEED2!` do.

        Raises:
            TypeError: The seed is not an integer.
        """
        from .memory.randomness import streams_of

        if not hasattr(seed, "__index__"):  # also an integer of numpy
            check(seed, int, "seed", "an integer")
        self._state = streams_of(self._loaded).reseeded(self._states, self._state, seed)

    # --- copies and documents --------------------------------------------------------

    def copy(self, *, game: Game | None = None) -> Position:
        """Return an independent copy; copies are cheap, since they share memory until it changes.

        Args:
            game: Another Game with the same sources for the copy, such as a clone for another
                thread; None: the same Game.

        Raises:
            PositionDigestError: The other game has other sources.
        """
        if game is not None and game is not self._game:
            check_game(game, "copy")
            return type(self).from_json(game, self.to_json())
        return self._with_state(self._state)

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the position as a JSON document (docs/reference/positions.md)."""
        return self._document(indent=indent, full=False)

    @classmethod
    def from_json(cls, game: Game, text: str | bytes) -> Position:
        """Return the position that a document describes.

        Raises:
            PositionDigestError: The document was written with other sources.
            PositionError: The document is invalid.
        """
        from .document.reading import read_document

        check_game(game, "from_json")
        read = read_document(game._loaded, text)
        position = cls(game, read.state, read.history if read.made is None else (), read.setup)
        position._made = read.made or []
        return position

    def to_fen(self) -> str:
        """Return the position as a line of text, such as a FEN of chess.

        The lines contain what the `.notation` file of the game says, and no earlier moves.

        Raises:
            PositionError: The game has no such lines, or they cannot describe the position.
        """
        from .fen import write_fen

        return write_fen(self._loaded, self._state)

    @classmethod
    def from_fen(cls, game: Game, text: str) -> Position:
        """Return the position that a line of text describes; the game begins there.

        >>> import forthvm
        >>> game = forthvm.load("chess")
        >>> Position.from_fen(game, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").legal_moves[-1]
        <Move 'king e1 - d1'>

        Raises:
            PositionError: The game has no such lines, or the text is wrong.
        """
        from .fen import read_fen

        check_game(game, "from_fen")
        check_text(text, "from_fen")
        return game._begin(read_fen(game._loaded, text))

    def to_zsg(self) -> bytes:
        """Return the game from its start to this position as a saved game of Zillions (`.zsg`).

        Raises:
            PositionError: The game does not come from a rule file, or it was started from a turn or
                variables that the format cannot describe.
        """
        from .zsg_writing import rules_of, zsg_of

        rules_of(self._loaded)
        played = self
        if self._earlier:  # from a document: what counts are the moves, not their exact states
            played = self._game._begin(self._setup)
            for entry in self.history:
                played.push(entry, after_end=True)
        return zsg_of(self._loaded, self._setup, played._made, played._state)

    def __reduce__(self) -> tuple[object, ...]:
        return Position.from_json, (self._game, self.to_json())

    # --- comparing and showing -------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        if self._now is other._now:
            return True
        game, other_game = self._loaded, other._loaded
        if game is not other_game and game.identity != other_game.identity:
            return False
        from .memory.sameness import same_position

        return same_position(game, self._state, other_game, other._state)

    __hash__ = None  # type: ignore[assignment]  # mutable; see `key`

    def __repr__(self) -> str:
        return f"<Position of {self._loaded.name} at ply {self.ply}, {self.turn} to move>"

    def __str__(self) -> str:
        """Return the board as `forthvm.render.text` draws it, with the turn or the result."""
        return _drawn("position_text", self)

    def _repr_svg_(self) -> str:
        """Return a picture of the position, for notebooks."""
        return _drawn("svg", self)

    # --- for the layers above --------------------------------------------------------

    @property
    def _state(self) -> State:
        """The state of the VM; an unsaved state is saved first, so that the caller can store it."""
        state = self._now
        if not state.saved:
            self._states.save(state)
        return state

    @_state.setter
    def _state(self, state: State) -> None:
        self._now = state

    @property
    def _turn_index(self) -> int:
        """Index in the turn order, from 0."""
        return self._loaded.turn_index_of(self._state)

    @property
    def _last_move(self) -> Move | None:
        """The last move made; None without one, or if the history comes from a document."""
        return self._made[-1] if self._made else None

    def _shown(self, viewer: str | None = None) -> Shown:
        """Return what a player sees of the position; None: what all players see.

        Raises:
            ForthVMError: The script's word OnShow fails.
        """
        from .shown import shown_of

        return shown_of(self._loaded, self._state, viewer)

    @property
    def _code(self) -> int:
        """The result of OnIsGameOver; after a partial move, #UnknownScore."""
        return self._states.code_of(self._state)

    @contextmanager
    def _in_memory(self) -> Iterator[NativeVM]:
        """Yield the game's VM with this position and its move list in memory.

        Changes that the block makes to the VM are discarded, unless the block calls `_adopt`.
        Other threads wait until the block ends.
        """
        with self._states.in_memory(self._state, store_list=True) as native:
            yield native

    def _adopt(self) -> None:
        """Make the current memory of the VM the state of this position; only inside `_in_memory`.

        Engines of the script need this method: as in the original, their changes of random streams
        and variables are part of the game.  The move list is unchanged.
        """
        self._state = self._states.after_engine(self._state)

    def _with_state(self, state: State, moves: Iterable[Move] = ()) -> Position:
        """Return a position with the same history and set-up, and another state of the VM.

        Args:
            state: The state.
            moves: Moves from this position that led to the state; they are not made again.
        """
        position = type(self)(self._game, state, self._earlier, self._setup)
        position._made = [*self._made, *moves]
        return position

    def _earlier_states(self, count: int) -> list[State]:
        """Return the states before the last `count` moves, the latest first.

        There are fewer if fewer moves were made.  Those of a position from a document are
        reconstructed by replay.

        Raises:
            PositionError: Replay does not lead to this position.
        """
        if count > len(self._made):
            self._replay_history()
        made = self._made
        return [move._source.state for move in reversed(made[max(len(made) - count, 0) :])]

    def _document(self, *, indent: int | None = None, full: bool) -> str:
        """Return the position as a JSON document; `full`: with all that forthvm can restore."""
        from .document.writing import write_document

        return write_document(
            self._loaded,
            self._state,
            self._setup,
            self.history,
            indent=indent,
            made=self._made if full else None,
        )

    # --- internal --------------------------------------------------------------------

    def _replay_history(self) -> None:
        """Replace the entries of a document by moves, whose states can be restored."""
        if self._earlier:
            from .document.reading import replayed_moves

            self._made = replayed_moves(self._loaded, self._setup, self.history, self._state)
            self._earlier = ()

    def _refuse_if_over(self) -> None:
        """Raise GameOverError if the game is over."""
        state = self._state
        if not state.skipped and state.code is not None and state.code not in DECIDED:
            return  # OnIsGameOver was called, and by its result the game continues
        outcome = self.result
        if outcome is not None:
            from forthvm.core.errors import GameOverError

            raise GameOverError(f"the game is over: {outcome}")

    def _legal(self, move: Move) -> Move:
        """Return the generated move of this position that equals a move of any position."""
        if move._state is self._state:
            return move
        generated = self.generated_moves
        if move.index < len(generated) and generated[move.index] == move:
            return generated[move.index]
        for other in generated:
            if other == move:
                return other
        raise self._not_legal(move.text)

    def _move_of_text(self, text: str) -> Move:
        """Return the generated move that a text means, or the pass of a player without moves."""
        generated = self.generated_moves
        if text.strip().casefold() == "pass" and not generated:
            return HostPass(Source(self._loaded, self._state))
        return generated.find(text)

    def _move_of_entry(self, entry: HistoryEntry) -> Move:
        """Return the move of a history entry: that with its index, or another with its text.

        Raises:
            IllegalMoveError: Another player is to move, or no move has the text.
        """
        if entry.player != self.turn:
            from forthvm.core.errors import IllegalMoveError

            raise IllegalMoveError(
                f"`{entry.text}` was played by {entry.player}; {self.turn} is to move",
                detail=entry.text,
            )
        moves = self.generated_moves
        if entry.index == HOST_PASS and not moves:
            return HostPass(Source(self._loaded, self._state))
        texts = moves.texts
        if entry.text not in texts:
            raise self._not_legal(entry.text)
        has_same_index = 0 <= entry.index < len(texts) and texts[entry.index] == entry.text
        return moves[entry.index if has_same_index else texts.index(entry.text)]

    def _not_legal(self, text: str) -> IllegalMoveError:
        from .matching import illegal_move

        return illegal_move(text, self.generated_moves.texts, self.turn)

    def _push(self, move: Move, *, continues: bool) -> None:
        """Make a legal move of the current state; `continues`: the game is known to continue."""
        states, state = self._states, self._state
        self._loaded.player_of(state)  # sets `state.player`
        if state.texts is None:
            move._text = states.text(state, move.index)  # while the list is in memory
        self._now = states.make(state, move.index)
        state.known_to_continue = continues
        self._made.append(move)
        if len(self._made) > KEPT_LISTS:
            self._forget_list()

    def _forget_list(self) -> None:
        """Free the move list of the position that is KEPT_LISTS moves back."""
        self._states.free_list(self._made[-KEPT_LISTS]._source.state)


def check_position(given: object, function: str) -> None:
    """Raise TypeError if an argument is not a position."""
    check(given, Position, function, "a position, such as game.start() returns")


def _drawn(function: str, position: Position) -> str:
    """Call a function of forthvm.render by name: that layer imports this one, not conversely."""
    drawn: str = getattr(import_module("forthvm.render"), function)(position)
    return drawn
