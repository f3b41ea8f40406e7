"""Positions: what a host program plays with.

Owns the history of a game in progress and the questions about its present.  How the VM's
memory follows is in states.py, how documents are written and read in position_json.py.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL

from .ending import ending_of, turn_index_of
from .history import HOST_PASS, HistoryEntry, entry_of, player_of
from .moves import Move, MoveList
from .outcome import DECIDED
from .pieces import Board
from .tables import cells_of, read_cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forthvm.core.bindings import NativeVM
    from forthvm.core.errors import IllegalMoveError

    from .game import Game
    from .memory.randomness import RandomState
    from .memory.variables import VariableView
    from .outcome import Outcome
    from .remarks import Remark
    from .setup import Setup
    from .states import State

__all__ = ["Position"]

_new = object.__new__
KEPT_LISTS = 16
"""Positions back for which memory is kept with its list of moves, for `pop`."""


class Position:
    """A position in play, with the moves that led to it.

    `push` and `pop` change it; everything else only asks.  Asking never changes play: the
    questions that the original's host put to a script are put once, in its order, whenever a
    position is arrived at, however often and in whatever order they are read here.

    Two positions are equal if everything that can influence play is: board, script memory,
    turn, random streams.  The way they were reached does not count.

    >>> import forthvm
    >>> pos = forthvm.load("tictactoe").start()
    >>> before = pos.copy()
    >>> pos.push(pos.legal_moves[0])
    >>> pos.ply, pos == before
    (1, False)
    >>> str(pos.pop()), pos == before
    (..., True)
    """

    __slots__ = ("__weakref__", "_game", "_history", "_now", "_past", "_setup", "_states")

    def __init__(
        self,
        game: Game,
        state: State,
        history: Sequence[HistoryEntry] = (),
        setup: Setup | None = None,
    ) -> None:
        """Made by `Game.start`, `Position.copy` and `Position.from_json`."""
        self._game = game
        self._states = game.states
        self._now = state  # it need not be saved; `_state` is
        self._setup = setup
        # A move stands for the HistoryEntry that will be made of it.
        self._history: list[HistoryEntry | Move] = list(history)
        # The states before the last moves; those before a document was read are not known.
        self._past: list[State] = []

    # --- whose turn -------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self._game

    @property
    def player_index(self) -> int:
        """Place of the player to move among the game's players, from 0."""
        return player_of(self._game, self._state)

    @property
    def turn(self) -> str:
        """Name of the player to move."""
        return self._game.players[self.player_index]

    @property
    def players(self) -> tuple[str, ...]:
        """Names of all players, neutral and chance ones included."""
        return self._game.players

    @property
    def is_chance(self) -> bool:
        """The player to move is a chance player (`?Dice`): its move is drawn, not chosen."""
        return self._game.player_details[self.player_index].chance

    @property
    def is_partial(self) -> bool:
        """Inside a sequence of partial moves: the same player goes on."""
        return self._state.partial

    @property
    def turn_number(self) -> int:
        """The script's `turn-number`: complete moves so far, and 1."""
        return read_cell(self._state.current, self._game.tables.variables.turn_number)

    @property
    def turn_index(self) -> int:
        """Place in the turn order (`game.turn_order`), from 0."""
        return turn_index_of(self._game, self._state)

    @property
    def ply(self) -> int:
        """Moves made so far, partial ones and passes included."""
        return len(self._history)

    @property
    def setup(self) -> Setup | None:
        """What the game was started with, None for the script's own beginning."""
        return self._setup

    @property
    def history(self) -> tuple[HistoryEntry, ...]:
        """The moves made so far."""
        made = [entry_of(played, now=True) for played in self._history]
        self._history[:] = made
        return tuple(made)

    # --- moves and result -------------------------------------------------------------

    @property
    def legal_moves(self) -> MoveList:
        """The legal moves in the original's order, generated when first looked at.

        The original lists moves in a decided position too, and so does this; ask `result`
        before playing one.  It is empty for a player without moves while the game goes on:
        see `is_stuck`.
        """
        state = self._now
        state.private = False
        return MoveList(self._game, state)

    @property
    def chances(self) -> tuple[tuple[Move, float], ...]:
        """The legal moves with how likely each is to be drawn by the dice.

        All are equally likely, except that `{random}` of version 140 draws one of n + 1
        numbers and takes the first move for two of them.
        """
        from .memory.randomness import chances_of

        moves = self.legal_moves
        return tuple(zip(moves, chances_of(self._game, self.player_index, moves), strict=True))

    @property
    def result(self) -> Outcome | None:
        """How the game ended, None while it goes on.

        OnIsGameOver decides; it is not asked inside a partial sequence.  Where it leaves the
        game open, but no player of a whole round of turns has had a move, the game is a draw,
        with the script's code.
        """
        return ending_of(self._game, self._state)

    @property
    def code(self) -> int:
        """The number that OnIsGameOver answered; #UnknownScore where it is not asked."""
        return self._game.states.ask(self._state)

    @property
    def comment(self) -> str:
        """What the script says of the result, the score perhaps: `^` words in OnIsGameOver.

        Mostly empty.  It may say something while the game goes on, too.

        Raises:
            ForthVMError: the script fails.
        """
        from .remarks import comment_of

        return comment_of(self)

    @property
    def is_stuck(self) -> bool:
        """The player to move has no move, and the game goes on: the host has to pass.

        The original's host did (rules of Splut!, section 12); `push_pass` does it here.
        """
        return not self._game.states.moves_of(self._state) and self.result is None

    def push(self, move: Move | HistoryEntry | str) -> None:
        """Make a legal move; a text is parsed as `push_text` does.

        An entry of a history, such as `pop` gives, has its move made again.

        Raises:
            TypeError: it is none of these.
            GameOverError: the game is over.
            IllegalMoveError: the move is not legal here.
            ForthVMError: the script failed while the move was made.  The position is as before.
        """
        state = self._now
        # A move of this very position, as a loop over `legal_moves` makes it: the fast path.
        if type(move) is Move and move.source.state is state and state.open:
            self._now = self._states.make(state, move.index)
            past = self._past
            past.append(state)
            self._history.append(move)
            if len(past) > KEPT_LISTS:
                self._states.forget_list(past[-KEPT_LISTS])
            return
        if isinstance(move, str):
            self.push_text(move)
            return
        with self._states.lock:
            self._refuse_if_over()
            if isinstance(move, HistoryEntry):
                from .document.replay import play_again

                play_again(self, move)
                return
            from .arguments import check_move

            check_move(move)
            self._push(self._legal(move))

    def push_text(self, text: str) -> None:
        """Make the move that a text means (`parse`); "Pass" where the player is stuck.

        Raises:
            MoveSyntaxError: it is not a move text.
            AmbiguousMoveError: it fits several moves.
            IllegalMoveError: it is not legal; the message names legal moves that are close.
            GameOverError: the game is over.
        """
        from .arguments import check_text

        check_text(text, "push_text")
        with self._game.states.lock:
            self._refuse_if_over()
            if text.strip().casefold() == "pass" and self.is_stuck:
                self.push_pass()
                return
            self._push(self.legal_moves[self.find_move(text)])

    def push_pass(self) -> None:
        """Let the turn pass from a player who has no move.

        Raises:
            IllegalMoveError: the player has a move, or the game is over.
        """
        with self._game.states.lock:
            self._refuse_if_over()
            if self._game.states.moves_of(self._state):
                from forthvm.core.errors import IllegalMoveError

                raise IllegalMoveError(
                    f"{self.turn} has moves, and only a player without moves passes"
                )
            played = HistoryEntry(self.turn, "Pass", HOST_PASS)
            state = self._state
            self._now = self._game.states.end_turn(state)
            self._past.append(state)
            self._history.append(played)

    def pop(self) -> HistoryEntry:
        """Take back the last move: everything is bit for bit as before it.

        A position read from a document gets its past by playing the game again.

        Raises:
            IndexError: nothing has been played.
            PositionError: the past cannot be found by playing again.
        """
        past = self._past
        if not past:
            past = self._past = self._found_past()
        left = self._now
        self._now = past.pop()
        if left.private:
            left.dropped = True
        made = self._history.pop()
        if type(made) is HistoryEntry:
            return made
        entry: HistoryEntry = _new(HistoryEntry)  # as entry_of, without a call
        entry._move = made  # type: ignore[assignment]  # no entry: a move
        return entry

    def parse(self, text: str) -> Move:
        """The legal move that a text means: exactly, or else as matching.py says.

        Raises:
            MoveSyntaxError: it is not a move text.
            AmbiguousMoveError: it fits several moves.
            IllegalMoveError: it is not legal; the message names legal moves that are close.
        """
        from .arguments import check_text

        check_text(text, "parse")
        return self.legal_moves[self.find_move(text)]

    # --- the board --------------------------------------------------------------------

    @property
    def cells(self) -> tuple[int, ...]:
        """The raw board as signed cells: positions in index order, then board variables."""
        tables = self._game.tables
        return cells_of(self._state.current.read(tables.board, tables.board_cells * CELL))

    @property
    def board(self) -> Board:
        """The board as it is now, by position name: a Piece or None."""
        game = self._game
        return Board(game.positions, game.position_index, self.cells, game.roster)

    @property
    def variables(self) -> VariableView:
        """The script's own variables by name, those of the board included."""
        from .memory.variables import VariableView

        return VariableView(self._game, self._state)

    @property
    def hash(self) -> int:
        """64 bits of the board with its variables, and of whose turn it is to do what.

        That is for tables that stand for boards: the script's other variables, history and random
        streams are not in it.  Equal positions have equal hashes; see `key`.
        """
        states = self._game.states
        with states.lock:
            states.enter_arrived(self._state)
            return states.native.position_hash() & 0xFFFFFFFFFFFFFFFF

    @property
    def key(self) -> int:
        """64 bits of all that `==` compares, for tables of positions.

        It is the same in every process and for every way to the position, and means nothing
        beside positions of games with other sources or settings (docs/reference/positions.md).

        Raises:
            ForthVMError: the script's OnForget fails.
        """
        from .memory.sameness import key_of

        return key_of(self._game, self._state)

    def remarks(self) -> tuple[Remark, ...]:
        """What the script itself says about the position, if it has a word OnExplain.

        Which pieces are under attack, for instance, and why (remarks.py).

        Raises:
            ForthVMError: the script fails.
        """
        from .remarks import remarks_of

        return remarks_of(self)

    # --- random streams ---------------------------------------------------------------

    @property
    def random_state(self) -> RandomState:
        """The state of the random streams; set it to draw the same numbers again."""
        return self._game.random.read(self._state.current)

    @random_state.setter
    def random_state(self, value: RandomState) -> None:
        from .arguments import check
        from .memory.randomness import RandomState

        check(value, RandomState, "random_state", "what random_state of a position gave")
        self._state = self._game.random.changed(self._game.states, self._state, value)

    def seed(self, seed: int) -> None:
        """Start both random streams anew, as `SEED!` and `SEED2!` do.

        Raises:
            TypeError: `seed` is not an integer.
        """
        from .arguments import check

        if not hasattr(seed, "__index__"):  # numpy's integers have it, too
            check(seed, int, "seed", "an integer")
        random, states = self._game.random, self._game.states
        value = random.seeded(states, self._state, {1: seed, 2: seed})
        self._state = random.changed(states, self._state, value)

    # --- copies -----------------------------------------------------------------------

    def copy(self, *, game: Game | None = None) -> Position:
        """An independent copy; cheap, as memory is shared until it changes.

        Args:
            game: Another Game of the same sources that the copy shall belong to, such as a
                clone that another thread uses.

        Raises:
            PositionDigestError: that game's sources are others.
        """
        if game is not None and game is not self._game:
            from .arguments import check_game

            check_game(game, "copy")
            return type(self).from_json(game, self.to_json())
        return self.with_state(self._state)

    def with_state(self, state: State) -> Position:
        """A position with this one's history and setup, and another state of the VM."""
        twin = type(self)(self._game, state, self.history, self._setup)
        twin._past = list(self._past)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def to_json(self, *, indent: int | None = None) -> str:
        """The position as a JSON document (docs/reference/positions.md, position.schema.json)."""
        from .document.position_json import write_document

        return write_document(self, indent=indent)

    @classmethod
    def from_json(cls, game: Game, text: str | bytes) -> Position:
        """The position that a document describes.

        Raises:
            PositionDigestError: it was written with other sources.
            PositionError: the text is not a sound document.
        """
        from .arguments import check_game
        from .document.position_json import read_document

        check_game(game, "from_json")
        return read_document(game, text, cls)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self._game, self.to_json())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        if self._now is other._now:
            return True
        mine, yours = self._game, other._game
        if mine is not yours and mine.identity != yours.identity:
            return False
        from .memory.sameness import same_position

        return same_position(mine, self._state, yours, other._state)

    __hash__ = None  # type: ignore[assignment]  # it changes; `key` is a number for now

    def __repr__(self) -> str:
        return f"<Position of {self._game.name} at ply {self.ply}, {self.turn} to move>"

    def __str__(self) -> str:
        """The board as `forthvm.render.text` draws it, and whose turn it is or the result."""
        from forthvm.core.visible import visible

        from .views import text_of

        board = text_of(self)
        if board is None:
            return repr(self)
        outcome = self.result
        return f"{board}\n{visible(str(outcome) if outcome else f'{self.turn} to move')}"

    def _repr_svg_(self) -> str | None:
        from .views import svg_of

        return svg_of(self)

    # --- for the layers above ---------------------------------------------------------

    @property
    def state(self) -> State:
        """The VM's side of the position, for the layers above."""
        return self._state

    @property
    def _state(self) -> State:
        """The VM's side of the position, saved, so that the caller may keep it."""
        state = self._now
        if not state.saved:
            self._states.save(state)
        return state

    @_state.setter
    def _state(self, state: State) -> None:
        self._now = state

    @contextmanager
    def enter(self) -> Iterator[NativeVM]:
        """The game's VM with this position and its move list in memory.

        Anything may be done with it; nothing of that stays unless `adopt` is called inside.
        Other threads wait until the block ends.
        """
        self._game.states.keep(self._state)
        with self._game.states.borrowed(self._state) as native:
            yield native

    def adopt(self) -> None:
        """Make what the VM's memory holds now this position's; only inside `enter`.

        For engines written in the script, whose effects (random numbers drawn, variables
        set) the original kept.  The move list stays as it was asked.
        """
        self._state = self._game.states.left_by_engine(self._state)

    # --- inside -----------------------------------------------------------------------

    def _found_past(self) -> list[State]:
        if not self._history:
            raise IndexError("no move to take back")
        from .document.replay import past_of

        return past_of(self)

    def _refuse_if_over(self) -> None:
        state = self._state
        if not state.skipped and state.code is not None and state.code not in DECIDED:
            return  # what `result` would find, without its questions
        outcome = self.result
        if outcome is not None:
            from forthvm.core.errors import GameOverError

            raise GameOverError(f"the game is over: {outcome}")

    def _legal(self, move: Move) -> Move:
        if move.state is self._state:
            return move
        legal = self.legal_moves
        if move.index < len(legal) and legal[move.index] == move:
            return legal[move.index]
        for other in legal:
            if other == move:
                return other
        raise self._not_legal(move.text)

    def _not_legal(self, text: str) -> IllegalMoveError:
        from .move_text.matching import illegal_move

        return illegal_move(text, self.legal_moves.texts, self.turn)

    def find_move(self, text: str) -> int:
        """Index of the legal move that a typed text names.

        Raises:
            MoveError: It names none, or more than one.
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

    def _push(self, move: Move) -> None:
        states, state = self._states, self._state
        player_of(self._game, state)
        if state.texts is None:
            move.note_text(states.text(state, move.index))  # while the list is in memory
        self._now = states.make(state, move.index)
        state.open = True
        self._note(state, move)

    def _note(self, state: State, move: Move) -> None:
        past = self._past
        past.append(state)
        self._history.append(move)
        if len(past) > KEPT_LISTS:
            self._states.forget_list(past[-KEPT_LISTS])


def _rebuild(game: Game, text: str) -> Position:
    return Position.from_json(game, text)
