"""The messages in which the protocols of the family of UCI differ.

UGI is UCI with other names of commands, moves of any game, and queries.  USI is UCI for shogi.  The
client and the server are given a dialect; everything else is the same in all these protocols.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from forthvm.engines.protocols.uci.coordinates import CHESS, SHOGI, Coordinates, CoordinateWords
from forthvm.engines.protocols.uci.moves import MoveWords, encode
from forthvm.game.outcome import WIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.game import Position
    from forthvm.game.loaded import LoadedGame

__all__ = ["UCI", "UGI", "USI", "Dialect", "Words"]

_MOST_PLIES_TO_MATE = 10_000
"""Scores that are this close to that of a win are the number of plies to the end of the game."""


class Words(Protocol):
    """The words of the legal moves of a position, in the order of the list."""

    words: tuple[str, ...]

    def find(self, word: str) -> int:
        """Return the index of a move; raise a MoveError if not exactly one move is meant."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A protocol of the family of UCI."""

    name: str
    """The command that selects the protocol: `ugi`.  Other commands derive from it: `ugiok`."""
    clock: Callable[[int], str]
    """Returns the beginning of the names of a player's clock, by the player's number from 1."""
    move_time: Callable[[int], str] = "movetime {}".format
    """Returns the arguments of `go` for a number of milliseconds for the move."""
    score: Callable[[float], str]
    """Returns a score as `info` contains it."""
    no_move: str = "0000"
    """The word of `bestmove` if there is no move."""
    coordinates: Coordinates | None = None
    """The notation of moves; None for that of UGI."""
    own_game: str | None = None
    """The name of the game that an engine plays without an option for others; None: any game."""
    checks_before_search: bool = True
    """Whether `isready` may be sent during a game; in USI it prepares the engine for a new one."""

    @property
    def title(self) -> str:
        """The name for users: `UGI`."""
        return self.name.upper()

    @property
    def variant_option(self) -> str:
        """The name of the option that selects the game."""
        return f"{self.title}_Variant"

    def words_of(self, position: Position) -> Words:
        """Return the words of the legal moves of a position, which can be searched."""
        if self.coordinates is None:
            return MoveWords(position)
        return CoordinateWords(position, self.coordinates)

    def words(self, position: Position) -> Sequence[str]:
        """Return the words of the legal moves of a position."""
        return self.words_of(position).words

    def encode(self, text: str, game: LoadedGame) -> str:
        """Return the word of a move text."""
        return encode(text) if self.coordinates is None else self.coordinates.encode(text, game)


def _centipawns(score: float) -> str:
    return f"cp {round(score)}"


def _moves_to_mate(score: float) -> str:
    plies = _plies_to_mate(score)
    if plies is None:
        return _centipawns(score)
    moves = (plies + 1) // 2
    return f"mate {moves if score > 0 else -moves}"


def _signed_plies_to_mate(score: float) -> str:
    plies = _plies_to_mate(score)
    if plies is None:
        return _centipawns(score)
    return f"mate {plies if score > 0 else -plies}"


def _plies_to_mate(score: float) -> int | None:
    plies = WIN - abs(round(score))
    return plies if plies <= _MOST_PLIES_TO_MATE else None


UGI = Dialect(name="ugi", clock="p{}".format, score=_centipawns)
UCI = Dialect(
    name="uci",
    clock=" wb".__getitem__,
    score=_moves_to_mate,
    coordinates=CHESS,
    own_game="chess",
)
USI = Dialect(
    name="usi",
    clock=" bw".__getitem__,
    move_time="btime 0 wtime 0 byoyomi {}".format,
    score=_signed_plies_to_mate,
    no_move="resign",
    coordinates=SHOGI,
    own_game="shogi",
    checks_before_search=False,
)
