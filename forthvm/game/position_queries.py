"""Queries about a game state: whose turn it is, the moves, the result, the board.

Moves are made in position.py; states.py saves and restores the memory of the VM.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL

from .arguments import check_text
from .definition.pieces import Board
from .definition.tables import cell_buffer_of, read_cell
from .ending import ending_of, turn_index_of
from .history import player_of
from .moves import MoveList

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Buffer

    from forthvm.core.errors import IllegalMoveError

    from .game import Game
    from .gestures import GestureTree
    from .history import HistoryEntry
    from .memory.variables import VariableView
    from .moves import Move
    from .outcome import Outcome
    from .setup import Setup
    from .state import State

__all__ = ["PositionQueries"]


class PositionQueries:
    """The members of `Position` that only read it."""

    __slots__ = ("__weakref__", "_earlier", "_game", "_made", "_now", "_setup", "_states")

    def __init__(
        self,
        game: Game,
        state: State,
        history: Sequence[HistoryEntry] = (),
        setup: Setup | None = None,
    ) -> None:
        """Create a position; programs call `Game.start` or `Position.from_json` instead."""
        self._game = game
        self._states = game.states
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
    def player_index(self) -> int:
        """Index of the player to move among the game's players, from 0."""
        return player_of(self._game, self._state)

    @property
    def turn(self) -> str:
        """Name of the player to move."""
        return self._game.players[self.player_index]

    @property
    def players(self) -> tuple[str, ...]:
        """Names of all players, including neutral and chance players."""
        return self._game.players

    @property
    def is_chance(self) -> bool:
        """Whether a chance player, such as `?Dice`, is to move."""
        return self._game.player_details[self.player_index].chance

    @property
    def is_partial(self) -> bool:
        """Whether the same player continues the turn after a partial move."""
        return self._state.partial

    @property
    def turn_number(self) -> int:
        """The script's `turn-number`: the number of complete moves plus 1."""
        return read_cell(self._state.current, self._game.tables.variables.turn_number)

    @property
    def turn_index(self) -> int:
        """Index in the turn order (`game.turn_order`), from 0."""
        return turn_index_of(self._game, self._state)

    @property
    def ply(self) -> int:
        """Number of moves made, including partial moves and passes."""
        return len(self._earlier) + len(self._made)

    @property
    def setup(self) -> Setup | None:
        """The set-up with which the game was started, None for the script's set-up."""
        return self._setup

    @property
    def history(self) -> tuple[HistoryEntry, ...]:
        """The moves made so far."""
        return (*self._earlier, *[move.entry for move in self._made])

    @property
    def last_move(self) -> Move | None:
        """The last move made; None without one, or if the history comes from a document."""
        return self._made[-1] if self._made else None

    # --- moves and result ------------------------------------------------------------

    @property
    def legal_moves(self) -> MoveList:
        """The legal moves in the original's order, generated when first used.

        As in the original, a decided position has moves, too; check `result` before making one.
        If the list is empty while the game continues, see `is_stuck`.
        """
        state = self._now
        state.private = False  # from now on the list of moves refers to the state, too
        return MoveList(self._game, state)

    @property
    def legal_actions(self) -> memoryview[int]:
        """The numbers in `game.actions` of the legal moves, in the order of `legal_moves`.

        The numbers are 32-bit integers in a read-only buffer, for example for `numpy.asarray`.
        There are none if the game is over.  Moves that do the same have the same number, which
        occurs once; `legal_moves.actions` has the number of each move.
        """
        from .actions.masks import legal_actions_of

        return legal_actions_of(self)

    def action_mask(self, out: Buffer | None = None) -> Buffer:
        """Return an array with a 1 for each legal action and a 0 for each other action.

        Args:
            out: The caller's array, which is overwritten: one-dimensional, contiguous, with
                `game.actions.size` numbers of any type, such as a row of a numpy array; None for a
                new array of bytes.

        Raises:
            ValueError: The array is unsuitable.
        """
        from .actions.masks import mask_of

        return mask_of(self, out)

    def move_of(self, action: int) -> Move:
        """Return the legal move with a number in `game.actions`.

        Raises:
            IllegalMoveError: The action is not legal in this position.
            IndexError: There is no such action.
        """
        from .actions.masks import move_of

        return move_of(self, action)

    def gestures(self) -> GestureTree:
        """Return the tree of the clicks that make the legal moves on a drawn board.

        Raises:
            ForthVMError: The script's word OnShow, which says what players see, fails.
        """
        from .gestures import gestures_of, tree_of

        return tree_of(self.legal_moves, gestures_of(self))

    @property
    def chances(self) -> tuple[tuple[Move, float], ...]:
        """The legal moves with their probabilities if a chance player draws one.

        All moves are equally likely, with one exception: in a game for version 140 of Axiom,
        `{random}` makes the first of n moves with the probability 2 / (n + 1).
        """
        from .memory.randomness import chances_of

        moves = self.legal_moves
        return tuple(zip(moves, chances_of(self._game, self.player_index, moves), strict=True))

    @property
    def result(self) -> Outcome | None:
        """The outcome of the game, None while the game continues.

        OnIsGameOver decides, which is not called after a partial move.  If OnIsGameOver returns
        that the game continues, but no player had a move in a complete round of turns, the game is
        a draw.
        """
        return ending_of(self._game, self._state)

    @property
    def code(self) -> int:
        """The result of OnIsGameOver; after a partial move, #UnknownScore."""
        return self._game.states.code_of(self._state)

    @property
    def is_stuck(self) -> bool:
        """Whether the player to move has no move while the game continues.

        The host must then call `push_pass`; the original's host passes, too.
        """
        return not self._game.states.moves_of(self._state) and self.result is None

    def parse(self, text: str) -> Move:
        """Return the legal move that a text means, by the rules of move_text/matching.py.

        Raises:
            MoveSyntaxError: The text is not a move text.
            AmbiguousMoveError: The text matches several moves.
            IllegalMoveError: The move is not legal; the message names similar legal moves.
        """
        check_text(text, "parse")
        return self.legal_moves[self.find_move(text)]

    def find_move(self, text: str) -> int:
        """Return the index of the legal move that a typed text means.

        Raises:
            MoveError: The text matches no move, or several moves.
        """
        from .move_text.matching import find_move

        game = self._game
        return find_move(
            text,
            game.states.texts(self._state),
            squares=game.position_index.keys(),
            names=game.names,
            player=self.turn,
        )

    def _not_legal(self, text: str) -> IllegalMoveError:
        from .move_text.matching import illegal_move

        return illegal_move(text, self.legal_moves.texts, self.turn)

    # --- the board -------------------------------------------------------------------

    @property
    def cells(self) -> tuple[int, ...]:
        """The board as signed cells: board positions in index order, then board variables."""
        return tuple(self.cell_buffer)

    @property
    def cell_buffer(self) -> memoryview[int]:
        """The `cells` as 32-bit integers in a read-only buffer, for example for `numpy.asarray`.

        The buffer is a copy of the board, which later moves do not change.
        """
        tables = self._game.tables
        return cell_buffer_of(self._state.current.read(tables.board, tables.board_cells * CELL))

    @property
    def board(self) -> Board:
        """The current board: for each board position a Piece or None."""
        game = self._game
        return Board(game.positions, game.position_index, self.cells, game.roster)

    @property
    def variables(self) -> VariableView:
        """The script's variables by name, including board variables."""
        from .memory.variables import VariableView

        return VariableView(self._game, self._state)

    @property
    def stores(self) -> Mapping[str, Mapping[str, int]]:
        """Number of pieces beside the board, by player and type; empty stores are left out.

        Only rule files have stores; a script keeps such pieces in its own way.
        """
        from .zillions.stores import stores_of

        return stores_of(self)

    @property
    def hash(self) -> int:
        """A 64-bit hash of the board with its variables, and of the turn.

        The hash does not depend on the script's other variables, the history and random streams.
        Equal positions have equal hashes, but positions with equal hashes may differ; see `key`.
        """
        states = self._game.states
        with states.lock:
            states.restore_current(self._state)
            return states.native.position_hash() & 0xFFFFFFFFFFFFFFFF

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

        return key_of(self._game, self._state)

    # --- the state of the VM ---------------------------------------------------------

    @property
    def state(self) -> State:
        """The saved state of the VM, for the layers above."""
        return self._state

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
