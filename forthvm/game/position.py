"""Positions: the game states that a host program works with.

Owns making moves, taking them back, and copying; most members that only read a position are in
position_queries.py.  Delegates the memory of the VM to states.py, and the format of documents to
position_json.py.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from .arguments import check, check_game, check_text
from .history import HistoryEntry, player_of
from .moves import HostPass, Move, Source, check_move
from .outcome import DECIDED
from .position_queries import PositionQueries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from forthvm.core.bindings import NativeVM

    from .commentary.remarks import Remark
    from .game import Game
    from .memory.randomness import RandomState
    from .scene import Scene
    from .state import State

__all__ = ["Position", "check_position"]

KEPT_LISTS = 16
"""Number of earlier positions that keep the memory with their move list, for `pop`."""


class Position(PositionQueries):
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

    __slots__ = ()

    # --- making moves ----------------------------------------------------------------

    def push(self, move: Move | HistoryEntry | str, *, after_end: bool = False) -> None:
        """Make a legal move; a text is parsed as by `push_text`.

        A history entry means the move that it describes; the player of the entry must be to move.

        Args:
            move: The move.
            after_end: Make the move even if the game is over, as some recordings of games do.

        Raises:
            TypeError: The argument has another type.
            GameOverError: The game is over.
            IllegalMoveError: The move is not legal in this position.
            ForthVMError: The script failed while the move was made.  The position is unchanged.
        """
        state = self._now
        # Fast path for a move of this position, as in a loop over `legal_moves`.
        try:
            source = move.source  # type: ignore[union-attr]
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
            if isinstance(move, str):
                self._push_text(move, continues=not after_end)
                return
            if isinstance(move, HistoryEntry):
                from .document.replay import replay_entry

                replay_entry(self, move)
                return
            check_move(move)
            if isinstance(move, HostPass):
                self.push_pass(after_end=True)
            else:
                self._push(self._legal(move), continues=not after_end)

    def push_text(self, text: str) -> None:
        """Make the move that a text means (see `parse`); "Pass" if the player has no move.

        Raises:
            MoveSyntaxError: The text is not a move text.
            AmbiguousMoveError: The text matches several moves.
            IllegalMoveError: The move is not legal; the message names similar legal moves.
            GameOverError: The game is over.
        """
        check_text(text, "push_text")
        with self._game.states.lock:
            self._refuse_if_over()
            self._push_text(text, continues=True)

    def push_pass(self, *, after_end: bool = False) -> None:
        """Pass for a player without moves.

        Args:
            after_end: Pass even if the game is over, as some recordings of games do.

        Raises:
            IllegalMoveError: The player has a move.
            GameOverError: The game is over.
        """
        with self._game.states.lock:
            if not after_end:
                self._refuse_if_over()
            if self._game.states.moves_of(self._state):
                from forthvm.core.errors import IllegalMoveError

                raise IllegalMoveError(
                    f"{self.turn} has moves, and only a player without moves passes"
                )
            played = HostPass(Source(self._game, self._state))
            self._now = self._game.states.end_turn(self._state)
            self._made.append(played)

    def pop(self) -> Move:
        """Take back the last move and return it: restore the exact earlier state.

        For a position from a document, the earlier states are reconstructed by replay.

        Raises:
            IndexError: No move has been made.
            PositionError: Replay does not lead to this position.
        """
        if not self._made:
            self._replay_history()
        undone = self._now
        undone.dropped = undone.private  # only this position referred to a private state
        move = self._made.pop()
        self._now = move.source.state
        return move

    def earlier_states(self, count: int) -> list[State]:
        """Return the states before the last `count` moves, the latest first; for the layers above.

        There are fewer if fewer moves were made.  Those of a position from a document are
        reconstructed by replay.

        Raises:
            PositionError: Replay does not lead to this position.
        """
        if count > len(self._made) and self._earlier:
            self._replay_history()
        made = self._made
        return [move.source.state for move in reversed(made[max(len(made) - count, 0) :])]

    # --- the script's texts ----------------------------------------------------------

    @property
    def comment(self) -> str:
        """The result comment: the output of `^` words in OnIsGameOver, for example the score.

        The comment is usually empty, but may contain text even while the game continues.

        Raises:
            ForthVMError: The script fails.
        """
        from .commentary.remarks import comment_of

        return comment_of(self)

    def remarks(self) -> tuple[Remark, ...]:
        """Return the remarks that the script's word OnExplain prints; () without OnExplain.

        For example, a script may print which pieces are attacked (remarks.py).

        Raises:
            ForthVMError: The script fails.
        """
        from .commentary.remarks import remarks_of

        return remarks_of(self)

    # --- random streams --------------------------------------------------------------

    @property
    def random_state(self) -> RandomState:
        """The state of the random streams; set it to draw the same numbers again."""
        return self._game.random.read(self._state.current)

    @random_state.setter
    def random_state(self, value: RandomState) -> None:
        from .memory.randomness import RandomState

        check(value, RandomState, "random_state", "a value of random_state of a position")
        self._state = self._game.random.replaced(self._game.states, self._state, value)

    def seed(self, seed: int) -> None:
        """Seed the script's two random streams, as `SEED!` and `SEED2!` do.

        Raises:
            TypeError: The seed is not an integer.
        """
        if not hasattr(seed, "__index__"):  # also an integer of numpy
            check(seed, int, "seed", "an integer")
        random, states = self._game.random, self._game.states
        value = random.seeded(states, self._state, {1: seed, 2: seed})
        self._state = random.replaced(states, self._state, value)

    # --- copies ----------------------------------------------------------------------

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
        return self.with_state(self._state)

    def with_state(self, state: State, moves: Iterable[Move] = ()) -> Position:
        """Return a position with the same history and set-up, and another state of the VM.

        Args:
            state: The state.
            moves: Moves from this position that led to the state; they are not made again.
        """
        position = type(self)(self._game, state, self._earlier, self._setup)
        position._made = [*self._made, *moves]
        return position

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the position as a JSON document (docs/reference/positions.md)."""
        from .document.position_json import write_document

        return write_document(self, indent=indent)

    def to_zsg(self) -> bytes:
        """Return the game from its start to this position as a saved game of Zillions (`.zsg`).

        Raises:
            PositionError: The game does not come from a rule file, or it was started from a turn or
                variables that the format cannot describe.
        """
        from .zillions.writing import zsg_of

        return zsg_of(self)

    @classmethod
    def from_json(cls, game: Game, text: str | bytes) -> Position:
        """Return the position that a document describes.

        Raises:
            PositionDigestError: The document was written with other sources.
            PositionError: The document is invalid.
        """
        from .document.position_json import read_document

        check_game(game, "from_json")
        return read_document(cls, game, text)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self._game, self.to_json())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        if self._now is other._now:
            return True
        game, other_game = self._game, other._game
        if game is not other_game and game.identity != other_game.identity:
            return False
        from .memory.sameness import same_position

        return same_position(game, self._state, other_game, other._state)

    __hash__ = None  # type: ignore[assignment]  # mutable; see `key`

    def __repr__(self) -> str:
        return f"<Position of {self._game.name} at ply {self.ply}, {self.turn} to move>"

    def __str__(self) -> str:
        """Return the board as `forthvm.render.text` draws it, with the turn or the result."""
        from forthvm.core.text.visible import visible

        from .views import text_of

        board = text_of(self)
        if board is None:
            return repr(self)
        outcome = self.result
        return f"{board}\n{visible(str(outcome) if outcome else f'{self.turn} to move')}"

    def scene(self, for_player: str | None = None, *, everything: bool = False) -> Scene:
        """Return everything that a front end draws of the position, as data.

        Args:
            for_player: The player who looks; None: what all players see.
            everything: Include internal state of the script.

        Raises:
            ValueError: There is no such player.
            ForthVMError: The script fails.
        """
        from .views import scene_of

        return scene_of(self, for_player=for_player, everything=everything)

    def _repr_svg_(self) -> str | None:
        from .views import svg_of

        return svg_of(self)

    # --- for the layers above --------------------------------------------------------

    @contextmanager
    def enter(self) -> Iterator[NativeVM]:
        """Yield the game's VM with this position and its move list in memory.

        Changes that the block makes to the VM are discarded, unless the block calls `adopt`.
        Other threads wait until the block ends.
        """
        self._game.states.keep_list(self._state)
        with self._game.states.restored(self._state) as native:
            yield native

    def adopt(self) -> None:
        """Make the current memory of the VM the state of this position; only inside `enter`.

        Engines of the script need this method: as in the original, their changes of random streams
        and variables are part of the game.  The move list is unchanged.
        """
        self._state = self._game.states.after_engine(self._state)

    # --- internal --------------------------------------------------------------------

    def _replay_history(self) -> None:
        """Replace the entries of a document by moves, whose states can be restored."""
        if not self._earlier:
            raise IndexError("no move to take back")
        from .document.replay import replayed_moves

        self._made = replayed_moves(self)
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
        """Return the legal move of this position that equals a move of any position."""
        if move.state is self._state:
            return move
        legal = self.legal_moves
        if move.index < len(legal) and legal[move.index] == move:
            return legal[move.index]
        for other in legal:
            if other == move:
                return other
        raise self._not_legal(move.text)

    def _push_text(self, text: str, *, continues: bool) -> None:
        """Make the move that a text means; `continues`: the game is known to continue."""
        if text.strip().casefold() == "pass" and not self._game.states.moves_of(self._state):
            self.push_pass(after_end=True)
        else:
            self._push(self.legal_moves[self.find_move(text)], continues=continues)

    def _push(self, move: Move, *, continues: bool) -> None:
        """Make a legal move of the current state; `continues`: the game is known to continue."""
        states, state = self._states, self._state
        player_of(self._game, state)  # sets `state.player`
        if state.texts is None:
            move.note_text(states.text(state, move.index))  # while the list is in memory
        self._now = states.make(state, move.index)
        state.known_to_continue = continues
        self._made.append(move)
        if len(self._made) > KEPT_LISTS:
            self._forget_list()

    def _forget_list(self) -> None:
        """Free the move list of the position that is KEPT_LISTS moves back."""
        self._states.forget_list(self._made[-KEPT_LISTS].source.state)


def check_position(given: object, function: str) -> None:
    """Raise TypeError if an argument is not a position."""
    check(given, Position, function, "a position, such as game.start() returns")


def _rebuild(game: Game, text: str) -> Position:
    return Position.from_json(game, text)
