"""A complete position in UGI's command `position`, and the word before positions as text.

A complete position is one word: `fvm1:` and a saved position, compressed and in base64.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING

from forthvm.core.errors import PositionError
from forthvm.game.short_notation import short_notation

if TYPE_CHECKING:
    from forthvm.game import Game, Position

__all__ = ["decode_position", "encode_position", "fen_keyword"]

_PREFIX = "fvm1:"
_MAX_BYTES = 64 << 20
"""The maximum size of a saved position after decompression."""


def encode_position(position: Position) -> str:
    """Encode a position as a word: `fvm1:` and base64url of the zlib-compressed document."""
    packed = zlib.compress(position.to_json().encode("utf-8", "surrogatepass"), 6)
    return _PREFIX + base64.urlsafe_b64encode(packed).decode("ascii")


def decode_position(game: Game, word: str) -> Position:
    """Decode a word of `encode_position`.

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
    return notation.fen.name.lower() if notation else "fen"
