"""Finds damaged parts of a text, such as sections, definitions and comments without begin or end.

A *fault* is a damaged part.  One fault can make many names unknown, so it is reported alone: the
part is left out, and later errors are its consequences.  This file uses only the text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .delimiters import delimiter_faults
from .items import item_faults
from .lexer import lex
from .repairs import repaired
from .sections import section_faults, unclosed_sections
from .strays import stray_faults

if TYPE_CHECKING:
    from .fault import Fault

__all__ = ["find_faults"]

#: The maximum number of faults of a text; each of them needs another pass over the text.
_MAX_FAULTS = 20


@lru_cache(maxsize=32)
def find_faults(data: bytes, *, failed: bool) -> tuple[Fault, ...]:
    """Find the faults of a text.

    Most of them are looked for only if the script did not load (`failed`): a script may contain
    them with a meaning of its own, such as sections that begin and end in different files.
    """
    faults: list[Fault] = []
    while len(faults) < _MAX_FAULTS:
        # Only the first fault is certain: the others may be its consequences.
        fault = min(_faults(data, failed=failed), default=None, key=lambda fault: fault.start)
        if fault is None:
            break
        faults.append(fault)
        if not fault.repair.data:
            break
        data = repaired(data, [fault.repair])
    return tuple(faults)


def _faults(data: bytes, *, failed: bool) -> list[Fault]:
    """Return the faults inside sections and definitions; without any, those of sections."""
    tokens = lex(data).tokens
    if failed:
        found = [
            *stray_faults(data, tokens),
            *delimiter_faults(data, tokens),
            *item_faults(data, tokens),
        ]
        return found or [
            *section_faults(data, tokens),
            *unclosed_sections(data, tokens, failed=True),
        ]
    return [*unclosed_sections(data, tokens)]
