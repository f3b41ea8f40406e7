"""Leaves out the items `{link}` and `{unlink}` that read an unknown name as a position.

A placeholder for the name would not help: it has no value, so the items would link wrong words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .damage import offset_of, text_of
from .text.items import READ_BY_ITEMS
from .text.repairs import blank_out
from .text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location

    from .loaded_script import LoadedScript
    from .text.words import Token

__all__ = ["leave_out_links", "links_that_read"]

_LINKS = (b"{link}", b"{unlink}")


def links_that_read(tokens: Sequence[Token], index: int) -> list[tuple[int, int]]:
    """Return begin and end of all items that read the same position as the item at a token.

    The list is empty if no item reads the token `tokens[index]` as a position.
    """
    name = tokens[index].text
    found: list[tuple[int, int]] = []
    is_read = False
    for n, token in enumerate(tokens):
        if token.kind != WORD or token.in_definition or token.text not in _LINKS:
            continue
        _, *positions = tokens[n + 1 : n + 1 + READ_BY_ITEMS[token.text]] or [token]
        if any(position.text == name for position in positions):
            found.append((token.start, positions[-1].end))
            is_read |= token.start < tokens[index].start < positions[-1].end
    return found if is_read else []


def leave_out_links(loaded: LoadedScript, location: Location | None) -> bool:
    """Leave out the items that read the unknown name at a location; False if there are none."""
    text = text_of(loaded, location)
    if text is None or location is None:
        return False
    lexed = loaded.tokens_of(text)
    index = lexed.index_by_offset.get(offset_of(text, location))
    spans = links_that_read(lexed.tokens, index) if index is not None else []
    return any([loaded.record_repair(text, blank_out(text.data, *span)) for span in spans])
