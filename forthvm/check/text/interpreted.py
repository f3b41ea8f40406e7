"""Calls in interpreted text, with their known arguments, such as `' step 8 fill-row`.

This file simulates the stack over interpreted tokens: numbers, `'`, and words of known effect.
After any other token, the stack is unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.check.analysis.cells import UNKNOWN, Cell, known
from forthvm.core.bindings.layout import COLON

from .words import QUOTING, WORD

if TYPE_CHECKING:
    from forthvm.check.analysis.analyser import Analyser
    from forthvm.check.analysis.summary import Key
    from forthvm.check.program import Script
    from forthvm.core.words.dictionary import DictionaryCopy, Word

__all__ = ["interpreted_calls"]

_INTEGER = re.compile(r"[+-]?\d+$")


def interpreted_calls(analyser: Analyser, scripts: list[Script]) -> set[Key]:
    """Return the calls of definitions, with the arguments that are known."""
    calls: set[Key] = set()
    for script in scripts:
        calls |= _StackSimulation(analyser, script).run()
    return calls


class _StackSimulation:
    """Simulates the stack over the interpreted tokens of one script."""

    def __init__(self, analyser: Analyser, script: Script) -> None:
        self._analyser = analyser
        self._image: DictionaryCopy = analyser.image
        self._script = script
        self._stack: list[Cell] = []
        self._calls: set[Key] = set()

    def run(self) -> set[Key]:
        """Simulate all tokens; return the calls."""
        script = self._script
        quoted = False  # whether the word before has read the token, such as `'`
        for index, token in enumerate(script.tokens):
            if token.compiled:
                self._stack.clear()
            elif token.kind == WORD:
                if quoted:
                    quoted = False
                    continue
                name = script.word(index)
                quoted = token.text in QUOTING
                self._interpret(name, script.word(index + 1))
        return self._calls

    def _interpret(self, name: str, following: str) -> None:
        if name == "'":
            word = self._image.find(following)
            value = known(self._analyser.canonical(word.cfa)) if word else UNKNOWN
            self._stack.append(value)
            return
        word = self._image.find(name)
        if word is None:
            if _INTEGER.match(name):
                self._stack.append(known(int(name)))
            else:
                self._stack.clear()
            return
        self._call(word)

    def _call(self, word: Word) -> None:
        analyser = self._analyser
        key, summary = analyser.resolve_call(word, self._stack)
        if word.kind == COLON and not analyser.is_library(word):
            self._calls.add(key)
        if summary.unknown or len(summary.net_effects) != 1 or summary.need > len(self._stack):
            self._stack.clear()
            return
        (net_effect,) = summary.net_effects
        taken = max(summary.need, -net_effect)
        del self._stack[len(self._stack) - taken :]  # in place: the stack may be long
        self._stack += [UNKNOWN] * (taken + net_effect)
