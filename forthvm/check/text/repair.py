"""Damaged places of texts, edits that repair them, and the origin of each byte of the result."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.core.loading.source import Text

if TYPE_CHECKING:
    from forthvm.core.location import Location

__all__ = ["Repair", "RepairedText", "Suspect"]


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit of a damaged text.

    Attributes:
        start: Offset of the part that the edit replaces.
        end: Offset after the part.
        new: The bytes that replace the part.
        opaque: The definition whose effect is unknown after the edit; empty if there is none.
        hides_names: Whether the part may define any names.
    """

    start: int
    end: int
    new: bytes = b""
    opaque: bytes = b""
    hides_names: bool = False


@dataclass(frozen=True, slots=True)
class Suspect:
    """A place that may be damaged.

    Attributes:
        at: Offset of the token to report.
        message: What is wrong.
        hint: What to do.
        repair: The edit that does it.
        code: The code of the finding.
        word: The definition that the finding is about; empty if it is about no definition.
    """

    at: int
    message: str
    hint: str
    repair: Repair
    code: str = "E106"
    word: bytes = b""


class RepairedText(Text, kw_only=True):
    """A text with edits; its locations are those of the text of the author.

    Attributes:
        source: The text of the author.
        offsets: For each byte of `data`, its offset in the source, or that of its edit.
    """

    source: Text
    offsets: array[int]

    @classmethod
    def of(cls, text: Text) -> RepairedText:
        """Return a text without edits."""
        return cls(
            text.name,
            text.data,
            text.base,
            text.encoding,
            text.path,
            text.load_position,
            source=text,
            offsets=array("L", range(len(text.data) + 1)),
        )

    def with_repair(self, repair: Repair) -> RepairedText:
        """Return the text with one more edit."""
        start, end, new = repair.start, repair.end, repair.new
        added = array("L", [self.offsets[start]]) * len(new)
        return self.replace(
            data=self.data[:start] + new + self.data[end:],
            offsets=self.offsets[:start] + added + self.offsets[end:],
        )

    def locate(self, offset: int) -> Location:
        """Return the location of an offset."""
        return self.source.locate(self.offsets[min(offset, len(self.data))])

    def source_offset(self, location: Location) -> int:
        """Return the offset of a location in the source."""
        lines = self.source.data.split(b"\n")[: location.line - 1]
        column = location.text[: location.column - 1].encode(self.encoding, "replace")
        return sum(len(line) + 1 for line in lines) + len(column)

    def offset_of(self, location: Location) -> int:
        """Return the offset of a location in the text with edits."""
        return bisect_left(self.offsets, self.source_offset(location))
