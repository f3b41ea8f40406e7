"""Encoding and decoding of names and texts."""

from __future__ import annotations

__all__ = ["Codec"]


class Codec:
    """Decodes bytes as UTF-8 or, if they are not valid UTF-8, in the script's encoding.

    Attributes:
        encoding: The encoding of the main script.
    """

    __slots__ = ("encoding",)

    def __init__(self) -> None:
        self.encoding = "utf-8"

    def decode(self, data: bytes) -> str:
        """Decode a name or text; never fails."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            encoding = "latin-1" if self.encoding == "utf-8" else self.encoding
            return data.decode(encoding, errors="replace")

    def decode_all(self, data: bytes) -> tuple[str, ...]:
        """Decode texts that a zero byte follows, each like `decode`."""
        try:
            texts = data.decode("utf-8").split("\0")
        except UnicodeDecodeError:
            texts = [self.decode(text) for text in data.split(b"\0")]
        texts.pop()  # what follows the last zero byte
        return tuple(texts)

    def encode(self, text: str) -> bytes:
        """Encode a name or text in the script's encoding or, where that is impossible, in UTF-8."""
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.encode("utf-8", errors="replace")
