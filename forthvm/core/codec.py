"""Characters of names and texts.  Owns reading and writing them, not where they come from."""

from __future__ import annotations

__all__ = ["Codec"]


class Codec:
    """Reads bytes as UTF-8 and, where they are not, in the script's own encoding.

    Attributes:
        encoding: What the main script is written in.
    """

    __slots__ = ("encoding",)

    def __init__(self) -> None:
        self.encoding = "utf-8"

    def decode(self, data: bytes) -> str:
        """Read a name or text; never fails."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            encoding = "latin-1" if self.encoding == "utf-8" else self.encoding
            return data.decode(encoding, errors="replace")

    def encode(self, text: str) -> bytes:
        """Write a name or text as the script's own are, or else as UTF-8."""
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.encode("utf-8", errors="replace")
