"""What a later version may say differently from the recordings (made with version 140).

Owns the differences that the contract names, stated so that each can fail; must not know
which game or fragment it is applied to.
"""

from __future__ import annotations

import re

from golden_runner.records import Death

__all__ = ["death_of_140_only", "expected_text", "partial_type"]

_PARTIAL = re.compile(r"(?:^| )partial (\d+)(?= |$)")


def partial_type(text: str) -> int | None:
    """The move type to go on with that version 140 wrote into the text; None: not partial."""
    found = _PARTIAL.search(text)
    return int(found[1]) if found else None


def expected_text(text: str, axiom: int) -> str:
    """A recorded move text as that version writes it: only 140's `partial` adds text."""
    if axiom == 140:
        return text
    return _PARTIAL.sub("", text).strip()


def death_of_140_only(death: Death) -> bool:
    """140 refuses a partial move whose text lacks `partial`, and texts over 1,023 bytes.

    The latter ended the process without a word, as ABORT does, so it cannot be told from the
    death alone; callers look at our own error instead.
    """
    return death.text == "Partial move check inconsistency"
