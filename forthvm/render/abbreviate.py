"""Abbreviations of names that are distinct and keep all digits.

Owns the choice of the letters to drop.  It must not know what the names mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from string import ascii_lowercase

from forthvm.render.text_width import text_width

__all__ = ["abbreviate", "distinct", "numbers"]

_NUMBERS = re.compile(r"\d+")
_VOWELS = frozenset("aeiouyAEIOUY")


def abbreviate(names: Sequence[str], max_width: int | Mapping[str, int]) -> dict[str, str] | None:
    """Return distinct abbreviations, or None if the width is too small.

    Names that fit are unchanged.  All other names are shortened by the same method: at the end, by
    dropping vowels, or in the middle.  If no method gives distinct abbreviations, each name gets
    its first letters and one more letter that makes it unique.  Digits are never dropped or added:
    S12 does not abbreviate S120.  Abbreviations differ in more than letter case, unless their names
    differ only in letter case.

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
        _cut,
        lambda name, width: _cut(_without_vowels(name), width),
        _cut_middle,
    )
    for method in methods:
        short = {
            name: name if text_width(name) <= width else method(name, width)
            for name, width in widths.items()
        }
        if _is_valid(short, widths):
            return short
    return _one_by_one(widths)


def numbers(text: str) -> list[str]:
    """Return the numbers in a text, each with all its digits.

    >>> numbers("S120-b7")
    ['120', '7']
    """
    return _NUMBERS.findall(text)


def distinct(short: Mapping[str, str]) -> bool:
    """Return whether all abbreviations differ.

    A difference in letter case alone counts only if the names differ only in letter case, too.
    """
    different = len(set(short.values())) == len(short)
    folded = {(name.lower(), label.lower()) for name, label in short.items()}
    return different and len({label for _, label in folded}) == len(folded)


def _is_valid(short: Mapping[str, str], widths: Mapping[str, int]) -> bool:
    return distinct(short) and all(
        (label or not name)
        and text_width(label) <= widths[name]
        and numbers(label) == numbers(name)
        for name, label in short.items()
    )


def _cut(name: str, width: int) -> str:
    """Return the name shortened at its end; digits are kept."""
    return "".join(_kept(name[::-1], width))[::-1]


def _cut_middle(name: str, width: int) -> str:
    """Return the first letter and the end of a name; digits are kept."""
    return name[:1] + "".join(_kept(name[1:], width - text_width(name[:1])))


def _kept(chars: str, width: int) -> Iterator[str]:
    """Yield the characters that fit: letters at the beginning are dropped, digits are kept."""
    spare = text_width(chars) - width
    for char in chars:
        if spare > 0 and not char.isdecimal():
            spare -= text_width(char)
        else:
            yield char


def _without_vowels(name: str) -> str:
    return name[:1] + "".join(letter for letter in name[1:] if letter not in _VOWELS)


def _one_by_one(widths: Mapping[str, int]) -> dict[str, str] | None:
    """Abbreviate each name to its first letters and one letter that makes it unique."""
    short = {name: name for name, width in widths.items() if text_width(name) <= width}
    used = {label.lower() for label in short.values()}
    for name, width in widths.items():
        if name in short:
            continue
        stem = _cut(name, width - 1)
        forms = (stem + end for end in (*name[len(stem) :], *ascii_lowercase))
        label = next((form for form in forms if form.lower() not in used), None)
        if label is None:
            return None
        short[name] = label
        used.add(label.lower())
    return {name: short[name] for name in widths} if _is_valid(short, widths) else None
