"""The dictionary of the VM that is checked, under the name by which the checks know it."""

from __future__ import annotations

from forthvm.core.dictionary import (
    CELL,
    COLON,
    CREATED,
    DOES,
    HOST,
    IN_LINE_TEXT,
    JUMPS,
    VOCABULARY,
    Code,
    Image,
    Word,
)

__all__ = [
    "CELL",
    "COLON",
    "CREATED",
    "DOES",
    "HOST",
    "IN_LINE_TEXT",
    "JUMPS",
    "VOCABULARY",
    "Code",
    "Image",
    "Word",
]
