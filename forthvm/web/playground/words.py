"""The words of ForthScript for the editor of the playground: their kinds, effects and sentences.

Owns the form of these tables; editors/playground highlights, completes and explains words by them.
"""

from __future__ import annotations

from forthvm.core.words.glossary import words
from forthvm.syntax import tokenize, tokens
from forthvm.syntax.format import CLOSING
from forthvm.syntax.structure import OPENING_WORDS

__all__ = ["editor_words"]


def editor_words() -> dict[str, object]:
    """Return the tables, for JSON.

    They have effect, sentence and kind of each word, the words that read names or texts, and those
    that open structures, and that end or continue them.
    """
    entries = words()
    sections = [*(f"{{{name}" for name in tokens.SECTIONS), *tokens.CLOSERS]
    others = {*tokens.CONTROL, *tokens.DEFINING, *tokens.NAME_READERS, *sections} - entries.keys()
    known = {name: (entry.effect, entry.text) for name, entry in entries.items()}
    known |= dict.fromkeys(sorted(others), ("", ""))
    return {
        "words": {name: [*texts, _kind_of(name)] for name, texts in known.items()},
        "strings": sorted(tokens.STRINGS),
        "definers": sorted(tokens.DEFINING),
        "readers": sorted(tokens.NAME_READERS),
        "alwaysReaders": sorted(tokens.ALWAYS_NAME_READERS),
        "opening": sorted({":", *OPENING_WORDS, *(f"{{{name}" for name in tokens.SECTIONS)}),
        "closing": sorted(CLOSING),
    }


def _kind_of(word: str) -> str:
    """Return the kind of a word by itself."""
    return next(tokenize(word, compiling=True)).kind
