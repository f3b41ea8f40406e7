"""ForthScript as text: its tokens, its structures, and a Pygments lexer.

For editors, the REPL, the checks and all that displays sources.  Knows the primitives' names and
nothing else of forthvm: texts are read without a VM, so words that a script makes immediate are
not recognized.
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
