"""The type of the damaged parts of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .repairs import Repair

__all__ = ["Fault"]


class Fault(NamedTuple):
    """A damaged part of a text.

    Attributes:
        start: Offset of the token to report.
        message: What is wrong.
        hint: What to do.
        repair: Leaves the part out; empty for the last part of a text, which is kept.
        names: The words of the part; it may have defined them.
        makes_squares: Whether the part may have named the squares of a grid.
        lacks_name: Whether the part defines a word whose name is missing.
        lacks_file: Whether the part loads a file whose name is missing.
        code: The code of the finding.
        emptied: The name of a definition that the repair makes empty; empty if there is none.
    """

    start: int
    message: str
    hint: str
    repair: Repair
    names: frozenset[bytes] = frozenset()
    makes_squares: bool = False
    lacks_name: bool = False
    lacks_file: bool = False
    code: str = "E106"
    emptied: bytes = b""
