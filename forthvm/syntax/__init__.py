"""The syntax of ForthScript: tokens, structures, and a Pygments lexer.

Editors, the REPL, the checks, and all code that displays sources use this package.  It knows the
names of the primitives but no VM, so it does not recognize words that a script makes immediate.
"""

from __future__ import annotations

from .format import format_source
from .structure import CLOSING_WORDS, Opened, Structure, definition_at, read_structure
from .tokens import Kind, Token, tokenize

__all__ = [
    "CLOSING_WORDS",
    "Kind",
    "Opened",
    "Structure",
    "Token",
    "definition_at",
    "format_source",
    "read_structure",
    "tokenize",
]
