"""Summaries of all words of an image: which call which, and what variables hold tokens.

This file owns the memory of summaries, recursion and the repeated passes; it must not know
how one definition is followed (instructions.py) nor what people are told.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from forthvm.core.bindings.layout import COLON, DOES, VARIABLE

from .cells import UNKNOWN, Cell, derived
from .instructions import Run
from .primitives import kernel_effect
from .summary import Exit, Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from forthvm.check.text.comments import Declared
    from forthvm.core.words.dictionary import Image, Word

    from .cells import Cell as _Cell
    from .summary import Context, Key

__all__ = ["Analyser", "Counts"]

_MOST_CONTEXTS = 40  # of one word
_MOST_ROUNDS = 12  # until a recursion settles
_MOST_CALLS = 90  # followed inside each other; Python's own stack is the limit
_MOST_PASSES = 4
_MOST_LIBRARIES = 8  # remembered

_BOTTOM = Summary()
#: By the library's signature: its summaries, and the cells that they depend on.
_RECALLED: dict[bytes, tuple[dict[Key, Summary], dict[int, int]]] = {}
_CONSTANTS = frozenset({"CONSTANT", "FCONSTANT", "$MakeConstant", "DEFER"})
_DIRECTION_MAKERS = frozenset({"$CreateDirectionFromString", "$RedefineDirection"})


class Counts(NamedTuple):
    """A declared effect as numbers; `leaves` has one per alternative."""

    takes: int
    leaves: tuple[int, ...]


def _simple(word: Word) -> Summary:
    """The summary of a word that is not a definition, by its stack comment in the table."""
    if not word.primitive:
        return Summary(exits=(Exit(0, (UNKNOWN,)),))
    effect = kernel_effect(word.op)
    takes = len(effect.takes)
    return Summary(need=takes, exits=(Exit(takes, (UNKNOWN,) * len(effect.leaves)),))


class Analyser:
    """All words of one image.

    Args:
        image: The dictionary.
        comment: The stack comment of a word, None if it has none.
        opaque: Tokens whose effect is unknowable.
        fence: Token of the library's last word.
    """

    def __init__(
        self,
        image: Image,
        comment: Callable[[Word], Declared | None],
        opaque: Iterable[int] = (),
        *,
        fence: int = 0,
    ) -> None:
        self.image = image
        self._fence = fence
        self.tokens = frozenset(image.by_cfa)
        self._comment = comment
        self._opaque = frozenset(opaque)
        self._done: dict[Key, Summary] = {}
        self._active: dict[Key, int] = {}
        self._partial: dict[Key, Summary] = {}
        self._provisional: list[Key] = []
        self._low = 0
        self._moved = False
        self._last: dict[Key, Summary] = {}
        self._contexts: dict[int, set[Context]] = {}
        self._items: dict[int, int] = {}
        self._stored: dict[int, frozenset[int] | None] = {}
        self.directions, self._same = self._find_directions()
        self._settle()

    def _find_directions(self) -> tuple[frozenset[int], dict[int, int]]:
        """Directions all have one effect, so one token stands for all of them."""
        image = self.image
        found = [w.cfa for w in image.words if image.defining_word(w) in _DIRECTION_MAKERS]
        if not found:
            return frozenset(), {}
        return frozenset(found[:1]), dict.fromkeys(found, found[0])

    def canonical(self, value: int) -> int:
        """The token that stands for all words with the same effect."""
        return self._same.get(value, value)

    # --- summaries -------------------------------------------------------------------

    def _settle(self) -> None:
        """Summarize all words, repeatedly until the values of variables no longer grow."""
        self._recall()
        for _ in range(_MOST_PASSES):
            for word in self.image.words:
                if word.kind in (COLON, DOES):
                    self.summary((word.cfa, ()))
            before, self._stored = self._stored, self._collect_stores()
            changed = {a for a in self._stored if self._stored[a] != before.get(a)}
            if not changed:
                break
            self._forget(changed)

    def _library_signature(self) -> bytes:
        """What must be equal for summaries of library words to be the same."""
        digest = blake2b()
        for word in self.image.words:
            if word.cfa > self._fence:
                break
            digest.update(f"{word.name} {word.cfa} {word.kind} ".encode())
            if word.kind == COLON:
                digest.update(self.image.memory[word.body : word.end])
        return digest.digest()

    def _recall(self) -> None:
        """Summarize the library, or reuse the summaries of another VM with the same library."""
        signature = self._library_signature()
        if signature not in _RECALLED:
            self._learn(signature)
            return
        done, cells = _RECALLED[signature]
        self._done = dict(done)
        for token, context in done:
            if context:
                self._contexts.setdefault(token, set()).add(context)
        self._forget({a for a, value in cells.items() if self.image.cell(a) != value})

    def _learn(self, signature: bytes) -> None:
        for word in self.image.words:
            if word.cfa <= self._fence and word.kind in (COLON, DOES):
                self.summary((word.cfa, ()))
        cells = {
            address: self.image.cell(address)
            for summary in self._done.values()
            for address in summary.loads
            if address > 0
        }
        ours = {a for a, value in cells.items() if value > self._fence and value in self.tokens}
        kept = {key: s for key, s in self._done.items() if not s.loads & ours}
        if len(_RECALLED) >= _MOST_LIBRARIES:
            _RECALLED.clear()
        _RECALLED[signature] = (kept, cells)

    def _forget(self, changed: set[int]) -> None:
        """Drop the summaries that depend on changed cells."""
        holders = {self.image.word_at(address) for address in changed if address > 0}
        changed |= {-word.cfa for word in holders if word is not None}
        for key in [k for k, summary in self._done.items() if summary.loads & changed]:
            del self._done[key]

    def _collect_stores(self) -> dict[int, frozenset[int] | None]:
        stored: dict[int, frozenset[int] | None] = {}
        for key in self.reached():
            for address, values in self._done[key].stores:
                old = stored.get(address, frozenset())
                stored[address] = None if values is None or old is None else old | values
        return stored

    def called(self, word: Word, stack: Sequence[Cell]) -> tuple[Key, Summary]:
        """A call with these cells on the stack, the top last, and what it does.

        What matters may show only when other arguments are known: a path ends where an unknown
        token is executed.
        """
        key: Key = (word.cfa, ())
        if word.primitive or word.kind == VARIABLE:
            return key, _simple(word)
        summary = self.summary(key)
        asked: set[int] = set()
        while summary.relevant - asked:
            asked |= summary.relevant
            near = [n for n in sorted(asked) if n < len(stack)]
            known_ones = [(n, stack[-1 - n].known) for n in near]
            key = self.context(word, tuple((n, v) for n, v in known_ones if v is not None))
            summary = self.summary(key)
        return key, summary

    def reached(self, extra: Iterable[Key] = ()) -> list[Key]:
        """The calls that can happen, from `extra` and words that nothing in the image calls."""
        extra = set(extra)
        called = {
            key[0]
            for own, summary in self._done.items()
            for key in summary.calls
            if key[0] != own[0]
        }
        called |= {key[0] for key in extra}
        todo = [key for key in self._done if not key[1] and key[0] not in called]
        todo += [key for key in extra if key in self._done]
        seen = set(todo)
        while todo:
            for key in self._done[todo.pop()].calls:
                if key not in seen and key in self._done:
                    seen.add(key)
                    todo.append(key)
        return list(seen)

    def summary(self, key: Key) -> Summary:
        """The summary of a word for one kind of call."""
        found = self._done.get(key)
        if found is not None:
            return found
        depth = self._active.get(key)
        if depth is not None:
            self._low = min(self._low, depth)
            return self._partial[key]
        if len(self._active) >= _MOST_CALLS:
            return Summary(unknown="calls are nested too deep to be followed")
        return self._compute(key)

    def _compute(self, key: Key) -> Summary:
        """Follow a word; the first word of a recursion is followed until nothing changes.

        The words inside start each time from what they came to the time before.
        """
        depth = len(self._active)
        outer_low, outer_moved = self._low, self._moved
        mark = len(self._provisional)
        self._active[key] = depth
        before = self._last.get(key, _BOTTOM)
        for _ in range(_MOST_ROUNDS):
            self._low, self._moved = depth + 1, False
            self._partial[key] = before
            result = self._follow(key)
            if self._low != depth or (result == before and not self._moved):
                break
            before = result
            for other in self._provisional[mark:]:
                self._done.pop(other, None)
            del self._provisional[mark:]
        else:
            result = Summary(unknown="its recursion does not settle")
        del self._active[key], self._partial[key]
        self._done[key] = result
        if self._low < depth:
            self._provisional.append(key)
            self._last[key] = result
            self._moved |= outer_moved or result != before
        else:
            del self._provisional[mark:]
            self._moved = outer_moved
        self._low = min(outer_low, self._low)
        if not depth:
            self._last.clear()
        return result

    def _follow(self, key: Key) -> Summary:
        word = self.image.by_cfa[key[0]]
        if word.cfa in self._opaque:
            return Summary(unknown="it is not defined")
        if word.kind == COLON:
            return Run(self, word, word.body, key).summary()
        if word.kind == DOES and word.does > 0:
            return Run(self, word, word.does, key).summary()
        return Summary(unknown="it is not a definition")

    def context(self, word: Word, known_ones: Context) -> Key:
        """The key of a call, without its arguments when there are too many different ones."""
        seen = self._contexts.setdefault(word.cfa, set())
        if known_ones not in seen:
            if len(seen) >= _MOST_CONTEXTS:
                return (word.cfa, ())
            seen.add(known_ones)
        return (word.cfa, known_ones)

    # --- memory ----------------------------------------------------------------------

    def region(self, cell: _Cell) -> int:
        """The word in whose data an address lies, 0 if that is not known."""
        if cell.region or cell.value is None:
            return cell.region
        word = self.image.word_at(cell.value)
        if word and word.kind in (VARIABLE, DOES) and word.body <= cell.value <= word.end:
            return word.cfa
        return 0

    def load(self, address: _Cell) -> Cell:
        """What a cell of memory may hold."""
        if address.value is not None:
            word = self.image.word_at(address.value)
            if word is None or not word.body <= address.value < word.end:
                return UNKNOWN
            values = self._held([address.value], [address.value])
            constant = word.kind == DOES and self.image.defining_word(word) in _CONSTANTS
            return self._loaded(values, constant=constant)
        if address.region:
            word = self.image.by_cfa[address.region]
            cells = range(word.body, min(word.end, self.image.here) - 3, 4)
            return self._loaded(self._held(cells, [-word.cfa, *cells]), constant=False)
        return derived(address)

    def _held(self, cells: Iterable[int], written: Iterable[int]) -> frozenset[int] | None:
        values = {self.canonical(self.image.cell(address)) for address in cells}
        for address in written:
            more = self._stored.get(address, frozenset())
            if more is None:
                return None
            values |= more
        return frozenset(values)

    def _loaded(self, values: frozenset[int] | None, *, constant: bool) -> Cell:
        if values is None:
            return UNKNOWN
        if constant and len(values) == 1:
            return Cell(values)
        tokens = values - {0}
        unset = self.image.find("(unset)")
        if unset is not None and len(tokens) > 1:
            tokens -= {unset.cfa}
        return Cell(tokens) if tokens and tokens <= self.tokens else UNKNOWN

    def is_stored(self, address: int) -> bool:
        """Whether some definition stores a known token there."""
        return address in self._stored

    def items(self, word: Word) -> int:
        """How many items an array has, -1 if the word is none."""
        if word.cfa not in self._items:
            maker = self.image.defining_word(word)
            count = -1
            if maker == "[]":
                count = (word.end - word.body) // 4
            elif maker in ("{array}", "{carray}"):
                count = self.image.cell(word.body + 4)
            self._items[word.cfa] = count
        return self._items[word.cfa]

    # --- comments --------------------------------------------------------------------

    def declared(self, word: Word) -> Counts | None:
        """The effect that a word's comment declares, None if the cells cannot be counted."""
        comment = self._comment(word)
        return comment.counts if comment is not None else None

    def is_library(self, word: Word) -> bool:
        """Whether it is a word of the library, whose comments are the contract's."""
        return word.cfa <= self._fence

    def is_direction_argument(self, word: Word, param: int) -> bool:
        """Whether the comment says that an argument is the token of a direction."""
        comment = self._comment(word)
        if comment is None or not 0 <= param < len(comment.takes):
            return False
        name = comment.takes[-1 - param]
        return name.startswith("'") and "dir" in name.lower()
