"""Calls in interpreted text, with their known arguments, such as `' step 8 fill-row`.

This file simulates the stack while the text interpreter reads numbers, `'`, and words with known
effects.  After any other token, the stack is unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.check.analysis.cells import UNKNOWN, Cell, known_cell
from forthvm.core.bindings.layout import COLON

from .lexer import QUOTING, WORD

if TYPE_CHECKING:
    from forthvm.check.analysis.analyser import Analyser
    from forthvm.check.analysis.summary import Call
    from forthvm.check.program import ScriptFile
    from forthvm.core.words.dictionary import DictionaryCopy, Word

__all__ = ["interpreted_calls"]

_INTEGER = re.compile(r"[+-]?\d+$")


def interpreted_calls(analyser: Analyser, files: list[ScriptFile]) -> set[Call]:
    """Return the calls of definitions, with the arguments that are known."""
    calls: set[Call] = set()
    for file in files:
        calls |= _StackSimulation(analyser, file).run()
    return calls


class _StackSimulation:
    """Simulates the stack while the text interpreter reads one file."""

    def __init__(self, analyser: Analyser, file: ScriptFile) -> None:
        self._analyser = analyser
        self._image: DictionaryCopy = analyser.image
        self._file = file
        self._stack: list[Cell] = []
        self._calls: set[Call] = set()

    def run(self) -> set[Call]:
        """Simulate all tokens; return the calls."""
        file = self._file
        quoted = False  # whether the word before the token has read it, as `'` does
        for index, token in enumerate(file.tokens):
            if token.in_definition:
                self._stack.clear()
            elif token.kind == WORD:
                if quoted:
                    quoted = False
                    continue
                name = file.word(index)
                quoted = token.text in QUOTING
                self._interpret(name, file.word(index + 1))
        return self._calls

    def _interpret(self, name: str, following: str) -> None:
        if name == "'":
            word = self._image.find(following)
            value = known_cell(self._analyser.canonical(word.cfa)) if word else UNKNOWN
            self._stack.append(value)
            return
        word = self._image.find(name)
        if word is None:
            if _INTEGER.match(name):
                self._stack.append(known_cell(int(name)))
            else:
                self._stack.clear()
            return
        self._call(word)

    def _call(self, word: Word) -> None:
        analyser = self._analyser
        call, summary = analyser.resolve_call(word, self._stack)
        if word.kind == COLON and not analyser.is_library(word):
            self._calls.add(call)
        if (
            summary.unknown
            or len(summary.net_effects) != 1
            or summary.required_cells > len(self._stack)
        ):
            self._stack.clear()
            return
        (net_effect,) = summary.net_effects
        taken = max(summary.required_cells, -net_effect)
        del self._stack[len(self._stack) - taken :]  # in place, because the stack may be long
        self._stack += [UNKNOWN] * (taken + net_effect)
