"""Gives each thing of a game a word of its own in the script.

Owns the choice of the words: unique, and different from words of the library and from numbers.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from forthvm.core.words.glossary import words

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["PREFIX", "Names"]

PREFIX = "z-"
"""Words of the library for rule files begin with this; no word of a game does."""

_NUMBER = re.compile(r"[+-]?(\d+|[\d.]+(e[+-]?\d+)?)")
_HOOKS = frozenset({"OnGenerateMoves", "OnMakeAMove", "OnMovesGenerated", "OnTerminate"})
_QUOTE = "'"
_RESERVED = (PREFIX, "$", "#", "{")  # beginnings of words of the libraries


@cache
def _library() -> frozenset[str]:
    return frozenset(words()) | _HOOKS


def _is_free(word: str) -> bool:
    return not (
        word in _library()
        or word.startswith(_RESERVED)
        or word.endswith("}")
        or _NUMBER.fullmatch(word)
    )


def _one_word(name: str) -> str:
    return re.sub(r"\s+", "-", name.strip()) or "unnamed"


class Names:
    """The words of one game, by kind and name.

    A kind is `position`, `direction`, `player`, `piece`, `type` (of moves), `zone`, `flag` and so
    on.  Things of different kinds may have the same name in a rule file.
    """

    def __init__(self) -> None:
        self._words: dict[tuple[str, str], str] = {}
        self._used: set[str] = set()

    def add(self, kind: str, name: str) -> str:
        """Choose the word for a thing, or return the word chosen before."""
        known = self._words.get((kind, name))
        if known is None:
            known = self._words[kind, name] = self.new(name)
        return known

    def add_all(self, kind: str, names: Iterable[str]) -> None:
        """Choose the words for several things of a kind."""
        for name in names:
            self.add(kind, name)

    def new(self, wanted: str) -> str:
        """Return an unused word that resembles the wanted one."""
        word = _one_word(wanted)
        if word.startswith(_RESERVED):  # no quote at the end would make it free
            word = _QUOTE + word
        while word in self._used or not _is_free(word):
            word += _QUOTE
        self._used.add(word)
        return word

    def __getitem__(self, key: tuple[str, str]) -> str:
        return self._words[key]

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self._words

    def of_kind(self, kind: str) -> list[str]:
        """Return the words of the things of a kind."""
        return [word for (its_kind, _), word in self._words.items() if its_kind == kind]

    def changed(self, kind: str) -> list[tuple[str, str]]:
        """Return (name, word) of the things of a kind whose word differs from the name.

        Blanks of names, which the texts of moves cannot contain, are `-` in both.
        """
        found = [(_one_word(key[1]), word) for key, word in self._words.items() if key[0] == kind]
        return [(name, word) for name, word in found if word != name]
