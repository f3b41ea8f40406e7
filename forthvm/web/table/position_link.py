"""Positions in links: a saved position as text that an address can contain.

Owns the form of this text, which is the compressed document in URL-safe Base64, and the limits of
its size.  Links come from strangers, and a short text may describe a very long document: no more
than the limit is decompressed.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from forthvm.core.errors import PositionError

__all__ = ["SIGN", "document_in", "is_link", "link_text"]

SIGN = "#position="
"""The characters before the text in an address; browsers send nothing after `#` to servers."""
MOST_CHARACTERS = 1_000_000
MOST_BYTES = 8_000_000
_OTHER_CHARACTER = re.compile(r"[^A-Za-z0-9_-]")


def link_text(document: str) -> str:
    """Return the text for a document.

    Raises:
        PositionError: The document is too large.
    """
    data = document.encode()
    text = urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    if len(data) > MOST_BYTES or len(text) > MOST_CHARACTERS:
        raise PositionError("the game is too long for a link; save it as a file instead")
    return text


def is_link(text: str) -> bool:
    """Return whether a text is a link to a position, as opposed to the name of a file."""
    return SIGN in text


def document_in(link: str) -> bytes:
    """Return the document in a link, or in the part of a link after `SIGN`.

    Raises:
        PositionError: The link is too long, damaged or incomplete.
    """
    text = "".join(link.rpartition(SIGN)[2].split())  # mail programs break long lines
    if len(text) > MOST_CHARACTERS:
        raise PositionError(f"the link is longer than {MOST_CHARACTERS} characters")
    other = _OTHER_CHARACTER.search(text)
    if other is not None:
        raise PositionError(
            f"this is not a link to a position: character {other.start() + 1} of the text after "
            f"`{SIGN}` is {other[0]!r}"
        )
    reader = zlib.decompressobj()
    try:
        if len(text) % 4 == 1:  # part of a byte, of a link that was cut off
            text = text[:-1]
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        document = reader.decompress(data, MOST_BYTES + 1)
    except (ValueError, zlib.error) as error:
        raise PositionError("the link is damaged; copy it again") from error
    if len(document) > MOST_BYTES:
        raise PositionError(f"the position in the link is longer than {MOST_BYTES} bytes")
    if not reader.eof:
        raise PositionError("the end of the link is missing; copy all of it")
    return document
