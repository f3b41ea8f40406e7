"""The messages in which the protocols UGI and UCI differ.

UGI is UCI with other names of commands, moves of any game, and queries.  The client and the server
are given a dialect; everything else is the same in both protocols.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from forthvm.engines.protocols.uci.coordinates import CoordinateWords, coordinates
from forthvm.engines.protocols.uci.moves import MoveWords, encode
from forthvm.game.outcome import WIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.game import Position
    from forthvm.game.loaded import LoadedGame

__all__ = ["UCI", "UGI", "Dialect", "Words"]

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
    words_of: Callable[[Position], Words]
    encode: Callable[[str, LoadedGame], str]
    """Returns the word of a move text."""
    score: Callable[[float], str]
    """Returns a score as `info` contains it."""

    @property
    def title(self) -> str:
        """The name for users: `UGI`."""
        return self.name.upper()

    def words(self, position: Position) -> Sequence[str]:
        """Return the words of the legal moves of a position."""
        return self.words_of(position).words


def _centipawns(score: float) -> str:
    return f"cp {round(score)}"


def _centipawns_or_mate(score: float) -> str:
    plies = WIN - abs(round(score))
    if plies > _MOST_PLIES_TO_MATE:
        return _centipawns(score)
    moves = (plies + 1) // 2
    return f"mate {moves if score > 0 else -moves}"


UGI = Dialect(
    name="ugi",
    clock="p{}".format,
    words_of=MoveWords,
    encode=lambda text, _game: encode(text),
    score=_centipawns,
)
UCI = Dialect(
    name="uci",
    clock=" wb".__getitem__,
    words_of=CoordinateWords,
    encode=coordinates,
    score=_centipawns_or_mate,
)
