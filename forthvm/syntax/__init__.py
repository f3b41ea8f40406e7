"""The syntax of ForthScript: tokens, structures, and a Pygments lexer.

Used by editors, the REPL, the checks, and everything that displays sources.  It knows the names of
the primitives but must not know a VM, so words that a script makes immediate are not recognized.
"""

from __future__ import annotations

from .structure import Opened, Structure, definition_at, read_structure
from .tokens import Kind, Token, tokenize

__all__ = [
    "Kind",
    "Opened",
    "Structure",
    "Token",
    "definition_at",
    "read_structure",
    "tokenize",
]
