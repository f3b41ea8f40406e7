"""The effect of symmetries on the directions of a script, in version 140 and since 150.

Owns a model of the rules in glossary.md, section 13.  Must not know which script it is applied to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

__all__ = ["directions_of_players"]

# By player, the direction that replaces each direction.
_Rows = defaultdict[str, dict[int, int]]


def directions_of_players(tokens: Sequence[str], *, axiom: int) -> dict[str, dict[str, int]]:
    """Return, for each word in a symmetry, the index of its direction for each player."""
    names: list[str] = []
    rows: _Rows = defaultdict(dict)
    words: dict[str, tuple[_Rows, int]] = {}
    for before, word, first, second in _windows(tokens):
        if word == "{directions":
            names, words = [], {}
        elif word == "{symmetries":
            rows = defaultdict(dict)
        elif word == "{direction}" or (word == "{link}" and first not in names):
            names.append(first)
        elif word == "{symmetry}":
            one, other = (_index(name, names, words, axiom) for name in (first, second))
            row = rows[before]
            if axiom == 140:  # exchanges the current values, so symmetries accumulate
                row[one], row[other] = row.get(other, other), row.get(one, one)
            else:
                row[one], row[other] = other, one
            words[first], words[second] = (rows, one), (rows, other)
    return {
        name: {player: row.get(index, index) for player, row in table.items()}
        for name, (table, index) in words.items()
    }


def _index(name: str, names: list[str], words: dict[str, tuple[_Rows, int]], axiom: int) -> int:
    """Return a direction's index; 0 in version 140 if an earlier symmetry redefined the word."""
    if name not in names or (axiom == 140 and name in words):
        return 0
    return names.index(name)


def _windows(tokens: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """Return each token with the one before it and the two after it."""
    padded = ["", *tokens, "", ""]
    return zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
