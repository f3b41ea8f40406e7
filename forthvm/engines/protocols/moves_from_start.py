"""The moves that lead from the start of a game to a position.

Owns the check whether these moves, made again, lead to the same position, and the error if neither
they nor a text can be sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.output import redirected
from forthvm.engines.errors import EngineError
from forthvm.engines.protocols.words import MoveWords, replay_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.game import Game, Position

__all__ = ["STARTPOS", "PositionEncoder", "position_text"]

STARTPOS = "startpos"


def _full_words(position: Position) -> tuple[str, ...]:
    return MoveWords(position).words


class PositionEncoder:
    """Encodes positions of one game as the start and moves.

    The encoder replays the moves from the start of the game, and stores the replayed position for
    the next call.  If the moves lead to another board, turn or list of legal moves, for example
    because of random numbers, the caller must send the complete position.
    """

    def __init__(
        self, game: Game, words: Callable[[Position], Sequence[str]] = _full_words
    ) -> None:
        """Create an encoder that has replayed no moves.

        Args:
            game: The game.
            words: Returns the words of the legal moves of a position.
        """
        self.game = game
        self._words_of = words
        self._replayed: Position | None = None
        self._words: list[str] = []

    def encode(self, position: Position, start: str = STARTPOS) -> str | None:
        """Return the arguments of `position`; None if the moves lead to another position.

        Args:
            position: The position.
            start: The arguments for the start of the game.
        """
        words = self.words(position)
        return None if words is None else " ".join([start, *(words and ["moves", *words])])

    def words(self, position: Position) -> list[str] | None:
        """Return the words of the moves from the start; None if they lead to another position."""
        if position._setup is not None:
            return None
        # The output of the replayed moves is dropped: users have seen it before.
        with self.game._loaded.states.lock, redirected(self.game._loaded.vm):
            try:
                is_equal = self._replay(position)
            except ForthVMError:
                is_equal = False
        if not is_equal:
            self._replayed = None
            return None
        return self._words.copy()

    def _replay(self, position: Position) -> bool:
        """Replay the moves of `position`; return whether they lead to an equal position."""
        replayed = self._replayed
        if replayed is None:
            replayed, self._words = self.game.start(), []
        self._replayed = None  # remains None if a move fails
        history = position.history
        while replayed.history != history[: replayed.ply]:
            replayed.pop()
            self._words.pop()
        words = replay_words(position, replayed, self._words_of)
        if words is None or not _equal_for_players(position, replayed):
            return False
        self._words += words
        self._replayed = replayed
        return True


def position_text(position: Position) -> str:
    """Return a position as text, for programs that cannot be sent moves that lead to it.

    Raises:
        EngineError: Positions of the game have no form as text.
    """
    try:
        return position.to_fen()
    except PositionError as error:
        raise EngineError(
            "moves from the start do not lead to this position, and it cannot be sent as text: "
            f"{error}"
        ) from error


def _equal_for_players(first: Position, second: Position) -> bool:
    """Whether board, turn and legal moves are equal."""
    return (
        first.cells == second.cells
        and first.player_index == second.player_index
        and first.is_partial == second.is_partial
        and MoveWords(first).words == MoveWords(second).words
    )
