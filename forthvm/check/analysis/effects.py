"""The stack effect of each word of a VM, derived from its code.

This file owns the join of a word's summaries into one effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forthvm.check.text.comments import Comments, Declared
from forthvm.check.text.lexer import NAME, lex
from forthvm.core.bindings.layout import COLON, DOES, VARIABLE
from forthvm.core.words.dictionary import DictionaryCopy

from .analyser import Analyser
from .cells import MOVE_XT
from .primitives import DEAD_ENDS, kernel_effect
from .summary import Call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forthvm.core.loading.source import SourceTable
    from forthvm.core.vm import VM
    from forthvm.core.words.dictionary import Word

    from .summary import KnownArguments, Problem, Summary

__all__ = ["StackEffect", "WordAnalysis", "declared_effect", "effect_of"]


@dataclass(frozen=True)
class StackEffect:
    """The effect of a word on the parameter stack.

    Attributes:
        takes: The number of arguments; the maximum over all paths.
        leaves: The different numbers of results on the paths; empty if the word never returns or
            the effect is unknown.
        unknown: The reason why the effect is unknown; "" if it is known.
        exact: Whether the effect was derived from the code alone and is the same on all paths.
        assumed: Whether the effect relies on stack comments.
    """

    takes: int = 0
    leaves: tuple[int, ...] = ()
    unknown: str = ""
    exact: bool = True
    assumed: bool = False

    @property
    def returns(self) -> bool:
        """Whether some path of the word returns."""
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


class WordAnalysis:
    """The analysis of all words of a VM: their effects, summaries, problems and stack comments.

    Args:
        vm: The VM; words that are defined later are not included.
        opaque: Xts of words whose effect counts as unknown, such as placeholders.
    """

    def __init__(self, vm: VM, opaque: Iterable[int] = ()) -> None:
        self.image = DictionaryCopy(vm)
        self.sources = vm.sources
        self.comments = Comments(self.image, vm.sources)
        self._restore_names(vm.sources)
        self.analyser = Analyser(
            self.image,
            self.comments.of,
            opaque,
            last_library_xt=self._last_library_xt(vm.sources),
        )
        self._calls_by_xt: dict[int, list[Call]] = {}
        self.note_calls(())

    def _restore_names(self, table: SourceTable) -> None:
        """Name words from the source if a store past the end of an array erased their names."""
        for word in [word for word in self.image.words if not word.name]:
            text = table.text_at(position := self.image.source(word.cfa))
            if text is None:
                continue
            lexed = lex(text.data)
            index = lexed.index_by_offset.get(position - text.base)
            if index is not None and lexed.tokens[index].kind == NAME:
                self.image.rename(word, text.decode(lexed.tokens[index].text))

    def note_calls(self, calls: Iterable[Call]) -> None:
        """Find all calls that can happen, given the calls in interpreted text."""
        self._calls_by_xt.clear()
        for call in self.analyser.reachable_calls(calls):
            self._calls_by_xt.setdefault(call.xt, []).append(call)

    def _last_library_xt(self, table: SourceTable) -> int:
        """Return the xt of the last word of the library, 0 if no library is loaded."""
        for word in reversed(self.image.words):
            text = table.text_at(self.image.source(word.cfa))
            if word.primitive or (text is not None and text.library):
                return word.cfa
        return 0

    def summaries(self, word: Word) -> list[Summary]:
        """Return the summaries of a word, one for each combination of known arguments in its calls.

        If no call can happen, the only summary is that for unknown arguments.
        """
        calls = self._calls_by_xt.get(word.cfa) or [Call(word.cfa)]
        return [self.analyser.summary(call) for call in calls]

    def general_summaries(self, word: Word) -> list[Summary]:
        """Return the summaries of a word in which numbers are unknown, but xts and addresses known.

        In these summaries, a branch for 0 is analysed even if all callers pass 1.
        """
        combinations = {
            self._without_numbers(call.known_arguments)
            for call in self._calls_by_xt.get(word.cfa, ())
        }
        return [
            self.analyser.summary(Call(word.cfa, known))
            for known in sorted(combinations, key=_sort_key) or [()]
        ]

    def _without_numbers(self, known_arguments: KnownArguments) -> KnownArguments:
        return tuple(
            (n, v) for n, v in known_arguments if all(self._is_reference(value) for value in v)
        )

    def _is_reference(self, value: int) -> bool:
        """Whether a value is an xt or an address of data, not a plain number."""
        if value in self.analyser.xts or value == MOVE_XT:
            return True
        word = self.image.word_at(value)
        return (
            word is not None
            and word.kind in (VARIABLE, DOES)
            and word.body <= value <= min(word.end, self.image.here)
        )

    def problems(self, word: Word) -> set[Problem]:
        """Return the problems in a word, for unknown numbers and for the actual calls."""
        summaries = [*self.general_summaries(word), *self.summaries(word)]
        return {problem for summary in summaries for problem in summary.problems}

    def game_effects(self, word: Word) -> frozenset[str]:
        """Return the effects of a word on the game, named as in `primitives.GAME_EFFECTS`."""
        return frozenset(
            effect for summary in self.summaries(word) for effect in summary.game_effects
        )

    def effect(self, word: Word) -> StackEffect:
        """Return the effect of a word in all of its calls."""
        if word.primitive:
            return _primitive_effect(word)
        if word.kind == VARIABLE:
            return StackEffect(0, (1,))
        if self.analyser.is_direction(word.cfa):
            return StackEffect(0, (1,))
        if word.kind not in (COLON, DOES):
            return StackEffect(unknown="it is not a definition", exact=False)
        return _join_summaries(self.general_summaries(word))


def _sort_key(known_arguments: KnownArguments) -> list[tuple[int, list[int]]]:
    return [(number, sorted(values)) for number, values in known_arguments]


def _primitive_effect(word: Word) -> StackEffect:
    effect = kernel_effect(word.op)
    if word.op == "EXECUTE":
        return StackEffect(1, (), "it runs the token that it is given", exact=False)
    if word.op in DEAD_ENDS or word.op == "$Exit":
        return StackEffect(len(effect.takes), ())
    return StackEffect(len(effect.takes), (len(effect.leaves),))


def _join_summaries(summaries: list[Summary]) -> StackEffect:
    """Return one effect for all summaries of a word."""
    takes = max(summary.required_cells for summary in summaries)
    unknown = next((summary.unknown for summary in summaries if summary.unknown), "")
    if unknown:
        return StackEffect(takes, (), unknown, exact=False)
    nets = {net for summary in summaries for net in summary.net_effects}
    takes = max(takes, *(-net for net in nets), 0)
    assumed = any(summary.assumed for summary in summaries)
    # A word that reads the stack at an unknown depth may have more arguments than `takes`.
    reads_unknown_depth = any(summary.reads_unknown_depth for summary in summaries)
    exact = not assumed and not reads_unknown_depth and len(nets) <= 1
    return StackEffect(takes, tuple(sorted(takes + net for net in nets)), "", exact, assumed)


def effect_of(vm: VM, word: str) -> StackEffect:
    """Return the stack effect of a word, derived from its code.

    Raises:
        UndefinedWord: There is no such word.
    """
    words = WordAnalysis(vm)
    return words.effect(words.image.by_cfa[vm.token(word)])


def declared_effect(vm: VM, word: str) -> Declared | None:
    """Return the stack comment in the source of a word; None without a comment.

    Raises:
        UndefinedWord: There is no such word.
    """
    image = DictionaryCopy(vm)
    return Comments(image, vm.sources).of(image.by_cfa[vm.token(word)])
