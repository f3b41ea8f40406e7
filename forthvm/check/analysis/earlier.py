"""Summaries of the last analysed image that also hold for the next one.

Scripts share the library, and in an editor each image differs little from the one before.  This
file owns the conditions under which a summary holds again.

Two dictionaries are equal up to their first different word.  The summary of a word before it holds
if neither the known arguments nor the loaded cells can refer to later words, and if the loaded
cells have the same contents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from forthvm.core.words.dictionary import DictionaryCopy

    from .summary import Call, Summary

__all__ = ["AnalysedImage", "Stored", "reusable"]

Stored = dict[int, frozenset[int] | None]
"""By address, or negated xt of a word, the values that definitions store; None: any value."""


@dataclass(frozen=True, slots=True)
class AnalysedImage:
    """An analysed image.

    Attributes:
        memory: A copy of its memory.
        words: For each word, the facts on which summaries depend besides the contents of cells.
        passes: For each pass over all words, the stored values at its start and the summaries at
            its end.
    """

    memory: bytes
    words: Sequence[Hashable]
    passes: list[tuple[Stored, dict[Call, Summary]]]

    def common_end(self, image: DictionaryCopy, words: Sequence[Hashable]) -> int:
        """Return the address at which the dictionaries begin to differ."""
        pairs = zip(image.words, self.words, words, strict=False)
        different = next((word.nfa for word, one, other in pairs if one != other), None)
        return min(len(self.memory), image.here) if different is None else different


def reusable(
    earlier: AnalysedImage, image: DictionaryCopy, end: int, number: int, stored: Stored
) -> dict[Call, Summary]:
    """Return the summaries of a pass that hold for a pass over another image.

    Args:
        earlier: The analysed image.
        image: The other image.
        end: The address at which the images begin to differ.
        number: The number of the pass.
        stored: The stored values at the start of the pass over the other image.
    """
    if number >= len(earlier.passes):
        return {}
    earlier_stored, summaries = earlier.passes[number]
    written = {
        address
        for address in stored.keys() | earlier_stored.keys()
        if stored.get(address) != earlier_stored.get(address)
        or max(stored.get(address) or (0,)) >= end
    }
    loaded: set[int] = set()
    for summary in summaries.values():
        loaded |= summary.loaded_addresses
    changed = {
        a for a in loaded if a in written or _differs(earlier.memory, image, a, end, written)
    }
    return {
        call: summary
        for call, summary in summaries.items()
        if call.xt < end
        and all(max(values) < end for _, values in call.known_arguments)
        and summary.loaded_addresses.isdisjoint(changed)
    }


def _differs(
    memory: bytes, image: DictionaryCopy, address: int, end: int, written: set[int]
) -> bool:
    """Whether the contents of a loaded address may differ, or refer to words beyond `end`."""
    first, last = address, address + 4
    if address < 0:  # all data of a word
        word = image.by_cfa.get(-address)
        if word is None:
            return True
        first, last = word.body, word.end
    if last > end or any(first <= other < last for other in written):
        return True
    return memory[first:last] != image.memory[first:last] or any(
        value >= end for value in image.cells(first, last)
    )
