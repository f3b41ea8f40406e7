"""Positions as UGI's `position` says them: the start with moves, or one word for everything.

Owns that word (`fvm1:`, a saved position compressed and in base64) and how a position is told
with as little as will do.  It must not know programs.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING

from forthvm.core.errors import ForthVMError, PositionError
from forthvm.core.output import redirected
from forthvm.engines.ugi.moves import MoveWords, words_of

if TYPE_CHECKING:
    from forthvm.game import Game, Position

__all__ = ["STARTPOS", "Teller", "from_fen", "to_fen"]

STARTPOS = "startpos"
_MARK = "fvm1:"
_MOST = 64 << 20
"""Bytes of the largest document: what unpacks to more is no position."""


def to_fen(position: Position) -> str:
    """The whole position as a word: `fvm1:` and base64url of the zlib-compressed document."""
    packed = zlib.compress(position.to_json().encode("utf-8", "surrogatepass"), 6)
    return _MARK + base64.urlsafe_b64encode(packed).decode("ascii")


def from_fen(game: Game, word: str) -> Position:
    """The position that `to_fen` made a word of.

    Raises:
        PositionDigestError: it is of other sources, or of a game loaded otherwise.
        PositionError: it is no such word.
    """
    from forthvm.game import Position

    if not word.startswith(_MARK):
        raise PositionError(f"no position: it must begin with {_MARK!r} (docs/reference/ugi.md)")
    try:
        packed = base64.b64decode(word[len(_MARK) :].encode("ascii"), b"-_", validate=True)
        unpack = zlib.decompressobj()
        text = unpack.decompress(packed, _MOST)
    except (binascii.Error, UnicodeError, zlib.error) as error:
        raise PositionError(f"no position: {error}") from error
    if not unpack.eof or unpack.unused_data:
        raise PositionError("no position: it is cut off, too large, or has something after it")
    return Position.from_json(game, text)


class Teller:
    """Says positions of one game, mostly each a few plies after the last one.

    It plays the game along from its start: if that leads to the same board, turn and legal
    moves, the start and the moves say enough.  If not (another set-up, random numbers drawn
    otherwise), the whole position is sent.
    """

    def __init__(self, game: Game, *, plain: bool = False) -> None:
        """Nothing is told yet.

        Args:
            game: The game.
            plain: Write moves as squares alone where that is unmistakable.
        """
        self.game = game
        self._plain = plain
        self._again: Position | None = None
        self._words: list[str] = []

    def tell(self, position: Position) -> str | None:
        """What follows `position` for the start and its moves; None: that does not say all."""
        if position.setup is not None:
            return None
        # The moves are made a second time here: what the script prints has been shown.
        with self.game.states.lock, redirected(self.game.vm):
            try:
                told = self._follow(position)
            except ForthVMError:
                told = False
        if not told:
            self._again = None
            return None
        return " ".join([STARTPOS, *(["moves", *self._words] if self._words else [])])

    def _follow(self, position: Position) -> bool:
        """Plays on to where `position` is."""
        again = self._again
        if again is None:
            again, self._words = self.game.start(), []
        self._again = None  # should it fail half way
        history = position.history
        while again.history != history[: again.ply]:
            again.pop()
            self._words.pop()
        words = words_of(position, again, plain=self._plain)
        if words is None or not _alike(position, again):
            return False
        self._words += words
        self._again = again
        return True


def _alike(one: Position, other: Position) -> bool:
    """Whether a program can see no difference."""
    return (
        one.cells == other.cells
        and one.player_index == other.player_index
        and one.is_partial == other.is_partial
        and MoveWords(one).words == MoveWords(other).words
    )
