"""The arguments of UGI's `position`: the start and moves, or one word for the whole position.

Owns that word (`fvm1:` and a saved position, compressed and in base64) and the choice of the
shorter form.  It must not know programs.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.output import redirected
from forthvm.engines.ugi.moves import MoveWords, replay_words

if TYPE_CHECKING:
    from forthvm.game import Game, Position

__all__ = ["STARTPOS", "PositionEncoder", "from_fen", "to_fen"]

STARTPOS = "startpos"
_MARK = "fvm1:"
_MOST = 64 << 20
"""Bytes of the largest document that is accepted, after decompression."""


def to_fen(position: Position) -> str:
    """The whole position as a word: `fvm1:` and base64url of the zlib-compressed document."""
    packed = zlib.compress(position.to_json().encode("utf-8", "surrogatepass"), 6)
    return _MARK + base64.urlsafe_b64encode(packed).decode("ascii")


def from_fen(game: Game, word: str) -> Position:
    """The position that a word of `to_fen` encodes.

    Raises:
        PositionDigestError: it was saved with other sources or other settings of the game.
        PositionError: it is not such a word.
    """
    from forthvm.game import Position

    if not word.startswith(_MARK):
        raise PositionError(f"not a position: must begin with {_MARK!r} (docs/reference/ugi.md)")
    try:
        packed = base64.b64decode(word[len(_MARK) :].encode("ascii"), b"-_", validate=True)
        unpack = zlib.decompressobj()
        text = unpack.decompress(packed, _MOST)
    except (binascii.Error, UnicodeError, zlib.error) as error:
        raise PositionError(f"not a position: {error}") from error
    if not unpack.eof or unpack.unused_data:
        raise PositionError("not a position: truncated, too large, or followed by other data")
    return Position.from_json(game, text)


class PositionEncoder:
    """Encodes positions of one game, usually each a few plies after the last one.

    It replays the moves from the start of the game.  If they lead to the same board, turn and
    legal moves, the position is encoded as the start and moves; otherwise (another set-up, or
    other random numbers) the whole position must be sent.
    """

    def __init__(self, game: Game, *, plain: bool = False) -> None:
        """Begins without a position.

        Args:
            game: The game.
            plain: Write moves by their squares if these are unique.
        """
        self.game = game
        self._plain = plain
        self._replayed: Position | None = None
        self._words: list[str] = []

    def encode(self, position: Position) -> str | None:
        """The start and moves, as arguments of `position`; None: they lead elsewhere."""
        if position.setup is not None:
            return None
        # The output of the script is dropped: it was shown when the moves were first made.
        with self.game.states.lock, redirected(self.game.vm):
            try:
                same = self._replay(position)
            except ForthVMError:
                same = False
        if not same:
            self._replayed = None
            return None
        return " ".join([STARTPOS, *(["moves", *self._words] if self._words else [])])

    def _replay(self, position: Position) -> bool:
        """Replays the moves of `position`; whether they lead to an equal position."""
        replayed = self._replayed
        if replayed is None:
            replayed, self._words = self.game.start(), []
        self._replayed = None  # stays so if a move fails
        history = position.history
        while replayed.history != history[: replayed.ply]:
            replayed.pop()
            self._words.pop()
        words = replay_words(position, replayed, plain=self._plain)
        if words is None or not _equal_for_players(position, replayed):
            return False
        self._words += words
        self._replayed = replayed
        return True


def _equal_for_players(one: Position, other: Position) -> bool:
    """Whether board, turn and legal moves are equal."""
    return (
        one.cells == other.cells
        and one.player_index == other.player_index
        and one.is_partial == other.is_partial
        and MoveWords(one).words == MoveWords(other).words
    )
