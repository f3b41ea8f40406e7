"""Finds names that are similar to an unknown name, those of the script before built-in ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.errors.report import MAX_SIMILAR, similar_names
from forthvm.syntax.tokens import CONTROL

from .text.damage import READ_BY_ITEMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .loaded_script import LoadedScript
    from .text.lexer import Token

__all__ = ["similar_in_script"]


def similar_in_script(loaded: LoadedScript, name: str, tokens: Sequence[Token]) -> list[str]:
    """Return names that are similar to an unknown one, the last of these tokens of its text."""
    own: list[str] = []
    built_in: list[str] = []
    for word in loaded.vm.native.words():
        if word in loaded.built_in_names:
            built_in.append(word)
        elif word not in loaded.unknown_names:  # these are defined as placeholders
            own.append(word)
    near = similar_names(name, own)
    if not _is_read_by_item(tokens):
        is_compiled = not tokens or tokens[-1].in_definition
        fitting = (w for w in built_in if w not in CONTROL or _is_control(w, name, is_compiled))
        near += similar_names(name, fitting)
    # Names that differ only in letter case come first.
    near.sort(key=lambda word: word.casefold() != name.casefold())
    return near[:MAX_SIMILAR]


def _is_read_by_item(tokens: Sequence[Token]) -> bool:
    """Whether the last token is a name that an item such as `{turn}` or `{setup}` reads."""
    before = tokens[-1 - max(READ_BY_ITEMS.values()) : -1]
    return any(READ_BY_ITEMS.get(t.text, 0) > n for n, t in enumerate(reversed(before)))


def _is_control(word: str, name: str, is_compiled: bool) -> bool:
    """Whether an unknown name can be meant as a control word; `White` is not meant as `WHILE`."""
    is_one_case = name in (name.upper(), name.lower())
    return is_compiled and (is_one_case or name.casefold() == word.casefold())
