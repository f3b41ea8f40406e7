"""The arguments of UGI's command `position`: the start with moves, or a complete position.

A complete position is one word: `fvm1:` and a saved position, compressed and in base64.  Owns this
format, and the check whether the moves from the start lead to a position.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.output import redirected
from forthvm.engines.protocols.uci.moves import MoveWords, replay_words
from forthvm.game.short_notation import short_notation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from forthvm.game import Game, Position

__all__ = ["STARTPOS", "PositionEncoder", "fen_keyword", "from_fen", "to_fen"]

STARTPOS = "startpos"
_PREFIX = "fvm1:"
_MAX_BYTES = 64 << 20
"""The maximum size of a saved position after decompression."""


def to_fen(position: Position) -> str:
    """Encode a position as a word: `fvm1:` and base64url of the zlib-compressed document."""
    packed = zlib.compress(position.to_json().encode("utf-8", "surrogatepass"), 6)
    return _PREFIX + base64.urlsafe_b64encode(packed).decode("ascii")


def from_fen(game: Game, word: str) -> Position:
    """Decode a word of `to_fen`.

    Raises:
        PositionDigestError: The position was saved with other sources or settings of the game.
        PositionError: The word is not an encoded position.
    """
    from forthvm.game import Position

    if not word.startswith(_PREFIX):
        raise PositionError(f"not a position: must begin with {_PREFIX!r} (docs/reference/ugi.md)")
    try:
        packed = base64.b64decode(word[len(_PREFIX) :].encode("ascii"), b"-_", validate=True)
        decompressor = zlib.decompressobj()
        text = decompressor.decompress(packed, _MAX_BYTES)
    except (binascii.Error, UnicodeError, zlib.error) as error:
        raise PositionError(f"not a position: {error}") from error
    if not decompressor.eof or decompressor.unused_data:
        raise PositionError("not a position: truncated, too large, or followed by other data")
    return Position.from_json(game, text)


def fen_keyword(game: Game) -> str:
    """Return the word before a position as text: `sfen` if it contains pieces in hand, else `fen`.

    Engines for several games read both.
    """
    notation = short_notation(game._loaded)
    fields = notation.fen.fields if notation else []
    return "sfen" if any(each.kind == "hand" for each in fields) else "fen"


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

    def encode(self, position: Position) -> str | None:
        """Return the arguments of `position`; None if the moves lead to another position."""
        words = self.words(position)
        return None if words is None else " ".join([STARTPOS, *(words and ["moves", *words])])

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


def _equal_for_players(first: Position, second: Position) -> bool:
    """Whether board, turn and legal moves are equal."""
    return (
        first.cells == second.cells
        and first.player_index == second.player_index
        and first.is_partial == second.is_partial
        and MoveWords(first).words == MoveWords(second).words
    )
