"""Cells as text: a cell that holds the execution token of a word also has the word's name.

Owns the decision which cells hold tokens.  Cells have no type, and small numbers can equal the
tokens of the kernel's words by chance: these count only where a name says that it is a token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.words.code import word_name

if TYPE_CHECKING:
    from forthvm.core.vm import VM

__all__ = ["cell_text", "text_with_word", "token_word"]

_TOKEN_NAMES = frozenset({"xt", "cfa"})


def cell_text(vm: VM, cell: int, name: str = "") -> str:
    """Return a number, with the word of which it is the token.

    Args:
        vm: The VM.
        cell: The number.
        name: The name of the cell in a stack comment: `'dir` and `xt` are names of tokens.
    """
    return text_with_word(cell, token_word(vm, cell, name))


def text_with_word(cell: int, word: str) -> str:
    """Return a number, with the word of which it is the token; "" if it is none."""
    return f"{cell} (' {word})" if word else str(cell)


def token_word(vm: VM, cell: int, name: str = "") -> str:
    """Return the name of the word of which a cell holds the token; "" for other numbers."""
    word = word_name(vm.native, cell)
    if word is None:
        return ""
    is_token = name.startswith("'") or name.casefold() in _TOKEN_NAMES
    return word if is_token or _is_of_script(vm, cell) else ""


def _is_of_script(vm: VM, token: int) -> bool:
    """Whether a word was defined by a script and not by the kernel or the library."""
    text = vm.sources.text_at(vm.native.source_at(token))
    return text is not None and not text.library
