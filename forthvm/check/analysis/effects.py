"""The stack effect of a word over all of its calls, and its stack comment.

This file owns the join of a word's summaries into one effect.  It must not know findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.check.text.comments import Comments, Declared
from forthvm.check.text.lexer import NAME
from forthvm.core.bindings.layout import COLON, DOES, VARIABLE
from forthvm.core.value import Value
from forthvm.core.words.dictionary import DictionaryCopy

from .analyser import Analyser
from .cells import MOVE_TOKEN
from .primitives import DEAD_ENDS, kernel_effect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.core.loading.source import SourceTable
    from forthvm.core.vm import VM
    from forthvm.core.words.dictionary import Word

    from .summary import Context, Key, Problem, Summary

__all__ = ["StackEffect", "Words", "declared_effect", "effect_of"]


class StackEffect(Value):
    """The effect of a word on the parameter stack.

    Attributes:
        takes: The number of arguments; the maximum over all paths.
        leaves: The numbers of results, one for each different outcome; empty if the word never
            returns or the effect is unknown.
        unknown: Why the effect is unknown, "" if it is known.
        exact: The effect was derived from the code alone and is the same on all paths.
        assumed: The effect was derived with the help of stack comments.
    """

    takes: int = 0
    leaves: tuple[int, ...] = ()
    unknown: str = ""
    exact: bool = True
    assumed: bool = False

    @property
    def returns(self) -> bool:
        """Whether the word ever returns."""
        return bool(self.leaves) or bool(self.unknown)

    def __str__(self) -> str:
        if self.unknown:
            return f"unknown: {self.unknown}"
        before = _argument_names(self.takes)
        if not self.leaves:
            return " ".join(["(", *before, "-- does not return )"])
        alternatives = " | ".join(" ".join(["x"] * count) for count in self.leaves)
        return " ".join(part for part in ("(", *before, "--", alternatives, ")") if part)


def _argument_names(count: int) -> list[str]:
    return list("abcdefgh"[:count]) if count <= len("abcdefgh") else [f"{count} cells"]


class Words:
    """The analysis of all words of a VM: their effects, summaries, problems and stack comments.

    Args:
        vm: The VM; words that are defined later are not included.
        opaque: Execution tokens of words whose effect is to be treated as unknown.
    """

    def __init__(self, vm: VM, opaque: Iterable[int] = ()) -> None:
        self.image = DictionaryCopy(vm)
        self.comments = Comments(self.image, vm.sources)
        self._restore_names(vm.sources)
        last_library_token = self._last_of_library(vm.sources)
        self.analyser = Analyser(
            self.image, self.comments.of, opaque, last_library_token=last_library_token
        )
        self._keys: dict[int, list[Key]] = {}
        self.note_calls(())

    def _restore_names(self, table: SourceTable) -> None:
        """Name words from the source if a store past the end of an array erased their names."""
        for word in [word for word in self.image.words if not word.name]:
            text = table.text_at(position := self.image.source(word.cfa))
            if text is None:
                continue
            lexed = self.comments.lexed(text.base, text.data)
            index = lexed.at.get(position - text.base)
            if index is not None and lexed.tokens[index].kind == NAME:
                self.image.rename(word, text.decode(lexed.tokens[index].text))

    def note_calls(self, calls: Iterable[Key]) -> None:
        """Find all calls that can happen; `calls` are those in interpreted text."""
        self._keys.clear()
        for key in self.analyser.reachable_calls(calls):
            self._keys.setdefault(key[0], []).append(key)

    def _last_of_library(self, table: SourceTable) -> int:
        """Return the token of the last word of the library, 0 if no library is loaded."""
        for word in reversed(self.image.words):
            text = table.text_at(self.image.source(word.cfa))
            if word.primitive or (text is not None and text.library):
                return word.cfa
        return 0

    def summaries(self, word: Word) -> list[Summary]:
        """Return the summaries of a word, one for each set of known arguments in its calls.

        If there are no calls, the only summary is for unknown arguments.
        """
        keys = self._keys.get(word.cfa) or [(word.cfa, ())]
        return [self.analyser.summary(key) for key in keys]

    def general_summaries(self, word: Word) -> list[Summary]:
        """Return the summaries for unknown arguments, except that tokens and addresses stay known.

        With these summaries, a branch for 0 is checked even if all callers pass 1.
        """
        contexts = {self._without_numbers(key[1]) for key in self._keys.get(word.cfa, ())}
        return [
            self.analyser.summary((word.cfa, c)) for c in sorted(contexts, key=_sort_key) or [()]
        ]

    def _without_numbers(self, context: Context) -> Context:
        return tuple((n, v) for n, v in context if all(self._is_reference(value) for value in v))

    def _is_reference(self, value: int) -> bool:
        """Whether a value is a token or an address of data instead of a plain number."""
        if value in self.analyser.tokens or value == MOVE_TOKEN:
            return True
        word = self.image.word_at(value)
        return (
            word is not None
            and word.kind in (VARIABLE, DOES)
            and word.body <= value <= min(word.end, self.image.here)
        )

    def problems(self, word: Word) -> set[Problem]:
        """Return the problems in a word, for unknown arguments and for the actual calls."""
        summaries = [*self.general_summaries(word), *self.summaries(word)]
        return {problem for summary in summaries for problem in summary.problems}

    def game_effects(self, word: Word) -> frozenset[str]:
        """Return what the word does to the game; `primitives.GAME_EFFECTS` explains the names."""
        return frozenset(
            effect for summary in self.summaries(word) for effect in summary.game_effects
        )

    def effect(self, word: Word) -> StackEffect:
        """Return the effect of a word, for all its callers."""
        if word.primitive:
            return _primitive_effect(word)
        if word.kind == VARIABLE:
            return StackEffect(0, (1,))
        if self.analyser.is_direction(word.cfa):
            return StackEffect(0, (1,))
        if word.kind not in (COLON, DOES):
            return StackEffect(unknown="it is not a definition", exact=False)
        return _join_summaries(self.general_summaries(word))


def _sort_key(context: Context) -> list[tuple[int, list[int]]]:
    return [(number, sorted(values)) for number, values in context]


def _primitive_effect(word: Word) -> StackEffect:
    effect = kernel_effect(word.op)
    if word.op == "EXECUTE":
        return StackEffect(1, (), "it runs the token that it is given", exact=False)
    if word.op in DEAD_ENDS or word.op == "$Exit":
        return StackEffect(len(effect.takes), ())
    return StackEffect(len(effect.takes), (len(effect.leaves),))


def _join_summaries(summaries: list[Summary]) -> StackEffect:
    """Return one effect for all summaries of a word."""
    need = max(summary.need for summary in summaries)
    unknown = next((summary.unknown for summary in summaries if summary.unknown), "")
    if unknown:
        return StackEffect(need, (), unknown, exact=False)
    need = max(need, *(-net for summary in summaries for net in summary.net_effects), 0)
    nets = {net for summary in summaries for net in summary.net_effects}
    assumed = any(summary.assumed for summary in summaries)
    # A word that reads the stack at an unknown depth may need more cells than `need`.
    deep = any(summary.deep for summary in summaries)
    exact = not assumed and not deep and len(nets) <= 1
    return StackEffect(need, tuple(sorted(need + net for net in nets)), "", exact, assumed)


def effect_of(vm: VM, word: str) -> StackEffect:
    """Return the stack effect of a word, derived from its code.

    Raises:
        UndefinedWord: There is no such word.
    """
    words = Words(vm)
    return words.effect(words.image.by_cfa[vm.token(word)])


def declared_effect(vm: VM, word: str) -> Declared | None:
    """Return the stack comment after a word's name in its source, None if it has none.

    Raises:
        UndefinedWord: There is no such word.
    """
    image = DictionaryCopy(vm)
    return Comments(image, vm.sources).of(image.by_cfa[vm.token(word)])
