"""Abbreviations of names that are distinct and keep all digits.

Owns the choice of the letters to drop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from string import ascii_lowercase

from forthvm.core.text.width import text_width

__all__ = ["abbreviate", "are_distinct", "numbers"]

_NUMBERS = re.compile(r"\d+")
_VOWELS = frozenset("aeiouyAEIOUY")


def abbreviate(names: Sequence[str], max_width: int | Mapping[str, int]) -> dict[str, str] | None:
    """Return distinct abbreviations, or None if the width is too small.

    Names that fit are unchanged.  All other names are shortened by the same method: at the end, by
    dropping vowels, or in the middle.  If no method gives distinct abbreviations, each name is
    shortened to its first letters and one letter that makes it unique.  Digits are never dropped or
    added: S12 does not abbreviate S120.  Abbreviations that differ only in letter case are not
    distinct, unless their names differ only in letter case.

    Args:
        names: The names, which must differ.
        max_width: Maximum number of columns, for all names or by name.

    >>> abbreviate(["wizard", "dwarf", "troll"], 3)
    {'wizard': 'wiz', 'dwarf': 'dwa', 'troll': 'tro'}
    >>> abbreviate(["Knight", "King"], 1)
    {'Knight': 'K', 'King': 'i'}
    >>> abbreviate(["white12", "white120"], 4)
    {'white12': 'wh12', 'white120': 'w120'}
    """
    widths = {name: max_width if isinstance(max_width, int) else max_width[name] for name in names}
    if min(widths.values(), default=1) < 1:
        return None
    methods: tuple[Callable[[str, int], str], ...] = (
        _without_end,
        lambda name, width: _without_end(_without_vowels(name), width),
        _without_middle,
    )
    for method in methods:
        abbreviations = {
            name: name if text_width(name) <= width else method(name, width)
            for name, width in widths.items()
        }
        if _is_valid(abbreviations, widths):
            return abbreviations
    return _one_by_one(widths)


def numbers(text: str) -> list[str]:
    """Return the numbers in a text, each with all its digits.

    >>> numbers("S120-b7")
    ['120', '7']
    """
    return _NUMBERS.findall(text)


def are_distinct(abbreviations: Mapping[str, str]) -> bool:
    """Return whether all abbreviations differ; the keys are the names.

    A difference in letter case alone counts only if the names differ only in letter case, too.
    """
    all_differ = len(set(abbreviations.values())) == len(abbreviations)
    lower_case = {(name.lower(), label.lower()) for name, label in abbreviations.items()}
    return all_differ and len({label for _, label in lower_case}) == len(lower_case)


def _is_valid(abbreviations: Mapping[str, str], widths: Mapping[str, int]) -> bool:
    return are_distinct(abbreviations) and all(
        (label or not name)
        and text_width(label) <= widths[name]
        and numbers(label) == numbers(name)
        for name, label in abbreviations.items()
    )


def _without_end(name: str, width: int) -> str:
    """Return a name without its last letters, but with all digits."""
    return "".join(_without_first_letters(name[::-1], width))[::-1]


def _without_middle(name: str, width: int) -> str:
    """Return the first letter and the end of a name, with all digits."""
    return name[:1] + "".join(_without_first_letters(name[1:], width - text_width(name[:1])))


def _without_first_letters(chars: str, width: int) -> Iterator[str]:
    """Yield the characters, but drop letters from the beginning until the others fit the width."""
    excess = text_width(chars) - width
    for char in chars:
        if excess > 0 and not char.isdecimal():
            excess -= text_width(char)
        else:
            yield char


def _without_vowels(name: str) -> str:
    return name[:1] + "".join(letter for letter in name[1:] if letter not in _VOWELS)


def _one_by_one(widths: Mapping[str, int]) -> dict[str, str] | None:
    """Abbreviate each name to its first letters and one letter that makes it unique."""
    abbreviations = {name: name for name, width in widths.items() if text_width(name) <= width}
    used = {label.lower() for label in abbreviations.values()}
    for name, width in widths.items():
        if name in abbreviations:
            continue
        beginning = _without_end(name, width - 1)
        labels = (beginning + end for end in (*name[len(beginning) :], *ascii_lowercase))
        label = next((label for label in labels if label.lower() not in used), None)
        if label is None:
            return None
        abbreviations[name] = label
        used.add(label.lower())
    if not _is_valid(abbreviations, widths):
        return None
    return {name: abbreviations[name] for name in widths}
